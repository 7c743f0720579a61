import { isDeepStrictEqual } from "node:util";
import * as assert from "uvu/assert";
import { isObject, type JsonObject, parseJson } from "../../../../core/values/json.ts";
import type { askDebezium } from "../../../../providers/real/debezium/judge.ts";
import { waitFor } from "../../../../providers/real/wait.ts";
import type { TableRow } from "../../../../providers/sandbox/oracle/world.ts";
import { expectOutput, is, killedAt } from "../command-line.ts";
import type { Gateway } from "../gateway.ts";
import { DATABASE_LOGIN, START_SCN, type World } from "../world.ts";
import { type DebeziumPlot, type DebeziumScene, debeziumScene, fillTable, START, tableFor } from "./scene.ts";

/** What happens in a world, with a gateway before its worker; of a scene, with that as well. */
export type Act<Scene = undefined> = (
  ...at: Scene extends undefined ? [World, Gateway] : [Scene, World, Gateway]
) => Promise<void>;
/** Adds a test whose table the world's database has. */
export type InWorld = (title: string, table: TableRow, act: Act) => void;
/** Debezium's own classes, where they can be asked. */
export type Judge = typeof askDebezium;

const SHORT = ["--settle", "1s"];

/** Members of `source`. Rule: reference: Debezium, "Records, for verification", source. */
const SOURCE = [
  ...["version", "connector", "name", "ts_ms", "snapshot", "db", "sequence", "ts_us", "ts_ns", "schema", "table"],
  ...["txId", "scn", "commit_scn", "lcr_position", "rs_id", "ssn", "redo_thread", "user_name", "redo_sql", "row_id"],
];
/** Rule of `offset`: the same, "Stored offset". */
const FORMS = {
  "2.7.3": { offset: ["commit_scn", "scn", "snapshot_scn"], source: [] },
  "3.6.1": {
    offset: ["commit_scn", "scn", "snapshot_scn", "txId", "txSeq"],
    source: ["commit_ts_ms", "start_scn", "start_ts_ms", "txSeq"],
  },
};

/**
 * The way from Debezium's connector to the new one and back, in the world of the migration from Confluent's: with
 * offsets and records of 2.7 and 3.6, and topics that are kept or new.
 */
export function debeziumBehaviour(inWorld: InWorld, judge: Judge | undefined): void {
  const scene = (title: string, plot: DebeziumPlot, act: Act<DebeziumScene>) =>
    inWorld(title, tableFor(plot), async (world, gateway) =>
      act(await debeziumScene(world, plot, gateway.url), world, gateway),
    );

  /** Its offset has exactly the fields of the version, and Debezium's own loader takes it; so do its records. */
  const isOf = async (version: keyof typeof FORMS, it: DebeziumScene, world: World): Promise<void> => {
    const { offset, source } = FORMS[version];
    const [entry, ...others] = await it.offsets("legacy");
    assert.equal([entry?.partition, others], [{ server: it.prefix }, []]);
    const stored = entry?.offset ?? {};
    assert.equal(Object.keys(stored).toSorted(), offset);
    if (judge === undefined) return;
    const lastCommit = String(await it.lastCommit());
    const [held] = (await judge(version, { offsets: [stored], values: [] })).offsets;
    assert.equal(held, {
      ...{ scn: String(START), snapshotScn: String(START_SCN), lastCommit, threads: { 1: lastCommit } },
      snapshotRunning: false,
    });
    const streamed = (await payloads(world, it.topic)).find(({ op }) => op === "u");
    assert.equal(Object.keys((streamed?.["source"] ?? {}) as JsonObject), [...SOURCE, ...source]);
  };

  const kept: DebeziumPlot = { name: "kept", version: "2.7.3.Final", topics: "keep" };
  scene("from Debezium 2.7 into its own topics, verified there, and back to it", kept, async (it, world) => {
    const { machine, legacy, next } = it;
    await waitFor("it to have delivered", async () => (await it.lastCommit()) > START + 2n);
    await machine.write("debezium.json", await connectorAsJson(world, legacy));
    const translate = ["migrate", "translate", "--input", "debezium.json", "--topics", "keep", "--name", next];
    const translated = is(await machine.run(...translate, "--context", "here", "--output", "next.json"), 0);
    assert.not.match(translated.stdout, DATABASE_LOGIN.password);
    const { config } = parseJson(await machine.read("next.json")) as { readonly config: Record<string, string> };
    assert.equal([config["cdc.topic.prefix"], config["cdc.topic.template"]], [it.prefix, TEMPLATE]);

    const takeover = ["migrate", "takeover", "--context", "here", "--connector", legacy];
    const target = ["--target-config", "next.json", "--db-password-env", "DB_PASSWORD"];
    const running = is(await machine.run(...takeover, ...target), 1);
    expectOutput(running, "RUNNING");
    await world.stopConnector(legacy);
    await isOf("2.7.3", it, world);
    const taken = is(await machine.run(...takeover, ...target, "--output", "start.json"), 0);
    expectOutput(taken, `cdc.start.scn ${START}`);
    assert.match(await machine.read("start.json"), `"cdc.start.scn": "${START}"`);
    await world.resumeConnector(legacy);

    const cutover = await it.plan("cutover");
    expectOutput(is(await machine.run("plan", cutover), 0), "twice in one stream");
    assert.equal([await it.state("legacy"), await it.state("next")], ["RUNNING", undefined]);
    const over = is(await machine.run("apply", cutover, "--yes", ...SHORT), 0);
    expectOutput(over, `${next} has taken over from ${legacy} at ${START}`);
    await world.untilState(next, "RUNNING");
    const stopped = await it.offsets("legacy");

    const verify = await it.plan("verify");
    fillTable(world, kept, (await it.lastCommit()) + 5n);
    const verified = is(await machine.run("apply", verify, "--yes"), 0);
    expectOutput(verified, "passed");
    const writers = (await payloads(world, it.topic)).map(({ source }) => isObject(source) && source["connector"]);
    assert.equal([...new Set(writers)], ["oracle", "oracle-cdc"]);

    await world.createTopic(`${it.prefix}.cdc.ops`);
    const back = is(await machine.run("apply", await it.plan("rollback", "deleteTopics: true"), "--yes", ...SHORT), 0);
    expectOutput(back, `the offsets of ${legacy} are those it stopped with`);
    await world.untilState(legacy, "RUNNING");
    assert.is(await it.state("next"), undefined);
    await waitFor("it to go on", async () => !isDeepStrictEqual(await it.offsets("legacy"), stopped));
    const begun = writers.lastIndexOf("oracle-cdc") + 1;
    await waitFor("it to write into its topic again", async () => (await payloads(world, it.topic)).length > begun);
    const left = (await world.topics()).filter((topic) => topic.startsWith(`${it.prefix}.`));
    assert.equal(left.toSorted(), [it.topic, `${it.prefix}.cdc.ops`].toSorted());
  });

  const moved: DebeziumPlot = {
    ...{ name: "moved", version: "3.6.1.Final", topics: "new" },
    settings: { "value.converter.schemas.enable": "false", "standin.incremental.scn": String(START_SCN + 4n) },
  };
  scene(
    "from Debezium 3.6 into new topics, killed on the way, verified, retired",
    moved,
    async (it, world, gateway) => {
      const { machine, legacy, next } = it;
      await waitFor("it to be past its incremental snapshot", async () => (await it.lastCommit()) > START_SCN + 5n);
      const dies = async (method: string, path: string, ...command: readonly string[]): Promise<void> => {
        await killedAt(gateway.hold(method, "back", path), machine.start(...command, ...SHORT));
        assert.not.equal([await it.state("legacy"), await it.state("next")], ["RUNNING", "RUNNING"]);
      };
      const cutover = await it.plan("cutover");
      await dies("PUT", `/${legacy}/stop`, "apply", cutover, "--yes");
      await isOf("3.6.1", it, world);
      await dies("POST", "/connectors", "recover", "--yes");
      is(await machine.run("recover", "--yes", ...SHORT), 0);
      assert.is(await it.state("legacy"), "STOPPED");
      await world.untilState(next, "RUNNING");
      assert.ok(BigInt(String((await it.offsets("next"))[0]?.offset["resume_scn"])) >= START);

      const retire = await it.plan("retire");
      const verify = await it.plan("verify");
      expectOutput(is(await machine.run("apply", verify, "--yes"), 1), "differ");
      expectOutput(is(await machine.run("apply", retire, "--yes"), 1), "MIG403");
      fillTable(world, moved, (await it.lastCommit()) + 5n);
      is(await machine.run("apply", verify, "--yes", "--again"), 0);

      const leave = await world.consume("moved-billing", it.topic);
      expectOutput(is(await machine.run("apply", retire, "--yes"), 1), "moved-billing");
      await leave();
      const planned = is(await machine.run("plan", retire), 0);
      expectOutput(planned, `the topic __debezium-heartbeat.${it.prefix} (heartbeats)`);
      await killedAt(gateway.hold("DELETE", "back", `/connectors/${legacy}`), machine.start("apply", retire, "--yes"));
      is(await machine.run("recover", "--yes"), 0);
      assert.is(await it.state("legacy"), undefined);
      await waitFor("its topic to be gone", async () => !(await world.topics()).includes(it.topic));
      const topics = await world.topics();
      for (const topic of [it.nextTopic, `__debezium-heartbeat.${it.prefix}`]) assert.ok(topics.includes(topic), topic);
      assert.is(await it.state("next"), "RUNNING");
    },
  );

  const named: DebeziumPlot = {
    ...{ name: "named", version: "3.6.1.Final", topics: "new" },
    settings: { "standin.snapshot.hangs": "true" },
  };
  scene("a Debezium connector is called by its name, and not left in its snapshot", named, async (it, world) => {
    const { machine, legacy, next } = it;
    const before = await it.offsets("legacy");
    expectOutput(is(await machine.run("connectors", "list", "--context", "here"), 0), legacy);
    const named = ["--context", "here", "--connector", legacy];
    for (const command of [
      ["admin", "offsets", "show"],
      ["admin", "offsets", "set", "--scn", String(START_SCN), "--reason", "again"],
      ["doctor", "check"],
      ["doctor", "explain-lag"],
    ]) {
      const { stdout, stderr } = is(await machine.run(...command, ...named), 1);
      const said = `${stdout}${stderr}`.replace(/\s+/g, " ");
      assert.ok(
        said.startsWith(`refused: ${legacy} is Debezium's Oracle connector, not the CDC source connector`),
        said,
      );
    }
    const cutover = is(await machine.run("apply", await it.plan("cutover"), "--yes", ...SHORT), 1);
    expectOutput(cutover, `the initial snapshot of ${it.prefix} is not complete`);
    assert.equal([await it.state("legacy"), await it.state("next")], ["RUNNING", undefined]);
    assert.equal(await it.offsets("legacy"), before);
    assert.is(before[0]?.offset["snapshot"], "INITIAL");
    assert.not.ok((await world.topics()).some((topic) => topic.startsWith(`${next}.`)));
  });
}

// biome-ignore lint/suspicious/noTemplateCurlyInString: variables in the notation of the connector
const TEMPLATE = "${prefix}.${schema}.${table}";

/** The answer of `GET /connectors/NAME`. */
async function connectorAsJson({ connectUrl }: World, name: string): Promise<string> {
  return await (await fetch(`${connectUrl}/connectors/${name}`)).text();
}

/** The values of a topic's records, with schemas or without; no tombstones. */
async function payloads(world: World, topic: string): Promise<readonly JsonObject[]> {
  return (await world.records(topic)).flatMap(({ value }) => {
    const json = value === null ? null : parseJson(value);
    if (!isObject(json)) return [];
    return isObject(json["payload"]) ? [json["payload"]] : [json];
  });
}
