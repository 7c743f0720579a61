import { suite } from "uvu";
import * as assert from "uvu/assert";
import { notStopped, readTakeover, wrongIncarnation } from "./takeover.ts";

const takeover = suite("the takeover of a legacy position");

const DATABASE = { partition: { sidPdb: "ORCLCDB.ORCLPDB1" }, offset: { scn: "2169287", tablePlacement: "{}" } };
const table = (name: string, scn: bigint | string, cscn?: bigint | string) => ({
  partition: { catalog: "ORCLPDB1", schema: "SALES", table: name },
  offset: { scn, ...(cscn === undefined ? {} : { cscn }), rows: 5n },
});

takeover("starts at the lowest SCN, text or number, and names the last commit delivered", () => {
  const read = readTakeover([DATABASE, table("ORDERS", 2170000n, "2180000"), table("LINES", "2169000", 2179000n)]);
  assert.ok(read.ok);
  assert.is(read.takeover.startScn, 2169000n);
  assert.is(read.takeover.lastDelivered, 2180000n);
  assert.equal(
    read.takeover.partitions.map(({ name, of }) => [name, of]),
    [
      ["ORCLPDB1.SALES.LINES", "table"],
      ["ORCLCDB.ORCLPDB1", "database"],
      ["ORCLPDB1.SALES.ORDERS", "table"],
    ],
  );
});

takeover("keeps every digit beyond 2^53", () => {
  const read = readTakeover([{ partition: { sidPdb: "ORCL" }, offset: { scn: "9007199254740993" } }]);
  assert.ok(read.ok);
  assert.is(read.takeover.startScn, 9007199254740993n);
  assert.is(read.takeover.lastDelivered, undefined);
});

takeover("a partition that is left out does not pin the start, and is shown all the same", () => {
  const read = readTakeover([DATABASE, table("OLD", 5n, 4n)], ["ORCLPDB1.SALES.OLD"]);
  assert.ok(read.ok);
  assert.is(read.takeover.startScn, 2169287n);
  assert.is(read.takeover.lastDelivered, undefined);
  assert.is(read.takeover.partitions.find(({ leftOut }) => leftOut)?.name, "ORCLPDB1.SALES.OLD");
});

takeover("refuses where there is nothing to take over, or it can't be read", () => {
  for (const [entries, leaveOut, problem] of [
    [[], [], /no offset is stored/],
    [[{ partition: { sidPdb: "ORCL" }, offset: null }], [], /no offset is stored/],
    [[{ partition: { server: "orders" }, offset: { scn: 5n } }], [], /in no form that is known/],
    [[{ partition: { sidPdb: "ORCL" }, offset: { scn: "x" } }], [], /no SCN that can be read/],
    [[{ partition: { sidPdb: "ORCL" }, offset: { scn: -1n } }], [], /no SCN that can be read/],
    [[DATABASE], ["ORCLPDB1.SALES.ORDRES"], /no partition ORCLPDB1\.SALES\.ORDRES/],
    [[DATABASE], ["ORCLCDB.ORCLPDB1"], /every partition is left out/],
  ] as const) {
    const read = readTakeover(entries, leaveOut);
    assert.not(read.ok);
    assert.match(read.ok ? "" : read.problem, problem);
  }
});

takeover("only a stopped connector stands still", () => {
  const status = (state: string, tasks = 0) => ({
    state,
    worker: "w",
    tasks: Array.from({ length: tasks }, (_, id) => ({ id: BigInt(id), state: "RUNNING", worker: "w" })),
  });
  assert.is(notStopped("orders-legacy", status("STOPPED")), undefined);
  for (const [state, tasks, why] of [
    ["PAUSED", 1, /only paused/],
    ["RUNNING", 1, /still move/],
    ["FAILED", 0, /has failed/],
    ["STOPPED", 1, /being stopped/],
    ["RESTARTING", 0, /still move/],
  ] as const)
    assert.match(notStopped("orders-legacy", status(state, tasks)) ?? "", why);
});

takeover("an SCN below RESETLOGS or above the present is of another incarnation or database", () => {
  const database = { name: "ORCLCDB", resetlogsScn: 100n, currentScn: 200n };
  assert.is(wrongIncarnation(100n, database), undefined);
  assert.is(wrongIncarnation(200n, database), undefined);
  assert.match(wrongIncarnation(99n, database) ?? "", /earlier incarnation/);
  assert.match(wrongIncarnation(201n, database) ?? "", /above the current SCN/);
});

takeover.run();
