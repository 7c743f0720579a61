import type { KafkaPort, KafkaRecord, OffsetRange } from "../../ports/kafka.ts";
import { inPlace } from "../../ports/testing/records-in-place.ts";
import { base64Of } from "../../values/base64.ts";
import { ByteWriter } from "../../values/byte-sink.ts";
import { printJson } from "../../values/json.ts";

/** Records of a transaction journal as the connector writes them, and a topic that contains them. */

export interface KeyParts {
  readonly server?: string;
  readonly con_id?: number;
  readonly xid?: string;
  readonly chunk?: number;
  readonly generation?: number | bigint;
}

export type ValueParts = Readonly<Record<string, unknown>>;

export type FrameParts =
  | { readonly change: Uint8Array }
  | { readonly undo: { readonly scn: bigint; readonly rsId?: string; readonly ssn?: bigint } };

export interface RecordParts {
  readonly key?: KeyParts | string | null;
  /** A whole chunk from SCN 100 to 110; null: a tombstone; text: unchanged. */
  readonly value?: ValueParts | string | null;
  readonly frames?: readonly FrameParts[];
  readonly enveloped?: boolean;
}

export const SERVER = "orders";
const encoder = new TextEncoder();

/** Key and value of one record: chunk 0 of 3:4.9.771, generation 7, unless given. */
export function journalRecord({ key = {}, value = {}, frames, enveloped = false }: RecordParts): {
  readonly key: Uint8Array | null;
  readonly value: Uint8Array | null;
} {
  const wrapped = (name: string, data: unknown) =>
    printJson(enveloped ? { schema: { type: "struct", optional: false, name }, payload: data } : data, 0);
  return {
    key:
      key === null
        ? null
        : encoder.encode(typeof key === "string" ? key : wrapped("io.oso.cdc.txjournal.Key", { ...KEY, ...key })),
    value:
      value === null
        ? null
        : encoder.encode(
            typeof value === "string"
              ? value
              : wrapped("io.oso.cdc.txjournal.Chunk", {
                  ...VALUE,
                  payload: base64Of(payloadOf(frames ?? DEFAULT_FRAMES)),
                  ...value,
                }),
          ),
  };
}

const KEY = { server: SERVER, con_id: 3, xid: "4.9.771", chunk: 0, generation: 7 };
const VALUE = {
  v: 1,
  first_scn: 100,
  first_rs_id: null,
  first_ssn: 0,
  last_scn: 110,
  last_rs_id: null,
  last_ssn: 0,
  events: 2,
  undos: 1,
  first_captured_scn: 100,
  first_captured_rs_id: null,
  first_captured_ssn: 0,
  start_scn: null,
  start_rs_id: null,
  start_ssn: null,
  thread: 1,
  username: "APP",
  client_id: null,
};
const DEFAULT_FRAMES: readonly FrameParts[] = [
  { change: Uint8Array.of(1, 2, 3) },
  { undo: { scn: 105n } },
  { change: Uint8Array.of() },
];

export function payloadOf(frames: readonly FrameParts[]): Uint8Array {
  return joined([
    int32(frames.length),
    ...frames.flatMap((frame) =>
      "change" in frame
        ? [Uint8Array.of(1), int32(frame.change.length), frame.change]
        : [
            Uint8Array.of(2),
            int64(frame.undo.scn),
            text(frame.undo.rsId),
            int64(frame.undo.ssn ?? 0n),
            text("AAAqvfABcAAEXtqAAN"),
          ],
    ),
  ]);
}

/** A change as the connector's buffer writes it: of one table, with the columns before and after it. */
export function changeAt(
  place: { readonly scn: bigint; readonly rsId?: string; readonly ssn?: bigint },
  columns: readonly (readonly [type: number, value: Uint8Array])[] = [],
): Uint8Array {
  return joined([
    ...["ORCLPDB1", "SALES", "ORDERS"].map(text),
    Uint8Array.of(1),
    int32(-1),
    int32(columns.length),
    ...columns.flatMap(([type, value]) => [text("COLUMN"), Uint8Array.of(type), value]),
    Uint8Array.of(0),
    text("AAAqvfABcAAEXtqAAN"),
    Uint8Array.of(1),
    int64(place.scn),
    text(place.rsId),
    int64(place.ssn ?? 0n),
    int32(3),
    int64(4n),
    int64(9n),
    int64(771n),
    Uint8Array.of(1),
    int64(1_795_000_000n),
    int32(0),
  ]);
}

export const int32 = (number: number): Uint8Array => new ByteWriter().int32(number).written();
export const int64 = (number: bigint): Uint8Array => new ByteWriter().int64(number).written();

export function text(value: string | undefined): Uint8Array {
  if (value === undefined) return int32(-1);
  const bytes = encoder.encode(value);
  return joined([int32(bytes.length), bytes]);
}

export function joined(parts: readonly Uint8Array[]): Uint8Array {
  const writer = new ByteWriter();
  for (const part of parts) writer.bytes(part);
  return writer.written();
}

/** Records at offsets 0, 1, 2 … of one partition. */
export function atOffsets(records: readonly RecordParts[]): readonly KafkaRecord[] {
  return records.map((parts, at) => ({
    partition: 0,
    offset: BigInt(at),
    timestamp: 0n,
    stampedBy: "producer" as const,
    headers: {},
    ...journalRecord(parts),
  }));
}

/** A topic that is read in small batches. @param before called before each read of a range, with its number */
export function topicOf(
  records: readonly KafkaRecord[],
  {
    page = 3,
    before = () => records,
  }: { readonly page?: number; readonly before?: (read: number) => readonly KafkaRecord[] } = {},
): Pick<KafkaPort, "endOffsets" | "extents" | "records" | "recordsInPlace"> & { readonly reads: OffsetRange[] } {
  const reads: OffsetRange[] = [];
  const ranges = [...new Set([0, ...records.map(({ partition }) => partition)])].map((partition) => ({
    partition,
    from: 0n,
    to: records.reduce((end, one) => (one.partition === partition ? one.offset + 1n : end), 0n),
  }));
  function* pages(range: OffsetRange): Generator<readonly KafkaRecord[]> {
    reads.push(range);
    const due = before(reads.length).filter(
      ({ partition, offset }) => partition === range.partition && offset >= range.from && offset < range.to,
    );
    for (let at = 0; at < due.length; at += page) yield due.slice(at, at + page);
  }
  return {
    reads,
    endOffsets: async () => ranges.map(({ partition, to }) => ({ partition, offset: to })),
    extents: async () => ranges,
    async *records(_topic, range) {
      yield* pages(range);
    },
    async *recordsInPlace(_topic, range) {
      for (const one of pages(range)) yield inPlace(one);
    },
  };
}
