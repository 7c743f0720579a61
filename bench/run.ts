/**
 * Runs the benchmarks and prints for each the input's size, a peer measured in the same run, the ratio, the bar and
 * whether it holds. Ends with 1 when a bar is missed.
 *
 * npm run bench
 * npm run bench -- patterns redo     some of them
 * npm run bench -- verify            those whose names begin with it
 */
import { availableParallelism, loadavg } from "node:os";
import { buildCommands } from "./command.ts";
import { benchExplainLag } from "./explain-lag.ts";
import { benchFleet, benchLargeFleet } from "./fleet.ts";
import { benchJournal } from "./journal.ts";
import { benchPatterns } from "./patterns.ts";
import { benchRedo } from "./redo.ts";
import { benchModel, benchRendering } from "./rendering.ts";
import { printResults, type Result } from "./result.ts";
import {
  benchCheckRoundTrips,
  benchPlanRoundTrips,
  benchProbeRoundTrips,
  benchResnapshotRoundTrips,
} from "./round-trips.ts";
import { benchSpark, benchSparkDriver } from "./spark.ts";
import { benchStartUp } from "./start-up.ts";
import { benchVerify } from "./verify.ts";
import { benchDebezium, benchKeptTopics } from "./verify-debezium.ts";
import { benchVerifyWhole } from "./verify-whole.ts";

const load = loadavg()[0]?.toFixed(1);
process.stdout.write(`Node ${process.version}, ${availableParallelism()} cores, load ${load} at the start\n\n`);

type Built = Awaited<ReturnType<typeof buildCommands>>;

const BENCHES: Readonly<Record<string, (built: () => Promise<Built>) => Promise<readonly Result[]>>> = {
  "start-up": async (built) => benchStartUp(await built()),
  "round-trips": async (built) => [
    ...(await benchPlanRoundTrips(await built())),
    ...(await benchResnapshotRoundTrips(await built())),
    ...(await benchProbeRoundTrips()),
  ],
  fleet: async (built) => [...(await benchFleet(await built())), ...(await benchLargeFleet(await built()))],
  "explain-lag": async (built) => benchExplainLag(await built()),
  check: async (built) => benchCheckRoundTrips(await built()),
  redo: async () => benchRedo(),
  patterns: async () => benchPatterns(),
  rendering: async (built) => [...(await benchModel(await built())), ...benchRendering()],
  journal: async (built) => benchJournal(await built()),
  "verify-1m": async () => benchVerify("verify-1m"),
  "verify-enveloped": async () => benchVerify("verify-enveloped"),
  "verify-10m": async () => benchVerify("verify-10m"),
  "verify-debezium": async () => benchDebezium(),
  "verify-kept": async () => benchKeptTopics(),
  "spark-verify": async (built) => benchSpark(await built()),
  "spark-driver": async () => benchSparkDriver(),
  "verify-whole": async (built) => benchVerifyWhole(await built()),
};

const asked = process.argv.slice(2);
const isAsked = (name: string): boolean => asked.some((one) => name === one || name.startsWith(`${one}-`));
const stranger = asked.find((one) => !Object.keys(BENCHES).some((name) => name === one || name.startsWith(`${one}-`)));
if (stranger !== undefined)
  throw new Error(`unknown benchmark ${stranger}; available: ${Object.keys(BENCHES).join(", ")}`);

let building: Promise<Built> | undefined;
const results: Result[] = [];
try {
  for (const [name, bench] of Object.entries(BENCHES)) {
    if (asked.length > 0 && !isAsked(name)) continue;
    results.push(...(await bench(() => (building ??= buildCommands()))));
  }
} finally {
  await (await building)?.remove();
}

const missed = results.filter(({ bar }) => bar?.holds === false);
process.stdout.write(
  `${printResults(results)}\n${missed.length === 0 ? "every bar holds" : `${missed.length} missed`}\n`,
);
process.exitCode = missed.length === 0 ? 0 : 1;
