import type { Arrival } from "./changed-world.ts";
import { FAULTS, type Place } from "./fault-places.ts";
import type { CellResult } from "./injected-faults.ts";

/** Most of a cell's time is waiting. */
const LANES = 12;
/** `FAULT_MATRIX=during,patch-offset`: only cells whose names hold these words. */
const CHOSEN = process.env["FAULT_MATRIX"]?.split(",") ?? [];

/** Whether a cell of this name is selected. */
export function isChosen(name: string): boolean {
  return CHOSEN.every((word) => name.includes(word));
}

/** What a cell is made of, beside what is carried out in it. */
export const traitsOf = ({ step, moment, fault, lasts }: Place): readonly string[] => [
  step,
  moment,
  fault,
  lasts ? "lasting" : "once",
];

/** Runs cells in parallel, with a mark for each that has ended. @returns their results, in order */
export async function inLanes<P, R extends CellResult<Place>>(
  cells: readonly P[],
  run: (cell: P) => Promise<R>,
): Promise<readonly R[]> {
  const done: R[] = [];
  const queue = cells.entries();
  await Promise.all(
    Array.from({ length: LANES }, async () => {
      for (const [index, planned] of queue) {
        done[index] = await reached(() => run(planned));
        process.stdout.write("·");
      }
    }),
  );
  return done;
}

/** A command may time out before it reaches the place, on a busy machine; the cell is then repeated. */
async function reached<R extends CellResult<Place>>(run: () => Promise<R>): Promise<R> {
  let result = await run();
  for (let again = 0; again < 2 && result.injected === undefined; again++) result = await run();
  return result;
}

/**
 * Prints one line per cell, and the number of cells.
 *
 * @param what the heading of what is carried out: `change`, `phase`
 * @param nameOf of a cell, what is carried out in it
 */
export function matrixReport<C extends Place>(
  all: readonly CellResult<C>[],
  { what, nameOf, seconds }: { readonly what: string; readonly nameOf: (cell: C) => string; readonly seconds: number },
): string {
  const rows = all.map(({ cell, injected, apply, recover, story, wrong }) => [
    nameOf(cell),
    cell.step,
    cell.moment,
    `${injected?.system === "kafka" ? kafkaName(cell) : cell.fault}${cell.lasts ? ", lasting" : ""}`,
    injected === undefined ? "-" : request(injected),
    apply === "SIGKILL" ? "137" : String(apply),
    recover === undefined ? "-" : String(recover),
    `${story}${wrong.length === 0 ? "" : "  WRONG"}`,
  ]);
  const head = [what, "step", "moment", "fault", "request", "apply", "recover", "story"];
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const lines = [head, ...rows].map((row) =>
    row
      .map((text, column) => text.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
  const names = all.map(({ cell }) => nameOf(cell));
  const counts = [...new Set(names)].map((name) => `${names.filter((one) => one === name).length} ${name}`);
  return [...lines, `${all.length} cells in ${seconds} s: ${counts.join(", ")}`].join("\n");
}

function request(injected: Arrival): string {
  switch (injected.system) {
    case "connect":
      return `${injected.method} ${injected.path.replace(/^\/connectors\/[^/]+/, "…")}`;
    case "kafka":
      return injected.api;
    case "oracle":
      return "query";
  }
}

/** Kafka has no 409 and no 500. */
function kafkaName({ fault }: Place): string {
  const kind = FAULTS.find(({ name }) => name === fault);
  return kind === undefined || kind.kafka === fault ? fault : `${kind.kafka} (for ${fault})`;
}
