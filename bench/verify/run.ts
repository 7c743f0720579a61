/**
 * One measurement in a separate process, whose peak memory is measured.
 *
 * run.js engine|parse FOLDER TEMPLATE PASSES THREADS TOPICS
 */
import { writeSync } from "node:fs";
import { join } from "node:path";
import { DEFAULT_MEMORY } from "../../core/verification/engine/memory-plan.ts";
import { verifyTable } from "../../core/verification/engine/verify-table.ts";
import { outcomeOf } from "../../core/verification/testing/outcome.ts";
import { nodeBytes } from "../../providers/spool/node-bytes.ts";
import { spoolDirectory } from "../../providers/spool/spool-directory.ts";
import { runInThreads } from "../../providers/threads/run-in-threads.ts";
import { FILES, type Topics } from "./data.ts";
import { generatedInputs } from "./inputs.ts";
import { passesOf } from "./read-file.ts";

const [what = "", folder = "", templateText = "", passesText = "", threadsText = "1", of = "flat"] =
  process.argv.slice(2);
const template = Number(templateText);
const passes = Number(passesText);
const threads = Number(threadsText);
const topics = of as Topics;

const WORK: Readonly<Record<string, () => Promise<object>>> = { engine, parse };

async function engine(): Promise<object> {
  const place = join(folder, "spool");
  const spool = await spoolDirectory(place).open("bench");
  const generated = { folder, template, passes, topics };
  const runner = threads > 1 ? runInThreads(new URL("./thread.js", import.meta.url), generated, threads) : undefined;
  let disk = 0;
  const found = await verifyTable(generatedInputs(generated), spool, {
    ...(runner === undefined ? {} : { runner }),
    work: nodeBytes,
    clock: { elapsed: () => performance.now() },
    memory: DEFAULT_MEMORY,
    ranges: 2,
    partitions: 2,
    first: 100,
    disk: { place, free: undefined },
    progress: ({ spooled }) => {
      disk = Math.max(disk, spooled);
    },
  });
  await runner?.close();
  await spool.close();
  if (found.is !== "verified" || outcomeOf(found.verdict) !== "pass" || found.verdict.compared !== template * passes)
    throw new Error(
      "it should have passed: " +
        `${JSON.stringify(found, (_, value) => (typeof value === "bigint" ? String(value) : value)).slice(0, 2000)}`,
    );
  return {
    records: found.table.count + found.newTopic.count + (found.legacyTopic?.count ?? 0),
    disk,
  };
}

/** The floor: the same bytes, keys and values, each parsed and discarded. */
async function parse(): Promise<object> {
  let records = 0;
  for (const file of FILES[topics])
    for await (const { bytes, count, keyStarts, keyEnds, valueStarts, valueEnds } of passesOf(folder, file, 0, passes))
      for (let nth = 0; nth < count; nth++) {
        JSON.parse(bytes.toString("utf8", keyStarts[nth], keyEnds[nth]));
        JSON.parse(bytes.toString("utf8", valueStarts[nth], valueEnds[nth]));
        records += 1;
      }
  return { records };
}

const started = performance.now();
const result = await (WORK[what] as () => Promise<object>)();
const { user, system } = process.cpuUsage();
writeSync(
  1,
  JSON.stringify({
    ...result,
    millis: performance.now() - started,
    processorMillis: (user + system) / 1000,
    memory: process.resourceUsage().maxRSS * 1024,
  }),
);
