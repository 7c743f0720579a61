import * as fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { ResnapshotFacts } from "../../../schemas/generated/facts.ts";
import { digestOfIntent, type ResnapshotIntent } from "../../document/intent.ts";
import type { Refusal } from "../../errors.ts";
import { recordedChanges } from "../../facts/ops/ops-event.ts";
import { isKnownByIntent, type Plan } from "../../plan/plan.ts";
import { differences } from "../../plan/preconditions.ts";
import { describeStep } from "../../plan/steps.ts";
import type { RunState } from "../../run/state.ts";
import { canonicalJson, parseJson, printJson } from "../../values/json.ts";
import { inSequence } from "../../values/regexp.ts";
import { processorMillis } from "../../values/testing/processor-time.ts";
import { appliedBefore } from "../connector/applied.ts";
import {
  archived,
  CATALOGUE,
  history,
  known,
  opsEvent,
  RUNNING,
  ranOnFrom,
  STOPPED,
  STORED,
  unseen,
} from "../offset-change/testing/build-facts.ts";
import { planResnapshot, resnapshot } from "./plan.ts";
import { gapText } from "./reading.ts";
import { anyRedo } from "./testing/any-catalogue.ts";
import {
  AFTER_GAP,
  FAILED,
  type FactsParts,
  facts,
  ITEMS,
  intent,
  LINES,
  ORDERS,
  PURGED,
  table,
  tables,
} from "./testing/build-facts.ts";

const of = (wanted: ResnapshotIntent = intent(), parts: FactsParts = {}) => planResnapshot(wanted, facts(parts));
const GAP: FactsParts = { catalogue: PURGED };
const ASSERTED = intent({ skipGapForUnlistedTables: "all" });
const stepsOf = (plan: Plan) => plan.steps.map(({ step }) => step);
const blocking = ({ findings }: Plan) => findings.flatMap(({ code, effect }) => (effect === "blocks" ? [code] : []));

const plan = suite("the plan of a resnapshot");

const anyIntent = fc
  .record({
    tables: fc.shuffledSubarray([ORDERS, LINES, ITEMS, "orclpdb1.sales.orders", "SALES.ORDERS"], { minLength: 1 }),
    skipGapForUnlistedTables: fc.constantFrom("none" as const, "all" as const, [ITEMS], [LINES, ITEMS]),
    waitForTransactions: fc.constantFrom(undefined, 60_000n),
    waitForAck: fc.constantFrom(undefined, 300_000n),
    resume: fc.boolean(),
    by: fc.constantFrom("plan file" as const, "admin" as const),
    accept: fc.subarray(["TRX501", "OPS603", "DBA401"]),
  })
  .map(intent);

plan("the same intent and facts give the same bytes and the same digest, and a plain value", async () => {
  await fc.assert(
    fc.property(anyIntent, anyRedo, fc.constantFrom(RUNNING, STOPPED, FAILED), (wanted, seen, status) => {
      const found = facts({
        catalogue: seen.catalogue,
        probes: known({ applies: true, files: seen.probes }),
        stored: { ...STORED, resume_scn: seen.question.from, resetlogs_scn: seen.question.resetlogsScn },
        database: { currentScn: seen.question.currentScn, resetlogsScn: seen.question.resetlogsScn },
        connector: { captureMode: seen.question.captureMode, status },
      });
      const first = planResnapshot(wanted, found);
      const copy = planResnapshot(structuredClone(wanted), structuredClone(found));
      assert.is(printJson(copy), printJson(first));
      assert.is(copy.decision, first.decision);
      assert.is(canonicalJson(parseJson(printJson(first))), canonicalJson(first), "a plain value");
    }),
    { numRuns: 300 },
  );
});

plan("is ready only if nothing blocks, and never skips changes that were not listed or asserted", async () => {
  const met = { ready: 0, moved: 0 };
  await fc.assert(
    fc.property(anyIntent, fc.boolean(), (wanted, purged) => {
      const made = of(wanted, purged ? GAP : {});
      if (made.outcome.state !== "ready") return assert.ok(blocking(made).length > 0);
      met.ready++;
      assert.equal(blocking(made), []);
      const { tables: named, unlistedTables: left = [] } = made.figures;
      assert.ok(named && named.length > 0);
      assert.is(made.decided.direction === undefined, !purged, "only past a gap the offset moves");
      if (!purged) return assert.not(stepsOf(made).includes("patch-offset"));
      met.moved++;
      if (wanted.skipGapForUnlistedTables === "none") assert.equal(left, []);
      if (typeof wanted.skipGapForUnlistedTables !== "string")
        assert.equal([...wanted.skipGapForUnlistedTables].sort(), left);
    }),
    { numRuns: 500 },
  );
  assert.ok(met.ready > 50 && met.moved > 10, printJson(met));
});

plan("is refused where a pattern decides nothing, until the plan file names the captured tables", () => {
  const included = {
    pdbs: ["ORCLPDB1"],
    include: "ORCLPDB1[.]SALES(?!X)[.].*",
    exclude: undefined,
    caseSensitive: false,
  };
  const open: FactsParts = { ...GAP, connector: { tables: { ...included, exclude: ".*[.]ITEMS(?<!A)" } } };
  assert.equal(blocking(of(ASSERTED, open)).includes("SNP902"), true);
  const stated = of(intent({ skipGapForUnlistedTables: "all", capturedTables: [LINES, ORDERS, ITEMS] }), open);
  assert.equal(blocking(stated), []);
  assert.equal(stated.figures.unlistedTables, [ITEMS]);
  assert.equal(stated.decided.capturedTables, [ITEMS, LINES, ORDERS]);
  const fewer = of(intent({ skipGapForUnlistedTables: "all", capturedTables: [LINES, ORDERS] }), open);
  assert.equal(fewer.figures.unlistedTables, []);
  assert.is.not(fewer.decision, stated.decision);
  const wrong = of(intent({ skipGapForUnlistedTables: "all", capturedTables: [LINES, ORDERS, "SALES.NONE"] }), open);
  assert.equal(blocking(wrong).includes("SNP902"), true);
});

plan("shows the gap, its span, the rollback, the captured and the unlisted tables", () => {
  const times = known([
    { scn: 2204511n, at: "2026-11-20T19:02:11Z" },
    { scn: AFTER_GAP, at: "2026-11-20T19:15:11Z" },
  ]);
  const { figures, first, diff } = of(ASSERTED, { ...GAP, times });
  const { capturedTables, gapFrom, gapTo, seconds, skipsCommits, redoComplete, missingArchives } = figures;
  assert.equal([capturedTables, gapFrom, gapTo], [3n, 2204511n, AFTER_GAP]);
  assert.equal(first?.commands, ["RESTORE ARCHIVELOG FROM SEQUENCE 121 UNTIL SEQUENCE 121 THREAD 1;"]);
  const [unlisted] = diff;
  assert.equal(
    unlisted?.rows.map(({ label, note }) => [label, note]),
    [[ITEMS, "unknown"]],
  );
  assert.equal([seconds, skipsCommits, redoComplete, missingArchives], [780n, true, false, 1n]);
});

plan("of a signal alone has no offset, no cost and no unlisted tables", () => {
  const { diff, figures, decided } = of();
  assert.equal([diff, decided.scn, decided.gap, figures.unlistedTables], [[], undefined, undefined, undefined]);
  assert.is(figures.skipsCommits, false);
});

plan("of a gap of a thousand pieces has a message that fits into a record", () => {
  const logs = Array.from({ length: 2000 }, (_, i) =>
    archived(BigInt(200 + i), BigInt(2204000 + i), BigInt(2204001 + i), i % 2 === 0 ? {} : { deleted: true }),
  );
  const { decided, first } = of(ASSERTED, {
    catalogue: { ...CATALOGUE, archived: logs, online: [] },
    stored: { ...STORED, resume_scn: 2204000n },
  });
  const recorded = gapText(decided.gap ?? []);
  assert.ok(recorded.length < 3000);
  assert.match(recorded, /^CDC-200\d .*; and 99\d more$/);
  assert.ok((first?.commands.length ?? 0) > 900, "the way back is whole");
});

plan("with 100,000 unlisted tables is made in reasonable time", () => {
  const wanted = intent({ tables: ["ORCLPDB1.SALES.T1"], skipGapForUnlistedTables: "all" });
  const begin = processorMillis();
  const made = of(wanted, { ...GAP, tables: tables(100_000) });
  assert.is(made.figures.unlistedTables?.length, 99_999);
  assert.ok(processorMillis() - begin < 20_000, `${processorMillis() - begin} ms`);
});

plan("is identified by its intent if only a signal is written, and by its decision past a gap", () => {
  assert.ok(isKnownByIntent(of()));
  assert.not(isKnownByIntent(of(ASSERTED, GAP)));
});

plan("is recorded with a digest of the evidence that was shown", () => {
  const times = known([{ scn: 2204511n, at: "2026-11-20T19:02:11Z" }]);
  const changed = { ...table("ITEMS"), lastDdl: "2026-11-20T19:05:00Z", modifications: undefined, analyzed: undefined };
  const [seen, unseen] = [{ activity: known([changed]) }, {}].map((parts) => of(ASSERTED, { ...GAP, times, ...parts }));
  assert.ok(seen && unseen);
  assert.equal([seen.figures.changedTables, unseen.figures.changedTables], [[ITEMS], []]);
  assert.is(seen.decision, unseen.decision);
  const evidence = (one: Plan<"Resnapshot">) => resnapshot.subject(one).snapshot?.evidence;
  assert.is.not(evidence(seen), evidence(unseen));
  assert.is(evidence(of()), undefined);
});

plan("shows where the offset goes past a gap, its rows, and the redo from the stored position on", () => {
  const { timeline, figures } = of(ASSERTED, { ...GAP, journaled: known([]) });
  assert.equal(
    timeline?.marks.map(({ mark, scn }) => [mark, scn]),
    [
      ["last commit", 2204498n],
      ["resume SCN", 2204511n],
      ["target", AFTER_GAP],
      ["current SCN", 2241020n],
    ],
  );
  assert.equal(timeline?.unseen, []);
  assert.equal([figures.direction, figures.targetScn], ["forward", AFTER_GAP]);
  const alone = of().timeline;
  assert.equal(
    alone?.marks.map(({ mark }) => mark),
    ["last commit", "resume SCN", "current SCN"],
  );
  assert.equal(
    alone?.unseen.map(({ what }) => what),
    ["journaled transactions"],
  );
});

plan("pins the offset past the gap before it is stored, and none for a signal alone", () => {
  const { resume_rs_id: _rsId, resume_ssn: _ssn, ...kept } = STORED;
  assert.equal(resnapshot.pin(of(ASSERTED, GAP), facts(GAP)), {
    ...{ type: "body-pinned", previous: STORED },
    body: { partition: { server: "orders" }, offset: { ...kept, resume_scn: AFTER_GAP } },
  });
  assert.is(resnapshot.pin(of(), facts()), "the offset to store could not be determined");
});

plan("begins a run that names the signal's topic and tables, the gap and what is not snapshotted", () => {
  const { snapshot, command, direction, scn, forget } = resnapshot.subject(of(ASSERTED, GAP));
  assert.equal([command, direction, scn, forget], ["resnapshot", "forward", AFTER_GAP, []]);
  assert.match(snapshot?.evidence ?? "", /^sha256:/);
  assert.equal(snapshot, {
    evidence: snapshot?.evidence,
    signalsTopic: "orders.cdc.signals",
    tables: [ORDERS, LINES],
    gap: gapText(of(ASSERTED, GAP).decided.gap ?? []),
    unlisted: [ITEMS],
  });
  assert.match(snapshot?.gap ?? "", /^CDC-2002 thread 1 sequence 121 purged/);
  const alone = resnapshot.subject(of());
  assert.equal([alone.scn, alone.direction], [undefined, undefined]);
  assert.equal(alone.snapshot, {
    ...{ signalsTopic: "orders.cdc.signals", tables: [ORDERS, LINES], gap: undefined, unlisted: [] },
    evidence: undefined,
  });
});

plan("begins no run if it is incomplete", () => {
  for (const parts of [{ connector: { valueConverter: "Avro" } }, { catalogue: { ...PURGED, online: [] } }])
    assert.throws(
      () => resnapshot.subject(of(ASSERTED, { ...GAP, ...parts })),
      (error: Refusal) => error.code === "APL801" && error.message.includes("is incomplete"),
    );
});

plan.run();

const order = suite("the steps of a resnapshot");

const PAST = ["stop-connector", "recheck", "write-signal", "record-applying", "patch-offset", "record-outcome"];
const waits = { waitForTransactions: 60_000n, waitForAck: 300_000n } as const;

order("all redo available: the signal, and nothing else", () => {
  assert.equal(stepsOf(of()), ["write-signal"]);
  assert.equal(of().steps, [{ step: "write-signal", topic: "orders.cdc.signals", tables: [ORDERS, LINES] }]);
});

order("redo missing: stop, check again, signal, record, move, record; it stays stopped", () => {
  assert.equal(stepsOf(of(ASSERTED, GAP)), PAST);
});

order("it is resumed afterwards only on request, and the answer is awaited after that", () => {
  assert.equal(stepsOf(of({ ...ASSERTED, resume: true }, GAP)), [...PAST, "resume-connector"]);
  assert.equal(stepsOf(of({ ...ASSERTED, ...waits, resume: true }, GAP)), [
    "wait-for-transactions",
    ...PAST,
    "resume-connector",
    "wait-for-ack",
  ]);
});

order("no answer is awaited from a connector that stays stopped", () => {
  assert.equal(stepsOf(of({ ...ASSERTED, ...waits }, GAP)), ["wait-for-transactions", ...PAST]);
});

const alone: readonly (readonly [string, ResnapshotFacts["connector"]["status"], boolean, readonly string[]])[] = [
  ["a running one is left untouched", RUNNING, false, ["write-signal", "wait-for-ack"]],
  ["a running one is left untouched, resumed or not", RUNNING, true, ["write-signal", "wait-for-ack"]],
  ["a stopped one stays stopped", STOPPED, false, ["write-signal"]],
  ["a stopped one is started on request", STOPPED, true, ["write-signal", "start-connector", "wait-for-ack"]],
  [
    "a paused one is started on request",
    { ...RUNNING, state: "PAUSED" },
    true,
    ["write-signal", "start-connector", "wait-for-ack"],
  ],
  ["a failed one stays failed", FAILED, false, ["write-signal"]],
  [
    "a failed one is restarted after a stop, since a resume alone leaves it failed",
    FAILED,
    true,
    ["write-signal", "stop-connector", "start-connector", "wait-for-ack"],
  ],
  [
    "one whose connector and task failed likewise",
    { state: "FAILED", worker: "w:8083", tasks: [] },
    true,
    ["write-signal", "stop-connector", "start-connector", "wait-for-ack"],
  ],
];
for (const [name, status, resume, steps] of alone)
  order(`a signal alone: ${name}`, () => {
    assert.equal(stepsOf(of(intent({ ...waits, resume }), { connector: { status } })), steps);
  });

const RUNNING_SNAPSHOT = {
  stored: { ...STORED, snapshot: `{"v":1,"complete":false,"tables":{},"scope":["${ORDERS}"]}` },
};

order(
  "an earlier snapshot is waited for before the signal, or stopped with it; its end is awaited after the answer",
  () => {
    const waiting = intent({ waitForSnapshot: 60_000n, waitForCompletion: 90_000n });
    assert.equal(of(waiting, RUNNING_SNAPSHOT).outcome, { state: "ready" });
    assert.equal(stepsOf(of(waiting, RUNNING_SNAPSHOT)), [
      "wait-for-snapshot",
      "write-signal",
      "wait-for-ack",
      "wait-for-completion",
    ]);
    const stopping = { ...ASSERTED, stopRunningSnapshot: true };
    for (const [made, steps] of [
      [of(stopping, RUNNING_SNAPSHOT), ["write-signal"]],
      [of(stopping, { ...GAP, ...RUNNING_SNAPSHOT }), PAST],
    ] as const) {
      assert.equal(made.outcome, { state: "ready" });
      assert.equal(stepsOf(made), steps);
      assert.ok(made.steps.some((step) => step.step === "write-signal" && step.stop));
    }
    assert.is(of(intent(), RUNNING_SNAPSHOT).outcome.state, "blocked");
  },
);

order("a missing signals topic is created in the step that writes the signal", () => {
  const missing = {
    signalsTopic: known("missing" as const),
    signals: known({ end: 0n, unread: [], mayCreate: true }),
  };
  const made = of(intent(), missing);
  assert.equal(
    [made.outcome.state, made.steps.map(describeStep)],
    [
      "ready",
      ["create orders.cdc.signals with one partition, write the signal to snapshot 2 tables to orders.cdc.signals"],
    ],
  );
});

order("a decision without the new settings is that of earlier versions", () => {
  const decided = printJson(of().decided);
  for (const member of ["waitForSnapshot", "stopRunningSnapshot", "waitForCompletion", "removeTableSchemas"])
    assert.not.match(decided, `"${member}"`);
});

order("a run's own signals do not come before itself", () => {
  const unread = ["own", "stop", "other"].map((id, i) => ({ offset: BigInt(i), id, type: "snapshot", tables: [] }));
  const seen = facts({ signals: known({ end: 9n, unread }) });
  const signal = { type: "signal-pinned", id: "own", stopId: "stop", signalsFrom: [], answersFrom: [] } as const;
  const { signals } = resnapshot.asOfRun(seen, { signal } as unknown as RunState);
  assert.equal(signals?.known && signals.value.unread.map(({ id }) => id), ["other"]);
  const unknown = facts({ signals: unseen() });
  assert.equal(resnapshot.asOfRun(unknown, { signal } as unknown as RunState).signals, unseen());
  assert.equal(resnapshot.asOfRun(seen, { signal: undefined } as RunState).signals, seen.signals);
});

order("transactions are not awaited if nothing is skipped", () => {
  assert.not(stepsOf(of(intent(waits))).includes("wait-for-transactions"));
});

/** A transaction that the journal holds, begun behind the stored position. */
const HELD = known(
  [{ xid: "4.9.771", container: 1n, firstScn: 2204600n, user: "APP", clientId: undefined }],
  "orders.cdc.txjournal",
);

for (const [what, status, journaled, only] of [
  ["with those that the journal holds, while a task runs that can remove them", RUNNING, HELD, ["1:4.9.771"]],
  ["without those of the journal once no task runs", STOPPED, HELD, undefined],
  ["without those of the journal where none holds the position back", RUNNING, known([]), undefined],
  ["without those of the journal where it is unreadable", RUNNING, unseen(), undefined],
] as const)
  order(`open transactions are waited for up to the gap's end ${what}`, () => {
    const wanted = { ...ASSERTED, waitForTransactions: 60_000n, accept: ["TRX505"] };
    const [first] = of(wanted, { ...GAP, connector: { status }, journaled }).steps;
    assert.equal(first, {
      ...{ step: "wait-for-transactions", scn: AFTER_GAP, millis: 60_000n },
      ...(only === undefined ? {} : { journaled: { topic: "orders.cdc.txjournal", of: "journal", only } }),
    });
  });

order("journaled transactions and layouts are removed before the move, if the plan file asks for it", () => {
  const wanted = { ...ASSERTED, removeJournaledTransactions: true, removeTableSchemas: true } as const;
  const times = known([
    { scn: 2204511n, at: "2026-11-20T19:02:11Z" },
    { scn: AFTER_GAP, at: "2026-11-20T19:15:11Z" },
  ]);
  const altered = { table: ORDERS, lastDdl: "2026-11-20T19:05:00Z", layout: ORDERS };
  const ddl = known({
    schemaTopic: "orders.cdc.schema",
    tables: [altered, { ...altered, table: LINES, layout: null }],
  });
  const made = of(wanted, { ...GAP, journaled: HELD, times, ddl });
  assert.equal(
    made.steps.flatMap((step) => (step.step === "remove-records" ? step.records : [])),
    [
      { topic: "orders.cdc.txjournal", of: "journal", only: ["1:4.9.771"] },
      { topic: "orders.cdc.schema", of: "schema", only: [ORDERS] },
    ],
  );
  assert.equal(made.decided.removedTransactions, ["1:4.9.771"]);
  assert.equal(made.decided.removedSchemas, [ORDERS]);
  assert.not(of(ASSERTED, { ...GAP, journaled: HELD, times, ddl }).steps.some(({ step }) => step === "remove-records"));
});

order("each says where it writes, what it waits for and how long", () => {
  const wanted = { ...ASSERTED, waitForCompletion: 90_000n, resume: true };
  assert.equal(of(wanted, GAP).steps, [
    { step: "stop-connector", connector: "orders-cdc" },
    { step: "recheck" },
    { step: "write-signal", topic: "orders.cdc.signals", tables: [ORDERS, LINES] },
    { step: "record-applying", topic: "orders.cdc.ops" },
    { step: "patch-offset", connector: "orders-cdc" },
    { step: "record-outcome", topic: "orders.cdc.ops" },
    { step: "resume-connector", connector: "orders-cdc", scn: AFTER_GAP },
    { step: "wait-for-ack", topic: "orders.cdc.ops", millis: 90_000n },
    { step: "wait-for-completion", topic: "orders.cdc.ops", tables: [ORDERS, LINES], millis: 90_000n },
  ]);
  const [first] = of(intent({ waitForSnapshot: 60_000n }), RUNNING_SNAPSHOT).steps;
  assert.equal(first, {
    ...{ step: "wait-for-snapshot", connector: "orders-cdc", topic: "orders.cdc.signals" },
    millis: 60_000n,
  });
  const { steps } = of(intent({ waitForAck: 1000n, waitForCompletion: 90_000n }));
  assert.equal(
    steps.flatMap((step) => ("millis" in step ? [step.millis] : [])),
    [1000n, 90_000n],
  );
});

order("no answer is awaited that can't be read", () => {
  const parts = { connector: { valueConverter: "io.confluent.connect.avro.AvroConverter" } };
  assert.equal(stepsOf(of(intent({ waitForAck: 1000n }), parts)), ["write-signal"]);
});

order("there are none while it is unknown what to do", () => {
  for (const parts of [{ redo: unseen() }, { dictionary: unseen() }, { ...GAP, dictionary: unseen() }])
    assert.equal(of(intent(), parts).steps, []);
  assert.equal(of(ASSERTED, { ...GAP, unopened: ["/redo/redo01.log"] }).steps, [], "no SCN after the gap");
});

order.run();

const once = suite("a resnapshot is carried out once");

const done = (wanted: ResnapshotIntent, outcome: "applied" | "failed" = "applied", run = "a") => [
  opsEvent({ run, command: "resnapshot", intent: digestOfIntent(wanted), ...ranOnFrom(AFTER_GAP) }),
  opsEvent({ run, command: "resnapshot", intent: digestOfIntent(wanted), ...ranOnFrom(AFTER_GAP), outcome }),
];
const other = (outcome: "applied" | "failed") => [opsEvent({ run: "z" }), opsEvent({ run: "z", outcome })];
const MOVED = { stored: { ...STORED, resume_scn: AFTER_GAP } };

once("the same plan file, once the offset has moved past its gap, does nothing: no second signal", () => {
  const made = of(ASSERTED, { ...GAP, ...MOVED, events: done(ASSERTED) });
  assert.ok(made.outcome.state === "no-op");
  assert.match(made.outcome.why, "this resnapshot was already applied at 2026-11-21T09:10:02Z; --again repeats it");
});

once("a record that the stored offset does not confirm is ignored, and the plan is made as usual", () => {
  const forged = done(ASSERTED).map((event) => ({ ...event, details: { ...event.details, new_offset: "null" } }));
  assert.is(of(ASSERTED, { ...MOVED, events: forged }).outcome.state, "ready");
  const changed = { stored: { ...STORED, resume_scn: AFTER_GAP, journal_generation: 16n, event_index: 3n } };
  assert.is(of(ASSERTED, { ...changed, events: done(ASSERTED) }).outcome.state, "ready");
});

once("--again repeats it", () => {
  const found = facts({ ...GAP, ...MOVED, events: done(ASSERTED) });
  assert.is(planResnapshot(ASSERTED, found, { again: true }).outcome.state, "ready");
});

once("is recognized in any file, and distinguished from one with another table or reason", () => {
  const parts = { ...MOVED, events: done(ASSERTED) };
  const moved = { ...ASSERTED, origin: { ...ASSERTED.origin, file: "b.yaml", lines: {} } };
  assert.is(of(moved, parts).outcome.state, "no-op");
  for (const wanted of [
    { ...ASSERTED, tables: [ORDERS] },
    { ...ASSERTED, metadata: { ...ASSERTED.metadata, reason: "once more" } },
  ])
    assert.is(of(wanted, parts).outcome.state, "ready");
});

once("after another change it is superseded", () => {
  const events = [...done(ASSERTED), ...other("applied")];
  const made = of(ASSERTED, { ...MOVED, events });
  assert.is(made.outcome.state, "ready");
  const changes = recordedChanges(events, "orders-cdc");
  assert.is(
    appliedBefore(changes, { decision: made.decision, intent: digestOfIntent(ASSERTED), stored: STORED }).is,
    "superseded",
  );
  assert.is(
    appliedBefore(changes, { decision: made.decision, stored: STORED }).is,
    "never",
    "its decision alone does not tell",
  );
});

once("a failed one, or another that failed after it, changes nothing about that", () => {
  assert.is(of(ASSERTED, { ...GAP, events: done(ASSERTED, "failed") }).outcome.state, "ready");
  assert.is(of(ASSERTED, { ...MOVED, events: [...done(ASSERTED), ...other("failed")] }).outcome.state, "no-op");
});

once("one whose signal was refused is still to be done; one that was accepted, or not answered, is done", () => {
  const id = "srcdb-cdc-admin-1";
  const events = done(ASSERTED).map((event) => ({ ...event, details: { ...event.details, signal_id: id } }));
  for (const [outcome, state, answered] of [
    ["rejected", "ready", id],
    ["failed", "ready", id],
    ["ok", "no-op", id],
    ["rejected", "no-op", "the signal of another run"],
  ] as const) {
    const opsHistory = known(history(events, { answers: [{ id: answered, outcome, message: "" }] }));
    assert.is(of(ASSERTED, { ...MOVED, opsHistory }).outcome.state, state, outcome);
  }
  assert.is(of(ASSERTED, { ...MOVED, events }).outcome.state, "no-op");
});

once("one whose signal was refused has still moved the offset: what was applied before it is superseded", () => {
  const id = "srcdb-cdc-admin-1";
  const later = { ...ASSERTED, tables: [ORDERS] };
  const refused = done(later, "applied", "b").map((event) => ({
    ...event,
    details: { ...event.details, signal_id: id },
  }));
  const events = [...done(ASSERTED), ...refused];
  const answers = [{ id, outcome: "rejected", message: "" }];
  const opsHistory = known(history(events, { answers }));
  assert.is(of(ASSERTED, { ...MOVED, opsHistory }).outcome.state, "ready");
  const before = (wanted: ResnapshotIntent) =>
    appliedBefore(recordedChanges(events, "orders-cdc"), {
      decision: "another",
      intent: digestOfIntent(wanted),
      answers,
      stored: MOVED.stored,
    }).is;
  assert.is(before(ASSERTED), "superseded");
  assert.is(before(later), "never");
});

once("a different gap is a different change: there is something to do", () => {
  assert.is(of(ASSERTED, { ...GAP, events: done(ASSERTED) }).outcome.state, "ready");
  const catalogue = {
    ...PURGED,
    archived: [...PURGED.archived, archived(122n, AFTER_GAP, 2230000n, { deleted: true, status: "D" })],
    online: CATALOGUE.online.map((log) => ({ ...log, sequence: 123n, firstScn: 2230000n })),
  };
  const again = of(ASSERTED, { ...MOVED, catalogue, events: done(ASSERTED) });
  assert.is(again.decided.scn, 2230000n, "the next gap begins where the last one ended");
  assert.is(again.outcome.state, "ready");
});

once("is blocked while a change is in flight, whatever was carried out before", () => {
  const events = [...done(ASSERTED), opsEvent({ run: "b" })];
  assert.is(of(ASSERTED, { ...MOVED, events }).outcome.state, "blocked");
});

once("a signal alone has no record, and is planned again", () => {
  assert.is(of().outcome.state, "ready");
});

once("while the ops topic is unreadable a move is blocked, never repeated", () => {
  assert.ok(blocking(of(ASSERTED, { ...GAP, opsHistory: unseen() })).includes("OPS603"));
});

once.run();

const decision = suite("the decision digest of a resnapshot");

const still: readonly (readonly [string, FactsParts])[] = [
  ["the current SCN", { database: { currentScn: 2249999n } }],
  ["the last commit", { stored: { ...STORED, last_commit_scn: 2204500n, event_index: 3n } }],
  ["the journal generation", { stored: { ...STORED, journal_generation: 18n } }],
  ["the connector's state", { connector: { status: FAILED } }],
  ["the time of the observation", { at: "2026-11-22T00:00:00Z" }],
  ["the worker that was asked", { worker: { url: "http://other:8083", version: "4.3.1" } }],
  ["open transactions", { transactions: unseen() }],
  [
    "the evidence",
    {
      activity: known([
        { ...table("ITEMS"), lastDdl: "2026-11-21T00:00:00Z", modifications: undefined, analyzed: undefined },
      ]),
    },
  ],
  ["evidence that was not read", { activity: unseen("not looked up"), rowScns: unseen("not looked up") }],
];
for (const [name, parts] of still)
  decision(`is independent of ${name}`, () => {
    for (const redo of [{}, GAP]) {
      assert.is(of(ASSERTED, { ...redo, ...parts }).decision, of(ASSERTED, redo).decision);
      assert.equal(differences(of(ASSERTED, redo), of(ASSERTED, { ...redo, ...parts })), []);
    }
  });

decision("does not change while a running connector approaches the gap", () => {
  const nearer = { ...GAP, stored: { ...STORED, resume_scn: 2204900n } };
  assert.is(of(ASSERTED, nearer).decision, of(ASSERTED, GAP).decision);
});

const later = archived(121n, 2204000n, 2220000n, { deleted: true, status: "D" });
const moved: readonly (readonly [string, ResnapshotIntent, FactsParts, RegExp])[] = [
  ["the missing redo", ASSERTED, {}, /^redo was missing, and is now complete$/],
  [
    "the gap's end",
    ASSERTED,
    {
      catalogue: {
        ...PURGED,
        archived: [...PURGED.archived, archived(122n, 2220000n, 2230000n, { deleted: true, status: "D" })],
        online: CATALOGUE.online.map((log) => ({ ...log, sequence: 123n, firstScn: 2230000n })),
      },
    },
    inSequence([
      /target SCN was 2220000 and is 2230000; /,
      /the gap changed: now also CDC-2002 .*121 to 122.*; no longer CDC-2002 .*121/,
    ]),
  ],
  [
    "the captured tables",
    ASSERTED,
    { catalogue: PURGED, tables: [table("ORDERS"), table("LINES"), table("NEW")] },
    /the unlisted tables changed: now also ORCLPDB1\.SALES\.NEW; no longer ORCLPDB1\.SALES\.ITEMS/,
  ],
  ["the tables", { ...ASSERTED, tables: [ORDERS] }, GAP, /the tables changed: no longer ORCLPDB1\.SALES\.LINES/],
  ["the assertion", intent(), GAP, /skipGapForUnlistedTables was all and is none/],
  [
    "the assertion as a list",
    intent({ skipGapForUnlistedTables: [ITEMS] }),
    GAP,
    /was all and is ORCLPDB1\.SALES\.ITEMS/,
  ],
  ["waitForTransactions", { ...ASSERTED, waitForTransactions: 1000n }, GAP, /waitForTransactions was none and is 1000/],
  ["waitForAck", { ...ASSERTED, waitForAck: 1000n }, GAP, /waitForAck was none and is 1000/],
  ["waitForSnapshot", { ...ASSERTED, waitForSnapshot: 1000n }, GAP, /waitForSnapshot was none and is 1000/],
  ["stopRunningSnapshot", { ...ASSERTED, stopRunningSnapshot: true }, GAP, /stopRunningSnapshot was none and is true/],
  ["waitForCompletion", { ...ASSERTED, waitForCompletion: 1000n }, GAP, /waitForCompletion was none and is 1000/],
  [
    "removeJournaledTransactions",
    { ...ASSERTED, removeJournaledTransactions: true },
    GAP,
    /journaled transactions to remove was none and is an empty list/,
  ],
  ["removeTableSchemas", { ...ASSERTED, removeTableSchemas: true }, GAP, /removeTableSchemas was none and is true/],
  ["resume", { ...ASSERTED, resume: true }, GAP, /resume was false and is true/],
  ["opsFormat", { ...ASSERTED, opsFormat: "json" }, GAP, /opsFormat was none and is json/],
  ["what is accepted", { ...ASSERTED, accept: ["TRX501"] }, GAP, /the accepted codes changed: now also TRX501/],
  ["the database", ASSERTED, { ...GAP, database: { dbid: 7n } }, /database or its incarnation/],
  ["the configuration", ASSERTED, { ...GAP, connector: { config: {} } }, /configuration was changed/],
];
for (const [name, wanted, parts, difference] of moved)
  decision(`depends on ${name}, and the difference is named`, () => {
    const before = of(ASSERTED, { catalogue: { ...PURGED, archived: [...CATALOGUE.archived.slice(0, 4), later] } });
    const now = of(wanted, parts);
    assert.is.not(now.decision, before.decision);
    assert.match(differences(before, now).join("; "), difference);
  });

decision("follows from the intent alone as far as the intent tells it, so that an edited file is recognised", () => {
  const wanted = intent({
    ...{ skipGapForUnlistedTables: [ITEMS], resume: true, opsFormat: "json", accept: ["TRX501"] },
    ...{ waitForTransactions: 1n, waitForAck: 2n, waitForSnapshot: 3n, waitForCompletion: 4n },
    ...{ stopRunningSnapshot: true, removeTableSchemas: true },
  });
  const { decided } = resnapshot.byIntent(wanted);
  assert.equal(decided, {
    kind: "Resnapshot",
    connector: "orders-cdc",
    ...{ metadata: wanted.metadata, accept: ["TRX501"] },
    removeTableSchemas: true,
    skipGapForUnlistedTables: [ITEMS],
    ...{ waitForTransactions: 1n, waitForAck: 2n, waitForSnapshot: 3n, stopRunningSnapshot: true },
    ...{ waitForCompletion: 4n, resume: true, opsFormat: "json" },
  });
  const all: Readonly<Record<string, unknown>> = { ...of(wanted, GAP).decided };
  for (const [name, value] of Object.entries(decided)) assert.equal(all[name], value, name);
});

decision("does not depend on the order of the accepted codes", () => {
  const [one, other] = [
    ["TRX501", "OPS603"],
    ["OPS603", "TRX501"],
  ].map((accept) => of({ ...ASSERTED, accept }, GAP).decision);
  assert.is(one, other);
});

decision.run();

const unknowns = suite("an unknown fact of a resnapshot");

/** What can't be seen, and the checks that then stop a signal alone, and a move past a gap. */
const blind: readonly (readonly [keyof ResnapshotFacts, readonly string[], readonly string[]])[] = [
  ["redo", ["SNP904"], ["SNP904"]],
  ["probes", ["SNP904"], ["SNP904"]],
  ["transactions", [], ["TRX501"]],
  ["journaled", [], ["TRX505"]],
  ["times", [], []],
  ["brokers", [], []],
  ["opsTopic", [], ["OPS601"]],
  ["opsHistory", [], ["OPS603"]],
  ["signalsTopic", ["SNP906"], ["SNP906"]],
  ["dictionary", ["SNP902"], ["SNP902"]],
  ["activity", [], []],
  ["rowScns", [], []],
];
for (const [fact, signal, past] of blind) {
  unknowns(`${fact}: a signal alone is ${signal.length === 0 ? "possible" : `blocked by ${signal}`}`, () => {
    assert.equal(blocking(of(ASSERTED, { [fact]: unseen() })), signal);
  });
  unknowns(`${fact}: a move past a gap is ${past.length === 0 ? "possible" : `blocked by ${past}`}`, () => {
    assert.equal(blocking(of(ASSERTED, { ...GAP, [fact]: unseen() })), past);
  });
}

unknowns("everything unknown still gives a plan, which is blocked", () => {
  const parts = Object.fromEntries(blind.map(([fact]) => [fact, unseen()])) as FactsParts;
  const made = of(ASSERTED, parts);
  assert.is(made.outcome.state, "blocked");
  assert.equal(made.steps, []);
});

unknowns.run();
