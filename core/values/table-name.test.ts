import * as fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { parseTableList, parseTableName } from "./table-name.ts";

const names = suite("table names");

const parts = (text: string) => parseTableName(text)?.parts.map(({ name, quoted }) => (quoted ? `"${name}"` : name));

names("are read part by part, quoted or not", () => {
  for (const [text, expected] of [
    ["PDB1.SALES.ORDERS", ["PDB1", "SALES", "ORDERS"]],
    ["SALES.ORDERS", ["SALES", "ORDERS"]],
    ['"Sales"."order lines"', ['"Sales"', '"order lines"']],
    ['SALES."a.b,c"', ["SALES", '"a.b,c"']],
    ['SALES." x "', ["SALES", '" x "']],
    [" SALES . ORDERS ", ["SALES", "ORDERS"]],
    ["C##APP.V$X#", ["C##APP", "V$X#"]],
    ["SALES.ORDER LINES", ["SALES", "ORDER LINES"]],
    ["SALES.GRÖSSE", ["SALES", "GRÖSSE"]],
    ["PDB1.SALES.A.B", ["PDB1", "SALES", "A", "B"]],
  ] as const)
    assert.equal(parts(text), expected, text);
});

names("are refused if no object could have them", () => {
  for (const text of [
    "",
    "ORDERS",
    ".ORDERS",
    "SALES.",
    "SALES..ORDERS",
    "SALES. ",
    '"SALES.ORDERS',
    'SALES."a"b"',
    'SA"L.X',
    'SALES.""',
    "A.\0",
  ])
    assert.is(parseTableName(text), undefined, JSON.stringify(text));
});

names("have at most 128 bytes a part, not characters", () => {
  assert.ok(parseTableName(`SALES.${"A".repeat(128)}`));
  assert.ok(parseTableName(`SALES."${"Ö".repeat(64)}"`));
  assert.is(parseTableName(`SALES.${"A".repeat(129)}`), undefined);
  assert.is(parseTableName(`SALES."${"Ö".repeat(65)}"`), undefined);
});

names("in a list are split at commas outside quotes", () => {
  for (const [text, expected] of [
    ["A.B,C.D", ["A.B", "C.D"]],
    [' A.B , "x,y"."z" ,', ["A.B", '"x,y"."z"']],
    ['A."b,c', ['A."b,c']],
    [" , ,", []],
    ["", []],
  ] as const)
    assert.equal(parseTableList(text), expected, text);
});

const part = fc.oneof(
  fc.stringMatching(/^[A-Za-z][\w$#]{0,20}$/),
  fc
    .string({ unit: "grapheme", minLength: 1, maxLength: 20 })
    .filter((s) => !/["\0]/.test(s))
    .map((s) => `"${s}"`),
);
const anyName = fc.array(part, { minLength: 2, maxLength: 3 }).map((some) => some.join("."));
const anyList = fc.array(anyName, { maxLength: 5 });

names("are read from a list as they were added", async () => {
  const comesOut = fc.property(anyList, (list) => {
    assert.equal(parseTableList(list.join(" ,")), list);
    for (const one of list) {
      const { parts = [] } = parseTableName(one) ?? {};
      assert.is(parts.map(({ name, quoted }) => (quoted ? `"${name}"` : name)).join("."), one);
    }
  });
  await fc.assert(comesOut);
});

names.run();
