import { suite } from "uvu";
import * as assert from "uvu/assert";
import { initialOffset } from "../../facts/offset/moved-offset.ts";
import { decodeOffset } from "../../facts/offset/stored-offset.ts";
import { printDuration } from "../../values/duration.ts";
import { lineOf } from "../../values/remedy.ts";
import { explainLag, hasEnoughData, type LagExplanation } from "./explain-lag.ts";
import { isExact } from "./lag-facts.ts";
import {
  BEHIND,
  buildLag,
  CATALOGUE,
  CURRENT,
  DATABASE,
  failedWith,
  type LagParts,
  log,
  metrics,
  openAt,
  PURGED,
  RUNNING,
  seen,
  timeOf,
  unseen,
} from "./testing/build-lag.ts";

const lag = suite("why a connector is behind");

const explained = (parts: LagParts = {}) => explainLag(buildLag(parts));
const answerOf = ({ answer }: LagExplanation) => (answer.is === "cause" ? answer.rule.cause : answer.is);
const evidenceOf = ({ answer }: LagExplanation) => (answer.is === "cause" ? answer.evidence.join("\n") : "");
const both = (...of: Parameters<typeof metrics>) => [metrics(...of)];
/** The task buffers what is open at its position. */
const HELD = { OpenTransactions: 1n, OldestOpenScn: BEHIND };
const because = (explanation: LagExplanation, cause: string) =>
  explanation.ruledOut.find(({ rule }) => rule.cause === cause)?.because ?? "";
const why = (explanation: LagExplanation, cause: string) =>
  explanation.unseen.find(({ rule }) => rule.cause === cause)?.why ?? "";

lag("does not exist when the resume SCN is no older than Connect's flush interval of offsets", () => {
  assert.is(answerOf(explained({ resume: [seen(CURRENT - 1_200n)] })), "not behind");
  assert.is(answerOf(explained({ resume: [seen(CURRENT - 1_201n)] })), "unclear");
  assert.is(answerOf(explained({ resume: [seen(CURRENT)], times: unseen("forgotten") })), "not behind");
  const begunNow = [...CATALOGUE.archived, log(122n, { firstTime: "2026-11-20T19:15:00Z" })];
  const byItsLog = { times: unseen("forgotten"), redo: seen({ ...CATALOGUE, archived: begunNow }) };
  assert.match(why(explained({ ...byItsLog, resume: [seen(CURRENT - 1n)] }), "not behind"), "by this machine's clock");
});

lag(
  "is redo that is gone, when the task stopped at it, or it is missing from the catalogue and the task does not run",
  () => {
    const trace = "org.x.ConnectException: CDC-2002 thread 1 sequence 119 is purged\n\tat Mining.java";
    const stopped = explained({ status: failedWith(trace), redo: seen(PURGED) });
    assert.is(answerOf(stopped), "redo gone");
    assert.match(evidenceOf(stopped), /CDC-2002 thread 1 sequence 119/);
    assert.equal(stopped.also, []);
    assert.is(
      answerOf(explained({ status: { ...RUNNING, state: "STOPPED", tasks: [] }, redo: seen(PURGED) })),
      "redo gone",
    );
    const restored = explained({ status: failedWith(trace) });
    assert.match(evidenceOf(restored), "it may have been restored");
  },
);

lag("is not redo that is gone while the task advances, but a restart would fail", () => {
  const coming = explained({ redo: seen(PURGED), resume: [seen(BEHIND), seen(BEHIND + 500n)] });
  assert.is.not(answerOf(coming), "redo gone");
  assert.match(coming.remarks.join(), "a restart would fail");
  const mined = explained({ redo: seen(PURGED), metrics: both({ MinedToScn: 2_030_000n }) });
  assert.match(because(mined, "redo gone"), "already mined past the missing redo");
  const unmoved = explained({ redo: seen(PURGED) });
  assert.match(why(unmoved, "redo gone"), "whether the task is stuck at it is unknown");
  assert.is(answerOf(explained({ redo: seen(PURGED), metrics: both() })), "redo gone");
});

lag("is not redo that is gone further ahead, while the task is stuck at existing redo", () => {
  // The task mines in log 118; 119 and 120 are purged.
  const short = { redo: seen(PURGED), resume: [seen(2_005_000n)] };
  const queue = explained({ ...short, metrics: both({ MinedToScn: 2_006_000n, QueueDepth: 8_000n }) });
  assert.is(answerOf(queue), "kafka");
  assert.match(
    because(queue, "redo gone"),
    "The missing redo is ahead of the mining position, SCN 2006000: the task is stuck for another reason.",
  );
  assert.match(queue.remarks.join(), "a restart would fail");
  for (const mined of [2_009_999n, 2_010_000n, 2_029_999n])
    assert.is(answerOf(explained({ ...short, metrics: both({ MinedToScn: mined }) })), "redo gone");
  assert.is.not(answerOf(explained({ ...short, metrics: both({ MinedToScn: 2_009_998n }) })), "redo gone");
});

lag("is a failed task, with its trace", () => {
  const one = explained({ status: failedWith("CDC-1001 the database did not answer\n\tat Mining.java") });
  assert.is(answerOf(one), "failed");
  assert.match(evidenceOf(one), "task 0 is FAILED on worker-2:8083: CDC-1001 the database did not answer");
  assert.equal(one.unseen, []);
});

lag("quotes the connector's name for the shell in its commands", () => {
  const status = { ...RUNNING, state: "STOPPED", tasks: [] };
  const { answer, reading } = explained({ status, redo: seen(PURGED), connector: { name: "Tom's $(rm) x" } });
  const commands = answer.is === "cause" ? answer.rule.remedies(reading).map(lineOf).join("\n") : "";
  assert.match(
    commands,
    "cdcctl admin offsets show --connect-url http://connect.prod:8083 --name 'Tom'\\''s $(rm) x' --check-redo",
  );
});

lag("is a connector that was paused, stopped or not started", () => {
  const paused = { ...RUNNING, state: "PAUSED", tasks: [{ id: 0n, state: "PAUSED", worker: "worker-2:8083" }] };
  assert.match(evidenceOf(explained({ status: paused })), "task 0 is PAUSED on worker-2:8083");
  assert.is(answerOf(explained({ status: { ...RUNNING, state: "STOPPED", tasks: [] } })), "not running");
  const unassigned = { ...RUNNING, tasks: [{ id: 0n, state: "UNASSIGNED", worker: "worker-2:8083" }] };
  assert.is(answerOf(explained({ status: unassigned })), "not running");
});

lag("is a long transaction when the resume SCN is at the start of one that is still open", () => {
  const held = explained({ transactions: seen([openAt(2_040_000n, "3:1.1.1"), openAt(BEHIND)]) });
  assert.is(answerOf(held), "long transaction");
  assert.match(
    evidenceOf(held),
    `3:9.4.1207 (user BATCH, client nightly-load) has been open since SCN 2012000, for ${printDuration(3_300_000)}`,
  );
  assert.is(answerOf(explained({ transactions: seen([openAt(BEHIND + 3_300n)]) })), "long transaction");
});

lag("may be a long transaction without the task's metrics, and is not one if the task contradicts", () => {
  const titleOf = ({ answer }: LagExplanation) => (answer.is === "cause" ? answer.title : "");
  const open = { transactions: seen([openAt(BEHIND)]) };
  const blind = explained(open);
  assert.match(titleOf(blind), "may hold the resume SCN back");
  assert.match(evidenceOf(blind), "whether the task buffers it is unknown: no --jmx-url");
  const of = (lag: Parameters<typeof metrics>[0]) => explained({ ...open, metrics: both(lag) });
  assert.match(titleOf(of({ OpenTransactions: 1n, OldestOpenScn: BEHIND + 3_300n })), "transaction holds the resume");
  assert.match(
    because(of({ OpenTransactions: 0n }), "long transaction"),
    "The task buffers 0 open transactions (OpenTransactions); transaction 3:9.4.1207",
  );
  const above = of({ OpenTransactions: 1n, OldestOpenScn: BEHIND + 3_301n });
  assert.match(because(above, "long transaction"), "began later, at SCN 2015301 (OldestOpenScn)");
  const another = explained({
    transactions: seen([openAt(BEHIND - 3_000n)]),
    metrics: both({ OpenTransactions: 1n, OldestOpenScn: BEHIND + 1_000n, MinedToScn: CURRENT }),
  });
  assert.match(evidenceOf(another), "the task has buffered its oldest open transaction since SCN 2013000");
  assert.match(titleOf(of({ OpenTransactions: undefined })), "may hold");
  assert.match(titleOf(of({ OpenTransactions: 1n, OldestOpenScn: undefined })), "may hold");
});

lag("is the oldest open transaction from the resume SCN onwards, not one that began before it, even if nearer", () => {
  const open = seen([openAt(BEHIND + 900n, "3:3.3.3"), openAt(BEHIND - 1n, "3:1.1.1"), openAt(BEHIND + 300n)]);
  const held = explained({ transactions: open });
  assert.match(
    evidenceOf(held),
    "transaction 3:9.4.1207 (user BATCH, client nightly-load) has been open since SCN 2012300",
  );
  assert.match(evidenceOf(held), "300 SCNs after the resume SCN 2012000");
});

lag("is the last one from just before the resume SCN if none is open from there onwards", () => {
  const before = explained({ transactions: seen([openAt(BEHIND - 9n, "3:1.1.1"), openAt(BEHIND - 2n)]) });
  assert.match(evidenceOf(before), /3:9\.4\.1207 .*, 2 SCNs before the resume SCN 2012000/);
});

lag("is the one that the task lists as its oldest, if older ones have no captured change", () => {
  const two = seen([openAt(BEHIND + 300n, "3:1.1.1"), openAt(BEHIND + 900n)]);
  const listing = metrics({ OpenTransactions: 1n, OldestOpenScn: BEHIND + 905n }, [{ firstScn: BEHIND + 905n }]);
  assert.match(evidenceOf(explained({ transactions: two, metrics: [listing] })), "transaction 3:9.4.1207 (user BATCH");
});

lag("is not one of the database's if the task's oldest is another one", () => {
  const found = { transactions: seen([openAt(BEHIND + 100n, "3:1.1.1")]) };
  const older = explained({ ...found, metrics: both({ OpenTransactions: 2n, OldestOpenScn: BEHIND + 99n }) });
  assert.match(because(older, "long transaction"), "began earlier, at SCN 2012099 (OldestOpenScn)");
  const of = (xid: string) =>
    explained({
      ...found,
      metrics: both({ OpenTransactions: 2n, OldestOpenScn: BEHIND + 200n }, [{ xid, firstScn: BEHIND + 200n }]),
    });
  assert.match(because(of("9.4.1207"), "long transaction"), "The oldest transaction in the task's buffer is 9.4.1207");
  assert.is(answerOf(of("1.1.1")), "long transaction");
});

lag("is not a long transaction if the oldest open one began long after or before the resume SCN", () => {
  for (const start of [BEHIND + 3_301n, BEHIND - 3_301n]) {
    const one = explained({ transactions: seen([openAt(start)]), metrics: both() });
    assert.match(because(one, "long transaction"), "The only open transaction began far from the resume SCN.");
  }
});

lag("is a long transaction of the task's buffer if mining is halfway past it, in the database or not", () => {
  const buffered = { OpenTransactions: 1n, OldestOpenScn: BEHIND, MinedToScn: 2_044_000n };
  const orphan = explained({ metrics: both(buffered, [{ firstScn: BEHIND }]) });
  assert.is(answerOf(orphan), "long transaction");
  assert.match(evidenceOf(orphan), "GV$TRANSACTION does not list it");
  const moment = explained({ metrics: both({ ...buffered, MinedToScn: BEHIND + 100n }) });
  assert.is.not(answerOf(moment), "long transaction");
  const none = explained({ metrics: both({ ...buffered, OpenTransactions: 0n }) });
  assert.is.not(answerOf(none), "long transaction");
});

lag("is Kafka where the record queue is at 80 % of its limit in both samples", () => {
  const full = metrics({ QueueDepth: 6_400n });
  const nearly = metrics({ QueueDepth: 6_399n });
  assert.is(answerOf(explained({ metrics: [full, full] })), "kafka");
  assert.is.not(answerOf(explained({ metrics: [full, nearly] })), "kafka");
  assert.is.not(answerOf(explained({ metrics: [nearly, full] })), "kafka");
  const few = { connector: { pollMaxRecords: seen(10n) } };
  assert.is(answerOf(explained({ ...few, metrics: both({ QueueDepth: 800n }) })), "kafka");
  assert.is.not(answerOf(explained({ ...few, metrics: both({ QueueDepth: 799n }) })), "kafka");
});

lag("is mining if steps time out, or the last took far longer than intended", () => {
  const timedOut = explained({ metrics: [metrics({ StepTimeouts: 3n }), metrics({ StepTimeouts: 5n })] });
  assert.is(answerOf(timedOut), "mining");
  assert.match(evidenceOf(timedOut), "2 more mining steps timed out");
  assert.is(answerOf(explained({ metrics: both({ LastStepMillis: 5_000n }) })), "mining");
  assert.is(answerOf(explained({ metrics: both({ LastStepMillis: 4_999n, StepTimeouts: 9n }) })), "none");
  const patient = { connector: { targetLatency: seen(4_000n) } };
  assert.is(answerOf(explained({ ...patient, metrics: both({ LastStepMillis: 7_999n }) })), "none");
  assert.is(answerOf(explained({ ...patient, metrics: both({ LastStepMillis: 8_000n }) })), "mining");
});

const grows = { current: [seen(CURRENT - 90n), seen(CURRENT)] };
const hanging: readonly (readonly [what: string, parts: LagParts, answer: string])[] = [
  ["no step, no row, and the database advances", { ...grows, metrics: both({}) }, "unclear"],
  ["no step, no row, and the task's own lag grows", { metrics: [metrics(), metrics({ ScnLag: 90n })] }, "unclear"],
  ["no step, and the mining position is missing", { ...grows, metrics: both({ MinedToScn: undefined }) }, "unclear"],
  ["one more step", { ...grows, metrics: [metrics(), metrics({ Steps: 1n })] }, "none"],
  ["rows, within one step", { ...grows, metrics: [metrics(), metrics({ RowsMined: 1n })] }, "none"],
  ["nothing more to mine", { metrics: both({}) }, "none"],
  ["a slow last step", { ...grows, metrics: both({ LastStepMillis: 9_000n }) }, "mining"],
];
for (const [what, parts, answer] of hanging)
  lag(`the last finished step of a stuck task does not rule out slow mining: ${what}`, () => {
    const one = explained(parts);
    assert.is(answerOf(one), answer);
    if (answer === "unclear") assert.match(why(one, "mining"), "a mining query may hang");
  });

const polling = [metrics({ IdlePolls: 7n }), metrics({ IdlePolls: 9n })];
const neither = [metrics({ IdlePolls: 7n }), metrics({ IdlePolls: 7n })];

lag("a quiet database is not slow mining: the task polls and finds no new redo", () => {
  const quiet = explained({ ...grows, metrics: polling });
  assert.is(answerOf(quiet), "none");
  assert.match(because(quiet, "mining"), "The database is quiet: 2 polls of the task came back empty (IdlePolls).");
});

lag("a blocked engine neither steps nor polls: certain after ten minutes, as the alert NotAdvancing has it", () => {
  const soon = explained({ metrics: neither });
  assert.is(answerOf(soon), "unclear");
  assert.match(
    why(soon, "mining"),
    /and no poll for new redo .*a mining query may hang.*Sample again with --interval 10m/,
  );
  const blocked = (between: bigint) => explained({ metrics: neither, between });
  assert.is(answerOf(blocked(599_999n)), "unclear");
  assert.is(answerOf(blocked(600_000n)), "mining");
  assert.match(evidenceOf(blocked(600_000n)), "neither a mining step nor a poll for new redo finished in 10 min");
  const uncounted = explained({ ...grows, metrics: both(), between: 600_000n });
  assert.is(answerOf(uncounted), "unclear", "an older connector does not count polls");
  const full = explained({
    metrics: [7n, 7n].map((IdlePolls) => metrics({ IdlePolls, QueueDepth: 8_000n })),
    between: 600_000n,
  });
  assert.is(answerOf(full), "kafka");
  assert.equal(full.also, []);
});

lag("may be a running snapshot, by the task or, of an older connector, by the stored offset", () => {
  const running = explained({ metrics: both({ SnapshotTablesRemaining: 2n }) });
  assert.is(answerOf(running), "snapshot");
  assert.match(evidenceOf(running), "2 tables of a snapshot remain (SnapshotTablesRemaining)");
  const tables = '{"A.B":{"done":true},"A.C":{"done":false}}';
  const stored = (snapshot: string | undefined, tablesLeft?: bigint) => {
    const facts = buildLag({ metrics: both({ SnapshotTablesRemaining: tablesLeft }) });
    const raw = { ...initialOffset(BEHIND, { dbid: 2_914_731_004n, resetlogsScn: 1n }), ...(snapshot && { snapshot }) };
    const decoded = decodeOffset(raw);
    if (!decoded.ok) throw new Error("the offset can't be read");
    return explainLag({ ...facts, second: { ...facts.second, stored: seen(decoded.offset) } });
  };
  const unfinished = stored(`{"v":1,"complete":false,"tables":${tables}}`);
  assert.match(evidenceOf(unfinished), "1 of 2 tables are done, by the stored offset");
  assert.is(answerOf(stored(`{"v":1,"complete":true,"tables":${tables}}`)), "none");
  assert.is(answerOf(stored(undefined)), "none");
  assert.is(answerOf(stored(`{"v":1,"complete":false,"tables":${tables}}`, 0n)), "none", "the task knows better");
  const blind = explained({ metrics: both({ SnapshotTablesRemaining: undefined }), resume: [unseen("no offset")] });
  assert.match(why(blind, "snapshot"), "SnapshotTablesRemaining is not there");
});

lag("comes with a warning where the spill is above 80 % of its limit", () => {
  const at = (SpilledBytes: bigint | undefined, SpillMaxBytes: bigint | undefined = 1_000n) =>
    explained({ metrics: both({ SpilledBytes, SpillMaxBytes }) }).remarks.join();
  assert.match(
    at(801n),
    "The spill holds 801 bytes of 1 kB (SpillMaxBytes): when it is full, the task stops with CDC-4001",
  );
  assert.is(at(800n), "");
  assert.is(at(undefined), "");
  assert.is(explained({ metrics: both({ SpilledBytes: 900n, SpillMaxBytes: undefined }) }).remarks.join(), "");
});

lag("is not a long transaction if the task has journaled all that it buffers", () => {
  const one = explained({
    transactions: seen([openAt(BEHIND)]),
    metrics: both({ OpenTransactions: 1n, OldestOpenScn: -1n }),
  });
  assert.match(because(one, "long transaction"), "Every transaction that the task buffers is journaled");
});

lag("is a large transaction that spilled, fills a quarter of the buffer, or has 100,000 changes", () => {
  for (const one of [{ spilledBytes: 1n }, { heapBytes: 250_000n }, { events: 100_000n }])
    assert.is(answerOf(explained({ metrics: both({}, [one]) })), "large transaction");
  const small = { heapBytes: 249_999n, events: 99_999n };
  assert.is(answerOf(explained({ metrics: both({}, [small]) })), "none");
});

lag("is a replay with a redo dictionary if their number grew", () => {
  assert.is(answerOf(explained({ metrics: [metrics({ LagReplays: 1n }), metrics({ LagReplays: 2n })] })), "replay");
  assert.is(answerOf(explained({ metrics: both({ LagReplays: 2n }) })), "none");
});

lag("is unknown after a counter reset: such counters rule nothing out", () => {
  const again: readonly NonNullable<LagParts["metrics"]>[] = [
    [metrics({ StepTimeouts: 3n, LagReplays: 2n }), metrics({ StepTimeouts: 1n, LagReplays: 0n })],
    [metrics({ Steps: 900n }), metrics({ Steps: 4n })],
    [metrics({ Steps: 900n }), metrics({ Steps: 4n, StepTimeouts: 2n, LagReplays: 1n })],
  ];
  for (const samples of again) {
    const one = explained({ metrics: samples });
    assert.is(answerOf(one), "unclear");
    for (const cause of ["mining", "replay"]) assert.match(why(one, cause), "restarted between the two samples");
  }
  const slow = explained({ metrics: [metrics({ Steps: 900n }), metrics({ Steps: 4n, LastStepMillis: 9_000n })] });
  assert.is(answerOf(slow), "mining");
});

lag("has one main cause, followed by the others that hold", () => {
  const many = explained({
    transactions: seen([openAt(BEHIND)]),
    metrics: both({ ...HELD, QueueDepth: 8_000n, LastStepMillis: 60_000n }, [{ events: 200_000n }]),
  });
  assert.is(answerOf(many), "long transaction");
  assert.equal(
    many.also.map(({ rule }) => rule.cause),
    ["kafka", "mining", "large transaction"],
  );
});

lag("is unclear without metrics, and lists what they would have shown", () => {
  const one = explained();
  assert.is(answerOf(one), "unclear");
  for (const cause of ["kafka", "mining", "large transaction", "replay"]) assert.match(why(one, cause), "no --jmx-url");
  assert.ok(hasEnoughData(one, false));
  assert.not.ok(hasEnoughData(one, true));
});

lag("has not enough data if neither the database nor a cause is known", () => {
  const blind = {
    current: [unseen("no route to the database")],
    database: unseen("no route to the database"),
    redo: unseen("no route to the database"),
    transactions: unseen("no route to the database"),
    times: unseen("no route to the database"),
  };
  assert.not.ok(hasEnoughData(explained(blind), false));
  assert.ok(hasEnoughData(explained({ ...blind, status: failedWith("CDC-1001") }), false));
  assert.is(answerOf(explained(blind)), "unclear");
});

lag("is not derived from an offset of another database", () => {
  const dbid = explained({ database: seen({ ...DATABASE, dbid: 7n }) });
  assert.is(answerOf(dbid), "unclear");
  assert.match(why(dbid, "not behind"), "the database with dbid 2914731004");
  const incarnation = explained({ database: seen({ ...DATABASE, resetlogsScn: 9n }) });
  assert.match(why(incarnation, "not behind"), "the incarnation with resetlogs SCN 1");
  const ahead = explained({ resume: [seen(CURRENT + 1n)] });
  assert.match(why(ahead, "not behind"), "is above the current SCN");
  for (const one of [dbid, incarnation, ahead]) assert.not.ok(hasEnoughData(one, false));
});

lag("is reported in SCNs and in time, by the log's first time if the database no longer knows the SCN", () => {
  const { reading } = explained();
  assert.equal(reading.behind.known && reading.behind.value, CURRENT - BEHIND);
  assert.equal(reading.resumeAge.known && reading.resumeAge.value.millis, 3_300_000n);
  const byLog = explained({ times: seen([{ scn: CURRENT, at: "2026-11-20T19:15:00Z" }]) });
  const forgotten = byLog.reading.resumeAge;
  assert.match(because(byLog, "not behind"), /^The log that holds the resume SCN was begun .* ago\.$/);
  assert.ok(forgotten.known && forgotten.value.by === "log" && !isExact(forgotten.value));
  const { resumeAge } = explained().reading;
  assert.ok(resumeAge.known && isExact(resumeAge.value));
  assert.is(forgotten.known && forgotten.value.at, log(119n).firstTime);
  const online = explained({ resume: [seen(2_041_000n)], times: unseen("ORA-08181") }).reading.resumeAge;
  assert.ok(!online.known && online.why.includes("ORA-08181"));
});

lag("is not dated if only this machine's clock is available", () => {
  for (const resume of [BEHIND, CURRENT - 100n]) {
    const times = seen([{ scn: resume, at: timeOf(resume) }]);
    const one = explained({ resume: [seen(resume)], times, transactions: seen([openAt(BEHIND)]) });
    const { resumeAge } = one.reading;
    assert.ok(resumeAge.known && resumeAge.value.by === "SCN" && !isExact(resumeAge.value));
    assert.match(why(one, "not behind"), "by this machine's clock");
    assert.not.match(evidenceOf(one), / for /);
  }
});

lag("has a rate, and the time until it has caught up", () => {
  const pace = (parts: LagParts) => {
    const seenPace = explained(parts).reading.pace;
    return seenPace.known ? seenPace.value : undefined;
  };
  const noPace = (parts: LagParts) => {
    const { pace: unknown } = explained(parts).reading;
    return unknown.known ? "" : unknown.why;
  };
  const moving = { resume: [seen(BEHIND), seen(BEHIND + 1_100n)], current: [seen(CURRENT - 100n), seen(CURRENT)] };
  assert.equal(pace(moving), { by: "resume SCN", mined: 1_100n, written: 100n, left: 31_900n, catchUp: 319_000n });
  const slower = { ...moving, resume: [seen(BEHIND), seen(BEHIND + 100n)] };
  assert.is(pace(slower)?.catchUp, undefined);
  const mining = { ...moving, metrics: [metrics({ MinedToScn: 2_044_700n }), metrics({ MinedToScn: 2_044_900n })] };
  assert.equal(pace(mining), { by: "MinedToScn", mined: 200n, written: 100n, left: 100n, catchUp: 10_000n });
  assert.match(noPace({}), "did not move between the two samples");
  assert.match(noPace({ resume: [seen(BEHIND), seen(BEHIND - 5n)] }), "moved back between the two samples, by 5 SCNs");
  assert.match(noPace({ ...moving, between: 0n }), "no time passed between");
  assert.match(noPace({ ...moving, status: failedWith("") }), "does not run");
});

lag("includes the redo to mine and the redo written per hour and thread", () => {
  const { redo, recent } = explained().reading;
  assert.equal(redo.known && redo.value.used.map(({ archivedLogs, bytes }) => [archivedLogs, bytes]), [
    [3n, 1_200_000_000n],
  ]);
  assert.equal(recent.known && recent.value, [
    { thread: 1n, logs: 4n, bytes: 1_600_000_000n, millis: 4_000_000n, bytesPerHour: 1_440_000_000n },
  ]);
  const quiet = explained({ redo: seen({ ...CATALOGUE, archived: [] }) }).reading.recent;
  assert.equal(quiet.known && quiet.value, []);
});

lag("reports a restarted task, and more threads than are supported", () => {
  const again = explained({ metrics: [metrics({ Steps: 9n }), metrics({ Steps: 1n })] });
  assert.match(again.remarks.join(), "restarted between the two samples");
  const [thread] = CATALOGUE.threads;
  const two = explained({
    redo: seen({ ...CATALOGUE, threads: thread === undefined ? [] : [thread, { ...thread, thread: 2n }] }),
  });
  assert.match(two.remarks.join(), "2 enabled redo threads");
});

lag.run();
