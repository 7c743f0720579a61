import { writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { suite, type Test } from "uvu";
import * as assert from "uvu/assert";
import { closing } from "../../../core/change/holding.ts";
import { isObject, type JsonObject, parseJson } from "../../../core/values/json.ts";
import type { Properties } from "../../../providers/real/broker.ts";
import { waitFor } from "../../../providers/real/wait.ts";
import { first, is, isAll, killedAt, machineAt, planFile } from "./command-line.ts";
import { startGateway } from "./gateway.ts";
import { outcomes, type SnapshotScene, scnOf, snapshotScene } from "./resnapshot-scene.ts";
import type { Transcript } from "./transcript.ts";
import { connectorSettings, OPS_FORMS, START_SCN, type World } from "./world.ts";

/** A backward move with redo present. */
const BACK = 2_010_000n;
/** A forward move, past everything that the connector mines meanwhile. */
const ON = 2_044_000n;

/**
 * Tests of moving a stored offset with the built command, in any world. Call `.run()` on the result. @param log
 * receives every finished command
 */
export function offsetChangeBehaviour(name: string, startWorld: () => Promise<World>, log?: Transcript): Test {
  const behaviour = suite(`moving a stored offset, ${name}`);
  let world: World;
  behaviour.before(async () => {
    world = await startWorld();
  });
  behaviour.after(() => world.stop());

  /** A running connector with a stored offset, its ops topic, and an operator's machine with a context for it. */
  const scene = async (
    connector: string,
    more: { readonly settings?: Properties; readonly opsTopic?: false; readonly url?: string } = {},
  ): Promise<SnapshotScene> => {
    if (more.opsTopic !== false) await world.createTopic(`${connector}.cdc.ops`);
    await world.createConnector(connector, connectorSettings(world, more.settings));
    return snapshotScene(world, connector, await machineAt(world, more.url, log), planFile);
  };

  behaviour("plan shows a backward move and touches nothing", async () => {
    const { connector, machine, stored, plan } = await scene("planned");
    const back = await plan(`scn: ${BACK}`, "resume: true");
    const planned = is(await machine.run("plan", back, "--out", "back.plan.json"), 0);
    assert.match(planned.stdout, /^Move planned on \S+ back .*20,\d{3} SCNs$/m);
    assert.match(planned.stdout, `${BACK}`);
    is(await machine.run("plan", back, "--detailed-exitcode"), 2);
    const document = parseJson(await machine.read("back.plan.json"));
    assert.ok(isObject(document) && document["kind"] !== undefined);
    assert.is((await world.status(connector))?.state, "RUNNING");
    assert.ok(scnOf(await stored()) >= START_SCN);
    assert.equal(await world.records(`${connector}.cdc.ops`), []);
  });

  behaviour(
    "apply moves back, resumes and sees the first commit; history and status show it; a second apply does nothing",
    async () => {
      const { connector, machine, stored, changes, apply } = await scene("applied");
      const generation = (await stored())["journal_generation"] as bigint;
      const moved = is(await apply(`scn: ${BACK}`, "resume: true"), 0);
      assert.match(moved.stderr, /resumed; first commit at 20100\d\d, journal generation \d+/);
      assert.match(
        moved.stdout,
        `the stored offset of ${connector} was set to ${BACK}, as planned; the connector is resumed`,
      );
      await world.untilState(connector, "RUNNING");
      const after = await stored();
      assert.ok(scnOf(after) >= BACK && scnOf(after) < START_SCN, `${scnOf(after)}`);
      assert.is(after["journal_generation"], generation + 1n);
      assert.ok((after["last_commit_scn"] as bigint) > BACK + 1000n, "the last commit stays where it was");
      assert.is(after["released_xids"], "3:4.9.771,3:5.2.802");
      assert.equal(await changes(), ["applying", "applied"]);

      const history = is(await machine.run("history"), 0);
      assert.match(history.stdout, connector);
      const status = is(await machine.run("status"), 0);
      assert.match(status.stdout, "succeeded");

      const again = is(await apply(`scn: ${BACK}`, "resume: true"), 0);
      assert.match(again.stdout, "this decision was already applied");
      assert.is((await changes()).length, 2);
    },
  );

  behaviour("a forward move is refused without allowSkip, and made with it", async () => {
    const { connector, stored, changes, apply } = await scene("skipping");
    const refused = is(await apply(`scn: ${ON}`), 1);
    assert.match(refused.stdout, "OFF103");
    assert.is((await world.status(connector))?.state, "RUNNING");
    assert.equal(await changes(), []);

    is(await apply(`scn: ${ON}`, "allowSkip: true"), 0);
    const after = await stored();
    assert.is(scnOf(after), ON);
    assert.is(after["resume_rs_id"], undefined, "the redo address does not fit any more");
    await world.untilState(connector, "STOPPED");
    assert.equal(await changes(), ["applying", "applied"]);
  });

  behaviour("admin offsets show decodes the offset and checks its redo", async () => {
    const { connector, machine } = await scene("shown");
    const where = ["--connect-url", world.connectUrl, "--name", connector];
    const text = is(await machine.run("admin", "offsets", "show", ...where), 0);
    assert.match(text.stdout, /resume SCN +20300\d\d/);
    const json = is(await machine.run("admin", "offsets", "show", ...where, "--format", "json"), 0);
    const document = parseJson(json.stdout) as JsonObject;
    const [offset = {}] = document["offsets"] as readonly JsonObject[];
    assert.equal(offset["partition"], { server: connector });
    assert.ok(isObject(offset["raw"]) && scnOf(offset["raw"]) >= START_SCN);
    is(await machine.run("admin", "offsets", "show", ...where, "--check-redo"), 0);

    const early = await scene("purged", { settings: { "cdc.start.scn": "1990000", "standin.step.scn": "0" } });
    const gone = await early.machine.run(
      ...["admin", "offsets", "show", "--connect-url", world.connectUrl, "--name", early.connector, "--check-redo"],
    );
    is(gone, 1);

    const other = await machine.run("admin", "offsets", "show", "--connect-url", world.connectUrl, "--name", "nobody");
    is(other, 1);
    assert.match(other.stderr, "nobody");
  });

  behaviour("admin offsets set moves, refuses and finds nothing to do, with the matching exit codes", async () => {
    const { connector, machine, stored, changes } = await scene("set");
    const set = (...more: readonly string[]) =>
      machine.run("admin", "offsets", "set", "--connect-url", world.connectUrl, "--name", connector, ...more);
    is(await set("--scn", `${ON}`, "--reason", "not meant"), 1);
    is(await set("--scn", "abc", "--reason", "no number"), 64);
    const unreasoned = is(await set("--scn", `${BACK}`), 1);
    assert.match(unreasoned.stderr, "OFF113");
    assert.equal(await changes(), []);
    is(await set("--scn", `${BACK}`, "--reason", "replay"), 0);
    await world.untilState(connector, "STOPPED");
    assert.is(scnOf(await stored()), BACK);
    is(await set("--scn", `${BACK}`, "--reason", "replay"), 0);
    assert.equal(await changes(), ["applying", "applied"], "the second time there was nothing to do");
    is(await set("--scn", `${ON}`, "--reason", "meant", "--allow-skip", "--resume", "--forget-released", "all"), 0);
    const after = await stored();
    assert.ok(scnOf(after) >= ON);
    assert.is(after["released_xids"] ?? null, null);
    await world.untilState(connector, "RUNNING");
  });

  behaviour("a rollback restores a stopped connector's offset exactly", async () => {
    const { connector, machine, stored, changes, apply } = await scene("restored");
    await world.stopConnector(connector);
    const before = await settled(stored);
    is(await apply(`scn: ${BACK}`), 0);
    assert.is(scnOf(await stored()), BACK);
    is(await machine.run("rollback", "--yes"), 0);
    assert.equal(await stored(), before);
    await world.untilState(connector, "STOPPED");
    assert.equal(await changes(), ["applying", "applied", "applying", "applied"]);
  });

  behaviour("a connector that has run since can only be moved back to its earlier position", async () => {
    const { connector, machine, stored, apply } = await scene("moved-back");
    is(await apply(`scn: ${BACK}`, "resume: true"), 0);
    const refused = is(await machine.run("rollback", "--yes"), 1);
    assert.match(refused.stderr, "OFF111");
    assert.ok(scnOf(await stored()) < START_SCN);
    is(await machine.run("rollback", "--move-back", "--yes"), 0);
    await world.untilState(connector, "RUNNING");
    assert.ok(scnOf(await stored()) >= START_SCN);
  });

  for (const where of ["there", "back"] as const)
    behaviour(`recover finishes a run that was killed while its PATCH was under way ${where}`, async () => {
      await using gateway = closing(await startGateway(world.connectUrl));
      const { connector, machine, stored, events, plan } = await scene(`killed-${where}`, { url: gateway.url });
      const back = await plan(`scn: ${BACK}`, "resume: true");
      await killedAt(gateway.hold("PATCH", where), machine.start("apply", back, "--yes"));
      assert.is(scnOf(await stored()) === BACK, where === "back");

      const status = is(await machine.run("status"), 3);
      assert.match(status.stdout, "in doubt");
      is(await machine.run("apply", back, "--yes"), 1);
      is(await machine.run("recover", "--yes", "--settle", "1s"), 0);
      await world.untilState(connector, "RUNNING");
      const after = scnOf(await stored());
      assert.ok(after >= BACK && after < START_SCN, `${after}`);
      const changes = await events("offsets-set");
      assert.equal(outcomes(changes), ["applying", "applied"]);
      assert.is(new Set(changes.map(({ details }) => details["run"])).size, 1);
      is(await machine.run("status"), 0);
    });

  behaviour("another machine recovers from the ops topic alone", async () => {
    await using gateway = closing(await startGateway(world.connectUrl));
    const { connector, machine, stored, changes, plan } = await scene("taken-over", { url: gateway.url });
    const back = await plan(`scn: ${BACK}`, "resume: true");
    await killedAt(gateway.hold("PATCH", "there"), machine.start("apply", back, "--yes"));

    const other = await machineAt(world, gateway.url, log, { CDCCTL_OPERATOR: "bob" });
    await other.write("other.yaml", planFile(connector, `scn: ${BACK + 1n}`));
    const inFlight = is(await other.run("plan", "other.yaml"), 1);
    assert.match(inFlight.stdout, /OPS603[\s\S]*alice|alice[\s\S]*OPS603/);
    const at = ["--from-ops", "--context", "here", "--connector", connector];
    const recoverFromOps = ["recover", ...at, "--yes", "--settle", "1s"];
    is(await other.run(...recoverFromOps), 0);
    assert.is(scnOf(await stored()), BACK);
    // Announced again before anything is sent, so that the first machine knows about the takeover.
    assert.equal(await changes(), ["applying", "applying", "applied"]);
    is(await other.run(...recoverFromOps), 0);

    is(await machine.run("recover", "--yes", "--settle", "1s"), 0);
    is(await machine.run("status"), 0);
    await world.untilState(connector, "RUNNING");
  });

  for (const [converter, form] of OPS_FORMS)
    behaviour(`the ops topic holds what was done, as ${form}`, async () => {
      const { connector, events, apply } = await scene(`recorded-${form.replace("_", "-")}`, {
        settings: { "value.converter.schemas.enable": converter },
      });
      const topic = `${connector}.cdc.ops`;
      is(await apply(`scn: ${BACK}`), 0);
      const records = await world.records(topic);
      assert.is(records.length, 2);
      for (const { key, value } of records) {
        const [keyJson, valueJson] = [parseJson(key ?? ""), parseJson(value ?? "")] as [JsonObject, JsonObject];
        assert.is("schema" in valueJson, converter === "true");
        assert.equal(converter === "true" ? keyJson["payload"] : keyJson, { server: connector });
      }
      for (const { event, details } of await events("offsets-set")) {
        isAll(event, { v: 1n, server: connector, resume_scn: BACK });
        isAll(details, { connector, command: "offsets set", operator: "alice", direction: "backward" });
        isAll(details, { reason: "replay after the bad deploy", new_resume_scn: `${BACK}` });
        assert.match(String(details["previous_resume_scn"]), /^20300\d\d$/);
      }
      if (world.converted === undefined) return;
      const lines = await world.converted(topic, converter === "true");
      assert.is(lines.length, 2);
      for (const [index, outcome] of ["applying", "applied"].entries()) {
        assert.match(lines[index] ?? "", `server=${connector}`);
        assert.match(lines[index] ?? "", `outcome=${outcome}`);
      }
    });

  behaviour("without its ops topic nothing is done, and the topic is not created", async () => {
    const { connector, machine, stored, plan, apply } = await scene("unrecorded", { opsTopic: false });
    for (const refused of [await machine.run("plan", await plan(`scn: ${BACK}`)), await apply(`scn: ${BACK}`)]) {
      is(refused, 1);
      assert.match(refused.stdout, "OPS601");
    }
    assert.not.ok((await world.topics()).includes(`${connector}.cdc.ops`));
    assert.is((await world.status(connector))?.state, "RUNNING");
    assert.ok(scnOf(await stored()) >= START_SCN);
  });

  behaviour("a task that hangs while it stops and ends in the settle window is waited for", async () => {
    const hang = join(world.folder, "hang-settled");
    const settings = { "standin.hang.while.file": hang };
    const { machine, stored, changes, plan } = await scene("settled", { settings });
    const back = await plan(`scn: ${BACK}`, "resume: true");
    writeFileSync(hang, "");
    const apply = machine.start("apply", back, "--yes", "--settle", "3s");
    await apply.said("the stop took as long as the workers' grace period");
    await rm(hang);
    is(await apply.ended, 0);
    const after = scnOf(await stored());
    assert.ok(after >= BACK && after < START_SCN, `${after}`);
    assert.equal(await changes(), ["applying", "applied"]);
  });

  behaviour("a late commit after the PATCH ends with 3, and recover reports the same", async () => {
    const hang = join(world.folder, "hang-late");
    await using gateway = closing(await startGateway(world.connectUrl));
    const settings = { "standin.hang.while.file": hang };
    const { connector, machine, stored, changes, plan } = await scene("late", { settings, url: gateway.url });
    const back = await plan(`scn: ${BACK}`, "resume: true");
    writeFileSync(hang, "");
    const patch = gateway.hold("PATCH", "back");
    const apply = machine.start("apply", back, "--yes", "--settle", "1s");
    await first(patch.reached, apply.ended);
    assert.is(scnOf(await stored()), BACK);
    await rm(hang);
    await waitFor("the late commit", async () => scnOf(await stored()) !== BACK);
    patch.release();
    const ended = is(await apply.ended, 3);
    assert.match(ended.stdout, "overwritten");
    const late = await stored();
    assert.ok(scnOf(late) >= START_SCN);

    const recover = await machine.run("recover", "--yes", "--settle", "1s");
    assert.match(recover.stdout, "failed");
    is(recover, 0);
    assert.equal(await changes(), ["applying", "failed"]);
    await world.untilState(connector, "RUNNING");
    assert.ok(scnOf(await stored()) >= START_SCN);
    const status = is(await machine.run("status"), 0);
    assert.match(status.stdout, "failed");
  });

  return behaviour as Test;
}

/** The offset once it no longer changes. */
async function settled(stored: () => Promise<JsonObject>): Promise<JsonObject> {
  let seen = await stored();
  let since = performance.now();
  return waitFor("the last commit", async () => {
    const now = await stored();
    if (scnOf(now) !== scnOf(seen)) since = performance.now();
    seen = now;
    return performance.now() - since > 500 && now;
  });
}
