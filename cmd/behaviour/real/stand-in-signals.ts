import { isObject, type Json, parseJson, printJson } from "../../../core/values/json.ts";
import type { TaskedConnector } from "../../../providers/sandbox/connect/task.ts";
import type { SandboxBroker } from "../../../providers/sandbox/kafka/broker.ts";

/** The stand-in's answer to one record of the signals topic. */
export interface SignalAnswer {
  readonly id: string;
  readonly type: string;
  readonly outcome: string;
  readonly message: string;
  /** Which are snapshotted now; none unless the signal was taken. */
  readonly tables: readonly string[];
  /** The `signal_offset` from then on. */
  readonly next: bigint;
}

export interface StandInSignals {
  /** The answers to the signals that were seen to have come, in their order; those to other connectors have none. */
  answers(from: bigint): readonly SignalAnswer[];
  /** Writes a `signal-ack` event. */
  deliver(answer: SignalAnswer): void;
}

/** The signals of a stand-in (`providers/real/plugin/Signals.java`); undefined when it reads none. */
export function standInSignals({ name, config }: TaskedConnector, broker: SandboxBroker): StandInSignals | undefined {
  const outcome = config["standin.ack"] ?? "silent";
  if (outcome === "silent") return undefined;
  const prefix = config["cdc.topic.prefix"] ?? "";
  const signals = config["cdc.signals.topic"] ?? `${prefix}.cdc.signals`;
  const ops = config["cdc.ops.topic"] ?? `${prefix}.cdc.ops`;
  let seen: Awaited<ReturnType<SandboxBroker["records"]>> = [];
  return {
    answers(from) {
      // New records are seen at the next read.
      if (broker.state.topics.has(signals))
        void broker.records(signals).then((records) => {
          seen = records;
        });
      return seen
        .filter(({ offset, key }) => offset >= from && key !== null && Buffer.from(key).toString("utf8") === name)
        .map(({ offset, value }) => ({ ...answerTo(value, outcome), next: offset + 1n }));
    },
    deliver({ id, type, outcome: result, message }) {
      const details = { ...(id === "" ? {} : { id }), ...(type === "" ? {} : { type }), outcome: result, message };
      const event = { v: 1, type: "signal-ack", ts_ms: Date.now(), server: prefix, resume_scn: null, details };
      broker.append(ops, { key: bytes({ server: prefix }), value: bytes(event) });
    },
  };
}

function answerTo(value: Uint8Array | null, outcome: string): Omit<SignalAnswer, "next"> {
  const signal = parsed(value);
  const invalid = (message: string) => ({ id, type, outcome: "invalid", message, tables: [] });
  const id = text(signal?.["id"]);
  const type = text(signal?.["type"]);
  if (signal === undefined) return invalid("no JSON object");
  if (type !== "snapshot") return { id, type, outcome: "unknown", message: `no such signal: "${type}"`, tables: [] };
  const data = signal["data"];
  const tables = isObject(data) && Array.isArray(data["tables"]) ? (data["tables"] as readonly Json[]).map(text) : [];
  if (id === "" || tables.length === 0) return invalid("no id, or no data.tables");
  return outcome === "ok"
    ? { id, type, outcome, message: `snapshot of ${tables.join(", ")}`, tables }
    : { id, type, outcome, message: `the stand-in was told to say ${outcome}`, tables: [] };
}

function parsed(value: Uint8Array | null): { readonly [name: string]: Json } | undefined {
  try {
    const json = parseJson(Buffer.from(value ?? []).toString("utf8"));
    return isObject(json) ? json : undefined;
  } catch {
    return undefined;
  }
}

const text = (json: Json | undefined): string => (typeof json === "string" ? json : "");
const bytes = (value: unknown): Uint8Array => Buffer.from(printJson(value as Json, 0), "utf8");
