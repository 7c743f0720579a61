// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references are written like this

import * as fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { type Problem, UsageError } from "../errors.ts";
import { lineOf } from "../values/remedy.ts";
import { digestOfIntent, type MigrationIntent } from "./intent.ts";
import { planFileTemplate } from "./kinds.ts";
import { parsePlanFile } from "./plan-file.ts";

const planFile = suite("plan file of a migration");

const CODES = { acceptable: ["MIG107", "MIG108"], notices: ["MIG114"], others: ["MIG101"] };

const GOOD = `apiVersion: cdcctl/v1
kind: Migration
metadata:
  name: orders-to-cdc
  reason: leave the legacy connector
spec:
  phase: cutover
  from: { connector: orders-legacy }
  to:
    name: orders-cdc
`;

function migrations(text: string): readonly MigrationIntent[] {
  return parsePlanFile(text, "plan.yaml", { codes: CODES }).intents.flatMap((intent) =>
    intent.kind === "Migration" ? [intent] : [],
  );
}

function one(text: string): MigrationIntent {
  const [intent, ...more] = migrations(text);
  assert.ok(intent && more.length === 0);
  return intent;
}

function problemsIn(text: string): readonly Problem[] {
  try {
    migrations(text);
  } catch (error) {
    assert.instance(error, UsageError);
    return (error as UsageError).problems;
  }
  throw new Error("nothing was wrong with it");
}

/** The valid file with more lines in its spec, from line 11 on. */
const withSpec = (...lines: readonly string[]) => `${GOOD}${lines.map((line) => `  ${line}\n`).join("")}`;
/** The plan file with settings of the new connector in line 11. */
const withConfig = (config: string) => `${GOOD}    config: ${config}\n`;

planFile("a missing key has its default", () => {
  const { origin: _origin, ...intent } = one(GOOD);
  assert.equal(intent, {
    kind: "Migration",
    metadata: { name: "orders-to-cdc", reason: "leave the legacy connector", ticket: undefined },
    target: { context: undefined, connectUrl: undefined, connector: "orders-cdc" },
    phase: "cutover",
    from: { connector: "orders-legacy", leaveOut: [] },
    to: { name: "orders-cdc", config: {} },
    verify: undefined,
    evidence: intent.evidence,
    deleteTopics: false,
    deleteLicenceTopic: false,
    opsFormat: undefined,
    audit: undefined,
    accept: [],
  });
});

planFile("every key can be given, settings become text, and lines are known", () => {
  const intent = one(
    withConfig("{ cdc.lob.mode: skip, cdc.poll.max.records: 12345678901234567890, cdc.tombstones.on.delete: true }") +
      [
        "verify:",
        "  tables: [SALES.ORDERS, 'SALES.\"Odd, one\"']",
        "  topics: { 'SALES.\"Odd, one\"': orders.odd }",
        "  legacyTopics: { SALES.ORDERS: ORCLCDB.ORCLPDB1.SALES.ORDERS }",
        "  checkScn: 9223372036854775807",
        "  safetyMargin: 1m",
        "  wait: 1h",
        "  ignoreColumns: { SALES.ORDERS: [A, B] }",
        "  showValues: true",
        "  engine: spark",
        "accept: [MIG108, key.template]",
      ]
        .map((line) => `  ${line}\n`)
        .join(""),
  );
  assert.equal(intent.to.config, {
    "cdc.lob.mode": "skip",
    "cdc.poll.max.records": "12345678901234567890",
    "cdc.tombstones.on.delete": "true",
  });
  assert.equal(intent.verify, {
    tables: ["SALES.ORDERS", 'SALES."Odd, one"'],
    topics: { 'SALES."Odd, one"': "orders.odd" },
    legacyTopics: { "SALES.ORDERS": "ORCLCDB.ORCLPDB1.SALES.ORDERS" },
    checkScn: 9223372036854775807n,
    safetyMargin: 60_000n,
    wait: 3_600_000n,
    ignoreColumns: { "SALES.ORDERS": ["A", "B"] },
    showValues: true,
    engine: "spark",
  });
  assert.equal(intent.accept, ["MIG108", "key.template"]);
  assert.is(intent.origin.lines["spec.verify.tables"], 13n);
});

planFile("a plan file for Debezium says which version it is, where to start and what becomes of its topics", () => {
  const from = "{ connector: orders-legacy, kind: debezium, version: 2.7.3, startScn: 2090000 }";
  const intent = one(`${GOOD.replace("{ connector: orders-legacy }", from)}    topics: keep\n`);
  assert.equal(intent.from, {
    ...{ connector: "orders-legacy", kind: "debezium", version: "2.7.3" },
    ...{ startScn: 2090000n, leaveOut: [] },
  });
  assert.is(intent.to.topics, "keep");
});

planFile(
  "a legacy connector, version, start or choice of topics that does not exist is refused, each in its line",
  () => {
    const cases: readonly [from: string, topics: string, problem: RegExp][] = [
      ["kind: debezum", "new", /spec\.from\.kind.*debezum.*[Dd]id you mean debezium/],
      ["kind: DEBEZIUM", "new", /spec\.from\.kind/],
      ["knd: debezium", "new", /no key "?knd"?.*[Dd]id you mean kind/],
      ["version: 2.7", "new", /spec\.from\.version.*2\.7, where text is wanted/],
      ["version: latest", "new", /spec\.from\.version.*latest.*2\.7\.3/],
      ["startScn: 0", "new", /spec\.from\.startScn/],
      ['startScn: "2090000"', "new", /spec\.from\.startScn.*quot/],
      ["startSnc: 5", "new", /startSnc.*[Dd]id you mean startScn/],
      ["kind: debezium", "kep", /spec\.to\.topics.*kep.*[Dd]id you mean keep/],
      ["kind: debezium", "yes", /spec\.to\.topics/],
    ];
    for (const [from, topics, problem] of cases) {
      const text = `${GOOD.replace("orders-legacy }", `orders-legacy, ${from} }`)}    topics: ${topics}\n`;
      const [found, ...more] = problemsIn(text);
      assert.equal(more, [], from);
      assert.match(`${found?.message}: ${lineOf(found?.remedy ?? "")}`, problem);
      assert.is(found?.line, problem.source.includes("topics") ? 11 : 8, from);
    }
  },
);

planFile("the template is valid", () => {
  assert.is(one(planFileTemplate("Migration")).phase, "cutover");
});

const phaseOf = (text: string, phase: MigrationIntent["phase"]) =>
  parsePlanFile(text, "plan.yaml", { codes: CODES, phase }).intents[0] as MigrationIntent;

planFile("another phase on the command line gives the intent of a file with that phase and keeps the rest", () => {
  const asked = phaseOf(GOOD, "rollback");
  const written = one(GOOD.replace("phase: cutover", "phase: rollback"));
  assert.is(asked.phase, "rollback");
  assert.is(asked.origin.phaseOfFile, "cutover");
  assert.is(digestOfIntent(asked), digestOfIntent(written));
  assert.not.equal(digestOfIntent(asked), digestOfIntent(one(GOOD)));
  assert.equal(asked.origin.lines, written.origin.lines, "it is found where the file has the other one");
});

planFile("the file's own phase, and a phase for a file without one, are accepted", () => {
  assert.is(phaseOf(GOOD, "cutover").origin.phaseOfFile, undefined);
  const none = GOOD.replace(/ {2}phase.*\n/, "");
  assert.is(phaseOf(none, "retire").phase, "retire");
  assert.is(phaseOf(none, "retire").origin.phaseOfFile, undefined);
});

planFile("keys that another phase requires are required of the file, and a mistyped phase stays invalid", () => {
  assert.throws(() => phaseOf(GOOD.replace("cutover", "cut-over"), "retire"), /"cut-over"/);
  assert.throws(
    () => parsePlanFile(planFileTemplate("OffsetChange"), "plan.yaml", { phase: "verify" }),
    (error: UsageError) => {
      const [problem] = error.problems;
      assert.is(
        problem?.message,
        "--phase verify is for plan files of kind Migration; this one is of kind OffsetChange",
      );
      assert.is(problem?.file, "plan.yaml");
      assert.ok((problem?.line ?? 0) > 0);
      return true;
    },
  );
});

const bad: readonly (readonly [string, string, RegExp, RegExp, number])[] = [
  ["no phase", GOOD.replace(/ {2}phase.*\n/, ""), /spec\.phase is missing/, /phase: /, 6],
  ["a mistyped phase", GOOD.replace("cutover", "cut-over"), /"cut-over"/, /Did you mean cutover\?/, 7],
  [
    "no legacy connector",
    GOOD.replace("{ connector: orders-legacy }", "{}"),
    /spec\.from\.connector is missing/,
    /connector: /,
    8,
  ],
  [
    "no new name",
    GOOD.replace("    name: orders-cdc\n", "    topicPrefix: orders\n"),
    /spec\.to\.name is missing/,
    /name: /,
    9,
  ],
  ["a prefix that no topic can have", `${GOOD}    topicPrefix: "a b"\n`, /topicPrefix/, /./, 11],
  [
    "a context and a URL",
    GOOD.replace("spec:", "target: { context: a, connectUrl: 'http://x' }\nspec:"),
    /together/,
    /Keep one/,
    6,
  ],
  ["a password", withConfig("{ cdc.database.password: hunter2 }"), /holds a secret/, /context's file/, 11],
  ["a host", withConfig("{ cdc.database.host: evil }"), /where the connector goes/, /--config/, 11],
  ["brokers", withConfig("{ cdc.stream.bootstrap.servers: evil }"), /where the connector goes/, /--config/, 11],
  ["a class", withConfig("{ connector.class: x }"), /what the migration sets/, /Remove it/, 11],
  ["a start", withConfig("{ cdc.start.scn: 5 }"), /what the takeover sets/, /Remove it/, 11],
  [
    "a URL as a value",
    withConfig("{ cdc.ops.topic: 'http://u:hunter2@evil' }"),
    /config\.cdc\.ops\.topic holds a URL/,
    /context's file/,
    11,
  ],
  ["a reference as a value", withConfig("{ cdc.ops.topic: '${env:HOME}' }"), /holds a reference/, /contexts file/, 11],
  ["a reference as a name", withConfig("{ '${env:HOME}': x }"), /holds a reference/, /./, 11],
  [
    "a value of another form",
    withConfig("{ cdc.lob.mode: hunter2 }"),
    /cdc\.lob\.mode has a value of another/,
    /./,
    11,
  ],
  ["a converter's host", withConfig("{ value.converter.registryUrl: 'evil:8081' }"), /not one of the/, /--config/, 11],
  ["a mistyped setting", withConfig("{ cdc.lob.mod: skip }"), /not one of the/, /Did you mean cdc\.lob\.mode/, 11],
  ["a setting that is a list", withConfig("{ cdc.lob.mode: [1] }"), /a list, where/, /./, 11],
  ["a legacy connector without a name", GOOD.replace("orders-legacy", '""'), /from\.connector is blank/, /value/, 8],
  ["a legacy connector named ..", GOOD.replace("orders-legacy", '".."'), /from\.connector is "\.\."/, /name/, 8],
  ["a new connector named .", GOOD.replace("orders-cdc", '"."'), /to\.name is "\."/, /name/, 10],
  [
    "no name of a topic's table",
    withSpec('verify: { tables: [A.B], topics: { "": x } }'),
    /topics\. is blank/,
    /./,
    11,
  ],
  ["nothing accepted", withSpec('accept: [""]'), /accept\[0\] is blank/, /value/, 11],
  ["no table to verify", withSpec("verify: { tables: [] }"), /empty list/, /Add an item/, 11],
  ["a table without owner", withSpec("verify: { tables: [ORDERS] }"), /not a valid table name/, /OWNER\.TABLE/, 11],
  ["an invalid topic", withSpec("verify: { tables: [A.B], legacyTopics: { A.B: 'a b' } }"), /legacyTopics/, /./, 11],
  ["an invalid new topic", withSpec("verify: { tables: [A.B], topics: { A.B: 'a b' } }"), /topics/, /./, 11],
  ["a mistyped new topic", withSpec("verify: { tables: [A.B], topic: {} }"), /no key/, /Did you mean topics/, 11],
  ["an invalid SCN", withSpec("verify: { tables: [A.B], checkScn: abc }"), /checkScn/, /./, 11],
  ["a duration without unit", withSpec("verify: { tables: [A.B], wait: '10' }"), /not a valid duration/, /10m/, 11],
  ["a code that cannot be accepted", withSpec("accept: [MIG101]"), /can't be accepted/, /explain MIG101/, 11],
  ["a code of a notice", withSpec("accept: [MIG114]"), /is a notice/, /remove/i, 11],
  ["an unknown code", withSpec("accept: [MIG188]"), /not a known check/, /Did you mean MIG1/, 11],
  ["an accepted name twice", withSpec("accept: [a, a]"), /twice/, /Keep one/, 11],
  ["a name that hides text", withSpec('accept: ["a\\u202eb"]'), /U\+202E/, /remove/i, 11],
  ["a mistyped key", withSpec("deleteTopic: true"), /no key "deleteTopic"/, /Did you mean deleteTopics\?/, 11],
  ["yes in place of true", withSpec("deleteTopics: yes"), /where true or false/, /true/, 11],
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
    for (const problem of problems) assert.not.match(`${problem.message} ${problem.remedy}`, "hunter2");
  });

planFile("the evidence stays in the plan file's folder, or below it", () => {
  for (const path of [
    "/etc/x.json",
    "../x.json",
    "a/../../x",
    "..",
    "C:\\x",
    "a\\..\\..\\x",
    "\\\\evil\\x",
    "a/",
    "",
  ]) {
    const [problem] = problemsIn(withSpec(`evidence: '${path}'`));
    assert.match(problem?.message ?? "", /spec\.evidence is (?:blank|".*", which leads out of)/, path);
  }
  for (const path of ["x.json", "./x.json", "below/x.json", "..x/a..json", "...json"])
    assert.is(one(withSpec(`evidence: '${path}'`)).evidence, path);
});

planFile("a refused setting is named once, whatever its value", () => {
  for (const [name, value] of [
    ["cdc.database.host", "http://evil"],
    ["cdc.database.password", "[1]"],
    ["name", "x"],
    ["connector.class", "x"],
  ] as const) {
    const text = problemsIn(withConfig(`{ ${name}: '${value}' }`)).map(({ message }) => message);
    assert.is(text.length, 1, text.join(" | "));
    assert.is(text[0]?.split(name === "name" ? "config.name" : name).length, 2, text[0]);
  }
});

planFile("settings named like members of every object are refused like any other", () => {
  for (const name of ["constructor", "toString", "hasOwnProperty"])
    assert.match(
      problemsIn(withConfig(`{ ${name}: x }`))[0]?.message ?? "",
      `config.${name} is not one of the settings`,
    );
});

planFile("the value of a setting with a long name is judged by the whole name", () => {
  const name = `topic.creation.${"g".repeat(100)}.partitions`;
  assert.is(one(withConfig(`{ ${name}: 6 }`)).to.config[name], "6");
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
      "A.B",
      "- ",
      "null",
      "1e9",
      "__proto__: ",
    ),
  );
  const cut = fc.record({ at: fc.nat(3000), length: fc.nat(30), piece });
  const origins = fc.constantFrom(GOOD, planFileTemplate("Migration"), withConfig("{ cdc.lob.mode: skip }"));
  await fc.assert(
    fc.property(origins, fc.array(cut, { minLength: 1, maxLength: 6 }), (origin, cuts) => {
      const text = cuts.reduce((so, { at, length, piece: put }) => {
        const place = at % (so.length + 1);
        return so.slice(0, place) + put + so.slice(place + length);
      }, origin);
      try {
        migrations(text);
      } catch (error) {
        if (!(error instanceof UsageError)) throw error;
        assert.ok(error.problems.length > 0);
      }
    }),
    { numRuns: 500 },
  );
});

planFile.run();
