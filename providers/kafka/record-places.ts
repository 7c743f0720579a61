import type { KafkaRecord, RecordsInPlace } from "../../core/ports/kafka.ts";
import type { RecordBatch } from "./record-batch.ts";
import { WireReader } from "./wire.ts";

/**
 * The positions of a batch's records in its bytes (https://kafka.apache.org/documentation/#record), found without
 * creating an object for each record. Every list has one number for each record.
 */
export interface RecordPlaces extends Omit<RecordsInPlace, "partition" | "baseOffset"> {
  readonly bytes: Buffer;
  readonly times: Int32Array;
}

/** A length, an attribute byte, time, offset, lengths of key and value, number of headers: no record is shorter. */
const SHORTEST = 7;

/** @param bytes decompressed @throws RangeError if that many records do not fit into them */
export function recordPlaces(decompressed: Uint8Array, count: number): RecordPlaces {
  const reader = new WireReader(decompressed);
  if (count < 0 || count * SHORTEST > reader.left) throw new RangeError(`${count} records in ${reader.left} bytes`);
  const list = () => new Int32Array(count);
  const [offsetDeltas, keyStarts, keyEnds, valueStarts, valueEnds] = [list(), list(), list(), list(), list()];
  const [times, headerStarts] = [list(), list()];
  for (let record = 0; record < count; record++) {
    const length = reader.varint();
    const end = reader.at + length;
    reader.pass(1);
    times[record] = reader.at;
    reader.passVarlong();
    offsetDeltas[record] = reader.varint();
    keyStarts[record] = passNullable(reader);
    keyEnds[record] = reader.at;
    valueStarts[record] = passNullable(reader);
    valueEnds[record] = reader.at;
    headerStarts[record] = reader.at;
    for (let left = reader.varint(); left > 0; left--) {
      reader.pass(reader.varint());
      passNullable(reader);
    }
    if (reader.at !== end) throw new RangeError(`a record of another length than ${length}`);
  }
  const { bytes } = reader;
  return { bytes, count, offsetDeltas, keyStarts, keyEnds, valueStarts, valueEnds, times, headerStarts };
}

/** @returns where it begins; -1 for null */
function passNullable(reader: WireReader): number {
  const length = reader.varint();
  return length < 0 ? -1 : reader.pass(length);
}

/** Returns the records whose offset delta is within the bounds. @param to exclusive */
export function placesWithin(places: RecordPlaces, from: bigint, to: bigint): RecordPlaces {
  const { count, offsetDeltas } = places;
  let [first, end] = [0, count];
  while (first < end && BigInt(offsetDeltas[first] as number) < from) first++;
  while (end > first && BigInt(offsetDeltas[end - 1] as number) >= to) end--;
  if (end - first === count) return places;
  const part = (list: Int32Array) => list.subarray(first, end);
  return {
    bytes: places.bytes,
    count: end - first,
    offsetDeltas: part(offsetDeltas),
    keyStarts: part(places.keyStarts),
    keyEnds: part(places.keyEnds),
    valueStarts: part(places.valueStarts),
    valueEnds: part(places.valueEnds),
    times: part(places.times),
    headerStarts: part(places.headerStarts),
  };
}

export function recordObjects(places: RecordPlaces, batch: RecordBatch, partition: number): KafkaRecord[] {
  const { bytes, count, offsetDeltas, keyStarts, keyEnds, valueStarts, valueEnds, times, headerStarts } = places;
  const reader = new WireReader(bytes);
  const part = (start: number, end: number) => (start < 0 ? null : bytes.subarray(start, end));
  return Array.from({ length: count }, (_, at) => ({
    partition,
    offset: batch.baseOffset + BigInt(offsetDeltas[at] as number),
    timestamp: batch.logAppendTime
      ? batch.maxTimestamp
      : batch.baseTimestamp + reader.from(times[at] as number).varlong(),
    stampedBy: batch.logAppendTime ? "broker" : "producer",
    key: part(keyStarts[at] as number, keyEnds[at] as number),
    value: part(valueStarts[at] as number, valueEnds[at] as number),
    headers: readHeaders(reader.from(headerStarts[at] as number)),
  }));
}

const NO_HEADERS: Readonly<Record<string, Uint8Array>> = {};

/** Reads the headers; of several with the same name, the last one is kept. */
function readHeaders(reader: WireReader): Readonly<Record<string, Uint8Array>> {
  const count = reader.varint();
  if (count <= 0) return NO_HEADERS;
  const headers: Record<string, Uint8Array> = {};
  for (let rest = count; rest > 0; rest--) {
    const name = reader.text(reader.varint());
    const length = reader.varint();
    const value = length < 0 ? Buffer.alloc(0) : reader.take(length);
    if (name !== "__proto__") headers[name] = value;
    // An assignment would set the object's prototype instead of a header.
    else Object.defineProperty(headers, name, { value, enumerable: true, configurable: true, writable: true });
  }
  return headers;
}
