import type { Test } from "uvu";
import * as assert from "uvu/assert";
import { type Cell, type CellResult, LASTING, nameOf, runCell } from "./cell.ts";
import type { Arrival } from "./changed-world.ts";
import { FAULTS, type Place } from "./fault-places.ts";

/** Most of a cell's time is waiting. */
const LANES = 12;
/** `FAULT_MATRIX=during,patch-offset`: only cells whose names hold these words. */
const CHOSEN = process.env["FAULT_MATRIX"]?.split(",") ?? [];

/** Runs the cells that were asked for, side by side. @returns what they came to, in their order */
export async function runCells(all: readonly Cell[]): Promise<Matrix> {
  const cells = all.filter((cell) => CHOSEN.every((word) => nameOf(cell).includes(word)));
  const started = performance.now();
  const results: CellResult[] = [];
  const queue = cells.entries();
  await Promise.all(
    Array.from({ length: LANES }, async () => {
      for (const [index, cell] of queue) results[index] = await struck(cell);
    }),
  );
  return { results, seconds: Math.round((performance.now() - started) / 1000) };
}

interface Matrix {
  readonly results: readonly CellResult[];
  readonly seconds: number;
}

/** On a machine too busy for the short limits a command may end before it comes to the place: that says nothing yet. */
async function struck(cell: Cell): Promise<CellResult> {
  let result = await runCell(cell);
  for (let again = 0; again < 2 && result.struck === undefined; again++) result = await runCell(cell);
  return result;
}

/** A test for each cell, and a line each at the end. */
export function cellTests(matrix: Test, { results, seconds }: Matrix): void {
  for (const { cell, wrong } of results) matrix(nameOf(cell), () => assert.is(wrong.join("\n"), ""));
  matrix.after(() => void process.stdout.write(`\n${matrixReport(results, seconds)}\n`));
}

/** Every cell, a line each, and how many there are. */
function matrixReport(all: readonly CellResult[], seconds: number): string {
  const rows = all.map(({ cell, struck, apply, recover, story, wrong }) => [
    cell.subject.name,
    cell.step,
    cell.moment,
    `${struck?.system === "kafka" ? kafkaName(cell) : cell.fault}${cell.lasts ? LASTING : ""}`,
    struck === undefined ? "-" : request(struck),
    apply === "SIGKILL" ? "137" : String(apply),
    recover === undefined ? "-" : String(recover),
    `${story}${wrong.length === 0 ? "" : "  WRONG"}`,
  ]);
  const head = ["change", "step", "moment", "fault", "request", "apply", "recover", "story"];
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const lines = [head, ...rows].map((row) =>
    row
      .map((text, column) => text.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
  const names = all.map(({ cell }) => cell.subject.name);
  const counts = [...new Set(names)].map((name) => `${names.filter((one) => one === name).length} ${name}`);
  return [...lines, `${all.length} cells in ${seconds} s: ${counts.join(", ")}`].join("\n");
}

function request(struck: Arrival): string {
  switch (struck.system) {
    case "connect":
      return `${struck.method} ${struck.path.replace(/^\/connectors\/[^/]+/, "…")}`;
    case "kafka":
      return struck.api;
    case "oracle":
      return "query";
  }
}

/** Kafka has no 409 and no 500. */
function kafkaName({ fault }: Place): string {
  const kind = FAULTS.find(({ name }) => name === fault);
  return kind === undefined || kind.kafka === fault ? fault : `${kind.kafka} (for ${fault})`;
}
