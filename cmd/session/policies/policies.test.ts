/** Rules at work: which files they are read from, what they can't hold up, and what accepts nothing. */
import { execFileSync } from "node:child_process";
import { chmod, mkdir, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { until } from "../../../providers/connect/contract.ts";
import { CONNECTOR, type Sandbox } from "../../../providers/sandbox/sandbox.ts";
import { contexts, planFile } from "../../../providers/sandbox/scenario.ts";
import { runHere } from "../../behaviour/run-command.ts";
import { inSandboxOf } from "../testing/in-sandbox.ts";

const policies = suite("policies at work");
const inSandbox = inSandboxOf(policies);

const IN = ["--context", "sandbox"];
const SHOW = ["connectors", "show", CONNECTOR, ...IN];
const flat = (text: string) => text.replaceAll(/\s+/g, " ");
const rule = (title: string, condition: string) => `title: ${title}\n${condition}\nmessage: Ask first.\n`;
const SECRET = "canary-of-another-file";

/** A plan file, a folder of rules, and the context with that folder where `held` says so. */
async function prepared(sandbox: Sandbox, folder: string, held = true, ...spec: readonly string[]) {
  const plan = join(folder, "replay.yaml");
  await writeFile(plan, planFile("orders-replay", "replay", "scn: 2010000", ...spec));
  const rules = join(folder, "rules");
  await mkdir(rules);
  const text = contexts(sandbox);
  if (held)
    await writeFile(
      join(folder, "contexts.yaml"),
      text.replace("    connect:", "    policies: [rules]\n    connect:"),
      { mode: 0o600 },
    );
  return { plan, rules, write: (name: string, text: string) => writeFile(join(rules, name), text, { mode: 0o600 }) };
}

/** What a checkout may hold in place of a rule, and what is said of it. */
const NO_RULES: readonly (readonly [what: string, put: (at: string, folder: string) => unknown, says: RegExp])[] = [
  [
    "a pipe that nobody writes to",
    (at) => execFileSync("mkfifo", [at]),
    /the rule is not a regular file: \S+ Name one\./,
  ],
  ["a link to a device", (at) => symlink("/dev/zero", at), /link that leads out of the folder of rules/],
  ["a link to another file", (at, folder) => symlink(join(folder, "secret.yaml"), at), /link that leads out/],
  ["a link that climbs out", (at) => symlink("../secret.yaml", at), /link that leads out/],
  ["a link to nothing", (at) => symlink("nowhere.yaml", at), /the rule is not there/],
  ["a link to itself", (at) => symlink("hostile.yaml", at), /the rule can't be read \(ELOOP\)/],
  ["a link to a folder", (at, folder) => symlink(folder, at), /link that leads out/],
];

for (const [what, put, says] of NO_RULES)
  inSandbox(`${what} is no rule: it is refused at once, and shown to nobody`, {}, async (sandbox, cdcctl, folder) => {
    const { plan, rules, write } = await prepared(sandbox, folder, false);
    await write("good.yaml", rule("Good", "deny: 'false'"));
    await writeFile(join(folder, "secret.yaml"), `title: ${SECRET}\ndeny: ${SECRET}\nmessage: ${SECRET}\n`);
    await put(join(rules, "hostile.yaml"), folder);
    for (const words of [
      ["plan", plan, "--policy", rules],
      ["policy", "test", rules],
    ]) {
      const { exit, output } = await cdcctl(...words);
      assert.is(exit, 64, output);
      assert.match(flat(output), says);
      assert.not.match(output, SECRET);
    }
  });

inSandbox("a folder that Kubernetes mounts, links within it, holds rules", {}, async (sandbox, cdcctl, folder) => {
  const { plan, rules } = await prepared(sandbox, folder, false);
  await mkdir(join(rules, "..2026_11_28"));
  await writeFile(join(rules, "..2026_11_28/never.yaml"), rule("Never", "deny: 'true'"));
  await symlink("..2026_11_28", join(rules, "..data"));
  await symlink("..data/never.yaml", join(rules, "never.yaml"));
  await symlink(rules, join(folder, "mounted"));
  const { exit, output } = await cdcctl("plan", plan, "--policy", join(folder, "mounted"));
  assert.is(exit, 1, output);
  assert.match(flat(output), /the policy "Never" is not met .*mounted\/never\.yaml:2/);
});

inSandbox("a recorded plan that is a pipe does not hold up policy test", {}, async (sandbox, cdcctl, folder) => {
  const { rules, write } = await prepared(sandbox, folder, false);
  await write("good.yaml", rule("Good", "deny: 'false'"));
  execFileSync("mkfifo", [join(rules, "good.pass.json")]);
  const { exit, output } = await cdcctl("policy", "test", rules);
  assert.is(exit, 64, output);
  assert.match(output, /it is a pipe, not a regular file/);
});

for (const what of ["a rule", "a folder of rules"])
  inSandbox(`${what} of a context that others can write is refused`, {}, async (sandbox, cdcctl, folder) => {
    const { plan, rules, write } = await prepared(sandbox, folder);
    await write("good.yaml", rule("Good", "deny: 'false'"));
    const allowed = await cdcctl("plan", plan);
    assert.is(allowed.exit, 0, allowed.output);
    await chmod(what === "a rule" ? join(rules, "good.yaml") : rules, 0o777);
    for (const command of ["plan", "apply"]) {
      const { exit, output } = await cdcctl(command, plan, ...(command === "apply" ? ["--yes"] : []));
      assert.is(exit, 1, output);
      assert.match(flat(output), /rules\S*: everybody on this host can write to it .*STA702/);
    }
    assert.is(String(sandbox.stored()?.["resume_scn"]), "2044511");
  });

inSandbox(
  "recover, rollback and connectors stop are held up by no rule, not even by one that can't be read",
  {},
  async (sandbox, cdcctl, folder) => {
    const { plan, rules, write } = await prepared(sandbox, folder);
    await write("good.yaml", rule("Good", "deny: 'false'"));
    sandbox.connect.fail(({ method }) => (method === "PATCH" ? "disconnect-before" : undefined));
    const cut = await cdcctl("apply", plan, "--yes", "--settle", "100ms");
    assert.is(cut.exit, 3, cut.output);
    sandbox.connect.fail(undefined);
    await write("never.yaml", rule("Never", "deny: 'true'"));
    await write("wrong.yaml", "[");
    const refused = await cdcctl("plan", plan);
    assert.is(refused.exit, 64, refused.output);
    for (const [words, says] of [
      [["recover", "--yes", "--settle", "100ms"], /the stored offset of orders-cdc is 2010000/],
      [["rollback", "--yes", "--settle", "100ms"], /2044511/],
      [["connectors", "stop", CONNECTOR, ...IN], /orders-cdc is STOPPED, its stored offset is unchanged/],
    ] as const) {
      // The rollback has started it again: there is something to stop.
      if (words[1] === "stop") await until("it runs", async () => /RUNNING, task/.test((await cdcctl(...SHOW)).stdout));
      const { exit, output } = await cdcctl(...words);
      assert.is(exit, 0, output);
      assert.match(flat(output), says, output);
      assert.not.match(output, /POL\d|wrong\.yaml/);
    }
    await rm(rules, { recursive: true });
  },
);

inSandbox(
  "spec.accept: [POL101] accepts nothing, except where a rule asks for it",
  {},
  async (sandbox, cdcctl, folder) => {
    const { plan, rules, write } = await prepared(sandbox, folder, true, "accept: [POL101]");
    await write("never.yaml", rule("Never", "deny: 'true'"));
    const denied = await cdcctl("apply", plan, "--yes");
    assert.is(denied.exit, 1, denied.output);
    assert.match(denied.output, /the policy "Never" is not met/);
    await rename(join(rules, "never.yaml"), join(rules, "never.txt"));
    await write("asks.yaml", rule("Asks", `deny: '!("POL101" in plan.intent.accept)'`));
    const asked = await cdcctl("plan", plan);
    assert.is(asked.exit, 0, asked.output);
    await writeFile(plan, planFile("orders-replay", "replay", "scn: 2010000"));
    assert.match((await cdcctl("plan", plan)).output, /the policy "Asks" is not met/);
  },
);

inSandbox("a rule that warns lets the plan pass, and is a warning of it", {}, async (sandbox, cdcctl, folder) => {
  const { plan, write } = await prepared(sandbox, folder);
  await write("warns.yaml", rule("It is looked at", "warn: 'true'"));
  const text = await cdcctl("plan", plan);
  assert.is(text.exit, 0, text.output);
  assert.match(flat(text.stdout), /! POL102 the policy "It is looked at" is not met Ask first\..*warns\.yaml:2/);
  const { results } = JSON.parse((await cdcctl("plan", plan, "--format", "sarif")).stdout).runs[0];
  const [found] = results.filter(({ ruleId }: { readonly ruleId: string }) => ruleId === "POL102");
  assert.is(found.level, "warning");
  assert.is(found.locations[0].physicalLocation.region.startLine, 2);
  const applied = await cdcctl("apply", plan, "--yes", "--settle", "100ms");
  assert.is(applied.exit, 0, applied.output);
});

inSandbox("rules are evaluated again after the question, by the time it is then", {}, async (sandbox, _run, folder) => {
  const { plan, write } = await prepared(sandbox, folder);
  await write("recent.yaml", rule("Recent", `deny: now - timestamp(plan.plannedAt) > duration("1s")`));
  const env = {
    HOME: folder,
    CDCCTL_STATE: join(folder, "state"),
    CDCCTL_CONTEXTS: join(folder, "contexts.yaml"),
  };
  const asked = async (): Promise<string> => {
    await new Promise((done) => setTimeout(done, 1500));
    return "yes";
  };
  const late = await runHere(["apply", plan, "--settle", "100ms"], { env, typed: asked });
  assert.is(late.exit, 1, late.output);
  assert.match(late.output, /the policy "Recent" is not met/);
  assert.is(String(sandbox.stored()?.["resume_scn"]), "2044511");
});

policies.run();
