import { type ChildProcess, fork } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Mutant, Sandbox } from "./sandbox.ts";

/**
 * A mutant that takes longer, or so many times as long as its tests take without it, runs without end. In processor
 * time: a busy machine makes nothing endless.
 */
const LONGEST_MILLIS = 20_000;
const LEAST_MILLIS = 3_000;
const TIMES_AS_LONG = 10;
const START_MILLIS = 1_800_000;
/** A process that only waits has no processor time to exceed. */
const TIMES_IDLE = 10;
const POLL_MILLIS = 250;
/** One in so many kills of what also runs while modules load is confirmed by loading them again. */
const SAMPLED = 25;
/** Linux counts in 1/100 s (`sysconf(_SC_CLK_TCK)`). */
const TICK_MILLIS = 10;
/** Modules that were loaded anew are never let go of by Node. */
const LOADS_A_PROCESS = 150;

export interface Judged {
  readonly mutant: Mutant;
  /** `not reached`: no test runs its line. */
  readonly fate: "killed" | "survived" | "not reached" | "without end";
}

/** What the tests reach, as the first process has found it; the others are told. */
interface Found {
  readonly reached: readonly (readonly [mutant: string, tests: readonly (readonly [test: string, hits: number])[]])[];
  readonly loading: readonly string[];
  readonly failing: readonly string[];
  readonly millis: readonly (readonly [test: string, millis: number])[];
}
interface Verdict {
  readonly is: "judged";
  readonly id: string;
  readonly killed: boolean;
}

/**
 * What becomes of each mutant. Those that only run while modules load are loaded again for each; those that tests
 * reach too are tried in place first, as Stryker does with `ignoreStatic`, and loaded again only where that shows
 * nothing.
 *
 * @param width how many processes at once
 * @param known fates of mutants that were judged before
 * @param report called with a line now and then
 * @param onJudged called with each result
 */
export async function judge(
  sandbox: Sandbox,
  width: number,
  known: (mutant: Mutant) => Judged["fate"] | undefined,
  report: (line: string) => void,
  onJudged: (judged: Judged) => void,
): Promise<readonly Judged[]> {
  const first = await started(sandbox);
  const { reached: pairs, loading, failing, millis } = first.found;
  const took = new Map(millis);
  const alone = new Map(pairs.map(([id, by]) => [id, by.reduce((sum, [test]) => sum + (took.get(test) ?? 0), 0)]));
  const limitOf = ({ mutant, files }: Asked): number =>
    files === undefined
      ? Math.min(LONGEST_MILLIS, LEAST_MILLIS + TIMES_AS_LONG * (alone.get(mutant.id) ?? 0))
      : LONGEST_MILLIS;
  if (failing.length > 0) report(`${failing.length} tests fail without a mutant: ${failing.slice(0, 5).join(", ")}`);
  const reached = new Map(pairs.map(([id, by]) => [id, [...new Set(by.map(([test]) => test.split("#")[0] ?? ""))]]));
  const atLoad = new Set(loading);
  const filesAbout = aboutIn(sandbox, reached);
  const judged: Judged[] = [];
  const note = (mutant: Mutant, fate: Judged["fate"]): void => {
    const one = { mutant, fate };
    judged.push(one);
    onJudged(one);
    if (judged.length % 500 === 0) report(`  ${judged.length} of ${sandbox.mutants.length}`);
  };
  const asked: Asked[] = [];
  for (const mutant of sandbox.mutants) {
    const before = known(mutant);
    if (before !== undefined) judged.push({ mutant, fate: before });
    else if (reached.has(mutant.id)) asked.push({ mutant });
    else if (atLoad.has(mutant.id)) asked.push({ mutant, files: filesAbout(mutant) });
    else note(mutant, "not reached");
  }
  report(`${asked.length} to be judged, ${judged.length} known`);
  let sampled = 0;
  let confirmed = 0;
  /** Whether this verdict ends it. What is also run while modules load may only be noticed by loading them again. */
  const isFinal = ({ mutant, files, sample }: Asked, fate: Judged["fate"]): boolean => {
    if (sample === true) {
      if (fate !== "survived") confirmed++;
      return false;
    }
    if (files !== undefined || !atLoad.has(mutant.id)) return true;
    const again = { mutant, files: filesAbout(mutant) };
    if (fate === "survived") {
      asked.push(again);
      return false;
    }
    if (Number(mutant.id) % SAMPLED === 0) {
      sampled++;
      asked.push({ ...again, sample: true });
    }
    return true;
  };
  await Promise.all(
    Array.from({ length: width }, async (_, lane) => {
      let worker = lane === 0 ? first.worker : undefined;
      let loads = 0;
      for (let request = asked.shift(); request !== undefined; request = asked.shift()) {
        const { mutant, files } = request;
        worker ??= (await started(sandbox, first.found)).worker;
        const to = worker;
        const verdict = await answer<Verdict>(to, limitOf(request), () => to.send({ id: mutant.id, files }));
        const fate = verdict === undefined ? "without end" : verdict.killed ? "killed" : "survived";
        if (isFinal(request, fate)) note(mutant, fate);
        loads += files === undefined ? 0 : 1;
        if (verdict !== undefined && loads < LOADS_A_PROCESS) continue;
        worker.kill("SIGKILL");
        worker = undefined;
        loads = 0;
      }
      worker?.kill("SIGKILL");
    }),
  );
  if (sampled > 0)
    report(`${confirmed} of ${sampled} sampled kills in place were confirmed by loading the modules again`);
  return judged;
}

interface Asked {
  readonly mutant: Mutant;
  /** The test files to load with a mutant of what runs while a module loads. */
  readonly files?: readonly string[];
  /** It is judged already; whether loading the modules again gives the same verdict. */
  readonly sample?: boolean;
}

/** A test of all that a folder holds. */
const OF_ALL: readonly (readonly [folder: string, test: string])[] = [
  ["core/checks/", "core/kinds/checks.test.ts"],
  ["core/kinds/", "cmd/views/said.test.ts"],
];

/**
 * Which test files are loaded with a mutant of what runs while a module loads: those of all its folder, its own, those
 * that reach the mutant, those that reach most of its file, and those beside it.
 */
function aboutIn(
  { tests, mutants }: Sandbox,
  reached: ReadonlyMap<string, readonly string[]>,
): (mutant: Mutant) => readonly string[] {
  const hits = new Map<string, Map<string, number>>();
  for (const { id, file } of mutants) {
    const ofFile = hits.get(file) ?? new Map<string, number>();
    hits.set(file, ofFile);
    for (const test of reached.get(id) ?? []) ofFile.set(test, (ofFile.get(test) ?? 0) + 1);
  }
  return ({ id, file }) => {
    const own = tests.filter((test) => test === file.replace(/\.ts$/, ".test.ts"));
    const ofAll = OF_ALL.flatMap(([folder, test]) => (file.startsWith(folder) ? [test] : []));
    const most = [...(hits.get(file) ?? [])].sort(([, a], [, b]) => b - a).map(([test]) => test);
    const near = tests.filter((test) => dirname(test) === dirname(file));
    return [...new Set([...ofAll, ...own, ...(reached.get(id) ?? []), ...most, ...near])];
  };
}

/** @param found by an earlier process */
async function started(
  { root, worker: program, bundle, tests }: Sandbox,
  found?: Found,
): Promise<{ readonly worker: ChildProcess; readonly found: Found }> {
  const worker = fork(program, [bundle, ...tests], { cwd: root, execArgv: [], stdio: ["ignore", 1, 1, "ipc"] });
  await answer(worker, START_MILLIS);
  const reply = (): unknown => worker.send({ found: found ?? null });
  const ready = await answer<{ readonly found: Found }>(worker, START_MILLIS, reply);
  if (ready === undefined) throw new Error("the tests can't be run on the instrumented sources");
  return { worker, found: ready.found };
}

/**
 * The next message.
 *
 * @param millis of the worker's processor time
 * @returns undefined where none came in time, or the process has ended
 */
function answer<T>(worker: ChildProcess, millis: number, ask?: () => unknown): Promise<T | undefined> {
  return new Promise((resolve) => {
    const began = performance.now();
    const before = spentBy(worker);
    const end = (message: T | undefined): void => {
      clearInterval(timer);
      worker.off("message", end).off("exit", gone);
      resolve(message);
    };
    const gone = (): void => end(undefined);
    const timer = setInterval(() => {
      const idle = performance.now() - began > millis * TIMES_IDLE;
      if (idle || spentBy(worker) - before > millis) gone();
    }, POLL_MILLIS);
    worker.on("message", end).on("exit", gone);
    ask?.();
  });
}

/** Processor time of a process so far, in milliseconds (`proc(5)`, fields 14 and 15); 0 where there is no `/proc`. */
function spentBy({ pid }: ChildProcess): number {
  try {
    const [, rest = ""] = readFileSync(`/proc/${pid}/stat`, "latin1").split(") ");
    const fields = rest.split(" ");
    return (Number(fields[11]) + Number(fields[12])) * TICK_MILLIS;
  } catch {
    return 0;
  }
}
