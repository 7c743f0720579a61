/** What `validate`, `plan` and `doctor check` give to a forge: each finding where it can be fixed. */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { CONNECTOR, STORED_SCN } from "../../../providers/sandbox/sandbox.ts";
import { CANARIES, type ChangedWorld, openChangedWorld } from "../../behaviour/changed-world.ts";
import { TARGET_SCN } from "../../behaviour/changes.ts";
import { PATIENCE } from "../../behaviour/injected-faults.ts";
import { type FinishedHere, runHere } from "../../behaviour/run-command.ts";

const judged = suite("findings for a forge");

interface Result {
  readonly ruleId: string;
  readonly message: { readonly text: string };
  readonly locations: readonly {
    readonly physicalLocation?: {
      readonly artifactLocation: { readonly uri: string };
      readonly region?: { readonly startLine: number; readonly startColumn?: number };
    };
  }[];
}

function resultsOf({ stdout, output }: FinishedHere): readonly Result[] {
  assert.match(stdout, /^\{/, output);
  return JSON.parse(stdout).runs[0].results;
}

/** `plan.yaml:10:3` */
function placeOf({ locations: [location] }: Result): string {
  const { artifactLocation, region } = location?.physicalLocation ?? {};
  return [artifactLocation?.uri.split("/").at(-1), region?.startLine, region?.startColumn].join(":");
}

const GOOD = `apiVersion: cdcctl/v1
kind: OffsetChange
metadata:
  name: orders-replay
  reason: replay after the bad deploy
target:
  connectUrl: http://127.0.0.1:1
  connector: orders-cdc
spec:
  scn: 2169287
`;

/** Each with the place of what is wrong, found by eye. */
const FAULTS: readonly (readonly [what: string, text: string, place: string, says: RegExp])[] = [
  ["a list for a number", GOOD.replace("2169287", "[1]"), "10:8", /spec\.scn is a list/],
  ["a key that is not known", `${GOOD}  alowSkip: true\n`, "11:3", /Did you mean allowSkip|alowSkip/],
  ["a key that is missing", GOOD.replace("  reason: replay after the bad deploy\n", ""), "3:1", /reason is missing/],
  ["a code that is not known", `${GOOD}  accept: [OFF103, XYZ999]\n`, "11:20", /XYZ999/],
  ["a kind that is not known", GOOD.replace("OffsetChange", "Offset"), "2:7", /kind/],
  ["a tab", GOOD.replace("  scn", "\tscn"), "10:1", /tab/],
  ["a reference", GOOD.replace("orders-cdc", `"$\{env:NAME}"`), "8:14", /reference/],
  ["a second document", `${GOOD}---\n${GOOD.replace("2169287", "-5")}`, "21:8", /spec\.scn/],
  ["a key given twice", `${GOOD}  scn: 5\n`, "11:3", /given twice/],
  ["an anchor that is not there", GOOD.replace("2169287", "*there"), "10:8", /anchor|alias/],
  ["no text at all", "", "1:1", /the file is empty/],
];

let folder = "";
judged.before(async () => {
  folder = await mkdtemp(join(tmpdir(), "cdcctl-judged-"));
});
judged.after(() => rm(folder, { recursive: true, force: true }));

async function written(text: string, name = "plan.yaml"): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, text, { mode: 0o600 });
  return path;
}

for (const [what, text, place, says] of FAULTS)
  judged(`validate --format sarif shows ${what} at its line and column`, async () => {
    const run = await runHere(["validate", await written(text), "--format", "sarif"], { env: {} });
    assert.is(run.exit, 64);
    const results = resultsOf(run);
    assert.ok(
      results.some((one) => placeOf(one) === `plan.yaml:${place}` && says.test(one.message.text)),
      JSON.stringify(results, undefined, 1),
    );
  });

judged("what holds for ten files at once: each has its own results, by its path in the repository", async () => {
  await mkdir(join(folder, "changes"), { recursive: true });
  const files = await Promise.all(FAULTS.map(([, text], at) => written(text, `changes/${at}.yaml`)));
  const run = await runHere(["validate", ...files, "--format", "sarif"], { env: { GITHUB_WORKSPACE: folder } });
  const uris = resultsOf(run).map(({ locations }) => locations[0]?.physicalLocation?.artifactLocation.uri);
  assert.equal(
    [...new Set(uris)],
    files.map((file) => relative(folder, file)),
  );
});

judged("a valid file is a case that passes in JUnit, and nothing in SARIF", async () => {
  const path = await written(GOOD);
  assert.equal(resultsOf(await runHere(["validate", path, "--format", "sarif"], { env: {} })), []);
  const { stdout, exit } = await runHere(["validate", path, "--format", "junit"], { env: {} });
  assert.is(exit, 0);
  assert.match(stdout, /<testsuites name="cdcctl validate" tests="1" failures="0" errors="0" skipped="0">/);
  assert.match(stdout, /name="INPUT OffsetChange orders-replay for orders-cdc is valid"/);
});

async function inWorld(act: (world: ChangedWorld, run: Run) => Promise<void>): Promise<void> {
  // Stopped, so that its position stays where it is.
  const world = await openChangedWorld({ state: "STOPPED" });
  try {
    await act(world, (argv, env = {}) => runHere(argv, { env: { ...world.env, ...env }, patience: PATIENCE }));
  } finally {
    await world.close();
  }
}
type Run = (argv: readonly string[], env?: Readonly<Record<string, string>>) => Promise<FinishedHere>;

judged("plan --format sarif shows each finding at its key, or at the connector that it is about", () =>
  inWorld(async (world, run) => {
    const text = (await readFile(world.plan, "utf8")).replace(`${TARGET_SCN}`, `${STORED_SCN + 100n}`);
    const forward = await world.writePlan("forward.yaml", text);
    const results = resultsOf(await run(["plan", forward, "--format", "sarif"]));
    const placed = new Map(results.map((one) => [one.ruleId, placeOf(one)]));
    const lines = text.split("\n");
    const at = (key: string) => {
      const line = lines.findIndex((one) => one.trimStart().startsWith(key));
      return `forward.yaml:${line + 1}:${(lines[line] ?? "").search(/\S/) + 1}`;
    };
    assert.is(placed.get("OFF103"), at("spec:"), "the key is not there: where it has to be");
    for (const [code, place] of placed) if (code !== "OFF103") assert.is(place, at("connector:"), code);
    assert.ok(placed.size > 1, [...placed].join(" "));
  }),
);

judged("what could not be planned, and what is refused, is a document too", () =>
  inWorld(async (world, run) => {
    await world.sandbox.connect.close();
    for (const format of ["sarif", "junit"]) {
      const { stdout, exit, stderr } = await run(["plan", world.plan, "--format", format, "--timeout", "1s"]);
      assert.is(exit, 1);
      assert.match(stdout, format === "sarif" ? /"ruleId": "APL820"/ : /type="APL820"/);
      assert.match(stderr, /^failed: /);
    }
  }),
);

judged("plan --format gitlab writes both reports, and Markdown for a note on standard output", () =>
  inWorld(async (world, run) => {
    const out = join(world.dir, "reports");
    await mkdir(out);
    const plan = ["plan", world.plan, "--format", "gitlab"];
    const { exit, stdout, stderr } = await run([...plan, "--out-dir", out], { CI_PROJECT_DIR: world.dir });
    assert.is(exit, 0, stderr);
    assert.match(stdout, /^### /);
    assert.equal((await readdir(out)).sort(), ["gl-code-quality-report.json", "terraform-report.json"]);
    const read = async (name: string) => JSON.parse(await readFile(join(out, name), "utf8"));
    assert.equal(await read("terraform-report.json"), { create: 0, update: 1, delete: 0 });
    const [first] = await read("gl-code-quality-report.json");
    assert.is(first.location.path, "plan.yaml");
    // Again, over what is there; and not without the other option.
    assert.is((await run([...plan, "--out-dir", out])).exit, 0);
    for (const [argv, says] of [
      [plan, /Give --out-dir DIR/],
      [["plan", world.plan, "--out-dir", out], /--out-dir is for --format gitlab/],
      [[...plan, "--out-dir", join(out, "nowhere")], /terraform-report|gl-code-quality-report/],
    ] as const) {
      const refused = await run(argv);
      assert.is.not(refused.exit, 0);
      assert.is.not(refused.exit, 70);
      assert.match(refused.stderr, says);
    }
  }),
);

judged("annotations are written where their forge is seen, on standard error, and silenced by --annotations off", () =>
  inWorld(async (world, run) => {
    const github = { GITHUB_ACTIONS: "true", GITHUB_WORKSPACE: world.dir };
    const { stdout, stderr } = await run(["plan", world.plan], github);
    assert.match(stderr, /^::warning file=plan\.yaml,line=\d+,col=\d+,title=OFF/m);
    assert.not.match(stdout, /^::/m);
    assert.match(
      (await run(["plan", world.plan], { TF_BUILD: "True" })).stderr,
      /^##vso\[task\.logissue type=warning;/m,
    );
    for (const env of [github, { TF_BUILD: "True" }])
      assert.not.match((await run(["plan", world.plan, "--annotations", "off"], env)).output, /^::|##vso/m);
    assert.not.match((await run(["plan", world.plan])).output, /^::|##vso/m);
    // Also of what can't be read, whose problems are text only.
    const bad = await world.writePlan("bad.yaml", GOOD.replace("2169287", "[1]"));
    const { stderr: said, exit } = await run(["validate", bad], github);
    assert.is(exit, 64);
    assert.match(said, /^::error file=bad\.yaml,line=10,col=8,title=INPUT::spec\.scn is a list/m);
  }),
);

judged("plan --format sarif shows what a policy denies at the line of its rule, and a page names it", () =>
  inWorld(async (world, run) => {
    await mkdir(join(world.dir, "policies"));
    await writeFile(join(world.dir, "policies/never.yaml"), "title: Never\ndeny: 'true'\nmessage: Ask first.\n");
    const policy = ["--policy", join(world.dir, "policies")];
    const denied = resultsOf(await run(["plan", world.plan, ...policy, "--format", "sarif"])).filter(
      ({ ruleId }) => ruleId === "POL101",
    );
    assert.equal(denied.map(placeOf), ["never.yaml:2:"]);
    assert.match(denied[0]?.message.text ?? "", /the policy "Never" is not met[\s\S]*Ask first/);
    const { stdout } = await run(["plan", world.plan, ...policy, "--format", "html"]);
    assert.match(stdout, /POL101/);
    assert.match(stdout, /never\.yaml/);
  }),
);

judged("doctor check --format sarif shows a finding at the setting that fixes it", () =>
  inWorld(async (world, run) => {
    const config = { ...world.sandbox.config, "cdc.tables.include": "ORCLPDB1[.]NOBODY[.].*" };
    const text = JSON.stringify({ name: CONNECTOR, config }, undefined, 2);
    const path = await world.writePlan("orders-cdc.json", text);
    const finished = await run(["doctor", "check", "--config", path, "--format", "sarif"]);
    const results = resultsOf(finished);
    const line = text.split("\n").findIndex((one) => one.includes('"cdc.tables.include"')) + 1;
    assert.ok(
      results.some((one) => placeOf(one) === `orders-cdc.json:${line}:5`),
      JSON.stringify(results, undefined, 1),
    );
    for (const one of results) assert.match(placeOf(one), /^orders-cdc\.json:\d+:\d+$/);
    const { stdout } = await run(["doctor", "check", "--config", path, "--format", "junit"]);
    const { output: shown } = await run(["doctor", "check", "--config", path], { TF_BUILD: "true" });
    for (const canary of CANARIES)
      for (const output of [finished.output, stdout, shown]) assert.not.ok(output.includes(canary), canary);
    assert.match(shown, /^##vso\[task\.logissue type=error;/m);
    assert.match(stdout, new RegExp(`<testsuite name="${CONNECTOR}" tests="\\d+"`));
    assert.match(stdout, /<failure /);
  }),
);

const VARIABLES = ["GITHUB_WORKSPACE", "BUILD_SOURCESDIRECTORY", "CI_PROJECT_DIR", "WORKSPACE", "CI"] as const;
const anyValue = fc.oneof(
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.constantFrom(
    "/",
    "//",
    ".",
    "..",
    "\0",
    "~",
    "C:\\x",
    "file:///tmp",
    "##vso[x]",
    "::error::",
    "/".repeat(5000),
    "",
  ),
);
const anyEnvironment = fc.record(
  {
    ...Object.fromEntries(VARIABLES.map((name) => [name, anyValue])),
    GITHUB_ACTIONS: fc.constantFrom("true", "x"),
    TF_BUILD: fc.constantFrom("True", "\n"),
  },
  { requiredKeys: [] },
);

judged(
  "whatever the variables of a pipeline hold, the findings are the same, and no line of them is a command",
  async () => {
    const bad = await written(GOOD.replace("2169287", "[1]"), "bad.yaml");
    await fc.assert(
      fc.asyncProperty(anyEnvironment, fc.constantFrom("text", "sarif", "junit", "json"), async (env, format) => {
        const { exit, output, stdout } = await runHere(["validate", bad, "--format", format], { env });
        assert.is(exit, 64, output);
        assert.match(output, /spec\.scn is a list/);
        if (format === "sarif") assert.is(resultsOf({ exit, output, stdout, stderr: "" }).length, 1);
        const others = output.replaceAll(/^(?:::error |##vso\[task\.logissue )/gm, "");
        if (Object.values(env).some((value) => value === "true" || value === "True"))
          assert.not.match(others, /^\s*::|##(?:vso)?\[/im);
      }),
    );
  },
);

judged.run();
