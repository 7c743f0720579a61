import { isJsonConverter } from "../../../core/facts/connector/plugins.ts";
import { isObject, type Json, parseJson, printJson } from "../../../core/values/json.ts";
import type { SandboxBroker } from "../kafka/broker.ts";
import type { OracleWorld } from "../oracle/world.ts";
import type { TaskedConnector } from "./task.ts";

/** `silent`: signals are not read. `rejecting`: each is rejected. */
export type SignalManner = "answering" | "silent" | "rejecting";

export interface SignalSeen {
  /** The tables to snapshot now; none unless the signal was accepted. */
  readonly tables: readonly string[];
  /** Offset in the signals topic from which the next one is read. */
  readonly next: bigint;
}

export interface Signals {
  /** Reads the signals to this connector since `from`, and answers each on the ops topic. */
  take(from: bigint): readonly SignalSeen[];
}

interface Answer {
  readonly id: string;
  readonly type: string;
  readonly outcome: "ok" | "rejected" | "unknown" | "invalid";
  readonly message: string;
  readonly tables: readonly string[];
}

/**
 * The signals topic as the connector's task reads it: its records keyed by the connector's name, from partition 0,
 * because the stored `signal_offset` is one number (reference: wire formats, "Signals topic" and "Ops topic").
 */
export function signalsOf(
  { name, config }: TaskedConnector,
  { broker, oracle, manner }: { readonly broker: SandboxBroker; readonly oracle: OracleWorld; manner(): SignalManner },
): Signals {
  const prefix = config["cdc.topic.prefix"] ?? "";
  const topic = (name: string) =>
    config[`cdc.${name}.topic`]?.replaceAll(/\$\{prefix\}/g, () => prefix) ?? `${prefix}.cdc.${name}`;
  const [signals, ops] = [topic("signals"), topic("ops")];
  let come: Awaited<ReturnType<SandboxBroker["records"]>> = [];
  return {
    take(from) {
      if (manner() === "silent") return [];
      // Reading is asynchronous and a commit is not: new signals are available at the next commit.
      void broker.records(signals).then((records) => {
        come = records;
      });
      const mine = come.filter(
        ({ partition, offset, key }) =>
          partition === 0 && offset >= from && key !== null && Buffer.from(key).toString("utf8") === name,
      );
      return mine.map(({ offset, value }) => {
        const next = offset + 1n;
        const answer = answerTo(value, manner(), (table) => isCaptured(table, config, oracle));
        if (broker.state.topics.has(ops)) broker.append(ops, acknowledgement(answer, prefix, config));
        return { tables: answer.tables, next };
      });
    },
  };
}

function answerTo(value: Uint8Array | null, manner: SignalManner, captured: (table: string) => boolean): Answer {
  const signal = objectOf(value);
  const id = text(signal?.["id"]);
  const type = text(signal?.["type"]);
  const outcomeOf = (outcome: Answer["outcome"], message: string): Answer => ({
    id,
    type,
    outcome,
    message,
    tables: [],
  });
  if (signal === undefined) return outcomeOf("invalid", "the signal is no JSON object");
  if (id === "") return outcomeOf("invalid", "the signal has no id");
  if (type !== "snapshot") return outcomeOf("unknown", `there is no signal of type "${type}"`);
  const data = signal["data"];
  const tables =
    isObject(data) && Array.isArray(data["tables"]) ? data["tables"].map((table: Json) => text(table)) : [];
  if (tables.length === 0) return outcomeOf("invalid", "data.tables names no table");
  const others = tables.filter((table) => !captured(table));
  if (others.length > 0) return outcomeOf("rejected", `not captured: ${others.join(", ")}`);
  if (manner === "rejecting")
    return outcomeOf("rejected", "a snapshot is running already; send the signal again after it");
  return { ...outcomeOf("ok", `snapshot of ${tables.join(", ")} begun`), tables };
}

/** A simple check: patterns are matched as in JavaScript. */
function isCaptured(table: string, config: Readonly<Record<string, string>>, { tables }: OracleWorld): boolean {
  const matches = (setting: string): boolean =>
    (config[setting] ?? "")
      .split(",")
      .map((pattern) => pattern.trim())
      .some((pattern) => pattern !== "" && new RegExp(`^(?:${pattern})$`, "i").test(table));
  return (
    tables.some(({ pdb, owner, name }) => [...(pdb === null ? [] : [pdb]), owner, name].join(".") === table) &&
    matches("cdc.tables.include") &&
    !matches("cdc.tables.exclude")
  );
}

/** A `signal-ack` event as the connector's converter writes it. */
function acknowledgement(
  { id, type, outcome, message }: Answer,
  server: string,
  config: Readonly<Record<string, string>>,
): { readonly key: Uint8Array; readonly value: Uint8Array } {
  const details = { ...(id === "" ? {} : { id }), ...(type === "" ? {} : { type }), outcome, message };
  const event = { v: 1, type: "signal-ack", ts_ms: Date.now(), server, resume_scn: null, details };
  const converter = config["value.converter"];
  const json = converter !== undefined && isJsonConverter(converter);
  const enveloped = json && config["value.converter.schemas.enable"] !== "false";
  const written = (schema: object, payload: object) =>
    Buffer.from(printJson(enveloped ? { schema, payload } : payload, 0), "utf8");
  const record = { key: written(KEY_SCHEMA, { server }), value: written(EVENT_SCHEMA, event) };
  // Converters with a schema registry write a zero byte and a number first, so the record is not JSON.
  return converter === undefined || json ? record : { key: registered(record.key), value: registered(record.value) };
}

const registered = (bytes: Buffer): Buffer => Buffer.concat([Buffer.from([0, 0, 0, 0, 1]), bytes]);

const field = (name: string, type: string, optional = false) => ({ field: name, type, optional });
const KEY_SCHEMA = {
  type: "struct",
  fields: [field("server", "string")],
  optional: false,
  name: "io.oso.cdc.ops.Key",
  version: 1,
};
const EVENT_SCHEMA = {
  type: "struct",
  fields: [
    field("v", "int32"),
    field("type", "string"),
    field("ts_ms", "int64"),
    field("server", "string"),
    field("resume_scn", "int64", true),
    {
      ...field("details", "map", true),
      keys: { type: "string", optional: false },
      values: { type: "string", optional: false },
    },
  ],
  optional: false,
  name: "io.oso.cdc.ops.Event",
  version: 1,
};

function objectOf(value: Uint8Array | null): { readonly [name: string]: Json } | undefined {
  try {
    const json = parseJson(Buffer.from(value ?? []).toString("utf8"));
    return isObject(json) ? json : undefined;
  } catch {
    return undefined;
  }
}

const text = (json: Json | undefined): string => (typeof json === "string" ? json : "");
