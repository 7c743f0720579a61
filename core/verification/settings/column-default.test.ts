import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { Column, ValueKind } from "../../../schemas/generated/verification-job.ts";
import { defaultFields } from "../canonical-values.ts";
import { textsOf } from "../evidence/table-evidence.ts";
import { work } from "../testing/work.ts";
import { defaultValue } from "./column-default.ts";

const defaults = suite("the default of a column");

const EXPRESSION = /an expression, not a literal/;
const CONVERTED = /converts to the column's type/;
const ROUNDS = /the column rounds/;
const NOT_READ = /not read/;

/** Canonical text of the value, null for NULL, or why it is unknown. */
const cases: readonly (readonly [
  kind: ValueKind,
  written: string,
  expected: string | null | RegExp,
  scale?: number,
])[] = [
  ["number", "0", "0"],
  ["number", " 12 \n", "12"],
  ["number", "-1", "-1"],
  ["number", "- 1", "-1"],
  ["number", "+7", "7"],
  ["number", "(0)", "0"],
  ["number", "( ( 1.50 ) )", "1.5"],
  ["number", ".5", "0.5"],
  ["number", "12345678901234567890123456789012345678", "12345678901234567890123456789012345678"],
  ["number", "1.25", "1.25", 2],
  ["number", "1.250", "1.25", 2],
  ["number", "1.255", ROUNDS, 2],
  ["number", "100", "100", -2],
  ["number", "150", ROUNDS, -2],
  ["number", "'5'", "5"],
  ["number", "'5.5'", CONVERTED],
  ["number", "1e3", EXPRESSION],
  ["number", "1+1", EXPRESSION],
  ["number", "(1)+(1)", EXPRESSION],
  ["number", '"APP"."SEQ"."NEXTVAL"', EXPRESSION],
  ["number", "-- none\n1", EXPRESSION],
  ["number-as-double", "9007199254740993", "9007199254740992"],
  ["binary-double", "0.10", "0.1"],
  ["binary-float", "'1'", CONVERTED],
  ["text", "'NEW'", "NEW"],
  ["text", "'it''s'", "it's"],
  ["text", "('A (b)')", "A (b)"],
  ["text", "N'Zürich'", "Zürich"],
  ["text", "q'[it's]'", "it's"],
  ["text", "q'!x!'", "x"],
  ["text", "q'[a]'||q'[b]'", EXPRESSION],
  ["text", "'a'||'b'", EXPRESSION],
  ["text", "''", null],
  ["text", "' '", " "],
  ["text", "0", "0"],
  ["text", "-15", "-15"],
  ["text", "007", CONVERTED],
  ["text", "0.5", CONVERTED],
  ["text", "USER", EXPRESSION],
  ["text", "DATE '2026-01-01'", CONVERTED],
  ["padded-text", "'N  '", "N"],
  ["clob", "'x'", "x"],
  ["clob", "EMPTY_CLOB()", EXPRESSION],
  ["datetime", "SYSDATE", EXPRESSION],
  ["datetime", "DATE '2026-01-31'", "2026-01-31T00:00:00"],
  ["datetime", "date'2026-01-31'", "2026-01-31T00:00:00"],
  ["datetime", "TIMESTAMP '2026-01-31 10:20:30.5'", "2026-01-31T10:20:30.5"],
  ["datetime", "TIMESTAMP '2026-01-31 10:20:30.1234567'", /more digits of a second/],
  ["datetime", "TIMESTAMP '2026-01-31 10:20:30 +01:00'", CONVERTED],
  ["datetime", "'31.01.2026'", CONVERTED],
  ["datetime", "TO_DATE('31.01.2026','DD.MM.YYYY')", EXPRESSION],
  ["instant", "TIMESTAMP '2026-01-31 10:20:30'", NOT_READ],
  ["raw", "'FF'", NOT_READ],
  ["raw", "HEXTORAW('FF')", EXPRESSION],
  ["number", "NULL", null],
  ["text", " null ", null],
  ["datetime", "", null],
];

for (const [kind, written, expected, scale] of cases)
  defaults(`${kind}${scale === undefined ? "" : ` of scale ${scale}`} DEFAULT ${written}: ${expected}`, () => {
    const column: Column = { name: "C", kind, precision: kind === "datetime" ? 6 : undefined, scale };
    const seen = defaultValue(column, { text: written });
    if (expected instanceof RegExp) {
      assert.match("why" in seen ? seen.why : String(seen.value), expected);
      return;
    }
    assert.ok("value" in seen, JSON.stringify(seen));
    if (!("value" in seen)) return;
    if (expected === null) {
      assert.is(seen.value, null);
      return;
    }
    const byDefault = seen.value ?? "";
    const [field] = defaultFields({ key: [], columns: [{ ...column, byDefault }] }, work);
    assert.is(textsOf(field ?? new Uint8Array(), [column])[column.name], expected);
  });

defaults("is NULL if there is none, and unknown if it cannot be read", () => {
  const column: Column = { name: "C", kind: "text", precision: undefined, scale: undefined };
  assert.equal(defaultValue(column, undefined), { value: null });
  assert.equal(defaultValue(column, { unread: "ORA-00942" }), { why: "ORA-00942" });
});

defaults.run();
