/**
 * Documents that the cdcctl wrote which came before version 2 of the plan: they are read, shown, applied, recovered and
 * rolled back. All of them were made by it, against the sandbox.
 */
import { chmod, copyFile, cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { digestOf } from "../../core/values/digest.ts";
import { type JsonObject, parseJson, printJson } from "../../core/values/json.ts";
import { until } from "../../providers/connect/contract.ts";
import type { SandboxConnector } from "../../providers/sandbox/connect/cluster.ts";
import { MEANWHILE } from "../../providers/sandbox/migration/orders-script.ts";
import { NEW_TOPIC } from "../../providers/sandbox/migration/scenario.ts";
import { LEGACY_CONNECTOR } from "../../providers/sandbox/migration/stage.ts";
import {
  CLUSTER_ID,
  CONNECTOR,
  type Sandbox,
  type SandboxOptions,
  startSandbox,
} from "../../providers/sandbox/sandbox.ts";
import { contexts } from "../../providers/sandbox/scenario.ts";
import { worldNamed } from "../transcripts/worlds.ts";
import { type Apart, runApart } from "./testing/run-apart.ts";

const earlier = suite("documents of version 1");

const FIXTURES = fileURLToPath(new URL("testdata/version-1/", import.meta.url));
const text = (name: string) => readFile(join(FIXTURES, name), "utf8");
const json = async (name: string) => parseJson(await text(name)) as JsonObject;

/** The settings that depend on ports, as the fixtures' connector has them; the operator's file has the real ones. */
const FIXED = { "cdc.database.port": "1521", "cdc.stream.bootstrap.servers": "kafka.sandbox:9092" };

interface Place {
  readonly sandbox: Sandbox;
  readonly folder: string;
  readonly run: (...words: readonly string[]) => Promise<Apart>;
}

/** @param runs the folder of the fixtures whose journals are in the state */
async function inWorld(
  scenario: string,
  options: SandboxOptions,
  runs: string | undefined,
  act: (place: Place) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "cdcctl-version-1-"));
  const sandbox = await startSandbox({
    ...worldNamed(scenario).options,
    ...options,
    ...(scenario === "migration" ? {} : { config: FIXED }),
  });
  try {
    const { config, databasePort, broker } = sandbox;
    const real = {
      ...config,
      "cdc.database.port": String(databasePort),
      "cdc.stream.bootstrap.servers": broker.address,
    };
    const files: Readonly<Record<string, string>> = worldNamed(scenario).files(sandbox);
    const own = files["orders-cdc.json"] ?? JSON.stringify({ name: CONNECTOR, config: real });
    await writeFile(join(folder, "orders-cdc.json"), own, { mode: 0o600 });
    await writeFile(
      join(folder, "contexts.yaml"),
      `${contexts(sandbox)}    connectors:\n      ${CONNECTOR}: { config: orders-cdc.json }\n`,
      { mode: 0o600 },
    );
    if (runs !== undefined) await restoreRuns(runs, join(folder, "state"));
    const env = { CDCCTL_STATE: join(folder, "state"), CDCCTL_CONTEXTS: join(folder, "contexts.yaml"), HOME: folder };
    await act({ sandbox, folder, run: (...words) => runApart(words, env) });
  } finally {
    await sandbox.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Journals as cdcctl wrote them: nobody else may read them. */
async function restoreRuns(runs: string, state: string): Promise<void> {
  await cp(join(FIXTURES, runs), state, { recursive: true });
  const own = join(state, CLUSTER_ID, CONNECTOR);
  for (const one of [state, join(state, CLUSTER_ID), own]) await chmod(one, 0o700);
  for (const name of await readdir(own)) await chmod(join(own, name), 0o600);
}

async function recordIn(sandbox: Sandbox, file: string): Promise<void> {
  const lines = (await text(file)).trim().split("\n");
  sandbox.broker.append(
    "orders.cdc.ops",
    lines.map((line) => {
      const { key, value } = JSON.parse(line);
      return { key: Buffer.from(key), value: Buffer.from(value) };
    }),
  );
}

/** The offset that the first record says was stored. */
async function offsetBefore(file: string): Promise<JsonObject> {
  const [first = ""] = (await text(file)).split("\n");
  return parseJson(JSON.parse(JSON.parse(first).value).details.previous_offset) as JsonObject;
}

/** A file of before the approval, for the ports of this sandbox: it may be applied where its decision recomputes. */
async function forPortsOf({ config, broker, databasePort }: Sandbox, name: string): Promise<string> {
  const { approval: _, digest: __, plans, ...body } = await json(name);
  const [plan] = plans as unknown as readonly { readonly decided: { readonly configuration: JsonObject } }[];
  assert.ok(plan !== undefined && config !== undefined);
  const ports = { "cdc.database.port": String(databasePort), "cdc.stream.bootstrap.servers": broker.address };
  const decided = { ...plan.decided, configuration: { ...plan.decided.configuration, ...ports } };
  const decision = digestOf(decided);
  const whole = { ...body, plans: [{ ...plan, decided, decision }], decision };
  return `${printJson({ ...whole, digest: digestOf(whole) })}\n`;
}

/** Its task runs and commits nothing. */
const QUIET: SandboxOptions["connect"] = { task: () => ({ start: () => undefined, tick: () => [] }) };

/** `retire`: facts with a verification could not be read back, by the version that wrote them either. */
const READABLE_FACTS = ["offset-change", "resnapshot", "cutover", "verify", "rollback"] as const;
const KINDS = ["offset-change", "resnapshot", "cutover", "verify", "rollback", "retire"] as const;
const FILES = { "offset-change": "orders-replay.yaml", resnapshot: "orders-after-purge.yaml" } as const;
const SCENARIOS = { "offset-change": "orders", resnapshot: "gap" } as const;
const flat = ({ stdout, stderr }: Apart) => `${stdout}${stderr}`.replaceAll(/\s+/g, " ");

for (const kind of KINDS)
  earlier(`a resolved plan of ${kind} is shown and reported, with its decision, findings and steps`, async () => {
    const name = join(FIXTURES, `${kind}.plan.json`);
    const { decision, plans } = await json(`${kind}.plan.json`);
    const [plan] = plans as unknown as readonly {
      readonly intent: { readonly metadata: { readonly name: string } };
      readonly findings: readonly { readonly code: string; readonly effect: string }[];
    }[];
    for (const format of ["text", "markdown", "html", "json"] as const) {
      const shown = await runApart(["show", name, ...(format === "html" ? [] : ["--format", format])]);
      const seen = format === "html" ? await runApart(["report", name, "--format", "html"]) : shown;
      assert.is(seen.exit, 0, seen.output);
      assert.match(seen.stdout, String(decision), format);
      assert.match(seen.stdout, plan?.intent.metadata.name ?? "no name", format);
      for (const { code, effect } of plan?.findings ?? [])
        if (effect === "warns" && code !== "CON304") assert.match(seen.stdout, code, format);
    }
  });

for (const kind of READABLE_FACTS)
  earlier(`recorded facts of ${kind} give the decision that they gave`, async () => {
    const file = kind in FILES ? FILES[kind as keyof typeof FILES] : `${kind}.yaml`;
    const facts = join(FIXTURES, `${kind}.facts.json`);
    const planned = await runApart(["plan", join(FIXTURES, file), "--facts", facts, "--format", "json"]);
    const { decision } = await json(`${kind}.plan.json`);
    assert.match(planned.stdout, `"decision": "${String(decision)}"`, planned.stderr);
  });

for (const kind of ["offset-change", "resnapshot"] as const) {
  const stopped = `${kind}-stopped.ops.jsonl`;
  earlier(`a resolved plan of ${kind} is applied where its decision recomputes`, async () => {
    const offset = await offsetBefore(stopped);
    await inWorld(SCENARIOS[kind], { offset }, undefined, async ({ sandbox, folder, run }) => {
      const plan = join(folder, "plan.json");
      await writeFile(plan, await forPortsOf(sandbox, `${kind}.plan.json`));
      const applied = await run("apply", plan, "--yes", "--max-age", "87600h", "--settle", "300ms");
      assert.is(applied.exit, 0, applied.output);
      assert.is(sandbox.stored()?.["resume_scn"] === offset["resume_scn"], false);
    });
  });

  earlier(`a run of ${kind} that stopped before its PATCH is recovered`, async () => {
    const offset = await offsetBefore(stopped);
    await inWorld(SCENARIOS[kind], { offset, state: "STOPPED" }, `${kind}-stopped`, async ({ sandbox, run }) => {
      await recordIn(sandbox, stopped);
      const status = await run("status");
      assert.match(flat(status), /patch the stored offset/);
      const recovered = await run("recover", "--yes", "--settle", "300ms");
      assert.match(recovered.output, /the stored offset is as planned/);
      assert.is.not(String(sandbox.stored()?.["resume_scn"]), String(offset["resume_scn"]));
    });
  });

  earlier(`what the ops topic records of ${kind} is listed, and taken over without its journal`, async () => {
    const offset = await offsetBefore(stopped);
    await inWorld(SCENARIOS[kind], { offset, state: "STOPPED" }, undefined, async ({ sandbox, run }) => {
      await recordIn(sandbox, stopped);
      const place = ["--context", "sandbox", "--connector", CONNECTOR] as const;
      assert.match(flat(await run("history", "--ops", ...place)), / ana CHG-471\d .* in flight /);
      const settling = ["recover", "--from-ops", ...place, "--yes", "--settle", "300ms"] as const;
      const settled = await run(...settling, ...(kind === "resnapshot" ? ["--allow-skip"] : []));
      assert.is(settled.exit, 0, settled.output);
      assert.match(flat(settled), /the stored offset of orders-cdc is 20[13]0000, as planned/);
      assert.match(flat(await run("history", "--ops", ...place)), / applied /);
    });
  });

  earlier(`a finished run of ${kind} is shown, and rolled back`, async () => {
    const finished = `${kind}-finished.ops.jsonl`;
    const before = await offsetBefore(finished);
    const offset = await json(`${kind}-finished.offset.json`);
    await inWorld(
      "orders",
      { offset, state: "STOPPED", connect: QUIET },
      `${kind}-finished`,
      async ({ sandbox, run }) => {
        await recordIn(sandbox, finished);
        const [, id = ""] = /(\d{4}-\d\d-\d\dT[\d-]+Z-[0-9a-f]{4})/.exec((await run("history")).stdout) ?? [];
        for (const format of ["text", "markdown", "json"]) {
          const shown = await run("show", id, "--format", format);
          assert.is(shown.exit, 0, shown.output);
          assert.match(shown.stdout, id);
        }
        const back = await run("rollback", id, "--yes", "--no-resume", "--settle", "300ms");
        assert.is(back.exit, 0, back.output);
        assert.is(String(sandbox.stored()?.["resume_scn"]), String(before["resume_scn"]));
      },
    );
  });
}

earlier("a cutover that stopped before the new connector was created is recovered", async () => {
  await inWorld("migration", {}, "cutover-stopped", async ({ run }) => {
    const shown = await run("status");
    assert.match(flat(shown), /create orders-cdc/);
    // This sandbox has other ports: the configuration is not the one of the plan, and the run backs out.
    const recovered = await run("recover", "--yes", "--settle", "300ms");
    assert.match(flat(recovered), "step 4 of 4 start orders-cdc");
    assert.match(flat(recovered), "orders-legacy is resumed");
    assert.match(flat(recovered), "failed: the new connector's configuration is no longer");
    assert.match(flat(recovered), "nothing of this run remains");
    assert.match(flat(await run("status")), "failed");
  });
});

/** Where the systems of a fixture's world were. */
interface Addresses {
  readonly databasePort: string;
  readonly brokers: string;
}

/** @param plan one that was made there: it decides a configuration with both */
async function addressesIn(plan: string): Promise<Addresses> {
  const { plans } = await json(plan);
  const [{ decided }] = plans as unknown as readonly [{ decided: { configuration: Readonly<Record<string, string>> } }];
  const { "cdc.database.port": databasePort = "", "cdc.stream.bootstrap.servers": brokers = "" } =
    decided.configuration;
  return { databasePort, brokers };
}

/** Connections of this process to these ports go to others, so that no byte of a fixture has to change. */
function leadPorts(ports: ReadonlyMap<number, number>): () => void {
  const { connect } = Socket.prototype;
  Socket.prototype.connect = function (this: Socket, ...given: readonly unknown[]): Socket {
    // What `net.connect` hands on: a list that begins with its options.
    const [options] = given.flat(1) as readonly { port?: number | string }[];
    const port = ports.get(Number(options?.port));
    if (options !== undefined && port !== undefined) options.port = port;
    return Reflect.apply(connect, this, given);
  };
  return () => {
    Socket.prototype.connect = connect;
  };
}

const journalsIn = async (state: string): Promise<readonly string[]> => {
  const own = join(state, CLUSTER_ID, CONNECTOR);
  return (await readdir(own)).sort().map((name) => join(own, name));
};

/** What the first of the runs took over. */
async function takeoverIn(runs: string): Promise<JsonObject> {
  const [cutover = ""] = await journalsIn(join(FIXTURES, runs));
  const entries = (await readFile(cutover, "utf8"))
    .trim()
    .split("\n")
    .map((line) => parseJson(line) as JsonObject);
  const taken = entries.map(({ entry }) => entry as JsonObject).find(({ type }) => type === "takeover-fixed");
  assert.ok(taken !== undefined, `${cutover} took nothing over`);
  return taken;
}

interface Migration extends Place {
  readonly connector: (name: string) => SandboxConnector | undefined;
  readonly topics: () => readonly string[];
}

/**
 * The world of a migration, at the addresses of the one in which a plan was made: before its cutover, or after the one
 * that the journals tell of.
 */
async function inMigration(
  plan: string,
  runs: string | undefined,
  stands: "at work" | "cut over",
  act: (place: Migration) => Promise<void>,
): Promise<void> {
  const { databasePort, brokers } = await addressesIn(plan);
  await inWorld("migration", { connect: { commitInterval: 20, statusLag: 5 } }, runs, async (place) => {
    const { sandbox, folder } = place;
    const { cluster } = sandbox.connect;
    // The evidence is beside the plan file, which was named without a folder.
    const before = process.cwd();
    process.chdir(folder);
    const restorePorts = leadPorts(
      new Map([
        [Number(databasePort), sandbox.databasePort],
        [Number(brokers.split(":")[1]), Number(sandbox.broker.address.split(":")[1])],
      ]),
    );
    const there = (value: string) =>
      value.replaceAll(String(sandbox.databasePort), databasePort).replaceAll(sandbox.broker.address, brokers);
    try {
      const legacy = cluster.connectors.get(LEGACY_CONNECTOR);
      assert.ok(legacy !== undefined);
      legacy.config = Object.fromEntries(Object.entries(legacy.config).map(([name, value]) => [name, there(value)]));
      const own = await readFile(join(folder, "orders-cdc.json"), "utf8");
      await writeFile(join(folder, "orders-cdc.json"), there(own), { mode: 0o600 });
      const end = MEANWHILE.at(-1)?.scn ?? 0n;
      await until("the legacy connector is up to date", async () => sandbox.oracle.currentScn() >= end);
      if (stands === "cut over") {
        const { configuration, offsets } = await takeoverIn(runs ?? "");
        const config = configuration as Readonly<Record<string, string>>;
        cluster.aim(legacy, "STOPPED");
        await until("it has stopped", async () => legacy.reported?.tasks.length === 0);
        assert.equal(sandbox.connect.stored(LEGACY_CONNECTOR), offsets);
        const password = String((parseJson(own) as JsonObject)["cdc.database.password"]);
        cluster.create(CONNECTOR, { ...config, "cdc.database.password": password }, "RUNNING");
        await until("the new one has committed", async () => sandbox.stored() !== undefined);
      }
      await act({
        ...place,
        connector: (name) => cluster.connectors.get(name),
        topics: () => [...sandbox.broker.state.topics.keys()],
      });
    } finally {
      restorePorts();
      process.chdir(before);
    }
  });
}

const YES = ["--yes", "--settle", "300ms"] as const;
const APPLY = [...YES, "--max-age", "87600h"] as const;

/** A file of before the approval, which was for another worker's URL: its decision is the one that it had. */
async function unapproved(name: string): Promise<string> {
  const { approval: _, digest: __, ...whole } = await json(name);
  const path = `${name}.unapproved`;
  await writeFile(path, `${printJson({ ...whole, digest: digestOf(whole) })}\n`);
  return path;
}

earlier("a resolved plan of cutover is applied where its decision recomputes", async () => {
  await inMigration("cutover.plan.json", undefined, "at work", async ({ run, connector }) => {
    const applied = await run("apply", await unapproved("cutover.plan.json"), ...APPLY);
    assert.is(applied.exit, 0, applied.output);
    assert.is(connector(LEGACY_CONNECTOR)?.target, "STOPPED");
    assert.is(connector(CONNECTOR)?.target, "RUNNING");
  });
});

earlier("a resolved plan of verify is applied where its decision recomputes", async () => {
  await inMigration("verify.plan.json", "retire-stopped", "cut over", async ({ folder, run }) => {
    const [, ...later] = await journalsIn(join(folder, "state"));
    for (const journal of later) await rm(journal);
    const applied = await run("apply", await unapproved("verify.plan.json"), ...APPLY);
    assert.is(applied.exit, 0, applied.output);
    assert.match(await readFile(join(folder, "orders-to-cdc.evidence.json"), "utf8"), '"outcome":"pass"');
  });
});

earlier("a resolved plan of rollback is applied where its decision recomputes: it undoes a cutover", async () => {
  await inMigration("rollback.plan.json", "cutover-finished", "cut over", async ({ run, connector }) => {
    const applied = await run("apply", await unapproved("rollback.plan.json"), ...APPLY);
    assert.is(applied.exit, 0, applied.output);
    assert.is(connector(LEGACY_CONNECTOR)?.target, "RUNNING");
    assert.is(connector(CONNECTOR), undefined);
  });
});

earlier("a resolved plan of retire is applied where its decision recomputes", async () => {
  await inMigration(
    "retire.plan.json",
    "retire-stopped",
    "cut over",
    async ({ sandbox, folder, run, connector, topics }) => {
      const [, , ...later] = await journalsIn(join(folder, "state"));
      for (const journal of later) await rm(journal);
      await copyFile(join(FIXTURES, "orders-to-cdc.evidence.json"), join(folder, "orders-to-cdc.evidence.json"));
      sandbox.migration?.moveConsumers(NEW_TOPIC);
      // The new connector has mined on since the verification, as it had then: SCNs come with the database's time.
      sandbox.oracle.now = () => Date.now() + 30_000;
      const resumeScn = () => BigInt(String(sandbox.stored()?.["resume_scn"]));
      await until("it is where it was verified", async () => resumeScn() >= 2_045_728n);
      const applied = await run("apply", await unapproved("retire.plan.json"), ...APPLY);
      assert.is(applied.exit, 0, applied.output);
      assert.is(connector(LEGACY_CONNECTOR), undefined);
      assert.not(topics().includes("orders-legacy-redo-log"));
      assert.is(connector(CONNECTOR)?.target, "RUNNING");
    },
  );
});

earlier("a cutover that stopped before the new connector was created is recovered to its end", async () => {
  await inMigration("cutover.plan.json", "cutover-stopped", "at work", async ({ sandbox, run, connector }) => {
    const legacy = connector(LEGACY_CONNECTOR);
    assert.ok(legacy !== undefined);
    sandbox.connect.cluster.aim(legacy, "STOPPED");
    const recovered = await run("recover", ...YES);
    assert.is(recovered.exit, 0, recovered.output);
    assert.match(flat(recovered), "orders-cdc has taken over from orders-legacy at 2044800");
    assert.is(connector(LEGACY_CONNECTOR)?.target, "STOPPED");
    assert.is(connector(CONNECTOR)?.target, "RUNNING");
  });
});

earlier("a verification that stopped once its settings were pinned is recovered: it compares anew", async () => {
  await inMigration("verify-stopped.plan.json", "verify-stopped", "cut over", async ({ folder, run, connector }) => {
    const recovered = await run("recover", ...YES);
    assert.is(recovered.exit, 0, recovered.output);
    assert.match(flat(recovered), "the table and its topics agree");
    assert.match(await readFile(join(folder, "orders-to-cdc.evidence.json"), "utf8"), '"outcome":"pass"');
    assert.is(connector(CONNECTOR)?.target, "RUNNING");
  });
});

earlier("a rollback that stopped while the offsets were deleted is recovered", async () => {
  await inMigration("rollback.plan.json", "rollback-stopped", "cut over", async ({ sandbox, run, connector }) => {
    await recordIn(sandbox, "rollback-stopped.ops.jsonl");
    const next = connector(CONNECTOR);
    assert.ok(next !== undefined);
    sandbox.connect.cluster.aim(next, "STOPPED");
    await until("it has stopped", async () => next.reported?.tasks.length === 0);
    const recovered = await run("recover", ...YES);
    assert.is(recovered.exit, 0, recovered.output);
    assert.is(connector(LEGACY_CONNECTOR)?.target, "RUNNING");
    assert.is(connector(CONNECTOR), undefined);
  });
});

earlier("a retirement that stopped while the legacy connector was deleted is recovered", async () => {
  await inMigration("retire.plan.json", "retire-stopped", "cut over", async ({ sandbox, run, connector, topics }) => {
    sandbox.migration?.moveConsumers(NEW_TOPIC);
    const recovered = await run("recover", ...YES);
    assert.is(recovered.exit, 0, recovered.output);
    assert.is(connector(LEGACY_CONNECTOR), undefined);
    assert.not(topics().includes("orders-legacy-redo-log"));
    assert.is(connector(CONNECTOR)?.target, "RUNNING");
  });
});

for (const [runs, sentence] of [
  ["cutover-finished", /cutover from/],
  ["verify-stopped", /verif/],
  ["rollback-stopped", /rollback to/],
  ["retire-stopped", / retire /],
] as const)
  earlier(`the runs of ${runs} are listed and shown`, async () => {
    const folder = await mkdtemp(join(tmpdir(), "cdcctl-version-1-"));
    try {
      await mkdir(join(folder, "state"));
      await restoreRuns(runs, join(folder, "state"));
      const env = { CDCCTL_STATE: join(folder, "state"), HOME: folder };
      assert.match(flat(await runApart(["history"], env)), sentence);
      for (const name of await readdir(join(folder, "state", CLUSTER_ID, CONNECTOR))) {
        const id = name.replace(".journal.jsonl", "");
        for (const format of ["text", "markdown", "json"]) {
          const shown = await runApart(["show", id, "--format", format], env);
          assert.is(shown.exit, 0, shown.output);
        }
      }
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

earlier("an evidence file is intact", async () => {
  const evidence = join(FIXTURES, "orders-to-cdc.evidence.json");
  const checked = await runApart(["migrate", "verify", "--check-evidence", evidence]);
  assert.is(checked.exit, 0, checked.output);
  assert.match(checked.stdout, /^orders-cdc +cutover verification +passed$/m);
});

earlier.run();
