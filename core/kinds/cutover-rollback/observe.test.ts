import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { ReturnFacts } from "../../../schemas/generated/facts.ts";
import { lived } from "../../apply/testing/begun.ts";
import {
  LEGACY,
  LEGACY_SCN,
  type Migration,
  migrationWorld,
  NEW_CLASS,
  phaseOf,
} from "../../apply/testing/migration-world.ts";
import { CONNECTOR } from "../../apply/testing/story.ts";
import { CallFailed } from "../../errors.ts";
import type { JsonObject } from "../../values/json.ts";

const observing = suite("observing the rollback of a cutover");

/** Both connectors stopped; the new one has stored this offset. */
function stopped(offset?: JsonObject): Migration {
  const m = migrationWorld("STOPPED");
  const config = { "connector.class": NEW_CLASS, "cdc.topic.prefix": "orders", "cdc.database.pdbs": "ORCLPDB1" };
  m.world.connectors.all.set(CONNECTOR, { config, state: "STOPPED" });
  if (offset !== undefined) m.world.connectors.offsets.set(CONNECTOR, [{ partition: { server: "orders" }, offset }]);
  return m;
}

async function seenIn(m: Migration, deleteTopics = false) {
  return (await m.hands(phaseOf("rollback", { deleteTopics })).observe?.()) as ReturnFacts;
}

observing("names each source, with what it showed", async () => {
  const facts = await seenIn(stopped(), true);
  assert.equal(
    [facts.kind, facts.phase, facts.legacy.name, facts.next?.name],
    ["Migration", "rollback", LEGACY, CONNECTOR],
  );
  assert.equal(
    [facts.topics, facts.dictionary, facts.others, facts.cutover].map(({ source }) => source),
    ["Kafka topics", "CDB_TABLES", "GET /connectors", "memory"],
  );
});

observing("what only a deletion of topics depends on is not read without one", async () => {
  const m = stopped();
  m.world.connectors.all.set("billing-sink", { config: { "connector.class": "org.example.Sink" }, state: "RUNNING" });
  const { dictionary, others } = await seenIn(m);
  assert.equal(dictionary, { known: false, why: "no topic is deleted", source: "CDB_TABLES" });
  assert.equal(others, { known: false, why: "no topic is deleted", source: "GET /connectors" });
  const deleting = await seenIn(m, true);
  assert.equal(deleting.others.known && deleting.others.value.map(({ name }) => name), ["billing-sink"]);
  assert.ok(deleting.dictionary.known && deleting.dictionary.value.tables.length > 0);
});

observing("times are read of the legacy position, and of where the new connector stands", async () => {
  const legacy = [LEGACY_SCN, LEGACY_SCN + 500n, LEGACY_SCN + 900n];
  const committed = { v: 1n, resume_scn: 2_200_000n, last_commit_scn: 2_199_000n, last_commit_xid: "1:7.22.1180" };
  for (const [offset, own] of [
    [undefined, []],
    [{ v: 1n, resume_scn: 2_200_000n }, [2_200_000n]],
    [committed, [2_200_000n, 2_199_000n]],
    [{ ...committed, v: 9n }, []],
  ] as const) {
    const { times, database } = await seenIn(stopped(offset));
    assert.equal(times.known && times.value.map(({ scn }) => scn), [...legacy, ...own, database.currentScn]);
  }
});

observing("there is nothing to go back to without the legacy connector, and the error names it", async () => {
  const m = stopped();
  m.world.connectors.all.delete(LEGACY);
  const failure = await seenIn(m).catch((error: unknown) => error);
  assert.instance(failure, CallFailed);
  const { kind, message } = failure as CallFailed;
  assert.is(kind, "missing");
  assert.match(message, "the workers at http://w:8083 have no connector orders-legacy");
});

observing("a connector that is gone has the settings that it was created with", async () => {
  const m = migrationWorld("STOPPED");
  const facts = await seenIn(m);
  assert.equal([facts.next, facts.settings.prefix, facts.settings.opsTopic], [undefined, "orders", "orders.cdc.ops"]);
});

observing("the cutover that it goes back from is known, with what it took over", async () => {
  const m = migrationWorld();
  const run = await m.run(phaseOf("cutover"));
  assert.is((await lived(run.apply())).outcome, "succeeded");
  const { cutover } = await seenIn(m);
  assert.ok(cutover.known && (cutover.value?.offsets.length ?? 0) > 0);
});

observing.run();
