import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Result } from "./result.ts";
import { writeData, writeRows } from "./verify/data.ts";
import {
  bundled,
  type Measured,
  MOST_MEMORY,
  measured,
  megabytes,
  plainVerifier,
  rate,
  thousands,
} from "./verify/measuring.ts";

/**
 * The verification's engine alone: generated topics (new: two records a key; legacy: one) from the page cache, and as many rows as keys. Beside it the floor, `JSON.parse` of every
 * value, and what a script does: Python with json, Decimal and SQLite. Fetching from brokers and database is not in it.
 */
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

/** @param name of the size; the peer in Python is measured at 1,000,000 keys, and its rate taken for 10,000,000, where it is lower */
export async function benchVerify(name: keyof typeof SIZES): Promise<readonly Result[]> {
  const size = SIZES[name] as Size;
  const folder = await mkdtemp(join(tmpdir(), "cdcctl-bench-"));
  try {
    await bundled(folder);
    const data = { folder, template: size.template, enveloped: size.enveloped };
    const bytes = await writeData(data);
    await writeRows(data);
    const passes = size.keys / size.template;
    const node = (what: string, threads: number): Promise<Measured> =>
      measured(process.execPath, [join(folder, "run.js"), what, folder, `${size.template}`, `${passes}`, `${threads}`]);
    const python = await plainVerifier(folder, size.template, Math.min(passes, 1_000_000 / size.template));
    const parse = await node("parse", 1);
    const one = await node("engine", 1);
    const two = await node("engine", THREADS);
    const input = `${size.keys} keys, ${Math.round(bytes / size.template / 3)} B a record`;
    return [
      row(`verify, one thread${size.enveloped ? ", with schemas" : ""}`, input, one, parse, python),
      row(`verify, ${THREADS} threads${size.enveloped ? ", with schemas" : ""}`, input, two, parse, python, true),
    ].flat();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function row(
  what: string,
  input: string,
  engine: Measured,
  parse: Measured,
  python: Measured,
  bars = false,
): readonly Result[] {
  const toParse = parse.millis / engine.millis;
  const toPython = rate(engine) / rate(python);
  const said = `${thousands(rate(engine))} k records/s (${(engine.processorMillis / 1000).toFixed(1)} s of processor time in ${(engine.millis / 1000).toFixed(1)} s)`;
  const bar = (text: string, holds: boolean): Partial<Result> => (bars ? { bar: { text, holds } } : {});
  return [
    {
      what,
      input,
      measured: said,
      peer: `JSON.parse of the same bytes ${(parse.millis / 1000).toFixed(1)} s`,
      ratio: `${toParse.toFixed(2)} x`,
      ...bar(`${AGAINST_PARSE} x`, toParse >= AGAINST_PARSE),
    },
    {
      what,
      input,
      measured: said,
      peer: `Python, ${python.records} records: ${thousands(rate(python))} k records/s, ${megabytes(python.memory)}`,
      ratio: `${toPython.toFixed(1)} x`,
      ...bar(`${AGAINST_PYTHON} x`, toPython >= AGAINST_PYTHON),
    },
    {
      what,
      input,
      measured: `${megabytes(engine.memory)} at most, ${megabytes(engine.disk ?? 0)} on disk`,
      ...bar(megabytes(MOST_MEMORY), engine.memory <= MOST_MEMORY),
    },
  ];
}
