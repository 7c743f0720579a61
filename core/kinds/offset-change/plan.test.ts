import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { OffsetChangeFacts, RecordedEvent } from "../../../schemas/generated/facts.ts";
import { digestOfIntent, type OffsetChangeIntent } from "../../document/intent.ts";
import { recordedChanges } from "../../facts/ops/ops-event.ts";
import { differences } from "../../plan/preconditions.ts";
import { offsetSubject } from "../../run/subject.ts";
import { canonicalJson, type JsonObject, parseJson, printJson } from "../../values/json.ts";
import { inSequence } from "../../values/regexp.ts";
import { lineOf } from "../../values/remedy.ts";
import { runStarted } from "../catalogue.ts";
import { appliedBefore } from "../connector/applied.ts";
import { offsetChange, planOffsetChange } from "./plan.ts";
import {
  archived,
  CATALOGUE,
  type FactsParts,
  facts,
  type IntentParts,
  intent,
  known,
  opsEvent,
  ranOnFrom,
  reading,
  STORED,
  toScn,
  unseen,
} from "./testing/build-facts.ts";

const TO = 2169287n;
const STAY = toScn(2204511n, { resume: true });

const plan = suite("the plan of an offset change");

const of = (wanted: OffsetChangeIntent, parts: FactsParts = {}) => planOffsetChange(wanted, facts(parts));
const blocking = (wanted: OffsetChangeIntent, parts: FactsParts = {}) =>
  of(wanted, parts)
    .findings.filter(({ effect }) => effect === "blocks")
    .map(({ code }) => code);

/** What a run of the plan pins before it begins. */
function pinned(wanted: OffsetChangeIntent, parts: FactsParts = {}) {
  const event = offsetChange.pin(of(wanted, parts), facts(parts));
  return typeof event === "object" && event.type === "body-pinned" ? event : undefined;
}
const restoring = (offset: JsonObject) => intent({ position: { to: "restore", run: "a", offset, replacing: STORED } });

const scn = fc.oneof(fc.bigInt({ min: 2090000n, max: 2250000n }), fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }));
const anyStored = fc.oneof(
  fc.constant(null),
  fc
    .tuple(
      scn,
      fc.boolean(),
      fc.dictionary(fc.string(), fc.oneof(fc.string(), scn), { maxKeys: 3, noNullPrototype: true }),
    )
    .map(
      ([resume, asText, more]): JsonObject => ({ ...more, ...STORED, resume_scn: asText ? resume.toString() : resume }),
    ),
);
const anyIntent = fc
  .record({
    to: scn,
    allowSkip: fc.boolean(),
    resume: fc.boolean(),
    forgetReleased: fc.constantFrom("none" as const, "all" as const, ["1:4.9.771"]),
    by: fc.constantFrom("plan file" as const, "admin" as const),
    accept: fc.subarray(["TRX501", "OPS603", "DBA401"]),
  })
  .map(({ to, ...parts }) => toScn(to, parts));

plan("the same intent and facts give the same bytes and the same digest", async () => {
  await fc.assert(
    fc.property(anyIntent, anyStored, (wanted, stored) => {
      const seen = facts({ stored });
      const first = planOffsetChange(wanted, seen);
      const copy = planOffsetChange(structuredClone(wanted), structuredClone(seen));
      assert.is(printJson(copy), printJson(first));
      assert.is(copy.decision, first.decision);
      assert.is(canonicalJson(parseJson(printJson(first))), canonicalJson(first), "a plain value");
    }),
  );
});

plan("is ready only if nothing blocks, and never skips commits unless requested", async () => {
  await fc.assert(
    fc.property(anyIntent, anyStored, (wanted, stored) => {
      const made = of(wanted, { stored });
      const blocks = made.findings.some(({ effect }) => effect === "blocks");
      if (made.outcome.state === "ready") {
        assert.not(blocks);
        const { direction, scn } = made.decided;
        assert.ok(made.diff.length > 0 && made.steps.length > 0);
        if (direction === "forward") assert.ok(wanted.allowSkip);
        assert.ok(scn !== undefined && scn <= made.world.database.currentScn);
      }
      if (made.outcome.state === "blocked") assert.ok(blocks);
    }),
  );
});

plan("stops, checks again, records, patches, records, and resumes only on request", () => {
  const steps = (resume: boolean) => of(intent({ resume })).steps.map(({ step }) => step);
  const always = ["stop-connector", "recheck", "record-applying", "patch-offset", "record-outcome"];
  assert.equal(steps(false), always);
  assert.equal(steps(true), [...always, "resume-connector"]);
});

plan("writes the partition back as it was read, and the first offset under the connector's own", () => {
  const partition = { server: "orders" };
  const stored = pinned(intent(), { connector: { offsets: [{ partition, offset: STORED }] } });
  assert.equal([stored?.body.partition, stored?.previous], [partition, STORED]);
  const first = pinned(intent(), { connector: { offsets: [] } });
  assert.equal([first?.body.partition, first?.previous], [partition, null]);
});

plan("moves from an offset that can be read, by the SCNs between, and from none otherwise", () => {
  const { direction, storedScn, targetScn, scnDistance } = of(toScn(2204501n)).figures;
  assert.equal([direction, storedScn, targetScn, scnDistance], ["backward", 2204511n, 2204501n, 10n]);
  assert.is(of(toScn(2204521n)).figures.scnDistance, 10n);
  for (const stored of [{ resume_scn: "x" }, { ...STORED, v: 9n }])
    assert.is(of(intent(), { stored }).figures.scnDistance, undefined);
});

plan("shows the code that stopped the connector or its task, never that of a task that runs", () => {
  const failedWith = (state: string, ...tasks: readonly (readonly [state: string, trace: string])[]) => {
    const status = {
      state,
      worker: "w",
      ...(state === "FAILED" ? { trace: "CDC-1001 no answer" } : {}),
      tasks: tasks.map(([own, trace], id) => ({ id: BigInt(id), state: own, worker: "w", trace })),
    };
    return of(intent(), { connector: { status } }).connectors[0]?.failedWith;
  };
  assert.is(failedWith("FAILED"), "CDC-1001");
  assert.is(failedWith("RUNNING", ["RUNNING", "CDC-2001"], ["FAILED", "CDC-2002 purged"]), "CDC-2002");
  assert.is(failedWith("RUNNING", ["RUNNING", "CDC-2001"]), undefined);
  assert.is(failedWith("RUNNING", ["FAILED", "no code"]), undefined);
});

plan("shows the redo from the lower one of position and target on", () => {
  const from = (wanted: OffsetChangeIntent, parts: FactsParts = {}) =>
    of(wanted, parts).timeline?.threads[0]?.stretches[0]?.from;
  assert.is(from(toScn(2190001n)), 2190000n, "its log begins there");
  assert.is(from(toScn(2230000n)), 2204000n);
  assert.is(from(toScn(2190001n), { stored: null }), 2190000n);
});

plan("begins a run with the ids that it removes from the orphan release ledger", () => {
  const forgets = (wanted: OffsetChangeIntent, parts: FactsParts = {}) =>
    offsetSubject(runStarted(of(wanted, parts), { run: "a", operator: "ana", cdcctl: "1" }).subject)?.forget;
  assert.equal(forgets(intent({ forgetReleased: ["1:5.2.802"] })), ["1:5.2.802"]);
  assert.equal(forgets(intent({ forgetReleased: "all" })), ["1:4.9.771", "1:5.2.802"]);
  assert.equal(forgets(intent({ forgetReleased: "all" }), { stored: null }), []);
  assert.equal(forgets(intent()), []);
});

plan("begins a run that delivers again as such, and no other", () => {
  assert.is(offsetChange.subject(of(intent({ deliverAgain: true }))).deliverAgain, true);
  assert.is(offsetChange.subject(of(intent())).deliverAgain, undefined);
});

plan("stores no last commit where what was delivered is delivered again, and keeps it otherwise", () => {
  const stored = (wanted: OffsetChangeIntent) => pinned(wanted)?.body.offset?.["last_commit_scn"];
  assert.equal([stored(intent({ deliverAgain: true })), stored(intent())], [undefined, 2204498n]);
});

plan("names the ids that it removes from the orphan release ledger in its step, where there are any", () => {
  const patch = (wanted: OffsetChangeIntent) => of(wanted).steps.find(({ step }) => step === "patch-offset");
  assert.equal(patch(intent({ forgetReleased: "all" })), {
    step: "patch-offset",
    connector: "orders-cdc",
    forgets: ["1:4.9.771", "1:5.2.802"],
  });
  assert.equal(patch(intent()), { step: "patch-offset", connector: "orders-cdc" });
});

plan("starts the connector at the new SCN, and records before and after", () => {
  const topic = "orders.cdc.ops";
  assert.equal(of(intent({ resume: true })).steps, [
    { step: "stop-connector", connector: "orders-cdc" },
    { step: "recheck" },
    { step: "record-applying", topic },
    { step: "patch-offset", connector: "orders-cdc" },
    { step: "record-outcome", topic },
    { step: "resume-connector", connector: "orders-cdc", scn: 2169287n },
  ]);
});

plan("has no steps while its target is unknown", () => {
  assert.equal(of(intent({ position: { to: "earliestAvailable" } }), { redo: unseen() }).steps, []);
});

plan("is blocked while its target is unknown, and says why", () => {
  const seen = (wanted: OffsetChangeIntent, parts: FactsParts = {}) =>
    of(wanted, parts)
      .findings.filter(({ effect }) => effect === "blocks")
      .map((one) => [one.seen, ...one.remedies.map(lineOf)].join("; "))
      .join("\n");
  const earliest = intent({ position: { to: "earliestAvailable" } });
  assert.match(
    seen(earliest, { redo: unseen("no grant", "GRANT IT") }),
    /the redo could not be inspected: no grant; .*GRANT IT/,
  );
  assert.match(seen(restoring({ v: 1n })), "the offset to restore is refused: the stored offset can't be read");
  assert.match(
    seen(earliest, { catalogue: { ...CATALOGUE, online: [] } }),
    "no SCN has all redo up to now; Restore the archived logs, or wait for the next log switch.",
  );
  const timestamp = "1999-01-01T00:00:00Z";
  assert.match(
    seen(intent({ position: { to: "timestamp", timestamp } }), { target: { by: "timestamp", scn: undefined } }),
    inSequence([
      /the database has no SCN for 1999-01-01T00:00:00Z: it keeps only some days, and nothing in the future; /,
      /Give the SCN itself: spec\.scn \(V\$ARCHIVED_LOG\.FIRST_TIME shows which log was written then\)/,
    ]),
  );
});

for (const [zone, timestamp, named] of [
  ["+01:00", "2026-10-20T12:00:00Z", /: \d+ zones .* \(Europe\/Berlin, [A-Z][\w/]+, …\)/],
  ["+00:00", "2026-10-20T12:00:00Z", /: \d+ zones .* \(Europe\/London, [A-Z][\w/]+, …\)/],
  ["-05:00", "2026-10-20T12:00:00Z", /: \d+ zones .* \(America\/New_York, [A-Z][\w/]+, …\)/],
  ["-06:00", "2026-10-20T12:00:00Z", /: \d+ zones .* \(America\/Chicago, [A-Z][\w/]+, …\)/],
  ["-08:00", "2026-10-20T12:00:00Z", /: \d+ zones .* \(America\/Los_Angeles, [A-Z][\w/]+, …\)/],
  ["+11:00", "2026-07-20T12:00:00Z", /: \d+ zones .* \(Antarctica\/Macquarie, Australia\/[A-Z]\w+, …\)/],
] as const)
  plan(`is blocked by a timestamp from before a change of clocks at ${zone}, and names well-known zones first`, () => {
    const at = intent({ position: { to: "timestamp", timestamp } });
    const made = of(at, { database: { zone }, target: { by: "timestamp", scn: TO } });
    assert.is(made.outcome.state, "blocked");
    const [why] = made.findings.filter(({ effect }) => effect === "blocks");
    assert.match(why?.seen ?? "", `zone is ${zone} now and may have been another at ${timestamp}`);
    assert.match(why?.seen ?? "", named);
    assert.match((why?.remedies ?? []).map(lineOf).join("\n"), /spec\.scn[\s\S]*a timestamp after the change/);
    const after = intent({ position: { to: "timestamp", timestamp: "2026-11-20T18:30:00Z" } });
    assert.is(of(after, { database: { zone }, target: { by: "timestamp", scn: TO } }).decided.scn, TO);
  });

plan("shows nothing of transactions that can't be seen as torn", () => {
  const made = of(toScn(2230000n, { allowSkip: true }), { transactions: unseen(), times: unseen() });
  assert.equal(
    made.notes.filter(({ label }) => label === "torn"),
    [],
  );
});

plan.run();

const noOp = suite("nothing to do");

const { resume_rs_id: _rsId, resume_ssn: _ssn, ...SETTLED } = STORED;

noOp("the offset already has the requested value, field by field", () => {
  const { outcome } = of(toScn(2204511n), { stored: SETTLED });
  assert.is(
    outcome.state === "no-op" && outcome.why,
    "the stored offset already has the requested content, field by field",
  );
});

noOp("the same SCN is still applied, as direction `same`, if another field would change", () => {
  for (const [wanted, stored] of [
    [toScn(2204511n), STORED],
    [toScn(2204511n, { forgetReleased: "all" }), SETTLED],
  ] as const) {
    const made = of(wanted, { stored });
    assert.is(made.outcome.state, "ready");
    assert.is(made.figures.direction, "same");
  }
});

noOp("this decision was already applied, and no change followed; --again repeats it", () => {
  const { decision } = of(intent());
  const events = [opsEvent({ run: "a", decision }), opsEvent({ run: "a", decision, outcome: "applied" })].map(
    carrying(TO),
  );
  const { outcome } = of(intent(), { events });
  const at = recordedChanges(events, "orders-cdc")[0]?.latest.at;
  assert.is("why" in outcome && outcome.why, `this decision was already applied at ${at}; --again repeats it`);
  const blocked = of(intent(), { events, opsTopic: unseen() });
  assert.ok(blocked.findings.some(({ effect }) => effect === "blocks"));
  assert.is(blocked.outcome.state, "no-op", "what would block it no longer does");
  const failed = [...events, opsEvent({ run: "b" }), opsEvent({ run: "b", outcome: "failed" })];
  assert.is(of(intent(), { events: failed }).outcome.state, "no-op", "a failed change does not supersede it");
  assert.is(planOffsetChange(intent(), facts({ events }), { again: true }).outcome.state, "ready");
  const later = [...events, opsEvent({ run: "b" }), opsEvent({ run: "b", outcome: "applied" })];
  assert.is(of(intent(), { events: later }).outcome.state, "ready");
  assert.is(appliedBefore(recordedChanges(later, "orders-cdc"), { decision, stored: STORED }).is, "superseded");
});

noOp(
  "the connector has advanced since a forward move: the same plan file is done, although it would now move backward",
  () => {
    const wanted = intent();
    const forward = { run: "a", decision: "sha256:of-the-forward-move", intent: digestOfIntent(wanted) };
    const events = [opsEvent(forward), opsEvent({ ...forward, outcome: "applied" })].map(carrying(TO));
    const { outcome } = of(wanted, { events });
    assert.is(outcome.state, "no-op");
    assert.match(
      "why" in outcome ? outcome.why : "",
      /^this plan file was already applied at \S+; --again repeats it$/,
    );
    assert.is(of(toScn(TO, { forgetReleased: "all" }), { events }).outcome.state, "ready", "another intent");
    const claimed = events.map(({ details, ...event }) => ({ ...event, details: { ...details, new_offset: "{}" } }));
    assert.is(of(wanted, { events: claimed }).outcome.state, "ready", "the stored offset does not confirm it");
  },
);

noOp("a record that the stored offset does not confirm is a claim, and the plan is made as usual", () => {
  const { decision } = of(intent());
  const applied = [opsEvent({ run: "a", decision }), opsEvent({ run: "a", decision, outcome: "applied" })];
  for (const [events, stored] of [
    [applied, STORED],
    [applied.map(carrying(TO)), { ...STORED, journal_generation: 16n }],
    [applied.map(carrying(TO)), { ...STORED, resume_scn: TO - 1n }],
    [applied.map(carrying(TO - 7n)), STORED],
    [applied.map(carrying(TO, "2169000")), STORED],
  ] as const) {
    const made = of(intent(), { events, stored });
    assert.is.not(made.outcome.state, "no-op");
    const observed = { decision, scn: TO, stored };
    const before = appliedBefore(recordedChanges(events, "orders-cdc"), observed);
    assert.ok(before.is === "claimed");
    assert.match(
      before.claim,
      /^the ops topic records that run a by ana \(self-asserted\) applied this at .*, but the stored offset is \{/,
    );
  }
  const ended = opsEvent({ run: "a", decision, outcome: "applied" }, "2026-11-21T09:55:00Z");
  const changes = recordedChanges([opsEvent({ run: "a", decision }), ended], "orders-cdc");
  const gone = appliedBefore(changes, { decision, stored: null });
  assert.is(
    gone.is === "claimed" && gone.claim,
    "the ops topic records that run a by ana (self-asserted) applied this at 2026-11-21T09:55:00Z, but no offset is " +
      "stored, " +
      "which does not match",
  );
});

noOp(
  "a record with another SCN than the decision's is a claim; found by its intent, or without a pinned SCN, not",
  () => {
    const [decision, byIntent] = ["d", "i"];
    const details = { run: "a", decision, intent: byIntent };
    const events = [opsEvent(details), opsEvent({ ...details, outcome: "applied" })].map(carrying(TO));
    const stored = { ...STORED, resume_scn: TO, journal_generation: 18n };
    for (const [query, is] of [
      [{ decision, scn: TO }, "latest"],
      [{ decision, scn: TO + 1n }, "claimed"],
      [{ decision }, "latest"],
      [{ decision: "another", intent: byIntent, scn: TO + 1n }, "latest"],
    ] as const)
      assert.is(appliedBefore(recordedChanges(events, "orders-cdc"), { ...query, stored }).is, is);
  },
);

noOp("an unconfirmed decision is not the expected one", () => {
  const stored = { ...SETTLED, resume_scn: TO };
  const events = [opsEvent({ run: "a", decision: "d" }), opsEvent({ run: "a", decision: "d", outcome: "applied" })];
  const { outcome } = of(toScn(TO), { events, stored });
  assert.equal(outcome.state === "no-op" && outcome.applied, undefined);
  const failed = { run: "b", decision: "e" };
  for (const later of [[], [opsEvent(failed), opsEvent({ ...failed, outcome: "failed" })]]) {
    const confirming = [...events, ...later].map(carrying(TO));
    const confirmed = of(toScn(TO), { events: confirming, stored: { ...stored, journal_generation: 18n } });
    assert.equal(confirmed.outcome.state === "no-op" && confirmed.outcome.applied, "d");
  }
  const unread = of({ ...STAY, position: { to: "scn", scn: TO } }, { opsHistory: unseen(), stored });
  assert.equal(unread.outcome.state === "no-op" && unread.outcome.applied, undefined);
});

function carrying(scn: bigint, text = String(scn)): (event: RecordedEvent) => RecordedEvent {
  return (event) => ({ ...event, details: { ...event.details, ...ranOnFrom(scn), new_resume_scn: text } });
}

noOp("a failed change was not applied", () => {
  const { decision } = of(intent());
  const events = [opsEvent({ run: "a", decision }), opsEvent({ run: "a", decision, outcome: "failed" })];
  assert.is(of(intent(), { events }).outcome.state, "ready");
});

noOp("ids to be forgotten are those of the stored ledger, and none without a stored offset", () => {
  const forgetting = intent({ forgetReleased: "all" });
  const stored = { ...STORED, released_xids: "1:4.9.771,1:4.9.772" };
  assert.equal(reading({ stored }, forgetting).forget, ["1:4.9.771", "1:4.9.772"]);
  assert.equal(reading({ stored: null }, forgetting).forget, []);
});

noOp("a restored offset that is already stored", () => {
  const restore = intent({
    position: { to: "restore", run: "a", offset: STORED, replacing: { ...STORED, resume_scn: 5n } },
  });
  assert.is(of(restore).outcome.state, "no-op");
});

noOp.run();

const startOnly = suite("the offset has the requested value, and the connector is not started");

const inState = (state: string, tasks: readonly string[] = []): Pick<FactsParts, "connector"> => ({
  connector: {
    status: { state, worker: "w", tasks: tasks.map((of, at) => ({ id: BigInt(at), state: of, worker: "w" })) },
  },
});
const STARTS: readonly (readonly [string, Pick<FactsParts, "connector">, readonly string[]])[] = [
  ["STOPPED", inState("STOPPED"), ["start-connector"]],
  ["PAUSED", inState("PAUSED", ["PAUSED"]), ["start-connector"]],
  ["FAILED", inState("FAILED"), ["stop-connector", "start-connector"]],
  ["RUNNING with a FAILED task", inState("RUNNING", ["FAILED"]), ["stop-connector", "start-connector"]],
];
for (const [name, parts, steps] of STARTS)
  startOnly(`${name}: resume starts it, and moves nothing`, () => {
    const made = of(STAY, { stored: SETTLED, ...parts });
    assert.is(made.outcome.state, "ready");
    assert.equal(
      made.steps.map(({ step }) => step),
      steps,
    );
    assert.equal([made.diff, made.figures.direction, made.figures.targetScn], [[], undefined, undefined]);
    const { subject } = runStarted(made, { run: "a", operator: "ana", cdcctl: "1" });
    assert.equal([offsetSubject(subject)?.scn, offsetSubject(subject)?.direction], [undefined, undefined]);
    assert.is(of({ ...STAY, resume: false }, { stored: SETTLED, ...parts }).outcome.state, "no-op");
  });

startOnly("a running connector has nothing to do", () => {
  assert.is(of(STAY, { stored: SETTLED }).outcome.state, "no-op");
});

startOnly("problems that would stop its task block the start; problems of the record do not", () => {
  const gone = { ...CATALOGUE, archived: [], online: [] };
  assert.is(of(STAY, { stored: SETTLED, ...inState("STOPPED"), catalogue: gone }).outcome.state, "blocked");
  assert.is(of(STAY, { stored: SETTLED, ...inState("STOPPED"), opsTopic: unseen() }).outcome.state, "ready");
  const events = [opsEvent({ run: "z" })];
  assert.is(of(STAY, { stored: SETTLED, ...inState("STOPPED"), events }).outcome.state, "blocked");
});

startOnly("a move that was reviewed is as planned if the offset has since reached its target", () => {
  const moves = of(toScn(2169287n, { resume: true }));
  const starts = of(toScn(2169287n, { resume: true }), {
    stored: { ...SETTLED, resume_scn: 2169287n },
    ...inState("STOPPED"),
  });
  assert.is(starts.outcome.state, "ready");
  assert.equal(differences(moves, starts), []);
});

startOnly.run();

const decision = suite("the decision digest");

const still: readonly (readonly [string, FactsParts])[] = [
  ["the current SCN", { database: { currentScn: 2249999n } }],
  ["the resume SCN, on the same side of the target", { stored: { ...STORED, resume_scn: 2210000n } }],
  [
    "the last commit",
    { stored: { ...STORED, last_commit_scn: 2204500n, event_index: 3n, last_commit_xid: "1:1.1.1" } },
  ],
  ["the journal generation", { stored: { ...STORED, journal_generation: 18n } }],
  ["the connector's state", { connector: { status: { state: "FAILED", worker: "w", trace: "x", tasks: [] } } }],
  ["the time of the observation", { at: "2026-11-22T00:00:00Z" }],
  ["the ops topic's events", { events: [opsEvent({ run: "z" }), opsEvent({ run: "z", outcome: "failed" })] }],
  ["the worker that was asked", { worker: { url: "http://other:8083", version: "4.3.1" } }],
  ["open transactions", { transactions: unseen() }],
];
for (const [name, parts] of still)
  decision(`is independent of ${name}`, () => {
    assert.is(of(intent(), parts).decision, of(intent()).decision);
    assert.equal(differences(of(intent()), of(intent(), parts)), []);
  });

const moved: readonly (readonly [string, OffsetChangeIntent, FactsParts, RegExp])[] = [
  ["the pinned SCN", toScn(2169288n), {}, /the target SCN was 2169287 and is 2169288/],
  ["the direction", intent(), { stored: { ...STORED, resume_scn: 2160000n } }, /direction was backward and is forward/],
  ["the stored offset's absence", intent(), { stored: null }, /direction was backward and is initial/],
  ["the database", intent(), { database: { dbid: 7n } }, /database or its incarnation/],
  ["the incarnation", intent(), { database: { resetlogsScn: 2n } }, /database or its incarnation/],
  ["the Kafka cluster", intent(), { worker: { clusterId: "other" } }, /Kafka cluster/],
  ["the connector", intent(), { connector: { name: "other" } }, /the connector was orders-cdc and is other/],
  [
    "the configuration",
    intent(),
    { connector: { config: { "cdc.topic.prefix": "orders" } } },
    /configuration was changed: cdc\.database\.host/,
  ],
  [
    "the reason",
    intent({ metadata: { name: "orders-replay", reason: "another", ticket: undefined } }),
    {},
    /name, reason or ticket/,
  ],
  [
    "the ticket",
    intent({ metadata: { name: "orders-replay", reason: "replay after the bad deploy", ticket: "CHG-1" } }),
    {},
    /ticket/,
  ],
  ["allowSkip", intent({ allowSkip: true }), {}, /allowSkip was false and is true/],
  ["deliverAgain", intent({ deliverAgain: true }), {}, /deliverAgain was none and is true/],
  [
    "removeJournaledTransactions",
    intent({ removeJournaledTransactions: true }),
    {},
    /journaled transactions to remove was none and is an empty list/,
  ],
  ["removeTableSchemas", intent({ removeTableSchemas: true }), {}, /removeTableSchemas was none and is true/],
  ["forgetReleased", intent({ forgetReleased: "all" }), {}, /forgetReleased was none and is all/],
  ["resume", intent({ resume: true }), {}, /resume was false and is true/],
  ["opsFormat", intent({ opsFormat: "json" }), {}, /opsFormat was none and is json/],
  ["what is accepted", intent({ accept: ["TRX501"] }), {}, /accepted codes/],
  ["what is restored", restoring(STORED), {}, /offset to restore/],
];
for (const [name, wanted, parts, difference] of moved)
  decision(`depends on ${name}, and the difference is named`, () => {
    const now = of(wanted, parts);
    assert.is.not(now.decision, of(intent()).decision);
    assert.match(differences(of(intent()), now).join("; "), difference);
  });

decision("is that of earlier versions where a setting of later ones is left out", () => {
  const decided = printJson(of(intent()).decided);
  for (const member of [
    "deliverAgain",
    "removedTransactions",
    "removeTableSchemas",
    "removedSchemas",
    "capturedTables",
  ])
    assert.not.match(decided, `"${member}"`);
});

decision("follows from the intent alone as far as the intent tells it, so that an edited file is recognised", () => {
  for (const wanted of [
    intent({ allowSkip: true, forgetReleased: "all", resume: true, opsFormat: "json", deliverAgain: true }),
    restoring({ ...STORED, resume_scn: 2160000n }),
    intent({ position: { to: "earliestAvailable" }, removeTableSchemas: true }),
  ]) {
    const { decided } = offsetChange.byIntent(wanted);
    const all: Readonly<Record<string, unknown>> = { ...of(wanted).decided };
    assert.ok(Object.keys(decided).length > 8);
    for (const [name, value] of Object.entries(decided)) assert.equal(all[name], value, name);
  }
  assert.is(offsetChange.byIntent(restoring({ ...STORED, resume_scn: 2160000n })).decided.scn, 2160000n);
  assert.is(offsetChange.byIntent(intent()).decided.scn, TO);
  const relative = offsetChange.byIntent(intent({ position: { to: "earliestAvailable" } })).decided;
  assert.not("scn" in relative, "what it resolves to is not known yet");
  const recorded = offsetChange.byIntent(intent({ position: { to: "lastRecorded" } })).decided;
  assert.not("restore" in recorded, "nor what was recorded last");
});

decision("does not depend on the order of the accepted codes, nor on the plan file's path", () => {
  const wanted = intent({ accept: ["TRX501", "OPS603"] });
  const same = { ...intent({ accept: ["OPS603", "TRX501"] }), origin: { ...wanted.origin, file: "b.yaml", lines: {} } };
  assert.is(of(wanted).decision, of(same).decision);
});

decision("a relative target is pinned: the same SCN by timestamp, earliest or number is the same decision", () => {
  const at = intent({ position: { to: "timestamp", timestamp: "2026-11-20T18:30:00Z" } });
  const earliest = intent({ position: { to: "earliestAvailable" } });
  assert.is(of(at, { target: { by: "timestamp", scn: 2169287n } }).decision, of(intent()).decision);
  assert.is(of(earliest).decision, of(toScn(2100000n)).decision);
});

decision("a pinned target is not resolved again", () => {
  const at = intent({ position: { to: "timestamp", timestamp: "2026-11-20T18:30:00Z" } });
  const later = planOffsetChange(at, facts({ target: { by: "timestamp", scn: 2169999n } }), { pinned: 2169287n });
  assert.is(later.decided.scn, 2169287n);
});

decision.run();

const unknowns = suite("an unknown fact");

/** What can't be seen, and the checks that then stop a move back and a move forward. */
const blind: readonly (readonly [keyof OffsetChangeFacts, readonly string[], readonly string[]])[] = [
  ["redo", ["OFF102"], ["OFF102"]],
  ["probes", ["OFF102"], ["OFF102"]],
  ["transactions", [], ["TRX501"]],
  ["journaled", [], ["TRX505"]],
  ["times", [], []],
  ["brokers", [], []],
  ["opsTopic", ["OPS601"], ["OPS601"]],
  ["opsHistory", ["OPS603"], ["OPS603"]],
];
const AHEAD: IntentParts = { allowSkip: true };
for (const [fact, back, ahead] of blind) {
  unknowns(`${fact}: a backward move is ${back.length === 0 ? "possible" : `blocked by ${back}`}`, () => {
    assert.equal(blocking(intent(), { [fact]: unseen() }), back);
  });
  unknowns(`${fact}: a forward move is ${ahead.length === 0 ? "possible" : `blocked by ${ahead}`}`, () => {
    assert.equal(blocking(toScn(2230000n, AHEAD), { [fact]: unseen() }), ahead);
  });
  unknowns(`${fact}: the finding gives the reason, and nothing is reported as fine`, () => {
    const before = of(toScn(2230000n, AHEAD)).findings.filter(({ verdict }) => verdict === "pass").length;
    const { findings } = of(toScn(2230000n, AHEAD), { [fact]: unseen("ORA-00942 on a view") });
    const dueToView = findings.filter(
      ({ verdict, seen }) => verdict === "unknown" && seen?.includes("ORA-00942 on a view"),
    );
    if (fact !== "times") assert.ok(dueToView.length > 0);
    assert.is(findings.filter(({ verdict }) => verdict === "pass").length, before - dueToView.length);
  });
}

unknowns("everything unknown still gives a plan, which is blocked", () => {
  const parts = Object.fromEntries(blind.map(([fact]) => [fact, unseen()])) as FactsParts;
  assert.is(of(intent(), parts).outcome.state, "blocked");
  assert.is(of(intent({ position: { to: "earliestAvailable" } }), parts).outcome.state, "blocked");
});

unknowns.run();

const cost = suite("the cost of a move");

const times = known([
  { scn: 2169287n, at: "2026-11-20T18:30:00Z" },
  { scn: 2204511n, at: "2026-11-20T19:02:11Z" },
  { scn: 2230000n, at: undefined },
]);

/** What a plan says and reckons of its cost. */
const costs = (wanted: OffsetChangeIntent, parts: FactsParts = {}) => {
  const { figures, notes } = of(wanted, parts);
  const { archivedLogs, bytesToMine, seconds, skipsCommits } = figures;
  const said = notes.find(({ label }) => label === "mined again" || label === "skipped")?.text ?? "";
  return { figures: { archivedLogs, bytesToMine, seconds, skipsCommits }, said };
};
const NONE = { archivedLogs: undefined, bytesToMine: undefined, seconds: undefined, skipsCommits: false };

cost(
  "back: the archived logs between the two, their bytes, the time span, and up to where deliveries are recognised",
  () => {
    const { figures, said } = costs(intent(), { times });
    assert.equal(figures, { archivedLogs: 4n, bytesToMine: 4_000_000n, seconds: 1931n, skipsCommits: false });
    assert.match(said, "commits up to 2204498 are recognised and not delivered twice");
  },
);

cost("back: a log that begins at the old position, or ends at the new one, is not mined again", () => {
  const { figures } = costs(toScn(2170000n), { stored: { ...STORED, resume_scn: 2204000n } });
  assert.is(figures.archivedLogs, 2n);
});

cost("back: a second copy of a log is not counted", () => {
  const catalogue = {
    ...CATALOGUE,
    archived: [...CATALOGUE.archived, archived(119n, 2170000n, 2190000n, { name: "/copy" })],
  };
  assert.is(costs(intent(), { catalogue }).figures.archivedLogs, 4n);
});

cost("forward: the skipped time span, if Oracle still knows both times", () => {
  const { figures, said } = costs(toScn(2230000n), { times });
  assert.equal(figures, { ...NONE, skipsCommits: true });
  assert.match(said, "from 2204511 to 2230000, is lost");
});

cost("forward over nothing undelivered: up to where all is delivered, so that nothing is called lost", () => {
  const { figures, said } = costs(toScn(2204498n), { stored: { ...STORED, resume_scn: 2204000n } });
  assert.equal(figures, NONE);
  assert.match(said, "no commit from 2204000 to 2204498 is lost");
});

cost("a forward move of a rollback skips nothing, since all of it was delivered; a backward one is mined again", () => {
  assert.equal(costs(toScn(2230000n, { by: "rollback" })), { figures: NONE, said: "" });
  assert.is(costs(intent({ by: "rollback" })).figures.archivedLogs, 4n);
});

cost("to the offset recorded last is that of the move from what is stored, as far as an SCN can be read there", () => {
  const recorded = intent({ position: { to: "lastRecorded" } });
  const events = [opsEvent({ run: "a" }), opsEvent({ run: "a", outcome: "applied" })].map(carrying(TO));
  const { figures } = costs(recorded, { events, stored: { ...STORED, dbid: null } });
  assert.equal(figures, { ...NONE, archivedLogs: 4n, bytesToMine: 4_000_000n });
  const unread = costs(recorded, { events, stored: { ...STORED, resume_scn: "x" } });
  assert.equal(unread, { figures: { ...NONE, skipsCommits: undefined }, said: "" });
});

cost("there is none for the same SCN, a first offset, and a restored offset", () => {
  const none = { figures: NONE, said: "" };
  assert.equal(costs(toScn(2204511n)), none);
  assert.equal(costs(intent(), { stored: null }), none);
  assert.equal(costs(restoring({ ...STORED, resume_scn: 2160000n })), none);
});

cost.run();

const restore = suite("restoring an offset");

restore("restores every field, also those that a move drops", () => {
  const moved = { ...SETTLED, resume_scn: 2169287n };
  const wanted = intent({
    by: "rollback",
    allowSkip: true,
    position: { to: "restore", run: "a", offset: { ...STORED, threads: "{}" }, replacing: moved },
  });
  const made = of(wanted, { stored: moved });
  assert.is(made.outcome.state, "ready");
  assert.equal(pinned(wanted, { stored: moved })?.body.offset, { ...STORED, threads: "{}" });
});

restore.run();
