import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { RetirementFacts } from "../../../schemas/generated/facts.ts";
import { lived } from "../../apply/testing/begun.ts";
import { evidenceText } from "../../apply/testing/evidence-text.ts";
import { CAPTURED } from "../../apply/testing/memory-facts.ts";
import { LEGACY, LEGACY_TOPICS, type Migration, migrationWorld, phaseOf } from "../../apply/testing/migration-world.ts";
import { CONNECTOR, OPS_TOPIC } from "../../apply/testing/story.ts";
import { CallFailed } from "../../errors.ts";
import { encodeOpsEvent } from "../../facts/ops/ops-event.ts";
import { opsEvent } from "../offset-change/testing/build-facts.ts";

const observing = suite("observing a retirement");

const EVIDENCE = await evidenceText(
  CAPTURED.map((name) => `ORCLPDB1.SALES.${name}`),
  { "ORCLPDB1.SALES.ORDERS": LEGACY_TOPICS[0] ?? "" },
);
const FORBIDDEN = new CallFailed("connect", "forbidden", { message: "403" });

const seenIn = async (m: Migration) => (await m.hands(phaseOf("retire")).observe?.()) as RetirementFacts;

/** A world after a cutover, and after a verification that wrote the evidence. */
async function verified(): Promise<Migration> {
  const m = migrationWorld();
  assert.is((await lived((await m.run(phaseOf("cutover"))).apply())).outcome, "succeeded");
  await m.world.settle();
  for (const table of ["CUSTOMERS", "LINES", "LINES__OLD"]) m.world.makeTopic(`orders.ORCLPDB1.SALES.${table}`);
  m.evidence = EVIDENCE.text;
  m.verified = { ...m.verified, evidence: { ...m.verified.evidence, digest: EVIDENCE.digest } };
  assert.is((await lived((await m.run(phaseOf("verify"))).apply())).outcome, "succeeded");
  return m;
}

observing("names each source, with what it showed", async () => {
  const facts = await seenIn(await verified());
  assert.equal(
    [facts.kind, facts.phase, facts.legacy?.name, facts.next?.name],
    ["Migration", "retire", LEGACY, CONNECTOR],
  );
  assert.equal(facts.worker, { url: "http://w:8083", version: "3.9.2", clusterId: "k" });
  assert.equal([facts.database.name, facts.database.address], ["ORCLCDB", "db:1521/ORCLCDB"]);
  const { dictionary, topics, others, groups, evidence, cutover, verifications, recordedSince } = facts;
  assert.equal(
    [dictionary, topics, others, groups, evidence, cutover, verifications, recordedSince].map(
      ({ known, source }) => `${known ? "known" : "unknown"} by ${source}`,
    ),
    [
      "known by CDB_TABLES",
      "known by Kafka topics",
      "known by GET /connectors",
      "known by Kafka consumer groups",
      "known by orders-to-cdc.evidence.json",
      "known by memory",
      "known by memory",
      "known by orders.cdc.ops",
    ],
  );
});

observing("the earlier cutover and verification of the two are known", async () => {
  const { cutover, verifications } = await seenIn(await verified());
  assert.ok(cutover.known && cutover.value !== undefined);
  assert.equal(verifications.known && verifications.value.map(({ digest, passed }) => [digest, passed]), [
    [EVIDENCE.digest, true],
  ]);
});

observing("consumer groups are asked for of the topics to be deleted alone", async () => {
  const m = await verified();
  const group = (name: string, topic: string) => ({
    group: name,
    state: "Stable",
    active: [topic],
    committed: [topic],
  });
  m.world.groups = [
    group("billing", LEGACY_TOPICS[0] ?? ""),
    group("new", `orders.${LEGACY_TOPICS[0]}`),
  ] as unknown as Migration["world"]["groups"];
  const { groups } = await seenIn(m);
  assert.equal(groups.known && groups.value.map((one) => one.group), ["billing"]);
});

observing("no consumer group is asked for where nothing is to be deleted, or what is unknown", async () => {
  for (const change of [
    (m: Migration) => void m.world.connectors.all.delete(LEGACY),
    (m: Migration) => Object.assign(m.world.oracle, { dictionary: () => Promise.reject(FORBIDDEN) }),
  ]) {
    const m = await verified();
    change(m);
    Object.assign(m.world.kafka, { consumersOf: () => Promise.reject(new Error("no group is asked for")) });
    const { groups } = await seenIn(m);
    assert.equal(groups.known && groups.value, []);
  }
});

observing("what was recorded since the verification counts, of this connector alone", async () => {
  const m = await verified();
  for (const connector of [CONNECTOR, "billing-cdc"]) {
    const { value } = encodeOpsEvent(opsEvent({ connector, outcome: "applied" }), "json");
    m.world.put(OPS_TOPIC, new TextDecoder().decode(value));
  }
  const { recordedSince } = await seenIn(m);
  assert.is(recordedSince.known && recordedSince.value.length, 1);
});

observing("nothing counts as recorded since a verification that is not the evidence's", async () => {
  const m = await verified();
  m.world.put(OPS_TOPIC, new TextDecoder().decode(encodeOpsEvent(opsEvent({ outcome: "applied" }), "json").value));
  const other = await evidenceText(["ORCLPDB1.SALES.ORDERS"], {});
  for (const text of [undefined, other.text]) {
    m.evidence = text;
    const { evidence, recordedSince } = await seenIn(m);
    assert.is(evidence.known, text !== undefined);
    assert.equal(recordedSince.known && recordedSince.value, []);
  }
});

observing("every other connector of the cluster is listed, neither of the two", async () => {
  const m = await verified();
  m.world.connectors.all.set("billing-sink", { config: { "connector.class": "org.example.Sink" }, state: "RUNNING" });
  const { others } = await seenIn(m);
  assert.equal(others.known && others.value.map(({ name }) => name), ["billing-sink"]);
});

observing.run();
