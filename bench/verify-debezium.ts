import { mkdtemp, rm } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { bundled } from "./bundled.ts";
import type { Result } from "./result.ts";
import { type Topics, writeData } from "./verify/data.ts";
import { type Measured, measured, medianOf, megabytes, ratioText, timesAsFast, timesText } from "./verify/measuring.ts";

/** Measures the verification of Debezium's records, as `verify.ts` does that of others. */
const KEYS = 1_000_000;
/** Keys in the files; they are read again for the others. */
const TEMPLATE = 200_000;
const ROUNDS = 3;
/** Required speed relative to `JSON.parse`, and to the same records in two topics. */
const PARSE = 1.5;
const TWO_TOPICS = 0.9;

/** What a process measures of the records in a folder, with one thread. */
const measuring =
  (folder: string, topics: Topics) =>
  (what: "engine" | "parse"): Promise<Measured> =>
    measured(process.execPath, [
      join(folder, "run.js"),
      ...[what, folder, `${TEMPLATE}`, `${KEYS / TEMPLATE}`, "1", topics],
    ]);

/** Generates the records in a folder of their own. @returns bytes of their keys and values */
async function generated(folder: string, topics: Topics): Promise<number> {
  await bundled(folder, ["verify/run"]);
  return (await writeData({ folder, template: TEMPLATE, enveloped: false, topics })) * (KEYS / TEMPLATE);
}

/** Three changes of each key by Debezium alone, compared by value: one thread against `JSON.parse` of the same bytes. */
export async function benchDebezium(): Promise<readonly Result[]> {
  const folder = await mkdtemp(join(tmpdir(), "cdcctl-bench-"));
  try {
    const bytes = await generated(folder, "debezium");
    const node = measuring(folder, "debezium");
    const runs: Record<"parse" | "engine", Measured[]> = { parse: [], engine: [] };
    const load = loadavg()[0] ?? 0;
    for (let round = 0; round < ROUNDS; round++) {
      runs.parse.push(await node("parse"));
      runs.engine.push(await node("engine"));
    }
    const [parse, engine] = [medianOf(runs.parse), medianOf(runs.engine)];
    const faster = timesAsFast(engine, parse);
    return [
      {
        what: "verify Debezium's records, one thread",
        input:
          `${KEYS} keys: ${parse.records} records, ${megabytes(bytes)} ` +
          `(${Math.round(bytes / parse.records)} B each), and ${KEYS} rows`,
        measured: `${timesText(engine)}; load ${load.toFixed(1)}`,
        peer: `JSON.parse of the same keys and values: ${timesText(parse)}`,
        ratio: ratioText(faster),
        bar: { text: `${PARSE} x`, holds: Math.min(faster.wall, faster.processor) >= PARSE },
      },
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** One change of each key by Debezium and two by the new connector: in one topic against in two. */
export async function benchKeptTopics(): Promise<readonly Result[]> {
  const folders: Record<"kept" | "apart", string> = {
    kept: await mkdtemp(join(tmpdir(), "cdcctl-bench-")),
    apart: await mkdtemp(join(tmpdir(), "cdcctl-bench-")),
  };
  try {
    const runs: Record<"kept" | "apart", Measured[]> = { kept: [], apart: [] };
    for (const topics of ["kept", "apart"] as const) await generated(folders[topics], topics);
    const load = loadavg()[0] ?? 0;
    for (let round = 0; round < ROUNDS; round++)
      for (const topics of ["kept", "apart"] as const)
        runs[topics].push(await measuring(folders[topics], topics)("engine"));
    const [kept, apart] = [medianOf(runs.kept), medianOf(runs.apart)];
    // Both read as much, so that times compare as rates: by processor time, on a machine with other load.
    const faster = timesAsFast(kept, apart);
    return [
      {
        what: "verify one topic of both connectors, one thread",
        input: `${KEYS} keys: ${3 * KEYS} records and ${KEYS} rows`,
        measured: `${timesText(kept)}; load ${load.toFixed(1)}`,
        peer: `the same records in two topics: ${timesText(apart)}`,
        ratio: ratioText(faster),
        bar: { text: `${TWO_TOPICS} x`, holds: faster.processor >= TWO_TOPICS },
      },
    ];
  } finally {
    for (const folder of Object.values(folders)) await rm(folder, { recursive: true, force: true });
  }
}
