/**
 * The fault matrix of a migration, from Debezium: every step of a cutover, its verification, the way back and a
 * retirement × before, during, after × what can go wrong; where its topics are kept, of what is then another thing. The
 * other matrix shows that its judge detects wrong stories, and this one that it holds a kept topic.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { DEBEZIUM_PREFIX, DEBEZIUM_TOPIC, debezium } from "../../../providers/sandbox/debezium/legacy-task.ts";
import { debeziumFile } from "../../../providers/sandbox/debezium/scenario.ts";
import { LEGACY_CONNECTOR } from "../../../providers/sandbox/migration/stage.ts";
import { casesOfNow } from "../../dev/pairs.ts";
import { OPS_TOPIC } from "../changed-world.ts";
import { inLanes, isChosen, matrixReport } from "../matrix.ts";
import { type Beginning, beginningOf, type MigrationWorld, openMigrationWorld } from "../migration/migration-world.ts";
import { type PhaseCell, runPhaseCell } from "../migration/phase-cell.ts";
import { EACH, nameOfPhaseCell, PHASE_CELLS } from "../migration/phase-cells.ts";
import { collectedOf, phaseContradictions, type Seen, seen } from "../migration/phase-story.ts";
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

type Topics = "keep" | "new";

/** The ops topic of the new connector, which the judge reads, has the same name whichever the prefix is. */
const opening =
  (topics: Topics): typeof openMigrationWorld =>
  (options = {}, after, guarding = {}) =>
    openMigrationWorld({ migration: debezium({ connector: LEGACY_CONNECTOR }), ...options }, after, {
      ...guarding,
      fileOf: (phase, ...spec) =>
        debeziumFile(phase, topics, ...spec)
          .replace(/connector: \S+/, `connector: ${LEGACY_CONNECTOR}`)
          .replace("topics: keep", `topics: keep\n    config: { cdc.ops.topic: ${OPS_TOPIC} }`),
    });

const INTERNAL = ["cdc.heartbeat", "cdc.schema", "cdc.signals", "cdc.txjournal"];
/** What a phase deletes has other names; never a kept topic, into which both write. */
const DELETES: Readonly<Record<Topics, Readonly<Record<string, readonly string[]>>>> = {
  new: { [RETURN_WITH_TOPICS.name]: ["orders.SALES.ORDERS"], [RETIREMENT.name]: [DEBEZIUM_TOPIC] },
  keep: { [RETURN_WITH_TOPICS.name]: INTERNAL.map((name) => `${DEBEZIUM_PREFIX}.${name}`) },
};
const fromDebezium = (phase: Phase, topics: Topics): Phase => ({
  ...phase,
  deletes: [...phase.deletes, ...(DELETES[topics][phase.name] ?? [])],
});

interface Cell extends PhaseCell {
  readonly topics: Topics;
}

// What Confluent's settings make a cutover record has no counterpart here, and a retirement deletes one topic only.
const NEW = PHASE_CELLS.filter(
  ({ phase, step, moment }) =>
    phase !== CUTOVER_RECORDING && !(phase === RETIREMENT && step === "delete-topics" && moment === "after"),
);
// A verification reads a kept topic once, a rollback deletes no table topic, a retirement none at all.
const KEEPING = [VERIFICATION, RETURN_WITH_TOPICS, RETIREMENT];
const KEPT = PHASE_CELLS.filter(
  ({ phase, step, moment, fault, lasts }) =>
    KEEPING.includes(phase) &&
    !(phase === RETIREMENT && (step === "delete-topics" || moment === "after")) &&
    EACH.includes(fault) &&
    !lasts,
);
const cellsOf = (topics: Topics, cells: readonly PhaseCell[]): readonly Cell[] =>
  cells.map((cell) => ({ ...cell, topics, phase: fromDebezium(cell.phase, topics) }));
const nameOf = (cell: Cell): string => `${cell.topics}: ${nameOfPhaseCell(cell)}`;

const kept = await mkdtemp(join(tmpdir(), "cdcctl-debezium-"));
const beginnings = { new: await quietlyCutOver("new"), keep: await quietlyCutOver("keep") };
const started = performance.now();
const results = await inLanes(
  casesOfNow(
    [...cellsOf("new", NEW), ...cellsOf("keep", KEPT)].filter((cell) => isChosen(nameOf(cell))),
    // The steps are those of the other matrix, which holds their pairs with what can go wrong.
    ({ topics, phase, step, moment, fault, lasts }) => [
      `${topics} ${phase.name} ${moment} ${step}`,
      `${fault} ${lasts}`,
    ],
  ),
  async (cell) => ({
    ...(await runPhaseCell(cell, beginnings[cell.topics][cell.phase.after], opening(cell.topics))),
    cell,
  }),
);
const seconds = Math.round((performance.now() - started) / 1000);
await rm(kept, { recursive: true });

for (const { cell, wrong } of results) matrix(nameOf(cell), () => assert.is(wrong.join("\n"), ""));

for (const phase of KEEPING)
  matrix(`${phase.name}: the judge holds a kept topic`, () => {
    const before: Seen = {
      ...{ legacy: "STOPPED", legacyOffsets: [], next: "RUNNING", nextConfig: undefined, nextOffsets: [] },
      ...{ topics: [DEBEZIUM_TOPIC], evidence: undefined },
    };
    const tale = {
      phase: fromDebezium(phase, "keep"),
      before,
      now: { ...before, topics: [] },
      entries: [],
      events: [],
    };
    assert.ok(phaseContradictions(tale).includes(`${DEBEZIUM_TOPIC} is gone, and was not listed`));
    assert.not.ok(tale.phase.deletes.includes(DEBEZIUM_TOPIC));
  });

matrix.after(() => {
  const report = matrixReport(results, {
    what: "phase",
    nameOf: ({ topics, phase }) => `${topics}: ${phase.name}`,
    seconds,
  });
  process.stdout.write(`\n${report}\n`);
});
matrix.run();

/** Nothing goes wrong. */
async function quietlyCutOver(topics: Topics): Promise<Readonly<Record<Phase["after"], Beginning | undefined>>> {
  const world = await opening(topics)();
  try {
    await quietly(world, fromDebezium(CUTOVER, topics));
    const cutover = await beginningOf(world, join(kept, topics, "cut-over"));
    await quietly(world, fromDebezium(VERIFICATION, topics));
    return { nothing: undefined, cutover, verification: await beginningOf(world, join(kept, topics, "verified")) };
  } finally {
    await world.close();
  }
}

async function quietly(world: MigrationWorld, phase: Phase): Promise<void> {
  const before = seen(world);
  const plan = await world.plan(phase.phase, ...phase.spec);
  const { exit, output } = await runHere(["apply", plan, "--yes", "--settle", "200ms"], world);
  assert.is(exit, 0, output);
  assert.equal(phaseContradictions(await collectedOf(world, phase, before)), []);
}
