import { base64Bytes, isBase64 } from "../values/base64.ts";
import type { Scn } from "../values/scn.ts";
import { truncate } from "../values/truncate.ts";
import { parseXid, type Xid } from "../values/xid.ts";
import { type JsonSpan, NotJson, shortInteger, textOf } from "./json-members.ts";
import type { RecordMembers } from "./read-journal.ts";

/** Place of a redo record: its SCN and, if known, its redo byte address. */
export interface RedoPlace {
  readonly scn: Scn;
  /** Such as `0x00002a.00000f1c.0010`; undefined for none. */
  readonly rsId: string | undefined;
  readonly ssn: bigint;
}

/**
 * Whether one redo record was written before another: by address if both have one, because SCNs can arrive out of order
 * within a log; otherwise by SCN, which also decides between equal addresses. A place is not before itself.
 *
 * Rule: reference: wire formats, "Transaction journal", "Before"; connector rules, "Journal and generations".
 */
export function isBefore(one: RedoPlace, other: RedoPlace): boolean {
  const [a, b] = [addressOf(one), addressOf(other)];
  if (a === undefined || b === undefined) return one.scn < other.scn;
  if (a !== b) return a < b;
  return one.ssn === other.ssn ? one.scn < other.scn : one.ssn < other.ssn;
}

/** Undefined for none: nothing, blank, or all zeros (`0x000000.00000000.0000`). */
function addressOf({ rsId }: RedoPlace): string | undefined {
  return rsId !== undefined && /[1-9a-f]/i.test(rsId) ? rsId.trim() : undefined;
}

/** Identifies a record's transaction and chunk, and the task start that wrote it. */
export interface ChunkKey {
  /** The id with its container. */
  readonly xid: Xid;
  readonly chunk: number;
  readonly generation: bigint;
}

export interface ChunkHeader {
  /** The first and the last redo record in it. */
  readonly first: RedoPlace;
  readonly last: RedoPlace;
  /** The SCN of the transaction's first captured redo record. */
  readonly firstCapturedScn: Scn;
  /** The SCN of the transaction's beginning; 0 if that was not mined. */
  readonly startScn: Scn;
  readonly changes: number;
  readonly undos: number;
  readonly user: string | undefined;
  readonly clientId: string | undefined;
  /** Bytes, as base64. */
  readonly payloadSize: number;
}

/** Reads the members as `recordMembers` gives them, or a shape. */
export type ReadMembers = (bytes: Uint8Array) => Pick<RecordMembers, "get">;

/**
 * The connector of a key: `nameless` keys are JSON objects without a server, which the task takes for another
 * connector's.
 */
export type KeyRead = { readonly of: "own"; readonly key: ChunkKey } | { readonly of: "other" | "none" };

/**
 * @param server the connector's `cdc.topic.prefix`
 * @throws NotJson for a key that the task cannot read
 */
export function readKey(bytes: Uint8Array | null, read: ReadMembers, server: string): KeyRead {
  if (bytes === null) throw new NotJson("there is none");
  const members = read(bytes);
  const named = members.get("server");
  if (named === undefined || named.kind === "null") return { of: "none" };
  if (textOf(bytes, named) !== server) return { of: "other" };
  const name = text(bytes, members, "xid") ?? "null";
  const xid = parseXid(name);
  // The task reads the text unchanged: one with blanks at its ends stops it (CDC-4002).
  if (xid === undefined || xid.container !== undefined || name !== name.trim())
    throw new NotJson(`xid ${truncate(name, 60)} is not USN.SLOT.SQN`);
  return {
    of: "own",
    key: {
      xid: { ...xid, container: BigInt(small(bytes, members, "con_id")) },
      chunk: small(bytes, members, "chunk"),
      generation: long(bytes, members, "generation"),
    },
  };
}

/** @throws NotJson for a value that the task cannot read; of the payload only the base64 is checked */
export function readHeader(bytes: Uint8Array, read: ReadMembers): ChunkHeader {
  const members = read(bytes);
  for (const name of ["v", "thread"]) small(bytes, members, name);
  return {
    first: place(bytes, members, FIRST),
    last: place(bytes, members, LAST),
    firstCapturedScn: place(bytes, members, FIRST_CAPTURED).scn,
    startScn: isAbsent(members.get("start_scn")) ? 0n : place(bytes, members, START).scn,
    changes: small(bytes, members, "events"),
    undos: small(bytes, members, "undos"),
    user: shown(text(bytes, members, "username")),
    clientId: shown(text(bytes, members, "client_id")),
    payloadSize: payloadOf(bytes, members).length,
  };
}

/** @throws NotJson for an invalid one */
export function readPayload(bytes: Uint8Array, read: ReadMembers): Uint8Array {
  return base64Bytes(payloadOf(bytes, read(bytes)));
}

type Members = ReturnType<ReadMembers>;

const encoder = new TextEncoder();

function payloadOf(bytes: Uint8Array, members: Members): Uint8Array {
  const span = members.get("payload");
  if (span?.kind === "base64") return bytes.subarray(span.start, span.end);
  if (span?.kind !== "text" && span?.kind !== "escaped") throw new NotJson(wrong("payload", span, "base64"));
  // A slash may be written as `\/`.
  const payload = span.kind === "text" ? bytes.subarray(span.start, span.end) : encoder.encode(textOf(bytes, span));
  if (!isBase64(payload)) throw new NotJson("payload is not base64");
  return payload;
}

/** Names of the members of a place, built once: looking up a new string takes several times as long. */
const [FIRST, LAST, FIRST_CAPTURED, START] = (["first", "last", "first_captured", "start"] as const).map((name) => ({
  scn: `${name}_scn`,
  rsId: `${name}_rs_id`,
  ssn: `${name}_ssn`,
})) as [PlaceNames, PlaceNames, PlaceNames, PlaceNames];

type PlaceNames = Readonly<Record<keyof RedoPlace, string>>;

function place(bytes: Uint8Array, members: Members, names: PlaceNames): RedoPlace {
  return {
    scn: long(bytes, members, names.scn),
    rsId: text(bytes, members, names.rsId),
    ssn: long(bytes, members, names.ssn),
  };
}

function long(bytes: Uint8Array, members: Members, name: string): bigint {
  const span = members.get(name);
  if (span?.kind !== "integer") throw new NotJson(wrong(name, span, "an integer"));
  const short = shortInteger(bytes, span);
  if (short !== undefined) return BigInt(short);
  const number = span.end - span.start > 20 ? undefined : BigInt(textOf(bytes, span));
  if (number === undefined || BigInt.asIntN(64, number) !== number) throw new NotJson(`${name} has more than 64 bits`);
  return number;
}

function small(bytes: Uint8Array, members: Members, name: string): number {
  const span = members.get(name);
  if (span?.kind !== "integer") throw new NotJson(wrong(name, span, "an integer"));
  const short = shortInteger(bytes, span);
  if (short === undefined || (short | 0) !== short) throw new NotJson(`${name} has more than 32 bits`);
  return short;
}

function text(bytes: Uint8Array, members: Members, name: string): string | undefined {
  const span = members.get(name);
  if (isAbsent(span)) return undefined;
  if (span.kind === "object" || span.kind === "list") throw new NotJson(wrong(name, span, "text"));
  return textOf(bytes, span);
}

function isAbsent(span: JsonSpan | undefined): span is undefined {
  return span === undefined || span.kind === "null";
}

function shown(name: string | undefined): string | undefined {
  return name === "" ? undefined : name;
}

const FOUND: Readonly<Record<string, string>> = { missing: "missing", escaped: "a text", null: "null" };

function wrong(name: string, span: JsonSpan | undefined, wanted: string): string {
  const kind = span?.kind ?? "missing";
  return `${name} is ${FOUND[kind] ?? `of kind ${kind}`}, not ${wanted}`;
}
