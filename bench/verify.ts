import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundled } from "./bundled.ts";
import type { Result } from "./result.ts";
import { writeData, writeRows } from "./verify/data.ts";
import { type Measured, MOST_MEMORY, measured, megabytes, plainVerifier, rate, thousands } from "./verify/measuring.ts";

/**
 * The verification's engine alone: generated topics (new: two records a key; legacy: one) from the page cache, and as
 * many rows as keys. Beside it the floor, `JSON.parse` of every value, and what a script does: Python with json,
 * Decimal and SQLite. Fetching from brokers and database is not in it.
 *
 * Rates count every record that is worked on: engine and script two change events, a legacy record and a table's row a
 * key; the floor, which has no table, the three values.
 */
/** As many as the product starts. */
const THREADS = 2;
const AGAINST_PARSE = 1.2;
const AGAINST_PYTHON = 5;

interface Size {
  readonly keys: number;
  /** Keys in the files; they are read again for the others. */
  readonly template: number;
  readonly enveloped: boolean;
}

const SIZES: Readonly<Record<string, Size>> = {
  "verify-1m": { keys: 1_000_000, template: 200_000, enveloped: false },
  "verify-enveloped": { keys: 1_000_000, template: 100_000, enveloped: true },
  "verify-10m": { keys: 10_000_000, template: 200_000, enveloped: false },
};

/**
 * @param name of the size; the peer in Python is measured at 1,000,000 keys, and its rate taken for 10,000,000, where
 * it is lower
 */
export async function benchVerify(name: keyof typeof SIZES): Promise<readonly Result[]> {
  const size = SIZES[name] as Size;
  const folder = await mkdtemp(join(tmpdir(), "cdcctl-bench-"));
  try {
    await bundled(folder, ["verify/run", "verify/thread", "verify/sandbox"]);
    const data = { folder, template: size.template, enveloped: size.enveloped };
    const bytes = await writeData(data);
    await writeRows(data);
    const passes = size.keys / size.template;
    const node = (what: string, threads: number): Promise<Measured> =>
      measured(process.execPath, [join(folder, "run.js"), what, folder, `${size.template}`, `${passes}`, `${threads}`]);
    const python = await plainVerifier(folder, size.template, Math.min(passes, 1_000_000 / size.template));
    const parse = await node("parse", 1);
    const one = await node("engine", 1);
    const engine = await node("engine", THREADS);
    const input = `${size.keys} keys, ${Math.round(bytes / size.template / 3)} B a record`;
    const what = `verify${size.enveloped ? ", with schemas" : ""}`;
    return [
      ...rows(`${what}, one thread`, input, one, parse, python).map(({ bar: _, ...row }) => row),
      ...rows(`${what}, ${THREADS} threads`, input, engine, parse, python),
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function rows(what: string, input: string, engine: Measured, parse: Measured, python: Measured): readonly Result[] {
  const toParse = rate(engine) / rate(parse);
  const toPython = rate(engine) / rate(python);
  const measured =
    `${engine.records} records, ${thousands(rate(engine))} k/s (${(engine.processorMillis / 1000).toFixed(1)} s of ` +
    `processor time in ${(engine.millis / 1000).toFixed(1)} s)`;
  return [
    {
      what,
      input,
      measured,
      peer: `JSON.parse of ${parse.records} values: ${thousands(rate(parse))} k/s, ${(parse.millis / 1000).toFixed(1)} s`,
      ratio: `${toParse.toFixed(2)} x`,
      bar: { text: `${AGAINST_PARSE} x`, holds: toParse >= AGAINST_PARSE },
    },
    {
      what,
      input,
      measured,
      peer: `Python, ${python.records} records: ${thousands(rate(python))} k/s, ${megabytes(python.memory)}`,
      ratio: `${toPython.toFixed(1)} x`,
      bar: { text: `${AGAINST_PYTHON} x`, holds: toPython >= AGAINST_PYTHON },
    },
    {
      what,
      input,
      measured: `${megabytes(engine.memory)} at most, ${megabytes(engine.disk ?? 0)} on disk`,
      bar: { text: megabytes(MOST_MEMORY), holds: engine.memory <= MOST_MEMORY },
    },
  ];
}
