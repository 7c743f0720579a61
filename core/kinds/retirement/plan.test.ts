import { suite } from "uvu";
import * as assert from "uvu/assert";
import { Refusal } from "../../errors.ts";
import type { RunState } from "../../run/state.ts";
import { planFor } from "../catalogue.ts";
import { retirementFacts } from "../migration/testing/build-facts.ts";
import { intent, retirement as read } from "../migration/testing/build-readings.ts";
import { LEGACY_TOPICS, other, REDO_TOPIC, UNTOLD_TOPICS } from "../migration/testing/story.ts";
import { known, unseen } from "../offset-change/testing/build-facts.ts";
import { retirement } from "./plan.ts";

const plans = suite("the plan of a retirement");

plans("a retirement without the legacy connector says which of the topics that the plan file names stay", () => {
  const why = (topics: readonly string[]) => {
    const { outcome } = planFor(intent({ phase: "retire" }), retirementFacts({ legacy: null, topics: known(topics) }));
    return outcome.state === "no-op" ? outcome.why : outcome.state;
  };
  assert.is(why([REDO_TOPIC]), "orders-legacy no longer exists");
  assert.is(
    why([REDO_TOPIC, ...LEGACY_TOPICS.toReversed()]),
    `orders-legacy no longer exists, and ${LEGACY_TOPICS.join(" and ")} are kept (spec.verify.legacyTopics)`,
  );
});

plans("one topic that the plan file names stays in the singular", () => {
  const [one = ""] = LEGACY_TOPICS;
  const { outcome } = planFor(intent({ phase: "retire" }), retirementFacts({ legacy: null, topics: known([one]) }));
  assert.is(
    outcome.state === "no-op" && outcome.why,
    `orders-legacy no longer exists, and ${one} is kept (spec.verify.legacyTopics)`,
  );
});

plans("no topic is reported to stay of a plan file that names none", () => {
  const { outcome } = planFor(intent({ phase: "retire", verify: null }), retirementFacts({ legacy: null }));
  assert.is(outcome.state === "no-op" ? outcome.why : outcome.state, "orders-legacy no longer exists");
});

plans("no unknown topic is reported to stay", () => {
  const { outcome } = planFor(intent({ phase: "retire" }), retirementFacts({ legacy: null, topics: unseen() }));
  assert.is(outcome.state === "no-op" ? outcome.why : outcome.state, "orders-legacy no longer exists");
});

plans("a retirement deletes only what it lists", () => {
  const plan = planFor(intent({ phase: "retire" }), retirementFacts());
  const deleted = plan.steps.flatMap((step) => (step.step === "delete-topics" ? step.topics : []));
  assert.equal([...deleted].sort(), [...LEGACY_TOPICS, REDO_TOPIC].sort());
  const gone = planFor(intent({ phase: "retire" }), retirementFacts({ legacy: null }));
  assert.is(gone.outcome.state, "no-op");
});

plans("is of the legacy connector and the new one by its plan file, which leaves nothing out of it", () => {
  const { decided } = retirement.byIntent(intent({ phase: "retire", from: { leaveOut: ["A"] } }));
  assert.equal([decided.phase, decided.legacy, decided.connector], ["retire", "orders-legacy", "orders-cdc"]);
  assert.not.ok("leaveOut" in decided);
});

plans("pins nothing before it begins, and sees what is there", () => {
  const facts = retirementFacts();
  const plan = planFor(intent({ phase: "retire" }), facts);
  assert.is(retirement.pin(plan, facts), "this phase pins nothing before it begins");
  assert.is(retirement.asOfRun(facts, {} as RunState), facts);
});

plans("can't be rolled back: APL808", async () => {
  try {
    await retirement.rollback({ started: { run: "r" }, ended: { outcome: "succeeded" } } as never, {} as never);
    assert.unreachable();
  } catch (error) {
    assert.instance(error, Refusal);
    const { code, message } = error as Refusal;
    const why = "run r was a retirement: what it deleted can't be restored: there is nothing to roll back";
    assert.equal([code, message], ["APL808", why]);
  }
});

plans.run();

const reading = suite("what the facts of a retirement mean");

reading("nothing is deleted, kept, shared or missing where the legacy connector no longer exists", () => {
  const { topics, spared, shared, withoutTopic, lobTopics, delivered } = read({ legacy: null });
  assert.equal(topics.known && topics.value, []);
  assert.equal(shared.known && shared.value, []);
  assert.equal([spared, withoutTopic, lobTopics, delivered], [[], [], undefined, []]);
});

reading("nothing is kept or missing while it is unknown which tables are captured, or which topics are new", () => {
  for (const parts of [{ dictionary: unseen() }, { settings: UNTOLD_TOPICS }]) {
    const { topics, spared, shared, withoutTopic } = read(parts);
    assert.equal([topics.known, spared, withoutTopic], [false, [], []]);
    assert.equal(shared.known && shared.value, []);
  }
});

reading("no table is without its topic while the topics are unknown", () => {
  const { topics, spared, withoutTopic } = read({ topics: unseen() });
  assert.equal([topics.known, spared, withoutTopic], [false, [], []]);
});

reading("a topic of another connector is kept, with the transformations by which it may write there", () => {
  const [topic = ""] = LEGACY_TOPICS;
  const others = (reroutings: readonly string[] | undefined) =>
    known([
      other("billing-sink"),
      other("copy", { templates: [topic], ...(reroutings === undefined ? {} : { reroutings }) }),
    ]);
  for (const [reroutings, through] of [
    [undefined, []],
    [["route"], ["route"]],
  ] as const) {
    const { shared, topics } = read({ others: others(reroutings) });
    assert.equal(shared.known && shared.value.map(({ connector, through: by }) => [connector, by]), [
      ["copy", through],
    ]);
    assert.not.ok(topics.known && topics.value.some((one) => one.topic === topic));
  }
  assert.not.ok(read({ others: unseen() }).shared.known);
});

reading.run();
