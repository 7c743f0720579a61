/**
 * The fault matrix of a migration, from Debezium: every step of a cutover, its verification, the way back and a
 * retirement × before, during, after × what can go wrong. The other matrix shows that its judge detects wrong stories.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { DEBEZIUM_TOPIC, debezium } from "../../../providers/sandbox/debezium/legacy-task.ts";
import { debeziumFile } from "../../../providers/sandbox/debezium/scenario.ts";
import { LEGACY_CONNECTOR } from "../../../providers/sandbox/migration/stage.ts";
import { casesOfNow } from "../../dev/pairs.ts";
import { inLanes, isChosen, matrixReport } from "../matrix.ts";
import { type Beginning, beginningOf, openMigrationWorld } from "../migration/migration-world.ts";
import { type PhaseCell, runPhaseCell } from "../migration/phase-cell.ts";
import { nameOfPhaseCell, PHASE_CELLS } from "../migration/phase-cells.ts";
import { collectedOf, phaseContradictions, seen } from "../migration/phase-story.ts";
import {
  CUTOVER,
  CUTOVER_RECORDING,
  type Phase,
  RETIREMENT,
  RETURN_WITH_TOPICS,
  VERIFICATION,
} from "../migration/phases.ts";
import { runHere } from "../run-command.ts";

const matrix = suite("fault matrix of a migration from Debezium");

/** Debezium, with topics of its own for the new connector. */
const open: typeof openMigrationWorld = (options = {}, after, guarding = {}) =>
  openMigrationWorld({ migration: debezium({ connector: LEGACY_CONNECTOR }), ...options }, after, {
    ...guarding,
    fileOf: (phase, ...spec) =>
      debeziumFile(phase, "new", ...spec).replace(/connector: \S+/, `connector: ${LEGACY_CONNECTOR}`),
  });

/** The topics of the table that a phase deletes have other names. */
const DELETES: Readonly<Record<string, string>> = {
  [RETURN_WITH_TOPICS.name]: "orders.SALES.ORDERS",
  [RETIREMENT.name]: DEBEZIUM_TOPIC,
};
const fromDebezium = (phase: Phase): Phase => ({
  ...phase,
  deletes: [...phase.deletes, DELETES[phase.name] ?? []].flat(),
});

// What Confluent's settings make a cutover record has no counterpart here, and a retirement deletes one topic only.
const CELLS = PHASE_CELLS.filter(
  ({ phase, step, moment }) =>
    phase !== CUTOVER_RECORDING && !(phase === RETIREMENT && step === "delete-topics" && moment === "after"),
).map((cell): PhaseCell => ({ ...cell, phase: fromDebezium(cell.phase) }));

const kept = await mkdtemp(join(tmpdir(), "cdcctl-debezium-"));
const beginnings = await quietlyCutOver();
const started = performance.now();
const results = await inLanes(
  casesOfNow(
    CELLS.filter((cell) => isChosen(nameOfPhaseCell(cell))),
    // The steps are those of the other matrix, which holds their pairs with what can go wrong.
    ({ phase, step, moment, fault, lasts }) => [`${phase.name} ${moment} ${step}`, `${fault} ${lasts}`],
  ),
  (cell) => runPhaseCell(cell, beginnings[cell.phase.after], open),
);
const seconds = Math.round((performance.now() - started) / 1000);
await rm(kept, { recursive: true });

for (const { cell, wrong } of results) matrix(nameOfPhaseCell(cell), () => assert.is(wrong.join("\n"), ""));

matrix.after(() => {
  process.stdout.write(`\n${matrixReport(results, { what: "phase", nameOf: ({ phase }) => phase.name, seconds })}\n`);
});
matrix.run();

/** Nothing goes wrong. */
async function quietlyCutOver(): Promise<Readonly<Record<Phase["after"], Beginning | undefined>>> {
  const world = await open();
  try {
    await quietly(world, CUTOVER);
    const cutover = await beginningOf(world, join(kept, "cut-over"));
    await quietly(world, VERIFICATION);
    return { nothing: undefined, cutover, verification: await beginningOf(world, join(kept, "verified")) };
  } finally {
    await world.close();
  }
}

async function quietly(world: Awaited<ReturnType<typeof open>>, of: Phase): Promise<void> {
  const phase = fromDebezium(of);
  const before = seen(world);
  const plan = await world.plan(phase.phase, ...phase.spec);
  const { exit, output } = await runHere(["apply", plan, "--yes", "--settle", "200ms"], world);
  assert.is(exit, 0, output);
  assert.equal(phaseContradictions(await collectedOf(world, phase, before)), []);
}
