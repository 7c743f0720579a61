/**
 * A cutover by the command: from whatever state the legacy connector is in, with workers of each kind; once; one at a
 * time; and what it refuses.
 */
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { runState } from "../../../core/run/state.ts";
import { until } from "../../../providers/connect/contract.ts";
import { migrationFile } from "../../../providers/sandbox/migration/scenario.ts";
import { LEGACY_CONNECTOR } from "../../../providers/sandbox/migration/stage.ts";
import { CLUSTER_ID, type SandboxOptions } from "../../../providers/sandbox/sandbox.ts";
import { stateDirectory } from "../../../providers/state/state-directory.ts";
import { failAll } from "../changed-world.ts";
import { inLanes } from "../in-lanes.ts";
import { runHere } from "../run-command.ts";
import { type MigrationWorld, openMigrationWorld, startAnywhere } from "./migration-world.ts";
import { bothRun } from "./phase-cell.ts";
import { collectedOf, phaseContradictions, seen } from "./phase-story.ts";
import { CUTOVER } from "./phases.ts";

const cutover = suite("a cutover");
const test = inLanes(cutover);
const LIMITS = ["--settle", "200ms", "--stop-timeout", "3s", "--resume-timeout", "3s"];

function inWorld(
  name: string,
  options: SandboxOptions,
  act: (world: MigrationWorld) => Promise<void>,
  more: { readonly guarded?: boolean } = {},
): void {
  test(name, async () => {
    const world = await openMigrationWorld(options, undefined, more);
    try {
      await act(world);
    } finally {
      await world.close();
    }
  });
}

const PATTERN = "table.inclusion.regex";

function reconfigured(world: MigrationWorld, settings: Readonly<Record<string, string>>): void {
  const legacy = world.connector("legacy");
  if (legacy === undefined) throw new Error("there is no legacy connector");
  legacy.config = { ...legacy.config, ...settings };
}

const flat = (text: string) => text.replace(/\s+/g, " ");
const outcome = (world: MigrationWorld) => runState(world.journal())?.ended?.outcome;
const changes = ({ sandbox }: MigrationWorld) =>
  sandbox.connect.requests.filter(({ method, path }) => method !== "GET" && !path.endsWith("/validate")).length;
const apply = async (world: MigrationWorld, ...spec: string[]) =>
  runHere(["apply", await world.plan("cutover", ...spec), "--yes", ...LIMITS], world);

async function orderIds({ sandbox: { broker } }: MigrationWorld, topic: string): Promise<ReadonlySet<string>> {
  const texts = (await broker.records(topic)).map(({ key }) => Buffer.from(key ?? []).toString("utf8"));
  return new Set(texts.flatMap((text) => /\b1\d{3}\b/.exec(text) ?? []));
}

inWorld(
  "the new connector delivers what was open at the stop and committed later; both deliver the overlap",
  {},
  async (world) => {
    const before = seen(world);
    const { exit, output } = await apply(world);
    assert.is(exit, 0, output);
    assert.match(flat(output), /orders-cdc has taken over from orders-legacy at 2044800/);
    await until(
      "everything is delivered",
      async () => BigInt(String(world.sandbox.stored()?.["resume_scn"] ?? 0)) >= 2_045_300n,
    );
    const [fresh, legacy] = [
      await orderIds(world, "orders.ORCLPDB1.SALES.ORDERS"),
      await orderIds(world, "ORCLCDB.ORCLPDB1.SALES.ORDERS"),
    ];
    assert.ok(fresh.has("1050") && !legacy.has("1050"), "of the transaction that was open");
    assert.ok(fresh.has("1021") && legacy.has("1021"), "the overlap");
    assert.ok(!fresh.has("1003") && legacy.has("1003"), "committed before the start");
    assert.equal(phaseContradictions(await collectedOf(world, CUTOVER, before)), []);
    assert.equal(await world.opsEvents(), []);
  },
);

for (const state of ["PAUSED", "STOPPED", "FAILED"] as const) {
  inWorld(`the legacy connector is ${state} at the beginning`, {}, async (world) => {
    const legacy = world.connector("legacy");
    if (legacy === undefined) throw new Error("no such file");
    const { cluster } = world.sandbox.connect;
    if (state === "FAILED") {
      const trace = "ORA-01089: immediate shutdown in progress";
      world.sandbox.connect.show(LEGACY_CONNECTOR, { state: "RUNNING", tasks: [{ id: 0, state: "FAILED", trace }] });
    } else {
      cluster.aim(legacy, state);
      await until("it is", async () => legacy.reported?.state === state);
    }
    const { exit, output } = await apply(world);
    assert.is(exit, 0, output);
    assert.is(world.connector("legacy")?.target, "STOPPED");
    assert.is(world.connector("new")?.target, "RUNNING");
  });
}

for (const version of ["3.5.1", "3.6.2", "3.9.2", "4.1.0"]) {
  const stopped = version >= "3.7";
  inWorld(
    `workers ${version}: it is created ` +
      `${stopped ? "STOPPED" : "running, once the plan file says that the name is new"}`,
    { connect: { version, commitInterval: stopped ? 20 : 400 } },
    async (world) => {
      const before = seen(world);
      if (!stopped) {
        const refused = await apply(world);
        assert.is(refused.exit, 1, refused.output);
        assert.match(refused.output, /MIG107/);
        assert.is(world.connector("legacy")?.target, "RUNNING");
      }
      const { exit, output } = await apply(world, ...(stopped ? [] : ["accept: [MIG107]"]));
      assert.is(exit, 0, output);
      const [create] = world.sandbox.connect.requests.filter(({ method }) => method === "POST");
      assert.is(create?.body.includes('"initial_state":"STOPPED"'), stopped, create?.body);
      assert.equal(phaseContradictions(await collectedOf(world, CUTOVER, before)), []);
    },
  );
}

const LEFT_OUT = "orders-legacy has stored offsets of ORCLPDB1.SALES.ORDERS, which orders-cdc does not capture";

/** The legacy connector's settings, or those of `spec.to`, by which nobody would capture the delivered table. */
const CAPTURED_BY_NOBODY: readonly (readonly [string, Readonly<Record<string, string>>, string?])[] = [
  ["a PDB in another case", { "oracle.pdb.name": "orclpdb1", [PATTERN]: "orclpdb1[.]SALES[.]ORDERS" }],
  ["a mistyped PDB", { [PATTERN]: "ORCLPDB[.]SALES[.]ORDERS" }],
  ["the SID before the PDB", { [PATTERN]: "ORCLCDB[.]ORCLPDB1[.]SALES[.]ORDERS" }],
  ["a pattern that excludes it", { "table.exclusion.regex": ".*[.]ORDERS" }],
  ["cdc.tables.include of the plan file", {}, 'cdc.tables.include: "ORCLPDB1[.]SALES[.]LINES"'],
  ["cdc.tables.exclude of the plan file", {}, 'cdc.tables.exclude: "ORCLPDB1[.]SALES[.]ORDERS"'],
];
for (const [what, settings, setting] of CAPTURED_BY_NOBODY)
  inWorld(
    `a delivered table that nobody would capture, by ${what}, is named, and nothing changes`,
    {},
    async (world) => {
      reconfigured(world, settings);
      const text = migrationFile("cutover");
      const config = setting === undefined ? "" : `\n    config: { ${setting} }`;
      const file = await world.write("cutover.yaml", text.replace("topicPrefix: orders", `$&${config}`));
      const before = changes(world);
      for (const command of [["plan"], ["apply", "--yes", ...LIMITS]]) {
        const { exit, output } = await runHere([...command, file], world);
        assert.is(exit, 1, output);
        assert.match(flat(output), LEFT_OUT);
        assert.match(output, "MIG121");
      }
      assert.is(changes(world), before);
    },
  );

inWorld(
  "a table that is first delivered after the plan, and captured by nobody, takes the cutover back",
  {},
  async (world) => {
    const partition = { catalog: "ORCLPDB1", schema: "CRM", table: "CALLS" };
    failAll(world.sandbox, (arrival) => {
      if (arrival.system === "connect" && arrival.path === `/connectors/${LEGACY_CONNECTOR}/stop`)
        world.sandbox.connect.cluster.offsets.write(LEGACY_CONNECTOR, [
          { partition, offset: { scn: "2044900", cscn: "2044900", rows: "1", rps: "0", def: "{}" } },
        ]);
      return undefined;
    });
    const { exit, output } = await apply(world);
    assert.is(exit, 1, output);
    assert.match(flat(output), "has stored offsets of ORCLPDB1.CRM.CALLS, which orders-cdc does not capture");
    assert.is(world.connector("new"), undefined);
    assert.is(world.connector("legacy")?.target, "RUNNING", output);
  },
);

inWorld("which tables are captured is unknown: that blocks, and the plan file can accept it", {}, async (world) => {
  world.sandbox.oracle.denied.add("CDB_TABLES");
  const refused = await runHere(["plan", await world.plan("cutover")], world);
  assert.is(refused.exit, 1, refused.output);
  assert.match(flat(refused.output), /MIG121/);
  const { exit, output } = await runHere(["plan", await world.plan("cutover", "accept: [MIG121]"), "--full"], world);
  assert.is(exit, 0, output);
  assert.match(flat(output), /✓ MIG121 .*accepted by the plan file/);
});

inWorld("a SID that is another one's is refused, and the plan file can accept it", {}, async (world) => {
  reconfigured(world, { "oracle.sid": "TESTCDB" });
  const refused = await runHere(["plan", await world.plan("cutover")], world);
  assert.is(refused.exit, 1, refused.output);
  assert.match(
    flat(refused.output),
    "the stored offsets name the SID ORCLCDB, where oracle.sid is TESTCDB (an instance may have another name than " +
      "its database) Check the settings of both connectors, and accept it only if it is the same database under " +
      "another name. ✗ MIG122",
  );
  const { exit, output } = await runHere(["plan", await world.plan("cutover", "accept: [MIG122]"), "--full"], world);
  assert.is(exit, 0, output);
  assert.match(flat(output), /✓ MIG122 the stored offsets name the SID ORCLCDB.* \(accepted by the plan file\)/);
});

inWorld("offsets left by an earlier connector of the same name are not used", {}, async (world) => {
  const offset = { v: 1n, resume_scn: 2_041_000n, journal_generation: 4n, dbid: 2_914_731_004n, resetlogs_scn: 1n };
  world.sandbox.connect.cluster.offsets.write("orders-cdc", [{ partition: { server: "orders" }, offset }]);
  const { exit, output } = await apply(world);
  assert.match(output, /MIG107/);
  assert.is(outcome(world), "failed");
  assert.is(world.connector("new"), undefined);
  assert.is(world.connector("legacy")?.target, "RUNNING");
  assert.is(exit, 1, output);
});

inWorld("where that was accepted it resumes from them, and the outcome says so", {}, async (world) => {
  const offset = { v: 1n, resume_scn: 2_041_000n, journal_generation: 4n, dbid: 2_914_731_004n, resetlogs_scn: 1n };
  world.sandbox.connect.cluster.offsets.write("orders-cdc", [{ partition: { server: "orders" }, offset }]);
  const { exit, output } = await apply(world, "accept: [MIG107]");
  assert.is(exit, 0, output);
  assert.match(
    flat(output),
    "not proven: orders-cdc began at its start: it continues from 2041000, " +
      "which an earlier connector of that name had stored",
  );
  assert.is(world.connector("legacy")?.target, "STOPPED");
});

inWorld("properties without a translation block until the plan file names each of them", {}, async (world) => {
  reconfigured(world, { "key.template": "x", "my.own": "y" });
  const before = changes(world);
  for (const accept of [[], ["accept: [key.template]"], ["accept: [MIG101]"]]) {
    const refused = await apply(world, ...accept);
    assert.is(refused.exit, accept[0]?.includes("MIG101") === true ? 64 : 1, refused.output);
    assert.match(refused.output, accept[0]?.includes("MIG101") === true ? "MIG101" : "my.own");
  }
  assert.is(changes(world), before);
  const { exit, output } = await apply(world, "accept: [key.template, my.own]");
  assert.is(exit, 0, output);
  assert.is(world.connector("new")?.target, "RUNNING");
});

/** The property is not set, and this long transaction is open from the look before the stop until the stop. */
function withLongTransaction(world: MigrationWorld, startScn: bigint | undefined): void {
  startAnywhere(world);
  const { oracle } = world.sandbox;
  if (startScn === undefined) return;
  const row = {
    instance: 1n,
    container: 3n,
    usn: 9n,
    slot: 4n,
    sequence: 1311n,
    startScn,
    startTime: oracle.scnTimes.timeOf(startScn),
    user: "BATCH",
    clientId: null,
  };
  failAll(world.sandbox, (arrival) => {
    const begun = world
      .journal()
      .some((entry) => entry.type === "step-started" && entry.step === "record-transactions");
    const isThere = oracle.transactions.includes(row);
    if (arrival.system === "connect" && arrival.method === "PUT" && arrival.path.endsWith("/stop"))
      oracle.transactions = oracle.transactions.filter((one) => one !== row);
    else if (arrival.system === "oracle" && arrival.statement.includes("GV$TRANSACTION") && begun && !isThere)
      if (!world.journal().some(({ type }) => type === "transactions-seen")) oracle.transactions.push(row);
    return undefined;
  });
}

inWorld("a transaction open before the stop, below the start, that has since ended is named", {}, async (world) => {
  withLongTransaction(world, 2_044_000n);
  const { exit, output } = await apply(world);
  assert.is(exit, 1, output);
  assert.match(flat(output), /record the open transactions, before orders-legacy is stopped/);
  assert.match(flat(output), /ended since: 3:9\.4\.1311 \(BATCH, from 2044000\)/);
  assert.match(flat(output), /set cdc\.start\.scn=2044000/);
  assert.is(outcome(world), "refused");
  assert.is(world.connector("legacy")?.target, "RUNNING");
  assert.is(world.connector("new"), undefined);
  const accepted = await apply(world, "accept: [MIG117]");
  assert.is(accepted.exit, 0, accepted.output);
});

inWorld(
  "where observations prove that none was open below the start, a missing property is not an obstacle",
  {},
  async (world) => {
    withLongTransaction(world, undefined);
    const { cluster } = world.sandbox.connect;
    const legacy = world.connector("legacy");
    let delivered = false;
    // Its last commit comes while it stops, later than the look.
    failAll(world.sandbox, (arrival) => {
      if (delivered || arrival.system !== "connect" || legacy?.reported?.state !== "STOPPED") return undefined;
      delivered = true;
      const cscn = String(world.sandbox.oracle.currentScn());
      const table = world.stored("legacy").find(({ partition }) => "table" in partition);
      if (table !== undefined)
        cluster.offsets.write(LEGACY_CONNECTOR, [{ ...table, offset: { ...table.offset, scn: cscn, cscn } }]);
      return undefined;
    });
    const { exit, output } = await apply(world);
    assert.is(exit, 0, output);
    const seen = world.journal().find(({ type }) => type === "transactions-seen");
    assert.ok(seen?.type === "transactions-seen" && seen.open.length > 0, "the one that begins at the start is whole");
  },
);

inWorld("a legacy connector stopped before any observation is refused until that is accepted", {}, async (world) => {
  withLongTransaction(world, undefined);
  const legacy = world.connector("legacy");
  if (legacy === undefined) throw new Error("no such file");
  world.sandbox.connect.cluster.aim(legacy, "STOPPED");
  await until("it is", async () => legacy.reported?.state === "STOPPED" && legacy.reported.tasks.length === 0);
  const before = changes(world);
  const refused = await apply(world);
  assert.is(refused.exit, 1, refused.output);
  assert.match(flat(refused.output), /were not recorded before it stopped.*MIG117/);
  assert.is(changes(world), before);
  const { exit, output } = await apply(world, "accept: [MIG117]");
  assert.is(exit, 0, output);
});

inWorld("a second time changes nothing", {}, async (world) => {
  assert.is((await apply(world)).exit, 0);
  const before = changes(world);
  const second = await apply(world);
  assert.is(second.exit, 0, second.output);
  assert.match(second.output, /already applied/);
  assert.is(changes(world), before);
});

inWorld("a verification is carried out each time, and the cutover before it counts as done", {}, async (world) => {
  assert.is((await apply(world)).exit, 0);
  const verify = await world.plan("verify");
  for (const run of ["first", "second"]) {
    const { exit, output } = await runHere(["apply", verify, "--yes", ...LIMITS], world);
    assert.is(exit, 0, output);
    assert.match(flat(output), /the table and its topics agree.*; evidence/, run);
  }
  const before = changes(world);
  const again = await apply(world);
  assert.match(again.output, /already applied/);
  assert.is(changes(world), before);
});

inWorld("a saved plan is applied once", {}, async (world) => {
  const saved = await world.write("cutover.plan.json", "");
  const planned = await runHere(["plan", await world.plan("cutover"), "--out", saved], world);
  assert.is(planned.exit, 0, planned.output);
  assert.is((await runHere(["apply", saved, "--yes", ...LIMITS], world)).exit, 0);
  const before = changes(world);
  const second = await runHere(["apply", saved, "--yes", ...LIMITS], world);
  assert.is(second.exit, 0, second.output);
  assert.is(changes(world), before);
});

inWorld("two operators at once: one cuts over, the other is refused", {}, async (world) => {
  const before = seen(world);
  const both = await Promise.all([apply(world), apply(world)]);
  const outputs = both.map(({ output }) => output).join("\n");
  assert.equal(both.map(({ exit }) => exit).sort(), [0, 1], outputs);
  assert.match(outputs, /STA701/);
  assert.equal(phaseContradictions(await collectedOf(world, CUTOVER, before)), []);
});

for (const connector of [LEGACY_CONNECTOR, "orders-cdc"]) {
  inWorld(`while another user changes ${connector} nothing is touched`, {}, async (world) => {
    const store = stateDirectory(world.env["CDCCTL_STATE"] ?? "");
    const lock = await store.lock({ clusterId: CLUSTER_ID, connector }, "rollback");
    const before = changes(world);
    const { exit, output } = await apply(world);
    assert.is(exit, 1, output);
    assert.match(output, /STA701/);
    assert.is(changes(world), before);
    await lock.release();
    assert.is(world.lockExists(), false, "none is left held");
    assert.is((await apply(world)).exit, 0);
  });
}

inWorld("an unfinished cutover blocks the next one, and a rollback", {}, async (world) => {
  failAll(world.sandbox, (arrival) =>
    arrival.system === "connect" && arrival.method === "POST" ? { connect: "disconnect-before" } : undefined,
  );
  const patience = { connect: { callMillis: 10_000, retryMillis: 600 }, patch: 100 };
  const cutOff = await runHere(["apply", await world.plan("cutover"), "--yes", ...LIMITS], { ...world, patience });
  assert.is(cutOff.exit, 3, cutOff.output);
  failAll(world.sandbox, undefined);
  const before = changes(world);
  for (const phase of ["cutover", "rollback"]) {
    const refused = await runHere(["apply", await world.plan(phase), "--yes", ...LIMITS, "--again"], world);
    assert.is(refused.exit, 1, refused.output);
    assert.match(refused.output, /APL813/);
    assert.not.match(refused.output, /takes over from/, "it is refused before a plan is shown");
  }
  assert.is(changes(world), before);
  const recovered = await runHere(["recover", "--yes", ...LIMITS], world);
  assert.is(recovered.exit, 0, recovered.output);
  assert.is(outcome(world), "succeeded");
});

inWorld("an abandoned cutover says what a process asleep could still send", {}, async (world) => {
  failAll(world.sandbox, (arrival) =>
    arrival.system === "connect" && arrival.method === "POST" ? { connect: "disconnect-before" } : undefined,
  );
  const patience = { connect: { callMillis: 10_000, retryMillis: 600 }, patch: 100 };
  await runHere(["apply", await world.plan("cutover"), "--yes", ...LIMITS], { ...world, patience });
  failAll(world.sandbox, undefined);
  const { exit, output } = await runHere(["recover", "--abandon", "--yes"], world);
  assert.is(exit, 0, output);
  assert.match(
    flat(output),
    /still possible +one request of a process of this run that is asleep, and every further one .*: end it first/,
  );
});

inWorld(
  "a connector created by another user under the new name stays, and the legacy connector keeps running",
  {},
  async (world) => {
    const before = seen(world);
    const { cluster } = world.sandbox.connect;
    failAll(world.sandbox, (arrival) => {
      if (arrival.system === "connect" && arrival.method === "POST")
        cluster.create("orders-cdc", { "cdc.topic.prefix": "theirs" }, "STOPPED");
      return undefined;
    });
    const { exit, output } = await apply(world);
    failAll(world.sandbox, undefined);
    assert.match(flat(output), /already exists/);
    assert.is(world.connector("new")?.config["cdc.topic.prefix"], "theirs", "another's connector is not deleted");
    assert.is(outcome(world), "failed");
    assert.is(world.connector("legacy")?.target, "RUNNING", output);
    assert.is(exit, 1, output);
    assert.equal(before.topics, world.topics());
  },
);

inWorld(
  "the trace of a task that fails at its start is quoted; the run stays open, and the rollback is named",
  {},
  async (world) => {
    const { cluster } = world.sandbox.connect;
    failAll(world.sandbox, (arrival) => {
      const next = cluster.connectors.get("orders-cdc");
      if (
        arrival.system === "connect" &&
        arrival.path === "/connectors/orders-cdc/status" &&
        next?.target === "RUNNING"
      )
        next.reported = {
          state: "RUNNING",
          tasks: [{ id: 0, state: "FAILED", trace: "ORA-01031: insufficient privileges\n at" }],
        };
      return undefined;
    });
    const { exit, output } = await apply(world);
    assert.is(exit, 3, output);
    assert.match(flat(output), /ORA-01031: insufficient privileges/);
    assert.match(flat(output), /--phase rollback/);
    failAll(world.sandbox, undefined);
    const next = cluster.connectors.get("orders-cdc");
    if (next !== undefined) next.reported = { state: "RUNNING", tasks: [{ id: 0, state: "RUNNING" }] };
    const recovered = await runHere(["recover", "--yes", ...LIMITS], world);
    assert.is(recovered.exit, 0, recovered.output);
  },
);

inWorld(
  "the legacy connector's task hangs longer than the workers wait for it: the start is its last position",
  {
    connect: { hang: (name) => (name === LEGACY_CONNECTOR ? 150 : undefined), graceful: 50 },
  },
  async (world) => {
    const before = seen(world);
    const { exit, output } = await apply(world);
    assert.is(exit, 0, output);
    assert.not.ok(bothRun(world));
    assert.equal(phaseContradictions(await collectedOf(world, CUTOVER, before)), []);
  },
);

/** Anybody who may change the plan file can have it name his own workers. */
const direct = async (world: MigrationWorld) =>
  world.write(
    "direct.yaml",
    migrationFile("cutover").replace("context: sandbox", `connectUrl: ${world.sandbox.connect.url}`),
  );

inWorld("a plan file that names the workers itself sends them no login of a context", {}, async (world) => {
  const { exit, output } = await runHere(["plan", await direct(world)], world);
  assert.is(exit, 1, output);
  assert.match(flat(output), /did not accept the credentials/);
});

inWorld(
  "nor those of --config, unless the operator also types the URL",
  {},
  async (world) => {
    const plan = await direct(world);
    const config = ["--config", join(world.dir, "orders-cdc.json")];
    const before = changes(world);
    for (const command of [["plan"], ["apply", "--yes", ...LIMITS]]) {
      const refused = await runHere([...command, plan, ...config], world);
      assert.is(refused.exit, 64, refused.output);
      assert.match(flat(refused.output), /--config holds logins/);
    }
    assert.is(changes(world), before);
    assert.ok(world.sandbox.connect.requests.every(({ body }) => world.secrets.every((one) => !body.includes(one))));
    const typed = ["--connect-url", world.sandbox.connect.url, ...config];
    const { exit, output } = await runHere(["apply", plan, ...typed, "--yes", ...LIMITS], world);
    assert.is(exit, 0, output);
  },
  { guarded: false },
);

cutover.run();
