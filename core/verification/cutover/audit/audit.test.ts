import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { Refusal } from "../../../errors.ts";
import type { OffsetEntry } from "../../../facts/offset/stored-offset.ts";
import { LEGACY_KINDS, type LegacyConnector, type LegacyName } from "../../../legacy/legacy-kind.ts";
import type { ConnectPort } from "../../../ports/connect.ts";
import type { KafkaPort } from "../../../ports/kafka.ts";
import { lineOf } from "../../../values/remedy.ts";
import { verifyTable } from "../../engine/verify-table.ts";
import { checkEvidence } from "../../evidence/check-evidence.ts";
import { evidenceOf, printEvidence } from "../../evidence/evidence.ts";
import { memorySpool } from "../../testing/memory-spool.ts";
import { inputsOf, ORDERS, type Row, type SceneRecord } from "../../testing/scene.ts";
import { work } from "../../testing/work.ts";
import type { FoundTable } from "../request.ts";
import { deliveredTopics, storedPosition } from "./audit.ts";

const audits = suite("an audit");

/** The table, and what the flat records of a legacy connector say of it. */
async function audit(rows: readonly Row[], legacy: readonly SceneRecord[], withoutKey = false) {
  const { legacyTopic, ...inputs } = inputsOf({ rows, records: [], legacy, withoutKey, startScn: 101n });
  if (legacyTopic === undefined) throw new Error("no topic");
  const found = await verifyTable(
    { ...inputs, newTopic: { ...inputs.newTopic, topic: "" }, legacyTopic: { ...legacyTopic, wholeRows: true } },
    memorySpool(),
    {
      ...{ work, clock: { elapsed: () => 0 }, memory: 64 * 2 ** 20, ranges: 1, partitions: 2, first: 100 },
      disk: { place: "memory", free: undefined },
    },
  );
  if (found.is !== "verified") throw new Error(found.is);
  const evidence = evidenceOf({
    writtenAt: "2026-03-01T00:00:00Z",
    cdcctl: "0.1.0",
    inputs: { connector: "orders-legacy", audit: true },
    checkScn: 100n,
    resumeScn: 101n,
    tables: [
      {
        ...{ table: "SALES.ORDERS", newTopic: "", legacyTopic: "legacy", remarks: [], leftOut: [] },
        shape: withoutKey ? { ...ORDERS, key: [] } : ORDERS,
        found,
      },
    ],
    values: false,
  });
  const again = checkEvidence(printEvidence(evidence));
  assert.equal(again.sound ? [] : again.problems, []);
  const [table] = evidence.tables;
  return { outcome: table?.outcome, reasons: table?.reasons, keys: table?.firstFailures.map(({ key }) => key?.["ID"]) };
}

audits("passes where the topic holds every row as it is", async () => {
  const passed = await audit(
    [
      [1, "a"],
      [2, "b"],
    ],
    [
      { op: "c", row: [1, "z"] },
      { op: "c", row: [2, "b"] },
      { op: "u", row: [1, "a"], scn: 20 },
      { op: "c", row: [3, "c"] },
      { op: "d", row: [3, "c"], scn: 30 },
    ],
  );
  assert.equal(passed, { outcome: "pass", reasons: [], keys: [] });
});

audits("finds what is missing, stale and extra, by key", async () => {
  const found = await audit(
    [
      [1, "a"],
      [2, "b"],
      [3, "c"],
    ],
    [
      { op: "c", row: [1, "a"] },
      { op: "c", row: [2, "before"] },
      { op: "c", row: [4, "d"] },
    ],
  );
  assert.equal(found, {
    outcome: "fail",
    reasons: [
      "1 missing: in the table, not in the topic",
      "1 extra: in the topic, and no longer in the table",
      "1 stale: with other values in the topic",
    ],
    keys: ["2", "3", "4"],
  });
});

audits("counts the rows of a table without key", async () => {
  const found = await audit([[1, "a"]], [{ op: "c", row: [2, "b"] }], true);
  assert.is(found.outcome, "fail");
  assert.equal(found.reasons, ["2 not as often in the topic as in the table"]);
});

audits("leaves a key in doubt whose record can't be decoded", async () => {
  const found = await audit(
    [[1, "a"]],
    [
      { op: "c", row: [1, "a"] },
      { op: "junk", row: [1, "a"], scn: 20 },
    ],
  );
  assert.is(found.outcome, "inconclusive");
  assert.match(found.reasons?.join("; ") ?? "", "undecodable: that rest on a record that could not be read");
});

audits("compares what was committed after the check SCN with nothing", async () => {
  const found = await audit(
    [[1, "a"]],
    [
      { op: "c", row: [1, "a"] },
      { op: "u", row: [1, "later"], scn: 500 },
    ],
  );
  assert.equal(found, { outcome: "pass", reasons: [], keys: [] });
});

const FOUND = {
  ...{ fullName: "PDB1.INV.ITEMS", inPdb: true },
  layout: { container: "PDB1", owner: "INV", name: "ITEMS" },
} as FoundTable;

function connectorOf(kind: LegacyName, config: Record<string, string>): LegacyConnector {
  const row = LEGACY_KINDS[kind];
  return { ...row, name: "inv", config: { "connector.class": row.connectorClass, ...config }, offsets: [] };
}

const brokersWith = (...topics: readonly string[]) =>
  ({
    brokers: "broker:9092",
    topic: async (name: string) => (topics.includes(name) ? { name } : undefined),
  }) as unknown as KafkaPort;

const ITEMS = [{ name: "INV.ITEMS", topic: undefined }];
const DEBEZIUM = connectorOf("debezium", { "topic.prefix": "inv", "table.include.list": "INV.ITEMS" });
const CONFLUENT = connectorOf("confluent", { "oracle.sid": "ORCLCDB", "oracle.pdb.name": "PDB1" });

audits("finds the topic of a table by the connector's own naming", async () => {
  const topicOf = async (audited: LegacyConnector, ...topics: readonly string[]) =>
    (await deliveredTopics(audited, ITEMS, [FOUND], brokersWith(...topics))).map(({ legacyTopic }) => legacyTopic);
  assert.equal(await topicOf(DEBEZIUM, "inv.INV.ITEMS"), ["inv.INV.ITEMS"]);
  assert.equal(await topicOf(CONFLUENT, "ORCLCDB.PDB1.INV.ITEMS"), ["ORCLCDB.PDB1.INV.ITEMS"]);
});

audits("asks for a topic that the connector's settings do not lead to", async () => {
  try {
    await deliveredTopics(DEBEZIUM, ITEMS, [FOUND], brokersWith("other"));
    assert.unreachable();
  } catch (error) {
    const { code, message } = error as Refusal;
    assert.is(code, "VER120");
    assert.match(message, "broker:9092 have no topic inv.INV.ITEMS");
  }
  const unlisted = connectorOf("debezium", { "topic.prefix": "inv", "table.include.list": "INV.OTHER" });
  try {
    await deliveredTopics(unlisted, ITEMS, [FOUND], brokersWith("inv.INV.ITEMS"));
    assert.unreachable();
  } catch (error) {
    assert.match((error as Refusal).message, /for PDB1\.INV\.ITEMS: its lists do not name the table, or a transf/);
  }
  const [named] = await deliveredTopics(
    DEBEZIUM,
    [{ name: "INV.ITEMS", topic: "routed" }],
    [FOUND],
    brokersWith("other"),
  );
  assert.is(named?.legacyTopic, "routed");
});

audits("takes the position that the connector has stored, of either kind", async () => {
  const storing = (entry: OffsetEntry) => ({ offsets: async () => [entry] }) as unknown as ConnectPort;
  const debezium = { partition: { server: "inv" }, offset: { scn: "3000", commit_scn: "3050:1:", snapshot_scn: "10" } };
  assert.is(await storedPosition(DEBEZIUM, storing(debezium)), 3000n);
  const confluent = { partition: { sidPdb: "ORCLCDB.PDB1" }, offset: { scn: "2000" } };
  assert.is(await storedPosition(CONFLUENT, storing(confluent)), 2000n);
});

const positionOf = async (...offsets: readonly OffsetEntry[]) => {
  try {
    return `${await storedPosition(DEBEZIUM, { offsets: async () => offsets } as unknown as ConnectPort)}`;
  } catch (error) {
    const { code, message, remedies } = error as Refusal;
    return `${code} ${message}: ${remedies.map(lineOf).join(" ")}`;
  }
};
const STREAMING = { scn: "3000", commit_scn: "3050:1:", snapshot_scn: "10" };
const stored = (offset: OffsetEntry["offset"], server = "inv"): OffsetEntry => ({ partition: { server }, offset });

audits("refuses a connector whose snapshot is not over: rows still to come would be called missing", async () => {
  for (const snapshot of [
    { snapshot: true, snapshot_completed: false },
    { snapshot: "INITIAL", snapshot_completed: false },
    { snapshot: "BLOCKING", snapshot_completed: false },
    { snapshot: "INCREMENTAL", snapshot_completed: false },
    { incremental_snapshot_collections: '[{"incremental_snapshot_collections_id":"PDB1.INV.ITEMS"}]' },
  ])
    assert.match(
      await positionOf(stored({ ...STREAMING, ...snapshot })),
      /^LEG018 .*snapshot.*: Let it finish, and let one change be delivered; then audit again\.$/,
      JSON.stringify(snapshot),
    );
  assert.is(await positionOf(stored({ ...STREAMING, snapshot: "INITIAL", snapshot_completed: true })), "3000");
});

audits("refuses a position of XStream and OpenLogReplicator, and takes none of an earlier prefix", async () => {
  assert.match(await positionOf(stored({ lcr_position: "00" })), /^LEG017 .*DBA_XSTREAM_OUTBOUND_PROGRESS/);
  assert.match(await positionOf(stored({ scn: "3000", scn_idx: 7n })), /^LEG017 .*OpenLogReplicator/);
  assert.is(await positionOf(stored({ ...STREAMING, scn: "2000" }, "old"), stored(STREAMING)), "3000");
  assert.match(await positionOf(stored(STREAMING, "old")), /^LEG003 /);
});

audits("refuses offsets that are no position", async () => {
  const nothing = { offsets: async () => [{ partition: { server: "inv" }, offset: {} }] } as unknown as ConnectPort;
  try {
    await storedPosition(DEBEZIUM, nothing);
    assert.unreachable();
  } catch (error) {
    assert.is((error as Refusal).code, "LEG003");
  }
});

audits.run();
