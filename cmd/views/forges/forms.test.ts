/** What forges read: SARIF by its official schema, JUnit's XML, GitLab's two files. */
import { readFileSync } from "node:fs";
import { Ajv } from "ajv";
import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { preflight } from "../../../core/doctor/preflight.ts";
import { preflightReading, unseen } from "../../../core/doctor/testing/build-preflight.ts";
import type { Plan } from "../../../core/plan/plan.ts";
import { STEPS } from "../../../core/plan/steps.ts";
import { anyPlan } from "../../../core/plan/testing/any-plan.ts";
import { offsetPlan } from "../../../core/plan/testing/build-plan.ts";
import { EXAMPLES, forwardBlocked } from "../../../core/plan/testing/example-plans.ts";
import { HOSTILE } from "../../../core/plan/testing/hostile.ts";
import { judgedPlans, judgedPreflight, terraformReport } from "./findings.ts";
import { codeQuality, FORGE_FORMS, type Grade, INPUT, type Judged } from "./forms.ts";

const forms = suite("the formats of forges");

const judgedOf = (...plans: readonly Plan[]) => judgedPlans({ plans, unplanned: [], unsettled: [] }, new Map());
const judgement = (judged: readonly Judged[]) => ({ command: "plan", version: "0.1.0", judged });
const printed = (form: "sarif" | "junit", judged: readonly Judged[]): string =>
  FORGE_FORMS[form]?.(judgement(judged)) ?? "";

interface Result {
  readonly ruleId: string;
  readonly ruleIndex: number;
  readonly level: string;
  readonly message: { readonly text: string };
  readonly locations: readonly {
    readonly physicalLocation?: {
      readonly artifactLocation: { readonly uri: string };
      readonly region: { readonly startLine: number; readonly startColumn?: number };
    };
  }[];
  readonly partialFingerprints: Readonly<Record<string, string>>;
  readonly suppressions: readonly unknown[];
}

interface Rule {
  readonly id: string;
  readonly help: { readonly text: string };
  readonly helpUri: string;
}

interface Log {
  readonly runs: readonly [
    { readonly results: readonly Result[]; readonly tool: { readonly driver: { readonly rules: readonly Rule[] } } },
  ];
}

/** Draft 4 has `id` where later ones have `$id`; nothing else in this schema differs. */
const {
  id: _id,
  $schema: _draft,
  ...schema
} = JSON.parse(
  readFileSync(new URL("../testdata/forges/sarif-2.1.0.schema.json", import.meta.url), "utf8"),
) as Readonly<Record<string, unknown>>;
const isUri = (text: string) => URL.canParse(text);
const isReference = (text: string) => URL.canParse(text, "file:///") && /^[!#-;=?-Z_a-z~%[\]]*$/.test(text);
const validate = new Ajv({
  ...{ strict: false, allErrors: true, unicodeRegExp: false },
  formats: { uri: isUri, "uri-reference": isReference, "date-time": true },
}).compile(schema);

function sarif(judged: readonly Judged[]): { readonly results: readonly Result[]; readonly rules: readonly Rule[] } {
  const text = printed("sarif", judged);
  const log: Log = JSON.parse(text);
  assert.ok(validate(JSON.parse(text)), JSON.stringify(validate.errors, undefined, 1));
  const [{ results, tool }] = log.runs;
  return { results, rules: tool.driver.rules };
}

forms("the official schema refuses what is no SARIF", () => {
  assert.not.ok(validate({ version: "2.1.0", runs: [{ tool: {} }] }));
  assert.not.ok(validate({ version: "2.1.0", runs: [{ tool: { driver: { name: "x", helpUri: "y" } }, results: [] }] }));
});

for (const [name, plan] of Object.entries(EXAMPLES))
  forms(`${name} is valid SARIF, with the rule of each finding`, () => {
    const { results, rules } = sarif(judgedOf(plan));
    assert.equal(
      results.map(({ ruleId }) => ruleId),
      plan.findings.filter(({ effect }) => effect !== "none").map(({ code }) => code),
    );
    for (const { ruleId, ruleIndex } of results) assert.is(rules[ruleIndex]?.id, ruleId);
    for (const { id, help, helpUri } of rules) {
      assert.is(helpUri, `https://cdcctl.dev/docs/checks.md#${id.toLowerCase()}`);
      assert.match(help.text, /What to do: ./);
    }
    assert.is(new Set(results.map((one) => one.partialFingerprints["cdcctlFinding/v1"])).size, results.length);
  });

forms("every rule of the catalogue has its heading on the page that its URI names", () => {
  const page = readFileSync(new URL("../../../docs/checks.md", import.meta.url), "utf8");
  for (const { id } of sarif(judgedOf(...Object.values(EXAMPLES))).rules) assert.match(page, `\n### ${id}`);
});

forms("a preflight that can't see anything is valid SARIF without a file, and names it where there is one", () => {
  const findings = preflight(preflightReading({ dictionary: unseen("no grant for CDB_TABLES", "GRANT x;") }));
  assert.ok(sarif(judgedPreflight(findings, "orders-cdc", "GET /connectors/x", undefined)).results.length > 0);
  const text =
    '{\n\t"name": "x",\n\t"config": {\n\t\t"cdc.tables.include": "A",\n\t\t"cdc.database.pdbs": "B"\n\t}\n}\n';
  const fault = { code: "TAB110", title: "t", level: "blocking" as const, items: [] };
  const judged = [
    { ...fault, seen: "nothing matches", remedies: [{ text: "Set", setting: "cdc.database.pdbs=ORCLPDB1" }] },
    { ...fault, seen: "cdc.tables.include matches nothing", remedies: [] },
    { ...fault, seen: "no ARCHIVELOG", remedies: ["Restart it."] },
  ];
  const placesOf = (file: string, configuration: string) =>
    judgedPreflight(judged, "x", file, configuration).map(({ place }) => `${place?.line}:${place?.column}`);
  assert.equal(placesOf("x.json", text), ["5:3", "4:3", "1:1"]);
  const properties = "# x\n  cdc.tables.include=A\ncdc.database.pdbs: B\n";
  assert.equal(placesOf("x.properties", properties), ["3:1", "2:3", "1:1"]);
});

const found = (more: Partial<Judged> = {}): Judged => ({
  ...{ code: "OFF103", title: "Forward", grade: "error", text: "it skips", remedies: [], subject: "orders" },
  ...{ place: { file: "a.yaml", line: 3, column: 5 }, path: "spec.scn" },
  ...more,
});
const printOf = (judged: readonly Judged[]) =>
  sarif(judged).results.map(({ partialFingerprints }) => partialFingerprints["cdcctlFinding/v1"]);

forms("a fingerprint stays where lines move and numbers change, and differs for another finding", () => {
  const [own] = printOf([found()]);
  assert.equal(printOf([found({ text: "it skips 5 SCNs", place: { file: "a.yaml", line: 9, column: 1 } })]), [own]);
  for (const other of [{ code: "OFF102" }, { subject: "billing" }, { place: { file: "b.yaml" } }, { path: "spec" }])
    assert.is.not(printOf([found(other)])[0], own, JSON.stringify(other));
  const twice = printOf([found(), found()]);
  assert.is(twice[0], own);
  assert.is.not(twice[1], own);
  const [first, second] = printOf([found({ code: INPUT, text: "a" }), found({ code: INPUT, text: "b" })]);
  assert.is.not(first, second);
});

forms("an accepted finding is suppressed, and said to be accepted in the file", () => {
  const [result] = sarif([found({ grade: "accepted" })]).results;
  assert.is(result?.level, "note");
  assert.equal(result?.suppressions, [{ kind: "inSource", justification: "spec.accept of the plan file names it" }]);
});

forms("a message holds no link, and a file's name is percent-encoded", () => {
  const [result] = sarif([
    found({ text: "[click](https://evil.example)", place: { file: "a b/ü#[1].yaml", line: 1 } }),
  ]).results;
  assert.is(result?.message.text, "[click] (https://evil.example)");
  assert.is(result?.locations[0]?.physicalLocation?.artifactLocation.uri, "a%20b/%C3%BC%23%5B1%5D.yaml");
});

const anyText = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.constantFrom(
    "]]>",
    "<![CDATA[",
    "&amp;<x a='\"'/>",
    "\0\u001b[2J\ud800\udfff\ufffe\uffff",
    "a\r\n::error::",
    HOSTILE,
  ),
  // Halves of surrogates.
  fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 6 }).map((codes) => String.fromCharCode(...codes)),
);
const anyJudged: fc.Arbitrary<Judged> = fc.record({
  code: fc.constantFrom("OFF103", "APL820", INPUT, "POL001"),
  title: anyText,
  grade: fc.constantFrom<Grade>("error", "warning", "accepted", "passed"),
  text: anyText,
  remedies: fc.array(anyText, { maxLength: 2 }),
  subject: anyText,
  place: fc.option(
    fc.record({
      file: fc.option(anyText, { nil: undefined }),
      line: fc.option(fc.integer({ min: 1 }), { nil: undefined }),
    }),
    { nil: undefined },
  ),
});

forms("hostile text makes valid SARIF, whatever it holds", () => {
  fc.assert(fc.property(fc.array(anyJudged, { maxLength: 3 }), (judged) => void sarif(judged)));
});

/** A strict reader of what XML this is: elements, attributes, characters, decimal references. @throws for all else */
function readXml(text: string): readonly { readonly name: string; readonly of: Readonly<Record<string, string>> }[] {
  // XML 1.0, production 2.
  assert.match(text, /^[\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u);
  const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n';
  assert.ok(text.startsWith(declaration));
  const TOKEN = /<(\/?)([a-z-]+)((?: [a-z]+="(?:[^<&"]|&#\d+;)*")*)(\/?)>|((?:[^<&>]|&#\d+;)+)/gu;
  const elements: { name: string; of: Record<string, string> }[] = [];
  const open: string[] = [];
  let end = declaration.length;
  for (const token of text.slice(end).matchAll(TOKEN)) {
    assert.is(token.index + declaration.length, end, `nothing is between the tokens: ${text.slice(end, end + 80)}`);
    end += token[0].length;
    const [, closes, name, attributes = "", isEmpty] = token;
    if (name === undefined) continue;
    if (closes === "/") {
      assert.is(open.pop(), name);
      continue;
    }
    const of = [...attributes.matchAll(/ ([a-z]+)="([^"]*)"/g)].map(([, key = "", value = ""]) => [
      key,
      decoded(value),
    ]);
    assert.is(new Set(of.map(([key]) => key)).size, of.length);
    elements.push({ name, of: Object.fromEntries(of) });
    if (isEmpty !== "/") open.push(name);
  }
  assert.is(end, text.length);
  assert.equal(open, []);
  return elements;
}

function isRead(text: string): boolean {
  try {
    return readXml(text).length > 0;
  } catch {
    return false;
  }
}

const decoded = (text: string) => text.replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)));

forms("hostile text makes well-formed XML, a case each check, whose counts are those of the cases", () => {
  const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n';
  for (const wrong of ["<a>]]></a>", "<a>\ud800</a>", "<a>\ufffe</a>", "<a>\u0000</a>", "<a></b>", "<a>", '<a b="&"/>'])
    assert.not.ok(isRead(`${declaration}${wrong}`), wrong);
  fc.assert(
    fc.property(fc.array(anyJudged, { maxLength: 4 }), (judged) => {
      const elements = readXml(printed("junit", judged));
      const count = (name: string) => elements.filter((one) => one.name === name).length;
      assert.is(count("testcase"), judged.length);
      const [whole] = elements;
      assert.equal([whole?.of["tests"], whole?.of["failures"], whole?.of["skipped"]].map(Number), [
        judged.length,
        count("failure"),
        count("skipped"),
      ]);
      const suites = elements.filter(({ name }) => name === "testsuite");
      assert.is(
        suites.reduce((sum, { of }) => sum + Number(of["tests"]), 0),
        judged.length,
      );
    }),
  );
});

forms("a plan is a suite, each of its checks a case, also those that passed", () => {
  const elements = readXml(printed("junit", judgedOf(forwardBlocked)));
  const cases = elements.filter(({ name }) => name === "testcase").map(({ of }) => of["name"]?.split(" ")[0]);
  assert.equal(
    cases,
    forwardBlocked.findings.map(({ code }) => code),
  );
  assert.equal(
    elements.filter(({ name }) => name === "failure").map(({ of }) => of["type"]),
    forwardBlocked.findings.filter(({ effect }) => effect === "blocks").map(({ code }) => code),
  );
});

/** Read off the steps by their names alone. */
const VERBS = {
  create: /^create-/,
  update: /^(?:patch-offset|write-signal|resume-legacy)$/,
  delete: /^(?:delete|remove)-/,
};

forms("GitLab's counts are those of the steps of the plans that are ready", () => {
  for (const plans of [...Object.values(EXAMPLES).map((plan) => [plan]), Object.values(EXAMPLES)]) {
    const steps = plans.filter(({ outcome }) => outcome.state === "ready").flatMap((plan) => plan.steps);
    const counts = JSON.parse(terraformReport(plans)) as Readonly<Record<string, number>>;
    assert.equal(Object.keys(counts), Object.keys(VERBS));
    for (const [what, verb] of Object.entries(VERBS))
      assert.is(counts[what], steps.filter(({ step }) => verb.test(step)).length, what);
  }
  assert.equal(JSON.parse(terraformReport([offsetPlan()])), { create: 0, update: 1, delete: 0 });
  for (const verb of Object.values(VERBS)) assert.ok(Object.keys(STEPS).some((step) => verb.test(step)));
});

forms("GitLab's code quality report has what it needs of each finding in a file, and nothing of the others", () => {
  const report = JSON.parse(
    codeQuality(
      judgement([
        found(),
        found({ grade: "warning" }),
        found({ grade: "passed" }),
        found({ place: undefined }),
        found({ place: { file: "-" } }),
      ]),
    ),
  );
  assert.equal(
    report.map((one: { severity: string }) => one.severity),
    ["critical", "minor"],
  );
  assert.equal(Object.keys(report[0]), ["description", "check_name", "fingerprint", "severity", "location"]);
  assert.equal(report[0].location, { path: "a.yaml", lines: { begin: 3 } });
  assert.is.not(report[0].fingerprint, report[1].fingerprint);
});

forms("any plan is valid in each of them", () => {
  fc.assert(
    fc.property(fc.array(anyPlan, { minLength: 1, maxLength: 2 }), (plans) => {
      sarif(judgedOf(...plans));
      readXml(printed("junit", judgedOf(...plans)));
      JSON.parse(codeQuality(judgement(judgedOf(...plans))));
    }),
  );
});

forms.run();
