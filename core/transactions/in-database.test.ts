import { suite } from "uvu";
import * as assert from "uvu/assert";
import { type DatabaseInspection, inDatabase } from "./inspect.ts";
import { database, open, xidOf } from "./testing/build-transactions.ts";

const still = suite("still in GV$TRANSACTION");

const HIDDEN = { why: "this login does not see the PDB ORCLPDB2", remedy: "ALTER USER …" };
const FIRST = 2_020_000n;

const cases: readonly (readonly [string, string | undefined, DatabaseInspection, "yes" | "no" | RegExp])[] = [
  ["the id with its container is found", "3:8.14.2207", database(open("3:8.14.2207")), "yes"],
  ["the id in another container is another transaction", "3:8.14.2207", database(open("4:8.14.2207")), "no"],
  ["another sequence is a later transaction", "3:8.14.2207", database(open("3:8.14.2208")), "no"],
  ["without its container, one that had begun matches", "8.14.2207", database(open("3:8.14.2207")), "yes"],
  [
    "without its container, one that began later is another transaction",
    "8.14.2207",
    database(open("3:8.14.2207", { startScn: FIRST + 1n })),
    "no",
  ],
  [
    "without its container, one of several that had begun is unknown",
    "8.14.2207",
    database(open("3:8.14.2207"), open("4:8.14.2207")),
    /several containers/,
  ],
  [
    "within one container, its number is ignored",
    "0:8.14.2207",
    { ...database(open("3:8.14.2207")), fromRoot: false },
    "yes",
  ],
  ["an empty view means that it has ended", "3:8.14.2207", database(), "no"],
  ["an empty view proves nothing while a PDB is hidden", "3:8.14.2207", { ...database(), hidden: HIDDEN }, /ORCLPDB2/],
  [
    "one that is found is open, hidden PDB or not",
    "3:8.14.2207",
    { ...database(open("3:8.14.2207")), hidden: HIDDEN },
    "yes",
  ],
  [
    "inside another PDB, neither presence nor absence proves anything",
    "3:8.14.2207",
    { ...database(open("4:8.14.2207")), fromRoot: false, hidden: HIDDEN },
    /ORCLPDB2/,
  ],
  ["an unreadable id cannot be searched for", undefined, database(), /can't be read/],
];
for (const [title, xid, view, expected] of cases)
  still(title, () => {
    const found = inDatabase(xid === undefined ? undefined : xidOf(xid), FIRST, view);
    if (typeof expected === "string") assert.is(found.still, expected);
    else assert.match(found.still === "unknown" ? found.why : found.still, expected);
  });

still.run();
