/**
 * Prints how large the product is: what a newcomer has to read, and how far one small rule reaches.
 *
 *   npm run size
 *
 * Exit code 1 where a figure is above its aim.
 */
import { largest } from "../../core/values/lists.ts";
import { FIGURES, measure } from "./figures.ts";

const rows = FIGURES.map((figure) => ({ ...figure, now: measure(figure) }));
const width = largest(rows.map(({ what }) => what.length));
for (const { what, now, aim, missed } of rows) {
  const why = now <= aim ? "" : `  missed: ${missed?.why ?? "the figure has risen"}`;
  process.stdout.write(`${what.padEnd(width)}  ${String(now).padStart(6)}  aim ${String(aim).padStart(6)}${why}\n`);
}
process.exitCode = rows.some(({ now, aim }) => now > aim) ? 1 : 0;
