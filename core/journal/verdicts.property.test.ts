import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { decodeOffset } from "../facts/offset/stored-offset.ts";
import type { KafkaPort } from "../ports/kafka.ts";
import { printXid } from "../values/xid.ts";
import { readJournal, restoredOf } from "./read-journal.ts";
import { atOffsets, changeAt, type RecordParts, topicOf } from "./testing/build-journal.ts";

/**
 * The rules of the journal, one after the other, on lists, numbered as in the reference: slow and plain, for comparison
 * with the real implementation. It uses the values of records, not their bytes.
 */

interface NaivePlace {
  readonly scn: number;
  readonly rsId: string | null;
  readonly ssn: number;
}

interface NaiveRecord {
  readonly server: string;
  readonly xid: string;
  readonly chunk: number;
  readonly generation: number;
  /** Null: a tombstone. */
  readonly value: { readonly frames: readonly (NaivePlace & { readonly undo: boolean })[] } | null;
}

type Filled = NaiveRecord & { readonly value: NonNullable<NaiveRecord["value"]> };

const ZEROS = "0x000000.00000000.0000";

function naiveBefore(a: NaivePlace, b: NaivePlace): boolean {
  const addressed = [a, b].every(({ rsId }) => rsId !== null && rsId !== ZEROS);
  if (!addressed) return a.scn < b.scn;
  const order = ({ rsId, ssn, scn }: NaivePlace) => [String(rsId), 1000 + ssn, 1000 + scn].join();
  return order(a) < order(b);
}

/** @returns the verdict of each transaction, and the number of restored changes and undos */
function naiveVerdicts(
  records: readonly NaiveRecord[],
  resume: NaivePlace,
  generation: number,
): Readonly<Record<string, string>> {
  const same = (a: NaiveRecord) => (b: NaiveRecord) =>
    a.xid === b.xid && a.chunk === b.chunk && a.generation === b.generation;
  // 1
  const own = records.filter(({ server }) => server === "orders");
  const last = own.filter((record, at) => !own.slice(at + 1).some(same(record)));
  const live = last.filter((record): record is Filled => record.value !== null);
  const first = ({ value }: Filled): NaivePlace => value.frames[0] as NaivePlace;
  // 2
  const acknowledged = live.filter((record) => record.generation <= generation + 1);
  // 3
  const behind = acknowledged.filter((record) => naiveBefore(first(record), resume));
  const ahead = acknowledged.filter((record) => !behind.includes(record));
  // 4
  const newest = behind.filter(
    (one) =>
      !behind.some((other) => other.xid === one.xid && other.chunk === one.chunk && other.generation > one.generation),
  );
  const xids = [...new Set(live.map(({ xid }) => xid))];
  return Object.fromEntries(
    xids.map((xid): [string, string] => {
      const left = newest.filter((record) => record.xid === xid);
      // 5
      if (!left.every((_, number) => left.some(({ chunk }) => chunk === number))) return [xid, "stops"];
      // 6
      const frames = left.flatMap(({ value }) => value.frames.filter((frame) => naiveBefore(frame, resume)));
      // 7
      if (frames.length > 0) {
        const undos = frames.filter(({ undo }) => undo).length;
        return [xid, `restored ${frames.length - undos} ${undos}`];
      }
      const again = left.length > 0 || ahead.some((record) => record.xid === xid);
      return [xid, again ? "mined again" : "stale"];
    }),
  );
}

const property = suite("verdicts compared with the rules applied one after the other");

const address = fc.constantFrom(null, "0x000000.00000000.0000", "0x00002a.00000f1c.0010", "0x00002a.00000f1c.0020");
const place = fc.record({ scn: fc.integer({ min: 1, max: 12 }), rsId: address, ssn: fc.integer({ min: 0, max: 2 }) });
/** Frames in redo order, all with or all without an address, as a chunk is written. */
const frames = fc
  .tuple(fc.boolean(), fc.array(fc.tuple(place, fc.boolean()), { minLength: 1, maxLength: 4 }))
  .map(([addressed, places]) =>
    places
      .map(([one, undo]) => ({ ...one, rsId: addressed ? (one.rsId ?? "0x00002a.00000f1c.0010") : null, undo }))
      .sort((a, b) => a.scn - b.scn)
      .map((one, at) => ({ ...one, rsId: addressed ? `0x00002a.00000f1c.00${10 + at + one.ssn}` : null })),
  );
const record: fc.Arbitrary<NaiveRecord> = fc.record({
  server: fc.constantFrom("orders", "orders", "orders", "orders", "billing"),
  xid: fc.constantFrom("4.9.771", "7.22.1180"),
  chunk: fc.integer({ min: 0, max: 2 }),
  generation: fc.integer({ min: 7, max: 9 }),
  value: fc.option(fc.record({ frames }), { freq: 8 }),
});

function written({ server, xid, chunk, generation, value }: NaiveRecord, enveloped: boolean): RecordParts {
  const key = { server, xid, chunk, generation };
  if (value === null) return { key, value, enveloped };
  const [first, last] = [value.frames[0], value.frames.at(-1)];
  if (first === undefined || last === undefined) throw new Error("a chunk without frames");
  const undos = value.frames.filter(({ undo }) => undo).length;
  return {
    key,
    enveloped,
    frames: value.frames.map((frame) => (frame.undo ? { undo: exact(frame) } : { change: changeAt(exact(frame)) })),
    value: {
      first_scn: first.scn,
      first_rs_id: first.rsId,
      first_ssn: first.ssn,
      last_scn: last.scn,
      last_rs_id: last.rsId,
      last_ssn: last.ssn,
      events: value.frames.length - undos,
      undos,
    },
  };
}

const exact = ({ scn, rsId, ssn }: NaivePlace) => ({
  scn: BigInt(scn),
  ssn: BigInt(ssn),
  ...(rsId === null ? {} : { rsId }),
});

const outcomes = new Map<string, number>();

property("agree for any journal, in either form, read in pages of any size", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(record, { maxLength: 12 }),
      place,
      fc.boolean(),
      fc.integer({ min: 1, max: 5 }),
      async (records, resume, enveloped, page) => {
        const decoded = decodeOffset({
          v: 1n,
          resume_scn: BigInt(resume.scn),
          resume_rs_id: resume.rsId,
          resume_ssn: BigInt(resume.ssn),
          journal_generation: 7n,
        });
        if (!decoded.ok) throw new Error("an offset that can't be decoded");
        const topic = topicOf(atOffsets(records.map((one) => written(one, enveloped))), { page });
        const seen = await readJournal(topic as unknown as KafkaPort, {
          topic: "orders.cdc.txjournal",
          server: "orders",
          form: "either",
          stored: decoded.offset,
        });
        const verdicts = Object.fromEntries(
          seen.transactions.map(({ xid, verdict, chunks }) => {
            const { changes, undos, unplaced } = restoredOf(chunks);
            assert.is(unplaced, 0);
            return [
              printXid({ ...xid, container: undefined }),
              verdict === "restored" ? `restored ${changes} ${undos}` : verdict,
            ];
          }),
        );
        const naive = naiveVerdicts(records, resume, 7);
        assert.equal(verdicts, naive);
        assert.is(
          seen.problems.filter(({ what }) => what === "missing chunk").length,
          Object.values(naive).filter((verdict) => verdict === "stops").length,
        );
        for (const verdict of Object.values(naive).map((one) => one.split(" ")[0] ?? ""))
          outcomes.set(verdict, (outcomes.get(verdict) ?? 0) + 1);
      },
    ),
    { numRuns: 3000 },
  );
  for (const verdict of ["restored", "stale", "mined", "stops"])
    assert.ok((outcomes.get(verdict) ?? 0) > 100, `${verdict}: ${outcomes.get(verdict)} of 3000 journals`);
});

property.run();
