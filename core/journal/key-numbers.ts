import { type ChunkKey, type KeyRead, readKey } from "./chunk-record.ts";
import { NotJson } from "./json-members.ts";
import type { RecordMembers } from "./read-journal.ts";
import { type RecordShape, recordShapes } from "./record-shape.ts";

/**
 * A chunk's key as numbers that a double holds exactly, the same for every notation of the key: container, undo
 * segment, slot, sequence, chunk, and the two halves of the generation. Keys are compared without creating objects per
 * record.
 */
export type KeyNumbers = Float64Array;

const [CONTAINER, USN, SLOT, SQN, CHUNK, GENERATION] = [0, 1, 2, 3, 4, 5] as const;
export const KEY_NUMBERS = 7;
const HALF = 2 ** 32;

export function keyOf(numbers: KeyNumbers): ChunkKey {
  const number = (at: number): number => numbers[at] as number;
  return {
    xid: {
      container: BigInt(number(CONTAINER)),
      usn: BigInt(number(USN)),
      slot: BigInt(number(SLOT)),
      sqn: BigInt(number(SQN)),
    },
    chunk: number(CHUNK),
    generation: (BigInt(number(GENERATION)) << 32n) | BigInt(number(GENERATION + 1)),
  };
}

interface KeyReader {
  /**
   * Reads the key at this place: by its shape if that is known, otherwise member by member.
   *
   * @param start -1 if there is none
   * @returns its connector. `numbers` has the key if it is this connector's, until the next one is read.
   * @throws NotJson for a key that the task cannot read
   */
  read(bytes: Uint8Array, start: number, end: number): KeyRead["of"];
  readonly numbers: KeyNumbers;
}

/** @param server the connector's `cdc.topic.prefix` */
export function keyReader(server: string, members: (bytes: Uint8Array) => RecordMembers): KeyReader {
  const name = new TextEncoder().encode(server);
  const numbers = new Float64Array(KEY_NUMBERS);
  const shapes = recordShapes(Object.keys(MEMBER));
  let seen: RecordMembers | undefined;
  const noting = (bytes: Uint8Array): RecordMembers => {
    seen = members(bytes);
    return seen;
  };
  const slowly = (key: Uint8Array | null, isOfKnownShape: boolean): KeyRead["of"] => {
    const read = readKey(key, noting, server);
    if (read.of !== "own") return read.of;
    // Only of this connector's keys is every member read, and so known to be what the shape assumes.
    if (key !== null && seen !== undefined && !isOfKnownShape) shapes.learn(key, seen);
    setNumbers(numbers, read.key);
    return "own";
  };
  return {
    numbers,
    read(bytes, start, end) {
      if (start < 0) return slowly(null, false);
      const shape = shapes.of(bytes, start, end);
      if (shape === undefined) return slowly(bytes.subarray(start, end), false);
      if (!isText(bytes, shape, MEMBER.server, name)) return "other";
      if (!readXid(bytes, startOf(shape, MEMBER.xid), endOf(shape, MEMBER.xid), numbers))
        return slowly(bytes.subarray(start, end), true);
      numbers[CONTAINER] = integerIn(bytes, shape, MEMBER.con_id);
      numbers[CHUNK] = integerIn(bytes, shape, MEMBER.chunk);
      const generation = integerIn(bytes, shape, MEMBER.generation);
      numbers[GENERATION] = Math.floor(generation / HALF);
      numbers[GENERATION + 1] = generation % HALF;
      return "own";
    },
  };
}

function setNumbers(numbers: KeyNumbers, { xid, chunk, generation }: ChunkKey): void {
  const { container, usn, slot, sqn } = xid;
  if (container === undefined) throw new NotJson("a key without a container");
  numbers.set([container, usn, slot, sqn].map(Number));
  numbers[CHUNK] = chunk;
  numbers[GENERATION] = Number(generation >> 32n);
  numbers[GENERATION + 1] = Number(BigInt.asUintN(32, generation));
}

/** Members of a key, with the index of each in `RecordShape.wanted`. */
const MEMBER = { server: 0, con_id: 1, xid: 2, chunk: 3, generation: 4 } as const;

function startOf({ starts, wanted }: RecordShape, member: number): number {
  return starts[wanted[member] as number] as number;
}

/** Exclusive. */
function endOf({ ends, wanted }: RecordShape, member: number): number {
  return ends[wanted[member] as number] as number;
}

function isText(bytes: Uint8Array, shape: RecordShape, member: number, text: Uint8Array): boolean {
  const start = startOf(shape, member);
  if (endOf(shape, member) - start !== text.length) return false;
  for (let at = 0; at < text.length; at++) if (bytes[start + at] !== text[at]) return false;
  return true;
}

const DOT = 0x2e;
const ZERO = 0x30;

/** The shape ensures that there are no more digits than a double holds. */
function integerIn(bytes: Uint8Array, shape: RecordShape, member: number): number {
  const end = endOf(shape, member);
  let number = 0;
  for (let at = startOf(shape, member); at < end; at++) number = 10 * number + (bytes[at] as number) - ZERO;
  return number;
}

const MOST_DIGITS = 10;

/**
 * `USN.SLOT.SQN`, each with at most the digits of a number of an id. @returns false for anything else, including blanks
 * at its ends
 */
function readXid(bytes: Uint8Array, start: number, end: number, into: KeyNumbers): boolean {
  let part: number = USN;
  let begin = start;
  let number = 0;
  for (let position = start; position <= end; position++) {
    const byte = position === end ? DOT : (bytes[position] as number);
    if (byte === DOT) {
      if (position === begin || position - begin > MOST_DIGITS || part > SQN) return false;
      into[part] = number;
      part += 1;
      begin = position + 1;
      number = 0;
    } else {
      if (byte < ZERO || byte > ZERO + 9) return false;
      number = 10 * number + byte - ZERO;
    }
  }
  return part === SQN + 1;
}
