// biome-ignore lint/style/noRestrictedImports: what is said is kept in a file beside the checks.
import { readFileSync, writeFileSync } from "node:fs";
import * as assert from "uvu/assert";
import { lineOf } from "../../values/remedy.ts";
import type { AnyCheck, Verdict } from "../check.ts";

/**
 * Everything that the checks say in their tests, sorted: a wording that changes, or is new, is looked at by somebody.
 * `UPDATE=1` writes what is missing; where the file is deleted before, what nobody says any more is gone.
 */
const WORDINGS = new URL("../testdata/wordings.txt", import.meta.url);
const SEPARATOR = "\n\n";

let known: Set<string> | undefined;

type Described = Pick<AnyCheck, "code" | "grade" | "unknown">;

/** The check, held against `testdata/wordings.txt` by what it says. */
export function worded<C extends Described & { readonly run: (...of: never[]) => Verdict }>(check: C): C {
  const run = (...of: Parameters<C["run"]>): Verdict => {
    const verdict = check.run(...(of as never[]));
    if (verdict.verdict !== "pass" || verdict.seen !== undefined) hold(textOf(check, verdict));
    return verdict;
  };
  return { ...check, run };
}

function hold(text: string): void {
  known ??= read();
  if (process.env["UPDATE"] === "1" && !known.has(text)) {
    known = read().add(text);
    writeFileSync(WORDINGS, `${[...known].sort().join(SEPARATOR)}\n`);
  }
  assert.ok(known.has(text), `not in core/checks/testdata/wordings.txt (UPDATE=1 adds it):\n${text}`);
}

function textOf({ code, grade: usual, unknown }: Described, verdict: Verdict): string {
  if (verdict.verdict === "pass") return `${code}  pass\n  ${verdict.seen}`;
  const { seen, remedies = [], at, firm = false, items = [] } = verdict;
  const grade = verdict.grade ?? (verdict.verdict === "unknown" ? (unknown ?? usual) : usual);
  const head = [code, verdict.verdict, grade, firm ? "under admin too" : undefined, at];
  return [
    head.filter(Boolean).join("  "),
    `  ${seen}`,
    ...remedies.map((remedy) => `  > ${lineOf(remedy)}`),
    ...items.map(({ name, seen: own, sql }) => `  - ${[name, own, sql].filter(Boolean).join(" | ")}`),
  ].join("\n");
}

function read(): Set<string> {
  try {
    return new Set(readFileSync(WORDINGS, "utf8").trimEnd().split(SEPARATOR));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return new Set();
    throw error;
  }
}
