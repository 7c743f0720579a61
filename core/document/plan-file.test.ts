// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references are written like this

import { Ajv2020 } from "ajv/dist/2020.js";
import * as fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import schema from "../../schemas/offset-change.schema.json" with { type: "json" };
import sharedParts from "../../schemas/shared.json" with { type: "json" };
import { type Problem, UsageError } from "../errors.ts";
import { anyOf } from "../values/regexp.ts";
import { lineOf } from "../values/remedy.ts";
import { processorMillis } from "../values/testing/processor-time.ts";
import type { Intent, OffsetChangeIntent } from "./intent.ts";
import { KINDS, kindNamed, planFileTemplate, planFileToEdit } from "./kinds.ts";
import { checkTogether, MAX_PLAN_FILE_BYTES, parsePlanFile } from "./plan-file.ts";
import { plainValue } from "./tree.ts";
import { readYaml } from "./yaml-tree.ts";

const planFile = suite("plan file");

const CODES = { acceptable: ["TRX501", "OPS603"], others: ["OFF103"] };

const GOOD = `apiVersion: cdcctl/v1
kind: OffsetChange
metadata:
  name: orders-replay
  reason: replay after the bad deploy
target:
  context: prod
  connector: orders-cdc
spec:
  scn: 2169287
`;

function intentsOf(text: string): readonly Intent[] {
  return parsePlanFile(text, "plan.yaml", { codes: CODES }).intents;
}

function offsetChanges(text: string): readonly OffsetChangeIntent[] {
  return intentsOf(text).flatMap((intent) => (intent.kind === "OffsetChange" ? [intent] : []));
}

function problemsIn(text: string): readonly Problem[] {
  try {
    intentsOf(text);
  } catch (error) {
    assert.instance(error, UsageError);
    return (error as UsageError).problems;
  }
  throw new Error("nothing was wrong with it");
}

/** The valid file with one text replaced by another. */
function withChange(from: string, to: string): string {
  assert.ok(GOOD.includes(from), from);
  return GOOD.replace(from, () => to);
}
const withSpec = (...lines: readonly string[]): string =>
  withChange("  scn: 2169287\n", lines.map((line) => `  ${line}\n`).join(""));

// ---- Valid files ----------------------------------------------------------------------------------------------------

for (const kind of KINDS)
  planFile(`the template of ${kind} is a plan file of that kind`, () => {
    assert.equal(
      intentsOf(planFileTemplate(kind)).map((intent) => intent.kind),
      [kind],
    );
  });

planFile("a missing key has its default", () => {
  const [intent] = offsetChanges(GOOD);
  assert.equal(intent, {
    kind: "OffsetChange",
    metadata: { name: "orders-replay", reason: "replay after the bad deploy", ticket: undefined },
    target: { context: "prod", connectUrl: undefined, connector: "orders-cdc" },
    origin: {
      by: "plan file",
      file: "plan.yaml",
      lines: {
        apiVersion: 1n,
        kind: 2n,
        metadata: 3n,
        "metadata.name": 4n,
        "metadata.reason": 5n,
        target: 6n,
        "target.context": 7n,
        "target.connector": 8n,
        spec: 9n,
        "spec.scn": 10n,
      },
    },
    position: { to: "scn", scn: 2169287n },
    allowSkip: false,
    forgetReleased: "none",
    resume: false,
    opsFormat: undefined,
    accept: [],
  });
});

planFile("every key can be given", () => {
  const [intent] = offsetChanges(
    withSpec(
      "timestamp: 2026-11-20T19:30:00+01:00",
      "allowSkip: true",
      "forgetReleased: [1:4.9.771, 5.2.802]",
      "resume: true",
      "opsFormat: json_schemas",
      "accept:",
      "  - TRX501",
    ),
  );
  assert.equal(intent?.position, { to: "timestamp", timestamp: "2026-11-20T18:30:00Z" });
  assert.equal(intent?.forgetReleased, ["1:4.9.771", "5.2.802"]);
  assert.is(intent?.opsFormat, "json_schemas");
  assert.equal(intent?.accept, ["TRX501"]);
  assert.equal(intent?.origin.lines["spec.accept.0"], 16n);
  assert.is(intent?.allowSkip && intent.resume, true);
});

planFile("an SCN beyond 2^53 keeps every digit", () => {
  for (const scn of [9007199254740993n, 9223372036854775807n]) {
    const [intent] = offsetChanges(withSpec(`scn: ${scn}`));
    assert.equal(intent?.position, { to: "scn", scn });
  }
});

planFile("forgetReleased: true means all, false none", () => {
  assert.is(offsetChanges(withSpec("scn: 5", "forgetReleased: true"))[0]?.forgetReleased, "all");
  assert.is(offsetChanges(withSpec("scn: 5", "forgetReleased: false"))[0]?.forgetReleased, "none");
});

planFile("a URL instead of a context, or neither, is allowed", () => {
  const url = withChange("context: prod", "connectUrl: https://gateway/kafka-connect/");
  assert.is(offsetChanges(url)[0]?.target.connectUrl, "https://gateway/kafka-connect/");
  assert.is(offsetChanges(withChange("  context: prod\n", ""))[0]?.target.context, undefined);
});

planFile("holds several documents; empty ones are ignored", () => {
  const second = GOOD.replace("orders-cdc", "billing-cdc");
  const intents = offsetChanges(`---\n${GOOD}---\n# nothing\n---\n${second}...\n---\n`);
  assert.equal(
    intents.map(({ target }) => target.connector),
    ["orders-cdc", "billing-cdc"],
  );
  assert.is(intents[1]?.origin.lines["target.connector"], 22n);
});

planFile("may be JSON, have Windows line ends, or a byte order mark", () => {
  const json = JSON.stringify({
    apiVersion: "cdcctl/v1",
    kind: "OffsetChange",
    metadata: { name: "a", reason: "b" },
    target: { connector: "c" },
    spec: { earliestAvailable: true },
  });
  assert.equal(offsetChanges(json)[0]?.position, { to: "earliestAvailable" });
  assert.is(offsetChanges(`\uFEFF${GOOD.replaceAll("\n", "\r\n")}`).length, 1);
});

planFile("an anchor may be referred to", () => {
  const text = withChange("name: orders-replay", "name: &n orders-replay").replace("orders-cdc", "*n");
  assert.is(offsetChanges(text)[0]?.target.connector, "orders-replay");
});

// ---- Invalid files: title, text, message, remedy, line --------------------------------------------------------------

/** Characters that a reviewer does not see, or takes for others. */
const HIDDEN: readonly (readonly [string, string])[] = [
  ...[0xad, 0x34f, 0x61c, 0x115f, 0x180b, 0x200b, 0x200d, 0x200e, 0x2028, 0x202e, 0x2060, 0x2066, 0x3164].entries(),
  ...[0xfe00, 0xfe0f, 0xfeff, 0xffa0, 0xe0001, 0xe0041, 0xe0100, 0x1d173, 0xa0].entries(),
].map(([, code]) => [`U+${code.toString(16).toUpperCase().padStart(4, "0")}`, String.fromCodePoint(code)]);

for (const [name, character] of HIDDEN)
  planFile(`${name} is refused in every text, written or escaped, with its place`, () => {
    const digits = character.codePointAt(0)?.toString(16).padStart(8, "0");
    const texts = { "orders-replay": 4, "replay after": 5, prod: 7, "orders-cdc": 8 };
    for (const [text, line] of Object.entries(texts)) {
      const [plain] = problemsIn(withChange(text, `${text}${character}x`));
      assert.equal([plain?.line, plain?.message.includes(`(${name})`)], [line, true], plain?.message);
      const column = (GOOD.split("\n")[line - 1] ?? "").indexOf(text) + text.length + 1;
      assert.is(plain?.column, column);
      const whole = GOOD.split("\n")[line - 1]?.split(": ")[1] ?? "";
      const [escaped] = problemsIn(withChange(whole, `"${text}\\U${digits}x"`));
      assert.match(escaped?.message ?? "", `holds ${name} as character ${text.length + 1}, which`, escaped?.message);
      assert.is(escaped?.line, line);
    }
    assert.match(problemsIn(withChange("  scn:", `  sc${character}n:`))[0]?.message ?? "", name);
    assert.match(problemsIn(withChange("kind: ", `kind:${character}`))[0]?.message ?? "", name);
  });

planFile("a comment may hold an emoji and a no-break space, but nothing that turns its reading direction", () => {
  const comment = (text: string) => withChange("  scn: 2169287", `  # ${text}\n  scn: 2169287 # ${text}`);
  assert.is(offsetChanges(comment("\u26a0\ufe0f attention\u00a0!")).length, 1);
  const [problem] = problemsIn(comment("a\u202eb"));
  assert.equal([problem?.line, problem?.column], [10, 6]);
  assert.match(problem?.message ?? "", "a character that can't be seen (U+202E)");
});

planFile("a file of 1 MB of comment signs is read at once", () => {
  const started = processorMillis();
  problemsIn(`${"# ".repeat(500_000)}\u202e`);
  assert.ok(processorMillis() - started < 1000);
});

planFile("no connector has an empty name, or one that a URL takes for a folder", () => {
  for (const name of ['""', '" "', ".", '".."']) {
    const [problem] = problemsIn(withChange("orders-cdc", name));
    assert.equal([problem?.line, /target\.connector (?:is|holds)/.test(problem?.message ?? "")], [8, true], name);
  }
  assert.is(offsetChanges(withChange("orders-cdc", '"..."'))[0]?.target.connector, "...");
});

const bad: readonly (readonly [string, string, RegExp, RegExp, number])[] = [
  ["an empty file", "", /is empty/, /cdcctl init/, 1],
  ["a file of blanks", " \n\n  ", /is empty/, /cdcctl init/, 1],
  ["a file of comments", "# to do\n", /no document/, /cdcctl init/, 1],
  ["empty documents only", "---\n---\n", /no document/, /cdcctl init/, 1],
  ["a binary file", "\x7fELF\x02\x01\x01\0\0\0", /can't be seen \(U\+007F\)|not valid UTF-8/, /./, 1],
  ["UTF-16", "a\0p\0i\0", /not valid UTF-8/, /Save the plan file as UTF-8/, 1],
  ["bytes that are not UTF-8", `${GOOD}# \ufffd`, /not valid UTF-8/, /UTF-8/, 11],
  ["a control character in the text", withChange("after the", "after\x1b[31m the"), /U\+001B/, /remove/i, 5],
  [
    "no blank after a colon",
    "apiVersion:x\nkind: OffsetChange\n",
    /a blank is missing after the colon/,
    /key: value/,
    1,
  ],
  [
    "no blank after a colon in a map",
    withChange("reason: ", "reason:"),
    /a blank is missing after the colon/,
    /key: value/,
    5,
  ],
  ["four dashes in YAML", "----\nkind: OffsetChange\n", /does not begin a document/, /---/, 1],
  ["not valid YAML", 'metadata: "open\n', /not valid YAML/, /quotes/, 2],
  ["a colon in a text", withChange("replay after", "replay: after"), /not valid YAML/, /quotes around/, 5],
  ["a tab", withChange("  scn", "\tscn"), /tab/, /blanks/, 10],
  ["a tab after blanks", withChange("  connector", " \tconnector"), /tab/, /blanks/, 8],
  ["a duplicate key", `${GOOD}  scn: 5\n`, /scn is given twice, first in line 10/, /Keep one/, 11],
  ["a duplicate section", `${GOOD}spec:\n  scn: 5\n`, /spec is given twice, first in line 9/, /Keep one/, 11],
  ["a tag", withChange("scn: 2169287", "scn: !scn 2169287"), /a tag/, /Remove the tag/, 10],
  ["another YAML", `%YAML 1.1\n---\n${GOOD}`, /YAML 1\.1/, /remove/i, 1],
  ["a missing anchor", withChange("prod", "*prod"), /anchor that is not there/, /quotes/, 7],
  ["an alias of itself", withChange("prod", "&a [*a]"), /it stands in/, /Write the value/, 7],
  ["a list", "- a\n", /the document is a list/, /apiVersion, kind/, 1],
  ["a text", "orders-cdc\n", /the document is text/, /apiVersion, kind/, 1],
  ["no kind", withChange("kind: OffsetChange\n", ""), /kind is missing/, /kind: OffsetChange/, 1],
  ["a wrong kind", withChange("OffsetChange", "OfsetChange"), /kind is "OfsetChange"/, /kind: OffsetChange/, 2],
  ["a strange kind", withChange("OffsetChange", "Pod"), /kind is "Pod"/, /OffsetChange/, 2],
  [
    "a kind named like a member of every object",
    withChange("OffsetChange", "constructor"),
    /kind is "constructor"/,
    /OffsetChange/,
    2,
  ],
  ["another version", withChange("cdcctl/v1", "cdcctl/v2"), /apiVersion is "cdcctl\/v2"/, /cdcctl\/v1/, 1],
  ["an unknown key", withSpec("scn: 5", "alowSkip: true"), /no key "alowSkip"/, /Did you mean allowSkip\?/, 11],
  ["an unknown section", `${GOOD}options: {}\n`, /no key "options"/, /metadata, target, spec/, 11],
  ["a key as objects have", withSpec("scn: 5", "__proto__: {}"), /no key "__proto__"/, /remove/i, 11],
  ["a key in another place", `${GOOD}resume: true\n`, /no key "resume"/, /remove/i, 11],
  [
    "no metadata",
    withChange("metadata:\n  name: orders-replay\n  reason: replay after the bad deploy\n", ""),
    /metadata is missing/,
    /name, reason/,
    1,
  ],
  [
    "empty metadata",
    withChange("metadata:\n  name: orders-replay\n  reason: replay after the bad deploy\n", "metadata:\n"),
    /metadata is empty/,
    /name, reason/,
    3,
  ],
  [
    "no reason",
    withChange("  reason: replay after the bad deploy\n", ""),
    /metadata\.reason is missing/,
    /reason: /,
    3,
  ],
  ["an empty reason", withChange("replay after the bad deploy", ""), /metadata\.reason is empty/, /reason: /, 5],
  ["a blank reason", withChange("replay after the bad deploy", '"  "'), /blank/, /value/, 5],
  ["a long reason", withChange("replay after the bad deploy", "x".repeat(1001)), /1,001 characters/, /1,000/, 5],
  ["a reason of two lines", withChange("replay after the bad deploy", '"a\\nb"'), /line break/, /one line/, 5],
  ["a reason that reorders text", withChange("replay after the bad deploy", '"a\u202eb"'), /U\+202E/, /remove/i, 5],
  ["half a surrogate pair", withChange("replay after the bad deploy", '"a\\ud800b"'), /U\+D800/, /remove/i, 5],
  [
    "a ticket that is a number",
    withChange("  reason", "  ticket: 4711\n  reason"),
    /metadata\.ticket is the value 4711/,
    /"4711"/,
    5,
  ],
  ["a name with blanks", withChange("orders-replay", "orders replay"), /metadata\.name/, /dashes/, 4],
  ["a name of 10,000 characters", withChange("orders-replay", "x".repeat(10_000)), /10,000 characters/, /120/, 4],
  ["a connector of 10,000 characters", withChange("orders-cdc", "x".repeat(10_000)), /10,000 characters/, /500/, 8],
  ["a context of 10,000 characters", withChange("prod", "x".repeat(10_000)), /10,000 characters/, /249/, 7],
  ["a control character in a connector", withChange("orders-cdc", '"orders\\u0007"'), /U\+0007/, /remove/i, 8],
  [
    "no connector",
    withChange("  connector: orders-cdc\n", ""),
    /target\.connector is missing/,
    /connector: orders-cdc/,
    6,
  ],
  [
    "a context and a URL",
    withChange("context: prod", "context: prod\n  connectUrl: http://h"),
    /context and connectUrl together/,
    /one of them/,
    6,
  ],
  [
    "credentials in the URL",
    withChange("context: prod", "connectUrl: http://u:hunter2@h"),
    /user or a password/,
    /contexts file/,
    7,
  ],
  [
    "a URL that is none",
    withChange("context: prod", "connectUrl: connect:8083"),
    /http:\/\/ or https/,
    /http:\/\/connect/,
    7,
  ],
  [
    "a URL of another kind",
    withChange("context: prod", "connectUrl: ftp://connect"),
    /http:\/\/ or https/,
    /http:\/\/connect/,
    7,
  ],
  ["a URL with a query", withChange("context: prod", "connectUrl: http://h/?a=b"), /query/, /path prefix/, 7],
  ["a URL with a bad port", withChange("context: prod", "connectUrl: http://h:99999"), /not a URL/, /port/, 7],
  [
    "no position",
    withSpec("resume: true"),
    /none of scn, timestamp, earliestAvailable and lastRecorded/,
    /scn: 2169287/,
    9,
  ],
  ["an empty spec", withChange("spec:\n  scn: 2169287", "spec: {}"), /none of scn, timestamp/, /scn: 2169287/, 9],
  [
    "two positions",
    withSpec("scn: 5", "earliestAvailable: true"),
    /scn and earliestAvailable together/,
    /exactly one/,
    9,
  ],
  ["not the earliest", withSpec("earliestAvailable: false"), /only true/, /remove/i, 10],
  [
    "yes in place of true",
    withSpec("scn: 5", "allowSkip: yes"),
    /text \("yes"\), where true or false/,
    /Write true/,
    11,
  ],
  [
    "a number in place of true",
    withSpec("scn: 5", "resume: 1"),
    /the value 1, where true or false/,
    /resume: false/,
    11,
  ],
  ["an unknown ops format", withSpec("scn: 5", "opsFormat: avro"), /"avro"/, /json, json_schemas/, 11],
  ["one code in place of a list", withSpec("scn: 5", "accept: TRX501"), /where a list/, /accept: \[\]/, 11],
  ["a code of another form", withSpec("scn: 5", "accept: [trx501]"), /not a valid check code/, /TRX501/, 11],
  ["an unknown code", withSpec("scn: 5", "accept: [TRX510]"), /not a known check/, /Did you mean TRX501/, 11],
  ["a code that cannot be accepted", withSpec("scn: 5", "accept: [OFF103]"), /can't be accepted/, /explain OFF103/, 11],
  ["a code twice", withSpec("scn: 5", "accept: [TRX501, TRX501]"), /twice/, /Keep one/, 11],
  [
    "an invalid transaction id",
    withSpec("scn: 5", "forgetReleased: [4.9]"),
    /the value 4\.9|not a valid transaction id/,
    /1:4\.9\.771/,
    11,
  ],
  ["no transaction at all", withSpec("scn: 5", "forgetReleased: []"), /empty list/, /remove/i, 11],
  ["a reference", withChange("orders-cdc", "${env:HOME}"), /holds a reference/, /contexts file/, 8],
  ["a reference in a key", withSpec("scn: 5", '"${env:HOME}": 5'), /no key|holds a reference/, /./, 11],
];
for (const [title, text, message, remedy, line] of bad)
  planFile(`${title} is refused`, () => {
    const problems = problemsIn(text);
    const found = problems.find((problem) => message.test(problem.message));
    assert.ok(found, `wanted ${message}, got ${problems.map((problem) => problem.message).join(" | ")}`);
    assert.match(lineOf(found?.remedy ?? ""), remedy);
    assert.is(found?.file, "plan.yaml");
    assert.is(found?.line, line);
    assert.ok((found?.column ?? 0) >= 1);
    assert.not.match(JSON.stringify(problems), /hunter2/);
  });

const badScns: readonly (readonly [string, RegExp, RegExp])[] = [
  ['"2169287"', /text in quotes/, /without quotes: {2}scn: 2169287/],
  ["'abc'", /is text/, /scn: 2169287/],
  ["-5", /negative: -5/, /above 0/],
  ["0", /is 0/, /earliestAvailable: true/],
  ["000", /is 0/, /earliestAvailable: true/],
  ["2.169287e6", /point or an exponent/, /all its digits/],
  ["2169287.0", /point or an exponent/, /all its digits/],
  [".inf", /point or an exponent/, /all its digits/],
  ["0x211a07", /not written in decimal/, /scn: 2169351/],
  ["0o17", /not written in decimal/, /scn: 15/],
  ["017", /begins with a zero/, /octal/],
  ["+5", /not a valid SCN/, /decimal digits only/],
  ["2_169_287", /not a valid SCN/, /decimal digits only/],
  ["2,169,287", /not a valid SCN/, /decimal digits only/],
  ["9223372036854775808", /highest that a stored offset can hold/, /digit too many/],
  ["18446744073709551615", /no end yet/, /FIRST_CHANGE#/],
  ["18446744073709551616", /2\^64 or more/, /too many/],
  ["9".repeat(200_000), /2\^64 or more/, /too many/],
  ["true", /not a valid SCN/, /decimal digits/],
  ["", /empty/, /scn: 2169287/],
  ["[5]", /a list/, /scn: 2169287/],
  ["{}", /a map/, /scn: 2169287/],
];
for (const [scn, message, remedy] of badScns)
  planFile(`the SCN ${scn.slice(0, 30)} is refused`, () => {
    const [problem, ...more] = problemsIn(withSpec(`scn: ${scn}`));
    assert.match(problem?.message ?? "", message);
    assert.match(lineOf(problem?.remedy ?? ""), remedy);
    assert.is(problem?.line, 10);
    assert.is(more.length, 0);
    assert.ok((problem?.message ?? "").length < 200);
  });

const badMoments: readonly (readonly [string, RegExp, RegExp])[] = [
  ["2026-11-20T18:30:00", /no time zone/, /2026-11-20T18:30:00Z for UTC/],
  ["2026-11-20 18:30:00", /no time zone/, /2026-11-20T18:30:00Z for UTC/],
  ["2026-11-20", /without a time/, /zone/],
  ["2026-11-20T18:30Z", /no seconds/, /18:30:00Z/],
  ["2026-02-30T18:30:00Z", /not a valid timestamp/, /zone/],
  ["2026-11-20T18:30:00 Europe/Berlin", /not a valid timestamp/, /zone/],
  ["yesterday", /not a valid timestamp: "yesterday"/, /zone/],
  ["2026", /the value 2026, where text/, /2026-11-20T18:30:00Z/],
];
for (const [moment, message, remedy] of badMoments)
  planFile(`the timestamp ${moment} is refused`, () => {
    const [problem] = problemsIn(withSpec(`timestamp: ${moment}`));
    assert.match(problem?.message ?? "", message);
    assert.match(lineOf(problem?.remedy ?? ""), remedy);
    assert.is(problem?.line, 10);
  });

planFile("all problems are reported at once, in their order", () => {
  const text = withChange("name: orders-replay", "name: a b")
    .replace("context: prod", "contxt: prod")
    .replace("scn: 2169287", "scn: -1");
  assert.equal(
    problemsIn(`${GOOD}---\n${text}`).map(({ line }) => line),
    [15, 18, 21],
  );
});

planFile("only the first of very many problems are reported", () => {
  const many = Array.from({ length: 500 }, (_, index) => `k${index}: 1`).join("\n");
  const problems = problemsIn(`${GOOD}${many}\n`);
  assert.is(problems.length, 51);
  assert.match(problems.at(-1)?.message ?? "", /450 more/);
});

const hostile: readonly (readonly [string, string])[] = [
  [
    "a bomb of aliases",
    Array.from({ length: 30 }, (_, i) => `k${i}: &a${i} [${`*a${i - 1}, `.repeat(i === 0 ? 0 : 9)}x]`).join("\n"),
  ],
  ["200,000 aliases", `a: &a x\nb: [${"*a, ".repeat(200_000)}]`],
  ["a million brackets", "[".repeat(1_000_000)],
  ["maps in maps", "{a: ".repeat(200_000)],
  ["lists in lists", "- ".repeat(500_000)],
  ["keys in keys", "? ".repeat(500_000)],
  ["ever deeper lines", Array.from({ length: 1400 }, (_, level) => `${" ".repeat(level)}a:`).join("\n")],
  ["50,000 keys", Array.from({ length: 50_000 }, (_, key) => `k${key}: 1`).join("\n")],
  ["a million digits", `a: ${"9".repeat(1_000_000)}`],
  ["100,000 documents", "---\n".repeat(100_000)],
];
for (const [title, text] of hostile)
  planFile(`${title} end in a usage error, quickly`, () => {
    const begin = processorMillis();
    assert.ok(problemsIn(text).length > 0);
    assert.ok(processorMillis() - begin < 20_000);
  });

planFile("a misspelled key is one problem: what it stands for is not missing as well", () => {
  for (const text of [withSpec("snc: 5"), withChange("  reason", "  reasn")]) {
    const problems = problemsIn(text);
    assert.equal(problems.length, 1, JSON.stringify(problems));
    assert.match(lineOf(problems[0]?.remedy ?? ""), /^Did you mean (?:scn|reason)\?/);
  }
  assert.is(problemsIn(withSpec("spaceship: 5")).length, 2);
});

planFile("50 MB are refused before they are parsed", () => {
  const begin = processorMillis();
  const [problem] = problemsIn("a: b\n".repeat(10 * MAX_PLAN_FILE_BYTES));
  assert.match(problem?.message ?? "", /at most 1 MB/);
  assert.ok(processorMillis() - begin < 5_000);
});

planFile("a valid file with random changes is read or refused, never a bug", async () => {
  const piece = fc.oneof(
    fc.string({ unit: "grapheme", maxLength: 5 }),
    fc.constantFrom(
      ..."\t\n:-?[]{}&*!|>'\"%@`#,\0",
      "---\n",
      "<<: ",
      "*a",
      "&a ",
      "!!int ",
      "${env:X}",
      "__proto__: ",
      "- ",
      "null",
      "0x",
      "1e9",
      "\ud800",
    ),
  );
  const cut = fc.record({ at: fc.nat(800), length: fc.nat(30), piece });
  const origins = fc.constantFrom(GOOD, planFileTemplate("OffsetChange"), `${GOOD}---\n${GOOD}`);
  const holds = fc.property(origins, fc.array(cut, { minLength: 1, maxLength: 6 }), (origin, cuts) => {
    const text = cuts.reduce((so, { at, length, piece: put }) => {
      const place = at % (so.length + 1);
      return so.slice(0, place) + put + so.slice(place + length);
    }, origin);
    try {
      offsetChanges(text);
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      assert.ok(error.problems.length > 0);
      for (const { message, remedy, line } of error.problems) {
        assert.ok(message.length > 0 && lineOf(remedy ?? "").length > 0 && (line ?? 1) >= 1);
        // biome-ignore lint/suspicious/noControlCharactersInRegex: none may reach a terminal
        assert.not.match(`${message}${remedy}`, /[\u0000-\u001f\u007f-\u009f\u202a-\u202e]/);
      }
    }
  });
  await fc.assert(holds, { numRuns: 1500 });
});

// ---- Several problems and documents ---------------------------------------------------------------------------------

planFile("one connector twice is refused, both places named", () => {
  const here = parsePlanFile(GOOD, "a.yaml").intents;
  const there = parsePlanFile(`# second\n${GOOD}`, "b.yaml").intents;
  try {
    checkTogether([...here, ...there]);
    assert.unreachable();
  } catch (error) {
    assert.instance(error, UsageError);
    const [problem] = (error as UsageError).problems;
    assert.match(problem?.message ?? "", /"orders-cdc" is the target twice: here, and at a\.yaml:8/);
    assert.is(problem?.file, "b.yaml");
    assert.is(problem?.line, 9);
  }
});

planFile("a connector by one URL in two spellings is the same", () => {
  const one = offsetChanges(withChange("context: prod", "connectUrl: http://Connect:80/"));
  const other = offsetChanges(withChange("context: prod", "connectUrl: http://connect"));
  assert.throws(() => checkTogether([...one, ...other]), /twice/);
});

planFile("connectors of one name in two contexts are two", () => {
  checkTogether([
    ...offsetChanges(GOOD),
    ...offsetChanges(withChange("prod", "test")),
    ...offsetChanges(withChange("orders-cdc", "b")),
  ]);
});

// ---- The schema alone -----------------------------------------------------------------------------------------------

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
  assert.ok(asEditor(GOOD) && asEditor(planFileTemplate("OffsetChange")));
  const known = anyOf([
    /empty|blank file|file of|documents only|UTF|binary|control character in the text|YAML|tab|colon|twice|duplicate/,
    /tag|anchor|alias|unknown code|cannot be accepted|reference|bad port|surrogate|URL that is none/,
  ]);
  let refused = 0;
  for (const [title, text] of bad) {
    if (known.test(title)) continue;
    assert.not(asEditor(text), title);
    refused += 1;
  }
  assert.ok(refused > 30, `${refused}`);
});

planFile("a file of many broken documents is refused at once", () => {
  const begun = processorMillis();
  assert.throws(() => intentsOf("---\nb\n: c\n".repeat(20_000)));
  assert.ok(processorMillis() - begun < 10_000, `${processorMillis() - begun} ms`);
});

planFile("a file to start from is valid only once what is left blank is written", () => {
  for (const kind of KINDS) assert.throws(() => intentsOf(planFileToEdit(kind, {})), /reason is empty/, kind);
  const given = { context: "prod", connector: "a: b", scn: 7n };
  const [intent] = intentsOf(planFileToEdit("OffsetChange", given).replace("reason:", "reason: why"));
  assert.equal(intent?.target, { context: "prod", connectUrl: undefined, connector: "a: b" });
  assert.throws(() => planFileToEdit("Resnapshot", given), /Resnapshot has no scn/);
  const tables = ["ORCLPDB1.SALES.ORDERS", 'P."a, b".T'];
  const text = planFileToEdit("Resnapshot", { context: "prod", connector: "orders-cdc", tables });
  const [snapshot] = intentsOf(text.replace("reason:", "reason: why"));
  assert.equal(snapshot?.kind === "Resnapshot" && snapshot.tables, tables);
});

planFile("a kind is found in any spelling, and a wrong one gets a suggestion", () => {
  for (const text of ["OffsetChange", "offsetchange", "offset-change"]) assert.is(kindNamed(text), "OffsetChange");
  assert.throws(
    () => kindNamed("offsetchnge"),
    (error: UsageError) => /Did you mean OffsetChange/.test(lineOf(error.problems[0]?.remedy ?? "")),
  );
});

planFile.run();
