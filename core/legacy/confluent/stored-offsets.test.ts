import { suite } from "uvu";
import * as assert from "uvu/assert";
import { lineOf } from "../../values/remedy.ts";
import { DATABASE, table } from "../testing/build-legacy.ts";
import { readOffsets } from "./stored-offsets.ts";

const stored = suite("the stored offsets of a legacy connector");

stored("start at the lowest SCN, text or number, and name the last commit delivered", () => {
  const read = readOffsets([DATABASE, table("ORDERS", 2170000n, "2180000"), table("LINES", "2169000", 2179000n)]);
  assert.ok(read.ok);
  assert.is(read.offsets.startScn, 2169000n);
  assert.is(read.offsets.lastDelivered, 2180000n);
  assert.equal(
    read.offsets.partitions.map(({ name, of }) => [name, of]),
    [
      ["ORCLPDB1.SALES.LINES", "table"],
      ["ORCLCDB.ORCLPDB1", "database"],
      ["ORCLPDB1.SALES.ORDERS", "table"],
    ],
  );
});

stored("keep every digit beyond 2^53", () => {
  const read = readOffsets([{ partition: { sidPdb: "ORCL" }, offset: { scn: "9007199254740993" } }]);
  assert.ok(read.ok);
  assert.is(read.offsets.startScn, 9007199254740993n);
  assert.is(read.offsets.lastDelivered, undefined);
});

stored("a partition that is left out does not determine the start, and is still shown", () => {
  const read = readOffsets([DATABASE, table("OLD", 5n, 2999999n)], ["ORCLPDB1.SALES.OLD"]);
  assert.ok(read.ok);
  assert.is(read.offsets.startScn, 2169287n);
  assert.is(read.offsets.lastDelivered, undefined);
  assert.is(read.offsets.partitions.find(({ leftOut }) => leftOut)?.name, "ORCLPDB1.SALES.OLD");
});

stored("an old database partition may be left out beside another one", () => {
  const old = { partition: { sidPdb: "ORCLCDB.OLDPDB" }, offset: { scn: 100n } };
  const read = readOffsets([old, DATABASE], ["ORCLCDB.OLDPDB"]);
  assert.ok(read.ok);
  assert.is(read.offsets.startScn, 2169287n);
});

stored("two partitions never share a name", () => {
  const read = readOffsets([
    { partition: { sidPdb: "SALES.ORDERS" }, offset: { scn: 7n } },
    { partition: { schema: "SALES", table: "ORDERS" }, offset: { scn: 5n } },
  ]);
  assert.ok(read.ok);
  assert.equal(
    read.offsets.partitions.map(({ name }) => name),
    ['{"schema":"SALES","table":"ORDERS"}', '{"sidPdb":"SALES.ORDERS"}'],
  );
});

stored("are refused if there are none, or they are unreadable", () => {
  for (const [entries, leaveOut, code, seen] of [
    [[], [], "LEG003", /has no stored offset/],
    [[{ partition: { sidPdb: "ORCL" }, offset: null }], [], "LEG003", /has no stored offset/],
    [[{ partition: { sidPdb: "ORCL" }, offset: {} }], [], "LEG003", /has no stored offset/],
    [[{ partition: { server: "orders" }, offset: { scn: 5n } }], [], "LEG004", /an unknown format/],
    [[{ partition: { sidPdb: "ORCL" }, offset: { scn: "x" } }], [], "LEG004", /no readable scn: "x"/],
    [[{ partition: { sidPdb: "ORCL" }, offset: { scn: -1n } }], [], "LEG004", /no readable scn: -1/],
    [[{ partition: { sidPdb: "ORCL" }, offset: { rows: 1n } }], [], "LEG004", /no readable scn: it is missing/],
    [[table("ORDERS", 5n, "soon")], [], "LEG004", /an unreadable cscn: "soon"/],
    [
      [DATABASE, { ...table("ORDERS", 5n), offset: null }],
      [],
      "LEG004",
      /lists ORCLPDB1\.SALES\.ORDERS without its offset/,
    ],
    [[{ ...DATABASE, offset: null }, table("ORDERS", 5n)], ["ORCLCDB.ORCLPDB1"], "LEG004", /without its offset/],
    [[DATABASE], ["ORCLCDB.ORCLPDB2"], "LEG005", /no partition is named ORCLCDB\.ORCLPDB2/],
    [[table("ORDERS", 5n)], ["ORCLPDB1.SALES.ORDERS"], "LEG005", /every partition is left out/],
    [[DATABASE, table("ORDERS", 5n)], ["ORCLCDB.ORCLPDB1"], "LEG005", /mining resumes/],
  ] as const) {
    const read = readOffsets(entries, leaveOut);
    assert.not(read.ok);
    assert.is(read.ok ? "" : read.problem.code, code);
    assert.match(read.ok ? "" : read.problem.seen, seen);
  }
});

stored("a table with a hidden offset may be left out by name", () => {
  const read = readOffsets([DATABASE, { ...table("ORDERS", 5n), offset: null }], ["ORCLPDB1.SALES.ORDERS"]);
  assert.equal(read.ok ? read.offsets.partitions.map(({ name }) => name) : [], ["ORCLCDB.ORCLPDB1"]);
});

stored("a name that is nearly right gets a suggestion", () => {
  const read = readOffsets([DATABASE, table("ORDERS", 5n)], ["ORCLPDB1.SALES.ORDRES"]);
  assert.match(read.ok ? "" : read.problem.remedies.map(lineOf).join(" "), /Did you mean ORCLPDB1\.SALES\.ORDERS\?/);
});

stored.run();
