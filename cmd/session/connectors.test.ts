/** `connectors`: what is listed and shown, and how a connector is stopped, resumed and restarted, against a sandbox. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { isObject, type JsonObject, parseJson } from "../../core/values/json.ts";
import { LEGACY_CONNECTOR } from "../../providers/sandbox/migration/stage.ts";
import { CONNECTOR, LOGIN, PREFIX, type Sandbox, type SandboxOptions } from "../../providers/sandbox/sandbox.ts";
import { planFile } from "../../providers/sandbox/scenario.ts";
import { openMigrationWorld } from "../behaviour/migration/migration-world.ts";
import { runHere } from "../behaviour/run-command.ts";
import { schemaTester } from "../views/testing/schema.ts";
import { inSandboxOf } from "./testing/in-sandbox.ts";
import { type Apart, runApart } from "./testing/run-apart.ts";

const connectors = suite("connectors");
const inSandbox = inSandboxOf(connectors);

const IN = ["--context", "sandbox"];
const flat = (text: string) => text.replaceAll(/\s+/g, " ");
const changes = ({ connect }: Sandbox) =>
  connect.requests.filter(({ method }) => method !== "GET").map(({ method, path }) => `${method} ${path}`);

inSandbox("list shows state, position, lag and the run to settle", {}, async (_sandbox, cdcctl) => {
  const seen = await cdcctl("connectors", "list", ...IN);
  assert.is(seen.exit, 0, seen.stderr);
  assert.match(flat(seen.stdout), /orders-cdc RUNNING, task 0 RUNNING on \S+ 2044511 \S+ s, 489 SCNs/);
  const json = await cdcctl("connectors", "list", ...IN, "--format", "json");
  schemaTester("connectors.schema.json")(json.stdout);
  const document = documentOf(json);
  const [one] = listIn(document, "connectors");
  assert.is(one?.["resume_scn"], 2044511n);
  assert.equal(one?.["unsettled_runs"], []);
  assert.ok(isObject(one?.["lag"] ?? null));
  assert.is((one?.["lag"] as JsonObject | undefined)?.["scns"], 489n);
});

inSandbox("show has the latest stop of the task from the ops topic, without secrets", {}, async (sandbox, cdcctl) => {
  const { password } = LOGIN;
  const stop = (ts_ms: number, message: string, server = PREFIX) => {
    const details = { code: "CDC-4001", exception: "sh.oso.BufferExhausted", message, operator_action: "Make room." };
    const value = Buffer.from(JSON.stringify({ v: 1, type: "stop", ts_ms, server, details }));
    return { key: Buffer.from(JSON.stringify({ server })), value };
  };
  sandbox.broker.append(`${PREFIX}.cdc.ops`, [
    stop(1_763_660_000_000, "[CDC-4001] The first. Operator action: Make room. Runbook: https://x/y"),
    stop(1_763_661_600_000, "[CDC-4001] The spill is full. Operator action: Make room. Runbook: https://x/y"),
    stop(1_763_662_000_000, "[CDC-4001] Another's. Operator action: Make room. Runbook: https://x/y", "billing"),
  ]);
  const seen = await cdcctl("connectors", "show", CONNECTOR, ...IN);
  assert.is(seen.exit, 0, seen.stderr);
  assert.match(
    flat(seen.stdout),
    "Last stop 2025-11-20 18:00:00Z CDC-4001 The spill is full. Last change none recorded",
  );
  const json = await cdcctl("connectors", "show", CONNECTOR, ...IN, "--format", "json");
  schemaTester("connectors.schema.json")(json.stdout);
  assert.match(json.stdout, /"last_stop": \{/);
  sandbox.broker.append(`${PREFIX}.cdc.ops`, [stop(1_763_663_000_000, `[CDC-4001] As ${password}.`)]);
  const redacted = await cdcctl("connectors", "show", CONNECTOR, ...IN);
  assert.match(redacted.stdout, "CDC-4001");
  assert.not.match(redacted.stdout, password);
});

connectors("without a URL or a context, the ways to name one are shown", async () => {
  const seen = await runApart(["connectors", "list"]);
  assert.is(seen.exit, 64);
  assert.match(flat(seen.stderr), /^cdcctl: no address of Kafka Connect is given Give --context NAME/);
});

inSandbox(
  "without a database the lag is unknown, and everything else is shown",
  { config: { "cdc.database.port": "1" } },
  async (_sandbox, cdcctl) => {
    const seen = await cdcctl("connectors", "list", ...IN);
    assert.is(seen.exit, 0, seen.stderr);
    assert.match(flat(seen.stdout), /RUNNING on \S+ 2044511 not known/);
    assert.match(seen.stdout, /lag unknown: /);
  },
);

inSandbox(
  "stop reaches a connector that was resumed a moment ago",
  { connect: { statusLag: 600 } },
  async (sandbox, cdcctl) => {
    assert.is((await cdcctl("connectors", "stop", CONNECTOR, ...IN)).exit, 0);
    await fetch(`${sandbox.connect.url}/connectors/${CONNECTOR}/resume`, { method: "PUT" });
    const again = await cdcctl("connectors", "stop", CONNECTOR, ...IN);
    assert.match(again.stdout, /^orders-cdc is STOPPED, its stored offset is/, again.stderr);
    assert.is(changes(sandbox).at(-1), `PUT /connectors/${CONNECTOR}/stop`);
  },
);

inSandbox("stop waits for STOPPED and is kept in the history; resume starts it again", {}, async (sandbox, cdcctl) => {
  const stop = await cdcctl("connectors", "stop", CONNECTOR, ...IN, "--reason", "CHG-1 maintenance");
  assert.is(stop.exit, 0, stop.stderr);
  assert.match(stop.stdout, /^orders-cdc is STOPPED, its stored offset is unchanged/);
  assert.equal(changes(sandbox), [`PUT /connectors/${CONNECTOR}/stop`]);
  const again = await cdcctl("connectors", "stop", CONNECTOR, ...IN);
  assert.match(again.stdout, /is already STOPPED: nothing to do/);
  const shown = await cdcctl("connectors", "show", CONNECTOR, ...IN);
  assert.match(shown.stdout, /State +STOPPED/);
  assert.match(shown.stdout, /next: {2}cdcctl connectors resume orders-cdc --context sandbox/);
  const resume = await cdcctl("connectors", "resume", CONNECTOR, ...IN);
  assert.is(resume.exit, 0, resume.stderr);
  assert.match(resume.stdout, /^orders-cdc is running, its stored offset is unchanged/);
  assert.equal(changes(sandbox), [`PUT /connectors/${CONNECTOR}/stop`, `PUT /connectors/${CONNECTOR}/resume`]);
  const history = flat((await cdcctl("history")).stdout);
  assert.match(history, /orders-cdc stop succeeded ana admin CHG-1 maintenance .* orders-cdc resume succeeded ana/);
  assert.match((await cdcctl("connectors", "resume", CONNECTOR, ...IN)).stdout, /is already running: nothing to do/);
  const run = /run (\S+)/.exec(stop.stdout)?.[1] ?? "";
  const kept = await cdcctl("show", run, "--format", "json");
  schemaTester("run.schema.json")(kept.stdout);
  const document = documentOf(kept);
  assert.is((document["subject"] as JsonObject)["control"], "stop");
  assert.match((await cdcctl("show", run)).stdout, /connectors stop of orders-cdc/);
});

inSandbox(
  "an unanswered stop is in doubt: exit 3, nothing else is begun, recover settles it",
  {},
  async (sandbox, cdcctl) => {
    const { connect } = sandbox;
    connect.fail(({ method, path }) => (method === "PUT" && path.endsWith("/stop") ? "disconnect-before" : undefined));
    const stop = await cdcctl("connectors", "stop", CONNECTOR, ...IN);
    assert.is(stop.exit, 3, stop.stdout + stop.stderr);
    assert.match(flat(stop.stdout), /not finished: whether PUT stop orders-cdc has taken effect is unknown/);
    const listed = await cdcctl("connectors", "list", ...IN);
    assert.match(listed.stdout, /next: {2}cdcctl recover 20/);
    const resume = await cdcctl("connectors", "resume", CONNECTOR, ...IN);
    assert.is(resume.exit, 1);
    assert.match(flat(resume.stderr), /refused: run \S+ of orders-cdc is not settled .*cdcctl recover .*APL813/);
    connect.fail(undefined);
    const recover = await cdcctl("recover", "--yes", "--settle", "100ms");
    assert.is(recover.exit, 0, recover.stdout + recover.stderr);
    assert.match(flat(recover.stdout), /orders-cdc is STOPPED/);
    assert.match(flat(recover.stdout), /not proven: no worker still carries out an unanswered PUT stop/);
  },
);

inSandbox(
  "--watch prints each status that differs from the last one, until Ctrl-C",
  {},
  async (_sandbox, cdcctl, folder) => {
    const ctrlC = new AbortController();
    const env = { CDCCTL_STATE: join(folder, "state"), CDCCTL_CONTEXTS: join(folder, "contexts.yaml"), HOME: folder };
    const watching = ["--watch", "--interval", "50ms"];
    const shown = runHere(["connectors", "show", CONNECTOR, ...IN, ...watching], { env, interrupt: ctrlC.signal });
    const status = runHere(["status", ...watching], { env, interrupt: ctrlC.signal });
    assert.is((await cdcctl("connectors", "stop", CONNECTOR, ...IN)).exit, 0);
    ctrlC.abort();
    const [prints, runs] = await Promise.all([shown, status]);
    assert.is(prints.exit, 0);
    assert.match(flat(prints.stdout), /^\d{4}-\S+Z orders-cdc State RUNNING.* \d{4}-\S+Z orders-cdc State STOPPED /);
    assert.match(
      flat(runs.stdout),
      /^\d{4}-\S+Z no runs here runs on other machines .* next: cdcctl connectors list [^Z]* \d{4}-\S+Z orders-cdc run/,
    );
    assert.match((await cdcctl("status", "--watch", "--format", "json")).stdout, /--watch supports only text/);
  },
);

connectors("cdcctl never starts both connectors of a migration", async () => {
  const world = await openMigrationWorld();
  try {
    const cdcctl = (...words: readonly string[]) => runHere(words, { env: world.env });
    const applied = await cdcctl("apply", await world.plan("cutover"), "--yes", "--settle", "100ms");
    assert.is(applied.exit, 0, applied.stdout + applied.stderr);
    const before = changes(world.sandbox).length;
    const seen = await cdcctl("connectors", "resume", LEGACY_CONNECTOR, ...IN);
    assert.is(seen.exit, 1, seen.stdout);
    assert.match(
      flat(seen.stderr),
      /is RUNNING; if \S+ is started as well, both will deliver .*cdcctl rollback .*APL818/,
    );
    assert.is(changes(world.sandbox).length, before);
    const list = await cdcctl("connectors", "list", ...IN);
    assert.match(list.stdout, /\(legacy\) +STOPPED/);
  } finally {
    await world.close();
  }
});

connectors("a cutover waits until a stop of its legacy connector is settled", async () => {
  const world = await openMigrationWorld();
  try {
    const cdcctl = (...words: readonly string[]) => runHere(words, { env: world.env, patience: { patch: 500 } });
    world.sandbox.connect.fail(({ path }) => (path.endsWith("/stop") ? "disconnect-before" : undefined));
    assert.is((await cdcctl("connectors", "stop", LEGACY_CONNECTOR, ...IN)).exit, 3);
    world.sandbox.connect.fail(undefined);
    // A plan has the workers validate the configuration, which changes nothing.
    const made = () => changes(world.sandbox).filter((one) => one.includes(" /connectors/"));
    const before = made();
    const applied = await cdcctl("apply", await world.plan("cutover"), "--yes", "--settle", "100ms");
    assert.is(applied.exit, 1, applied.output);
    assert.match(flat(applied.stderr), new RegExp(`refused: run \\S+ of ${LEGACY_CONNECTOR} is not settled`));
    assert.equal(made(), before);
  } finally {
    await world.close();
  }
});

/** A task that runs only while `sound` says so. */
function taskThat(sound: () => boolean): SandboxOptions {
  return {
    connect: {
      task: () => ({
        start() {
          if (!sound()) throw new Error("ORA-01017: invalid username/password");
          return undefined;
        },
        tick: () => {
          if (!sound()) throw new Error("ORA-01017: invalid username/password");
          return [];
        },
      }),
    },
  };
}

let sound = false;
inSandbox(
  "restart starts what has failed, reports that it failed again, and leaves running connectors untouched",
  taskThat(() => sound),
  async (sandbox, cdcctl) => {
    sound = false;
    await until(async () => (await cdcctl("connectors", "show", CONNECTOR, ...IN)).exit === 1);
    schemaTester("connectors.schema.json")(
      (await cdcctl("connectors", "show", CONNECTOR, ...IN, "--format", "json")).stdout,
    );
    const failed = await cdcctl("connectors", "show", CONNECTOR, ...IN);
    assert.match(flat(failed.stdout), /Trace, task 0 ORA-01017/);
    assert.match(failed.stdout, /next: {2}cdcctl connectors restart orders-cdc --context sandbox/);
    const again = await cdcctl("connectors", "restart", CONNECTOR, ...IN);
    assert.is(again.exit, 1, again.stdout);
    assert.match(flat(again.stdout), /failed: orders-cdc failed again after it was restarted: .*ORA-01017/);
    assert.match(
      flat(again.stdout),
      /Fix what made it fail, then: cdcctl connectors restart orders-cdc --context sandbox/,
    );
    sound = true;
    const restarted = await cdcctl("connectors", "restart", CONNECTOR, ...IN);
    assert.is(restarted.exit, 0, restarted.stdout + restarted.stderr);
    assert.match(restarted.stdout, /^orders-cdc is running/);
    const path = `POST /connectors/${CONNECTOR}/restart`;
    assert.equal(changes(sandbox), [path, path]);
    const nothing = await cdcctl("connectors", "restart", CONNECTOR, ...IN);
    assert.match(nothing.stdout, /nothing of orders-cdc has failed; pass --all to restart it anyway/);
    assert.is((await cdcctl("connectors", "restart", CONNECTOR, ...IN, "--all")).exit, 0);
    assert.equal(changes(sandbox), [path, path, path]);
  },
);

inSandbox("a stopped connector is not restarted", { state: "STOPPED" }, async (sandbox, cdcctl) => {
  const seen = await cdcctl("connectors", "restart", CONNECTOR, ...IN);
  assert.is(seen.exit, 1);
  assert.match(
    flat(seen.stderr),
    /orders-cdc is STOPPED; a restart would not start it .*connectors resume orders-cdc --context sandbox/,
  );
  assert.equal(changes(sandbox), []);
});

const SET = ["admin", "offsets", "set", ...IN, "--name", CONNECTOR, "--scn", "2010000", "--reason", "replay"];

inSandbox("a resume after a change waits for its first commit, in that run", {}, async (_sandbox, cdcctl) => {
  const set = await cdcctl(...SET);
  assert.is(set.exit, 0, set.stderr);
  const seen = await cdcctl("connectors", "resume", CONNECTOR, ...IN);
  assert.is(seen.exit, 0, seen.stdout + seen.stderr);
  assert.match(flat(seen.stderr), /resumed; first commit at \d+, journal generation 9/);
  assert.is((await cdcctl("history")).stdout.match(/^\d/gm)?.length, 1);
});

inSandbox(
  "a change that a late commit has undone is repaired before the connector starts",
  {},
  async (sandbox, cdcctl) => {
    const before = sandbox.stored();
    assert.is((await cdcctl(...SET)).exit, 0);
    sandbox.connect.cluster.alter(CONNECTOR, [{ partition: { server: PREFIX }, offset: before ?? null }]);
    assert.is(sandbox.stored()?.["resume_scn"], 2044511n);
    const seen = await cdcctl("connectors", "resume", CONNECTOR, ...IN);
    assert.is(seen.exit, 0, seen.stdout + seen.stderr);
    const sent = changes(sandbox);
    assert.ok(
      sent.lastIndexOf(`PATCH /connectors/${CONNECTOR}/offsets`) > sent.indexOf(`PUT /connectors/${CONNECTOR}/stop`),
    );
    assert.is(sent.filter((one) => one.startsWith("PATCH")).length, 2);
    assert.is(sent.at(-1), `PUT /connectors/${CONNECTOR}/resume`);
  },
);

inSandbox("another operator's change in flight is left untouched", {}, async (sandbox, cdcctl, folder) => {
  // A run of another machine that was cut off after it had announced its change.
  sandbox.connect.fail(({ method }) => (method === "PATCH" ? "disconnect-before" : undefined));
  await writeFile(join(folder, "plan.yaml"), planFile("orders-replay", "replay", "scn: 2010000", "resume: false"));
  const elsewhere = { CDCCTL_STATE: join(folder, "elsewhere"), CDCCTL_CONTEXTS: join(folder, "contexts.yaml") };
  const cutOff = await runApart(["apply", join(folder, "plan.yaml"), "--yes", "--settle", "100ms"], elsewhere);
  assert.is(cutOff.exit, 3, cutOff.stdout + cutOff.stderr);
  const began = changes(sandbox).length;
  for (const control of ["resume", "stop"]) {
    const seen = await cdcctl("connectors", control, CONNECTOR, ...IN);
    if (control === "stop") assert.match(seen.stdout, /already STOPPED/);
    else {
      assert.is(seen.exit, 1, seen.stdout);
      assert.match(flat(seen.stderr), /refused: ana \(self-asserted\) began a change to 2010000 .*OPS603/);
    }
  }
  assert.is(changes(sandbox).length, began);
});

inSandbox(
  "where the ops topic is unreadable, a start requires confirmation; a stop warns",
  {},
  async (sandbox, cdcctl) => {
    sandbox.failBroker(() => "disconnect-before");
    const stop = await cdcctl("connectors", "stop", CONNECTOR, ...IN);
    assert.is(stop.exit, 0, stop.stderr);
    assert.match(stop.stderr, /^warning: the ops topic could not be read/m);
    const seen = await cdcctl("connectors", "resume", CONNECTOR, ...IN);
    assert.is(seen.exit, 1, seen.stdout);
    assert.match(flat(seen.stderr), /the ops topic could not be read: .*--without-ops-topic/);
    assert.is((await cdcctl("connectors", "resume", CONNECTOR, ...IN, "--without-ops-topic")).exit, 0);
  },
);

connectors.run();

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 60_000; Date.now() < end; ) if (await holds()) return;
  throw new Error("it did not come to that within 20 s");
}

function documentOf({ stdout }: Apart): JsonObject {
  const document = parseJson(stdout);
  assert.ok(isObject(document), stdout);
  return document as JsonObject;
}

function listIn(document: JsonObject, member: string): readonly JsonObject[] {
  const list = document[member];
  return Array.isArray(list) ? list.filter(isObject) : [];
}
