/**
 * Judges mutants in a copy of the sources: a process of its own, so that a mutant that never ends can be ended. Its
 * arguments are the module of all tests, and their files. It first runs every test and says which of them reach which
 * mutants; then it is sent mutants. With those of what is worked out while modules load come the files to load anew.
 */

import { pathToFileURL } from "node:url";

interface Suite {
  readonly file: string;
  readonly name: string;
  readonly state: object;
  readonly tests: readonly { readonly title: string; readonly handler: (state: object) => unknown }[];
  readonly before: readonly Hook[];
  readonly after: readonly Hook[];
  readonly beforeEach: readonly Hook[];
  readonly afterEach: readonly Hook[];
}
type Hook = (state: object) => unknown;

/** What Stryker's switches look at. */
interface Switch {
  activeMutant?: string | undefined;
  currentTestId?: string | undefined;
  mutantCoverage?: { static: Record<string, number>; perTest: Record<string, Record<string, number>> };
  hitCount?: number | undefined;
  hitLimit?: number | undefined;
}

const given = globalThis as unknown as { __stryker__: Switch; __suites__: Suite[]; __file__: string };
given.__stryker__ ??= {};
given.__suites__ ??= [];
const state = given.__stryker__;
/** The quickest tests that reach a mutant are run, and no more than take so long together. Processor time. */
const MOST_MILLIS = 4_000;
/** The same with what has to be loaded for them. */
const MOST_MILLIS_LOADING = 8_000;
/** Processor time of this process, in milliseconds: how busy the machine is decides nothing. */
const spent = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};
/** Hits of one switch in one test, over those without a mutant, that mean a loop without end. */
const TOO_OFTEN = 200;

const log = process.stdout.write.bind(process.stdout);
process.stdout.write = (() => true) as typeof process.stdout.write;
process.stderr.write = (() => true) as typeof process.stderr.write;

interface Test {
  readonly id: string;
  readonly run: () => Promise<boolean>;
  millis: number;
}

const [bundle = "", ...files] = process.argv.slice(2);
let loads = 0;

/** Loads test files, and all that they import, anew: one after the other, as they are asked for. */
async function* loaded(files: readonly string[]): AsyncGenerator<Test> {
  const from = `${pathToFileURL(bundle).href}?${loads++}`;
  const modules = (await import(from)) as { readonly load: Readonly<Record<string, () => Promise<unknown>>> };
  for (const file of files) {
    given.__file__ = file;
    given.__suites__ = [];
    await modules.load[file]?.();
    for (const [i, suite] of given.__suites__.entries()) {
      for (const hook of suite.before) await hook(suite.state);
      for (const [k, { handler }] of suite.tests.entries())
        yield {
          id: `${file}#${i}.${k}`,
          millis: 0,
          async run() {
            try {
              for (const hook of suite.beforeEach) await hook(suite.state);
              await handler(suite.state);
              return true;
            } catch {
              return false;
            } finally {
              for (const hook of suite.afterEach) await hook(suite.state);
            }
          },
        };
    }
  }
}

/** Every test once. @returns per mutant the tests that reach it, the quickest first; mutants reached while loading */
async function coverage(tests: readonly Test[]): Promise<{
  readonly reached: ReadonlyMap<string, readonly { readonly test: Test; readonly hits: number }[]>;
  readonly loading: readonly string[];
  readonly failing: readonly string[];
}> {
  const loading = Object.keys(state.mutantCoverage?.static ?? {});
  const failing: string[] = [];
  for (const test of tests) {
    state.currentTestId = test.id;
    const from = spent();
    if (!(await test.run())) failing.push(test.id);
    test.millis = spent() - from;
  }
  state.currentTestId = undefined;
  const reached = new Map<string, { test: Test; hits: number }[]>();
  const sums = new Map<string, number>();
  for (const test of [...tests].sort((a, b) => a.millis - b.millis)) {
    if (failing.includes(test.id)) continue;
    for (const [mutant, hits] of Object.entries(state.mutantCoverage?.perTest[test.id] ?? {})) {
      const before = sums.get(mutant) ?? 0;
      if (before > 0 && before + test.millis > MOST_MILLIS) continue;
      sums.set(mutant, before + test.millis);
      reached.set(mutant, [...(reached.get(mutant) ?? []), { test, hits }]);
    }
  }
  return { reached, loading, failing };
}

interface Asked {
  readonly id: string;
  /** The files to load with the mutant. */
  readonly files?: readonly string[];
}

/** Whether a test notices the mutant. @param failing tests that fail without one */
async function isKilled(
  { id, files }: Asked,
  reached: Awaited<ReturnType<typeof coverage>>["reached"],
  failing: ReadonlySet<string>,
) {
  state.activeMutant = id;
  state.hitCount = 0;
  state.hitLimit = undefined;
  try {
    if (files !== undefined) {
      const until = spent() + MOST_MILLIS_LOADING;
      for await (const test of loaded(files)) {
        if (!failing.has(test.id) && !(await test.run())) return true;
        if (spent() > until) return false;
      }
      return false;
    }
    for (const { test, hits } of reached.get(id) ?? []) {
      state.hitCount = 0;
      state.hitLimit = hits * TOO_OFTEN;
      if (!(await test.run())) return true;
    }
    return false;
  } catch {
    // What can't even be loaded with the mutant is noticed by every test.
    return true;
  } finally {
    state.activeMutant = undefined;
  }
}

/** What the first of the processes has found, for the others: to run every test takes long. */
type Found = Pick<Awaited<ReturnType<typeof coverage>>, "loading" | "failing"> & {
  readonly reached: readonly (readonly [mutant: string, tests: readonly (readonly [test: string, hits: number])[]])[];
  readonly millis: readonly (readonly [test: string, millis: number])[];
};

try {
  const tests: Test[] = [];
  for await (const test of loaded(files)) tests.push(test);
  const byId = new Map(tests.map((test) => [test.id, test]));
  let reached: Awaited<ReturnType<typeof coverage>>["reached"] = new Map();
  let failing: ReadonlySet<string> = new Set();
  process.on("message", async (message: Asked | { readonly found: Found | null }) => {
    if (!("found" in message)) {
      process.send?.({ is: "judged", id: message.id, killed: await isKilled(message, reached, failing) });
      return;
    }
    const found = message.found ?? (await run(tests));
    failing = new Set(found.failing);
    reached = new Map(
      found.reached.map(([id, by]) => [
        id,
        by.flatMap(([test, hits]) => {
          const known = byId.get(test);
          return known === undefined ? [] : [{ test: known, hits }];
        }),
      ]),
    );
    process.send?.({ is: "ready", found });
  });
  process.send?.({ is: "loaded" });
} catch (error) {
  log(`${error instanceof Error ? error.stack : String(error)}\n`);
  process.exit(1);
}

async function run(tests: readonly Test[]): Promise<Found> {
  const { reached, loading, failing } = await coverage(tests);
  return {
    loading,
    failing,
    millis: tests.map(({ id, millis }) => [id, millis]),
    reached: [...reached].map(([id, by]) => [id, by.map(({ test, hits }) => [test.id, hits])]),
  };
}
