/**
 * Mutation tests: changes the sources in one small place at a time, and counts the changes that no test notices.
 *
 *   npm run mutate -- core/checks core/kinds            files and folders
 *   npm run mutate -- core/checks --survivors out.txt   every survivor with its place, to be judged
 *   npm run mutate -- core/checks --sample 6            6 % of them, the same ones each time
 *   npm run mutate -- --judged judged.txt               goes on where it was cut off
 *   npm run mutate -- --judged judged.txt --again       with other tests: what survived is judged again
 *
 * Stryker makes the mutants (`@stryker-mutator/instrumenter`), all of them in one copy of the sources, each behind a
 * switch. Its test runners don't drive uvu, so the tests run here: in one process for as many mutants as it lives, and
 * of each mutant only the tests that reach it. Exit code 1 below the bar.
 */

import { createHash } from "node:crypto";
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { parse } from "@babel/parser";
import { type Judged, judge } from "./mutation/judge.ts";
import { layOut, type Mutant } from "./mutation/sandbox.ts";

/** Required percentage of killed mutants. */
const BAR = 92.5;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    survivors: { type: "string" },
    judged: { type: "string" },
    again: { type: "boolean", default: false },
    sample: { type: "string", default: "100" },
    width: { type: "string", default: `${availableParallelism()}` },
  },
});
const within = positionals.length === 0 ? ["core/checks", "core/kinds"] : positionals;
const skeletons = new Map<string, string>();
/** The first mutant of each file: they are numbered through all files. */
const firstOf = new Map<string, number>();
const print = (line: string): void => void process.stdout.write(`${line}\n`);

const began = Date.now();
const sandbox = await layOut(within);
try {
  print(`${sandbox.mutants.length} mutants in ${sandbox.files} files, ${sandbox.tests.length} test files`);
  for (const { file, id } of sandbox.mutants) if (!firstOf.has(file)) firstOf.set(file, Number(id));
  const before = new Map<string, string>(
    (values.judged !== undefined && existsSync(values.judged) ? linesOf(values.judged) : []).map((line) => {
      const [key = "", ...fate] = line.split(" ");
      return [key, fate.join(" ")];
    }),
  );
  const isChosen = (mutant: Mutant) => Number.parseInt(keyOf(mutant).slice(0, 8), 16) % 100 < Number(values.sample);
  const judged = await judge(
    { ...sandbox, mutants: sandbox.mutants.filter(isChosen) },
    Number(values.width),
    (mutant) => {
      const fate = before.get(keyOf(mutant));
      if (fate === "killed") return fate;
      return fate === "survived" && !values.again ? fate : undefined;
    },
    print,
    (one) => {
      if (values.survivors !== undefined && isSurvivor(one))
        appendFileSync(values.survivors, describe(one), { mode: 0o600 });
      if (values.judged === undefined || one.fate === "not reached") return;
      const fate = one.fate === "survived" ? "survived" : "killed";
      appendFileSync(values.judged, `${keyOf(one.mutant)} ${fate}\n`, { mode: 0o600 });
    },
  );
  report(judged);
  const survivors = judged.filter(isSurvivor);
  if (values.survivors !== undefined)
    writeFileSync(values.survivors, survivors.map(describe).join(""), { mode: 0o600 });
  const percent = 100 - (100 * survivors.length) / judged.length;
  print(
    `${percent.toFixed(1)} % killed of ${judged.length}, bar ${BAR} %; ${Math.round((Date.now() - began) / 1000)} s`,
  );
  process.exitCode = percent < BAR ? 1 : 0;
} finally {
  sandbox.remove();
}

function linesOf(path: string): readonly string[] {
  return readFileSync(path, "utf8").split("\n");
}

/**
 * A mutant of this very code: in a file whose code changes, all are judged again. What its strings say doesn't count,
 * since the tests follow a wording.
 */
function keyOf({ id, file, mutator }: Mutant): string {
  return createHash("sha256")
    .update(JSON.stringify([skeletonOf(file), Number(id) - (firstOf.get(file) ?? 0), mutator]))
    .digest("hex");
}

/** Tokens of a file in their order, without comments, without what strings say and without the formatter's commas. */
function skeletonOf(file: string): string {
  const known = skeletons.get(file);
  if (known !== undefined) return known;
  const { tokens = [] } = parse(readFileSync(file, "utf8"), {
    plugins: ["typescript", "explicitResourceManagement"],
    sourceType: "module",
    tokens: true,
  });
  const words = (tokens as readonly Token[]).flatMap(({ type, value }) => {
    if (typeof type === "string" || type.label === ",") return [];
    return type.label === "string" || type.label === "template" ? [type.label] : [`${value ?? type.label}`];
  });
  const skeleton = [file, ...words].join(" ");
  skeletons.set(file, skeleton);
  return skeleton;
}

/** What `@babel/parser` gives; comments have a text for a type. */
interface Token {
  readonly type: string | { readonly label: string };
  readonly value?: unknown;
}

/** A row a file, the one with the most survivors first. */
function report(judged: readonly Judged[]): void {
  const files = new Map<string, Judged[]>();
  for (const one of judged) files.set(one.mutant.file, [...(files.get(one.mutant.file) ?? []), one]);
  const rows = [...files].map(([file, all]) => {
    const count = (fate: Judged["fate"]) => all.filter((one) => one.fate === fate).length;
    return { file, of: all.length, survived: count("survived"), unreached: count("not reached") };
  });
  rows.sort((a, b) => b.survived + b.unreached - a.survived - a.unreached);
  print(`${"mutants".padStart(7)} ${"survived".padStart(8)} ${"not reached".padStart(11)}  file`);
  for (const { file, of, survived, unreached } of rows)
    print(`${`${of}`.padStart(7)} ${`${survived}`.padStart(8)} ${`${unreached}`.padStart(11)}  ${join(file)}`);
}

function isSurvivor({ fate }: Judged): boolean {
  return fate === "survived" || fate === "not reached";
}

function describe({ fate, mutant: { file, line, column, mutator, original, replacement } }: Judged): string {
  const short = (text: string) => text.replaceAll(/\s+/g, " ").slice(0, 160);
  return `${file}:${line}:${column}  ${mutator}  ${fate}\n  - ${short(original)}\n  + ${short(replacement)}\n`;
}
