import { suite } from "uvu";
import * as assert from "uvu/assert";
import { callName, type StepName } from "../../core/plan/steps.ts";
import type { JournalEntry } from "../../core/run/journal.ts";
import { succeeded } from "../../core/run/sentences.ts";
import { runState } from "../../core/run/state.ts";
import { journaledChunk } from "../../providers/sandbox/journal-records.ts";
import { healthyWorld } from "../../providers/sandbox/oracle/world.ts";
import { CONNECTOR, PREFIX, storedOffset } from "../../providers/sandbox/sandbox.ts";
import { planFile } from "../../providers/sandbox/scenario.ts";
import { casesOfNow, pairsOf } from "../dev/pairs.ts";
import { type Cell, quietRun, runCell, unreportedDoubts } from "./cell.ts";
import { type Arrival, openChangedWorld } from "./changed-world.ts";
import { type Change, OFFSET_CHANGE, PAST_GAP, resnapshotFile, SIGNAL_ONLY } from "./changes.ts";
import {
  FAULTS,
  type FaultKind,
  faultNamed,
  KILL,
  KILL_APPLIED,
  LASTING,
  LATE_COMMIT,
  MOMENTS,
  type Moment,
  nameOfPlace,
} from "./fault-places.ts";
import { inLanes, isChosen, matrixReport, traitsOf } from "./matrix.ts";
import { fillDictionary, LINES, ORDERS } from "./real/resnapshot-scene.ts";
import { collected, contradictions, type Evidence, unannounced } from "./story.ts";

type Places = Readonly<Partial<Record<StepName, Readonly<Partial<Record<Moment, readonly string[]>>>>>>;

/** Distinct faults for a request to a broker; once, and lasting. */
const AT_A_BROKER = onceAndLasting(
  FAULTS.filter(({ kafka }, at) => FAULTS.findIndex((one) => one.kafka === kafka) === at),
);
const AT_A_WORKER = onceAndLasting(FAULTS);

/**
 * What a resnapshot has of its own it is shown everything at; what it shares with an offset change, where a signal
 * stands by then, what differs by that. A process that is killed costs most of all: once for each thing that may be
 * half done.
 */
const AT_THE_GAP: Places = {
  "wait-for-transactions": { during: [KILL, "disconnect", "disconnect, lasting"], after: ["409, lasting"] },
  "stop-connector": { during: [KILL_APPLIED, "500, not applied, lasting", "500, applied later", LATE_COMMIT] },
  recheck: { during: ["disconnect, lasting", LATE_COMMIT] },
  "write-signal": {
    before: [KILL, "disconnect", "disconnect, lasting"],
    during: [KILL, KILL_APPLIED, ...AT_A_BROKER],
    after: [KILL, "disconnect, lasting", LATE_COMMIT],
  },
  "record-applying": { during: [KILL_APPLIED, "409, lasting", "disconnect, lasting"] },
  "patch-offset": {
    before: [KILL, "409, lasting"],
    during: [KILL_APPLIED, "409, lasting", "time-out, lasting", "500, applied later", "500, applied later, lasting"],
    after: [LATE_COMMIT],
  },
  "record-outcome": { during: ["409, lasting", "disconnect, applied"] },
  "resume-connector": { during: [KILL_APPLIED, "500, not applied, lasting", "500, applied later"] },
  "wait-for-ack": {
    during: [KILL, "time-out", "disconnect", "disconnect, lasting"],
    after: ["500, not applied, lasting", "disconnect"],
  },
};

const BY_A_SIGNAL: Places = {
  "write-signal": { during: [KILL, KILL_APPLIED, ...AT_A_BROKER] },
  "start-connector": { before: [KILL, "409, lasting"], during: [KILL_APPLIED, ...AT_A_WORKER] },
  "wait-for-ack": { during: [KILL, "disconnect, lasting"], after: ["disconnect"] },
};

/** A forward move over a transaction that the task would restore; one chunk, so that its removal is one record. */
const OVER_JOURNALED: Change = {
  name: "offset change over a journaled transaction",
  plan: planFile(
    "orders-skip",
    "skip the nightly load",
    "scn: 2035000",
    "allowSkip: true",
    "accept: [TRX501]",
    "removeJournaledTransactions: true",
    "resume: true",
  ),
  steps: OFFSET_CHANGE.steps.flatMap((step) => (step === "patch-offset" ? ["remove-records", step] : [step])),
  world: {
    offset: { ...storedOffset(healthyWorld()), resume_scn: 2_020_000n },
    journal: {
      records: [
        journaledChunk(PREFIX, { xid: "8.14.2207", chunk: 0, generation: 6n, from: 2_021_000n, to: 2_031_120n }),
      ],
    },
  },
  before: 2_020_000n,
  target: 2_035_000n,
  state: "RUNNING",
};

const OVER: Places = {
  recheck: { during: [LATE_COMMIT] },
  "remove-records": {
    before: [KILL, "disconnect", "disconnect, lasting"],
    during: [KILL, KILL_APPLIED, ...AT_A_BROKER],
    after: [KILL, "disconnect, lasting", LATE_COMMIT],
  },
  "patch-offset": { during: [KILL_APPLIED, "409, lasting", "500, applied later, lasting"] },
};

/** While the connector snapshots another table. */
const AFTER_ANOTHER: Change = {
  ...SIGNAL_ONLY,
  name: "resnapshot after another",
  plan: resnapshotFile("orders-again", `tables: [${ORDERS}]`, "waitForSnapshot: 20s", "waitForCompletion: 20s"),
  steps: ["wait-for-snapshot", "write-signal", "wait-for-ack", "wait-for-completion"],
  world: {
    oracle(world) {
      fillDictionary(world);
      for (const table of world.tables)
        if (table.name === "LINES") Object.assign(table, { statistics: { rows: "4000" } });
    },
    offset: {
      ...storedOffset(healthyWorld()),
      snapshot: `{"v":1,"complete":false,"tables":{},"scope":["${LINES}"]}`,
    },
    config: { "cdc.snapshot.chunk.rows": "100" },
  },
  state: "RUNNING",
};

const WAITING: Places = {
  "wait-for-snapshot": {
    during: [KILL, "409", "500, not applied, lasting", "disconnect", "disconnect, lasting"],
    after: [KILL, "disconnect", "disconnect, lasting"],
  },
  "write-signal": { during: [KILL_APPLIED, "time-out, applied, lasting"] },
  "wait-for-completion": {
    during: [KILL, "time-out", "disconnect", "disconnect, lasting"],
    after: ["500, not applied, lasting", "disconnect"],
  },
};

const CELLS: readonly Cell[] = [
  ...cells(OFFSET_CHANGE, everywhere(OFFSET_CHANGE.steps)),
  ...cells(PAST_GAP, AT_THE_GAP),
  ...cells(SIGNAL_ONLY, BY_A_SIGNAL),
  ...cells(OVER_JOURNALED, OVER),
  ...cells(AFTER_ANOTHER, WAITING),
];

const nameOf = (cell: Cell): string => `${cell.change.name}, ${nameOfPlace(cell)}`;

function everywhere(steps: readonly StepName[]): Places {
  const at = (moment: Moment): readonly string[] => [
    KILL,
    ...(moment === "during" ? [KILL_APPLIED] : []),
    ...onceAndLasting(FAULTS.filter(({ onlyDuring }) => onlyDuring !== true || moment === "during")),
    LATE_COMMIT,
  ];
  const moments = Object.fromEntries(MOMENTS.map((moment) => [moment, at(moment)]));
  return Object.fromEntries(steps.map((step) => [step, moments]));
}

function onceAndLasting(kinds: readonly FaultKind[]): readonly string[] {
  return kinds.flatMap(({ name }) => [name, `${name}${LASTING}`]);
}

function cells(change: Change, places: Places): readonly Cell[] {
  return change.steps.flatMap((step) =>
    MOMENTS.flatMap((moment) =>
      (places[step]?.[moment] ?? []).map((name) => ({ change, step, moment, ...faultNamed(name) })),
    ),
  );
}

/**
 * Every step × before, during, after × everything that can go wrong, once and lasting: after `recover`, world, topics
 * and journal tell the same story in every cell. An offset change is shown all of it; a resnapshot all of it at its own
 * steps, and what differs at the others.
 */

const matrix = suite("fault matrix");
const quiet = await evidenceOfQuietRun(OFFSET_CHANGE);
const pastGap = await evidenceOfQuietRun(PAST_GAP);
const bySignal = await evidenceOfQuietRun(SIGNAL_ONLY);
const started = performance.now();
const results = await inLanes(
  casesOfNow(
    CELLS.filter((cell) => isChosen(nameOf(cell))),
    (cell) => pairsOf([cell.change.name, ...traitsOf(cell)]),
  ),
  runCell,
);
const seconds = Math.round((performance.now() - started) / 1000);

matrix("accepts a consistent story without faults, and detects an inconsistent one", () => {
  assert.equal(contradictions(quiet), []);
  const [first] = quiet.events;
  if (first === undefined) throw new Error("a run without an event");
  const otherwise = { ...first, details: { ...first.details, outcome: "failed" as const } };
  assert.is(contradictions({ ...quiet, events: [first, otherwise] }).length, 1);
  assert.is(contradictions({ ...quiet, entries: quiet.entries.slice(0, -1) }).length, 1);
  assert.is(contradictions({ ...quiet, stored: { resume_scn: OFFSET_CHANGE.before } }).length, 1);
  assert.is(contradictions({ ...quiet, entries: [] }).length, 2);
});

matrix("detects a signal too many, a missing signal, and an unanswered one", () => {
  for (const one of [pastGap, bySignal]) {
    assert.equal(contradictions(one), []);
    assert.is(one.signals.length, 1);
    assert.match(contradictions({ ...one, signals: [...one.signals, "another"] }).join(), /2 signals of one run/);
    assert.match(contradictions({ ...one, signals: ["another"] }).join(), /the journal does not know/);
    assert.match(contradictions({ ...one, signals: [] }).join(), /no signal stands/);
    assert.match(contradictions({ ...one, acks: [] }).join(), /without an answer/);
    assert.match(contradictions({ ...one, entries: [] }).join(), /a signal without a run/);
  }
  assert.match(contradictions({ ...pastGap, events: [] }).join(), /the topic says undefined/);
  assert.match(contradictions({ ...bySignal, events: pastGap.events.map(ofRun(bySignal)) }).join(), /the offset stays/);
});

matrix("detects a call that was not recorded, a call made twice for one entry, and a call in another step", () => {
  const [stop, resume] = [callName("stop", CONNECTOR), callName("start", CONNECTOR)];
  const put = (does: string): Arrival => ({
    system: "connect",
    method: "PUT",
    path: `/connectors/${CONNECTOR}/${does}`,
    n: 1,
  });
  const upTo = (call: string) =>
    quiet.entries.slice(0, quiet.entries.findIndex((entry) => entry.type === "call-sent" && entry.call === call) + 1);
  for (const [does, call] of [
    ["stop", stop],
    ["resume", resume],
  ] as const) {
    const announced = unannounced();
    assert.match(announced(put(does), upTo(call).slice(0, -1)) ?? "", `${call} came after the journal's step-started`);
    assert.is(announced(put(does), upTo(call)), undefined);
    assert.match(announced(put(does), upTo(call)) ?? "", `${call} came twice for one entry of the journal`);
    const givenUp = [...upTo(call), { ...upTo(call).at(-1), type: "call-unanswered" } as JournalEntry];
    assert.match(announced(put(does), givenUp) ?? "", `${call} came twice for one entry of the journal`);
    assert.is(unannounced()(put(does), givenUp), undefined, "it may come late");
    assert.match(
      unannounced()(put(does), upTo(call === stop ? resume : stop)) ?? "",
      `${call} came after the journal's call-sent`,
    );
  }
  const early = upTo(resume).filter((entry) => !("step" in entry) || entry.step === "stop-connector");
  assert.is(unannounced()(put("resume"), early), `${resume} came in the step stop-connector`);
});

matrix("detects a doubt that is not reported, and one reported without reason", () => {
  const { ended } = runState(quiet.entries) ?? {};
  if (ended === undefined) throw new Error("a run without an end");
  assert.equal(unreportedDoubts(quiet.entries, ended.message), []);
  const stop = callName("stop", CONNECTOR);
  const repeated = quiet.entries.flatMap((entry) =>
    entry.type === "call-sent" && entry.call === stop ? [entry, entry] : [entry],
  );
  assert.equal(unreportedDoubts(repeated, ended.message), [`an attempt of ${stop} may come late, which is not said`]);
  const state = runState(repeated);
  assert.ok(state !== undefined);
  assert.equal(unreportedDoubts(repeated, succeeded(state)), []);
  assert.equal(unreportedDoubts(quiet.entries, succeeded(state)), [`${stop} is said to be unanswered`]);
});

for (const { cell, wrong } of results) matrix(nameOf(cell), () => assert.is(wrong.join("\n"), ""));

matrix.after(() => {
  process.stdout.write(
    `\n${matrixReport(results, { what: "change", nameOf: ({ change }) => change.name, seconds })}\n`,
  );
});
matrix.run();

async function evidenceOfQuietRun(change: Change): Promise<Evidence> {
  const world = await openChangedWorld({}, change);
  try {
    const { exit, output } = await quietRun(world);
    assert.is(exit, 0, output);
    return await collected(world);
  } finally {
    await world.close();
  }
}

/** The same event, of another's run. */
function ofRun({ entries }: Evidence): (event: Evidence["events"][number]) => Evidence["events"][number] {
  const [first] = entries;
  if (first?.type !== "run-started") throw new Error("a journal without its first entry");
  return (event) => ({ ...event, details: { ...event.details, run: first.run } });
}
