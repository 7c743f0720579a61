import { readdir, realpath } from "node:fs/promises";
import { join, sep } from "node:path";
import { type Problem, UsageError } from "../../core/errors.ts";
import { parsePolicy, type Rule } from "../../core/policies/policy.ts";
import { showCount } from "../../core/values/amounts.ts";
import { readTextFile } from "../contexts/text-file.ts";

/** The most rules of a folder. */
const MOST = 200;

const IS_RULE = /\.ya?ml$/;

/**
 * Reads the rules of a folder: every `*.yaml` and `*.yml` in it, by name; folders in it are left out. In a pipeline the
 * folder may be that of a pull request: no link leads out of it (Kubernetes mounts a ConfigMap as links within), and
 * nothing but a regular file is opened.
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
      rules.push(parsePolicy(await textOf(file, folder), file));
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      for (const problem of error.problems) problems.push(problem);
    }
  }
  if (problems.length > 0) throw new UsageError(problems);
  return rules;
}

/** @throws UsageError for a link out of the folder too: what it leads to is not repeated in any message */
async function textOf(file: string, folder: string): Promise<string> {
  const real = await realpath(file).catch(() => file);
  if (real !== file && !real.startsWith(join(await realpath(folder), sep)))
    throw new UsageError({
      message: "the rule is a link that leads out of the folder of rules",
      remedy: "Put the file itself into the folder.",
      file,
    });
  return (await readTextFile(real, "the rule", { from: "outside" })).text;
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
