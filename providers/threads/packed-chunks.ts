import type { Chunk, FoldedJournal } from "../../core/journal/fold-records.ts";
import type { PayloadFate } from "../../core/journal/payload.ts";

/**
 * Chunks of a journal as lists of numbers, with a row for each chunk. Sending them between threads as objects takes
 * longer than reading their records.
 */
export interface PackedChunks {
  readonly count: number;
  readonly longs: BigInt64Array;
  readonly integers: Int32Array;
  readonly texts: readonly (string | undefined)[];
}

export type PackedJournal = Omit<FoldedJournal, "chunks"> & { readonly chunks: PackedChunks };

const [LONGS, INTEGERS, TEXTS] = [12, 9, 5] as const;
const FATES = ["restored", "mined again", "unreadable"] as const;
const NO_PAYLOAD = -1;

export function packedChunks(chunks: readonly Chunk[]): PackedChunks {
  const count = chunks.length;
  const longs = new BigInt64Array(LONGS * count);
  const integers = new Int32Array(INTEGERS * count);
  const texts: (string | undefined)[] = [];
  for (const [at, one] of chunks.entries()) {
    const { key, partition, offset, first, last, firstCapturedScn, startScn, changes, undos, payloadSize } = one;
    const { container = 0n, usn, slot, sqn } = key.xid;
    const kept = one.payload?.fate === "restored" ? one.payload.kept : { changes: 0, undos: 0, unplaced: 0 };
    const fate = one.payload === undefined ? NO_PAYLOAD : FATES.indexOf(one.payload.fate);
    const places = [first.scn, first.ssn, last.scn, last.ssn, firstCapturedScn, startScn];
    longs.set([container, usn, slot, sqn, key.generation, offset, ...places], LONGS * at);
    const sums = [changes, undos, payloadSize, fate, kept.changes, kept.undos, kept.unplaced];
    integers.set([key.chunk, partition, ...sums], INTEGERS * at);
    const why = one.payload?.fate === "unreadable" ? one.payload.why : undefined;
    texts.push(first.rsId, last.rsId, one.user, one.clientId, why);
  }
  return { count, longs, integers, texts };
}

export function unpackedChunks({ count, longs, integers, texts }: PackedChunks): readonly Chunk[] {
  return Array.from({ length: count }, (_, index): Chunk => {
    const long = (nth: number) => longs[LONGS * index + nth] as bigint;
    const integer = (nth: number) => integers[INTEGERS * index + nth] as number;
    const text = (nth: number) => texts[TEXTS * index + nth];
    return {
      key: {
        xid: { container: long(0), usn: long(1), slot: long(2), sqn: long(3) },
        chunk: integer(0),
        generation: long(4),
      },
      partition: integer(1),
      offset: long(5),
      first: { scn: long(6), rsId: text(0), ssn: long(7) },
      last: { scn: long(8), rsId: text(1), ssn: long(9) },
      firstCapturedScn: long(10),
      startScn: long(11),
      changes: integer(2),
      undos: integer(3),
      payloadSize: integer(4),
      user: text(2),
      clientId: text(3),
      payload: payloadOf(integer, text(4)),
    };
  });
}

function payloadOf(integer: (nth: number) => number, why = ""): PayloadFate | undefined {
  const fate = FATES[integer(5)];
  if (fate === "unreadable") return { fate, why };
  return fate === "restored"
    ? { fate, kept: { changes: integer(6), undos: integer(7), unplaced: integer(8) } }
    : fate && { fate };
}
