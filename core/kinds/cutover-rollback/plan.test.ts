import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { DeployedConnector } from "../../../schemas/generated/facts.ts";
import { Refusal } from "../../errors.ts";
import { goneBack } from "../../plan/testing/build-migration-run.ts";
import { buildRun } from "../../plan/testing/build-run.ts";
import { goingBack as example } from "../../plan/testing/example-migrations.ts";
import { runState } from "../../run/state.ts";
import { planFor } from "../catalogue.ts";
import { type ReturnParts, returnFacts } from "../migration/testing/build-facts.ts";
import { goingBack, intent } from "../migration/testing/build-readings.ts";
import {
  created,
  dictionary,
  LEGACY_CONFIG,
  LEGACY_OFFSETS,
  settings,
  table,
  UNTOLD_TOPICS,
} from "../migration/testing/story.ts";
import { known, opsEvent, RUNNING, STOPPED, unseen } from "../offset-change/testing/build-facts.ts";
import { cutoverRollback } from "./plan.ts";

const plans = suite("the plan of a rollback to the legacy connector");

const BACK = intent({ phase: "rollback" });
const DELETING = intent({ phase: "rollback", deleteTopics: true });

const planOf = (parts: ReturnParts = {}, wanted = BACK) => planFor(wanted, returnFacts(parts));

plans("stops the new connector, records and deletes its offsets, deletes it, and resumes the legacy one", () => {
  assert.equal(planOf().steps.slice(0, 7), [
    { step: "stop-connector", connector: "orders-cdc" },
    { step: "recheck", legacy: "orders-legacy" },
    { step: "record-applying", topic: "orders.cdc.ops" },
    { step: "delete-offsets", connector: "orders-cdc" },
    { step: "record-outcome", topic: "orders.cdc.ops" },
    { step: "delete-connector", connector: "orders-cdc" },
    { step: "resume-legacy", connector: "orders-legacy" },
  ]);
});

const JOURNAL = { topic: "orders.cdc.txjournal", of: "journal" } as const;
const SCHEMA = { topic: "orders.cdc.schema", of: "schema" } as const;
const left = (parts: ReturnParts, wanted = BACK) =>
  planOf(parts, wanted).steps.flatMap((planned) => (planned.step === "remove-records" ? planned.records : []));

plans("removes what the new connector left in its journal and schema topics, where they may exist", () => {
  assert.equal(left({ topics: known([JOURNAL.topic, SCHEMA.topic]) }), [JOURNAL, SCHEMA]);
  assert.equal(left({ topics: known([JOURNAL.topic]) }), [JOURNAL]);
  assert.equal(left({ topics: known([]) }), []);
  assert.equal(left({ topics: unseen() }), [JOURNAL, SCHEMA]);
  assert.equal(left({ next: null, topics: known([JOURNAL.topic, SCHEMA.topic]) }), []);
});

plans("removes no records from topics that it deletes", () => {
  const topics = known([JOURNAL.topic, SCHEMA.topic]);
  assert.equal(left({ topics }, DELETING), []);
  assert.equal(planOf({ topics }, DELETING).steps.at(-1), {
    step: "delete-topics",
    topics: [SCHEMA.topic, JOURNAL.topic],
  });
});

plans("deletes no topic while it is unknown which are the new connector's, and is blocked", () => {
  const { steps, outcome } = planOf({ topics: unseen() }, DELETING);
  assert.is(outcome.state, "blocked");
  assert.not.ok(steps.some(({ step }) => step === "delete-topics"));
});

plans(
  "has nothing to do only if the new connector is gone, no topic is left to delete, and the legacy one runs",
  () => {
    const state = (parts: ReturnParts, wanted = BACK) => planOf({ next: null, ...parts }, wanted).outcome.state;
    assert.is(state({ legacy: { status: RUNNING } }), "no-op");
    assert.is(state({ legacy: { status: STOPPED } }), "ready");
    assert.is(state({ legacy: { status: RUNNING }, next: created() }), "ready");
    const none = known(["somebody.elses"]);
    assert.is(state({ legacy: { status: RUNNING }, topics: none }, DELETING), "no-op");
  },
);

plans("pins what the legacy connector resumes from, and what is removed of the new one", () => {
  const pin = (next: DeployedConnector | null) => cutoverRollback.pin(planOf(), returnFacts({ next }));
  assert.equal(pin(created()), { type: "return-pinned", offsets: LEGACY_OFFSETS, removed: created().offsets });
  assert.equal(pin(null), { type: "return-pinned", offsets: LEGACY_OFFSETS, removed: [] });
});

plans("is decided by its plan file as far as that goes", () => {
  const { decided, settings: own } = cutoverRollback.byIntent(
    intent({ from: { connector: "old", leaveOut: ["B", "A"] } }),
  );
  assert.equal(
    [decided.phase, decided.legacy, decided.connector, decided.leaveOut],
    ["rollback", "old", "orders-cdc", ["A", "B"]],
  );
  assert.is(own, undefined);
});

plans("is rolled back by no other: APL808, with what to do instead", async () => {
  const state = runState(buildRun(example, goneBack).entries);
  try {
    await cutoverRollback.rollback(state as never, {} as never);
    assert.unreachable();
  } catch (error) {
    assert.instance(error, Refusal);
    const { code, message } = error as Refusal;
    assert.is(code, "APL808");
    assert.match(message, "was itself a rollback; to take over again, plan a cutover: there is nothing to roll back");
  }
});

plans("does not read the journal for its timeline, and says so", () => {
  const unread = planOf().timeline?.unseen.find(({ what }) => what === "journaled transactions");
  assert.is(unread?.why, "the rollback does not depend on them, so the journal was not read");
});

plans.run();

const reading = suite("what the facts of a rollback to the legacy connector mean");

reading("an offset is to be deleted only where the new connector has stored one", () => {
  const stored = (offset: { readonly v: bigint } | null) =>
    goingBack({ next: created({ offsets: [{ partition: { server: "orders" }, offset }] }) }).changesOffset;
  assert.equal([stored({ v: 1n }), stored(null)], [true, false]);
  assert.not.ok(goingBack({ next: created({ offsets: [] }) }).changesOffset);
  assert.not.ok(goingBack({ next: null }).changesOffset);
});

reading("the changes that count are those recorded of the new connector", () => {
  const events = [opsEvent({ connector: "orders-cdc" }), opsEvent({ connector: "billing-cdc" })];
  const { changes } = goingBack({ events });
  assert.is(changes.known && changes.value.length, 1);
  assert.not.ok(goingBack({ opsHistory: unseen() }).changes.known);
});

reading("the legacy connector resumes from what is not left out, whatever start the cutover was given", () => {
  const old = { partition: { catalog: "ORCLPDB1", schema: "SALES", table: "OLD" }, offset: { scn: "1200000" } };
  const parts = { legacy: { offsets: [...LEGACY_OFFSETS, old] } };
  const startOf = (from: Parameters<typeof intent>[0]) =>
    goingBack(parts, intent({ phase: "rollback", ...from })).takeover.offsets?.startScn;
  assert.is(startOf({}), 1200000n);
  assert.is(startOf({ from: { leaveOut: ["ORCLPDB1.SALES.OLD"], startScn: 2200000n } }), 2169287n);
});

reading("without a request no topic is deleted, whatever is unknown", () => {
  const { newTopics } = goingBack({ topics: unseen(), dictionary: unseen() });
  assert.equal(newTopics.known && [newTopics.value, newTopics.source], [[], "spec.deleteTopics"]);
});

const whyUnknown = (parts: ReturnParts) => {
  const { newTopics } = goingBack(parts, DELETING);
  if (newTopics.known) throw new Error(`known: ${newTopics.value.join(", ")}`);
  return [newTopics.why, newTopics.source];
};

reading("topics to be deleted are unknown if their names can't be told, or who else writes to them", () => {
  const [captured, source] = whyUnknown({ dictionary: unseen() });
  assert.match(captured ?? "", /^which tables are captured is unknown: /);
  assert.is(source, unseen().source);
  assert.match(whyUnknown({ settings: UNTOLD_TOPICS })[0] ?? "", /^which topics are the new connector's is unknown: /);
  const routed = {
    ...LEGACY_CONFIG,
    transforms: "route",
    "transforms.route.type": "org.apache.kafka.connect.transforms.RegexRouter",
  };
  assert.equal(whyUnknown({ legacy: { config: routed } }), [
    "which topics are the new connector's is unknown: records of orders-legacy go through route, which may write " +
      "them there",
    settings().configOrigin,
  ]);
  assert.not.ok(goingBack({ topics: unseen() }, DELETING).newTopics.known);
});

reading("topics are deleted of the captured tables alone", () => {
  const topics = known(["orders.ORCLPDB1.SALES.ORDERS", "orders.ORCLPDB1.SALES.LINES", "orders.ORCLPDB1.SALES.GONE"]);
  const { newTopics } = goingBack({ topics, dictionary: known(dictionary(table("ORDERS"))) }, DELETING);
  assert.equal(newTopics.known && newTopics.value, ["orders.ORCLPDB1.SALES.ORDERS"]);
  const unnamed = intent({ phase: "rollback", deleteTopics: true, verify: null });
  const all = goingBack({ topics }, unnamed).newTopics;
  assert.equal(all.known && all.value, ["orders.ORCLPDB1.SALES.LINES", "orders.ORCLPDB1.SALES.ORDERS"]);
});

reading.run();
