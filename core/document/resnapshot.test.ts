// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references are written like this

import { Ajv2020 } from "ajv/dist/2020.js";
import * as fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import schema from "../../schemas/resnapshot.schema.json" with { type: "json" };
import sharedParts from "../../schemas/shared.json" with { type: "json" };
import { type Problem, UsageError } from "../errors.ts";
import { anyOf } from "../values/regexp.ts";
import { lineOf } from "../values/remedy.ts";
import { digestOfIntent, type ResnapshotIntent } from "./intent.ts";
import { kindNamed, planFileTemplate } from "./kinds.ts";
import { parsePlanFile } from "./plan-file.ts";
import { plainValue } from "./tree.ts";
import { readYaml } from "./yaml-tree.ts";

const planFile = suite("plan file of a resnapshot");

const CODES = { acceptable: ["TRX501", "OPS603"], notices: ["SNP910"], others: ["SNP903"] };

const GOOD = `apiVersion: cdcctl/v1
kind: Resnapshot
metadata:
  name: orders-after-purge
  reason: archived logs purged during the outage
target:
  context: prod
  connector: orders-cdc
spec:
  tables: [ORCLPDB1.SALES.ORDERS]
`;

function resnapshots(text: string): readonly ResnapshotIntent[] {
  return parsePlanFile(text, "plan.yaml", { codes: CODES }).intents.flatMap((intent) =>
    intent.kind === "Resnapshot" ? [intent] : [],
  );
}

function one(text: string): ResnapshotIntent {
  const [intent, ...more] = resnapshots(text);
  assert.ok(intent && more.length === 0);
  return intent;
}

function problemsIn(text: string): readonly Problem[] {
  try {
    resnapshots(text);
  } catch (error) {
    assert.instance(error, UsageError);
    return (error as UsageError).problems;
  }
  throw new Error("nothing was wrong with it");
}

/** The valid file with more lines in its spec, from line 11 on. */
const withSpec = (...lines: readonly string[]): string => `${GOOD}${lines.map((line) => `  ${line}\n`).join("")}`;
/** The valid file with other tables, from line 10 on. */
const withTables = (tables: string): string => GOOD.replace("[ORCLPDB1.SALES.ORDERS]", () => tables);

// ---- Valid files ----------------------------------------------------------------------------------------------------

planFile("a missing key has its default", () => {
  const { origin: _origin, ...intent } = one(GOOD);
  assert.equal(intent, {
    kind: "Resnapshot",
    metadata: { name: "orders-after-purge", reason: "archived logs purged during the outage", ticket: undefined },
    target: { context: "prod", connectUrl: undefined, connector: "orders-cdc" },
    tables: ["ORCLPDB1.SALES.ORDERS"],
    skipGapForUnlistedTables: "none",
    readRowScns: false,
    waitForTransactions: undefined,
    waitForAck: undefined,
    resume: false,
    opsFormat: undefined,
    accept: [],
  });
});

planFile("every key can be given, and every line is known", () => {
  const intent = one(
    withSpec(
      "skipGapForUnlistedTables: [ORCLPDB1.SALES.LINES, ORCLPDB1.SALES.ITEMS]",
      "readRowScns: true",
      "waitForTransactions: 10m",
      "waitForAck: 1h30m",
      "waitForSnapshot: 2h",
      "stopRunningSnapshot: true",
      "waitForCompletion: 1d",
      "resume: true",
      "opsFormat: json_schemas",
      "accept: [TRX501]",
    ),
  );
  assert.equal(intent.skipGapForUnlistedTables, ["ORCLPDB1.SALES.LINES", "ORCLPDB1.SALES.ITEMS"]);
  assert.equal([intent.waitForTransactions, intent.waitForAck], [600_000n, 5_400_000n]);
  assert.equal([intent.waitForSnapshot, intent.waitForCompletion], [7_200_000n, 86_400_000n]);
  assert.ok(intent.readRowScns && intent.resume && intent.stopRunningSnapshot);
  assert.equal([intent.opsFormat, intent.accept], ["json_schemas", ["TRX501"]]);
  assert.is(intent.origin.lines["spec.tables"], 10n);
  assert.is(intent.origin.lines["spec.skipGapForUnlistedTables"], 11n);
  assert.is(intent.origin.lines["spec.accept"], 20n);
});

planFile("the assertion may be true for all, false for none, or a list", () => {
  assert.is(one(withSpec("skipGapForUnlistedTables: true")).skipGapForUnlistedTables, "all");
  assert.is(one(withSpec("skipGapForUnlistedTables: false")).skipGapForUnlistedTables, "none");
  assert.equal(one(withSpec("skipGapForUnlistedTables:", "  - A.B")).skipGapForUnlistedTables, ["A.B"]);
});

const names: readonly (readonly [string, string, string])[] = [
  ["with $ and #", "[PDB1.C##APP.T$1#]", "PDB1.C##APP.T$1#"],
  ["without a container", "[SALES.ORDERS]", "SALES.ORDERS"],
  ["quoted for Oracle, in single quotes for YAML", `['PDB1.SALES."Odd name"']`, 'PDB1.SALES."Odd name"'],
  ["quoted for Oracle, in double quotes for YAML", '["PDB1.SALES.\\"Odd, name\\""]', 'PDB1.SALES."Odd, name"'],
  ["quoted for Oracle, plain for YAML", '\n  - PDB1.SALES."Order.Lines"', 'PDB1.SALES."Order.Lines"'],
  ["with every part quoted", `['"Pdb"."Owner"."a.b c"']`, '"Pdb"."Owner"."a.b c"'],
  ["with letters beyond ASCII", "[PDB1.SALES.GRÖSSEN]", "PDB1.SALES.GRÖSSEN"],
  [
    "of 128 bytes a part",
    `[${"P".repeat(128)}.${"O".repeat(128)}.${"T".repeat(128)}]`,
    `${"P".repeat(128)}.${"O".repeat(128)}.${"T".repeat(128)}`,
  ],
];
for (const [title, written, read] of names)
  planFile(`a name ${title} is read exactly`, () => {
    assert.equal(one(withTables(written)).tables, [read]);
  });

planFile("durations are read in all their units", () => {
  for (const [text, millis] of [
    ["500ms", 500n],
    ["30s", 30_000n],
    ["1h30m", 5_400_000n],
    ["1d", 86_400_000n],
  ] as const)
    assert.is(one(withSpec(`waitForAck: ${text}`)).waitForAck, millis);
});

planFile("gives the same intent in any spelling of YAML, and a different one with another table", () => {
  const block = withTables("\n    - 'ORCLPDB1.SALES.ORDERS'");
  assert.is(digestOfIntent(one(block)), digestOfIntent(one(GOOD)));
  assert.is.not(digestOfIntent(one(withTables("[A.B]"))), digestOfIntent(one(GOOD)));
});

planFile("may be in one file with an offset change of another connector", () => {
  const both = `${GOOD}---\n${planFileTemplate("OffsetChange").replace("orders-cdc", "billing-cdc")}`;
  assert.equal(
    parsePlanFile(both, "plan.yaml").intents.map(({ kind }) => kind),
    ["Resnapshot", "OffsetChange"],
  );
});

planFile("is found by its name, in any spelling", () => {
  for (const text of ["Resnapshot", "resnapshot", "RE-SNAPSHOT"]) assert.is(kindNamed(text), "Resnapshot");
  assert.throws(
    () => kindNamed("resnapshoot"),
    (error: UsageError) => /Did you mean Resnapshot/.test(lineOf(error.problems[0]?.remedy ?? "")),
  );
});

// ---- Invalid files: title, text, message, remedy, line --------------------------------------------------------------

const bad: readonly (readonly [string, string, RegExp, RegExp, number])[] = [
  ["a mistyped kind", GOOD.replace("Resnapshot", "Resnapsot"), /kind is "Resnapsot"/, /kind: Resnapshot/, 2],
  ["no reason", GOOD.replace(/ {2}reason:.*\n/, ""), /metadata\.reason is missing/, /reason: /, 3],
  ["an empty reason", GOOD.replace(/reason:.*\n/, "reason:\n"), /metadata\.reason is empty/, /reason: /, 5],
  ["a blank reason", GOOD.replace(/reason:.*\n/, 'reason: "  "\n'), /blank/, /value/, 5],
  ["no spec", GOOD.replace(/spec:[\s\S]*/, ""), /spec is missing/, /tables/, 1],
  ["no tables", GOOD.replace(/ {2}tables.*\n/, "  resume: true\n"), /spec\.tables is missing/, /tables: /, 9],
  ["tables left empty", withTables(""), /spec\.tables is empty/, /tables: /, 10],
  ["an empty list of tables", withTables("[]"), /spec\.tables is an empty list/, /Add an item/, 10],
  ["one table in place of a list", withTables("SALES.ORDERS"), /where a list is wanted/, /tables: \[/, 10],
  ["tables as on a command line", withTables('"A.B,A.C"'), /where a list is wanted/, /tables: \[/, 10],
  ["a table without its owner", withTables("[ORDERS]"), /not a valid table name: "ORDERS"/, /OWNER\.TABLE/, 10],
  ["a name with an open quote", withTables(`['SALES."ORDERS']`), /not a valid table name/, /quote a part/, 10],
  ["a name with an empty part", withTables("[SALES..ORDERS]"), /not a valid table name/, /quote a part/, 10],
  ["a name that ends with a dot", withTables("[SALES.ORDERS.]"), /not a valid table name/, /OWNER\.TABLE/, 10],
  ["a part of 129 bytes", withTables(`[SALES.${"T".repeat(129)}]`), /not a valid table name/, /OWNER\.TABLE/, 10],
  [
    "a part of 65 letters of two bytes",
    withTables(`[SALES.${"Ö".repeat(65)}]`),
    /not a valid table name/,
    /OWNER\.TABLE/,
    10,
  ],
  ["a table that is a number", withTables("[1.5]"), /the value 1\.5|not a valid table name/, /./, 10],
  ["a table that is empty", withTables("[A.B, '']"), /spec\.tables\[1\]|not a valid table name/, /./, 10],
  ["a table that is a list", withTables("[[A.B]]"), /a list, where text is wanted/, /./, 10],
  ["a table given twice", withTables("[A.B, A.B]"), /"A\.B" twice/, /Keep one/, 10],
  [
    "10,001 tables",
    withTables(`[${Array.from({ length: 10_001 }, (_, i) => `A.T${i}`).join(", ")}]`),
    /10,001 items/,
    /at most 10,000/,
    10,
  ],
  [
    "an assertion in words",
    withSpec("skipGapForUnlistedTables: all"),
    /text \("all"\), where true or false or a list/,
    /./,
    11,
  ],
  ["an assertion of no table", withSpec("skipGapForUnlistedTables: []"), /an empty list/, /remove/i, 11],
  [
    "an assertion of no name",
    withSpec("skipGapForUnlistedTables: [ORDERS]"),
    /not a valid table name/,
    /OWNER\.TABLE/,
    11,
  ],
  ["an assertion of a table twice", withSpec("skipGapForUnlistedTables: [A.B, A.B]"), /twice/, /Keep one/, 11],
  ["an assertion left empty", withSpec("skipGapForUnlistedTables:"), /skipGapForUnlistedTables is empty/, /./, 11],
  ["yes in place of true", withSpec("resume: yes"), /text \("yes"\), where true or false/, /Write true/, 11],
  ["a number in place of a duration", withSpec("waitForAck: 300"), /the value 300, where text/, /5m/, 11],
  ["a duration without a unit", withSpec('waitForAck: "300"'), /not a valid duration: "300"/, /10m/, 11],
  ["a duration with a blank", withSpec("waitForTransactions: 10 m"), /not a valid duration/, /10m/, 11],
  ["a duration in ISO 8601", withSpec("waitForTransactions: PT10M"), /not a valid duration/, /10m/, 11],
  ["a negative duration", withSpec("waitForTransactions: -10m"), /not a valid duration/, /10m/, 11],
  ["an unknown ops format", withSpec("opsFormat: avro"), /"avro"/, /json, json_schemas/, 11],
  [
    "a mistyped key",
    withSpec("skipGapForUnlistedTable: true"),
    /no key "skipGapForUnlistedTable"/,
    /Did you mean skipGapForUnlistedTables\?/,
    11,
  ],
  [
    "the option's name as a key",
    withSpec("skip-gap-for-unlisted-tables: true"),
    /no key "skip-gap/,
    /Did you mean skipGapForUnlistedTables\?/,
    11,
  ],
  ["a key of another kind", withSpec("allowSkip: true"), /no key "allowSkip"/, /spec has tables, /, 11],
  ["an SCN", withSpec("scn: 2230000"), /no key "scn"/, /remove/i, 11],
  ["a key given twice", withSpec("tables: [A.B]"), /tables is given twice, first in line 10/, /Keep one/, 11],
  [
    "a code that cannot be accepted",
    withSpec("accept: [SNP903]"),
    /names SNP903, which can't be accepted/,
    /explain SNP903/,
    11,
  ],
  ["a code of a notice", withSpec("accept: [SNP910]"), /SNP910, which is a notice/, /remove/i, 11],
  ["an unknown code", withSpec("accept: [TRX510]"), /not a known check/, /Did you mean TRX501/, 11],
  ["a reference in a table", withTables('["A.${env:HOME}"]'), /holds a reference/, /contexts file/, 10],
  ["a table that reorders text", withTables('["A.B\\u202e"]'), /U\+202E/, /remove/i, 10],
];
for (const [title, text, message, remedy, line] of bad)
  planFile(`${title} is refused`, () => {
    const problems = problemsIn(text);
    const found = problems.find((problem) => message.test(problem.message) && problem.line === line);
    assert.ok(
      found,
      `wanted ${message} in ${line}, got ${problems
        .map((p) => `${p.line} ${p.message}`)
        .join(" | ")
        .slice(0, 500)}`,
    );
    assert.match(lineOf(found?.remedy ?? ""), remedy);
    assert.is(found?.file, "plan.yaml");
    assert.ok((found?.column ?? 0) >= 1);
  });

planFile("a valid file with random changes is read or refused, never a bug", async () => {
  const piece = fc.oneof(
    fc.string({ unit: "grapheme", maxLength: 5 }),
    fc.constantFrom(
      "\t",
      "\n",
      ":",
      "-",
      '"',
      "'",
      "[",
      "]",
      "{",
      "#",
      ".",
      "true",
      "[]",
      "A.B",
      "- ",
      "null",
      "1e9",
      "10m",
      "${env:X}",
      "__proto__: ",
    ),
  );
  const cut = fc.record({ at: fc.nat(2000), length: fc.nat(30), piece });
  const origins = fc.constantFrom(
    GOOD,
    planFileTemplate("Resnapshot"),
    withSpec("skipGapForUnlistedTables: [A.B]", "waitForAck: 5m"),
  );
  const holds = fc.property(origins, fc.array(cut, { minLength: 1, maxLength: 6 }), (origin, cuts) => {
    const text = cuts.reduce((so, { at, length, piece: put }) => {
      const place = at % (so.length + 1);
      return so.slice(0, place) + put + so.slice(place + length);
    }, origin);
    try {
      for (const { tables, skipGapForUnlistedTables } of resnapshots(text)) {
        assert.ok(tables.length > 0);
        assert.ok(typeof skipGapForUnlistedTables === "string" || skipGapForUnlistedTables.length > 0);
      }
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      assert.ok(error.problems.length > 0);
      for (const { message, remedy } of error.problems)
        assert.ok(message.length > 0 && lineOf(remedy ?? "").length > 0);
    }
  });
  await fc.assert(holds, { numRuns: 1000 });
});

planFile("any name that Oracle allows can be written, whatever it contains", async () => {
  // No name contains a double quote or a line end; a plan file accepts no invisible characters.
  const isRefused = anyOf(
    [/["\u00A0\uFFFD]|\$\{/, /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}]/u],
    "u",
  );
  const part = fc
    .string({ unit: "grapheme", minLength: 1, maxLength: 20 })
    .filter((name) => !isRefused.test(name) && new TextEncoder().encode(name).length <= 128);
  await fc.assert(
    fc.property(fc.array(part, { minLength: 2, maxLength: 3 }), (parts) => {
      const name = parts.map((one) => `"${one}"`).join(".");
      if (name.length > 420) return;
      assert.equal(one(withTables(`[${JSON.stringify(name)}]`)).tables, [name]);
    }),
    { numRuns: 500 },
  );
});

planFile("the schema, as an editor applies it, accepts valid files and refuses an invalid form", () => {
  const accepts = new Ajv2020({ strict: false, validateFormats: false }).addSchema(sharedParts).compile(schema);
  const asEditor = (text: string): boolean =>
    readYaml(text, "plan.yaml").documents.every((document) =>
      accepts(
        JSON.parse(
          JSON.stringify(plainValue(document), (_, value: unknown) =>
            typeof value === "bigint" ? Number(value) : value,
          ),
        ),
      ),
    );
  assert.ok(asEditor(GOOD) && asEditor(planFileTemplate("Resnapshot")));
  for (const [, written] of names) assert.ok(asEditor(withTables(written)), written);
  // Rules that only cdcctl checks: names of tables in their parts, codes, references, and problems of the YAML itself.
  const known = /name|table without|part of|that ends|reorders|reference|code|given twice|is empty|blank reason/;
  let refused = 0;
  for (const [title, text] of bad) {
    if (known.test(title)) continue;
    assert.not(asEditor(text), title);
    refused += 1;
  }
  assert.ok(refused > 20, `${refused}`);
});

planFile.run();
