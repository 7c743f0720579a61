import { suite } from "uvu";
import * as assert from "uvu/assert";
import { ENDS, type JournaledRun, phaseViolations, type SeenPhase } from "./migration-rules.ts";
import type { Command } from "./story.ts";
import type { EventFact, Fact, TargetFact } from "./truth.ts";

const state = (at: number, target: TargetFact["state"]): Fact => ({ fact: "target", at, exact: true, state: target });
const stored = (at: number, scn: bigint | undefined): Fact => ({
  ...{ fact: "stored", at, exact: true },
  offset: scn === undefined ? null : { resume_scn: scn },
});
const event = (at: number, outcome: string): Fact & EventFact => ({
  ...{ fact: "event", at, exact: true, position: BigInt(at), run: "r1", outcome, operator: "alice" },
  ...{ time: BigInt(at), details: {} },
});
const command = (at: number, until: number, code: number, word = "apply", by = "alice"): Command => ({
  ...{ act: "command", at, until, by, args: [word, "phase.yaml"], code, stdout: "", stderr: "" },
});
const journal = (outcome: string | undefined, run = "r1"): JournaledRun => ({ by: "alice", run, begun: 12, outcome });

/** A rollback and a cutover as they should be. */
const BACK: SeenPhase = {
  phase: "rollback",
  late: false,
  legacy: [state(5, "STOPPED"), state(60, "STARTED")],
  next: [
    ...[state(6, "STARTED"), stored(7, 2_030_005n), state(20, "STOPPED")],
    ...[stored(40, undefined), state(55, "GONE")],
  ],
  events: [event(30, "applying"), event(50, "applied")],
  journals: [journal("succeeded")],
  commands: [command(10, 70, 0)],
  ended: ENDS.rollback.to,
  settled: ENDS.rollback.to,
  topicsGone: [],
  recordsLeft: [],
};
const OVER: SeenPhase = {
  ...BACK,
  phase: "cutover",
  legacy: [state(20, "STOPPED")],
  next: [state(30, "STOPPED"), state(40, "STARTED"), stored(50, 2_030_005n)],
  events: [],
  ended: ENDS.cutover.to,
  settled: ENDS.cutover.to,
};
const RETIRED: SeenPhase = {
  ...OVER,
  phase: "retire",
  legacy: [state(5, "STOPPED"), state(20, "GONE")],
  next: [],
  ended: ENDS.retire.to,
  settled: ENDS.retire.to,
  topicsGone: ["ORCLCDB.SALES.ORDERS"],
};

const CASES: readonly { readonly name: string; readonly seen: SeenPhase; readonly broken: RegExp | undefined }[] = [
  { name: "a rollback as it should be", seen: BACK, broken: undefined },
  { name: "a cutover as it should be", seen: OVER, broken: undefined },
  { name: "a retirement as it should be", seen: RETIRED, broken: undefined },
  {
    name: "exit 0, and the journal has failed",
    seen: { ...OVER, journals: [journal("failed")] },
    broken: /alice's apply phase\.yaml: 0, and r1 is failed/,
  },
  {
    name: "exit 0, and the journal is open",
    seen: { ...OVER, journals: [journal(undefined)] },
    broken: /0, and r1 is open/,
  },
  {
    name: "recovered with 0, and open",
    seen: { ...OVER, commands: [command(10, 20, 3), command(30, 70, 0, "recover")], journals: [journal(undefined)] },
    broken: /alice's recover phase\.yaml: 0, and r1 is open/,
  },
  {
    name: "recovered with 0, and backed out",
    seen: {
      ...{ ...OVER, commands: [command(10, 20, 3), command(30, 70, 0, "recover")], journals: [journal("refused")] },
      ...{ legacy: [state(20, "STOPPED"), state(40, "STARTED")], next: [] },
      ...{ ended: ENDS.cutover.from, settled: ENDS.cutover.from },
    },
    broken: undefined,
  },
  {
    name: "succeeded, and recorded as failed",
    seen: { ...BACK, events: [event(30, "applying"), event(50, "applied"), event(52, "failed")] },
    broken: /r1 has succeeded, and is recorded as failed/,
  },
  {
    name: "succeeded, and never recorded to the end",
    seen: { ...BACK, events: [event(30, "applying")] },
    broken: /r1 has succeeded, and is recorded as applying/,
  },
  {
    name: "failed, and recorded as applied",
    seen: { ...BACK, commands: [command(10, 70, 3)], journals: [journal("failed")] },
    broken: /r1 has failed, and is recorded as applied/,
  },
  {
    name: "an offset that is removed before it is recorded",
    seen: { ...BACK, events: [event(41, "applying"), event(50, "applied")] },
    broken: /the offset was removed before an "applying"/,
  },
  {
    name: "a cutover that removes an offset and records nothing",
    seen: { ...OVER, next: [...OVER.next, stored(60, undefined)] },
    broken: /the offset was removed before an "applying"/,
  },
  {
    name: "a connector that is deleted before its removal is recorded",
    seen: { ...BACK, events: [event(30, "applying"), event(56, "applied")] },
    broken: /the new connector was deleted before its removal was "applied"/,
  },
  {
    name: "a rollback that leaves a journal behind",
    seen: { ...BACK, recordsLeft: ["moved.cdc.txjournal"] },
    broken: /moved\.cdc\.txjournal holds records of the connector that is gone/,
  },
  { name: "a journal beside a new connector that stays", seen: { ...OVER, recordsLeft: ["j"] }, broken: undefined },
  {
    name: "a failed cutover that deletes the legacy connector",
    seen: { ...OVER, legacy: [...OVER.legacy, state(60, "GONE")] },
    broken: /the cutover has deleted the legacy connector/,
  },
  {
    name: "a failed cutover that deletes a topic of it",
    seen: { ...OVER, topicsGone: ["ORCLCDB.SALES.ORDERS"] },
    broken: /ORCLCDB\.SALES\.ORDERS is gone, and its connector is not/,
  },
  {
    name: "a retirement that deletes the topics, and not the connector",
    seen: { ...RETIRED, legacy: [] },
    broken: /is gone, and its connector is not/,
  },
  {
    name: "a new connector that starts beside the legacy one",
    seen: { ...OVER, legacy: [state(45, "STOPPED")] },
    broken: /both were started/,
  },
  {
    name: "a legacy connector that is resumed beside the new one",
    seen: { ...BACK, legacy: [state(5, "STOPPED"), state(15, "STARTED")] },
    broken: /both were started/,
  },
  {
    name: "exit 1, and taken over",
    seen: { ...OVER, commands: [command(10, 70, 1)], journals: [journal("refused")] },
    broken: /alice's apply: 1, and the legacy connector is STOPPED/,
  },
  {
    name: "exit 0, and as before",
    seen: { ...OVER, ended: ENDS.cutover.from, settled: ENDS.cutover.from },
    broken: /apply: 0 without a doubt.*does not lead to the planned end/,
  },
  {
    name: "killed, recovered, and in between",
    seen: { ...OVER, settled: { legacy: "STOPPED", next: "STOPPED", stored: false } },
    broken: /it is left in between: the legacy connector is STOPPED, the new one is STOPPED without a stored offset/,
  },
];

const rules = suite("rules of every migration");
for (const { name, seen, broken } of CASES)
  rules(name, () => {
    const problems = phaseViolations(seen).join("; ");
    if (broken === undefined) assert.is(problems, "");
    else assert.match(problems, broken);
  });
rules.run();
