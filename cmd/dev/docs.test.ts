import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { parse } from "yaml";
import { parsePlanFile } from "../../core/document/plan-file.ts";
import { CHECKS } from "../../core/kinds/checks.ts";
import { translate } from "../../core/legacy/translation.ts";
import { REFUSALS } from "../../core/refusals.ts";
import { openContexts } from "../../providers/contexts/contexts.ts";
import planSchema from "../../schemas/plan.schema.json" with { type: "json" };
import type { Command } from "../command.ts";
import { PROGRAMS } from "../commands/catalogue.ts";
import { SCRIPTS } from "../transcripts/goldens.ts";
import { generatedDocs } from "./docs.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const CODES = [...Object.values(CHECKS).flat(), ...REFUSALS].map(({ code }) => code);

const read = (path: string) => readFile(join(ROOT, path), "utf8");

/** Every page for people, by its path in the repository. */
async function pages(): Promise<readonly { readonly path: string; readonly text: string }[]> {
  const within = async (folder: string) =>
    (await readdir(join(ROOT, folder), { recursive: true }))
      .filter((name) => /\.(md|ya?ml)$/.test(name))
      .map((name) => join(folder, name));
  const paths = [
    "README.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    ...(await within("docs")),
    ...(await within("examples")),
  ];
  return Promise.all(paths.map(async (path) => ({ path, text: await read(path) })));
}

const PROGRAM_LINE =
  /(?:(?:cdcctl|cdc-admin|srcdb-cdc-doctor) [a-z]|(?:migrate_from_legacy|takeover_scn|verify_cutover) --)[^`\n#|>;]*/;
const IN_PROSE = new RegExp(`(?<=\`)${PROGRAM_LINE.source}`, "g");
const IN_CODE = new RegExp(`(?<=^\\s*(?:\\$ |# +|- |run: |next: +)?)${PROGRAM_LINE.source}`, "gm");

/**
 * Command lines of our programs: in fences and in code within a sentence of Markdown, in scripts and comments of YAML.
 */
function commandLines(path: string, text: string): readonly string[] {
  const joined = text.replaceAll(/\\\n\s*/g, "");
  // Every second piece stands between fences.
  const pieces = path.endsWith(".md") ? joined.split(/^```.*$/m) : ["", joined];
  return pieces.flatMap((piece, i) => [...piece.matchAll(i % 2 === 0 ? IN_PROSE : IN_CODE)].map(([line]) => line));
}

/** These are options of the doctor that comes with the connector, not of ours. */

/** What a command line names that no program has; undefined when there is nothing. */
function stranger(line: string): string | undefined {
  const [name = "", ...words] = line.trim().split(/\s+/);
  const program = PROGRAMS.find((one) => one.name === name);
  let level: readonly Command[] = program?.commands ?? [];
  let current = program?.sole;
  for (const word of words) {
    const next = level.find(({ usage }) => usage.split(" ")[0] === word);
    if (next === undefined) break;
    current = next;
    level = next.commands;
  }
  if (current === undefined) return `no such command: ${line}`;
  const { options } = current;
  const flags = words.flatMap((word) => /^\[?--([a-z-]+)/.exec(word)?.[1] ?? []);
  const wrong = flags.find(
    (flag) => !(flag in options) && !(flag.replace(/^no-/, "") in options) && !["help", "version"].includes(flag),
  );
  return wrong === undefined ? undefined : `no option --${wrong}: ${line}`;
}

const docs = suite("documents");

docs("name every figure of a plan, with its meaning in the schema", async () => {
  const rows = Object.entries(planSchema.$defs.figures.properties).map(
    ([name, { description }]) => `| \`${name}\` | ${description} |`,
  );
  const text = await read("docs/concepts.md");
  assert.ok(text.includes(`| Figure | Meaning |\n| --- | --- |\n${rows.join("\n")}\n\n`), rows.join("\n"));
});

docs("that are generated match the code (npm run docs)", async () => {
  const expected = await generatedDocs();
  assert.is(expected.size, 6);
  for (const [path, text] of expected) assert.is(await readFile(path, "utf8"), text, relative(ROOT, path));
});

docs("name every existing code", async () => {
  const text = await read("docs/checks.md");
  assert.ok(CODES.length > 40);
  assert.equal(
    CODES.filter((code) => !text.includes(`### ${code}\n`)),
    [],
  );
});

docs("mention no code that does not exist", async () => {
  for (const { path, text } of await pages()) {
    const named = [...text.matchAll(/\b(?:OFF|RED|CON|DBA|TRX|OPS|SNP|LEG|STA|APL)\d{3}\b/g)].map(([code]) => code);
    const invented = named.filter(
      (code) => !CODES.includes(code) && !(code === "OFF199" && path === "CONTRIBUTING.md"),
    );
    assert.equal(invented, [], path);
  }
});

docs("mention no command and no option that does not exist", async () => {
  const all = (await pages()).flatMap(({ path, text }) => commandLines(path, text).map((line) => ({ path, line })));
  assert.ok(all.length > 100);
  const wrong = all.flatMap(({ path, line }) => {
    const what = stranger(line);
    return what === undefined ? [] : [`${path}: ${what}`];
  });
  assert.equal(wrong, []);
});

docs("with unknown names would be detected", () => {
  assert.match(stranger("cdcctl plan orders.yaml --force") ?? "", "no option --force");
  assert.match(stranger("cdcctl aply orders.yaml") ?? "", "no such command");
  assert.is(stranger("cdcctl rollback --yes --no-resume"), undefined);
});

/** A printed line without what is different each time: numbers, times, names with digits. */
const shapeOf = (line: string): string =>
  line
    .replaceAll("YYYY-MM-DD", "0000")
    .replaceAll(/\bhh:mm:ssZ|\brun\d+\b|(?<= )N(?= s\b)/g, "0")
    .replaceAll(/[^\s"'(),;]*\d[^\s"'(),;]*/g, "0")
    .replaceAll(/\s+/g, " ")
    .trim();

/** Output lines of commands in the fences of a page; left-out lines are marked by an ellipsis. */
function quotedOutput(text: string): readonly string[] {
  const fences = [...text.matchAll(/^```text\n([\s\S]*?)^```/gm)].map(([, fence = ""]) => fence);
  return fences
    .filter((fence) => /^\$ /m.test(fence))
    .flatMap((fence) => fence.split("\n"))
    .filter((line) => !/^(?:\$ .*|\s*…?)$/.test(line));
}

docs("quote only what the commands print, as the transcripts have it", async () => {
  const printed = new Set(SCRIPTS.flatMap(({ text }) => text.split("\n").map(shapeOf)));
  const written = (await pages()).filter(({ text }) => !text.startsWith("<!-- Generated"));
  const quoted = written.flatMap(({ path, text }) => quotedOutput(text).map((line) => ({ path, line })));
  assert.ok(quoted.length > 60);
  const strangers = quoted.filter(({ line }) => !printed.has(shapeOf(line)));
  assert.equal(strangers, []);
  assert.not.ok(printed.has(shapeOf("  orders-cdc stopped after 0.1 s, perhaps")));
});

docs("link to files that exist", async () => {
  for (const { path, text } of await pages())
    for (const [, target = ""] of text.matchAll(/\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)/g)) {
      const linked = join(ROOT, dirname(path), target);
      assert.ok(await exists(linked), `${path} links to ${target}`);
    }
});

docs("about trust name modules that check each source, and tests that hold it", async () => {
  const text = await read("docs/contexts-and-trust.md");
  const rows = (text.split("| Source |")[1] ?? "").split("\n\n")[0]?.split("\n").slice(2) ?? [];
  assert.ok(rows.length >= 20, `${rows.length} rows`);
  for (const row of rows) {
    const [source = "", , checked = "", held = ""] = row.split("|").slice(1);
    const tests = [...held.matchAll(/`([^`]+\.test\.ts)`/g)].map(([, path = ""]) => path);
    assert.ok(tests.length > 0, `${source}: no test holds it`);
    const modules = [...checked.matchAll(/`((?:core|cmd|providers)\/[^`]+)`/g)].map(([, path = ""]) => path);
    for (const path of [...tests, ...modules]) await stat(join(ROOT, path));
  }
});

docs.run();

const examples = suite("examples");

examples("of plan files are valid", async () => {
  const acceptable = Object.values(CHECKS).flat();
  const codes = {
    acceptable: acceptable.filter(({ grade }) => grade === "acceptable").map(({ code }) => code),
    others: [],
  };
  for (const [file, kind] of [
    ["offset-change.yaml", "OffsetChange"],
    ["resnapshot.yaml", "Resnapshot"],
    ["orders-to-cdc.yaml", "Migration"],
  ] as const) {
    const { intents } = parsePlanFile(await read(`examples/${file}`), file, { codes });
    assert.equal(
      intents.map((intent) => [intent.kind, intent.target.context, intent.target.connector]),
      [[kind, "prod", "orders-cdc"]],
      file,
    );
  }
});

examples("of plan files in the documents are valid", async () => {
  const text = await read("docs/plan-files.md");
  const files = [...text.matchAll(/```yaml\n(apiVersion[\s\S]*?)```/g)].map(([, file = ""]) => file);
  assert.ok(files.length > 0);
  for (const file of files) assert.is(parsePlanFile(file, "plan-files.md").intents.length, 1);
});

examples("of a legacy connector can be translated, with only the new connector's brokers left as manual", async () => {
  const { name, config } = JSON.parse(await read("examples/legacy-connector.json")) as {
    readonly name: string;
    readonly config: Readonly<Record<string, string>>;
  };
  const { properties, followUps } = translate(name, config);
  assert.not.ok(properties.some(({ fate }) => fate === "manual"));
  const open = followUps.filter((line) => /is masked|is not set/.test(line));
  assert.is(open.length, 1);
  assert.match(open[0] ?? "", /^cdc\.stream\.bootstrap\.servers is not set.* is broker:9092\.$/);
});

examples("of contexts can be resolved, including every way to log in", async () => {
  const home = await mkdtemp(join(tmpdir(), "cdcctl-examples-"));
  try {
    const path = join(home, "contexts.yaml");
    await writeFile(path, await read("examples/contexts.yaml"), { mode: 0o600 });
    for (const folder of ["tls", "test-secrets"]) await mkdir(join(home, folder));
    for (const name of ["tls/example-ca.pem", "tls/cdcctl.pem", "tls/cdcctl.key"])
      await writeFile(join(home, name), "PEM");
    await writeFile(join(home, "test-secrets/token"), "a token");
    await writeFile(join(home, "staging-secrets.properties"), "key.password=of the key\n");
    const env = { CONNECT_PASSWORD: "of connect", JMX_PASSWORD: "of JMX", JMX_TRUST_PASSWORD: "of the store" };
    const contexts = await openContexts({ path, env, home });
    assert.equal(contexts.names, ["prod", "staging", "test"]);
    assert.equal(contexts.warnings, []);
    const [prod, staging, test] = await Promise.all(contexts.names.map((name) => contexts.resolve(name)));
    assert.is(prod?.connect.auth?.kind, "basic");
    assert.is(prod?.connect.ca, "PEM");
    assert.is(prod?.commandConfig, join(home, "prod-client.properties"));
    assert.is(prod?.configurations.get("orders-cdc"), join(home, "orders-cdc.json"));
    assert.is(staging?.connect.cert, "PEM");
    assert.ok(staging?.connect.key !== undefined && staging.connect.passphrase !== undefined);
    assert.is(test?.connect.auth?.kind, "bearer");
    const jmx = await contexts.resolveJmx("prod");
    assert.is(jmx.login?.user, "cdcctl");
    assert.is(jmx.tls?.trustStore?.path, join(home, "tls/workers-trust.p12"));
  } finally {
    await rm(home, { recursive: true, force: true });
  }
});

interface Job {
  readonly needs?: string | readonly string[];
  readonly environment?: string;
  readonly "runs-on": string | readonly string[];
  readonly permissions?: Readonly<Record<string, string>>;
  readonly steps: readonly {
    readonly run?: string;
    readonly uses?: string;
    readonly with?: Readonly<Record<string, unknown>>;
    readonly env?: Readonly<Record<string, string>>;
  }[];
}

interface Workflow {
  readonly on: Readonly<Record<string, { readonly branches?: readonly string[] } | null>>;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

const WORKFLOWS = ["change-review.yml", "change-apply.yml"];
const workflow = async (name: string) => parse(await read(`examples/github/${name}`)) as Workflow;
const scriptOf = (job: Job | undefined) => (job?.steps ?? []).map(({ run = "" }) => run).join("\n");
/** What the composite action does in a job. */
const doneIn = (job: Job | undefined) => (job?.steps ?? []).flatMap((step) => step.with?.["do"] ?? []);

examples("of pipelines validate, observe, plan and apply by digest, in consecutive jobs", async () => {
  const [review, apply] = await Promise.all([workflow("change-review.yml"), workflow("change-apply.yml")]);
  for (const { jobs } of [review, apply]) {
    const names = Object.keys(jobs);
    for (const [name, { needs = [] }] of Object.entries(jobs))
      for (const needed of [needs].flat())
        assert.ok(names.indexOf(needed) < names.indexOf(name), `${name} needs ${needed}`);
    // What a pull request says goes into a script by way of the environment, never as text of the script.
    for (const name of names) assert.not.match(scriptOf(jobs[name]), /\$\{\{/);
  }
  assert.equal(doneIn(review.jobs["validate"]), ["validate"]);
  for (const name of ["observe", "plan", "apply"]) assert.equal(doneIn(apply.jobs[name]), [name]);
  const { runs } = parse(await read("examples/github/action.yml")) as { readonly runs: Job };
  for (const part of ["cdcctl validate", "cdcctl observe", "--facts facts.json", "--expect"])
    assert.match(scriptOf(runs), part);
  assert.not.match(scriptOf(runs), /\$\{\{/);
  assert.is(apply.jobs["apply"]?.environment, "production");
});

examples(
  "of pipelines give a pull request's own workflow no runner, no environment, no secret and no token that writes",
  async () => {
    for (const name of WORKFLOWS) {
      const { on, jobs, permissions } = await workflow(name);
      assert.equal(permissions, { contents: "read" }, `${name}: permissions`);
      assert.not.ok("pull_request_target" in on || "workflow_run" in on || "issue_comment" in on, name);
      if (!("pull_request" in on)) continue;
      assert.equal(Object.keys(on), ["pull_request"], `${name} runs on pull requests, and on nothing else`);
      for (const [job, { environment, steps, "runs-on": runner, permissions: own }] of Object.entries(jobs)) {
        assert.is(runner, "ubuntu-24.04", `${name}, ${job}: a runner of GitHub`);
        assert.is(environment, undefined, `${name}, ${job}`);
        assert.not.ok(Object.values(own ?? {}).includes("write"), `${name}, ${job}`);
        assert.not.match(JSON.stringify(steps), /secrets\.|github\.token/, `${name}, ${job}`);
        for (const step of steps.filter(({ uses = "" }) => uses.startsWith("actions/checkout")))
          assert.is(step.with?.["persist-credentials"], false, `${name}, ${job}`);
      }
    }
  },
);

examples("of pipelines check out nothing of a pull request where there is access", async () => {
  for (const name of WORKFLOWS) {
    const { on, jobs } = await workflow(name);
    if ("pull_request" in on) continue;
    assert.equal(on["push"]?.branches, ["main"], name);
    for (const [job, { steps }] of Object.entries(jobs)) {
      assert.not.ok(
        steps.some(({ run = "" }) => /\bgit (?:clone|fetch|checkout)\b/.test(run)),
        `${name}, ${job} checks out`,
      );
      // The action, as the default branch has it.
      for (const one of steps.filter(({ uses = "" }) => uses.startsWith("actions/checkout")))
        assert.equal(one.with, {
          ...{
            ref: `$\{{ github.sha }}`,
            "sparse-checkout": ".github/actions",
            "persist-credentials": false,
          },
        });
      assert.not.match(JSON.stringify(steps), /secrets\./, `${name}, ${job}`);
    }
  }
});

examples("of pipelines pin every action by its commit, and every version", async () => {
  for (const name of WORKFLOWS) {
    const text = await read(`examples/github/${name}`);
    const uses = text.match(/^.*\buses:.*$/gm) ?? [];
    assert.ok(uses.length > 0);
    for (const line of uses.filter((one) => !one.endsWith("uses: ./.github/actions/cdcctl")))
      assert.match(line, /uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
    for (const line of text.match(/^.*npm install.*$/gm) ?? [])
      assert.match(line, /--ignore-scripts \.\/tools\/cdcctl-\d+\.\d+\.\d+\.tgz$/);
    for (const line of text.match(/^.*node-version:.*$/gm) ?? []) assert.match(line, /: \d+\.\d+\.\d+$/);
    assert.not.match(text, /-latest\b/);
  }
});

examples.run();

async function exists(path: string): Promise<boolean> {
  return readdir(dirname(path)).then(
    (names) => path.endsWith("/") || names.includes(path.split("/").at(-1) ?? ""),
    () => false,
  );
}
