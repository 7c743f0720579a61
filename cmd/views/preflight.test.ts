import { suite } from "uvu";
import * as assert from "uvu/assert";
import { isReady, preflight } from "../../core/doctor/preflight.ts";
import {
  known,
  type PreflightParts,
  preflightReading,
  tableIn,
  unseen,
} from "../../core/doctor/testing/build-preflight.ts";
import { HOSTILE } from "../../core/plan/testing/hostile.ts";
import { printJson } from "../../core/values/json.ts";
import { type PreflightView, preflightDocument, preflightReport } from "./preflight.ts";
import { renderTerminal, type TerminalOptions } from "./report/terminal.ts";
import { assertGolden } from "./testing/golden.ts";
import { asMarkdown, asPage } from "./testing/run-forms.ts";
import { schemaTester } from "./testing/schema.ts";

const renderPreflight = (of: PreflightView, options: TerminalOptions) => renderTerminal(preflightReport(of), options);
const renderPreflightMarkdown = (of: PreflightView) => asMarkdown(preflightReport(of));

const view = suite("a preflight as text, Markdown and JSON");

function shown(parts: PreflightParts = {}, more: Partial<PreflightView> = {}): PreflightView {
  const reading = preflightReading(parts);
  const findings = preflight(reading);
  return {
    file: "orders-cdc.json",
    connector: "orders-cdc",
    address: "db.prod:1521/ORCLCDB",
    reading,
    findings,
    ready: isReady(findings, false),
    ...more,
  };
}

const MANY = 10_000;
const many = shown({
  tables: Array.from({ length: MANY }, (_, at) => tableIn(`TABLE_${at}`)),
  logGroups: known([]),
});
const blind = shown({ dictionary: unseen("no grant for CDB_TABLES", "GRANT SELECT ANY DICTIONARY TO C##CDC;") });

view("begins with whether it is ready, and of which database and login", () => {
  const [subject, outcome] = renderPreflight(shown(), { colour: false }).split("\n");
  assert.is(subject, "preflight of orders-cdc (orders-cdc.json): ORCLCDB at db.prod:1521/ORCLCDB as C##CDC");
  assert.match(outcome ?? "", /^ready: 0 blocking, 0 unknown, 0 warnings, \d+ fine$/);
});

view("puts failures first, and passed checks last", () => {
  const text = renderPreflight(shown({ database: { logMode: "NOARCHIVELOG" } }), { colour: false });
  assert.match(text, /^not ready: 1 blocking/m);
  assert.ok(text.indexOf("DBA401") < text.indexOf("\nfine\n"));
});

view("names ten of thousands of tables, and gives the number of the others", () => {
  const text = renderPreflight(many, { colour: false });
  assert.match(text, "10,000 of 10,000 captured tables: no supplemental logging");
  assert.match(text, "and 9,990 more items; --format json has them all");
  assert.ok(text.split("\n").length < 80);
  assert.is([...text.matchAll(/ALTER TABLE/g)].length, 10);
});

view("lists every table in JSON, and in Markdown what a comment holds", () => {
  const found = preflightDocument(many).findings.find(({ code }) => code === "TAB102");
  assert.is(found?.items.length, MANY);
  const markdown = renderPreflightMarkdown(many);
  assert.ok(Buffer.byteLength(markdown) <= 65_535);
  assert.match(markdown, "items left out");
  const one = shown({ database: { logMode: "NOARCHIVELOG" } });
  assertGolden(renderPreflightMarkdown(one), "preflight/no-archive.md");
  assertGolden(asPage(preflightReport(one)), "preflight/no-archive.html");
});

view("gives a cause that leaves several checks unknown once, and names them all", () => {
  for (const text of [renderPreflight(blind, { colour: false }), renderPreflightMarkdown(blind)]) {
    assert.is([...text.matchAll(/no grant for/g)].length, 1);
    for (const code of ["TAB101", "TAB102", "TAB107"]) assert.match(text, code);
  }
});

view("never breaks a statement, so that it can be copied", () => {
  const tables = [tableIn("A_TABLE_WITH_A_RATHER_LONG_NAME_THAT_GOES_ON", "AN_OWNER_WITH_A_LONG_NAME_TOO")];
  const text = renderPreflight(shown({ tables, logGroups: known([]) }), { colour: false, width: 80 });
  assert.match(
    text,
    'ALTER TABLE "AN_OWNER_WITH_A_LONG_NAME_TOO"."A_TABLE_WITH_A_RATHER_LONG_NAME_THAT_GOES_ON" ADD SUPPLEMENTAL ' +
      "LOG DATA (ALL) COLUMNS;",
  );
  for (const line of text.split("\n")) assert.ok(line.includes("ALTER TABLE") || [...line].length <= 80, line);
});

view("the JSON matches its schema, whatever was observed", () => {
  const fits = schemaTester("preflight.schema.json");
  const hidden = Object.fromEntries(
    Object.keys(preflightReading().facts).flatMap((name) => (name === "settings" ? [] : [[name, unseen()]])),
  );
  for (const one of [shown(), many, blind, shown(hidden), shown({}, { connector: undefined })])
    fits(printJson(preflightDocument(one)));
});

view("names from outside cannot break out of their place", () => {
  const hostile = shown(
    {
      tables: [tableIn(HOSTILE, HOSTILE)],
      logGroups: known([]),
      keys: known([]),
      account: { user: HOSTILE },
      database: { name: HOSTILE, logMode: "NOARCHIVELOG" },
    },
    { file: HOSTILE, connector: HOSTILE, address: HOSTILE },
  );
  const text = renderPreflight(hostile, { colour: false });
  assert.not.match(text.replaceAll("\n", ""), /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
  const markdown = renderPreflightMarkdown(hostile);
  assert.not.match(markdown, /<img|<script|\[x\]\(/);
  assert.not.match(markdown.replaceAll("\n", ""), /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
});

view.run();
