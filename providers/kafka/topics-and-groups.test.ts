import { suite } from "uvu";
import * as assert from "uvu/assert";
import { CallFailed, type FailureKind } from "../../core/errors.ts";
import type { KafkaPort } from "../../core/ports/kafka.ts";
import { linesOf } from "../../core/values/remedy.ts";
import { type BrokerOptions, type Fault, type SandboxBroker, startBroker } from "../sandbox/kafka/broker.ts";
import type { Operation } from "../sandbox/kafka/broker-state.ts";
import type { SandboxGroup } from "../sandbox/kafka/group-apis.ts";
import { openKafka } from "./open-kafka.ts";

const admin = suite("the Kafka client: deleting topics, and their consumers");

const closing: (() => Promise<unknown>)[] = [];
admin.after.each(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function against(options: Partial<BrokerOptions>): Promise<{ kafka: KafkaPort; broker: SandboxBroker }> {
  const broker = await startBroker({ clusterId: "sandbox", topics: { legacy: {}, other: {} }, ...options });
  closing.push(() => broker.close());
  const kafka = openKafka(
    { bootstrapServers: broker.address, properties: {} },
    { connectMillis: 2_000, requestMillis: 400 },
  );
  closing.push(() => kafka.close());
  return { kafka, broker };
}

const on =
  (wanted: string, fault: Fault, times = 1): NonNullable<BrokerOptions["faults"]> =>
  ({ api, n }) =>
    api === wanted && n <= times ? fault : undefined;

const without =
  (...operations: readonly Operation[]): NonNullable<BrokerOptions["acls"]> =>
  (_, operation) =>
    !operations.includes(operation);

async function fails(call: Promise<unknown>, kind: FailureKind, message: RegExp): Promise<CallFailed> {
  const error = await call.then(
    (answer) => assert.unreachable(`a failure was expected, not ${JSON.stringify(answer)}`),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof CallFailed)) throw error;
  assert.is(error.kind, kind, error.message);
  assert.match(error.message, message);
  return error;
}

// ---- Was it deleted? ------------------------------------------------------------------------------------------------

for (const [fault, gone] of [
  ["disconnect-before", false],
  ["disconnect-after", true],
  ["timeout", true],
] as const)
  admin(`a deletion that encounters ${fault} is unanswered and not sent again`, async () => {
    const { kafka, broker } = await against({ faults: on("DeleteTopics", fault) });
    assert.is((await kafka.deleteTopic("legacy")).answer, "unanswered");
    assert.is(broker.requests.filter(({ api }) => api === "DeleteTopics").length, 1);
    assert.is(broker.state.topics.has("legacy"), !gone);
    // The next answer is definite, and shows which of the two it was.
    const again = await kafka.deleteTopic("legacy");
    assert.is(again.answer, gone ? "rejected" : "applied");
    if (again.answer === "rejected") assert.is(again.message, "UNKNOWN_TOPIC_OR_PARTITION");
  });

for (const [fault, there] of [
  ["disconnect-before", false],
  ["disconnect-after", true],
] as const)
  admin(`a creation that encounters ${fault} is unanswered and not sent again`, async () => {
    const { kafka, broker } = await against({ faults: on("CreateTopics", fault) });
    assert.is((await kafka.createTopic("new", 1, {})).answer, "unanswered");
    assert.is(broker.state.topics.has("new"), there);
    const again = await kafka.createTopic("new", 1, {});
    assert.is(again.answer, there ? "rejected" : "applied");
  });

admin("a creation that is not allowed is rejected with Kafka's code", async () => {
  const { kafka, broker } = await against({ acls: without("create") });
  assert.equal(await kafka.createTopic("new", 1, {}), {
    answer: "rejected",
    status: 29,
    message: "TOPIC_AUTHORIZATION_FAILED",
  });
  assert.not.ok(broker.state.topics.has("new"));
});

admin("a deletion that is not allowed is rejected with Kafka's code", async () => {
  const { kafka, broker } = await against({ acls: without("delete") });
  assert.equal(await kafka.deleteTopic("legacy"), {
    answer: "rejected",
    status: 29,
    message: "TOPIC_AUTHORIZATION_FAILED",
  });
  assert.ok(broker.state.topics.has("legacy"));
});

admin(
  "a broker that is no longer the controller has done nothing: the deletion is sent to the current one",
  async () => {
    const { kafka, broker } = await against({ faults: on("DeleteTopics", "moved", 2) });
    assert.is((await kafka.deleteTopic("legacy")).answer, "applied");
    assert.is(broker.requests.filter(({ api }) => api === "DeleteTopics").length, 3);
  },
);

admin("a deletion that no controller accepts is rejected: nothing was done", async () => {
  const { kafka, broker } = await against({ faults: on("DeleteTopics", "moved", 99) });
  const answer = await kafka.deleteTopic("legacy");
  assert.match(answer.answer === "rejected" ? answer.message : answer.answer, /nothing was done.*NOT_CONTROLLER/);
  assert.ok(broker.state.topics.has("legacy"));
});

admin("a deletion that was never sent is rejected", async () => {
  const { kafka, broker } = await against({});
  await broker.close();
  const answer = await kafka.deleteTopic("legacy");
  assert.is(answer.answer === "rejected" && answer.status, 0);
});

// ---- Which topics are there, and who reads them? --------------------------------------------------------------------

admin("topics that may not be described are not listed", async () => {
  const { kafka } = await against({
    acls: (_, operation, topic) => operation !== "describe" || topic !== "other",
  });
  assert.equal(await kafka.topics(), ["legacy"]);
});

const GROUPS: Readonly<Record<string, SandboxGroup>> = {
  billing: { state: "Stable", members: [["legacy"], ["legacy", "other"], []], committed: { legacy: 5n } },
  fresh: { state: "Stable", members: [["legacy"]] },
  former: { state: "Empty", committed: { legacy: 5n, other: 7n } },
  elsewhere: { state: "Stable", members: [["other"]], committed: { other: 1n } },
  workers: { state: "Stable", protocol: "connect", members: [["legacy"]] },
};

admin("a group is found by what its members are assigned to and by what it has committed", async () => {
  const { kafka } = await against({ groups: GROUPS });
  assert.equal(await kafka.consumersOf(["legacy"]), [
    { group: "billing", state: "Stable", active: ["legacy"], committed: ["legacy"] },
    { group: "former", state: "Empty", active: [], committed: ["legacy"] },
    { group: "fresh", state: "Stable", active: ["legacy"], committed: [] },
  ]);
  assert.equal(
    (await kafka.consumersOf(["legacy", "other"])).map(({ group, active, committed }) => [group, active, committed]),
    [
      ["billing", ["legacy", "other"], ["legacy"]],
      ["elsewhere", ["other"], ["other"]],
      ["former", [], ["legacy", "other"]],
      ["fresh", ["legacy"], []],
    ],
  );
  assert.equal(await kafka.consumersOf(["nobody's"]), []);
});

admin("a group is read until it has ended its rebalance", async () => {
  const { kafka, broker } = await against({
    groups: { billing: { state: "PreparingRebalance", members: [["legacy"]] } },
  });
  const looking = kafka.consumersOf(["legacy"]);
  while (!broker.requests.some(({ api }) => api === "DescribeGroups"))
    await new Promise((resolve) => setTimeout(resolve, 5));
  broker.state.groups.set("billing", { state: "Stable", members: [["legacy"]] });
  assert.equal(await looking, [{ group: "billing", state: "Stable", active: ["legacy"], committed: [] }]);
});

admin("a group that keeps rebalancing may read any topic, which is reported", async () => {
  const { kafka } = await against({ groups: { billing: { state: "PreparingRebalance", members: [["legacy"]] } } });
  const [seen] = await kafka.consumersOf(["other"]);
  assert.is(seen?.state, "PreparingRebalance");
  assert.match(seen?.unclear ?? "", /does not report what its members read/);
});

admin("a login that may not list every group gets an error in place of an incomplete list", async () => {
  for (const [denied, message] of [
    ["describe-cluster", /does not see all/],
    ["describe-group", /GROUP_AUTHORIZATION_FAILED/],
    ["describe", /may not describe the topic legacy/],
  ] as const) {
    const { kafka } = await against({ groups: GROUPS, acls: without(denied) });
    const error = await fails(kafka.consumersOf(["legacy"]), "forbidden", message);
    assert.match(linesOf(error.remedies), /Describe on (the cluster|all consumer groups|the topic legacy)/);
  }
});

admin("a broker that does not report a login's rights cannot list a topic's consumers", async () => {
  const { kafka } = await against({ groups: GROUPS, reportsOperations: false });
  await fails(kafka.consumersOf(["legacy"]), "unsupported", /before Kafka 2\.3/);
});

admin("a broken connection does not end a read of the groups", async () => {
  for (const api of ["ListGroups", "DescribeGroups", "OffsetFetch"]) {
    const { kafka } = await against({ groups: GROUPS, faults: on(api, "disconnect-before") });
    assert.is((await kafka.consumersOf(["legacy"])).length, 3, api);
  }
});

admin.run();
