import { suite } from "uvu";
import * as assert from "uvu/assert";
import { healthyWorld } from "../../oracle/world.ts";
import { LINES, ORDERS, offsetOf, SIGNALS, type TaskHarness, withTask } from "./task-harness.ts";

const signals = suite("signals to the sandbox's connector");

const logState = (id: string) => ({ id, type: "log-state" });
const snapshot = (id: string, ...tables: readonly string[]) => ({ id, type: "snapshot", data: { tables } });
const outcomes = (task: TaskHarness) => task.events("signal-ack").map(({ id, outcome }) => [id, outcome]);

signals("are read from partition 0 only", () =>
  withTask({ topics: { [SIGNALS]: { partitions: 3 } } }, (task) => {
    task.start();
    for (const partition of [1, 2, 0]) task.signal(logState(`to ${partition}`), { partition });
    task.tick(3);
    assert.equal(outcomes(task), [["to 0", "ok"]]);
  }),
);

signals("have a topic of one partition that is never compacted, created at the start", () =>
  withTask({}, (task) => {
    assert.not.ok(task.broker.state.topics.has(SIGNALS));
    task.start();
    const topic = task.broker.state.topics.get(SIGNALS);
    assert.is(topic?.partitions.length, 1);
    assert.is(topic?.configs["cleanup.policy"], "delete");
  }),
);

signals("are read from the beginning if the offset has no signal_offset", () =>
  withTask({ topics: { [SIGNALS]: {} } }, (task) => {
    task.signal(logState("old"));
    task.start();
    task.tick();
    assert.equal(outcomes(task), [["old", "ok"]]);
  }),
);

signals("are read after the stored signal_offset, which is the last one handled", () =>
  withTask({ topics: { [SIGNALS]: {} }, offset: offsetOf(healthyWorld(), { signal_offset: 1n }) }, (task) => {
    for (const id of ["zero", "one", "two"]) task.signal(logState(id));
    task.start();
    task.tick();
    assert.equal(outcomes(task), [["two", "ok"]]);
    assert.is(task.stored()?.["signal_offset"], 2n);
    task.start();
    task.tick();
    assert.equal(outcomes(task), [["two", "ok"]]);
  }),
);

signals("are all handled again if signal_offset is a text", () =>
  withTask({ topics: { [SIGNALS]: {} }, offset: offsetOf(healthyWorld(), { signal_offset: "0" }) }, (task) => {
    task.signal(logState("again"));
    task.start();
    task.tick();
    assert.equal(outcomes(task), [["again", "ok"]]);
  }),
);

signals("are not read with cdc.snapshot.mode=snapshot_only, nor without the brokers' address", async () => {
  for (const config of [{ "cdc.snapshot.mode": "snapshot_only" }, { "cdc.stream.bootstrap.servers": "" }])
    await withTask({ config, topics: { [SIGNALS]: {} } }, (task) => {
      task.signal(logState("unread"));
      task.start();
      task.tick(3);
      assert.equal(outcomes(task), []);
      assert.is(task.stored()?.["signal_offset"], undefined);
    });
});

signals("have the connector's name or its topic prefix as their key", () =>
  withTask({}, (task) => {
    task.start();
    for (const key of ["orders-cdc", "orders", "billing-cdc", "ORDERS", null]) task.signal(logState(`${key}`), { key });
    task.tick();
    assert.equal(outcomes(task), [
      ["orders-cdc", "ok"],
      ["orders", "ok"],
    ]);
  }),
);

signals("of others are passed over, and signal_offset with them", () =>
  withTask({}, (task) => {
    task.start();
    task.signal(logState("theirs"), { key: "billing-cdc" });
    task.signal(logState("nobody's"), { key: null });
    task.tick();
    assert.equal(outcomes(task), []);
    assert.is(task.stored()?.["signal_offset"], 1n);
  }),
);

signals("that are not JSON, or have no type, are answered invalid, without id and type", () =>
  withTask({}, (task) => {
    task.start();
    for (const value of ["{snapshot", '["snapshot"]', '{"id":"a"}', '{"id":"b","type":7}']) task.signal(value);
    task.tick();
    const answers = task.events("signal-ack");
    assert.is(answers.length, 4);
    for (const answer of answers) {
      assert.equal(Object.keys(answer).sort(), ["message", "outcome"]);
      assert.is(answer["outcome"], "invalid");
    }
  }),
);

signals("of an unknown type are answered unknown", () =>
  withTask({}, (task) => {
    task.start();
    task.signal({ id: "a", type: "pause" });
    task.tick();
    assert.equal(task.events("signal-ack"), [
      { id: "a", type: "pause", outcome: "unknown", message: "unknown signal type pause" },
    ]);
  }),
);

signals("are handled in order, so that an earlier snapshot makes the later one rejected", () =>
  withTask({ topics: { [SIGNALS]: {} } }, (task) => {
    task.signal(snapshot("never", ORDERS), { key: "billing-cdc" });
    task.start();
    task.signal(snapshot("earlier", LINES));
    task.signal(snapshot("later", ORDERS));
    task.tick();
    assert.equal(outcomes(task), [
      ["earlier", "ok"],
      ["later", "rejected"],
    ]);
    assert.equal(task.snapshot()?.scope, [LINES]);
  }),
);

signals("of an aborted transaction are not read, nor any after an open one", () =>
  withTask({}, (task) => {
    task.start();
    const { state } = task.broker;
    const write = (id: string) => {
      const producer = state.producer(id);
      const record = { key: Buffer.from("orders-cdc"), value: Buffer.from(JSON.stringify(logState(id))) };
      state.touch(producer.id, SIGNALS, 0);
      task.broker.append(SIGNALS, record, { producerId: producer.id, producerEpoch: 0, transactional: true });
      return producer.id;
    };
    state.endTransaction(write("aborted"), "abort");
    const open = write("open");
    task.signal(logState("after"));
    task.tick();
    assert.equal(outcomes(task), []);
    state.endTransaction(open, "commit");
    task.tick();
    assert.equal(outcomes(task), [
      ["open", "ok"],
      ["after", "ok"],
    ]);
  }),
);

signals("ask for the state with log-state", () =>
  withTask({}, (task) => {
    task.start();
    task.signal(logState("a"));
    task.signal(snapshot("b", ORDERS));
    task.signal(logState("c"));
    task.tick();
    const [first, , last] = task.events("signal-ack");
    assert.equal(first, {
      ...{ id: "a", type: "log-state", outcome: "ok", mined_to_scn: "2044511", open_transactions: "0" },
      ...{ buffered_events: "0", oldest_open_scn: "-1", largest: "", snapshot_running: "false" },
    });
    assert.is(last?.["snapshot_running"], "true");
  }),
);

signals.run();
