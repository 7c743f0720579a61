/**
 * Every step × before, during, after × everything that can go wrong, once and lasting: after `recover`, world, ops topic and journal tell the
 * same story in every cell.
 */
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { STORED_SCN } from "../../providers/sandbox/sandbox.ts";
import { type Cell, type CellResult, faultCell, killCell, lateCommitCell, quietRun } from "./cell.ts";
import { openChangedWorld } from "./changed-world.ts";
import { FAULTS, MOMENTS, STEPS } from "./fault-places.ts";
import { contradictions, type Told, told } from "./story.ts";

/** Most of a cell's time is waiting. */
const LANES = 12;
/** `FAULT_MATRIX=during,patch-offset`: only cells whose names hold these words. */
const CHOSEN = process.env["FAULT_MATRIX"]?.split(",") ?? [];

interface Planned {
  readonly cell: Cell;
  run(): Promise<CellResult>;
}

const CELLS: readonly Planned[] = STEPS.flatMap((step) =>
  MOMENTS.flatMap((moment): Planned[] => {
    const at = (fault: string, lasts = false): Cell => ({ step, moment, fault, lasts });
    const faults = FAULTS.filter(({ onlyDuring }) => onlyDuring !== true || moment === "during").flatMap((kind) =>
      [false, true].map((lasts) => {
        const cell = at(kind.name, lasts);
        return { cell, run: () => faultCell(cell, kind) };
      }),
    );
    const late = at("late commit");
    const kill = at("SIGKILL");
    const killed = at("SIGKILL, applied");
    return [
      { cell: kill, run: () => killCell(kill, false) },
      ...(moment === "during" ? [{ cell: killed, run: () => killCell(killed, true) }] : []),
      ...faults,
      { cell: late, run: () => lateCommitCell(late) },
    ];
  }),
).filter(({ cell }) => CHOSEN.length === 0 || CHOSEN.every((word) => nameOf(cell).includes(word)));

const matrix = suite("fault matrix");
const quiet = await toldOfQuietRun();
const results = await inLanes(CELLS);

matrix("sees a story that fits where nothing goes wrong, and one that does not where somebody tells another", () => {
  assert.equal(contradictions(quiet), []);
  const [first] = quiet.events;
  if (first === undefined) throw new Error("a run without an event");
  const otherwise = { ...first, details: { ...first.details, outcome: "failed" as const } };
  assert.is(contradictions({ ...quiet, events: [first, otherwise] }).length, 1);
  assert.is(contradictions({ ...quiet, entries: quiet.entries.slice(0, -1) }).length, 1);
  assert.is(contradictions({ ...quiet, stored: { resume_scn: STORED_SCN } }).length, 1);
  assert.is(contradictions({ ...quiet, entries: [] }).length, 2);
});

for (const { cell, wrong } of results) matrix(nameOf(cell), () => assert.is(wrong.join("\n"), ""));

matrix.after(() => {
  process.stdout.write(`\n${table(results)}\n`);
});
matrix.run();

async function toldOfQuietRun(): Promise<Told> {
  const world = await openChangedWorld();
  try {
    await quietRun(world);
    return await told(world);
  } finally {
    await world.close();
  }
}

function nameOf({ step, moment, fault, lasts }: Cell): string {
  return `${moment} ${step}: ${fault}${lasts ? ", lasting" : ""}`;
}

async function inLanes(cells: readonly Planned[]): Promise<readonly CellResult[]> {
  const done: CellResult[] = [];
  const queue = cells.entries();
  await Promise.all(
    Array.from({ length: LANES }, async () => {
      for (const [index, planned] of queue) done[index] = await struck(planned);
    }),
  );
  return done;
}

/** On a machine too busy for the short limits a command may end before it comes to the place: that says nothing yet. */
async function struck(planned: Planned): Promise<CellResult> {
  let result = await planned.run();
  for (let again = 0; again < 2 && result.struck === undefined; again++) result = await planned.run();
  return result;
}

function table(all: readonly CellResult[]): string {
  const rows = all.map(({ cell, struck, apply, recover, story, wrong }) => [
    cell.step,
    cell.moment,
    `${struck?.system === "kafka" ? kafkaName(cell) : cell.fault}${cell.lasts ? ", lasting" : ""}`,
    struck === undefined
      ? "-"
      : struck.system === "kafka"
        ? struck.api
        : `${struck.method} ${struck.path.replace(/^\/connectors\/[^/]+/, "…")}`,
    apply === "SIGKILL" ? "137" : String(apply),
    recover === undefined ? "-" : String(recover),
    `${story}${wrong.length === 0 ? "" : "  WRONG"}`,
  ]);
  const head = ["step", "moment", "fault", "request", "apply", "recover", "story"];
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)));
  return [head, ...rows]
    .map((row) =>
      row
        .map((text, column) => text.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

/** Kafka has no 409 and no 500. */
function kafkaName({ fault }: Cell): string {
  const kind = FAULTS.find(({ name }) => name === fault);
  return kind === undefined || kind.kafka === fault ? fault : `${kind.kafka} (for ${fault})`;
}
