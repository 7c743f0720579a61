import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { buildRun } from "../../core/plan/testing/build-run.ts";
import { backward } from "../../core/plan/testing/example-plans.ts";
import { stateDirectory } from "../../providers/state/state-directory.ts";
import { runHere } from "../behaviour/run-command.ts";
import { PROGRAMS } from "../commands/catalogue.ts";
import { BINARIES } from "../dev/bundle.ts";

const CONTEXTS = `apiVersion: cdcctl/v1
kind: Contexts
contexts:
  prod:
    connect: { url: "https://connect.prod:8083", auth: { bearer: { token: of-prod } } }
    connectors: { orders-cdc: { config: orders.json }, --yes: { config: yes.json } }
  prod-2:
    connect: { url: "https://connect.prod-2:8083" }
`;

const completing = suite<{ folder: string; complete: (line: string) => Promise<readonly string[]> }>("completion");

completing.before.each(async (context) => {
  const folder = await mkdtemp(join(tmpdir(), "cdcctl-completions-"));
  await writeFile(join(folder, "contexts.yaml"), CONTEXTS, { mode: 0o600 });
  const env = { HOME: folder, CDCCTL_CONTEXTS: join(folder, "contexts.yaml"), CDCCTL_STATE: join(folder, "state") };
  context.folder = folder;
  context.complete = async (line) => {
    const { exit, stdout, stderr } = await runHere(["complete", "--", ...line.split(" ")], { env });
    assert.is(exit, 0);
    assert.is(stderr, "");
    return stdout.split("\n").slice(0, -1);
  };
});
completing.after.each(({ folder }) => rm(folder, { recursive: true, force: true }));

async function store(folder: string, connector: string, run: string): Promise<void> {
  const journal = await stateDirectory(folder).create({ clusterId: "c-1", connector, run });
  const [started] = buildRun(backward, []).entries;
  if (started !== undefined) await journal.append(started);
  await journal.close();
}

for (const [line, words] of [
  ["cdcctl pla", ["plan"]],
  ["pla", ["plan"]],
  ["cdcctl admin offsets ", ["set", "show"]],
  ["cdc-admin j", ["journal"]],
  ["/usr/local/bin/srcdb-cdc-doctor che", ["check"]],
  ["srcdb-cdc-doctor admin transactions --context prod", ["prod", "prod-2"]],
  ["takeover_scn --context=prod-", ["--context=prod-2"]],
  ["migrate_from_legacy --inp", ["--input"]],
  ["cdcctl plan --context p", ["prod", "prod-2"]],
  ["cdcctl contexts test ", ["prod", "prod-2"]],
  ["cdcctl plan --context prod ", [":files"]],
  ["cdcctl plan --format h", ["html"]],
  ["cdcctl plan -o h", ["html"]],
  ["cdcctl history --format=", ["--format=html", "--format=json", "--format=markdown", "--format=text"]],
  ["cdcctl plan --format=j", ["--format=json", "--format=junit"]],
  ["cdcctl plan --format json orders.yaml --report", []],
  ["cdcctl history --connector o", ["orders-cdc"]],
  ["cdcctl admin offsets show --name o", ["orders-cdc"]],
  ["cdcctl admin offsets show --connector o", ["orders-cdc"]],
  ["cdcctl rollback --timeout ", []],
  ["cdcctl init R", ["Resnapshot"]],
  ["cdcctl schema RunL", ["RunList"]],
  ["cdcctl explain CDC-4", ["CDC-4001", "CDC-4002", "CDC-4003", "CDC-4004"]],
  ["cdcctl sandbox --scenario stop", ["stopped"]],
  ["cdcctl completion ", ["bash", "fish", "zsh"]],
  ["cdcctl validate a.yaml ", [":files"]],
  ["cdcctl nonsense ", []],
] as const)
  completing(`${line}|`, async ({ complete }) => {
    const found = await complete(line);
    if (line === "cdcctl nonsense ") assert.not.ok(found.includes(":files"));
    else assert.equal(found, words);
  });

completing("knows every installed program", async ({ complete }) => {
  assert.equal(PROGRAMS.map(({ name }) => name).sort(), [...BINARIES].sort());
  for (const name of BINARIES) assert.ok((await complete(`${name} --hel`)).includes("--help"), name);
  for (const shell of ["bash", "zsh", "fish"])
    assert.match((await runHere(["completion", shell], { env: {} })).stdout, BINARIES.join(" "));
});

completing("offers runs and connectors of the state that the line names", async ({ complete, folder }) => {
  await store(join(folder, "state"), "orders-cdc", "2026-11-21T09-15-40Z-7f3a");
  await store(join(folder, "other"), "billing-cdc", "2025-01-01T00-00-00Z-0000");
  assert.equal(await complete("cdcctl rollback 202"), ["2026-11-21T09-15-40Z-7f3a"]);
  assert.equal(await complete(`cdcctl rollback --state ${join(folder, "other")} 202`), ["2025-01-01T00-00-00Z-0000"]);
  assert.equal(await complete(`cdcctl history --state=${join(folder, "other")} --connector `), [
    "billing-cdc",
    "orders-cdc",
  ]);
  assert.equal(await complete("cdcctl report "), ["2026-11-21T09-15-40Z-7f3a", ":files", "orders-cdc"]);
});

completing("offers no name that a terminal or the command line would interpret", async (context) => {
  const { complete, folder } = context;
  for (const [i, name] of ["line\nbreak", "esc\u001b[2J", "tab\tbed", "turned\u202eround", "two\u2028lines"].entries())
    await store(join(folder, "state"), name, `2026-11-21T09-15-40Z-000${i}`);
  // --yes of the contexts file would be an option.
  assert.equal(await complete("cdcctl history --connector "), ["orders-cdc"]);
});

completing("prints nothing where the contexts file is wrong or missing", async ({ complete, folder }) => {
  await writeFile(join(folder, "contexts.yaml"), "contexts: [", { mode: 0o600 });
  assert.equal(await complete("cdcctl plan --context "), []);
  assert.equal(await complete(`cdcctl plan --contexts ${join(folder, "none.yaml")} --context `), []);
  assert.equal(await complete("cdcctl history --connector "), []);
});

completing("shows no secret of the contexts file", async ({ complete }) => {
  for (const line of ["cdcctl plan --context ", "cdcctl history --connector ", "cdcctl plan --connect-url "])
    assert.not.match((await complete(line)).join("\n"), /of-prod|https/);
});

completing.run();
