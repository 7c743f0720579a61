import type { KafkaRecord, RecordsInPlace } from "../kafka.ts";

export type RecordParts = Omit<KafkaRecord, "timestamp" | "stampedBy">;

const encoder = new TextEncoder();
/** Follows every key and value: a reader that does not stop at the end would go on with these. */
const AFTER = encoder.encode('0"}]},');

/** Records of one partition as a batch that has arrived, somewhere among other bytes. */
export function inPlace(records: readonly RecordParts[]): RecordsInPlace {
  const parts: Uint8Array[] = [];
  let size = 0;
  const put = (part: Uint8Array): number => {
    parts.push(part);
    size += part.length;
    return size - part.length;
  };
  put(AFTER);
  const places = records.map(({ key, value, headers }) => {
    const [keyStart, keyEnd] = [key === null ? -1 : put(key), size];
    put(AFTER);
    const [valueStart, valueEnd] = [value === null ? -1 : put(value), size];
    put(AFTER);
    return { keyStart, keyEnd, valueStart, valueEnd, headerStart: put(headersOf(headers)) };
  });
  put(AFTER);
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  const [baseOffset, partition] = [records[0]?.offset ?? 0n, records[0]?.partition ?? 0];
  return {
    partition,
    bytes,
    count: records.length,
    baseOffset,
    offsetDeltas: Int32Array.from(records, ({ offset }) => Number(offset - baseOffset)),
    keyStarts: Int32Array.from(places, ({ keyStart }) => keyStart),
    keyEnds: Int32Array.from(places, ({ keyEnd }) => keyEnd),
    valueStarts: Int32Array.from(places, ({ valueStart }) => valueStart),
    valueEnds: Int32Array.from(places, ({ valueEnd }) => valueEnd),
    headerStarts: Int32Array.from(places, ({ headerStart }) => headerStart),
  };
}

/** The headers as a record batch holds them: their number, then the length and bytes of each name and value. */
function headersOf(headers: KafkaRecord["headers"]): Uint8Array {
  const all = Object.entries(headers);
  const bytes = [...varint(all.length)];
  for (const [name, value] of all) {
    const named = encoder.encode(name);
    bytes.push(...varint(named.length), ...named, ...varint(value.length), ...value);
  }
  return Uint8Array.from(bytes);
}

/** Zig-zag encoding of a number that is not negative. */
function varint(value: number): readonly number[] {
  const bytes: number[] = [];
  let rest = value * 2;
  for (; rest > 0x7f; rest >>>= 7) bytes.push((rest & 0x7f) | 0x80);
  return [...bytes, rest];
}
