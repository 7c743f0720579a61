import { isObject, type Json, parseJson } from "../../../../core/values/json.ts";
import type { SandboxBroker } from "../../kafka/broker.ts";
import type { TaskedConnector } from "../task.ts";
import { internalTopic, readsBrokers } from "./internal-topics.ts";
import type { OpsEvent } from "./ops-events.ts";

/** `silent`: signals are not read. `rejecting`: snapshots are rejected, as if one were running. */
export type SignalManner = "answering" | "silent" | "rejecting";

export interface Signals {
  /** Handles what has arrived since the last time, in order. @returns the offset of the last record handled, if any */
  handle(): bigint | undefined;
}

/** What signals act on. */
export interface SignalTarget {
  readonly snapshots: {
    readonly running: boolean;
    begin(tables: readonly string[], where: string | undefined): void;
    pause(paused: boolean): void;
    stop(): void;
  };
  /** Names of the captured tables. */
  captured(): readonly string[];
  /** Resolves the patterns of tables again. */
  refreshTables(): void;
  /** The details of `log-state`. */
  state(): Readonly<Record<string, string>>;
  answer(details: OpsEvent["details"]): void;
}

interface Signal {
  readonly id: string | undefined;
  readonly type: string;
  readonly tables: readonly string[];
  readonly predicate: string | undefined;
}

/**
 * Reads the signals topic as the task does: partition 0, after the last handled record.
 *
 * Rule: reference, connector rules, "Signals and snapshots".
 *
 * @param last offset of the last handled record; undefined: from the beginning
 */
export function signalsOf(
  { name, config }: TaskedConnector,
  broker: SandboxBroker,
  last: bigint | undefined,
  manner: () => SignalManner,
  target: SignalTarget,
): Signals {
  const prefix = config["cdc.topic.prefix"] ?? "";
  const topic = internalTopic(config, "signals");
  const isOurs = (key: Uint8Array | null): boolean => {
    const text = key === null ? undefined : Buffer.from(key).toString("utf8");
    return text === name || text === prefix;
  };
  const reads = readsBrokers(config) && config["cdc.snapshot.mode"] !== "snapshot_only";
  let handled = last;
  return {
    handle() {
      if (!reads || manner() === "silent") return undefined;
      const records = broker.committed(topic).filter(({ offset }) => handled === undefined || offset > handled);
      for (const { offset, key, value } of records) {
        handled = offset;
        if (isOurs(key)) target.answer(answerTo(value, target, manner()));
      }
      return records.at(-1)?.offset;
    },
  };
}

type Details = OpsEvent["details"];

function answerTo(value: Uint8Array | null, target: SignalTarget, manner: SignalManner): Details {
  const signal = parse(value);
  if (typeof signal === "string") return { outcome: "invalid", message: signal };
  const { id, type } = signal;
  return { id, type, ...outcomeOf(signal, target, manner) };
}

function outcomeOf(signal: Signal, target: SignalTarget, manner: SignalManner): Details {
  const { snapshots } = target;
  switch (signal.type) {
    case "snapshot":
      // One that is pending begins only with the next poll (source: `signalSnapshot`).
      return snapshots.running || manner === "rejecting"
        ? { outcome: "rejected", message: "a snapshot is running" }
        : begin(signal, target);
    case "snapshot-pause":
    case "snapshot-resume":
    case "snapshot-stop":
      if (!snapshots.running) return { outcome: "rejected", message: "no snapshot is running" };
      if (signal.type === "snapshot-stop") snapshots.stop();
      else snapshots.pause(signal.type === "snapshot-pause");
      return { outcome: "ok" };
    case "refresh-tables":
      target.refreshTables();
      return { outcome: "ok" };
    case "log-state":
      return { outcome: "ok", ...target.state() };
    default:
      return { outcome: "unknown", message: `unknown signal type ${signal.type}` };
  }
}

function begin({ tables, predicate }: Signal, { captured, snapshots }: SignalTarget): Details {
  const known = captured();
  const matches = tables.map((table) => ({
    table,
    match: known.find((name) => name.toUpperCase() === table.trim().toUpperCase()),
  }));
  const found = matches.flatMap(({ match }) => (match === undefined ? [] : [match]));
  const others = matches.filter(({ match }) => match === undefined).map(({ table }) => table);
  if (found.length === 0) return { outcome: "rejected", message: `none of [${tables.join(", ")}] is a captured table` };
  snapshots.begin([...new Set(found)], predicate);
  return { outcome: "ok", message: others.length === 0 ? undefined : `not captured, skipped: [${others.join(", ")}]` };
}

/** @returns why it is not a signal, as the answer says it */
function parse(value: Uint8Array | null): Signal | string {
  let record: Json;
  try {
    record = value === null ? null : parseJson(Buffer.from(value).toString("utf8"));
  } catch (error) {
    return `not JSON: ${error instanceof Error ? error.message : String(error)}`;
  }
  if (!isObject(record) || typeof record["type"] !== "string") return 'a signal is a JSON object with a "type"';
  const data = isObject(record["data"]) ? record["data"] : {};
  const { tables, predicate } = data;
  return {
    id: record["id"] === undefined ? undefined : String(record["id"]),
    type: record["type"],
    tables: Array.isArray(tables) ? tables.map(String) : [],
    predicate: typeof predicate === "string" && predicate.trim() !== "" ? predicate : undefined,
  };
}
