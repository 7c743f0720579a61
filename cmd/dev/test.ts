/**
 * Runs the tests and ends with `N passed, N failed`. Small files of the pure and the wire tier share a process, every
 * other file has its own; what is left out or skipped is named.
 *
 *   npm test                    what needs nothing but Node.js
 *   npm run test:all            every tier
 *   npm test -- pure wire       some of them
 *   npm test -- core/values     files whose path contains a text, of any tier
 *   npm test -- --times         lists afterwards which files took longest
 */
import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { missingForBrowser } from "../../providers/real/browser-program.ts";
import { missingForRealStack } from "../../providers/real/jars.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const FOLDERS = ["core", "providers", "cmd", "bench", "schemas"];
/**
 * A process that has written nothing for so long is ended: suites write a mark as each case ends. What real services
 * need may be fetched first.
 */
const SILENT_MILLIS = 10 * 60_000;

interface Tier {
  readonly name: string;
  readonly about: string;
  /** How many files run at the same time. */
  readonly width: number;
  /** What it needs beside Node.js. Without being asked for, it is left out. */
  readonly needs?: string;
  /**
   * How often a file that fails is run, where processes and clocks have a will of their own. A second try is said in
   * the summary.
   */
  readonly tries?: number;
  owns(file: string): boolean;
  /** Whether a file may run in one process with others; undefined: none may. */
  shares?(file: string): boolean;
  /** Why it can't run here; undefined when it can. */
  missing?(): string | undefined;
}

const cores = Math.max(1, availableParallelism());
/** Files that mostly wait for what the sandbox takes its time for: so many of them keep a core busy. */
const WAITING = 1.5;
/** How many small files share a process. */
const BATCH = 12;
/** A file that touches what a process has once, or measures time, shares it with no other. */
const APART = /\bprocess\.(?!stdout|platform|version)|child_process|worker_threads|performance\.now/;
/** Files that take half a minute and longer, the longest first. */
const LONGEST: readonly string[] = [
  "cmd/behaviour/real/offset-change.real.test.ts",
  "cmd/behaviour/real/resnapshot.real.test.ts",
  "cmd/behaviour/verify-job/spark-scenes.real.test.ts",
  "cmd/behaviour/fault-matrix.test.ts",
  "providers/real/connect.real.test.ts",
  "cmd/behaviour/real/soak/soak.real.test.ts",
  "cmd/behaviour/verify-job/spark.real.test.ts",
  "providers/real/stack.real.test.ts",
  "cmd/behaviour/real/connector-rules.real.test.ts",
  "cmd/behaviour/real/migration.real.test.ts",
  "providers/real/kafka.real.test.ts",
  "cmd/behaviour/real/frozen-leader.real.test.ts",
  "providers/real/offset-flow.real.test.ts",
  "cmd/behaviour/migration/phase-matrix.test.ts",
  "providers/oracle/statements.test.ts",
  "cmd/behaviour/real/offset-change.test.ts",
  "cmd/behaviour/real/resnapshot.test.ts",
  "cmd/behaviour/hostile/forged-records.test.ts",
  "cmd/behaviour/interrupts.test.ts",
  "providers/oracle/table-statements.test.ts",
  "cmd/behaviour/hostile/floods.test.ts",
  "cmd/behaviour/hostile/fuzz/fuzz.test.ts",
  "cmd/behaviour/hostile/frozen-oracle.test.ts",
  "cmd/behaviour/damaged-journals.test.ts",
  "providers/oracle/setup-sql.test.ts",
  "core/apply/cutover.test.ts",
  "core/apply/return.test.ts",
  "core/checks/record-size.test.ts",
];
const TIERS: readonly Tier[] = [
  {
    name: "pure",
    about: "core and the views",
    width: cores,
    owns: (file) => file.startsWith("core/") || file.startsWith("cmd/views/") || file.startsWith("schemas/"),
    shares: () => true,
  },
  {
    name: "transcripts",
    about: "the built commands as a user runs them",
    width: 1,
    tries: 2,
    owns: (file) => file.endsWith(".transcript.test.ts"),
  },
  {
    name: "real",
    tries: 2,
    about: "real Kafka and Kafka Connect, 3.9.2 and 4.3.1; Spark",
    needs: "Java, Maven and Python",
    width: cores,
    owns: (file) => file.endsWith(".real.test.ts"),
    missing: missingForRealStack,
  },
  {
    name: "browser",
    tries: 2,
    about: "the pages in a headless Chromium",
    needs: "Chromium",
    width: 1,
    owns: (file) => file.endsWith(".browser.test.ts"),
    missing: missingForBrowser,
  },
  {
    name: "wire",
    about: "the clients against the loopback sandbox",
    width: Math.round(WAITING * cores),
    tries: 2,
    owns: () => true,
    shares: (file) => file.startsWith("providers/"),
  },
];
const RUN_ORDER = ["pure", "wire", "transcripts", "browser", "real"];

interface Count {
  passed: number;
  failed: number;
  /** What was not run, or not at once. */
  readonly notes: string[];
}

const { values: options, positionals: asked } = parseArgs({
  options: { all: { type: "boolean", default: false }, times: { type: "boolean", default: false } },
  allowPositionals: true,
});
const tierNames = TIERS.map(({ name }) => name);
const contains = asked.filter((one) => !tierNames.includes(one) && one !== "static");
const ordered = RUN_ORDER.flatMap((name) => TIERS.filter((tier) => tier.name === name));
const named = ordered.filter(({ name }) => asked.includes(name));
const leftOut = options.all || asked.length > 0 ? [] : ordered.filter(({ needs }) => needs !== undefined);
const chosen = (named.length > 0 ? named : ordered).filter((tier) => !leftOut.includes(tier));
const files = FOLDERS.flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" }).map((name) => join(folder, name)),
)
  .filter((name) => name.endsWith(".test.ts") && !name.includes("node_modules"))
  .filter((name) => contains.length === 0 || contains.some((part) => name.includes(part)))
  .sort();
/** Seconds that each file took. */
const times = new Map<string, number>();

const total: Count = { passed: 0, failed: 0, notes: [] };
if (asked.length === 0 || asked.includes("static")) await runStatic();
if (
  chosen.some(({ name }) => name !== "pure") &&
  (contains.length === 0 || files.some((file) => file.startsWith("cmd/")))
)
  await step("build", "npx", ["tsx", "cmd/dev/build.ts"]);
for (const tier of asked.length === 1 && asked[0] === "static" ? [] : chosen) await runTier(tier);

if (options.times) printTimes();
for (const { name, about, needs } of leftOut) print(`LEFT OUT  ${name}: ${about} (needs ${needs}): npm run test:all`);
for (const line of new Set(total.notes)) print(line);
print(`${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed === 0 ? 0 : 1;

/** The files that took longest, and how much of all that is. */
function printTimes(): void {
  const slowest = [...times].sort(([, one], [, other]) => other - one);
  const all = slowest.reduce((sum, [, seconds]) => sum + seconds, 0);
  let sum = 0;
  for (const [file, seconds] of slowest.slice(0, 40)) {
    sum += seconds;
    print(`${seconds.toFixed(1).padStart(7)} s  ${((100 * sum) / all).toFixed(0).padStart(3)} %  ${file}`);
  }
  print(`${all.toFixed(1).padStart(7)} s  100 %  ${slowest.length} files`);
}

/** Formatter, linter with the layer rules, the strictest compiler. */
async function runStatic(): Promise<void> {
  await Promise.all([
    step("types", "npx", ["tsc", "--noEmit"]),
    step("format and lint", "npx", ["biome", "check", "--error-on-warnings", "."]),
  ]);
}

async function step(name: string, command: string, args: readonly string[]): Promise<void> {
  const { code, output } = await run(command, args);
  if (code === 0) total.passed++;
  else {
    total.failed++;
    print(output);
  }
  print(`${code === 0 ? "ok  " : "FAIL"} ${name}`);
}

async function runTier(tier: Tier): Promise<void> {
  const mine = files.filter((file) => TIERS.find(({ owns }) => owns(file)) === tier);
  if (mine.length === 0) return;
  const missing = tier.missing?.();
  if (missing !== undefined) {
    total.notes.push(`NOT RUN  tier ${tier.name} (${tier.about}): ${missing}`);
    if (process.env["CI"] === "true") total.failed++;
    return;
  }
  const start = performance.now();
  const before = { passed: total.passed, failed: total.failed };
  const queue = batches(mine, tier);
  const lane = async () => {
    for (let batch = queue.shift(); batch !== undefined; batch = queue.shift()) await runBatch(batch, tier.tries ?? 1);
  };
  await Promise.all(Array.from({ length: tier.width }, lane));
  const seconds = ((performance.now() - start) / 1000).toFixed(0);
  print(
    `tier ${tier.name}: ${total.passed - before.passed} passed, ${total.failed - before.failed} failed in ` +
      `${mine.length} files, ${seconds} s (${tier.about})`,
  );
}

/** What one process runs: files that take long and those that can't share one alone, the longest first. */
function batches(all: readonly string[], { shares }: Tier): (readonly string[])[] {
  const alone = all.filter((file) => shares?.(file) !== true || LONGEST.includes(file) || APART.test(source(file)));
  const small = all.filter((file) => !alone.includes(file));
  const rank = (file: string): number => (LONGEST.includes(file) ? LONGEST.indexOf(file) : LONGEST.length);
  return [
    ...alone.sort((a, b) => rank(a) - rank(b)).map((file) => [file]),
    ...Array.from({ length: Math.ceil(small.length / BATCH) }, (_, i) => small.slice(i * BATCH, (i + 1) * BATCH)),
  ];
}

/**
 * Runs files, several in one process. A file in whose midst the process ends has failed; the ones behind it are run in
 * another.
 */
async function runBatch(batch: readonly string[], tries: number): Promise<void> {
  const [first] = batch;
  if (first === undefined) return;
  if (batch.length === 1) return runFile(first, tries);
  const start = performance.now();
  const { code, output } = await run("node", [...loadedFirst(batch), "cmd/dev/batch.ts", ...batch]);
  const seconds = (performance.now() - start) / 1000 / batch.length;
  const [rest = "", ...ended] = output.split(/^END OF \S+, exit (\d+)$/m).reverse();
  let done = 0;
  for (; ended.length > 0; done++) {
    const text = ended.pop() ?? "";
    const exit = ended.pop();
    await settle(batch[done] ?? "", tries, judged(batch[done] ?? "", { code: Number(exit), output: text, seconds }));
  }
  const cut = batch[done] ?? (code === 0 ? undefined : batch.at(-1));
  if (cut !== undefined) await settle(cut, tries, judged(cut, { code, output: rest, seconds }));
  await runBatch(batch.slice(done + 1), tries);
}

function loadedFirst(files: readonly string[]): readonly string[] {
  const hasProperties = files.some((file) => source(file).includes('"fast-check"'));
  return ["--import", "tsx", ...(hasProperties ? ["--import", "./cmd/dev/property-seed.mjs"] : [])];
}

interface Result {
  readonly sound: boolean;
  readonly passed: number;
  readonly failed: number;
  readonly output: string;
}

/** How many tests of a file passed and failed, by what it wrote and ended with. */
function judged(
  file: string,
  { code, output, seconds }: { readonly code: number | string; readonly output: string; readonly seconds: number },
): Result {
  times.set(file, (times.get(file) ?? 0) + seconds);
  const counts = [...output.matchAll(/^\s+(Total|Passed|Skipped):\s+(\d+)/gm)];
  const sum = (name: string) =>
    counts.filter(([, label]) => label === name).reduce((all, [, , count]) => all + Number(count), 0);
  const passed = sum("Passed");
  const failed = sum("Total") - passed - sum("Skipped");
  // A file that ran nothing, or ended badly after its tests, has failed.
  const broken = failed === 0 && (code !== 0 || (sum("Total") === 0 && !/^(NOT RUN|SKIPPED)/m.test(output)));
  const sound = failed === 0 && !broken;
  if (!sound) print(output);
  print(
    `${sound ? "ok  " : "FAIL"} ${file}  ${passed} ` +
      `passed${failed > 0 ? `, ${failed} failed` : ""}${broken ? `, ended with ${code}` : ""}  ` +
      `${seconds.toFixed(1)} s`,
  );
  return { sound, passed, failed: failed + (broken ? 1 : 0), output };
}

async function runOnce(file: string): Promise<Result> {
  const start = performance.now();
  const ended = await run("node", [...loadedFirst([file]), file]);
  return judged(file, { ...ended, seconds: (performance.now() - start) / 1000 });
}

async function runFile(file: string, tries: number): Promise<void> {
  await settle(file, tries, await runOnce(file));
}

/** Counts what a file came to, after another try where the tier has one. */
async function settle(file: string, tries: number, first: Result): Promise<void> {
  let result = first;
  for (let again = 1; again < tries && !result.sound; again++) {
    print(`once more: ${file}`);
    result = await runOnce(file);
    if (result.sound) total.notes.push(`SECOND TRY  ${file} passed only when it was run once more`);
  }
  total.passed += result.passed;
  total.failed += result.failed;
  total.notes.push(
    ...[...result.output.matchAll(/^(?:NOT RUN|SKIPPED:)\s+(.*)$/gm)].map(([, why = ""]) => `NOT RUN  ${file}: ${why}`),
  );
}

function source(file: string): string {
  return readFileSync(join(ROOT, file), "utf8");
}

function run(
  command: string,
  args: readonly string[],
): Promise<{ readonly code: number | string; readonly output: string }> {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: ROOT,
      env: { ...process.env, NO_COLOR: "1", FORCE_COLOR: "0" },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    const silent = setTimeout(() => {
      output += `\nended: it wrote nothing for ${SILENT_MILLIS / 60_000} minutes\n`;
      child.kill("SIGKILL");
    }, SILENT_MILLIS);
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => {
        output += text;
        silent.refresh();
      });
    child.once("close", (code, signal) => {
      clearTimeout(silent);
      resolve({ code: code ?? signal ?? "no code", output });
    });
  });
}

function print(line: string): void {
  process.stdout.write(`${line.trimEnd()}\n`);
}
