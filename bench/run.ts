/**
 * Runs the benchmarks: for each the input's size, a peer measured in the same run, the ratio, the bar and whether it holds. Ends with 1
 * when one is missed.
 *
 *   npm run bench
 */
import { availableParallelism, loadavg } from "node:os";
import { buildCommands } from "./command.ts";
import { benchPatterns } from "./patterns.ts";
import { benchRedo } from "./redo.ts";
import { benchRendering } from "./rendering.ts";
import { printResults, type Result } from "./result.ts";
import { benchPlanRoundTrips, benchProbeRoundTrips, benchResnapshotRoundTrips } from "./round-trips.ts";
import { benchStartUp } from "./start-up.ts";

const load = loadavg()[0]?.toFixed(1);
process.stdout.write(`Node ${process.version}, ${availableParallelism()} cores, load ${load} at the start\n\n`);

const results: Result[] = [];
const built = await buildCommands();
try {
  results.push(
    ...(await benchStartUp(built)),
    ...(await benchPlanRoundTrips(built)),
    ...(await benchResnapshotRoundTrips(built)),
  );
} finally {
  await built.remove();
}
results.push(...(await benchProbeRoundTrips()), ...benchRedo(), ...benchPatterns(), ...benchRendering());

const missed = results.filter(({ bar }) => bar?.holds === false);
process.stdout.write(
  `${printResults(results)}\n${missed.length === 0 ? "every bar holds" : `${missed.length} missed`}\n`,
);
process.exitCode = missed.length === 0 ? 0 : 1;
