/**
 * Changes documents and answers until the time is over, and checks the invariants of each command.
 *
 * npm run fuzz -- --minutes 10 --seed 7 npm run fuzz -- --minutes 2 --only "facts,jmx bytes" npm run fuzz -- --seed 7
 * --only facts --case 41         one case again
 *
 * The changed input and the output of what fails go into --folder. Exit code 1 on any failure.
 */
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Count, fuzz, keep, story } from "./fuzz.ts";
import { TARGETS } from "./targets.ts";

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "5" },
    seed: { type: "string", default: String(Date.now()) },
    only: { type: "string" },
    case: { type: "string" },
    folder: { type: "string" },
  },
});
const print = (line: string): void => void process.stdout.write(`${line}\n`);

const names = TARGETS.map(({ name }) => name);
// A name may have a comma in it.
const asked = values.only === undefined ? names : names.includes(values.only) ? [values.only] : values.only.split(",");
const unknown = asked.filter((name) => !names.includes(name));
const minutes = Number(values.minutes);
if (unknown.length > 0 || !(minutes > 0)) {
  print(unknown.length > 0 ? `unknown targets: ${unknown.join(", ")}. Known:` : "--minutes must be a number above 0.");
  if (unknown.length > 0) for (const name of names) print(`  ${name}`);
  process.exit(64);
}

const folder = values.folder ?? join(tmpdir(), `cdcctl-fuzz-${values.seed}`);
const until = Date.now() + minutes * 60_000;
const counts = new Map<string, { cases: number; failures: number; millis: number }>();
/** Cases of a target before the next has its turn. */
const ROUND = 12;

async function round(name: string, first: number, cases: number, deadline: number): Promise<Count> {
  const target = TARGETS.find((one) => one.name === name);
  if (target === undefined) throw new Error(`no target ${name}`);
  return fuzz(target, values.seed, first, (done) => done < cases && Date.now() < deadline);
}

print(`seed ${values.seed}`);
if (values.case !== undefined) {
  const [name = ""] = asked;
  const { failures } = await round(name, Number(values.case), 1, Number.POSITIVE_INFINITY);
  for (const failure of failures) {
    await keep(folder, failure);
    print(story(failure));
  }
  print(failures.length === 0 ? "no failure" : `kept in ${folder}`);
  process.exit(failures.length === 0 ? 0 : 1);
}
while (Date.now() < until)
  for (const name of asked) {
    if (Date.now() >= until) break;
    const row = counts.get(name) ?? { cases: 0, failures: 0, millis: 0 };
    const started = Date.now();
    const { cases, failures } = await round(name, row.cases, ROUND, until);
    for (const failure of failures) {
      await keep(folder, failure);
      print(`FAILED  ${name}, case ${failure.nth}: ${failure.wrong.join("; ").slice(0, 300)}`);
    }
    counts.set(name, {
      cases: row.cases + cases,
      failures: row.failures + failures.length,
      millis: row.millis + Date.now() - started,
    });
  }

const failed = [...counts.values()].reduce((sum, { failures }) => sum + failures, 0);
print(`\n${"target".padEnd(38)}${"cases".padStart(8)}${"failures".padStart(10)}${"ms a case".padStart(11)}`);
for (const [name, { cases, failures, millis }] of counts)
  print(
    [
      name.padEnd(38),
      String(cases).padStart(8),
      String(failures).padStart(10),
      String(Math.round(millis / Math.max(cases, 1))).padStart(11),
    ].join(""),
  );
if (failed > 0) print(`\nChanged inputs and outputs of what failed: ${folder}. Repeat with --seed ${values.seed}.`);
process.exit(failed > 0 ? 1 : 0);
