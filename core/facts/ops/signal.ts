import type { SignalAck, SignalSeen } from "../../../schemas/generated/facts.ts";
import { isObject, type Json, type JsonObject, jsonObjectIn, printJson } from "../../values/json.ts";
import { eventOf } from "./ops-event.ts";

/**
 * A snapshot signal, as the connector reads it (specification, "Snapshot signal"; reference: wire formats, "Signals
 * topic").
 */
interface SnapshotSignal {
  readonly id: string;
  readonly tables: readonly string[];
}

/**
 * Whether the snapshot of every table has started: `ok` with this message is partial.
 *
 * Rule: reference: connector rules, "Signals and snapshots".
 */
export function isAccepted({ outcome, message }: SignalAck): boolean {
  return outcome === "ok" && !message.trimStart().startsWith("not captured, skipped");
}

/**
 * Creates a signal's id. @param random returns numbers from 0 to 1 @returns `srcdb-cdc-admin-` and a random UUID
 * (version 4)
 */
export function signalId(random: () => number): string {
  const hex = Array.from({ length: 32 }, (_, at) => {
    const digit = Math.min(15, Math.floor(random() * 16));
    return (at === 12 ? 4 : at === 16 ? 8 + (digit % 4) : digit).toString(16);
  }).join("");
  const groups = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)];
  return `srcdb-cdc-admin-${groups.join("-")}`;
}

/** The only partition of the signals topic that a task reads. */
export const READ_PARTITION = 0;

/** @returns key and value (plain JSON) of the record */
export function encodeSignal({ id, tables }: SnapshotSignal, connector: string): SignalRecord {
  return record({ id, type: "snapshot", data: { tables } }, connector);
}

/** The signal that ends the running snapshot: its unread chunks are never read. */
export function encodeStop(id: string, connector: string): SignalRecord {
  return record({ id, type: "snapshot-stop" }, connector);
}

interface SignalRecord {
  readonly key: Uint8Array;
  readonly value: Uint8Array;
  readonly partition: number;
}

/** The key of every signal to a connector is its name, plain text. */
function record(signal: JsonObject, connector: string): SignalRecord {
  const encoder = new TextEncoder();
  return { key: encoder.encode(connector), value: encoder.encode(printJson(signal, 0)), partition: READ_PARTITION };
}

/** The id of a signal; undefined for any other record. */
export function signalIdOf(value: Uint8Array | null): string | undefined {
  const { id } = objectOf(value);
  return typeof id === "string" ? id : undefined;
}

/**
 * Reads a record of the signals topic as the task does: by the connector's name or its topic prefix. Undefined for any
 * other key.
 *
 * Rule: reference: connector rules, "Signals and snapshots".
 */
export function signalSeen(
  {
    key,
    value,
    offset,
  }: { readonly key: Uint8Array | null; readonly value: Uint8Array | null; readonly offset: bigint },
  keys: readonly string[],
): SignalSeen | undefined {
  if (key === null || !keys.includes(new TextDecoder().decode(key))) return undefined;
  const { id, type, data } = objectOf(value);
  const tables = isObject(data) && Array.isArray(data["tables"]) ? data["tables"] : [];
  return { offset, id: text(id), type: text(type), tables: tables.map(text) };
}

/**
 * Reads a `signal-ack` event of the ops topic, with or without the schema envelope; undefined for any other record.
 *
 * @param redact removes secrets from the connector's text, which may contain its configuration
 */
export function decodeSignalAck(value: Uint8Array | null, redact: (text: string) => string): SignalAck | undefined {
  const { id, outcome, message } = eventOf("signal-ack", value)?.details ?? {};
  if (typeof id !== "string" || typeof outcome !== "string") return undefined;
  return { id, outcome: redact(outcome), message: redact(text(message)) };
}

/** The end of a snapshot: of one table, or of all (`*`). */
export interface SnapshotEnd {
  readonly table: string;
  /** Why the table was not read; `""`: it was. */
  readonly skipped: string;
  /** A signal has ended the snapshot. */
  readonly stopped: boolean;
}

/** Reads a `snapshot-complete` event of the ops topic, as `decodeSignalAck`. */
export function decodeSnapshotEnd(value: Uint8Array | null, redact: (text: string) => string): SnapshotEnd | undefined {
  const { table, skipped, stopped } = eventOf("snapshot-complete", value)?.details ?? {};
  if (typeof table !== "string") return undefined;
  return { table, skipped: redact(text(skipped)), stopped: stopped === "true" };
}

const text = (value: Json | undefined): string => (typeof value === "string" ? value : "");

function objectOf(value: Uint8Array | null): JsonObject {
  return (value === null ? undefined : jsonObjectIn(value)) ?? {};
}
