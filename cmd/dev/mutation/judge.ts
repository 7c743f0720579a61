import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Mutant, Sandbox } from "./sandbox.ts";

const WORKER = fileURLToPath(new URL("./worker.ts", import.meta.url));
/** A mutant that takes longer runs without end. */
const LONGEST_MILLIS = 20_000;
const START_MILLIS = 600_000;

export interface Judged {
  readonly mutant: Mutant;
  /** `not reached`: no test runs its line. */
  readonly fate: "killed" | "survived" | "not reached" | "without end";
}

interface Ready {
  readonly is: "ready";
  readonly reached: readonly (readonly [string, readonly string[]])[];
  readonly loading: readonly string[];
  readonly failing: readonly string[];
}
interface Verdict {
  readonly is: "judged";
  readonly id: string;
  readonly killed: boolean;
}

/** What becomes of each mutant. @param width how many processes at once @param tell a line now and then */
export async function judge(sandbox: Sandbox, width: number, tell: (line: string) => void): Promise<readonly Judged[]> {
  const first = await started(sandbox);
  const { reached: pairs, loading, failing } = first.ready;
  if (failing.length > 0) tell(`${failing.length} tests fail without a mutant: ${failing.slice(0, 5).join(", ")}`);
  const reached = new Map(pairs);
  const atLoad = new Set(loading);
  const judged: Judged[] = [];
  const note = (mutant: Mutant, fate: Judged["fate"]): void => {
    judged.push({ mutant, fate });
    if (judged.length % 500 === 0) tell(`  ${judged.length} of ${sandbox.mutants.length}`);
  };
  const dynamic = sandbox.mutants.filter(({ id }) => reached.has(id) && !atLoad.has(id));
  const fixed = sandbox.mutants.filter(({ id }) => atLoad.has(id));
  for (const mutant of sandbox.mutants)
    if (!reached.has(mutant.id) && !atLoad.has(mutant.id)) note(mutant, "not reached");
  await Promise.all(
    Array.from({ length: width }, async (_, lane) => {
      let worker = lane === 0 ? first.worker : undefined;
      for (let mutant = dynamic.shift(); mutant !== undefined; mutant = dynamic.shift()) {
        worker ??= (await started(sandbox)).worker;
        const verdict = await answer<Verdict>(worker, LONGEST_MILLIS, () => worker?.send({ id: mutant?.id }));
        note(mutant, verdict === undefined ? "without end" : verdict.killed ? "killed" : "survived");
        if (verdict !== undefined) continue;
        worker.kill("SIGKILL");
        worker = undefined;
      }
      worker?.kill("SIGKILL");
      for (let mutant = fixed.shift(); mutant !== undefined; mutant = fixed.shift())
        note(mutant, await judgedFromStart(sandbox, mutant, reached.get(mutant.id)));
    }),
  );
  return judged;
}

/** Of what is worked out while a module loads: a process of its own, with the tests that are about the file. */
async function judgedFromStart(
  { root, tests }: Sandbox,
  { id, file }: Mutant,
  reaching: readonly string[] | undefined,
): Promise<Judged["fate"]> {
  const own = file.replace(/\.ts$/, ".test.ts");
  const near = tests.filter((test) => test.slice(0, test.lastIndexOf("/")) === file.slice(0, file.lastIndexOf("/")));
  const among = [...new Set([...(tests.includes(own) ? [own] : []), ...(reaching ?? []), ...near])];
  const worker = fork(WORKER, among, {
    cwd: root,
    env: { ...process.env, MUTANT: id },
    stdio: ["ignore", 1, 1, "ipc"],
  });
  const verdict = await answer<Verdict>(worker, 3 * LONGEST_MILLIS);
  worker.kill("SIGKILL");
  return verdict === undefined ? "without end" : verdict.killed ? "killed" : "survived";
}

async function started({ root, tests }: Sandbox): Promise<{ readonly worker: ChildProcess; readonly ready: Ready }> {
  const worker = fork(WORKER, tests, { cwd: root, stdio: ["ignore", 1, 1, "ipc"] });
  const ready = await answer<Ready>(worker, START_MILLIS);
  if (ready?.is !== "ready") throw new Error("the tests can't be run on the instrumented sources");
  return { worker, ready };
}

/** The next message. @returns undefined where none came in time, or the process has ended */
function answer<T>(worker: ChildProcess, millis: number, ask?: () => void): Promise<T | undefined> {
  return new Promise((resolve) => {
    const end = (message: T | undefined): void => {
      clearTimeout(timer);
      worker.off("message", end).off("exit", gone);
      resolve(message);
    };
    const gone = (): void => end(undefined);
    const timer = setTimeout(gone, millis);
    worker.on("message", end).on("exit", gone);
    ask?.();
  });
}
