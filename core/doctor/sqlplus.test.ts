import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { DATABASE_FORMS, type DatabaseForm } from "./database-form.ts";
import { capturedName, type Setup, setupSql, writable } from "./setup-sql.ts";
import { SQLPLUS_RULES, sqlPlusOffences } from "./testing/sqlplus-rules.ts";

const scripts = suite("a script as SQL*Plus reads it");

const START = "SET DEFINE OFF\nWHENEVER SQLERROR EXIT FAILURE\n";
const GRANT = "GRANT A TO B;\n";

/** A script that breaks each rule, and the other rules that it necessarily breaks. */
const BROKEN: readonly (readonly [rule: RegExp, script: string])[] = [
  [/not too long/, `${START}-- ${"é".repeat(1300)} NLS_LANG=.AL32UTF8\n`],
  [/not too many lines/, `${START}BEGIN\n${"NULL;\n".repeat(500)}END;\n/\n`],
  [/ampersand/, "-- A&B\nSET DEFINE OFF\n"],
  [/hyphen/, `${START}-- a comment -\n${GRANT}`],
  [/begins with/, `${START}BEGIN\n#EXIT\nEND;\n/\n`],
  [/begins with/, `${START}ALTER USER A\n  @x\n  ACCOUNT LOCK;\n`],
  [/at the prompt/, `${START}GRAND A TO B;\n`],
  [/a slash on its own line/, `${START}${GRANT}/\n`],
  [/blank line/, `${START}ALTER USER A\n\n`],
  [/period/, `${START}BEGIN\n.\nEND;\n/\n`],
  [/no comment/, `${START}BEGIN\n  NULL; -- why;\nEND;\n/\n`],
  [/no comment/, `${START}ALTER USER A\nREM why\nACCOUNT LOCK;\n`],
  [/follows a statement's semicolon/, `${START}GRANT A TO B; GRANT C TO D;\n`],
  [/quotation mark/, `${START}ALTER USER "A;\n`],
  [/bind variable/, `${START}BEGIN\n  p(:name);\nEND;\n/\n`],
  [/where an error ends/, `SET DEFINE OFF\n${GRANT}`],
  [/can be encoded/, `${START}-- \u0007\n`],
  [/encoding/, `${START}-- é\n`],
  [/is whole/, `${START}BEGIN\n  NULL;\nEND;\n`],
];

scripts("is checked against every rule: one script breaks each of them", () => {
  assert.equal(
    sqlPlusOffences(`${START}\n-- A comment; with a semicolon;\n${GRANT}BEGIN\n\n  NULL;\nEND;\n/\nPROMPT Done.\n`),
    [],
  );
  for (const [rule, script] of BROKEN) {
    const found = sqlPlusOffences(script);
    assert.is(found.length, 1, `${JSON.stringify(script.slice(0, 100))}: ${found.join("; ")}`);
    assert.match(found[0] ?? "", rule);
  }
  for (const { rule } of SQLPLUS_RULES)
    assert.ok(
      BROKEN.some(([broken]) => broken.test(rule)),
      rule,
    );
});

/** Text with a meaning in SQL*Plus, SQL or a terminal, and letters of one to four bytes. */
const PIECES = [
  ..."&@#$!;/.-':=\"\\*() aZ_9\t\n\r\0éß表😀",
  ..."\ud800 \u202e \u2028 \u0085 &x; -- /* */ REM '' :b ; -\n .\n /\n".split(" "),
  ..."# @x ACCEPT COMMIT; IDENTIFIED PUBLIC ORDER".split(" "),
];
const hostile = (maxLength: number) =>
  fc
    .array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ unit: "binary", maxLength: 3 })), {
      minLength: 1,
      maxLength,
    })
    .map((all) => all.join(""));
const names = hostile(12).filter(writable);

const anySetup: fc.Arbitrary<Setup> = fc
  .record({
    form: fc.constantFrom(...DATABASE_FORMS),
    user: names,
    names: fc.array(fc.tuple(hostile(8), hostile(8), hostile(8)), { maxLength: 4 }),
    patterns: fc.array(
      fc.oneof(
        hostile(10),
        hostile(10).map((text) => text.repeat(1_000)),
      ),
      { maxLength: 2 },
    ),
  })
  .map(({ form, user, names: parts, patterns }) => ({
    form,
    user,
    patterns,
    tables: parts.flatMap((three) => nameIn(form, three) ?? []),
  }));

function nameIn(form: DatabaseForm, parts: readonly string[]): Setup["tables"][number] | undefined {
  const written = parts.map((part) => `"${part}"`);
  return capturedName((form === "container" ? written : written.slice(1)).join("."), form);
}

scripts("is read as intended, whatever the names of users, tables, PDBs and patterns", async () => {
  let named = 0;
  await fc.assert(
    fc.property(anySetup, (setup) => {
      named += setup.tables.length;
      assert.equal(sqlPlusOffences(setupSql(setup)), []);
    }),
    { numRuns: 500 },
  );
  assert.ok(named > 100, `${named} names`);
});

scripts("names a table literally, even if the name is a reserved word of SQL", () => {
  const name = capturedName("SALES.ORDER", "non-container");
  assert.ok(name);
  const script = setupSql({ form: "non-container", user: "CDC", tables: [name], patterns: [] });
  assert.match(script, '\n-- ALTER TABLE "SALES"."ORDER" ADD SUPPLEMENTAL LOG DATA (ALL) COLUMNS;\n');
});

scripts("prompts for nothing and contains no password", () => {
  for (const form of DATABASE_FORMS) {
    const script = setupSql({ form, user: "C##CDC", tables: [], patterns: [] });
    assert.equal(sqlPlusOffences(script), []);
    assert.not.match(script, /ACCEPT|IDENTIFIED BY|NLS_LANG/);
  }
});

scripts.run();
