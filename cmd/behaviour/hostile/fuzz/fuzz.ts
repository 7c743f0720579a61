/** Runs cases of the targets, and checks each against the invariants for any outside data. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { processorMillis } from "../../../../core/values/testing/processor-time.ts";
import { chance } from "../../real/soak/random.ts";
import { leaks } from "../trap.ts";
import { SECRETS, type Stage, type Target, type Tried } from "./targets.ts";

/** docs/exit-codes.md, without 70. */
const DOCUMENTED: readonly unknown[] = [0, 1, 2, 3, 64];
/**
 * Ten calls that reach the limit of 1 s that the commands are given: `--timeout` shortens every call to a system but
 * those that change something. Counted is what is waited and computed, not what other processes take the machine for.
 */
const LONGEST_MILLIS = 10_000;

/** What a case may take. */
export interface Bounds {
  readonly longestMillis: number;
  /** A case that has not ended by then is abandoned. */
  readonly givenUpMillis: number;
  readonly mostBytes: number;
}

const BOUNDS: Bounds = { longestMillis: LONGEST_MILLIS, givenUpMillis: 60_000, mostBytes: 512 * 1024 * 1024 };
const SAMPLE_MILLIS = 50;

/** A case with its problems; empty if it passed. */
export interface Judged {
  readonly target: string;
  readonly seed: string;
  readonly nth: number;
  readonly tried: Tried | undefined;
  readonly wrong: readonly string[];
}

export interface Count {
  readonly target: string;
  readonly cases: number;
  readonly failures: readonly Judged[];
}

/**
 * Cases of one target, from `first` on, one after the other. The same seed and number give the same change.
 *
 * @param goesOn asked before each case
 */
export async function fuzz(
  target: Target,
  seed: string,
  first: number,
  goesOn: (cases: number) => boolean,
): Promise<Count> {
  const failures: Judged[] = [];
  let cases = 0;
  let stage: Stage | undefined;
  let used = 0;
  try {
    while (goesOn(cases)) {
      if (stage === undefined || used >= target.lasts) {
        await stage?.close();
        stage = await target.open();
        used = 0;
      }
      const judged = await judge(target, stage, seed, first + cases);
      if (judged.wrong.length > 0) {
        failures.push(judged);
        // An unfinished case may still use it.
        used = target.lasts;
      }
      cases++;
      used++;
    }
  } finally {
    await stage?.close();
  }
  return { target: target.name, cases, failures };
}

/** Runs one case and returns its problems. Without a seed nothing is changed. */
export async function judge(
  target: Target,
  stage: Stage,
  seed: string | undefined,
  nth: number,
  { longestMillis, givenUpMillis, mostBytes }: Bounds = BOUNDS,
): Promise<Judged> {
  const wrong: string[] = [];
  const clean = prototypes();
  const thrown = (error: unknown) => void wrong.push(`unhandled: ${error instanceof Error ? error.stack : error}`);
  process.on("uncaughtException", thrown).on("unhandledRejection", thrown);
  const before = process.memoryUsage.rss();
  let most = before;
  const sampling = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss());
  }, SAMPLE_MILLIS);
  const interrupt = new AbortController();
  const started = spentMillis();
  let tried: Tried | undefined;
  try {
    const picked = seed === undefined ? undefined : chance(seed).of(target.name).of(nth);
    const givenUp = sleep(givenUpMillis, undefined, { ref: false });
    tried = await Promise.race([stage.attempt(picked, interrupt.signal), givenUp]);
    if (tried === undefined) interrupt.abort();
    // What a command left behind becomes an unhandled rejection within a turn.
    await new Promise((resolve) => setImmediate(resolve));
  } finally {
    clearInterval(sampling);
    process.off("uncaughtException", thrown).off("unhandledRejection", thrown);
  }
  const millis = spentMillis() - started;
  most = Math.max(most, process.memoryUsage.rss());
  if (tried === undefined) wrong.push(`has not ended within ${givenUpMillis / 1000} s`);
  else {
    if (!DOCUMENTED.includes(tried.exit)) wrong.push(`exit ${tried.exit}`);
    if (tried.exit !== 0 && tried.output.trim() === "") wrong.push(`exit ${tried.exit} without a word`);
    wrong.push(...leaks(SECRETS, { output: tried.output }).map((leak) => `leaks ${leak}`));
  }
  if (millis > longestMillis) wrong.push(`took ${Math.round(millis)} ms`);
  if (most - before > mostBytes) wrong.push(`used ${Math.round((most - before) / 1024 / 1024)} MiB more`);
  if (prototypes() !== clean) wrong.push("a prototype has changed");
  return { target: target.name, seed: seed ?? "", nth, tried, wrong };
}

/** What this process has computed, and waited for without anything to compute. */
function spentMillis(): number {
  return processorMillis() + performance.eventLoopUtilization().idle;
}

function prototypes(): string {
  return [Object, Array, String, Function, Map]
    .map(({ prototype }) => Object.getOwnPropertyNames(prototype).join())
    .join("; ");
}

/** How to repeat a case, and its result. */
export function story({ target, seed, nth, tried, wrong }: Judged): string {
  return [
    `${target}, case ${nth}: ${wrong.join("; ")}`,
    `npm run fuzz -- --seed ${seed} --only "${target}" --case ${nth}`,
    `changed: ${tried?.what ?? "unknown"}`,
    `command: ${tried?.argv.join(" ") ?? "unknown"}`,
    (tried?.output ?? "").slice(0, 6_000),
    "",
  ].join("\n");
}

/** Writes what is needed to investigate a failure. */
export async function keep(folder: string, judged: Judged): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const name = `${judged.target.replaceAll(/\W+/g, "-")}-${judged.nth}`;
  await writeFile(join(folder, `${name}.txt`), story(judged), { mode: 0o600 });
  if (judged.tried !== undefined) await writeFile(join(folder, `${name}.input`), judged.tried.input, { mode: 0o600 });
}
