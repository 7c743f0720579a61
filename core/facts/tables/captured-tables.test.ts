import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { Dictionary } from "../../../schemas/generated/facts.ts";
import type { TableSeen } from "../../../schemas/generated/shared.ts";
import { lineOf } from "../../values/remedy.ts";
import { capturedTables, type Selection } from "./tables.ts";

const captured = suite("captured tables");

const table = (whole: string): TableSeen => {
  const [container = "", owner = "", name = ""] = whole.split("|");
  return { container, owner, name };
};

const dictionary = (names: readonly string[], parts: Partial<Dictionary> = {}): Dictionary => ({
  containers: [
    { name: "CDB$ROOT", openMode: "READ WRITE" },
    { name: "ORCLPDB1", openMode: "READ WRITE" },
  ],
  tables: names.map(table),
  answering: ["ORCLPDB1"],
  ...parts,
});

const selection = (parts: Partial<Selection> = {}): Selection => ({
  pdbs: ["ORCLPDB1"],
  include: ".*",
  exclude: undefined,
  caseSensitive: false,
  ...parts,
});

const SALES = ["ORCLPDB1|SALES|ORDERS", "ORCLPDB1|SALES|LINES", "ORCLPDB1|SALES|ORDERS_TMP", "ORCLPDB1|HR|EMPLOYEES"];

function names(parts: Partial<Selection>, seen: Dictionary = dictionary(SALES)): readonly string[] {
  const set = capturedTables(selection(parts), seen);
  if (!set.known) throw new Error(set.why);
  return set.tables.map(({ fullName }) => fullName);
}

function why(parts: Partial<Selection>, seen: Dictionary = dictionary(SALES)): string {
  const set = capturedTables(selection(parts), seen);
  if (set.known) throw new Error(`known: ${set.tables.length} tables`);
  assert.ok(set.remedies.length > 0, "says what to do");
  return [set.why, ...set.remedies.map(lineOf)].join("\n");
}

captured("are those that a pattern includes and none excludes, in order of their names", () => {
  assert.equal(names({ include: "ORCLPDB1\\.SALES\\..*, .*[.]HR[.].* ", exclude: ".*_TMP" }), [
    "ORCLPDB1.HR.EMPLOYEES",
    "ORCLPDB1.SALES.LINES",
    "ORCLPDB1.SALES.ORDERS",
  ]);
});

captured("are matched by their whole name only", () => {
  assert.equal(names({ include: "SALES.ORDERS" }), []);
  assert.equal(names({ include: "ORCLPDB1.SALES.ORDERS" }), ["ORCLPDB1.SALES.ORDERS"]);
});

captured("are matched case-insensitively unless the connector is configured otherwise", () => {
  assert.equal(names({ include: "orclpdb1.sales.orders" }), ["ORCLPDB1.SALES.ORDERS"]);
  assert.equal(names({ include: "orclpdb1.sales.orders", caseSensitive: true }), []);
  assert.equal(names({ include: "(?i)orclpdb1.sales.orders", caseSensitive: true }), ["ORCLPDB1.SALES.ORDERS"]);
});

captured("are named OWNER.TABLE in a database without containers", () => {
  const seen = dictionary(["ORCL|SALES|ORDERS"], { containers: [{ name: "ORCL", openMode: "READ WRITE" }] });
  assert.equal(names({ pdbs: [], include: "SALES[.]ORDERS" }, seen), ["SALES.ORDERS"]);
});

captured("are those of the configured PDBs only, whose names are case-insensitive", () => {
  const seen = dictionary([...SALES, "ORCLPDB2|SALES|ORDERS", "CDB$ROOT|C##X|T"]);
  assert.equal(names({ pdbs: ["orclpdb1"], include: ".*[.](ORDERS|T)" }, seen), ["ORCLPDB1.SALES.ORDERS"]);
});

captured("with the same full name are both listed", () => {
  const seen = dictionary(["ORCLPDB1|A|B.C", "ORCLPDB1|A.B|C"]);
  assert.equal(names({}, seen), ["ORCLPDB1.A.B.C", "ORCLPDB1.A.B.C"]);
});

captured("are none if the list is empty", () => {
  assert.equal(names({ include: " , ," }), []);
});

captured("are unknown while cdc.tables.include is unknown", () => {
  assert.match(why({ include: undefined }), "cdc.tables.include is not set");
});

captured("are unknown if a PDB is hidden, closed, or restricted", () => {
  assert.match(
    why({ pdbs: ["ORCLPDB1", "ORCLPDB2"] }),
    /does not see the PDB ORCLPDB2[\s\S]*SET CONTAINER_DATA=ALL CONTAINER=CURRENT;/,
  );
  const mode = (openMode: string) => dictionary(SALES, { containers: [{ name: "ORCLPDB1", openMode }] });
  assert.match(why({}, mode("MOUNTED")), /is MOUNTED[\s\S]*ALTER PLUGGABLE DATABASE ORCLPDB1 OPEN;/);
  assert.match(why({}, mode("READ WRITE RESTRICTED")), "DISABLE RESTRICTED SESSION");
  assert.is(names({}, mode("READ ONLY")).length, 4);
});

captured("are unknown inside another PDB and without containers, where no grant reveals them", () => {
  const inside = why({}, dictionary([], { containers: [{ id: 4n, name: "OTHER", openMode: "READ WRITE" }] }));
  assert.match(inside, /inside OTHER and does not see the PDB ORCLPDB1[\s\S]*to the root, not to OTHER/);
  const plain = why({}, dictionary([], { containers: [{ id: 0n, name: "ORCL", openMode: "READ WRITE" }] }));
  assert.match(plain, /ORCL has no containers[\s\S]*Remove cdc\.database\.pdbs from/);
  for (const text of [inside, plain]) assert.not.match(text, "CONTAINER_DATA");
});

captured("are unknown if the dictionary has neither a table nor a user of a PDB, which it may have left out", () => {
  assert.match(
    why({}, dictionary([], { answering: [] })),
    /no table and no user of the PDB ORCLPDB1, not even SYS[\s\S]*in ORCLPDB1: {2}SELECT COUNT/,
  );
  const both = [...dictionary([]).containers, { name: "ORCLPDB2", openMode: "READ WRITE" }];
  const two = { pdbs: ["ORCLPDB1", "orclpdb2"] };
  assert.match(why(two, dictionary(SALES, { containers: both })), "of the PDB orclpdb2");
  assert.is(names(two, dictionary(SALES, { containers: both, answering: ["ORCLPDB1", "ORCLPDB2"] })).length, 4);
});

captured("are none in a PDB that has users and no table", () => {
  assert.equal(names({}, dictionary([])), []);
});

captured("are unknown at the root without a configured PDB", () => {
  assert.match(why({ pdbs: [] }), "cdc.database.pdbs is not set");
});

captured("are unknown if Java does not accept a pattern; a list split at a comma is explained", () => {
  assert.match(why({ include: ".*,*" }), 'Java does not accept the pattern "*" in cdc.tables.include: Dangling');
  assert.match(
    why({ include: "A{2,3}.*" }),
    /"A\{2" in cdc.tables.include: Unclosed counted closure[\s\S]*comma-separated/,
  );
  assert.match(
    why({ exclude: "[A,B]" }),
    /"\[A" in cdc.tables.exclude: Unclosed character class[\s\S]*comma-separated/,
  );
  assert.not.match(why({ include: "[A" }), "comma-separated");
});

captured("are unknown if a pattern is not read exactly, which is named with the construct", () => {
  assert.match(
    why({ include: ".*", exclude: "A\\X" }),
    'whether "A\\X" in cdc.tables.exclude matches ORCLPDB1.SALES.ORDERS: it uses a construct',
  );
  assert.match(why({ exclude: "A\\X" }), "or name all captured tables in the plan file (spec.capturedTables)");
  assert.match(why({ include: "\\p{IsEmoji}" }), "\\p{IsEmoji}");
});

captured("are unknown if a construct decides that is not evaluated; a pattern that backtracks endlessly ends", () => {
  const seen = dictionary([`ORCLPDB1|A|${"A".repeat(100)}`]);
  assert.match(
    why({ include: "ORCLPDB1.A.(A*)*\\1(?!A)" }, seen),
    /"ORCLPDB1\.A\.\(A\*\)\*\\1\(\?!A\)" in cdc\.\S+ matches ORCLPDB1\.A\.A+: it depends on a back reference/,
  );
  assert.is(names({ include: "ORCLPDB1.A.((A*)*)*B" }, seen).length, 0);
});

captured("are known nevertheless if another pattern decides", () => {
  const seen = dictionary([`ORCLPDB1|A|${"A".repeat(100)}`]);
  const endless = "ORCLPDB1.A.(A*)*\\1(?!A)";
  assert.is(names({ include: `${endless},.*[.]A[.].*` }, seen).length, 1);
  assert.is(names({ include: endless, exclude: ".*" }, seen).length, 0);
  assert.is(names({ include: "B.*", exclude: endless }, seen).length, 0);
});

captured("are unknown if the case of a letter beyond A to Z would decide", () => {
  const seen = dictionary(["ORCLPDB1|SALES|GRÖSSE"]);
  assert.match(why({ include: ".*größe|.*grösse" }, seen), "ignores the case of letters beyond A to Z");
  assert.is(names({ include: ".*GRÖSSE" }, seen).length, 1);
  assert.is(names({ include: ".*grösse", caseSensitive: true }, seen).length, 0);
  assert.is(names({ include: ".*[.]gr.sse" }, seen).length, 1);
});

captured("are unknown if versions of Java decide differently", () => {
  const seen = dictionary(["ORCLPDB1|SALES|GRÖ"]);
  assert.match(why({ include: ".*\\b" }, seen), "versions of Java");
  assert.is(names({ include: ".*[.]GR.*" }, seen).length, 1);
  assert.is(names({ include: ".*\\bGR.*" }).length, 0);
});

/** Nothing is known of the first pattern; the second matches ORDERS and ORDERS_TMP. */
const OPEN = { include: "(?<!A).*,ORCLPDB1[.]SALES[.]ORDERS.*", exclude: ".*_TMP" };

captured("that no pattern decides are those that the plan file names", () => {
  const stated = ["SALES.ORDERS", "ORCLPDB1.HR.EMPLOYEES"];
  assert.equal(names({ ...OPEN, stated }), ["ORCLPDB1.HR.EMPLOYEES", "ORCLPDB1.SALES.ORDERS"]);
  const decided = { include: ".*[.]SALES[.].*", exclude: ".*_TMP" };
  assert.equal(names({ ...decided, stated: ["SALES.LINES", "SALES.ORDERS"] }), names(decided));
});

for (const [what, parts, says] of [
  [
    "a table that the dictionary does not have",
    { stated: ["SALES.ORDERS", "SALES.NONE"] },
    "names SALES.NONE, which is",
  ],
  [
    "a table that a pattern excludes",
    { stated: ["SALES.ORDERS", "SALES.ORDERS_TMP"] },
    "names SALES.ORDERS_TMP, which",
  ],
  ["a table that no pattern may match", { include: "X(?!Y)", stated: ["SALES.LINES"] }, "names SALES.LINES, which is"],
  [
    "fewer tables than the patterns match",
    { include: "ORCLPDB1[.](HR[.](?!A)|SALES[.]).*", stated: ["HR.EMPLOYEES", "SALES.LINES"] },
    "does not name ORCLPDB1.SALES.ORDERS, which the patterns match",
  ],
] as const)
  captured(`are unknown if the plan file names ${what}`, () => {
    assert.match(why({ ...OPEN, ...parts }), new RegExp(`spec[.]capturedTables ${says}[^]*Correct spec`));
  });

captured("are unknown if a name in the plan file is that of several tables, or Java refuses a pattern", () => {
  const twins = dictionary(["ORCLPDB1|SALES|ORDERS", "ORCLPDB1|SALES|orders"]);
  assert.match(why({ ...OPEN, stated: ["SALES.orders"] }, twins), "names SALES.orders, which");
  assert.match(why({ include: "[A", stated: ["SALES.ORDERS"] }), "Java does not accept");
});

captured.run();
