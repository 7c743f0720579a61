import { isDeepStrictEqual } from "node:util";
import { suite, type Test } from "uvu";
import * as assert from "uvu/assert";
import { closing } from "../../../core/change/holding.ts";
import { waitFor } from "../../../providers/real/wait.ts";
import type { TableRow } from "../../../providers/sandbox/oracle/world.ts";
import { inLanes } from "../in-lanes.ts";
import { expectOutput, first, is, killedAt } from "./command-line.ts";
import { type Act, debeziumBehaviour, type InWorld, type Judge } from "./debezium/migration.behaviour.ts";
import { startGateway } from "./gateway.ts";
import { fillTable, type MigrationScene, migrationScene, OPEN_SCN, tableFor } from "./migration-scene.ts";
import { outcomes } from "./resnapshot-scene.ts";
import type { World } from "./world.ts";

const SHORT = ["--settle", "1s"];

/** Tests of a migration's phases with the built command, in any world. Call `.run()` on the result. */
export function migrationBehaviour(name: string, startWorld: () => Promise<World>, judge?: Judge): Test {
  const behaviour = suite(`a migration, ${name}`);
  const tables: TableRow[] = [];
  let ready: Promise<World> | undefined;
  const test = inLanes(behaviour, 3);
  /** Each has its own connectors and table, so that they run in parallel. */
  const inWorld: InWorld = (title, table, act) => {
    tables.push(table);
    test(title, async () => {
      ready ??= startWorld();
      const world = await ready;
      world.oracle.tables = tables;
      await using gateway = closing(await startGateway(world.connectUrl));
      await act(world, gateway);
    });
  };
  const scene = (title: string, name: string, act: Act<MigrationScene>) =>
    inWorld(title, tableFor(name), async (world, gateway) =>
      act(await migrationScene(world, name, gateway.url), world, gateway),
    );
  behaviour.after(async () => {
    await (await ready)?.stop();
  });

  scene("cut over, back to exactly the same offsets, and over again", "there-and-back", async (it, world, gateway) => {
    const { machine, legacy, next } = it;
    const cutover = await it.plan("cutover");
    is(await machine.run("plan", cutover), 0);
    assert.is(await it.state("legacy"), "RUNNING");
    assert.is(await it.state("next"), undefined);

    const over = is(await machine.run("apply", cutover, "--yes", ...SHORT), 0);
    expectOutput(over, `${next} has taken over from ${legacy} at ${OPEN_SCN}`);
    const stopped = await it.offsets("legacy");
    assert.is(await it.state("legacy"), "STOPPED");
    await world.untilState(next, "RUNNING");
    const [own] = await it.offsets("next");
    assert.ok(BigInt(String(own?.offset["resume_scn"])) >= OPEN_SCN);
    assert.is(own?.offset["journal_generation"], 1n, "it has not begun from an earlier one's offset");
    const again = is(await machine.run("apply", cutover, "--yes", ...SHORT), 0);
    expectOutput(again, "already applied");

    await world.createTopic(`${next}.cdc.ops`);
    const run = /^run (\S+)$/m.exec(over.stdout)?.[1] ?? "none";
    const resume = gateway.hold("PUT", "there", `/${legacy}/resume`);
    const going = machine.start("rollback", run, "--yes", ...SHORT);
    await first(resume.reached, going.ended);
    assert.equal(await it.offsets("legacy"), stopped, "what it is resumed from is what it had stopped with");
    assert.is(await it.state("next"), undefined, "the new one is gone before");
    resume.release();
    const back = is(await going.ended, 0);
    expectOutput(back, `the offsets of ${legacy} are those it stopped with`);
    await world.untilState(legacy, "RUNNING");
    const events = await it.recorded();
    assert.equal(outcomes(events), ["applying", "applied"]);
    assert.is(events[0]?.details["new_resume_scn"], "none");
    await waitFor("the legacy connector to go on", async () => !isDeepStrictEqual(await it.offsets("legacy"), stopped));
    is(await machine.run("apply", await it.plan("rollback"), "--yes", ...SHORT), 0);

    const other = is(await machine.run("apply", cutover, "--yes", ...SHORT), 1);
    assert.match(`${other.stdout}${other.stderr}`, /MIG108|--again/);
    // The topics of the first time are there.
    const more = (await machine.read("cutover.yaml")).replace("accept: [", "accept: [MIG108, ");
    await machine.write("cutover.yaml", more);
    is(await machine.run("apply", cutover, "--yes", "--again", ...SHORT), 0);
    assert.is((await it.offsets("next"))[0]?.offset["journal_generation"], 1n, "nothing was left under its name");
  });

  for (const [where, what] of [
    ["there", "which never arrives"],
    ["back", "which has taken effect"],
  ] as const)
    scene(
      `killed at every call, ${what}: recover goes on from there`,
      `killed-${where}`,
      async (it, world, gateway) => {
        const { machine, legacy, next } = it;
        const dies = async (method: string, path: string, ...command: readonly string[]): Promise<void> => {
          await killedAt(gateway.hold(method, where, path), machine.start(...command, ...SHORT));
          assert.not.equal([await it.state("legacy"), await it.state("next")], ["RUNNING", "RUNNING"]);
        };
        const cutover = await it.plan("cutover");
        await dies("PUT", `/${legacy}/stop`, "apply", cutover, "--yes");
        await dies("POST", "/connectors", "recover", "--yes");
        await dies("PUT", `/${next}/resume`, "recover", "--yes");
        const other = is(await machine.run("apply", cutover, "--yes", ...SHORT), 1);
        expectOutput(other, "is not settled");
        is(await machine.run("recover", "--yes", ...SHORT), 0);
        assert.is(await it.state("legacy"), "STOPPED");
        await world.untilState(next, "RUNNING");
        assert.ok(BigInt(String((await it.offsets("next"))[0]?.offset["resume_scn"])) >= OPEN_SCN);

        const stopped = await it.offsets("legacy");
        await world.createTopic(`${next}.cdc.ops`);
        await dies("PUT", `/${next}/stop`, "apply", await it.plan("rollback", "deleteTopics: true"), "--yes");
        await dies("DELETE", `/${next}/offsets`, "recover", "--yes");
        await dies("DELETE", `/connectors/${next}`, "recover", "--yes");
        assert.equal(await it.offsets("legacy"), stopped);
        await dies("PUT", `/${legacy}/resume`, "recover", "--yes");
        is(await machine.run("recover", "--yes", ...SHORT), 0);
        await world.untilState(legacy, "RUNNING");
        assert.is(await it.state("next"), undefined);
        const topics = await world.topics();
        const ofNext = topics.filter((topic) => topic.startsWith(`${next}.`));
        assert.equal(ofNext, [`${next}.cdc.ops`]);
        for (const topic of it.legacyTopics) assert.ok(topics.includes(topic));
        is(await machine.run("status"), 0);
      },
    );

  scene("retired once it is verified and nothing reads its topics", "retired", async (it, world, gateway) => {
    const { machine, legacy } = it;
    is(await machine.run("apply", await it.plan("cutover"), "--yes", ...SHORT), 0);
    const retire = await it.plan("retire");
    const unproven = is(await machine.run("apply", retire, "--yes"), 1);
    assert.match(unproven.stdout, "MIG401");

    const verify = await it.plan("verify");
    const refused = is(await machine.run("apply", verify, "--yes"), 1);
    expectOutput(refused, "differ");
    const failed = is(await machine.run("apply", retire, "--yes"), 1);
    assert.match(failed.stdout, "MIG403");

    await fillTable(world, "retired");
    is(await machine.run("apply", verify, "--yes", "--again"), 0);
    const leave = await world.consume("orders-billing", it.legacyTopics[0]);
    const read = is(await machine.run("apply", retire, "--yes"), 1);
    assert.match(read.stdout, "MIG405");
    expectOutput(read, "orders-billing");
    for (const topic of it.legacyTopics) assert.ok((await world.topics()).includes(topic));
    assert.is(await it.state("legacy"), "STOPPED");
    await leave();

    await killedAt(gateway.hold("DELETE", "back", `/connectors/${legacy}`), machine.start("apply", retire, "--yes"));
    is(await machine.run("recover", "--yes"), 0);
    assert.is(await it.state("legacy"), undefined);
    const left = await waitFor("its topics to be gone", async () => {
      const topics = await world.topics();
      return !it.legacyTopics.some((topic) => topics.includes(topic)) && topics;
    });
    assert.ok(
      left.some((topic) => topic.startsWith("ORCLCDB.")),
      "those of the other legacy connectors stay",
    );
    assert.is(await it.state("next"), "RUNNING");
    is(await machine.run("apply", retire, "--yes"), 0);
  });

  debeziumBehaviour(inWorld, judge);
  return behaviour as Test;
}
