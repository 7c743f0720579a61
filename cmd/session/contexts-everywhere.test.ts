// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references are written like this
/** A context in place of URLs and logins, for every command; and what `offsets show` does without the rest of it. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { isObject, type JsonObject, parseJson } from "../../core/values/json.ts";
import { CONNECTOR, type Sandbox, type SandboxOptions, startSandbox } from "../../providers/sandbox/sandbox.ts";
import { contexts, planFile } from "../../providers/sandbox/scenario.ts";
import type { Command } from "../command.ts";
import { PROGRAMS } from "../commands/catalogue.ts";
import { type Apart, runApart } from "./testing/run-apart.ts";

const everywhere = suite("a context in place of URLs and logins");

function leaves(commands: readonly Command[], path: string): readonly (readonly [string, Command])[] {
  return commands.flatMap((one) => {
    const name = `${path} ${one.usage.split(" ")[0]}`;
    return one.commands.length === 0 ? [[name, one] as const] : leaves(one.commands, name);
  });
}

const COMMANDS = PROGRAMS.flatMap(({ name, commands, sole }) => leaves(sole === undefined ? commands : [sole], name));

everywhere("every command that reaches Connect takes --context and --contexts", () => {
  const reaching = COMMANDS.filter(([, { options }]) => "connect-url" in options);
  assert.ok(reaching.length > 20, `${reaching.length}`);
  for (const [name, { options }] of reaching)
    for (const one of ["context", "contexts"]) assert.ok(one in options, name);
});

everywhere("--connector and --name are one option, wherever a connector is named", () => {
  const named = COMMANDS.flatMap(([name, { options }]) =>
    // `migrate translate --name` is the name that the new connector is to get.
    /translate|migrate_from_legacy/.test(name)
      ? []
      : [
          ["name", "connector"],
          ["connector", "name"],
        ].flatMap(([one = "", other]) => (one in options ? [[name, options[one]?.alias, other] as const] : [])),
  );
  assert.ok(named.length > 10, `${named.length}`);
  for (const [name, alias, other] of named) assert.is(alias, other, name);
});

const CONTEXT = ["--context", "sandbox", "--connector", CONNECTOR];

inSandbox("the admin commands find their systems by a context", {}, async (_sandbox, cdcctl) => {
  const show = await cdcctl("admin", "offsets", "show", ...CONTEXT);
  assert.is(show.exit, 0, show.stderr);
  assert.match(show.stdout, /resume SCN {11}2044511 {3}20/);
  for (const words of [["journal", "inspect"], ["transactions"]]) {
    const seen = await cdcctl("admin", ...words, ...CONTEXT);
    assert.is(seen.exit, 0, seen.stdout + seen.stderr);
  }
});

inSandbox("a change by --context is remembered with it, and rolled back by it", {}, async (sandbox, cdcctl, folder) => {
  const set = await cdcctl("admin", "offsets", "set", ...CONTEXT, "--scn", "2010000", "--reason", "replay");
  assert.is(set.exit, 0, set.stdout + set.stderr);
  const [run] = runsOf(await cdcctl("status", "--format", "json", "--no-check"));
  assert.is(memberOf(run, "subject", "context"), "sandbox");
  const back = await cdcctl("rollback", "--yes");
  assert.is(back.exit, 0, back.stdout + back.stderr);
  // A plan file that names no place is planned and applied where the command line says.
  const plan = planFile("orders-replay", "replay", "scn: 2010000").replace("  context: sandbox\n", "");
  await writeFile(join(folder, "plan.yaml"), plan);
  const applied = await cdcctl("apply", join(folder, "plan.yaml"), "--yes", "--context", "sandbox");
  assert.is(applied.exit, 0, applied.stdout + applied.stderr);
  const last = runsOf(await cdcctl("history", "--format", "json")).at(-1);
  assert.is(memberOf(last, "subject", "context"), "sandbox");
  assert.is(sandbox.stored()?.["resume_scn"], 2010000n);
});

inSandbox("the doctor takes the configuration of a context's connector", {}, async (sandbox, cdcctl, folder) => {
  const named = ["--context", "sandbox", "--name", CONNECTOR];
  const check = await cdcctl("doctor", "check", ...named);
  assert.match(check.stdout, /preflight of orders-cdc \(GET \/connectors\/orders-cdc\): ORCLCDB/, check.stderr);
  assert.match((await cdcctl("doctor", "setup-sql", ...named, "--ask-database")).stdout, /ORCLPDB1/);
  const nothing = await cdcctl("doctor", "check");
  assert.is(nothing.exit, 64);
  for (const part of ["--config FILE", "--context NAME", "connectors.NAME.config", "CDCCTL_CONTEXTS"])
    assert.match(nothing.stderr.replaceAll(/\s+/g, " "), part);
  // What the context has for the connector goes before the worker's copy.
  await writeFile(join(folder, "own.json"), JSON.stringify({ ...sandbox.config, "cdc.database.user": "C##OTHER" }), {
    mode: 0o600,
  });
  const own = `${contexts(sandbox)}    connectors:\n      ${CONNECTOR}:\n        config: own.json\n`;
  await writeFile(join(folder, "contexts.yaml"), own, { mode: 0o600 });
  assert.match((await cdcctl("doctor", "setup-sql", ...named)).stdout, /C##OTHER/);
});

inSandbox("without a URL or a context, the key, flag and variable are named", {}, async (_sandbox, cdcctl) => {
  for (const words of [
    ["admin", "offsets", "show", "--name", CONNECTOR],
    ["admin", "resnapshot", "--name", CONNECTOR, "--tables", "A.B"],
    ["doctor", "explain-lag", "--name", CONNECTOR],
    ["recover", "--from-ops", "--connector", CONNECTOR],
  ]) {
    const seen = await cdcctl(...words);
    assert.is(seen.exit, 64, seen.stdout);
    for (const part of ["--context NAME", "connect.url", "CDCCTL_CONTEXTS", "sandbox", "--connect-url URL"])
      assert.match(seen.stderr.replaceAll(/\s+/g, " "), part);
  }
});

inSandbox(
  "offsets show requires REST only: what database and brokers would add is missing, in a line each",
  {
    config: {
      "cdc.database.password": "${file:/run/secrets:db}",
      "cdc.stream.bootstrap.servers": "${file:/run/secrets:brokers}",
    },
  },
  async (_sandbox, cdcctl) => {
    const seen = await cdcctl("admin", "offsets", "show", ...CONTEXT);
    assert.is(seen.exit, 0, seen.stderr);
    assert.match(seen.stdout, /resume SCN {11}2044511$/m);
    assert.not.match(seen.stdout, /timeline|last change/i);
    const notes = seen.stderr.trim().split(/\n(?! )/);
    assert.is(notes.length, 2, seen.stderr);
    assert.match(notes[0] ?? "", /^note: without times and timeline: .*cdc\.database\.password/);
    assert.match(notes[1] ?? "", /^note: without the last change and its reason: /);
  },
);

inSandbox(
  "offsets show does the same where the database and brokers do not answer",
  { config: { "cdc.database.port": "1" } },
  async (sandbox, cdcctl) => {
    sandbox.failBroker(() => "disconnect-before");
    const seen = await cdcctl("admin", "offsets", "show", ...CONTEXT);
    assert.is(seen.exit, 0, seen.stderr);
    assert.match(seen.stdout, /resume SCN {11}2044511$/m);
    assert.match(seen.stderr, /^note: without times and timeline: /m);
    assert.match(seen.stderr, /^note: without the last change and its reason: /m);
  },
);

inSandbox("offsets show reports who moved the offset last, if the brokers answer", {}, async (_, cdcctl) => {
  const set = await cdcctl("admin", "offsets", "set", ...CONTEXT, "--scn", "2010000", "--reason", "replay the deploy");
  assert.is(set.exit, 0, set.stderr);
  const text = await cdcctl("admin", "offsets", "show", ...CONTEXT);
  assert.match(
    text.stdout.replaceAll(/\s+/g, " "),
    /last change 20\S+ \S+Z by ana \(self-asserted\): offsets set .* 2044511 to 2010000, applied, run \S+: replay/,
  );
  const document = parseJson((await cdcctl("admin", "offsets", "show", ...CONTEXT, "--format", "json")).stdout);
  assert.ok(isObject(document));
  assert.is(memberOf(document, "last_change", "reason"), "replay the deploy");
  assert.is(memberOf(document, "last_change", "new_resume_scn"), 2010000n);
});

everywhere.run();

function runsOf({ stdout }: Apart): readonly JsonObject[] {
  const document = parseJson(stdout);
  const runs = isObject(document) ? document["runs"] : undefined;
  return Array.isArray(runs) ? runs.filter(isObject) : [];
}

function memberOf(of: JsonObject | undefined, ...path: readonly string[]): unknown {
  return path.reduce<unknown>((at, name) => (isObject(at as JsonObject) ? (at as JsonObject)[name] : undefined), of);
}

function inSandbox(
  name: string,
  options: SandboxOptions,
  act: (sandbox: Sandbox, cdcctl: (...words: readonly string[]) => Promise<Apart>, folder: string) => Promise<void>,
): void {
  everywhere(name, async () => {
    const folder = await mkdtemp(join(tmpdir(), "cdcctl-contexts-"));
    const sandbox = await startSandbox(options);
    try {
      await writeFile(join(folder, "contexts.yaml"), contexts(sandbox), { mode: 0o600 });
      const env = { CDCCTL_STATE: join(folder, "state"), CDCCTL_CONTEXTS: join(folder, "contexts.yaml"), HOME: folder };
      await act(sandbox, (...words) => runApart(words, env), folder);
    } finally {
      await sandbox.close();
      await rm(folder, { recursive: true, force: true });
    }
  });
}
