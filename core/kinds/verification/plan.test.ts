import { suite } from "uvu";
import * as assert from "uvu/assert";
import { Refusal } from "../../errors.ts";
import type { RunState } from "../../run/state.ts";
import { planFor } from "../catalogue.ts";
import { type VerificationParts, verificationFacts } from "../migration/testing/build-facts.ts";
import { intent, verification as read } from "../migration/testing/build-readings.ts";
import { LINES, ORDERS, settings, UNTOLD_TOPICS } from "../migration/testing/story.ts";
import { unseen } from "../offset-change/testing/build-facts.ts";
import { verification } from "./plan.ts";

const plans = suite("the plan of a verification");

const VERIFY = intent({ phase: "verify" });

plans("verifies the tables that are found, each with its topics, into the evidence that the plan file names", () => {
  const tables = [
    { table: ORDERS, topic: `orders.${ORDERS}`, legacyTopic: ORDERS },
    { table: LINES, topic: `orders.${LINES}`, legacyTopic: LINES },
  ];
  const stepsOf = (wanted: typeof VERIFY) => planFor(wanted, verificationFacts()).steps;
  assert.equal(stepsOf(VERIFY), [{ step: "verify-tables", tables, evidence: "orders-to-cdc.evidence.json" }]);
  const some = intent({ phase: "verify", verify: { tables: ["SALES.GONE", "SALES.LINES"] } });
  assert.equal(stepsOf(some), [
    { step: "verify-tables", tables: tables.slice(1), evidence: "orders-to-cdc.evidence.json" },
  ]);
});

plans("decides by its plan file alone what it compares, and where its evidence is", () => {
  const { verify, evidence } = verification.byIntent(VERIFY).decided;
  const { decided } = planFor(VERIFY, verificationFacts());
  assert.equal([verify, evidence], [decided.verify, "orders-to-cdc.evidence.json"]);
  assert.match(String(verify), /^sha256:/);
  const none = verification.byIntent(intent({ phase: "verify", verify: null })).decided;
  assert.equal(
    [none.phase, none.legacy, none.connector, "verify" in none],
    ["verify", "orders-legacy", "orders-cdc", false],
  );
});

plans("a topic may be the legacy connector's if the new one certainly writes nothing to it", () => {
  const mayBe = (topic: string, parts: VerificationParts = {}) => read(parts).mayBeLegacy(topic);
  assert.equal([mayBe(ORDERS), mayBe(`orders.${ORDERS}`), mayBe("orders.cdc.ops")], [true, false, false]);
  const routed = { ...settings().config, transforms: "r", "transforms.r.type": "org.example.RegexRouter" };
  assert.not.ok(mayBe(ORDERS, { settings: { config: routed } }));
  assert.not.ok(mayBe(ORDERS, { settings: UNTOLD_TOPICS }));
  assert.ok(mayBe(`orders.${ORDERS}`, { dictionary: unseen() }), "no table is known to be captured");
});

plans("pins nothing before it begins, and sees what is there", () => {
  const facts = verificationFacts();
  assert.is(verification.pin(planFor(VERIFY, facts), facts), "this phase pins nothing before it begins");
  assert.is(verification.asOfRun(facts, {} as RunState), facts);
});

plans("can't be rolled back: APL808", async () => {
  try {
    await verification.rollback({ started: { run: "r" }, ended: { outcome: "succeeded" } } as never, {} as never);
    assert.unreachable();
  } catch (error) {
    assert.instance(error, Refusal);
    const { code, message } = error as Refusal;
    assert.equal(
      [code, message],
      ["APL808", "run r was a verification, which changed nothing: there is nothing to roll back"],
    );
  }
});

plans.run();
