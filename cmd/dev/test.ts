/**
 * Runs the tests and ends with `N passed, N failed`. Files of all tiers run side by side; small ones share a process,
 * every other file has its own. What is left out or skipped is named.
 *
 *   npm test                    what needs nothing but Node.js; of the large matrices, every pair of what is in a cell
 *   npm run test:all            every tier, every cell
 *   npm test -- pure wire       some of them
 *   npm test -- core/values     files whose path contains a text, of any tier
 *   npm test -- --times         lists afterwards which files took most of the processor
 */
import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { missingForBrowser } from "../../providers/real/browser-program.ts";
import { missingForRealStack } from "../../providers/real/jars.ts";
import { compileSources } from "./sources.ts";

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
  /** How many of its files run at the same time, beside those of other tiers. */
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
/** Many files mostly wait for what the sandbox takes its time for. */
const WAITING = 2 * cores;
/** Others compute meanwhile: so many processes keep the cores busy. */
const LANES = 3 * cores;
/** How many small files share a process. */
const BATCH = 6;
/** A file that touches what a process has once, or measures time, shares it with no other. */
const APART = /\bprocess\.(?!stdout|platform|version)|child_process|worker_threads|performance\.now/;
/** Files that take a quarter of a minute and longer, with every case or without, the longest first. */
const LONGEST: readonly string[] = [
  "cmd/behaviour/real/offset-change.real.test.ts",
  "cmd/behaviour/real/resnapshot.real.test.ts",
  "cmd/behaviour/verify-job/spark-scenes.real.test.ts",
  "cmd/behaviour/real/offset-change.test.ts",
  "cmd/behaviour/real/resnapshot.test.ts",
  "cmd/behaviour/fault-matrix.test.ts",
  "cmd/behaviour/migration/phase-matrix.test.ts",
  "providers/real/connect.real.test.ts",
  "cmd/behaviour/real/soak/soak.real.test.ts",
  "cmd/behaviour/verify-job/spark.real.test.ts",
  "providers/real/stack.real.test.ts",
  "cmd/behaviour/real/connector-rules.real.test.ts",
  "cmd/behaviour/real/migration.real.test.ts",
  "providers/real/kafka.real.test.ts",
  "cmd/behaviour/real/frozen-leader.real.test.ts",
  "providers/real/offset-flow.real.test.ts",
  "cmd/behaviour/hostile/screen.test.ts",
  "providers/oracle/statements.test.ts",
  "cmd/behaviour/hostile/forged-records.test.ts",
  "cmd/behaviour/interrupts.test.ts",
  "providers/oracle/table-statements.test.ts",
  "cmd/behaviour/damaged-journals.test.ts",
  "cmd/behaviour/hostile/floods.test.ts",
  "cmd/behaviour/hostile/fuzz/fuzz.test.ts",
  "cmd/behaviour/debezium/phase-matrix.test.ts",
  "cmd/behaviour/hostile/frozen-oracle.test.ts",
  "cmd/behaviour/verify-job/kubernetes-example.test.ts",
  "cmd/behaviour/verify-job/verify-job.test.ts",
  "cmd/behaviour/hostile/edited-plans.test.ts",
  "cmd/behaviour/hostile/fuzz/readers.test.ts",
  "cmd/behaviour/real/migration.test.ts",
  "providers/sandbox/oracle/foreign-drivers.test.ts",
  "providers/oracle/setup-sql.test.ts",
  "core/apply/cutover.test.ts",
  "core/apply/return.test.ts",
  "core/apply/asleep.test.ts",
  "core/checks/record-size.test.ts",
];
const TIERS: readonly Tier[] = [
  {
    name: "pure",
    about: "core and the views",
    width: LANES,
    owns: (file) => file.startsWith("core/") || file.startsWith("cmd/views/") || file.startsWith("schemas/"),
    shares: () => true,
  },
  {
    name: "transcripts",
    about: "the built commands as a user runs them",
    width: 2,
    tries: 2,
    owns: (file) => file.endsWith(".transcript.test.ts"),
  },
  {
    name: "node",
    tries: 2,
    about: "the built commands on Node.js 20.19, 22, 24 and 26",
    needs: "npm's registry, once",
    width: 1,
    owns: (file) => file.endsWith(".node.test.ts"),
  },
  {
    name: "real",
    tries: 2,
    about: "real Kafka and Kafka Connect, 3.9.2 and 4.3.1; Spark",
    needs: "Java, Maven and Python",
    // They mostly wait for what a broker or a worker takes its time for.
    width: cores + 1,
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
    width: WAITING,
    tries: 2,
    owns: () => true,
    shares: () => true,
  },
];
/**
 * Those with the longest files come first: small ones are left for the end. A browser and real services have the
 * machine alone.
 */
const STAGES: readonly (readonly string[])[] = [["transcripts", "wire", "node", "pure"], ["browser"], ["real"]];

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
const ordered = STAGES.flat().flatMap((name) => TIERS.filter((tier) => tier.name === name));
const named = ordered.filter(({ name }) => asked.includes(name));
const leftOut = options.all || asked.length > 0 ? [] : ordered.filter(({ needs }) => needs !== undefined);
const chosen = (named.length > 0 ? named : ordered).filter((tier) => !leftOut.includes(tier));
const files = FOLDERS.flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" }).map((name) => join(folder, name)),
)
  .filter((name) => name.endsWith(".test.ts") && !name.includes("node_modules"))
  .filter((name) => contains.length === 0 || contains.some((part) => name.includes(part)))
  .sort();
/** Processor seconds that each file took, with those of the processes it started. */
const times = new Map<string, number>();

const total: Count = { passed: 0, failed: 0, notes: [] };
const statics = asked.length === 0 || asked.includes("static") ? runStatic() : undefined;
const needsPrograms =
  chosen.some(({ name }) => name !== "pure") &&
  (contains.length === 0 || files.some((file) => file.startsWith("cmd/")));
const built = needsPrograms ? step("build", "npx", ["tsx", "cmd/dev/build.ts"]) : undefined;
const compiled = await compileSources(FOLDERS);
process.once("exit", compiled.remove);
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));
await built;
for (const stage of asked.length === 1 && asked[0] === "static" ? [] : STAGES)
  await runTiers(chosen.filter(({ name }) => stage.includes(name)));
await statics;

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

/** Runs the files of tiers side by side. */
async function runTiers(tiers: readonly Tier[]): Promise<void> {
  const start = performance.now();
  const queues = tiers.flatMap((tier) => {
    const mine = files.filter((file) => TIERS.find(({ owns }) => owns(file)) === tier);
    if (mine.length === 0 || !canRun(tier)) return [];
    return [{ tier, mine, waiting: batches(mine, tier), running: 0, passed: 0, failed: 0 }];
  });
  const lane = async () => {
    for (;;) {
      const queue = queues.find(({ tier, waiting, running }) => waiting.length > 0 && running < tier.width);
      const batch = queue?.waiting.shift();
      if (queue === undefined || batch === undefined) return;
      queue.running++;
      for (const { passed, failed } of await runBatch(batch, queue.tier.tries ?? 1)) {
        queue.passed += passed;
        queue.failed += failed;
      }
      queue.running--;
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  for (const { tier, mine, passed, failed } of queues) {
    total.passed += passed;
    total.failed += failed;
    const used = mine.reduce((sum, file) => sum + (times.get(file) ?? 0), 0).toFixed(0);
    print(
      `tier ${tier.name}: ${passed} passed, ${failed} failed in ${mine.length} files, ` +
        `${used} s of the processor (${tier.about})`,
    );
  }
  if (queues.length > 0) print(`${((performance.now() - start) / 60_000).toFixed(1)} minutes by the clock`);
}

function canRun(tier: Tier): boolean {
  const missing = tier.missing?.();
  if (missing === undefined) return true;
  total.notes.push(`NOT RUN  tier ${tier.name} (${tier.about}): ${missing}`);
  if (process.env["CI"] === "true") total.failed++;
  return false;
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
 * Runs files in one process. A file in whose midst the process ends has failed; the ones behind it are run in another.
 */
async function runBatch(batch: readonly string[], tries: number): Promise<readonly Result[]> {
  if (batch.length === 0) return [];
  const first = await runOnce(batch);
  const settled: Result[] = [];
  for (const [at, result] of first.entries()) settled.push(await settle(batch[at] ?? "", tries, result));
  return [...settled, ...(await runBatch(batch.slice(first.length), tries))];
}

interface Result {
  readonly sound: boolean;
  readonly passed: number;
  readonly failed: number;
  readonly output: string;
}

/** @returns the results of the files up to the one that ended the process, at least one */
async function runOnce(batch: readonly string[]): Promise<readonly Result[]> {
  const hasProperties = batch.some((file) => source(file).includes('"fast-check"'));
  const seed = hasProperties ? ["--import", "./cmd/dev/property-seed.mjs"] : [];
  const { code, output } = await run("node", [
    "--enable-source-maps",
    ...seed,
    join(compiled.folder, "cmd/dev/batch.js"),
    ...batch,
  ]);
  const parts = output.split(/^END OF \S+, exit (\d+), used ([\d.]+) s$/m);
  const results: Result[] = [];
  for (const file of batch) {
    const [text = "", exit, used = "0"] = parts.splice(0, 3);
    // What the process ends with after its files belongs to the last one.
    const ends = exit === undefined || (file === batch.at(-1) && exit === "0") ? code : Number(exit);
    results.push(judged(file, { code: ends, output: text, seconds: Number(used) }));
    if (exit === undefined) break;
  }
  return results;
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

/** What a file came to, after another try where the tier has one. */
async function settle(file: string, tries: number, first: Result): Promise<Result> {
  let result = first;
  for (let again = 1; again < tries && !result.sound; again++) {
    print(`once more: ${file}`);
    result = (await runOnce([file]))[0] ?? result;
    if (result.sound) total.notes.push(`SECOND TRY  ${file} passed only when it was run once more`);
  }
  for (const [, kind, why = ""] of result.output.matchAll(/^(NOT RUN|SKIPPED|LEFT OUT):?\s+(.*)$/gm))
    total.notes.push(kind === "LEFT OUT" ? `LEFT OUT  ${file}: ${why}: npm run test:all` : `NOT RUN  ${file}: ${why}`);
  return result;
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
      env: { ...process.env, NO_COLOR: "1", FORCE_COLOR: "0", CDCCTL_TEST_CASES: options.all ? "all" : "pairs" },
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
