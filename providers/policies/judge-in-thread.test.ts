import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { UsageError } from "../../core/errors.ts";
import { parsePolicy } from "../../core/policies/policy.ts";
import { judgingThread } from "./judge-in-thread.ts";
import { readPolicies } from "./read-policies.ts";

const NOW = new Date("2026-11-28T17:00:00Z");
const rule = (title: string, deny: string) =>
  parsePolicy(`title: ${title}\ndeny: ${JSON.stringify(deny)}\nmessage: M\n`, `${title}.yaml`);
const ENDLESS = rule("endless", `("${"a".repeat(40)}" + "!").matches("^(a+)+$")`);

const threads = suite<{ folder: string; module: URL }>("policies in a thread");

threads.before(async (context) => {
  context.folder = await mkdtemp(join(tmpdir(), "cdcctl-policies-"));
  const outfile = join(context.folder, "policy-thread.mjs");
  await build({
    entryPoints: [fileURLToPath(new URL("../../cmd/bin/policy-thread.ts", import.meta.url))],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    logLevel: "silent",
  });
  context.module = pathToFileURL(outfile);
});
threads.after(({ folder }) => rm(folder, { recursive: true }));

threads("give a verdict for each rule, plan after plan", async ({ module }) => {
  const judge = judgingThread(module);
  const rules = [rule("a", "plan.n == 1"), rule("b", "plan.n == 2")];
  assert.equal(await judge({ rules, plan: { n: 1n }, now: NOW }), [{ is: "denies" }, { is: "passes" }]);
  assert.equal(await judge({ rules, plan: { n: 2n }, now: NOW }), [{ is: "passes" }, { is: "denies" }]);
});

threads(
  "end a rule that does not end; rules behind it are not evaluated, those of the next plan are",
  async ({ module }) => {
    const judge = judgingThread(module, { rule: 300, start: 60_000 });
    const [before, endless, behind] = await judge({
      rules: [rule("a", "true"), ENDLESS, rule("c", "true")],
      plan: {},
      now: NOW,
    });
    assert.equal(before, { is: "denies" });
    assert.equal(endless, { is: "failed", why: "it did not end within 0.3 s" });
    assert.equal(behind, { is: "failed", why: "an earlier rule (endless) ended the evaluation" });
    assert.equal(await judge({ rules: [rule("a", "true")], plan: {}, now: NOW }), [{ is: "denies" }]);
  },
);

threads("end a rule that takes too much memory, and say so; the process goes on", async ({ module }) => {
  const list = `[${Array.from({ length: 450 }, () => 0).join(",")}]`;
  const deny = `size(${list}.map(a, ${list}.map(b, ${list}.map(c, [a, b, c])))) > 0`;
  const judge = judgingThread(module, { rule: 60_000, start: 60_000 });
  const [greedy] = await judge({ rules: [rule("greedy", deny)], plan: {}, now: NOW });
  assert.is(greedy?.is, "failed");
  assert.match(greedy?.is === "failed" ? greedy.why : "", /memory/);
  assert.equal(await judge({ rules: [rule("a", "true")], plan: {}, now: NOW }), [{ is: "denies" }]);
});

threads("end with their thread, whatever ended it", async ({ folder }) => {
  for (const [name, text, why] of [
    ["exits", "process.exit(3)", /thread ended \(3\)/],
    ["throws", "throw new Error('gone')", /gone/],
    ["is-missing", undefined, /Cannot find module/],
  ] as const) {
    const file = join(folder, `${name}.mjs`);
    if (text !== undefined) await writeFile(file, text);
    const [verdict] = await judgingThread(pathToFileURL(file))({ rules: [rule("a", "true")], plan: {}, now: NOW });
    assert.is(verdict?.is, "failed");
    assert.match(verdict?.is === "failed" ? verdict.why : "", why);
  }
});

threads(
  "are read from a folder, all problems of all files at once; a folder without rules is an error",
  async ({ folder }) => {
    const rules = join(folder, "rules");
    const problems = async () =>
      await readPolicies(rules).then(
        () => [],
        (error: unknown) =>
          error instanceof UsageError ? error.problems.map(({ message }) => message) : [String(error)],
      );
    assert.match((await problems())[0] ?? "", /can't be read \(ENOENT\)/);
    await mkdir(join(rules, "nested.yaml"), { recursive: true });
    assert.equal(await problems(), ["the folder holds no rule"]);
    await writeFile(join(rules, "b.yml"), "title: B\ndeny: 'true'\nmessage: M\n");
    await writeFile(join(rules, "a.yaml"), "title: A\nwarn: 'true'\nmessage: M\n");
    await writeFile(join(rules, "a.pass.json"), "{}");
    assert.equal(
      (await readPolicies(rules)).map(({ title }) => title),
      ["A", "B"],
    );
    await writeFile(join(rules, "c.yaml"), "title: C\n");
    await writeFile(join(rules, "d.yaml"), "[");
    assert.ok((await problems()).length >= 3);
  },
);

threads.run();
