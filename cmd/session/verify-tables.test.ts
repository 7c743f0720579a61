import { suite } from "uvu";
import * as assert from "uvu/assert";
import { UsageError } from "../../core/errors.ts";
import { tablesWanted } from "./migrate-verify.ts";

const wanted = suite("the tables of a verification");

const wants = (tables: readonly string[], legacy: readonly string[] = []) =>
  tablesWanted(tables, legacy).map(({ name, topic, legacyTopic }) => [name, topic, legacyTopic]);

wanted("one table has the legacy topic that is named, with or without the table's name", () => {
  assert.equal(wants(["SALES.ORDERS"], ["legacy.orders"]), [["SALES.ORDERS", undefined, "legacy.orders"]]);
  assert.equal(wants(["SALES.ORDERS=new"], ["sales.orders=old"]), [["SALES.ORDERS", "new", "old"]]);
  assert.equal(wants(["SALES.ORDERS"]), [["SALES.ORDERS", undefined, undefined]]);
});

wanted("with several tables each legacy topic names its table", () =>
  assert.equal(wants(["A.B", "P.C.D=t"], ["P.C.D=old"]), [
    ["A.B", undefined, undefined],
    ["P.C.D", "t", "old"],
  ]),
);

wanted("a quoted name may contain an equals sign", () =>
  assert.equal(wants(['A."b=c"'], ['A."b=c"=old']), [['A."b=c"', undefined, "old"]]),
);

const WRONG: readonly (readonly [what: string, tables: readonly string[], legacy: readonly string[]])[] = [
  ["no table", [], []],
  ["a table twice", ["A.B", "a.b"], []],
  ["a legacy topic for several tables, without a table", ["A.B", "A.C"], ["t"]],
  ["a legacy topic of a table that is not verified", ["A.B"], ["A.C=t"]],
  ["two legacy topics of a table", ["A.B"], ["t", "u"]],
];

for (const [what, tables, legacy] of WRONG)
  wanted(`${what} is refused`, () =>
    assert.throws(
      () => tablesWanted(tables, legacy),
      (e: unknown) => e instanceof UsageError,
    ),
  );

wanted.run();
