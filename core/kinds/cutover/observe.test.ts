import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { CutoverFacts } from "../../../schemas/generated/facts.ts";
import { lived } from "../../apply/testing/begun.ts";
import { evidenceText } from "../../apply/testing/evidence-text.ts";
import {
  LEGACY,
  LEGACY_SCN,
  LEGACY_TOPICS,
  type Migration,
  migrationWorld,
  NEW_CLASS,
  phaseOf,
} from "../../apply/testing/migration-world.ts";
import { CONNECTOR } from "../../apply/testing/story.ts";
import type { MigrationIntent } from "../../document/intent.ts";
import { CallFailed } from "../../errors.ts";
import { DEBEZIUM_CLASS, LEGACY_CLASS } from "../../legacy/connector-class.ts";

const observing = suite("observing a cutover");

async function seenIn(m: Migration = migrationWorld(), intent: MigrationIntent = phaseOf("cutover")) {
  return (await m.hands(intent).observe?.()) as CutoverFacts;
}

const FORBIDDEN = new CallFailed("connect", "forbidden", { message: "403" });

observing("names each source, with what it showed", async () => {
  const facts = await seenIn();
  assert.equal([facts.kind, facts.phase, facts.legacy.name, facts.next], ["Migration", "cutover", LEGACY, undefined]);
  assert.equal(
    [facts.dictionary, facts.topics, facts.leftRecords, facts.signals, facts.others, facts.latest, facts.installed].map(
      (fact) => fact?.source,
    ),
    [
      "CDB_TABLES",
      "Kafka topics",
      "journal and schema topics",
      "orders.cdc.signals",
      "GET /connectors",
      "memory",
      "GET /connector-plugins",
    ],
  );
  assert.equal(facts.topics.known && [...facts.topics.value].sort(), [...LEGACY_TOPICS, "somebody.elses"].sort());
  assert.equal(facts.problems.known && facts.problems.value, []);
  assert.is(facts.audit, undefined);
});

observing("there is nothing to take over from without the legacy connector, and the error names it", async () => {
  const m = migrationWorld();
  m.world.connectors.all.delete(LEGACY);
  m.world.connectors.all.set("orders-legacy-2", { config: {}, state: "RUNNING" });
  const failure = await seenIn(m).catch((error: unknown) => error);
  assert.instance(failure, CallFailed);
  const { kind, message } = failure as CallFailed;
  assert.is(kind, "missing");
  assert.match(message, "the workers at http://w:8083 have no connector orders-legacy");
});

observing("the class is installed if the workers list the one that the connector would have", async () => {
  const plugin = (className: string) => ({ className, version: "1" });
  for (const [plugins, kept, installed, builds] of [
    [[LEGACY_CLASS, NEW_CLASS], undefined, true, [NEW_CLASS]],
    [[LEGACY_CLASS], undefined, false, []],
    [["com.example.OracleCdcSourceConnector"], undefined, false, ["com.example.OracleCdcSourceConnector"]],
    [[NEW_CLASS], "com.example.Cdc", false, [NEW_CLASS]],
    [[NEW_CLASS, "com.example.Cdc"], "com.example.Cdc", true, [NEW_CLASS]],
  ] as const) {
    const m = migrationWorld();
    m.world.plugins = plugins.map(plugin);
    if (kept !== undefined) m.kept["connector.class"] = kept;
    const facts = await seenIn(m);
    assert.equal([facts.installed.known && facts.installed.value, facts.builds], [installed, builds]);
  }
});

observing("whether it is installed is unknown if the workers do not list their classes", async () => {
  const m = migrationWorld();
  m.world.connect.plugins = () => Promise.reject(FORBIDDEN);
  const facts = await seenIn(m);
  assert.equal([facts.installed.known, facts.installed.known || facts.installed.why], [false, "403"]);
  assert.equal([facts.builds, facts.problems.known && facts.problems.value], [[], []]);
});

observing("the workers validate what they would get, and nothing whose class they lack", async () => {
  const m = migrationWorld();
  const asked: (readonly [string, string | undefined, string | undefined])[] = [];
  m.world.problems = [{ setting: "cdc.tables.include", errors: ["no table matches"] }];
  const { validate } = m.world.connect;
  Object.assign(m.world.connect, {
    validate: (className: string, config: Readonly<Record<string, string>>) => {
      asked.push([className, config["name"], config["connector.class"]]);
      return validate(className, config);
    },
  });
  const { problems } = await seenIn(m);
  assert.equal(problems.known && problems.value, m.world.problems);
  assert.is(problems.source, "PUT /connector-plugins/…/config/validate");
  assert.equal(asked, [[NEW_CLASS, CONNECTOR, NEW_CLASS]]);
  m.world.plugins = [];
  const without = await seenIn(m);
  assert.equal(without.problems.known && without.problems.value, []);
  assert.is(asked.length, 1);
});

observing(
  "settings whose value is still masked are named, and those that the operator's file has are not",
  async () => {
    assert.equal((await seenIn()).lacking, []);
    const m = migrationWorld();
    m.kept["cdc.database.password"] = "********";
    m.kept["cdc.stream.sasl.jaas.config"] = 'user required password="********";';
    assert.equal((await seenIn(m)).lacking, ["cdc.database.password", "cdc.stream.sasl.jaas.config"]);
  },
);

const SCHEMA = "orders.cdc.schema";
const keyOf = (server: string) => JSON.stringify({ server, pdb: "ORCLPDB1", owner: "SALES", table: "ORDERS" });

observing(
  "of journal and schema topic, those count that hold the connector's records, or whose are unclear",
  async () => {
    for (const [key, left] of [
      [undefined, []],
      [keyOf("orders"), [SCHEMA]],
      [keyOf("billing"), []],
      ["no JSON", [SCHEMA]],
    ] as const) {
      const m = migrationWorld();
      m.world.makeTopic("orders.cdc.txjournal");
      m.world.makeTopic(SCHEMA);
      if (key !== undefined) m.world.put(SCHEMA, "{}", key);
      const { leftRecords } = await seenIn(m);
      assert.equal(leftRecords?.known && leftRecords.value, left, key);
    }
  },
);

observing("every other connector of the cluster is listed, neither of the two", async () => {
  const m = migrationWorld();
  m.world.connectors.all.set(CONNECTOR, { config: { "connector.class": NEW_CLASS }, state: "STOPPED" });
  m.world.connectors.all.set("billing-sink", { config: { "connector.class": "org.example.Sink" }, state: "RUNNING" });
  const { others, next } = await seenIn(m);
  assert.equal(others.known && others.value.map(({ name }) => name), ["billing-sink"]);
  assert.equal([next?.name, next?.status.state], [CONNECTOR, "STOPPED"]);
});

observing("an earlier cutover of the two on this cluster is known, with its decision", async () => {
  const m = migrationWorld();
  assert.is((await seenIn(m)).latest.known, true);
  const run = await m.run(phaseOf("cutover"));
  assert.is((await lived(run.apply())).outcome, "succeeded");
  const { latest } = await seenIn(m);
  assert.equal(latest.known && [latest.value?.phase, latest.value?.run], [
    "cutover",
    run.entries[0]?.type === "run-started" && run.entries[0].run,
  ]);
});

observing("signals count that are addressed to the connector's name or its prefix", async () => {
  const m = migrationWorld();
  for (const key of [CONNECTOR, "orders", LEGACY]) m.world.put("orders.cdc.signals", "{}", key);
  const { signals } = await seenIn(m);
  assert.equal(signals?.known && [signals.value.end, signals.value.unread.length], [3n, 2]);
});

observing("an audit that the plan file names is read, and one that can't be is no evidence", async () => {
  const audited = phaseOf("cutover", { audit: "audit.evidence.json" });
  const m = migrationWorld();
  const missing = await seenIn(m, audited);
  assert.equal([missing.audit?.known, missing.audit?.source], [false, "audit.evidence.json"]);
  const { text, digest } = await evidenceText(["ORCLPDB1.SALES.ORDERS"], {});
  m.evidence = text;
  const { audit } = await seenIn(m, audited);
  assert.is(audit?.known && audit.value.digest, digest);
});

observing("defaults are those of the version that the workers have of Debezium", async () => {
  for (const [version, mode] of [
    ["1.9.7.Final", "avro"],
    ["2.7.3.Final", "none"],
  ] as const) {
    const m = migrationWorld();
    m.world.plugins = [{ className: DEBEZIUM_CLASS, version }];
    m.world.connectors.all.set(LEGACY, {
      config: { "connector.class": DEBEZIUM_CLASS, "topic.prefix": "shop", "database.hostname": "db" },
      state: "STOPPED",
    });
    m.world.connectors.offsets.set(LEGACY, [{ partition: { server: "shop" }, offset: { scn: "2050000" } }]);
    const intent = phaseOf("cutover");
    const { legacy, translation } = await seenIn(m, { ...intent, to: { ...intent.to, topics: "new" } });
    assert.equal([legacy.version, translation.config["cdc.schema.name.adjustment.mode"]], [version, mode]);
  }
});

observing("the redo is read from where the new connector would begin to mine", async () => {
  const open = (startScn: bigint) => ({
    xid: { container: undefined, usn: 1n, slot: 2n, sequence: 3n },
    startScn,
    startedAt: undefined,
    user: "APP",
    program: undefined,
    until: 1e9,
  });
  for (const [transactions, start, from] of [
    [[], undefined, LEGACY_SCN],
    [[open(LEGACY_SCN - 7n)], undefined, LEGACY_SCN - 7n],
    [[open(LEGACY_SCN + 7n)], undefined, LEGACY_SCN],
    [[], LEGACY_SCN - 100n, LEGACY_SCN - 100n],
    [[open(LEGACY_SCN - 7n)], LEGACY_SCN - 100n, LEGACY_SCN - 100n],
  ] as const) {
    const m = migrationWorld("STOPPED");
    Object.assign(m.world, { transactions });
    const asked: bigint[] = [];
    const { archivedLogs } = m.world.oracle;
    Object.assign(m.world.oracle, {
      archivedLogs: (scn: bigint) => {
        asked.push(scn);
        return archivedLogs(scn);
      },
    });
    const intent = phaseOf("cutover");
    await seenIn(m, { ...intent, from: { ...intent.from, ...(start === undefined ? {} : { startScn: start }) } });
    assert.equal(asked, [from]);
  }
});

observing.run();
