/**
 * Judges mutants in a copy of the sources: a process of its own, so that a mutant that never ends can be ended. Test
 * files are the arguments. It first runs every test and says which of them reach which mutants; then it is sent
 * mutants.
 */

import { join } from "node:path";
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
/** Switched on before anything is loaded: what is worked out while loading can't be judged otherwise. */
state.activeMutant = process.env["MUTANT"];
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

async function load(files: readonly string[]): Promise<readonly Test[]> {
  for (const file of files) {
    given.__file__ = file;
    await import(pathToFileURL(join(process.cwd(), file)).href);
  }
  const all: Test[] = [];
  for (const [i, one] of given.__suites__.entries()) {
    for (const hook of one.before) await hook(one.state);
    for (const [k, { handler }] of one.tests.entries())
      all.push({
        id: `${one.file}#${i}.${k}`,
        millis: 0,
        async run() {
          try {
            for (const hook of one.beforeEach) await hook(one.state);
            await handler(one.state);
            return true;
          } catch {
            return false;
          } finally {
            for (const hook of one.afterEach) await hook(one.state);
          }
        },
      });
  }
  return all;
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
    const from = performance.now();
    if (!(await test.run())) failing.push(test.id);
    test.millis = performance.now() - from;
  }
  state.currentTestId = undefined;
  const reached = new Map<string, { test: Test; hits: number }[]>();
  for (const test of [...tests].sort((a, b) => a.millis - b.millis))
    if (!failing.includes(test.id))
      for (const [mutant, hits] of Object.entries(state.mutantCoverage?.perTest[test.id] ?? {}))
        reached.set(mutant, [...(reached.get(mutant) ?? []), { test, hits }]);
  return { reached, loading, failing };
}

const files = process.argv.slice(2);
try {
  const tests = await load(files);
  if (process.env["MUTANT"] !== undefined) {
    let killed = false;
    for (const test of tests) if (!killed && !(await test.run())) killed = true;
    process.send?.({ is: "judged", id: process.env["MUTANT"], killed });
    process.exit(0);
  }
  const { reached, loading, failing } = await coverage(tests);
  const filesOf = (id: string) => [...new Set(reached.get(id)?.map(({ test }) => test.id.split("#")[0] ?? ""))];
  process.send?.({
    is: "ready",
    reached: [...reached.keys()].map((id) => [id, filesOf(id)]),
    loading,
    failing,
  });
  process.on("message", async ({ id }: { id: string }) => {
    let killed = false;
    for (const { test, hits } of reached.get(id) ?? []) {
      state.activeMutant = id;
      state.hitCount = 0;
      state.hitLimit = hits * TOO_OFTEN;
      if (!(await test.run())) killed = true;
      if (killed) break;
    }
    state.activeMutant = undefined;
    process.send?.({ is: "judged", id, killed });
  });
} catch (error) {
  if (process.env["MUTANT"] === undefined) log(`${error instanceof Error ? error.stack : String(error)}\n`);
  // What can't even be loaded with the mutant is noticed by every test.
  process.send?.({ is: "judged", id: process.env["MUTANT"], killed: true });
  process.exit(1);
}
