/**
 * Every step of a cutover, its verification, the way back and a retirement × before, during, after × what can go wrong:
 * after `recover` world, ops topic and journal tell the same story in every cell, never have both connectors run, and
 * nothing was deleted that was not listed.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { casesOfNow, pairsOf } from "../../dev/pairs.ts";
import { inLanes, isChosen, matrixReport, traitsOf } from "../matrix.ts";
import { runHere } from "../run-command.ts";
import { type Beginning, beginningOf, openMigrationWorld } from "./migration-world.ts";
import { runPhaseCell } from "./phase-cell.ts";
import { nameOfPhaseCell, PHASE_CELLS } from "./phase-cells.ts";
import { collectedOf, type PhaseEvidence, phaseContradictions, seen } from "./phase-story.ts";
import { CUTOVER, type Phase, RETIREMENT, RETURN, RETURN_WITH_TOPICS, VERIFICATION } from "./phases.ts";

const matrix = suite("fault matrix of a migration");
const kept = await mkdtemp(join(tmpdir(), "cdcctl-cutover-"));
const { cutover, verified, beginnings } = await quietlyCutOver();
const back = await evidenceOfQuietPhase(RETURN);
const backWithTopics = await evidenceOfQuietPhase(RETURN_WITH_TOPICS);
const retired = await evidenceOfQuietPhase(RETIREMENT);
const started = performance.now();
const results = await inLanes(
  casesOfNow(
    PHASE_CELLS.filter((cell) => isChosen(nameOfPhaseCell(cell))),
    (cell) => pairsOf([cell.phase.name, ...traitsOf(cell)]),
  ),
  (cell) => runPhaseCell(cell, beginnings[cell.phase.after]),
);
const seconds = Math.round((performance.now() - started) / 1000);
await rm(kept, { recursive: true });

matrix("accepts a consistent story without faults, and detects an inconsistent one", () => {
  for (const tale of [cutover, verified, back, backWithTopics, retired]) {
    assert.equal(phaseContradictions(tale), []);
    assert.match(phaseContradictions({ ...tale, entries: tale.entries.slice(0, -1) }).join(), /is not ended/);
    assert.match(phaseContradictions({ ...tale, entries: [] }).join(), /no run, but the world is done/);
    assert.match(phaseContradictions({ ...tale, now: tale.before }).join(), /succeeded, but the world is as before/);
    assert.match(
      phaseContradictions({ ...tale, now: { ...tale.now, topics: [] } }).join(),
      /is gone, and was not listed/,
    );
  }
});

matrix("detects a connector, an offset or a setting that did not change as expected, and a wrong record", () => {
  const bothThere = { ...back.now, next: "STOPPED" };
  assert.match(phaseContradictions({ ...back, now: bothThere }).join(), /the world is in between/);
  const stored = { ...back.now, nextOffsets: back.before.nextOffsets };
  assert.match(phaseContradictions({ ...back, now: stored }).join(), /the world is in between/);
  const other = { ...cutover.now, nextConfig: { ...cutover.now.nextConfig, "cdc.start.scn": "1" } };
  assert.match(phaseContradictions({ ...cutover, now: other }).join(), /configuration is not the one in the journal/);
  assert.match(
    phaseContradictions({ ...cutover, now: { ...cutover.now, legacyOffsets: [] } }).join(),
    /took over from/,
  );
  const moved = { ...back.before, legacyOffsets: [] };
  assert.match(phaseContradictions({ ...back, before: moved }).join(), /not those that it had stopped with/);
  assert.match(phaseContradictions({ ...back, events: [] }).join(), /done, but the topic says undefined/);
  const [first] = back.events;
  if (first === undefined) throw new Error("a rollback without an event");
  assert.match(phaseContradictions({ ...back, events: [first] }).join(), /done, but the topic says applying/);
});

matrix("detects evidence of another run, and a change that a verification must not make", () => {
  const other = { ...verified.now, evidence: '{"digest":"sha256:00","outcome":"pass"}' };
  assert.match(phaseContradictions({ ...verified, now: other }).join(), /the evidence is not the journal's/);
  const stopped = { ...verified.now, next: "STOPPED" };
  assert.match(phaseContradictions({ ...verified, now: stopped }).join(), /has changed something/);
});

for (const { cell, wrong } of results) matrix(nameOfPhaseCell(cell), () => assert.is(wrong.join("\n"), ""));

matrix.after(() => {
  process.stdout.write(`\n${matrixReport(results, { what: "phase", nameOf: ({ phase }) => phase.name, seconds })}\n`);
});
matrix.run();

/** Nothing goes wrong. Loads what the cells use, so that their short limits are not spent on it. */
async function quietlyCutOver(): Promise<{
  readonly cutover: PhaseEvidence;
  readonly verified: PhaseEvidence;
  readonly beginnings: Readonly<Record<Phase["after"], Beginning | undefined>>;
}> {
  const world = await openMigrationWorld();
  try {
    const cutover = await quietly(world, CUTOVER);
    const afterCutover = await beginningOf(world, join(kept, "cut-over"));
    const verified = await quietly(world, VERIFICATION);
    const afterVerification = await beginningOf(world, join(kept, "verified"));
    return {
      cutover,
      verified,
      beginnings: { nothing: undefined, cutover: afterCutover, verification: afterVerification },
    };
  } finally {
    await world.close();
  }
}

async function evidenceOfQuietPhase(phase: Phase): Promise<PhaseEvidence> {
  const world = await openMigrationWorld({}, beginnings[phase.after]);
  try {
    return await quietly(world, phase);
  } finally {
    await world.close();
  }
}

async function quietly(world: Awaited<ReturnType<typeof openMigrationWorld>>, phase: Phase): Promise<PhaseEvidence> {
  const before = seen(world);
  const { exit, output } = await runHere(
    ["apply", await world.plan(phase.phase, ...phase.spec), "--yes", "--settle", "200ms"],
    world,
  );
  assert.is(exit, 0, output);
  return collectedOf(world, phase, before);
}
