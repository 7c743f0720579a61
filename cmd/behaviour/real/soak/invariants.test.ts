import { suite } from "uvu";
import * as assert from "uvu/assert";
import { canonicalJson, type JsonObject } from "../../../../core/values/json.ts";
import { violations } from "./invariants.ts";
import type { Act, Allowed, Story } from "./story.ts";
import type { Fact } from "./truth.ts";

const BASE = 2_030_000n;
const TARGET = 2_010_000n;
const OTHER = 2_020_000n;

const offset = (scn: bigint, generation = 1n): JsonObject => ({ resume_scn: scn, journal_generation: generation });
const stored = (at: number, scn: bigint, generation = 1n): Fact => ({
  fact: "stored",
  at,
  exact: true,
  offset: offset(scn, generation),
});
const state = (at: number, target: "STARTED" | "STOPPED"): Fact => ({ fact: "target", at, exact: true, state: target });
const event = (
  at: number,
  outcome: string,
  of: {
    readonly run?: string;
    readonly by?: string;
    readonly from?: bigint;
    readonly to?: bigint;
    readonly details?: JsonObject;
  } = {},
): Fact => {
  const { run = "r1", by = "alice", from = BASE + 5n, to = TARGET, details } = of;
  return {
    fact: "event",
    at,
    exact: true,
    position: BigInt(at),
    time: BigInt(at),
    run,
    outcome,
    operator: by,
    details: {
      connector: "c1",
      command: "offsets set",
      reason: "a trial",
      operator: by,
      direction: to < from ? "backward" : "forward",
      previous_resume_scn: `${from}`,
      new_resume_scn: `${to}`,
      outcome,
      ...(outcome === "failed" ? { error: "it did not work" } : {}),
      previous_offset: canonicalJson(offset(from)),
      new_offset: canonicalJson(offset(to)),
      ...details,
    },
  };
};
const command = (
  at: number,
  until: number,
  code: number,
  text: string,
  args = ["apply", "plan.yaml"],
  by = "alice",
): Act => ({
  act: "command",
  at,
  until,
  by,
  args,
  code,
  stdout: text,
  stderr: "",
});

const journal = (at: number, sends: 1 | -1): Act => ({ act: "journal", at, by: "alice", call: "PATCH", sends });
const request = (at: number): Act => ({
  ...{ act: "call", at, until: at, by: "alice", status: 200 },
  ...{ method: "PATCH", path: "/connectors/c1/offsets", body: "{}" },
});
const GRACE = "the stop took as long as the workers' grace period; watching the stored offset for 40 s";

/** A change as it should be: stopped, announced, stored, recorded. */
const SOUND: readonly Fact[] = [
  stored(5, BASE),
  state(20, "STOPPED"),
  stored(25, BASE + 5n),
  event(30, "applying"),
  stored(40, TARGET),
  event(50, "applied"),
];
const ABANDONED = event(45, "failed", { details: { error: "abandoned by bob: whether it was changed is unknown" } });
const DONE = `the stored offset of c1 is ${TARGET}, as planned; the connector is stopped`;

const judged = (facts: readonly Fact[], acts: readonly Act[], allows: Allowed = {}): string => {
  const story: Story = {
    kind: "a table",
    trial: "1",
    connector: "c1",
    base: BASE,
    began: 0,
    allows,
    acts: [...acts],
    operators: [],
    targets: [TARGET, OTHER],
    wrong: [],
    facts: () => [...facts].sort((one, other) => one.at - other.at),
  };
  return violations(story).join("; ");
};
const deed = (at: number): Act => ({ act: "deed", at, what: "a disturbance" });
const CUT: JsonObject = { start_floor_scn: BASE, start_open_scn: 0n, start_open_xids: "" };
/** The sound change of an offset that has more fields. */
const moving = (before: JsonObject, after: JsonObject, details: JsonObject = {}): readonly Fact[] => {
  const [from, to] = [
    { ...offset(BASE + 5n), ...before },
    { ...offset(TARGET), ...after },
  ];
  const texts = { previous_offset: canonicalJson(from), new_offset: canonicalJson(to) };
  return SOUND.map((fact) => {
    if (fact.fact === "event") return { ...fact, details: { ...fact.details, ...texts, ...details } };
    if (fact.fact === "target" || fact.at < 25) return fact;
    return { ...fact, offset: fact.at === 25 ? from : to };
  });
};
const without = (dropped: number): readonly Fact[] => SOUND.filter((_, index) => index !== dropped);

const CASES: readonly {
  readonly name: string;
  readonly facts?: readonly Fact[];
  readonly acts?: readonly Act[];
  readonly allows?: Allowed;
  /** Undefined: nothing is wrong. */
  readonly broken: RegExp | undefined;
}[] = [
  { name: "a change as it should be", broken: undefined },
  {
    name: "its connector commits on from the new position",
    facts: [...SOUND, state(60, "STARTED"), stored(70, TARGET, 2n), stored(80, TARGET + 9n, 2n)],
    acts: [command(10, 100, 0, `the stored offset of c1 was set to ${TARGET}, as planned; the connector is resumed`)],
    broken: undefined,
  },
  { name: "an offset from nowhere", facts: [...SOUND, stored(60, 1_990_000n)], broken: /belongs to no position/ },
  { name: "an offset that was not announced", facts: [...SOUND, stored(60, OTHER)], broken: /without an "applying"/ },
  {
    name: "stored before it was announced",
    facts: [...without(3), event(45, "applying")],
    broken: /before its "applying"/,
  },
  {
    name: "stored again by a recover whose journal has lost the outcome",
    facts: [...SOUND, stored(60, TARGET)],
    acts: [command(10, 55, 0, DONE), command(58, 100, 0, "", ["recover"])],
    broken: undefined,
  },
  { name: "stored again after its outcome", facts: [...SOUND, stored(60, TARGET)], broken: /after its "applied"/ },
  {
    name: "two changes at once",
    facts: [...SOUND, event(31, "applying", { run: "r2", by: "bob", to: OTHER }), stored(45, OTHER)],
    broken: /r2 of bob was stored while r1 of alice was open/,
  },
  {
    name: "one after the other",
    facts: [
      ...SOUND,
      event(60, "applying", { run: "r2", by: "bob", from: TARGET, to: OTHER }),
      stored(70, OTHER),
      event(80, "applied", { run: "r2", by: "bob", from: TARGET, to: OTHER }),
    ],
    acts: [command(10, 55, 0, DONE), command(56, 100, 0, DONE.replace(`${TARGET}`, `${OTHER}`), ["apply"], "bob")],
    broken: undefined,
  },
  {
    name: "rolled back to where the connector had come by itself",
    facts: [
      ...SOUND,
      event(60, "applying", { run: "r2", from: TARGET, to: BASE + 5n }),
      stored(70, BASE + 5n),
      event(80, "applied", { run: "r2", from: TARGET, to: BASE + 5n }),
    ],
    acts: [
      command(10, 55, 0, DONE),
      command(56, 100, 0, DONE.replace(`${TARGET}`, `${BASE + 5n}`), ["rollback", "--yes"]),
    ],
    broken: undefined,
  },
  {
    name: "rolled back, and undone by a task",
    facts: [
      ...SOUND,
      event(60, "applying", { run: "r2", from: TARGET, to: BASE + 5n }),
      stored(70, BASE + 5n),
      stored(75, TARGET + 2n),
      event(80, "applied", { run: "r2", from: TARGET, to: BASE + 5n }),
    ],
    acts: [command(10, 55, 0, DONE), command(56, 100, 0, "", ["rollback", "--yes"])],
    broken: /r2 is said to be applied, and does not stand.*0, and the change does not stand/,
  },
  {
    name: "a commit that the body did not know",
    facts: [...SOUND, stored(35, BASE + 7n)],
    broken: /which it had not seen/,
  },
  {
    name: "failed, and stands",
    facts: [...without(5), event(50, "failed")],
    acts: [command(10, 100, 3, "")],
    broken: /is said to have failed, and stands/,
  },
  { name: "applied, and never stored", facts: without(4), broken: /is said to be applied, and was never stored/ },
  {
    name: "abandoned by another machine after it was stored, and applied by its own",
    facts: [...without(5), ABANDONED, event(60, "applied")],
    acts: [command(10, 55, 3, ""), command(56, 100, 0, "", ["recover"])],
    broken: undefined,
  },
  {
    name: "stored after another machine has abandoned it",
    facts: [...without(5), { ...ABANDONED, at: 35 }],
    acts: [command(10, 100, 3, "")],
    broken: /stored after its "failed"/,
  },
  {
    name: "abandoned after it was recorded as applied",
    facts: [...SOUND, { ...ABANDONED, at: 55, position: 55n } as Fact],
    broken: /failed after "applied"/,
  },
  { name: "two outcomes", facts: [...SOUND, event(60, "failed")], broken: /is said to be applied and failed/ },
  { name: "undone, and said to be applied", facts: [...SOUND, stored(45, BASE + 6n)], broken: /does not stand/ },
  { name: "no outcome", facts: without(5), acts: [command(10, 100, 3, "")], broken: /r1 has no outcome/ },
  { name: "exit 1, and it stands", acts: [command(10, 100, 1, "")], broken: /1, and r1 stands/ },
  {
    name: "exit 1, and the connector is left stopped",
    facts: SOUND.slice(0, 3),
    acts: [command(10, 100, 1, "")],
    broken: /was STARTED and is STOPPED/,
  },
  {
    name: "exit 3 for nothing",
    facts: SOUND.slice(0, 1),
    acts: [command(10, 100, 3, "")],
    broken: /3, and nothing has changed/,
  },
  { name: "a bug", acts: [command(10, 100, 70, DONE)], broken: /ended with 70/ },
  {
    name: "recovered, and open",
    facts: without(5),
    acts: [command(42, 100, 0, "", ["recover"])],
    broken: /0, and r1 is open/,
  },
  {
    name: "recovered, and perhaps announced only afterwards",
    facts: [...without(3), { ...event(32, "applying"), exact: false, since: 28 }],
    acts: [command(26, 31, 0, "", ["recover"], "bob"), command(10, 100, 0, DONE)],
    broken: undefined,
  },
  {
    name: "status knows nothing",
    facts: without(5),
    acts: [command(60, 100, 0, "", ["status"])],
    broken: /status: 0, and r1 is open/,
  },
  {
    name: "changes are said to remain, and there are none",
    facts: SOUND.slice(0, 1),
    acts: [command(10, 100, 1, "some changes of this run remain")],
    broken: /"some changes of this run remain"/,
  },
  { name: "a warning of Node.js", acts: [command(10, 100, 0, `${DONE} (node:7) Warning`)], broken: /Node\.js warns/ },
  { name: "locked out", acts: [command(10, 100, 0, `${DONE} STA701`)], broken: /locked out/ },
  {
    name: "said to be resumed",
    acts: [command(10, 100, 0, DONE.replace("stopped", "resumed"))],
    broken: /"as planned; the connector is resumed"/,
  },
  {
    name: "another one is accused",
    acts: [command(10, 100, 0, `${DONE}, by another hand`)],
    broken: /"by another hand"/,
  },
  {
    name: "there was a person",
    acts: [command(10, 100, 0, `${DONE}, by another hand`)],
    allows: { people: true },
    broken: undefined,
  },
  {
    name: "nothing remains of what stands",
    acts: [command(10, 100, 3, "nothing of this run remains")],
    broken: /"nothing of this run remains"/,
  },
  {
    name: "a late commit that never came",
    acts: [command(10, 100, 3, "it has committed once more")],
    broken: /"committed once more"/,
  },
  {
    name: "status tells a change undone that stands",
    acts: [
      command(10, 100, 0, DONE),
      command(110, 120, 3, "a task has committed once more; the change of run r1 is undone", ["status"]),
    ],
    broken: /"committed once more"/,
  },
  {
    name: "status tells of a late commit that came after the run had ended",
    facts: [...SOUND, stored(105, BASE + 5n)],
    acts: [
      command(10, 100, 0, `${DONE}; not proven: the old task has ended`),
      command(110, 120, 3, "a task has committed once more; the change of run r1 is undone", ["status"]),
    ],
    allows: { late: true },
    broken: undefined,
  },
  {
    name: "a report that does not know something else excuses nothing",
    facts: [...SOUND, stored(45, BASE + 6n)],
    acts: [command(10, 100, 0, `${DONE}; journaled transactions unknown`)],
    broken: /0, and the change does not stand/,
  },
  {
    name: "a body that loses fields, and says so",
    facts: moving({ dbid: 1n, released_xids: "3:1.1.1", last_commit_scn: 5n }, {}),
    broken: /r1 changes dbid.*r1 changes last_commit_scn.*r1 changes released_xids/,
  },
  {
    name: "ids that the event names as forgotten",
    facts: moving(
      { released_xids: "3:1.1.1,3:2.2.2" },
      { released_xids: "3:2.2.2" },
      { forgotten_released: "3:1.1.1" },
    ),
    broken: undefined,
  },
  { name: "back below the first-start cut, which is lifted", facts: moving(CUT, {}), broken: undefined },
  {
    name: "back below the first-start cut, which stays",
    facts: moving(CUT, CUT),
    broken: /changes nothing below its cut, and keeps start_floor_scn/,
  },
  {
    name: "a cut that is lifted although a commit was acknowledged",
    facts: moving({ ...CUT, last_commit_xid: "3:4.9.771" }, { last_commit_xid: "3:4.9.771" }),
    broken: /r1 changes start_floor_scn.*r1 changes start_open_scn.*r1 changes start_open_xids/,
  },
  {
    name: "a cut that is lifted by a move that stays above it",
    facts: moving({ ...CUT, start_floor_scn: TARGET }, {}),
    broken: /r1 changes start_floor_scn/,
  },
  {
    name: "an acknowledged commit and the cut that are removed to deliver again",
    facts: moving(
      { ...CUT, last_commit_xid: "3:4.9.771", last_commit_scn: 5n, event_index: 2n },
      { event_index: 0n },
      { deliver_again: "true" },
    ),
    broken: undefined,
  },
  {
    name: "an event of another direction and without its reason",
    facts: [...without(5), event(50, "applied", { details: { direction: "forward", reason: "" } })],
    broken: /"applied" of r1: no reason.*direction is forward, not backward/,
  },
  {
    name: "failed, without an error",
    facts: [...without(5).slice(0, 4), event(50, "failed", { details: { error: "" } })],
    acts: [command(10, 100, 1, "")],
    broken: /"failed" of r1: no error/,
  },
  {
    name: "admin ends with 1, and the change stands",
    acts: [command(10, 100, 1, "refused", ["admin", "offsets"])],
    broken: /1, r1 stands, and it does not say so/,
  },
  {
    name: "recover ends with 1, and has changed the offset",
    facts: [...SOUND.slice(0, 4), stored(60, TARGET), event(70, "applied")],
    acts: [command(10, 35, 3, "in doubt"), command(55, 100, 1, "", ["recover"])],
    broken: /1, and it has changed the offset for r1/,
  },
  {
    name: "recover ends with 1, and has changed nothing",
    acts: [command(10, 52, 0, DONE), command(55, 100, 1, "", ["recover"])],
    broken: undefined,
  },
  {
    name: "a record that is dated by when it was seen may have come since the fetch before, and not earlier",
    facts: [...without(3), { ...event(45, "applying"), exact: false, since: 41 }],
    broken: /before its "applying"/,
  },
  {
    name: "a record that was seen late",
    facts: [...without(3), { ...event(45, "applying"), exact: false, since: 39 }],
    broken: undefined,
  },
  {
    name: "refused for a run that has ended",
    acts: [command(10, 100, 0, DONE), command(110, 120, 1, "bob's run is changing c1 ✗ OPS603")],
    broken: /OPS603, and no run is open/,
  },
  {
    name: "refused for an open run",
    facts: without(5),
    acts: [command(42, 60, 1, "bob's run is changing c1 ✗ OPS603", ["apply"], "bob")],
    allows: { open: true },
    broken: undefined,
  },
  {
    name: "refused for a run that its own machine has settled",
    acts: [
      command(10, 100, 3, DONE),
      command(105, 108, 0, "", ["recover"]),
      command(110, 120, 1, "run r1 is not settled: APL813"),
    ],
    broken: /APL813, and no run is open/,
  },
  {
    name: "a request that its journal does not know",
    acts: [command(10, 100, 0, DONE), journal(35, 1), request(36), request(38)],
    broken: /alice's PATCH, 1 times/,
  },
  {
    name: "a request that its journal calls withheld",
    acts: [command(10, 100, 0, DONE), journal(35, 1), request(36), journal(37, -1)],
    broken: /alice's PATCH, 1 times/,
  },
  {
    name: "one attempt that goes to a second worker",
    acts: [command(10, 100, 0, DONE), journal(35, 1), request(36), request(37)],
    broken: /one that was withheld does not leave: alice's PATCH/,
  },
  {
    name: "a second attempt, and a third one that was withheld",
    acts: [
      command(10, 100, 0, DONE),
      ...[33, 35, 37].map((at) => journal(at, 1)),
      request(34),
      request(36),
      journal(38, -1),
    ],
    broken: undefined,
  },
  {
    name: "an outcome that is dated before its change began",
    facts: SOUND.map((fact) => (fact.fact === "event" && fact.at === 50 ? { ...fact, time: 29n } : fact)),
    broken: /"applied" of r1 is dated before/,
  },
  {
    name: "a long wait after a short stop",
    acts: [command(10, 100, 0, `${GRACE} c1 stopped after 4 s; ${DONE}`)],
    broken: /had stopped it in 4 s/,
  },
  {
    name: "a long wait after a long stop",
    acts: [command(10, 100, 0, `${GRACE} c1 stopped after 5 s; ${DONE}`)],
    broken: undefined,
  },
  { name: "minutes for what nothing disturbs", acts: [command(10, 76_000, 0, DONE)], broken: /took 76 s/ },
  { name: "it watches a stopped task", acts: [command(10, 76_000, 0, `${GRACE}; ${DONE}`)], broken: undefined },
  {
    name: "it watches a stopped task, and then nothing any more",
    acts: [command(10, 116_000, 0, `${GRACE}; ${DONE}`)],
    broken: /took 116 s/,
  },
  {
    name: "a minute and more after the kill that it recovers from",
    acts: [deed(8), command(10, 76_000, 0, DONE, ["recover"])],
    broken: /alice's recover took 76 s/,
  },
  {
    name: "asleep for two minutes, and at once when it wakes",
    acts: [deed(20), deed(70_000), deed(130_000), command(10, 140_000, 0, DONE)],
    broken: undefined,
  },
  {
    name: "a timeout that it was given, where it was disturbed",
    acts: [deed(20), command(10, 100_000, 0, DONE, ["apply", "plan.yaml", "--resume-timeout", "30s"])],
    broken: undefined,
  },
  {
    name: "the same where nothing disturbed it",
    acts: [command(10, 100_000, 0, DONE, ["apply", "plan.yaml", "--resume-timeout", "30s"])],
    broken: /took 100 s/,
  },
];

const invariants = suite("invariants of every trial");
for (const { name, facts = SOUND, acts = [command(10, 100, 0, DONE)], allows, broken } of CASES)
  invariants(name, () => {
    const problems = judged(facts, acts, allows);
    if (broken === undefined) assert.is(problems, "");
    else assert.match(problems, broken);
  });
invariants.run();
