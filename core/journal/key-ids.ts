import { parseXid, printXid } from "../values/xid.ts";
import { type ChunkKey, type KeyRead, type ReadMembers, readKey } from "./chunk-record.ts";
import type { RecordMembers } from "./record-members.ts";
import { type RecordShape, recordShapes } from "./record-shape.ts";

/** A key's own text, the same for every way to write the key: `3:4.9.771/0/7`. */
export type KeyId = string;

export function idOf({ xid, chunk, generation }: ChunkKey): KeyId {
  return `${printXid(xid)}/${chunk}/${generation}`;
}

export function keyOf(id: KeyId): ChunkKey {
  const [name = "", chunk = "", generation = ""] = id.split("/");
  const xid = parseXid(name);
  if (xid === undefined) throw new Error(`${id} is not the id of a key`);
  return { xid, chunk: Number(chunk), generation: BigInt(generation) };
}

export type IdRead = { readonly of: "us"; readonly id: KeyId } | Exclude<KeyRead, { readonly of: "us" }>;

const ANOTHER: IdRead = { of: "another" };

/**
 * Reads one key after the other: by its shape where it has one that is known, member by member where not.
 *
 * @param server the connector's `cdc.topic.prefix`
 * @returns a function that throws NotJson for a key that the task can't read
 */
export function keyIds(server: string, members: ReadMembers): (bytes: Uint8Array | null) => IdRead {
  const name = new TextEncoder().encode(server);
  const shapes = recordShapes();
  const places = new WeakMap<RecordShape, Places>();
  let seen: RecordMembers | undefined;
  const read: ReadMembers = (bytes) => {
    seen = members(bytes);
    return seen;
  };
  return (bytes) => {
    const shape = bytes === null ? undefined : shapes.of(bytes);
    if (bytes !== null && shape !== undefined) {
      const at = places.get(shape) ?? placesIn(shape);
      if (!places.has(shape)) places.set(shape, at);
      if (!standsIn(bytes, shape, at.server, name)) return ANOTHER;
      if (isPlainXid(bytes, shape.starts[at.xid] as number, shape.ends[at.xid] as number)) {
        const text = (place: number) => textBetween(bytes, shape.starts[place] as number, shape.ends[place] as number);
        return { of: "us", id: `${text(at.container)}:${text(at.xid)}/${text(at.chunk)}/${text(at.generation)}` };
      }
    }
    const slowly = readKey(bytes, read, server);
    if (slowly.of !== "us") return slowly;
    // Only of our own keys is every member looked at, and so known to be what the shape takes it for.
    if (bytes !== null && seen !== undefined && shape === undefined) shapes.learn(bytes, seen);
    return { of: "us", id: idOf(slowly.key) };
  };
}

interface Places {
  readonly server: number;
  readonly container: number;
  readonly xid: number;
  readonly chunk: number;
  readonly generation: number;
}

function placesIn({ placeOf }: RecordShape): Places {
  return {
    server: placeOf("server"),
    container: placeOf("con_id"),
    xid: placeOf("xid"),
    chunk: placeOf("chunk"),
    generation: placeOf("generation"),
  };
}

function standsIn(bytes: Uint8Array, { starts, ends }: RecordShape, place: number, text: Uint8Array): boolean {
  const start = starts[place] as number;
  if ((ends[place] as number) - start !== text.length) return false;
  for (let at = 0; at < text.length; at++) if (bytes[start + at] !== text[at]) return false;
  return true;
}

const DOT = 0x2e;
const ZERO = 0x30;

/** `USN.SLOT.SQN` as it is printed: no blanks, no leading zeros, no more digits than a number of it has. */
function isPlainXid(bytes: Uint8Array, start: number, end: number): boolean {
  let [dots, begin] = [0, start];
  for (let at = start; at <= end; at++) {
    const byte = at === end ? DOT : (bytes[at] as number);
    if (byte !== DOT) {
      if (byte < ZERO || byte > ZERO + 9) return false;
      continue;
    }
    const digits = at - begin;
    if (digits === 0 || digits > 10 || (digits > 1 && bytes[begin] === ZERO)) return false;
    dots += 1;
    begin = at + 1;
  }
  return dots === 3;
}

/** ASCII. */
function textBetween(bytes: Uint8Array, start: number, end: number): string {
  let text = "";
  for (let at = start; at < end; at++) text += String.fromCharCode(bytes[at] as number);
  return text;
}
