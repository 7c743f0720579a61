import { isObject, type Json, parseJson, printJson } from "../../values/json.ts";

/**
 * A snapshot signal, as the connector reads it (specification, "Snapshot signal"; reference: wire formats, "Signals
 * topic").
 */
interface SnapshotSignal {
  readonly id: string;
  readonly tables: readonly string[];
}

/** The connector's answer to a signal. `unknown`: a kind of signal that it does not know. */
export interface SignalAck {
  readonly id: string;
  readonly outcome: "ok" | "rejected" | "unknown" | "invalid" | "failed" | (string & {});
  readonly message: string;
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

/** The key of every signal to a connector: its name, plain text. */
export function signalKey(connector: string): Uint8Array {
  return new TextEncoder().encode(connector);
}

/** @returns key and value (plain JSON) of the record */
export function encodeSignal(
  { id, tables }: SnapshotSignal,
  connector: string,
): { readonly key: Uint8Array; readonly value: Uint8Array } {
  return {
    key: signalKey(connector),
    value: new TextEncoder().encode(printJson({ id, type: "snapshot", data: { tables } }, 0)),
  };
}

/** The id of a signal; undefined for any other record. */
export function signalIdOf(value: Uint8Array | null): string | undefined {
  const record = objectOf(value);
  return typeof record?.["id"] === "string" ? record["id"] : undefined;
}

/**
 * Reads a `signal-ack` event of the ops topic, with or without the schema envelope; undefined for any other record.
 *
 * @param redact removes secrets from the connector's text, which may contain its configuration
 */
export function decodeSignalAck(value: Uint8Array | null, redact: (text: string) => string): SignalAck | undefined {
  const record = objectOf(value);
  const event = record !== undefined && "schema" in record && isObject(record["payload"]) ? record["payload"] : record;
  if (event === undefined || event["type"] !== "signal-ack" || !isObject(event["details"])) return undefined;
  const { id, outcome, message } = event["details"];
  if (typeof id !== "string" || typeof outcome !== "string") return undefined;
  return { id, outcome: redact(outcome), message: typeof message === "string" ? redact(message) : "" };
}

function objectOf(value: Uint8Array | null): { readonly [name: string]: Json } | undefined {
  if (value === null) return undefined;
  try {
    const parsed = parseJson(new TextDecoder("utf-8", { fatal: true }).decode(value));
    return isObject(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}
