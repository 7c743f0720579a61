import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { type Problem, UsageError } from "../../core/errors.ts";
import { parsePolicy, type Rule } from "../../core/policies/policy.ts";
import { showCount } from "../../core/values/amounts.ts";
import { readTextFile } from "../contexts/text-file.ts";

/** The most rules of a folder. */
const MOST = 200;

const IS_RULE = /\.ya?ml$/;

/**
 * Reads the rules of a folder: every `*.yaml` and `*.yml` in it, by name; folders in it are left out.
 *
 * @throws UsageError with all problems of all files; where the folder has no rule, since a mistyped path would pass
 * every plan
 */
export async function readPolicies(folder: string): Promise<readonly Rule[]> {
  const names = (await namesIn(folder)).filter((name) => IS_RULE.test(name)).toSorted();
  if (names.length === 0)
    throw new UsageError({
      message: "the folder holds no rule",
      remedy: "Name a folder with *.yaml files.",
      file: folder,
    });
  if (names.length > MOST)
    throw new UsageError({
      message: `the folder holds ${showCount(names.length)} rules, and ${MOST} are allowed`,
      remedy: "Check that this is the right folder.",
      file: folder,
    });
  const rules: Rule[] = [];
  const problems: Problem[] = [];
  for (const name of names) {
    const file = join(folder, name);
    try {
      rules.push(parsePolicy((await readTextFile(file, "the rule")).text, file));
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      for (const problem of error.problems) problems.push(problem);
    }
  }
  if (problems.length > 0) throw new UsageError(problems);
  return rules;
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.filter((entry) => !entry.isDirectory() && !entry.name.startsWith(".")).map(({ name }) => name);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw new UsageError({
      message: `the policies can't be read (${code})`,
      remedy: "Name a folder with a rule in each file.",
      file: folder,
    });
  }
}
