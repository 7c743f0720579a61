/** Runs on other machines, as `status` and `connectors list` show them from the ops topic. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { CONNECTOR, type Sandbox } from "../../providers/sandbox/sandbox.ts";
import { planFile } from "../../providers/sandbox/scenario.ts";
import { schemaTester } from "../views/testing/schema.ts";
import { type Cdcctl, inSandboxOf } from "./testing/in-sandbox.ts";
import { runApart } from "./testing/run-apart.ts";

const elsewhere = suite("runs on other machines");
const inSandbox = inSandboxOf(elsewhere);

const IN = ["--context", "sandbox"];
const flat = (text: string) => text.replaceAll(/\s+/g, " ");
const FROM_OPS = `cdcctl recover --from-ops --context sandbox --connector ${CONNECTOR}`;
const NEXT =
  `next:  ${FROM_OPS}     # to finish it, if no process is applying it; otherwise wait\n` +
  `       ${FROM_OPS} --abandon     # to call it off, and change nothing more\n`;
const FOUND = new RegExp(
  `${CONNECTOR}: in flight on another machine: \\S+ \\S+ by ben \\(self-asserted\\): ` +
    "offsets set backward from 2044511 to 2010000, applying, run (\\S+): replay ",
);

/** Ben's change, cut off on another machine after it was announced. @returns its run */
async function cutOffElsewhere(sandbox: Sandbox, folder: string): Promise<string> {
  sandbox.connect.fail(({ method }) => (method === "PATCH" ? "disconnect-before" : undefined));
  const plan = join(folder, "ben.yaml");
  await writeFile(plan, planFile("orders-replay", "replay", "scn: 2010000", "resume: false"));
  const env = {
    CDCCTL_OPERATOR: "ben",
    CDCCTL_STATE: join(folder, "elsewhere"),
    CDCCTL_CONTEXTS: join(folder, "contexts.yaml"),
  };
  const seen = await runApart(["apply", plan, "--yes", "--settle", "100ms"], env);
  assert.is(seen.exit, 3, seen.output);
  sandbox.connect.fail(undefined);
  return /run (\d\S+)/.exec(seen.stdout)?.[1] ?? "";
}

/** How often a command has read ops topics. */
async function readsOf(cdcctl: Cdcctl, ...command: readonly string[]): Promise<number> {
  const seen = await cdcctl(...command, "--verbose");
  assert.is(seen.exit, 0, seen.output);
  return seen.stderr.match(/kafka read \S+\.cdc\.ops /g)?.length ?? 0;
}

inSandbox(
  "without a run here, status names the change, who, since when, and what to do",
  {},
  async (sandbox, cdcctl, folder) => {
    const none = await cdcctl("status", ...IN);
    assert.is(none.exit, 0, none.output);
    assert.is(none.stdout, "no runs here\n");
    const run = await cutOffElsewhere(sandbox, folder);
    const seen = await cdcctl("status", ...IN);
    assert.is(seen.exit, 3, seen.output);
    assert.is(FOUND.exec(flat(seen.stdout))?.[1], run);
    assert.match(seen.stdout, NEXT);
    const json = await cdcctl("status", ...IN, "--format", "json");
    assert.is(json.exit, 3, json.output);
    schemaTester("run.schema.json")(json.stdout);
    const { elsewhere: found } = JSON.parse(json.stdout);
    assert.is(found.length, 1);
    assert.is(found[0].connector, CONNECTOR);
    assert.is(found[0].change.run, run);
    assert.is(found[0].change.operator, "ben");
    const named = await cdcctl("status", ...IN, "--connector", CONNECTOR);
    assert.is(named.exit, 3, named.output);
    const misspelt = await cdcctl("status", ...IN, "--connector", "order-cdc");
    assert.is(misspelt.exit, 1, misspelt.output);
    assert.match(flat(misspelt.stderr), /have no connector order-cdc/);
  },
);

inSandbox("nobody looked where no workers are named, and that is said", {}, async (sandbox, cdcctl, folder) => {
  await cutOffElsewhere(sandbox, folder);
  const seen = await cdcctl("status");
  assert.is(seen.exit, 0);
  assert.match(
    seen.stdout,
    /^no runs here\nruns on other machines were not looked up\nnext: {2}cdcctl connectors list /,
  );
  const json = await cdcctl("status", "--format", "json");
  schemaTester("run.schema.json")(json.stdout);
  assert.is(JSON.parse(json.stdout).elsewhere, undefined);
});

inSandbox(
  "a run here leads to the workers: status without any option sees what came after it",
  {},
  async (sandbox, cdcctl, folder) => {
    assert.is((await cdcctl("connectors", "stop", CONNECTOR, ...IN)).exit, 0);
    const alone = await cdcctl("status");
    assert.is(alone.exit, 0, alone.output);
    assert.not.match(alone.stdout, "other machines");
    await cutOffElsewhere(sandbox, folder);
    const seen = await cdcctl("status");
    assert.is(seen.exit, 3, seen.output);
    assert.match(flat(seen.stdout), FOUND);
    const file = join(folder, "contexts.yaml");
    const text = await readFile(file, "utf8");
    await writeFile(file, text + text.slice(text.indexOf("  sandbox:")).replace("sandbox:", "second:"));
    const typed = await cdcctl("status", "--context", "second");
    assert.is(typed.exit, 3, typed.output);
    assert.is(
      flat(typed.stdout).match(/in flight on another machine/g)?.length,
      1,
      "once, though two contexts lead to it",
    );
    assert.not.match(typed.stdout, "cannot determine", "a run is looked up in its own context");
    const local = await cdcctl("status", "--no-check");
    assert.is(local.exit, 0, local.output);
    assert.match(local.stdout, "runs on other machines were not looked up\n");
  },
);

inSandbox(
  "status opens the workers of a connector once, for its run, its position and what other machines do",
  {},
  async (sandbox, cdcctl) => {
    assert.is((await cdcctl("connectors", "stop", CONNECTOR, ...IN)).exit, 0);
    const connectionsOf = async (...flags: readonly string[]) => {
      const before = sandbox.connect.connections();
      const seen = await cdcctl("status", ...flags);
      assert.is(seen.exit, 0, seen.output);
      return sandbox.connect.connections() - before;
    };
    const alone = await connectionsOf("--no-check", "--position");
    assert.ok(alone > 0);
    assert.is(await connectionsOf("--position"), alone);
  },
);

inSandbox("an unsettled run of this machine is no change of another one", {}, async (sandbox, cdcctl, folder) => {
  await cutOffElsewhere(sandbox, folder);
  const own = await runApart(["status", ...IN], {
    CDCCTL_STATE: join(folder, "elsewhere"),
    CDCCTL_CONTEXTS: join(folder, "contexts.yaml"),
  });
  assert.is(own.exit, 3, own.output);
  assert.match(own.stdout, /next: {2}cdcctl recover 20/);
  assert.not.match(own.stdout, "in flight on another machine");
  assert.match((await cdcctl("connectors", "list", ...IN)).stdout, "in flight on another machine");
});

inSandbox(
  "brokers that can't be read are not brokers without a change: status, list and show say so",
  {},
  async (sandbox, cdcctl, folder) => {
    await cutOffElsewhere(sandbox, folder);
    sandbox.failBroker(() => "disconnect-before");
    for (const command of [["status"], ["connectors", "list"], ["connectors", "show", CONNECTOR]]) {
      const seen = await cdcctl(...command, ...IN);
      assert.is(seen.exit, 0, seen.output);
      assert.match(flat(seen.stdout), `runs on other machines were not looked up (${CONNECTOR}): `);
    }
    const json = await cdcctl("status", ...IN, "--format", "json");
    schemaTester("run.schema.json")(json.stdout);
    assert.match(JSON.parse(json.stdout).elsewhere[0].change.unknown, /\S/);
    const list = await cdcctl("connectors", "list", ...IN, "--format", "json");
    schemaTester("connectors.schema.json")(list.stdout);
    assert.match(JSON.parse(list.stdout).connectors[0].elsewhere[0].change.unknown, /\S/);
  },
);

inSandbox("connectors list names what is in flight elsewhere", {}, async (sandbox, cdcctl, folder) => {
  const run = await cutOffElsewhere(sandbox, folder);
  const seen = await cdcctl("connectors", "list", ...IN);
  assert.is(seen.exit, 0, seen.output);
  assert.is(FOUND.exec(flat(seen.stdout))?.[1], run);
  assert.match(seen.stdout, NEXT);
  const json = await cdcctl("connectors", "list", ...IN, "--format", "json");
  schemaTester("connectors.schema.json")(json.stdout);
  assert.match(json.stdout, `"run": "${run}"`);
});

inSandbox(
  "connectors that share an ops topic have it read once; brokers that do not answer are tried once",
  {},
  async (sandbox, cdcctl) => {
    const { cluster } = sandbox.connect;
    for (const name of ["billing", "claims", "returns"])
      void cluster.create(
        `${name}-cdc`,
        { ...sandbox.config, "cdc.topic.prefix": name, "cdc.ops.topic": "orders.cdc.ops" },
        "STOPPED",
      );
    for (const command of [["connectors", "list"], ["status"]])
      assert.is(await readsOf(cdcctl, ...command, ...IN), 1, command.join(" "));
    void cluster.create("parcels-cdc", { ...sandbox.config, "cdc.topic.prefix": "parcels" }, "STOPPED");
    for (const command of [["connectors", "list"], ["status"]])
      assert.is(await readsOf(cdcctl, ...command, ...IN), 2, command.join(" "));
    sandbox.failBroker(() => "disconnect-before");
    for (const command of [["connectors", "list"], ["status"]])
      assert.is(await readsOf(cdcctl, ...command, ...IN), 1, command.join(" "));
    const { stdout } = await cdcctl("status", ...IN);
    assert.is(stdout.match(/were not looked up/g)?.length, 1, "one line for all of them");
    for (const name of ["billing-cdc", "parcels-cdc", CONNECTOR]) assert.match(flat(stdout), name);
  },
);

elsewhere.run();
