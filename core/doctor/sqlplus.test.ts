import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { DATABASE_FORMS, type DatabaseForm } from "./database-form.ts";
import { capturedName, type Setup, setupSql, writable } from "./setup-sql.ts";

/**
 * How SQL*Plus processes a script before the database receives it, as rules over its lines. An SQL grammar does not
 * cover this. Every rule names its page of Oracle's "SQL*Plus User's Guide and Reference".
 */

/** The context of a line: at the prompt, within a SQL statement, or within a PL/SQL block. */
type Place = "prompt" | "statement" | "block";

interface Line {
  readonly text: string;
  /** The same without quoted text. */
  readonly bare: string;
  readonly place: Place;
  /** Preceding lines of the same statement or block. */
  readonly nth: number;
  /** `SET DEFINE OFF` is in effect. */
  readonly literal: boolean;
  /** `WHENEVER SQLERROR EXIT` is in effect. */
  readonly stops: boolean;
}

interface SqlPlusRule {
  readonly rule: string;
  /** Its chapter or command. */
  readonly source: string;
  breaks(line: Line): boolean;
}

/** The limit that SP2-0027 states; newer releases accept 5,000 characters. */
const LONGEST_LINE = 2499;
const MOST_LINES = 500;

const COMMENT = /^\s*(?:--|REM(?:ARK)?\b)/i;
const COMMANDS = /^(?:$|-- |(?:SET|WHENEVER) |PROMPT(?: |$)|(?:GRANT|ALTER) |(?:BEGIN|DECLARE)$)/;

const SQLPLUS_RULES: readonly SqlPlusRule[] = [
  {
    rule: "a line is not too long",
    source: "SQL*Plus Limits: command-line length",
    breaks: ({ text }) => new TextEncoder().encode(text).length > LONGEST_LINE,
  },
  {
    rule: "a statement has not too many lines",
    source: "SQL*Plus Limits: number of lines per SQL command",
    breaks: ({ nth }) => nth === MOST_LINES,
  },
  {
    rule: "an ampersand stands only where variables are off",
    source: "SET DEFINE; Placing Comments in Scripts",
    breaks: ({ text, literal }) => text.includes("&") && !literal,
  },
  {
    rule: "no line ends with a hyphen, which joins the next one to it",
    source: "Continuing a Long SQL*Plus Command on Additional Lines",
    breaks: ({ text }) => /-\s*$/.test(text),
  },
  {
    rule: "no line begins with a command that SQL*Plus runs anywhere",
    source: "@ (at sign); SET SQLPREFIX (#); HOST ($, !)",
    breaks: ({ text }) => /^\s*[@#$!]/.test(text),
  },
  {
    rule: "at the prompt, every line is a command",
    source: "SQL*Plus Command Reference",
    breaks: ({ text, place, nth }) => (place === "prompt" || nth === 0) && text !== "/" && !COMMANDS.test(text),
  },
  {
    rule: "a slash on its own line only ends a block: elsewhere it runs the last statement again",
    source: "/ (slash)",
    breaks: ({ text, place }) => place !== "block" && /^\s*\/\s*$/.test(text),
  },
  {
    rule: "no blank line ends a statement",
    source: "SET SQLBLANKLINES",
    breaks: ({ text, place }) => place === "statement" && text.trim() === "",
  },
  {
    rule: "no period on its own line ends a statement or block",
    source: "SET BLOCKTERMINATOR",
    breaks: ({ text }) => /^\s*\.\s*$/.test(text),
  },
  {
    rule: "no comment is within a statement or block",
    source: "Placing Comments in Scripts",
    breaks: ({ text, bare, place }) => place !== "prompt" && (COMMENT.test(text) || /--|\/\*/.test(bare)),
  },
  {
    rule: "nothing follows a statement's semicolon",
    source: "Placing Comments in Scripts",
    breaks: ({ bare, place }) => place === "statement" && /;\s*\S/.test(bare),
  },
  {
    rule: "a quotation mark is closed in its own line: a semicolon at the end ends the statement, quoted or not",
    source: "SET SQLTERMINATOR",
    breaks: ({ bare, place }) => place !== "prompt" && /["']/.test(bare),
  },
  {
    rule: "there is no bind variable",
    source: "Using Bind Variables",
    breaks: ({ bare, place }) => place !== "prompt" && /:[\p{L}\d]/u.test(bare),
  },
  {
    rule: "a statement runs only where an error ends the script",
    source: "WHENEVER SQLERROR",
    breaks: ({ place, stops }) => place !== "prompt" && !stops,
  },
  {
    rule: "every character can be encoded, and none is a control character",
    source: "SQL*Plus Globalization Support",
    breaks: ({ text }) => /[\p{Cc}\p{Cs}]/u.test(text),
  },
];

const ENCODING = "characters beyond ASCII are read in the script's encoding (SQL*Plus Globalization Support: NLS_LANG)";
const WHOLE = "the last statement is whole";

/** @returns `line: rule (source)` of every line that SQL*Plus would misread */
function sqlPlusOffences(script: string): readonly string[] {
  const found: string[] = [];
  let place: Place = "prompt";
  let nth = 0;
  let literal = false;
  let stops = false;
  const lines = script.split("\n");
  for (const [at, text] of lines.entries()) {
    if (place === "prompt") {
      nth = 0;
      if (/^(?:BEGIN|DECLARE)\b/.test(text)) place = "block";
      else if (/^(?:GRANT|ALTER|CREATE|SELECT)\b/.test(text)) place = "statement";
    }
    const line: Line = { text, bare: withoutQuoted(text), place, nth, literal, stops };
    for (const { rule, source, breaks } of SQLPLUS_RULES)
      if (breaks(line)) found.push(`${at + 1}: ${rule} (${source})`);
    nth++;
    literal ||= text === "SET DEFINE OFF";
    stops ||= /^WHENEVER SQLERROR EXIT\b/.test(text);
    if (place === "block" ? text.trim() === "/" : text.trimEnd().endsWith(";") || text.trim() === "") place = "prompt";
  }
  if (place !== "prompt") found.push(`${lines.length}: ${WHOLE}`);
  const named = lines.findIndex((text) => /^-- .*NLS_LANG=\.AL32UTF8/.test(text));
  const beyond = lines.findIndex((text) => /[^\0-\x7f]/.test(text));
  if (beyond >= 0 && (named < 0 || named > beyond)) found.push(`${beyond + 1}: ${ENCODING}`);
  return found;
}

function withoutQuoted(text: string): string {
  return text.replace(/"[^"]*"|'[^']*'/g, " ");
}

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
