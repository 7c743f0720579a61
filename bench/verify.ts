import { mkdtemp, rm } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { bundled } from "./bundled.ts";
import type { Result } from "./result.ts";
import { writeData, writeRows } from "./verify/data.ts";
import {
  type Measured,
  MOST_MEMORY,
  measured,
  medianOf,
  megabytes,
  plainVerifier,
  ratioText,
  stagesOf,
  timesAsFast,
  timesText,
} from "./verify/measuring.ts";

/**
 * Measures the verification's engine alone: generated topics (new: two records per key; legacy: one) from the page
 * cache, and as many rows as keys. The floor is `JSON.parse` of every key and value, and the peer is a script: Python
 * with json, Decimal and SQLite. Fetching from brokers and database is not included.
 *
 * All are compared by their time over the same bytes. Unlike the floor, the engine also reads the table's rows, spools
 * and joins.
 */
/** The product starts as many. */
const THREADS = 2;

interface Size {
  readonly keys: number;
  /** Keys in the files; they are read again for the others. */
  readonly template: number;
  readonly enveloped: boolean;
  /** Number of runs whose median counts. */
  readonly rounds: number;
  readonly bars: {
    /** Required speed relative to `JSON.parse`, by wall time: one thread, and all. */
    readonly parse: { readonly one?: number; readonly all?: number };
    /** Required speed relative to Python: one thread by processor time, all by wall time. */
    readonly python?: { readonly one: number; readonly all: number };
  };
}

const SIZES: Readonly<Record<string, Size>> = {
  "verify-1m": {
    keys: 1_000_000,
    template: 200_000,
    enveloped: false,
    rounds: 3,
    bars: { parse: { one: 1.5, all: 2.4 }, python: { one: 8, all: 10 } },
  },
  "verify-enveloped": {
    keys: 1_000_000,
    template: 100_000,
    enveloped: true,
    rounds: 3,
    bars: { parse: { one: 2, all: 2.4 } },
  },
  "verify-10m": {
    keys: 10_000_000,
    template: 200_000,
    enveloped: false,
    rounds: 1,
    bars: { parse: { all: 2 } },
  },
};

/** The peer in Python is measured at 1,000,000 keys. */
const KEYS_OF_PYTHON = 1_000_000;

/** @param name of the size */
export async function benchVerify(name: keyof typeof SIZES): Promise<readonly Result[]> {
  const size = SIZES[name] as Size;
  const { keys, template, enveloped, bars } = size;
  const folder = await mkdtemp(join(tmpdir(), "cdcctl-bench-"));
  try {
    await bundled(folder, ["verify/run", "verify/thread", "verify/stages"]);
    const data = { folder, template, enveloped };
    const bytes = await writeData(data);
    await writeRows(data);
    const passes = keys / template;
    const node = (what: string, threads: number): Promise<Measured> =>
      measured(process.execPath, [join(folder, "run.js"), what, folder, `${template}`, `${passes}`, `${threads}`]);
    const runs: Record<"parse" | "one" | "all", Measured[]> = { parse: [], one: [], all: [] };
    const load = loadavg()[0] ?? 0;
    for (let round = 0; round < size.rounds; round++) {
      runs.parse.push(await node("parse", 1));
      runs.one.push(await node("engine", 1));
      runs.all.push(await node("engine", THREADS));
    }
    const [parse, one, all] = [medianOf(runs.parse), medianOf(runs.one), medianOf(runs.all)];
    const input =
      `${keys} keys: ${parse.records} records, ${megabytes(bytes * passes)} ` +
      `(${Math.round(bytes / template / 3)} B each), and ${keys} rows`;
    const what = `verify${enveloped ? ", with schemas" : ""}`;
    const python = keys <= KEYS_OF_PYTHON ? await plainVerifier(folder, template, passes) : undefined;
    return [
      ...[
        { threads: "one thread", engine: one, of: "one" as const },
        { threads: `${THREADS} threads`, engine: all, of: "all" as const },
      ].flatMap(({ threads, engine, of }): readonly Result[] => {
        const row = { what: `${what}, ${threads}`, input, measured: `${timesText(engine)}; load ${load.toFixed(1)}` };
        return [
          againstParse(row, engine, parse, of, bars.parse[of]),
          ...(python === undefined ? [] : [againstPython(row, engine, python, of, bars.python?.[of])]),
          {
            ...row,
            measured: `${megabytes(engine.memory)} at most, ${megabytes(engine.disk ?? 0)} on disk`,
            bar: { text: megabytes(MOST_MEMORY), holds: engine.memory <= MOST_MEMORY },
          },
        ];
      }),
      ...(python === undefined ? [] : [{ what, input, measured: `a record: ${await stagesOf(folder, template)}` }]),
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

type Row = Pick<Result, "what" | "input" | "measured">;

/** One thread against one by processor time, since wall time is meaningless on a machine with other load. */
function againstParse(row: Row, engine: Measured, parse: Measured, of: "one" | "all", bar: number | undefined): Result {
  const faster = timesAsFast(engine, parse);
  const counts = of === "one" ? Math.min(faster.wall, faster.processor) : faster.wall;
  return {
    ...row,
    peer: `JSON.parse of the same keys and values: ${timesText(parse)}`,
    ratio: ratioText(faster),
    ...(bar === undefined ? {} : { bar: { text: `${bar} x`, holds: counts >= bar } }),
  };
}

function againstPython(
  row: Row,
  engine: Measured,
  python: Measured,
  of: "one" | "all",
  bar: number | undefined,
): Result {
  const faster = timesAsFast(engine, python);
  const by = of === "one" ? "processor" : "wall";
  return {
    ...row,
    peer: `Python over the same: ${timesText(python)}, ${megabytes(python.memory)}`,
    ratio: ratioText(faster),
    ...(bar === undefined
      ? {}
      : { bar: { text: `${bar} x${of === "one" ? " of processor time" : ""}`, holds: faster[by] >= bar } }),
  };
}
