import { suite } from "uvu";
import * as assert from "uvu/assert";
import { CallFailed } from "../errors.ts";
import { decodeOffset } from "../facts/offset/stored-offset.ts";
import type { KafkaPort, OffsetRange } from "../ports/kafka.ts";
import type { JsonObject } from "../values/json.ts";
import { printXid } from "../values/xid.ts";
import type { JournalForm } from "./journal-form.ts";
import { type JournalReading, readJournal, restoredOf } from "./read-journal.ts";
import { atOffsets, changeAt, type RecordParts, SERVER, topicOf } from "./testing/build-journal.ts";

const journal = suite("the transaction journal, read as the task does at its start");

function stored(offset: JsonObject = {}) {
  const decoded = decodeOffset({ v: 1n, resume_scn: 1000n, journal_generation: 7n, ...offset });
  if (!decoded.ok) throw new Error("an offset that can't be decoded");
  return decoded.offset;
}

function question(offset?: JsonObject, form: JournalForm = "either") {
  return { topic: "orders.cdc.txjournal", server: SERVER, form, stored: stored(offset) };
}

const reading = (records: readonly RecordParts[], offset?: JsonObject, form?: JournalForm): Promise<JournalReading> =>
  readJournal(topicOf(atOffsets(records)) as unknown as KafkaPort, question(offset, form));

const verdicts = ({ transactions }: JournalReading) =>
  transactions.map(({ xid, verdict }) => `${printXid(xid)} ${verdict}`);
const fates = ({ transactions }: JournalReading) =>
  transactions.flatMap(({ chunks }) =>
    chunks.map(({ chunk: { key }, fate }) => `${key.chunk}/${key.generation} ${fate}`),
  );

journal("a transaction whose chunks are all before the resume point is restored", async () => {
  const seen = await reading([{}, { key: { chunk: 1 }, value: { first_scn: 111, last_scn: 120 } }]);
  assert.equal(verdicts(seen), ["3:4.9.771 restored"]);
  assert.equal(restoredOf(seen.transactions[0]?.chunks ?? []), { chunks: 2, changes: 4, undos: 2, unplaced: 0 });
  assert.equal(seen.problems, []);
});

journal("chunks of the stored generation + 1 are the task's own; those above are stale", async () => {
  for (const [stored, generation, verdict] of [
    [7n, 7, "restored"],
    [7n, 8, "restored"],
    [7n, 9, "stale"],
    [null, 1, "restored"],
    [null, 2, "stale"],
  ] as const)
    assert.equal(verdicts(await reading([{ key: { generation } }], { journal_generation: stored })), [
      `3:4.9.771 ${verdict}`,
    ]);
});

journal("without a stored offset the task restores generations 0 and 1 that begin below its start", async () => {
  const firstStart = async (generation: number, startScn?: bigint) => {
    const topic = topicOf(atOffsets([{ key: { generation } }])) as unknown as KafkaPort;
    return verdicts(await readJournal(topic, { ...question(), stored: undefined, startScn }));
  };
  assert.equal(await firstStart(1), ["3:4.9.771 restored"]);
  assert.equal(await firstStart(1, 101n), ["3:4.9.771 restored"]);
  assert.equal(await firstStart(1, 100n), ["3:4.9.771 mined again"]);
  assert.equal(await firstStart(2), ["3:4.9.771 stale"]);
  const garbage = topicOf(atOffsets([{ key: "garbage" }])) as unknown as KafkaPort;
  assert.is((await readJournal(garbage, { ...question(), stored: undefined })).problems.length, 1, "CDC-4002 as well");
});

journal("with equal redo addresses and ssn the SCN decides", async () => {
  const value = { first_rs_id: "0x00002a.00000f1c.0010", first_ssn: 2 };
  const at = { resume_rs_id: "0x00002a.00000f1c.0010", resume_ssn: 2n };
  assert.equal(verdicts(await reading([{ value }], { ...at, resume_scn: 101n })), ["3:4.9.771 restored"]);
  assert.equal(verdicts(await reading([{ value }], { ...at, resume_scn: 100n })), ["3:4.9.771 mined again"]);
});

journal("a chunk that begins at or after the resume point will be mined again", async () => {
  assert.equal(verdicts(await reading([{}], { resume_scn: 100n })), ["3:4.9.771 mined again"]);
  assert.equal(verdicts(await reading([{}], { resume_scn: 101n })), ["3:4.9.771 restored"]);
});

journal("redo addresses on both sides have precedence over the SCN", async () => {
  const value = { first_rs_id: " 0x00002a.00000f1c.0010 ", first_ssn: 2 };
  const at = (resume_rs_id: string, resume_ssn: bigint) => ({ resume_rs_id, resume_ssn, resume_scn: 50n });
  assert.equal(verdicts(await reading([{ value }], at("0x00002a.00000f1c.0010", 3n))), ["3:4.9.771 restored"]);
  assert.equal(verdicts(await reading([{ value }], at("0x00002a.00000f1c.0010", 2n))), ["3:4.9.771 mined again"]);
  assert.equal(verdicts(await reading([{ value }], at("0x00002b.00000000.0000", 0n))), ["3:4.9.771 restored"]);
  assert.equal(verdicts(await reading([{ value }], at("0x000000.00000000.0000", 0n))), ["3:4.9.771 mined again"]);
});

journal("the newest acknowledged generation of a chunk stays", async () => {
  const seen = await reading([5, 6, 8, 9].map((generation) => ({ key: { generation } })));
  assert.equal(verdicts(seen), ["3:4.9.771 restored"]);
  assert.equal(fates(seen), ["0/5 stale", "0/6 stale", "0/8 restored", "0/9 stale"]);
});

journal("the last record of a key wins, a tombstone removes it, others' records are only counted", async () => {
  const seen = await reading([
    { value: { username: "OLD" } },
    { value: { username: "NEW" } },
    { key: { xid: "1.2.3" } },
    { key: { xid: "1.2.3" }, value: null },
    { key: { server: "billing" }, value: "garbage" },
    { key: { server: "billing" }, value: null },
    { key: '{"id":1}', value: "garbage" },
  ]);
  assert.equal(verdicts(seen), ["3:4.9.771 restored"]);
  assert.is(seen.transactions[0]?.chunks[0]?.chunk.user, "NEW");
  assert.equal(seen.counts, { records: 7, tombstones: 1, foreign: 3, nameless: 1, unreadable: 0 });
});

journal("a hole in the remaining chunks stops the task, and a hole left by dropped chunks alone does not", async () => {
  const holed = await reading([{}, { key: { chunk: 2 } }, { key: { xid: "9.9.9", chunk: 1 } }]);
  assert.equal(verdicts(holed), ["3:4.9.771 stops", "3:9.9.9 stops"]);
  assert.equal(
    holed.problems.map((one) => (one.what === "missing chunk" ? [one.missing, one.next] : one.what)),
    [
      [1, 2],
      [0, 1],
    ],
  );
  const later = { first_scn: 2000, last_scn: 2010 };
  const dropped = await reading([{}, { key: { chunk: 2 }, value: later }, { key: { chunk: 3, generation: 9 } }]);
  assert.equal(fates(dropped), ["0/7 restored", "2/7 mined again", "3/9 stale"]);
  assert.equal(dropped.problems, []);
});

journal("a chunk that reaches beyond the resume point keeps the frames before it", async () => {
  const frames = [
    { change: changeAt({ scn: 100n }) },
    { undo: { scn: 104n } },
    {
      change: changeAt({ scn: 104n }, [
        [1, new Uint8Array([0, 0, 0, 1, 65])],
        [12, new Uint8Array(4)],
      ]),
    },
    { change: changeAt({ scn: 105n }) },
    { undo: { scn: 110n } },
  ];
  const seen = await reading([{ frames }], { resume_scn: 105n });
  assert.equal(restoredOf(seen.transactions[0]?.chunks ?? []), { chunks: 1, changes: 2, undos: 1, unplaced: 0 });
});

journal("changes of another form are placed by their neighbours, as far as possible", async () => {
  const opaque = { change: Uint8Array.of(9) };
  const frames = [opaque, opaque, { undo: { scn: 104n } }, opaque, opaque, { undo: { scn: 106n } }, opaque];
  const seen = await reading([{ frames }], { resume_scn: 105n });
  assert.equal(restoredOf(seen.transactions[0]?.chunks ?? []), { chunks: 1, changes: 2, undos: 1, unplaced: 2 });
  const last = await reading([{ frames: [opaque, opaque, opaque] }], { resume_scn: 105n });
  assert.equal(restoredOf(last.transactions[0]?.chunks ?? []), { chunks: 1, changes: 1, undos: 0, unplaced: 1 });
});

journal("a chunk without remaining frames is mined again", async () => {
  const seen = await reading([{ frames: [{ undo: { scn: 105n } }] }, { key: { xid: "1.1.1" }, frames: [] }], {
    resume_scn: 105n,
  });
  assert.equal(verdicts(seen), ["3:1.1.1 mined again", "3:4.9.771 mined again"]);
});

journal("reads the schema envelope, and requires it where the converter does", async () => {
  for (const form of ["either", "enveloped"] as const)
    assert.equal(verdicts(await reading([{ enveloped: true }], {}, form)), ["3:4.9.771 restored"]);
  assert.is((await reading([{}], {}, "enveloped")).problems[0]?.what, "unreadable key");
  assert.equal((await reading([{ enveloped: true }], {}, "plain")).counts.nameless, 1, "the task passes over it");
});

journal("numbers are exact beyond 2^53", async () => {
  const first_scn = 9007199254740993n;
  const seen = await reading([{ value: { first_scn, last_scn: first_scn } }], { resume_scn: first_scn + 1n });
  assert.is(seen.transactions[0]?.chunks[0]?.chunk.first.scn, first_scn);
  assert.equal(verdicts(seen), ["3:4.9.771 restored"]);
});

journal("several partitions are read to their ends, page by page, and later records are ignored", async () => {
  const records = [0, 1, 2].flatMap((partition) =>
    atOffsets([1, 2, 3, 4, 5].map((sqn) => ({ key: { xid: `${partition}.0.${sqn}` } }))).map((one) => ({
      ...one,
      partition,
    })),
  );
  const late = atOffsets([{ key: { xid: "7.7.7" } }]).map((one) => ({ ...one, offset: 5n }));
  const topic = topicOf(records, { page: 4, before: () => [...records, ...late] });
  const seen = await readJournal(topic as unknown as KafkaPort, question());
  assert.is(seen.transactions.length, 15);
  assert.is(seen.counts.records, 15);
  assert.is(topic.reads.length, 3, "each partition once: what is small is still in memory when payloads are read");
});

journal("large payloads are evaluated in the same reading", async () => {
  const large = { frames: [{ change: new Uint8Array(100_000) }] };
  const topic = topicOf(atOffsets([large, { ...large, key: { chunk: 1 } }, { ...large, key: { chunk: 2 } }]));
  const seen = await readJournal(topic as unknown as KafkaPort, question());
  assert.equal(verdicts(seen), ["3:4.9.771 restored"]);
  assert.equal(topic.reads.length, 1);
});

journal("payloads whose memory is used again were evaluated before", async () => {
  const frames = [{ change: new Uint8Array(40_000) }];
  const records = Array.from({ length: 400 }, (_, sqn): RecordParts => {
    const key = { xid: `1.1.${sqn}` };
    return sqn % 100 === 7 ? { key, frames, value: { payload: btoa("\x00\x00\x00\x01\x09") } } : { key, frames };
  });
  const topic = topicOf(atOffsets(records), { page: 20 });
  const seen = await readJournal(topic as unknown as KafkaPort, question());
  assert.is(topic.reads.length, 1);
  assert.is(verdicts(seen).filter((one) => one.endsWith(" restored")).length, 396);
  assert.equal(
    seen.problems.map((one) => ("why" in one ? [one.offset, one.why] : [])),
    [7n, 107n, 207n, 307n].map((offset) => [offset, "frame 0 is of the unknown kind 9"]),
  );
});

journal(
  "a transaction that stays open on the topic is reported to hold back the rest; silent brokers are not",
  async () => {
    const silent = (to: bigint) =>
      ({
        endOffsets: async () => [{ partition: 0, offset: 5n }],
        extents: async () => [{ partition: 0, from: 0n, to }],
        // biome-ignore lint/correctness/useYield: it fails before its first batch
        async *recordsInPlace() {
          throw new CallFailed("kafka", "timeout", { message: "no record" });
        },
      }) as unknown as KafkaPort;
    const failure = async (to: bigint) =>
      readJournal(silent(to), question()).then(
        (): never => {
          throw new Error("it was read");
        },
        (error: unknown) => error as CallFailed,
      );
    const open = await failure(2n);
    assert.is(open.kind, "unsupported");
    assert.match(open.message, "a transaction is open on orders.cdc.txjournal, partition 0: what follows offset 2");
    assert.is((await failure(5n)).kind, "timeout");
  },
);

journal("records that are deleted during the read restart it, a limited number of times", async () => {
  const topic = topicOf(atOffsets([{}]));
  let reads = 0;
  const losing = (times: number) =>
    ({
      ...topic,
      async *recordsInPlace(name: string, range: OffsetRange) {
        if (reads++ < times) throw new CallFailed("kafka", "missing", { message: "gone", code: "OFFSET_OUT_OF_RANGE" });
        yield* topic.recordsInPlace(name, range);
      },
    }) as unknown as KafkaPort;
  assert.equal(verdicts(await readJournal(losing(1), question())), ["3:4.9.771 restored"]);
  assert.is(reads, 2);
  const failure = await readJournal(losing(99), question()).catch((error: unknown) => error);
  assert.instance(failure, CallFailed);
  assert.is(reads, 5);
});

journal("reports its progress, record by record", async () => {
  const reports: string[] = [];
  const records = [0, 1].flatMap((partition) =>
    atOffsets([{}, { key: { chunk: 1 } }].map(({ key }) => ({ key: { ...key, xid: `1.1.${partition}` } }))).map(
      (one) => ({ ...one, partition }),
    ),
  );
  await readJournal(topicOf(records, { page: 1 }) as unknown as KafkaPort, question(), {
    onProgress: ({ records, at, end }) => reports.push(`${records}: ${at}/${end}`),
  });
  assert.equal(reports, ["1: 1/4", "2: 2/4", "3: 3/4", "4: 4/4"]);
});

journal.run();
