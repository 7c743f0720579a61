import { suite } from "uvu";
import * as assert from "uvu/assert";
import {
  known,
  LINES,
  ORDERS,
  preflightReading,
  resultOf,
  tableIn,
  unseen,
} from "../doctor/testing/build-preflight.ts";
import { lineOf } from "../values/remedy.ts";
import { keyColumnsLoggedOnly, noSupplementalLogging } from "./table-logging.ts";
import { worded } from "./testing/wording.ts";

const TAB102 = suite("TAB102 supplemental logging of captured tables");

const group = (type: string, always = true) => ({ ...ORDERS, type, always });
const FULL = { ...LINES, type: "ALL COLUMN LOGGING", always: true };

TAB102("passes where all columns are logged, by the table, its PDB or the database", () => {
  const none = { logGroups: known([]) };
  assert.match(resultOf(noSupplementalLogging), /^pass/);
  const logging = known({ minimal: "YES", primaryKey: false, all: true });
  assert.match(resultOf(noSupplementalLogging, { ...none, logging }), /^pass/);
  const pdbLogging = known([{ container: "ORCLPDB1", primaryKey: false, all: true }]);
  assert.match(resultOf(noSupplementalLogging, { ...none, pdbLogging }), /^pass/);
});

TAB102("fails for each table with none, with the statement for it", () => {
  const result = resultOf(noSupplementalLogging, { logGroups: known([FULL]) });
  assert.match(result, "fail: 1 of 2 captured tables");
  assert.match(result, 'ORCLPDB1.SALES.ORDERS | ALTER TABLE "SALES"."ORDERS" ADD SUPPLEMENTAL LOG DATA (ALL) COLUMNS;');
  assert.not.match(result, "LINES");
});

TAB102("does not count conditional logging", () => {
  for (const type of ["UNIQUE KEY LOGGING", "FOREIGN KEY LOGGING", "USER LOG GROUP"])
    assert.match(resultOf(noSupplementalLogging, { logGroups: known([FULL, group(type, false)]) }), `only ${type}`);
});

TAB102("lists each kind of conditional logging, and a group without the whole key", () => {
  const groups = [group("UNIQUE KEY LOGGING", false), group("FOREIGN KEY LOGGING", false)];
  const own = { ...group("USER LOG GROUP"), holdsKey: false };
  assert.match(
    resultOf(noSupplementalLogging, { logGroups: known([FULL, own, ...groups]) }),
    "a log group without the whole key; only UNIQUE KEY LOGGING, FOREIGN KEY LOGGING, when such a column is changed",
  );
});

TAB102("does not count unique and foreign keys, even if they are always logged", () => {
  for (const type of ["UNIQUE KEY LOGGING", "FOREIGN KEY LOGGING"])
    assert.match(resultOf(noSupplementalLogging, { logGroups: known([FULL, group(type)]) }), /^fail: 1 of 2/, type);
});

TAB102("leaves tables that log their key to TAB103", () => {
  for (const one of [group("PRIMARY KEY LOGGING"), { ...group("USER LOG GROUP"), holdsKey: true }])
    assert.match(resultOf(noSupplementalLogging, { logGroups: known([FULL, one]) }), /^pass/);
});

TAB102(
  "fails for a log group without a column of the key, and is unknown where there is no key to compare with",
  () => {
    const own = (holdsKey?: boolean) => ({
      logGroups: known([FULL, { ...group("USER LOG GROUP"), ...(holdsKey === undefined ? {} : { holdsKey }) }]),
    });
    assert.match(resultOf(noSupplementalLogging, own(false)), /^fail: 1 of 2[\s\S]*without the whole key/);
    const result = resultOf(noSupplementalLogging, own());
    assert.match(result, /^unknown: 1 of 2 [\s\S]*no primary key to compare them with/);
    assert.match(result, "ADD SUPPLEMENTAL LOG DATA (ALL) COLUMNS;");
  },
);

TAB102("distinguishes PDBs, and shows how to switch to each", () => {
  const elsewhere = tableIn("ORDERS", "SALES", "ORCLPDB2");
  const containers = ["ORCLPDB1", "ORCLPDB2"].map((name) => ({ name, openMode: "READ WRITE" }));
  const tables = [ORDERS, elsewhere];
  const verdict = worded(noSupplementalLogging).run(
    undefined,
    preflightReading({
      settings: { tables: { pdbs: ["ORCLPDB1", "ORCLPDB2"], include: ".*", exclude: undefined, caseSensitive: false } },
      dictionary: known({ containers, tables, answering: ["ORCLPDB1", "ORCLPDB2"] }),
      logGroups: known([group("ALL COLUMN LOGGING")]),
    }),
  );
  assert.ok(verdict.verdict === "fail");
  assert.equal(
    verdict.items?.map(({ name }) => name),
    ["ORCLPDB2.SALES.ORDERS"],
  );
  assert.match(lineOf(verdict.remedies?.at(-1) ?? ""), "ALTER SESSION SET CONTAINER = ORCLPDB2;");
});

TAB102("switches to no PDB in a database without containers", () => {
  const settings = { tables: { pdbs: [], include: "SALES[.].*", exclude: undefined, caseSensitive: false } };
  const dictionary = known({
    containers: [{ name: "ORCL", openMode: "READ WRITE" }],
    tables: [tableIn("ORDERS")],
    answering: ["ORCL"],
  });
  const plain = { settings, dictionary, database: { container: false }, logGroups: known([]) };
  const verdict = worded(noSupplementalLogging).run(undefined, preflightReading(plain));
  assert.ok(verdict.verdict === "fail");
  assert.equal(verdict.remedies, [noSupplementalLogging.remedy]);
});

TAB102("writes a hostile name as one name", () => {
  const hostile = tableIn('x"; DROP TABLE USERS; --', 'a"b');
  const result = resultOf(noSupplementalLogging, { tables: [hostile], logGroups: known([]) });
  assert.match(result, 'ALTER TABLE "a""b"."x""; DROP TABLE USERS; --" ADD');
});

TAB102("is unknown where any of the three cannot be read", () => {
  for (const fact of ["logging", "pdbLogging", "logGroups", "dictionary"])
    assert.match(resultOf(noSupplementalLogging, { [fact]: unseen("hidden") }), "unknown: hidden", fact);
});

const TAB103 = suite("TAB103 tables that log their key only");

TAB103("passes where all columns are logged, and where nothing is, which TAB102 reports", () => {
  assert.match(resultOf(keyColumnsLoggedOnly), /^pass/);
  assert.match(resultOf(keyColumnsLoggedOnly, { logGroups: known([]) }), /^pass/);
});

TAB103("warns of primary keys alone, of the table, its PDB or the database, and of user-defined log groups", () => {
  assert.is(keyColumnsLoggedOnly.grade, "advisory");
  assert.match(
    resultOf(keyColumnsLoggedOnly, { logGroups: known([FULL, group("PRIMARY KEY LOGGING")]) }),
    "fail: 1 of 2",
  );
  assert.match(
    resultOf(keyColumnsLoggedOnly, {
      logGroups: known([FULL, { ...group("USER LOG GROUP"), holdsKey: true }]),
    }),
    "its own log group",
  );
  const logging = known({ minimal: "IMPLICIT", primaryKey: true, all: false });
  assert.match(resultOf(keyColumnsLoggedOnly, { logGroups: known([FULL]), logging }), "fail: 1 of 2");
  const pdbLogging = known([{ container: "ORCLPDB1", primaryKey: true, all: false }]);
  assert.match(resultOf(keyColumnsLoggedOnly, { logGroups: known([FULL]), pdbLogging }), "fail: 1 of 2");
});

TAB103("recognizes a user-defined log group by its type and by ALWAYS", () => {
  const resultFor = (...groups: readonly object[]) =>
    resultOf(keyColumnsLoggedOnly, {
      logGroups: known([
        FULL,
        group("PRIMARY KEY LOGGING"),
        ...groups.map((one) => ({ ...group("USER LOG GROUP"), ...one })),
      ]),
    });
  assert.match(resultFor({}), "its own log group");
  assert.not.match(resultFor({ always: false }), "its own log group");
  assert.not.match(resultFor(), "its own log group");
});

TAB103("is unknown where the log groups cannot be read", () => {
  assert.match(resultOf(keyColumnsLoggedOnly, { logGroups: unseen() }), /^unknown/);
});

TAB102.run();
TAB103.run();
