/**
 * Runs trials on real Kafka and Connect until the time is over, each with what has to be true of it held against the
 * topics' records.
 *
 *   npm run soak -- --minutes 30 --seed 7                  every kind of trial
 *   npm run soak -- --minutes 30 --seed 7 --only clean,kills --kafka 4 --workers 2 --width 6 --trials 50
 *
 * `CDCCTL_BUNDLE` names another build's cdcctl.js. Transcripts of what fails go into --folder, with --keep-all of every
 * trial. Exit code 1 on any failure.
 */
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { missingForRealStack } from "../../../../providers/real/jars.ts";
import { soak, table } from "./soak.ts";
import { TRIALS } from "./trials.ts";

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "20" },
    seed: { type: "string", default: "1" },
    only: { type: "string", default: TRIALS.map(({ name }) => name).join(",") },
    kafka: { type: "string", default: "3,4" },
    workers: { type: "string", default: "2,3" },
    width: { type: "string", default: "8" },
    trials: { type: "string" },
    folder: { type: "string" },
    "keep-all": { type: "boolean", default: false },
  },
});
const print = (line: string): void => void process.stdout.write(`${line}\n`);
const list = (text: string): readonly string[] => text.split(",");

const kinds = TRIALS.filter(({ name }) => list(values.only).includes(name));
const unknown = list(values.only).filter((name) => !TRIALS.some((kind) => kind.name === name));
const missing = missingForRealStack();
if (unknown.length > 0 || missing !== undefined) {
  if (missing !== undefined) print(`NOT RUN  ${missing}`);
  if (unknown.length > 0) print(`unknown kinds: ${unknown.join(", ")}. Known:`);
  for (const { name, about, bar } of TRIALS) print(`  ${name.padEnd(14)} ${about} (bar: 0 failures of ${bar})`);
  process.exit(64);
}

const rows = await soak({
  seed: values.seed,
  kinds,
  on: ({ kafka, workers }) => list(values.kafka).includes(kafka) && list(values.workers).includes(String(workers)),
  millis: Number(values.minutes) * 60_000,
  ...(values.trials === undefined ? {} : { trials: Number(values.trials) }),
  width: Number(values.width),
  folder: values.folder ?? join(tmpdir(), `cdcctl-soak-${values.seed}`),
  keepAll: values["keep-all"],
  log: print,
});
print(table(rows));
process.exitCode = rows.some(({ failures }) => failures > 0) ? 1 : 0;
