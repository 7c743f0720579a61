import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { DATABASE_FORMS, type DatabaseForm } from "../../core/doctor/database-form.ts";
import { capturedName, namedByPatterns, type Setup, setupSql } from "../../core/doctor/setup-sql.ts";
import { complaints } from "./testing/oracle-grammar.ts";

const setups = suite("the script of grants");

const setup = (form: DatabaseForm, parts: Partial<Setup> = {}): Setup => ({
  form,
  user: form === "container" ? "C##CDC" : "CDC",
  tables: [],
  patterns: [],
  ...parts,
});

/**
 * What SQL*Plus sends to the database: statements up to their semicolon, blocks up to their slash; without its own
 * commands and comments.
 */
function sent(script: string): readonly string[] {
  const statements: string[] = [];
  let open: string[] = [];
  for (const line of script.split("\n")) {
    if (open.length === 0 && (line === "" || /^(--|SET |WHENEVER |PROMPT )/.test(line))) continue;
    if (line !== "/") open.push(line);
    const isBlock = /^(BEGIN|DECLARE)$/.test(open[0] ?? "");
    if (isBlock ? line !== "/" : !line.endsWith(";")) continue;
    statements.push(open.join("\n"));
    open = [];
  }
  assert.equal(open, [], "the last statement is whole");
  return statements;
}

/** What a script grants: privileges and roles by their names, objects of SYS as `SELECT V_$LOG`. */
function granted(script: string): ReadonlySet<string> {
  return new Set(
    sent(script).flatMap((statement) => {
      const system = /^GRANT ([A-Z_ ]+) TO /.exec(statement)?.[1];
      const object = /^GRANT (\w+) ON SYS\.(\S+) TO /.exec(statement);
      const onRds = [...statement.matchAll(/grant_sys_object\('([^']+)', '[^']+', '(\w+)'\)/g)];
      return [
        ...(object === null ? [] : [`${object[1]} ${object[2]}`]),
        ...(object === null && system !== undefined ? [system] : []),
        ...onRds.map(([, on, privilege]) => `${privilege} ${on}`),
      ];
    }),
  );
}

const HERE = new URL(".", import.meta.url);
const ROOT = new URL("../../", import.meta.url);

/** The sources below a folder, without tests and their helpers. */
function sourcesIn(folder: URL): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts") && !/(^|\/)testing\//.test(name))
    .map((name) => readFileSync(new URL(name, folder), "utf8"));
}

/** The SQL in this folder's sources, which contain every statement sent to a database. */
function sources(): string {
  return sourcesIn(HERE)
    .map((text) => text.replace(/^ *(\*|\/\/|\/\*\*).*$/gm, ""))
    .join("\n");
}

/** Every view that is named in any form, and every name after FROM or JOIN. */
function viewsNamed(text: string): ReadonlySet<string> {
  const named = [...text.matchAll(/\b(G?V)_?(\$[A-Z]\w*)|\b((?:CDB|DBA)_[A-Z]\w*)/gi)].map(
    ([, kind = "", name = "", dictionary = ""]) => `${kind}${name}${dictionary}`.toUpperCase(),
  );
  const read = [...text.matchAll(/\b(?:FROM|JOIN)\s+(?:SYS\.)?([A-Z][A-Z_]+)\b(?!\$)/g)].map(([, name = ""]) => name);
  return new Set([...named, ...read]);
}

/** Every user may use these (Oracle Database Reference; PL/SQL Packages and Types Reference). */
const PUBLIC = /^(DUAL|SESSION_\w+|USER_\w+|ALL_\w+|DBMS_(APPLICATION_INFO|ASSERT|LOB|SQL|UTILITY))$/;

setups("grants every view and package that a query of cdcctl requires, in every form", () => {
  const text = sources();
  const views = viewsNamed(text);
  const packages = new Set([...text.matchAll(/\b(DBMS_\w+)\./g)].map(([, name = ""]) => name));
  assert.ok(views.size > 10 && packages.has("DBMS_LOGMNR"), "the scan finds what is known to be there");
  for (const form of DATABASE_FORMS) {
    const grants = granted(setupSql(setup(form)));
    for (const view of views) {
      if (PUBLIC.test(view)) continue;
      const needed = /^G?V\$/.test(view) ? `SELECT ${view.replace("$", "_$")}` : "SELECT ANY DICTIONARY";
      assert.ok(grants.has(needed), `${form}: ${view} needs ${needed}`);
    }
    for (const name of packages) if (!PUBLIC.test(name)) assert.ok(grants.has(`EXECUTE ${name}`), `${form}: ${name}`);
    if (/AS OF SCN/.test(text)) assert.ok(grants.has("FLASHBACK ANY TABLE") && grants.has("SELECT ANY TABLE"), form);
  }
});

setups("finds a view however its query is written", () => {
  for (const query of [
    "SELECT s.NAME FROM V$LOG l, V$SYSSTAT s",
    "SELECT s.NAME FROM SYS.V_$SYSSTAT s",
    "select s.name from v$sysstat s",
    "SELECT NAME FROM V$LOG WHERE GROUP# IN (SELECT X\n  FROM V$SYSSTAT)",
  ])
    assert.ok(viewsNamed(query).has("V$SYSSTAT"), query);
  assert.ok(viewsNamed("SELECT A FROM GV$SQL_FEATURE2, cdb_users u").has("GV$SQL_FEATURE2"));
  assert.ok(viewsNamed("SELECT A FROM GV$SQL_FEATURE2, cdb_users u").has("CDB_USERS"));
  assert.ok(viewsNamed("SELECT A FROM ALL_TABLES").has("ALL_TABLES"));
});

setups("the database is called from this folder only", () => {
  const providers = readdirSync(new URL("providers/", ROOT), { withFileTypes: true }).filter(
    (one) => one.isDirectory() && !["oracle", "sandbox"].includes(one.name),
  );
  for (const folder of ["core/", "cmd/", ...providers.map(({ name }) => `providers/${name}/`)])
    for (const text of sourcesIn(new URL(folder, ROOT)))
      assert.not.match(text, /from "oracledb"|import\("oracledb"\)|require\("oracledb"\)/);
});

/** Reference: Oracle, "Capture user's grants". */
const SYSTEM = [
  "CREATE SESSION",
  "LOGMINING",
  "EXECUTE_CATALOG_ROLE",
  "SELECT ANY TABLE",
  "FLASHBACK ANY TABLE",
  "SELECT ANY DICTIONARY",
  "SELECT ANY TRANSACTION",
];
const VIEWS =
  "V_$DATABASE V_$INSTANCE V_$LOG V_$LOGFILE V_$ARCHIVED_LOG V_$ARCHIVE_DEST_STATUS V_$THREAD V_$TRANSACTION " +
  "GV_$TRANSACTION V_$SESSION GV_$SESSION V_$PROCESS V_$LOGMNR_CONTENTS V_$LOGMNR_LOGS V_$LOGMNR_PARAMETERS " +
  "V_$PDBS V_$CONTAINERS V_$VERSION V_$PARAMETER V_$SQL";

for (const form of DATABASE_FORMS)
  setups(`${form}: grants what the connector requires and nothing else`, () => {
    const expected = [
      ...SYSTEM,
      ...(form === "container" ? ["SET CONTAINER"] : []),
      "EXECUTE DBMS_LOGMNR",
      "EXECUTE DBMS_LOGMNR_D",
      ...VIEWS.split(" ").map((view) => `SELECT ${view}`),
    ];
    assert.equal([...granted(setupSql(setup(form)))].sort(), expected.sort());
  });

setups("every statement is accepted by an independent Oracle grammar", () => {
  const all = DATABASE_FORMS.flatMap((form) => sent(setupSql(setup(form))));
  // Grants differ only by their object, and the grammar is slow, so one is checked.
  const statements = new Map(all.map((text) => [text.replace(/ON SYS\.\S+/, "ON").replaceAll("C##CDC", "CDC"), text]));
  assert.ok(statements.size > 15);
  for (const statement of statements.values()) assert.equal(complaints(understood(statement)), [], statement);
});

/** Rewrites what the grammar does not support: accounts without a password, and the schema of DBMS packages. */
function understood(statement: string): string {
  return statement.replace("NO AUTHENTICATION", "IDENTIFIED EXTERNALLY");
}

setups("grants to a common user in all containers, to any other in the current one", () => {
  const container = sent(setupSql(setup("container")));
  const grants = container.filter((statement) => statement.startsWith("GRANT"));
  assert.ok(grants.every((statement) => statement.endsWith(" TO C##CDC CONTAINER=ALL;")));
  assert.ok(container.includes("ALTER USER C##CDC SET CONTAINER_DATA=ALL CONTAINER=CURRENT;"));
  for (const form of ["non-container", "pdb", "rds"] as const)
    assert.not.match(setupSql(setup(form)), /CONTAINER=|CONTAINER_DATA|SET CONTAINER/);
});

setups("can be run again: an existing user stays unchanged", () => {
  for (const form of DATABASE_FORMS) {
    const creating = sent(setupSql(setup(form))).filter((statement) => statement.includes("CREATE USER"));
    assert.is(creating.length, 1);
    assert.match(creating[0] ?? "", /IF known = 0 THEN\n\s+EXECUTE IMMEDIATE 'CREATE USER/);
  }
});

setups("names the captured tables for supplemental logging, as comments, each in its PDB", () => {
  const tables = ["ORCLPDB1.SALES.ORDERS", 'ORCLPDB1.SALES."Order Lines"', 'HR."Staff"."odd\'name"'].map((text) => {
    const name = capturedName(text, "container");
    if (name === undefined) throw new Error(text);
    return name;
  });
  const script = setupSql(setup("container", { tables, patterns: ["ORCLPDB1\\.CRM\\..*"] }));
  const comments = script.split("\n").filter((line) => line.startsWith("--"));
  assert.ok(comments.includes("-- ALTER DATABASE ADD SUPPLEMENTAL LOG DATA;"));
  const from = comments.indexOf("-- ALTER SESSION SET CONTAINER = ORCLPDB1;");
  assert.equal(comments.slice(from), [
    "-- ALTER SESSION SET CONTAINER = ORCLPDB1;",
    '-- ALTER TABLE "SALES"."ORDERS" ADD SUPPLEMENTAL LOG DATA (ALL) COLUMNS;',
    '-- ALTER TABLE "SALES"."Order Lines" ADD SUPPLEMENTAL LOG DATA (ALL) COLUMNS;',
    "-- ALTER SESSION SET CONTAINER = HR;",
    '-- ALTER TABLE "Staff"."odd\'name" ADD SUPPLEMENTAL LOG DATA (ALL) COLUMNS;',
    "-- ... and the tables that ORCLPDB1\\.CRM\\..* matches: see --ask-database and --table",
  ]);
  for (const line of comments.slice(from).filter((text) => text.includes("ALTER TABLE")))
    assert.equal(complaints(line.slice(3)), []);
});

setups("disables SQL*Plus' variables before it contains any name", () => {
  for (const form of DATABASE_FORMS) assert.match(setupSql(setup(form, { user: "C##A&B" })), /^SET DEFINE OFF\n/);
});

setups("stops in any container that it was not made for", () => {
  /** Evaluates the script's own condition; SYS_CONTEXT returns null outside of a container database. */
  const stops = (form: DatabaseForm, con: string, cdb: string | null): boolean => {
    const condition = /^ {2}IF (SYS_CONTEXT.*) THEN$/m.exec(setupSql(setup(form)))?.[1] ?? "";
    assert.is.not(condition, "", form);
    return condition.split(" OR ").some((part) => {
      const value = part.includes("CDB_NAME") ? cdb : con;
      if (part.endsWith(" IS NULL")) return value === null;
      if (part.endsWith(" IS NOT NULL")) return value !== null;
      const names = [...part.replace(/SYS_CONTEXT\([^)]*\)/, "").matchAll(/'([^']+)'/g)].map(([, name]) => name);
      return part.includes("<>") ? !names.includes(value ?? "") : names.includes(value ?? "");
    });
  };
  const places = [
    ["container", "CDB$ROOT", "ORCLCDB"],
    ["pdb", "ORCLPDB1", "ORCLCDB"],
    ["non-container", "ORCL", null],
  ] as const;
  for (const [form] of places)
    for (const [made, con, cdb] of places) assert.is(stops(form, con, cdb), form !== made, `${form} in ${con}`);
});

setups("reads a pattern as a name only if it can be nothing else", () => {
  const include = "SALES\\.ORDERS, sales.lines,SALES\\.A\\$B,SALES\\.T.*,SALES\\.ORD$,(?i)A\\.B,A\\.B\\.C,\\QA.B\\E";
  const { tables, patterns } = namedByPatterns({ include, exclude: undefined, caseSensitive: false }, "non-container");
  assert.equal(
    tables.map(({ owner, table }) => `${owner}.${table}`),
    ["SALES.ORDERS", "SALES.LINES", "SALES.A$B"],
  );
  assert.equal(patterns, ["SALES\\.T.*", "SALES\\.ORD$", "(?i)A\\.B", "A\\.B\\.C", "\\QA.B\\E"]);
  const excluded = namedByPatterns({ include: "A\\.B", exclude: "A\\..*", caseSensitive: false }, "non-container");
  assert.equal(excluded, { tables: [], patterns: ["A\\.B"] });
});

setups("for one PDB accepts names with and without the PDB, and writes none", () => {
  const include = "ORCLPDB1\\.SALES\\.ORDERS,SALES\\.LINES,A\\.B\\.C\\.D";
  const { tables, patterns } = namedByPatterns({ include, exclude: undefined, caseSensitive: false }, "pdb");
  assert.equal(patterns, ["A\\.B\\.C\\.D"]);
  const script = setupSql(setup("pdb", { tables }));
  assert.match(script, '-- ALTER TABLE "SALES"."ORDERS" ADD');
  assert.match(script, '-- ALTER TABLE "SALES"."LINES" ADD');
  assert.not.match(script, "ORCLPDB1");
});

setups("inside a PDB grants to a common user too, and creates none there", () => {
  const script = setupSql(setup("pdb", { user: "C##CDC" }));
  assert.not.match(script, /CREATE USER|PASSWORD|CONTAINER=/);
  assert.match(script, "GRANT LOGMINING TO C##CDC;");
  assert.match(script, /IF known = 0 THEN\n +RAISE_APPLICATION_ERROR\(-20001, 'user C##CDC does not exist/);
});

setups("keeps the case of patterns if it matters (cdc.tables.case.sensitive)", () => {
  const written = (caseSensitive: boolean): string => {
    const include = "Sales\\.Orders,SALES\\.LINES";
    return setupSql(
      setup("non-container", namedByPatterns({ include, exclude: undefined, caseSensitive }, "non-container")),
    );
  };
  assert.match(written(true), '-- ALTER TABLE "Sales"."Orders" ADD');
  assert.match(written(true), '-- ALTER TABLE "SALES"."LINES" ADD');
  assert.match(written(false), '-- ALTER TABLE "SALES"."ORDERS" ADD');
});

setups("no name, whatever it contains, ends its line, its statement or its comment", async () => {
  const name = fc.string({ unit: "binary", minLength: 1, maxLength: 20 });
  await fc.assert(
    fc.property(name, name, fc.constantFrom(...DATABASE_FORMS), (table, pattern, form) => {
      const written = `${form === "container" ? "P." : ""}"S"."${table}"`;
      const known = capturedName(written, form);
      const script = setupSql(setup(form, { tables: known === undefined ? [] : [known], patterns: [pattern] }));
      assert.equal(sent(script), sent(setupSql(setup(form))));
    }),
  );
});

setups.run();
