import { suite, type Test } from "uvu";
import * as assert from "uvu/assert";
import { closing } from "../../../core/change/holding.ts";
import { type JsonObject, parseJson } from "../../../core/values/json.ts";
import type { Properties } from "../../../providers/real/broker.ts";
import { waitFor } from "../../../providers/real/wait.ts";
import { expectOutput, first, is, isAll, killedAt, machineAt, resnapshotFile } from "./command-line.ts";
import { type Gateway, startGateway } from "./gateway.ts";
import {
  AFTER_THE_GAP,
  broken,
  CUSTOMERS,
  failedAtGap,
  fillDictionary,
  IN_THE_GAP,
  LINES,
  leaveOpen,
  ORDERS,
  outcomes,
  purge,
  restore,
  running,
  type SnapshotScene,
  STANDS,
  type Start,
  scnOf,
  snapshotScene,
} from "./resnapshot-scene.ts";
import type { Transcript } from "./transcript.ts";
import { connectorSettings, OPS_FORMS, START_SCN, type TopicRecord, type World } from "./world.ts";

const TABLES = `tables: [${ORDERS}, ${LINES}]`;
const ASSERTED = "skipGapForUnlistedTables: true";
const SIGNAL_ID = /^srcdb-cdc-admin-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Tests of snapshotting tables again with the built command, in any world. Call `.run()` on the result. @param log
 * receives every finished command
 */
export function resnapshotBehaviour(name: string, startWorld: () => Promise<World>, log?: Transcript): Test {
  const behaviour = suite(`snapshotting tables again, ${name}`);
  let world: World;
  behaviour.before(async () => {
    world = await startWorld();
    fillDictionary(world.oracle);
    purge(world.oracle);
  });
  behaviour.after(() => world.stop());

  const scene = async (
    connector: string,
    start: Start,
    more: { readonly settings?: Properties; readonly signalsTopic?: false; readonly url?: string } = {},
  ): Promise<SnapshotScene> => {
    await world.createTopic(`${connector}.cdc.ops`);
    if (more.signalsTopic !== false) await world.createTopic(`${connector}.cdc.signals`);
    await start(world, connector, more.settings ?? {});
    return snapshotScene(world, connector, await machineAt(world, more.url, log), resnapshotFile);
  };

  behaviour("where all redo is available, plan shows the signal only and apply writes only the signal", async () => {
    const settings = { "standin.ack": "ok" };
    const { connector, machine, stored, signals, changes, ...it } = await scene("signalled", running, { settings });
    const before = await stored();
    is(await machine.run("plan", await it.plan(TABLES, "waitForAck: 2m")), 0);
    assert.equal(await signals(), []);
    const applied = is(await it.apply(TABLES, "waitForAck: 2m"), 0);
    const id = signalFor(connector, await signals());
    expectOutput(applied, `the connector has accepted the signal ${id}`);
    assert.match(applied.stdout, id);

    assert.equal(await changes(), [], "no offset was moved");
    const after = await stored();
    assert.is(after["journal_generation"], before["journal_generation"], "its task was not stopped");
    assert.ok(scnOf(after) >= scnOf(before));
    assert.is((await world.status(connector))?.state, "RUNNING");
    is(await machine.run("status"), 0);
    const rollback = is(await machine.run("rollback", "--yes"), 1);
    assert.match(rollback.stderr, "APL808");
  });

  for (const [converter, form] of OPS_FORMS)
    behaviour(`past a gap: stop, signal, record, PATCH, resume, answer; in the ops topic as ${form}`, async () => {
      await using gateway = closing(await startGateway(world.connectUrl));
      const settings = {
        "standin.ack": "ok",
        "value.converter.schemas.enable": converter,
        "key.converter": "org.apache.kafka.connect.json.JsonConverter",
        "key.converter.schemas.enable": converter,
      };
      const it = await scene(`past-${form.replace("_", "-")}`, failedAtGap, { settings, url: gateway.url });
      const { connector, machine, stored, signals, events, changes } = it;
      const before = await stored();
      const past = await it.plan(TABLES, ASSERTED, "waitForAck: 2m", "resume: true");
      const plan = is(await machine.run("plan", past), 0);
      assert.match(plan.stdout, "CDC-2002");
      assert.match(plan.stdout, /RESTORE ARCHIVELOG/i);
      assert.match(plan.stdout, CUSTOMERS);
      assert.equal(await signals(), []);

      const patch = gateway.hold("PATCH", "there");
      const apply = machine.start("apply", past, "--yes");
      await first(patch.reached, apply.ended);
      const [signal] = await signals();
      const id = signalFor(connector, await signals());
      const [applying] = await events("offsets-set");
      assert.ok(signal !== undefined && applying !== undefined && signal.timestamp <= applying.timestamp);
      assert.equal(await changes(), ["applying"]);
      assert.is((await world.status(connector))?.state, "STOPPED");
      assert.equal(await stored(), before);
      patch.release();
      const ended = is(await apply.ended, 0);

      await world.untilState(connector, "RUNNING");
      const after = await stored();
      assert.ok(scnOf(after) >= AFTER_THE_GAP && scnOf(after) < START_SCN, `${scnOf(after)}`);
      assert.is(after["journal_generation"], (before["journal_generation"] as bigint) + 1n);
      expectOutput(ended, `the connector has accepted the signal ${id}`);
      assert.equal(outcomes(await events("signal-ack")), ["ok"]);
      assert.equal(await changes(), ["applying", "applied"]);
      for (const { details } of await events("offsets-set")) {
        isAll(details, { command: "resnapshot", direction: "forward", signal_id: id });
        isAll(details, { tables: `${ORDERS},${LINES}`, unlisted_tables: CUSTOMERS });
        isAll(details, { previous_resume_scn: `${IN_THE_GAP}`, new_resume_scn: `${AFTER_THE_GAP}` });
        assert.match(String(details["gap"]), /^CDC-2002 .*118/);
        assert.equal(parseJson(String(details["previous_offset"])), before);
        assert.is(scnOf(parseJson(String(details["new_offset"])) as JsonObject), AFTER_THE_GAP);
      }
      if (world.converted !== undefined) {
        const all = await world.converted(`${connector}.cdc.ops`, converter === "true");
        // The snapshot's own events are in between.
        const lines = all.filter((line) => !/snapshot-(chunk-done|complete)/.test(line));
        assert.is(lines.length, 3);
        assert.match(lines[1] ?? "", `signal_id=${id}`);
        assert.match(lines[2] ?? "", "outcome=ok");
      }

      is(await machine.run("apply", past, "--yes"), 0);
      assert.is((await signals()).length, 1, "once is enough");
      assert.is((await changes()).length, 2);
    });

  behaviour("tables that are not named, or not captured, are refused before anything is done", async () => {
    const { connector, stored, signals, changes, apply } = await scene("refused", failedAtGap);
    const before = await stored();
    for (const [spec, code, words] of [
      [[TABLES], "SNP903", CUSTOMERS],
      [["tables: [ORCLPDB1.SALES.ORDER]", ASSERTED], "SNP901", ORDERS],
      [["tables: [ORCLPDB1.HR.JOBS]", ASSERTED], "SNP901", "ORCLPDB1.HR.JOBS"],
    ] as const) {
      const refused = is(await apply(...spec), 1);
      assert.match(refused.stdout, code);
      assert.match(refused.stdout, words);
    }
    assert.equal(await signals(), []);
    assert.equal(await changes(), []);
    assert.equal(await stored(), before);
    assert.is((await world.status(connector))?.state, "RUNNING");
  });

  behaviour("a missing signals topic is created, and the signal is its first record", async () => {
    for (const [connector, start, outcomesThen] of [
      ["unsignalled", running, []],
      ["unsignalled-past", failedAtGap, ["applying", "applied"]],
    ] as const) {
      const { changes, signals, apply } = await scene(connector, start, { signalsTopic: false });
      const applied = is(await apply(TABLES, ASSERTED), 0);
      assert.match(applied.stdout, /\.cdc\.signals,\s+created\s+with\s+one\s+partition/);
      assert.equal(await changes(), outcomesThen);
      assert.is((await signals()).length, 1);
    }
  });

  behaviour("admin resnapshot signals, refuses and moves, with the matching exit codes", async () => {
    const admin = (machine: SnapshotScene["machine"], connector: string, ...more: readonly string[]) =>
      machine.run("admin", "resnapshot", "--connect-url", world.connectUrl, "--name", connector, ...more);
    const whole = await scene("admin-signal", running, { settings: { "standin.ack": "ok" } });
    is(await admin(whole.machine, whole.connector, "--tables", ORDERS), 0);
    await waitFor("its answer", async () => outcomes(await whole.events("signal-ack"))[0] === "ok");
    assert.equal(await whole.changes(), []);

    const { connector, machine, signals, stored, events, changes } = await scene("admin-past", failedAtGap);
    const tables = ["--tables", `${ORDERS},${LINES}`] as const;
    is(await admin(machine, connector, ...tables, "--skip-gap-for-unlisted-tables"), 1);
    is(await admin(machine, connector, ...tables, "--reason", "purged"), 1);
    is(await admin(machine, connector, "--tables", "", "--reason", "purged"), 64);
    assert.equal(await signals(), []);
    is(await admin(machine, connector, ...tables, "--reason", "purged", "--skip-gap-for-unlisted-tables"), 0);
    assert.is((await signals()).length, 1);
    assert.is(scnOf(await stored()), AFTER_THE_GAP);
    assert.equal(await changes(), ["applying", "applied"]);
    assert.is((await events("offsets-set"))[0]?.details["reason"], "purged");
    await world.untilState(connector, "STOPPED");
  });

  behaviour("a rejected signal ends with the connector's message: 3 where the offset moved, else 1", async () => {
    for (const [outcome, start, code] of [
      ["rejected", running, 1],
      ["failed", failedAtGap, 3],
    ] as const) {
      const settings = { "standin.ack": outcome };
      const { machine, stored, signals, changes, apply } = await scene(`${outcome}-signal`, start, { settings });
      const applied = is(await apply(TABLES, "waitForAck: 2m", "resume: true", ASSERTED), code);
      expectOutput(applied, `the stand-in was told to say ${outcome}`);
      assert.is((await signals()).length, 1);
      assert.equal(await changes(), code === 3 ? ["applying", "applied"] : []);
      if (code === 3) assert.ok(scnOf(await stored()) >= AFTER_THE_GAP);
      const recover = await machine.run("recover", "--yes");
      assert.is((await signals()).length, 1, "no second signal");
      assert.not.match(`${recover.stdout}${recover.stderr}`, "in doubt");
    }
  });

  behaviour("where no answer comes the run stays open, and recover continues waiting for the same signal", async () => {
    for (const [connector, start, code] of [
      ["silent", running, 1],
      ["silent-past", failedAtGap, 3],
    ] as const) {
      const { machine, signals, events, changes, apply } = await scene(connector, start);
      const applied = is(await apply(TABLES, "waitForAck: 1s", "resume: true", ASSERTED), code);
      expectOutput(applied, "has not answered");
      is(await machine.run("status"), 3);
      const still = is(await machine.run("recover", "--yes"), 3);
      expectOutput(still, "has not answered");

      await world.createConnector(connector, connectorSettings(world, { "standin.ack": "ok" }));
      await waitFor("its answer", async () => outcomes(await events("signal-ack"))[0] === "ok");
      is(await machine.run("recover", "--yes"), 0);
      assert.is((await signals()).length, 1);
      assert.equal(await changes(), code === 3 ? ["applying", "applied"] : []);
      is(await machine.run("status"), 0);
    }
  });

  behaviour("transactions that would be torn block the change, or are waited for before anything is done", async () => {
    const { connector, machine, stored, signals, changes, plan } = await scene("waited-for", failedAtGap);
    const before = await stored();
    leaveOpen(world.oracle);
    try {
      const refused = is(await machine.run("plan", await plan(TABLES, ASSERTED)), 1);
      assert.match(refused.stdout, "TRX501");
      const apply = machine.start("apply", await plan(TABLES, ASSERTED, "waitForTransactions: 2m"), "--yes");
      await apply.said("still open");
      assert.equal(await signals(), []);
      assert.equal(await stored(), before);
      assert.is((await world.status(connector))?.state, "RUNNING");
      world.oracle.transactions = [];
      is(await apply.ended, 0);
    } finally {
      world.oracle.transactions = [];
    }
    assert.is((await signals()).length, 1);
    assert.is(scnOf(await stored()), AFTER_THE_GAP);
    assert.equal(await changes(), ["applying", "applied"]);
  });

  behaviour("a failed connector is not waited for, and is reported at once", async () => {
    const { signals, apply } = await scene("broken", broken);
    const applied = is(await apply(TABLES, "waitForAck: 10m"), 0);
    assert.match(applied.stdout, "SNP910");
    assert.equal((await signals()).length, 1);

    const past = await scene("broken-past", failedAtGap, { settings: { "standin.fail.below.scn": "0" } });
    const unanswered = is(await past.apply(TABLES, ASSERTED, "waitForAck: 10m", "resume: true"), 3);
    expectOutput(unanswered, STANDS);
    assert.ok(scnOf(await past.stored()) >= AFTER_THE_GAP);
    assert.equal(await past.changes(), ["applying", "applied"]);
  });

  /** Past the gap, killed with its signal written and its PATCH on its way, which never arrives. */
  const killed = async (connector: string, gateway: Gateway): Promise<SnapshotScene> => {
    const settings = { "standin.ack": "ok" };
    const it = await scene(connector, failedAtGap, { settings, url: gateway.url });
    const past = await it.plan(TABLES, ASSERTED, "waitForAck: 2m", "resume: true");
    await killedAt(gateway.hold("PATCH", "there"), it.machine.start("apply", past, "--yes"));
    assert.is((await it.signals()).length, 1);
    assert.is(scnOf(await it.stored()), IN_THE_GAP);
    return it;
  };

  behaviour("recover finishes a run killed between signal and PATCH, with the signal it had written", async () => {
    await using gateway = closing(await startGateway(world.connectUrl));
    const { connector, machine, stored, signals, events } = await killed("killed", gateway);
    is(await machine.run("status"), 3);
    is(await machine.run("apply", "plan.yaml", "--yes"), 1);
    is(await machine.run("recover", "--yes", "--settle", "1s"), 0);
    await world.untilState(connector, "RUNNING");
    assert.ok(scnOf(await stored()) >= AFTER_THE_GAP);
    assert.is((await signals()).length, 1);
    assert.equal(outcomes(await events("signal-ack")), ["ok"]);
    const changes = await events("offsets-set");
    assert.equal(outcomes(changes), ["applying", "applied"]);
    assert.is(new Set(changes.map(({ details }) => details["run"])).size, 1);
    is(await machine.run("status"), 0);
  });

  behaviour("another machine settles it from the ops topic alone, and signals nothing", async () => {
    await using gateway = closing(await startGateway(world.connectUrl));
    const { connector, machine, stored, signals, events } = await killed("taken-over", gateway);
    const other = await machineAt(world, gateway.url, log, { CDCCTL_OPERATOR: "bob" });
    await other.write("other.yaml", resnapshotFile(connector, `tables: [${ORDERS}]`, ASSERTED));
    const inFlight = is(await other.run("plan", "other.yaml"), 1);
    assert.match(inFlight.stdout, /OPS603[\s\S]*alice|alice[\s\S]*OPS603/);
    const fromOps = ["--from-ops", "--context", "here", "--connector", connector];
    is(await other.run("recover", ...fromOps, "--yes", "--allow-skip", "--settle", "1s"), 0);
    assert.is(scnOf(await stored()), AFTER_THE_GAP);
    const changes = await events("offsets-set");
    // A takeover of a run is announced first.
    assert.equal(outcomes(changes), ["applying", "applying", "applied"]);
    const [applying, ...takenOver] = changes;
    assert.equal(
      changes.map(({ details }) => details["taken_over"]),
      [undefined, "bob", "bob"],
    );
    for (const { details } of takenOver)
      for (const detail of ["command", "gap", "tables", "signal_id", "unlisted_tables"])
        assert.is(details[detail], applying?.details[detail], detail);
    assert.is((await signals()).length, 1);

    is(await machine.run("recover", "--yes", "--settle", "1s"), 0);
    await world.untilState(connector, "RUNNING");
    assert.is((await signals()).length, 1);
    assert.equal(outcomes(await events("signal-ack")), ["ok"]);
    is(await machine.run("status"), 0);
  });

  behaviour("a rollback waits for the logs to be restored, and reports that the signal stays", async () => {
    const { connector, machine, stored, signals, events, changes, apply } = await scene("rolled-back", failedAtGap);
    const before = await stored();
    is(await apply(TABLES, ASSERTED), 0);
    await world.untilState(connector, "STOPPED");
    is(await machine.run("rollback", "--yes"), 1);
    assert.is(scnOf(await stored()), AFTER_THE_GAP);
    restore(world.oracle);
    try {
      const rollback = is(await machine.run("rollback", "--no-resume", "--yes"), 0);
      assert.match(rollback.stdout, "SNP912");
    } finally {
      purge(world.oracle);
    }
    assert.equal(await stored(), before);
    assert.is((await signals()).length, 1);
    assert.equal(await changes(), ["applying", "applied", "applying", "applied"]);
    assert.is((await events("offsets-set")).at(-1)?.details["command"], "offsets set");
  });

  return behaviour as Test;
}

/** The id of the one signal that stands: for both tables. */
function signalFor(connector: string, [signal, ...others]: readonly TopicRecord[]): string {
  assert.equal(others, []);
  assert.is(signal?.key, connector);
  const { id, ...rest } = parseJson(signal?.value ?? "") as JsonObject;
  assert.match(String(id), SIGNAL_ID);
  assert.equal(rest, { type: "snapshot", data: { tables: [ORDERS, LINES] } });
  return String(id);
}
