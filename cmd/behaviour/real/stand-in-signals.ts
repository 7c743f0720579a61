import { isObject, type Json, parseJson, printJson } from "../../../core/values/json.ts";
import type { TaskedConnector } from "../../../providers/sandbox/connect/task.ts";
import type { SandboxBroker } from "../../../providers/sandbox/kafka/broker.ts";

/** The stand-in's answer to one signal. */
interface SignalAnswer {
  readonly id: string;
  readonly type: string;
  readonly outcome: string;
  readonly message: string;
  /** Which are snapshotted now; none unless the signal was taken. */
  readonly tables: readonly string[];
}

export interface StandInSignals {
  /** The records that have come after an offset, with the answer to those that are for it. */
  handle(after: bigint): readonly { readonly offset: bigint; readonly answer?: SignalAnswer }[];
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
    handle(after) {
      // New records are seen at the next read.
      if (broker.state.topics.has(signals))
        void broker.records(signals).then((records) => {
          seen = records;
        });
      return seen
        .filter(({ offset }) => offset > after)
        .map(({ offset, key, value }) => {
          const mine = key !== null && [name, prefix].includes(Buffer.from(key).toString("utf8"));
          return { offset, ...(mine ? { answer: answerTo(value, outcome) } : {}) };
        });
    },
    deliver({ id, type, outcome: result, message }) {
      const details = Object.fromEntries(
        Object.entries({ id, type, outcome: result, message }).filter(([, value]) => value !== ""),
      );
      const event = { v: 1, type: "signal-ack", ts_ms: Date.now(), server: prefix, resume_scn: null, details };
      broker.append(ops, { key: bytes({ server: prefix }), value: bytes(event) });
    },
  };
}

function answerTo(value: Uint8Array | null, outcome: string): SignalAnswer {
  const signal = parsed(value);
  const id = text(signal?.["id"]);
  const type = text(signal?.["type"]);
  const answer = (result: string, message: string, tables: readonly string[] = []) => ({
    ...{ id, type, outcome: result, message, tables },
  });
  if (type === "") return { ...answer("invalid", "the signal is not a JSON object with a type"), id: "" };
  if (type !== "snapshot") return answer("unknown", `unknown signal type ${type}`);
  if (outcome !== "ok") return answer(outcome, `the stand-in was told to say ${outcome}`);
  const data = signal?.["data"];
  const tables = isObject(data) && Array.isArray(data["tables"]) ? (data["tables"] as readonly Json[]).map(text) : [];
  return tables.length === 0 ? answer("rejected", "none of [] is a captured table") : answer("ok", "", tables);
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
