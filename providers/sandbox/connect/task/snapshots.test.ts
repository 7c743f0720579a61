import { suite } from "uvu";
import * as assert from "uvu/assert";
import { healthyWorld } from "../../oracle/world.ts";
import { captured } from "../../tables.ts";
import { begun, printProgress, readProgress } from "./snapshot-progress.ts";
import { LINES, ORDERS, offsetOf, SIGNALS, type TaskHarness, withTask } from "./task-harness.ts";

const snapshots = suite("snapshots of the sandbox's connector");

const signal = (type: string, ...tables: readonly string[]) => ({ id: type, type, data: { tables } });
const answers = (task: TaskHarness) =>
  task.events("signal-ack").map(({ type, outcome, message }) => [type, outcome, message]);
const ends = (task: TaskHarness) => task.events("snapshot-complete").map(({ table }) => table);
/** Each table of the sandbox without rows of its own takes two chunks. */
const FRONTIER = ["n:100001"];

snapshots("have started once their signal is answered ok, and are carried by the offset at once", () =>
  withTask({}, (task) => {
    task.start();
    task.signal(signal("snapshot", ORDERS, LINES));
    task.tick();
    assert.equal(answers(task), [["snapshot", "ok", undefined]]);
    assert.equal(task.snapshot(), { v: 1n, ...begun([ORDERS, LINES]) });
    assert.equal(task.events("snapshot-chunk-done"), []);
  }),
);

snapshots("read chunk by chunk; the frontier of a table is its next chunk", () =>
  withTask({}, (task) => {
    task.start();
    task.signal(signal("snapshot", ORDERS, LINES));
    task.tick(2);
    assert.equal(task.events("snapshot-chunk-done"), [{ table: ORDERS, scn: "2045000", rows: "100000" }]);
    assert.equal(task.snapshot()?.tables.get(ORDERS), { done: false, frontier: FRONTIER });
    task.tick();
    assert.equal(task.snapshot()?.tables.get(ORDERS), { done: true });
    assert.is(task.snapshot()?.complete, false);
  }),
);

snapshots("end with snapshot-complete of each table, then of *", () =>
  withTask({}, (task) => {
    task.start();
    task.signal(signal("snapshot", ORDERS, LINES));
    task.tick(4);
    assert.equal(ends(task), [ORDERS]);
    task.tick();
    assert.equal(ends(task), [ORDERS, LINES, "*"]);
    assert.is(task.snapshot()?.complete, true);
  }),
);

snapshots("of tables of which some are not captured start for the others, and the answer names those", () =>
  withTask({}, (task) => {
    task.start();
    task.signal(signal("snapshot", "ORCLPDB1.HR.EMPLOYEES", ORDERS, "ORCLPDB1.SALES.ORDER"));
    task.tick();
    assert.equal(answers(task), [
      ["snapshot", "ok", "not captured, skipped: [ORCLPDB1.HR.EMPLOYEES, ORCLPDB1.SALES.ORDER]"],
    ]);
    assert.equal(task.snapshot()?.scope, [ORDERS]);
    task.tick(2);
    assert.equal(ends(task), [ORDERS, "*"]);
  }),
);

snapshots("of tables of which none is captured are rejected", () =>
  withTask({}, (task) => {
    task.start();
    task.signal(signal("snapshot", "ORCLPDB1.SALES.ORDER"));
    task.signal({ id: "none", type: "snapshot" });
    task.tick();
    assert.equal(answers(task), [
      ["snapshot", "rejected", "none of [ORCLPDB1.SALES.ORDER] is a captured table"],
      ["snapshot", "rejected", "none of [] is a captured table"],
    ]);
    assert.is(task.snapshot(), undefined);
  }),
);

snapshots("are rejected while another one is running, and not queued", () =>
  withTask({}, (task) => {
    task.start();
    task.signal(signal("snapshot", ORDERS));
    task.tick();
    task.signal(signal("snapshot", LINES));
    task.tick(6);
    assert.equal(answers(task).at(-1), ["snapshot", "rejected", "a snapshot is running"]);
    assert.equal(ends(task), [ORDERS, "*"]);
  }),
);

snapshots("are rejected where tables wait for theirs, which begins first, but not right behind a stop", () =>
  withTask({ config: { "cdc.snapshot.mode": "initial" } }, (task) => {
    task.start();
    task.signal(signal("snapshot", ORDERS));
    task.tick();
    task.oracle.tables.push(captured(task.oracle, "INVOICES"));
    task.signal({ id: "r", type: "refresh-tables" });
    task.tick();
    assert.is(task.stored()?.["snapshot_pending"], "ORCLPDB1.SALES.INVOICES");
    assert.equal(task.events("table-added"), [{ table: "ORCLPDB1.SALES.INVOICES", snapshot: "true" }]);
    // ORDERS is done with this tick, and the other one begins before the signal is handled.
    task.signal(signal("snapshot", LINES));
    task.tick();
    assert.equal(answers(task).at(-1), ["snapshot", "rejected", "a snapshot is running"]);
    assert.is(task.stored()?.["snapshot_pending"], undefined);
    assert.equal(task.snapshot()?.scope, ["ORCLPDB1.SALES.INVOICES"]);
    // Both signals are of one poll.
    task.oracle.tables.push(captured(task.oracle, "RETURNS"));
    task.signal({ id: "r", type: "refresh-tables" });
    task.signal({ id: "s", type: "snapshot-stop" });
    task.signal(signal("snapshot", LINES));
    task.tick();
    assert.equal(answers(task).slice(-2), [
      ["snapshot-stop", "ok", undefined],
      ["snapshot", "ok", undefined],
    ]);
    assert.is(task.stored()?.["snapshot_pending"], "ORCLPDB1.SALES.RETURNS");
  }),
);

snapshots("name their tables in any case", () =>
  withTask({}, (task) => {
    task.start();
    task.signal(signal("snapshot", " orclpdb1.sales.Orders "));
    task.tick();
    assert.equal(task.snapshot()?.scope, [ORDERS]);
  }),
);

snapshots("carry the condition of their signal", () =>
  withTask({}, (task) => {
    task.start();
    task.signal({ id: "a", type: "snapshot", data: { tables: [ORDERS], predicate: "ID > 7" } });
    task.tick();
    assert.is(task.snapshot()?.where, "ID > 7");
  }),
);

snapshots("read no new chunk while paused, until snapshot-resume", () =>
  withTask({}, (task) => {
    task.start();
    task.signal(signal("snapshot", ORDERS));
    task.signal(signal("snapshot-pause"));
    task.tick(5);
    assert.equal(task.events("snapshot-chunk-done"), []);
    task.signal(signal("snapshot-resume"));
    task.tick(3);
    assert.equal(ends(task), [ORDERS, "*"]);
    assert.equal(
      answers(task).map(([, outcome]) => outcome),
      ["ok", "ok", "ok"],
    );
  }),
);

snapshots("go on after a restart, paused or not", () =>
  withTask({}, (task) => {
    task.start();
    task.signal(signal("snapshot", ORDERS));
    task.signal(signal("snapshot-pause"));
    task.tick();
    task.start();
    task.tick(2);
    assert.equal(ends(task), [ORDERS, "*"]);
  }),
);

snapshots("end with snapshot-stop, and their unread chunks are never read", () =>
  withTask({}, (task) => {
    task.start();
    task.signal(signal("snapshot", ORDERS, LINES));
    task.tick(2);
    task.signal(signal("snapshot-stop"));
    task.tick();
    assert.equal(task.events("snapshot-complete").at(-1), { table: "*", stopped: "true" });
    assert.is(task.snapshot()?.complete, true);
    const chunks = task.events("snapshot-chunk-done").length;
    task.start();
    task.tick(5);
    assert.is(task.events("snapshot-chunk-done").length, chunks);
  }),
);

snapshots("can't be paused, resumed or stopped while none is running", () =>
  withTask({}, (task) => {
    task.start();
    for (const type of ["snapshot-pause", "snapshot-resume", "snapshot-stop"]) task.signal(signal(type));
    task.tick();
    assert.equal(
      answers(task),
      ["snapshot-pause", "snapshot-resume", "snapshot-stop"].map((type) => [
        type,
        "rejected",
        "no snapshot is running",
      ]),
    );
  }),
);

snapshots("that are unfinished go on before signals are read, those that wait after them", () => {
  const unfinished = { ...begun([ORDERS, LINES]), tables: new Map([[ORDERS, { done: false, frontier: FRONTIER }]]) };
  const offset = offsetOf(healthyWorld(), { snapshot: printProgress(unfinished), snapshot_pending: LINES });
  return withTask({ offset, topics: { [SIGNALS]: {} } }, (task) => {
    task.signal(signal("snapshot", LINES));
    task.start();
    task.tick();
    assert.equal(answers(task), [["snapshot", "rejected", "a snapshot is running"]]);
    // It continues from its frontier: one chunk of ORDERS is left.
    assert.equal(ends(task), [ORDERS]);
    assert.is(task.stored()?.["snapshot_pending"], LINES);
    task.tick(2);
    assert.equal(ends(task), [ORDERS, LINES, "*"]);
    task.tick(2);
    assert.is(task.stored()?.["snapshot_pending"], undefined);
    assert.equal(task.events("snapshot-chunk-done").at(-1)?.["table"], LINES);
  });
});

snapshots("say why a table was not read", () =>
  withTask({}, (task) => {
    task.start();
    task.signal(signal("snapshot", ORDERS, LINES));
    task.tick();
    task.oracle.tables = task.oracle.tables.filter(({ name }) => name !== "ORDERS");
    task.tick();
    assert.equal(task.events("snapshot-complete"), [{ table: ORDERS, skipped: "it no longer exists" }]);
    task.tick(2);
    assert.equal(ends(task), [ORDERS, LINES, "*"]);
  }),
);

snapshots("of all captured tables belong to a first start, recorded with the very first offset", () =>
  withTask({ offset: null, config: { "cdc.snapshot.mode": "initial" } }, (task) => {
    task.start();
    assert.equal(task.snapshot(), { v: 1n, ...begun([]) });
    task.tick(4);
    assert.equal(ends(task), [LINES, ORDERS, "*"]);
  }),
);

snapshots("are not taken of a table that the configuration added", () =>
  withTask({ config: { "cdc.snapshot.mode": "initial" } }, (task) => {
    task.oracle.tables.push(captured(task.oracle, "INVOICES"));
    task.start();
    task.tick(5);
    assert.equal(task.events("snapshot-chunk-done"), []);
    assert.is(task.stored()?.["snapshot_pending"], undefined);
    task.signal(signal("snapshot", "ORCLPDB1.SALES.INVOICES"));
    task.tick(3);
    assert.equal(ends(task), ["ORCLPDB1.SALES.INVOICES", "*"]);
  }),
);

snapshots("stop the task with CDC-8001 at a chunk older than the undo, and go on at that chunk", () =>
  withTask({}, (task) => {
    task.start();
    task.signal(signal("snapshot", ORDERS));
    task.tick(2);
    const [orders] = task.oracle.tables;
    assert.is(orders?.name, "ORDERS");
    Object.assign(orders ?? {}, { unreadable: { code: 1555, text: "snapshot too old" } });
    assert.throws(
      () => task.tick(),
      /^org\.apache\.kafka\.connect\.errors\.ConnectException: \[CDC-8001\] .*ORA-01555/,
    );
    assert.equal(task.snapshot()?.tables.get(ORDERS), { done: false, frontier: FRONTIER });
    Object.assign(orders ?? {}, { unreadable: undefined });
    task.start();
    task.tick();
    assert.equal(ends(task), [ORDERS, "*"]);
    assert.is(task.events("snapshot-chunk-done").length, 2);
  }),
);

snapshots("have a block that is read back as it was written", () => {
  const progress = { ...begun([ORDERS], "ID > 7"), tables: new Map([[ORDERS, { done: false, frontier: FRONTIER }]]) };
  assert.equal(readProgress(printProgress(progress)), { v: 1n, ...progress });
});

snapshots.run();
