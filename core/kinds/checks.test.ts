// biome-ignore lint/style/noRestrictedImports: the test looks at which files there are
import { readdirSync, readFileSync } from "node:fs";
// biome-ignore lint/style/noRestrictedImports: the test looks at which files there are
import { fileURLToPath } from "node:url";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { type AnyCheck, type Check, fail, type Grade } from "../checks/check.ts";
import { findings } from "../checks/finding.ts";
import { REFUSALS } from "../refusals.ts";
import { CHECKS } from "./checks.ts";
import * as migration from "./migration/testing/build-readings.ts";
import { intent, reading, STORED, unseen } from "./offset-change/testing/build-facts.ts";
import * as resnapshot from "./resnapshot/testing/build-facts.ts";

const catalogue = suite("the catalogue of checks");

const checks = [...new Set<AnyCheck>(Object.values(CHECKS).flat())];
const FOLDER = new URL("../checks/", import.meta.url);
const files = readdirSync(fileURLToPath(FOLDER), { recursive: true, encoding: "utf8" });
const sources = files.filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"));

/** The checks of a file: whatever it exports that has a code. */
async function checksIn(source: string): Promise<readonly AnyCheck[]> {
  const compiled = `../checks/${source.replace(".ts", ".js")}`;
  const exported = (await import(compiled)) as Record<string, unknown>;
  return Object.values(exported).filter(
    (value): value is AnyCheck => typeof value === "object" && value !== null && "code" in value,
  );
}

catalogue("holds every check that a file exports, each once", async () => {
  const exported = (await Promise.all(sources.map(checksIn))).flat();
  assert.ok(exported.length > 100);
  assert.equal(new Set(exported), new Set(checks));
  assert.is(checks.length, exported.length);
});

catalogue("every check has a suite of its own, named by its code, in the test beside its file", async () => {
  for (const source of sources)
    for (const { code } of await checksIn(source)) {
      const test = source.replace(".ts", ".test.ts");
      assert.ok(files.includes(test), `${source} has a test`);
      assert.match(readFileSync(new URL(test, FOLDER), "utf8"), `const ${code} = suite("${code} `);
    }
});

catalogue("no code has two meanings", () => {
  // The same finding may be one check a kind, for what each of them puts at risk.
  const meanings = new Set([...checks, ...REFUSALS].map((of) => [of.code, of.title, of.problem, of.remedy].join("\n")));
  const codes = [...meanings].map((meaning) => meaning.slice(0, 6));
  assert.is(new Set(codes).size, codes.length);
  for (const code of codes) assert.match(code, /^[A-Z]{3}\d{3}$/);
});

catalogue("each states in plain sentences what it checks, what the problem is and what to do", () => {
  for (const { code, title, problem, remedy } of [...checks, ...REFUSALS]) {
    assert.match(title, /^[A-Z`].{9,79}[^.]$/, `title of ${code}`);
    for (const text of [problem, remedy]) {
      assert.match(text, /^[A-Z`-].{8,}[.?`)]$|^ALTER|^PATCH/s, `${code}: ${text}`);
      assert.not.match(text, /undefined|TODO|\$\{|\n| {2}/, `${code}: ${text}`);
    }
  }
});

catalogue("the specification's rules are shown in their order: SCN, redo, skipping", () => {
  const at = (code: string) => CHECKS.OffsetChange.findIndex((check) => check.code === code);
  assert.ok(at("OFF101") < at("OFF102") && at("OFF102") < at("OFF103"));
});

catalogue("an unobstructed backward move raises only what can never be observed", () => {
  const found = findings(CHECKS.OffsetChange, intent(), reading({ stored: { ...STORED, released_xids: null } }));
  assert.equal(
    found.filter(({ verdict }) => verdict !== "pass").map(({ code }) => code),
    ["CON304"],
  );
});

catalogue("no check is run twice for one kind", () => {
  for (const own of Object.values(CHECKS)) assert.is(new Set<unknown>(own).size, own.length);
});

catalogue("the specification's rules of a resnapshot are in order: tables, an SCN after the gap, the unlisted", () => {
  const at = (code: string) => CHECKS.Resnapshot.findIndex((check) => check.code === code);
  assert.ok(at("SNP901") < at("SNP905") && at("SNP905") < at("SNP903"));
});

catalogue("an unobstructed signal raises nothing", () => {
  const found = findings(CHECKS.Resnapshot, resnapshot.intent(), resnapshot.reading());
  assert.equal(
    found.filter(({ verdict }) => verdict !== "pass").map(({ code }) => code),
    [],
  );
});

catalogue("past a gap, with every table named, only what can never be observed is raised", () => {
  const wanted = resnapshot.intent({ tables: [resnapshot.ORDERS, resnapshot.LINES, resnapshot.ITEMS], resume: true });
  const found = findings(CHECKS.Resnapshot, wanted, resnapshot.pastTheGap({}, wanted));
  assert.equal(
    found.filter(({ verdict }) => verdict !== "pass").map(({ code }) => code),
    ["CON304"],
  );
});

catalogue("no acceptable check of a resnapshot is a refusal that the specification requires", () => {
  const acceptable = CHECKS.Resnapshot.filter(({ grade }) => grade === "acceptable").map(({ code }) => code);
  assert.equal(acceptable, [
    "OFF118",
    "TAB112",
    "TRX501",
    "SNP918",
    "OPS609",
    "OPS603",
    "DBA401",
    "DBA402",
    "DBA403",
    "RED203",
    "CON308",
  ]);
});

const phases = () =>
  [
    ["cutover", findings(CHECKS.cutover, migration.intent(), migration.cutover())],
    ["verify", findings(CHECKS.verify, migration.intent({ phase: "verify" }), migration.verification())],
    ["rollback", findings(CHECKS.rollback, migration.intent({ phase: "rollback" }), migration.goingBack())],
    ["retire", findings(CHECKS.retire, migration.intent({ phase: "retire" }), migration.retirement())],
  ] as const;

catalogue("an unobstructed phase of a migration raises only what can never be observed", () => {
  assert.equal(
    phases().map(([phase, found]) => [
      phase,
      ...found.flatMap(({ code, verdict }) => (verdict === "pass" ? [] : code)),
    ]),
    [["cutover", "MIG107", "CON304"], ["verify"], ["rollback", "CON304"], ["retire"]],
  );
});

catalogue("the acceptable checks of a migration are those that the plan file may accept, and none that deletes", () => {
  const acceptable = (checks: readonly { readonly code: string; readonly grade: string }[]) =>
    checks.flatMap(({ code, grade }) => (grade === "acceptable" ? code : []));
  assert.equal(acceptable(CHECKS.cutover), [
    "MIG124",
    "MIG122",
    "MIG116",
    "MIG117",
    "MIG119",
    "MIG123",
    "MIG127",
    "MIG107",
    "MIG108",
    "MIG109",
    "DBA401",
    "DBA402",
    "DBA403",
    "RED203",
    // Where it is but a hint: a Strimzi that is certain is refused (its own test).
    "CON308",
  ]);
  assert.equal(acceptable(CHECKS.verify), ["MIG204"]);
  assert.equal(acceptable(CHECKS.rollback), ["MIG308", "MIG301", "MIG303", "OPS609", "OPS603", "CON308"]);
  assert.equal(acceptable(CHECKS.retire), ["CON308"]);
});

const HIDDEN = unseen("the right is missing");

catalogue("no phase of a migration continues while one of its facts is unknown, unless it only warns", () => {
  const verdicts = (found: ReturnType<typeof findings>) =>
    found.flatMap(({ code, verdict, effect }) => (verdict === "unknown" ? [`${code} ${effect}`] : []));
  const cutover = (parts: Parameters<typeof migration.cutover>[0]) =>
    // That can never be seen.
    verdicts(findings(CHECKS.cutover, migration.intent(), migration.cutover(parts))).filter(
      (one) => one !== "MIG107 warns",
    );
  assert.equal(cutover({ installed: HIDDEN }), ["MIG103 blocks", "MIG104 blocks"]);
  assert.equal(cutover({ problems: HIDDEN }), ["MIG104 blocks"]);
  assert.equal(cutover({ topics: HIDDEN }), ["MIG108 blocks"]);
  assert.equal(cutover({ dictionary: HIDDEN }), ["MIG121 blocks"]);
  assert.equal(cutover({ others: HIDDEN }), ["MIG109 blocks"]);
  assert.equal(cutover({ probes: HIDDEN }), ["MIG112 blocks"]);
  assert.equal(cutover({ transactions: HIDDEN }), ["MIG119 blocks"]);
  assert.equal(cutover({ redo: HIDDEN }), ["MIG112 blocks", "RED203 warns", "RED202 warns"]);
  assert.equal(cutover({ brokers: HIDDEN }), ["OPS606 warns"]);

  const verify = migration.intent({ phase: "verify" });
  const verification = (parts: Parameters<typeof migration.verification>[0]) =>
    verdicts(findings(CHECKS.verify, verify, migration.verification(parts)));
  assert.equal(verification({ dictionary: HIDDEN }), ["MIG201 blocks"]);
  assert.equal(verification({ read: HIDDEN }), ["MIG206 blocks", "MIG204 blocks", "MIG205 warns"]);

  const back = migration.intent({ phase: "rollback", deleteTopics: true });
  const goingBack = (parts: Parameters<typeof migration.goingBack>[0]) =>
    verdicts(findings(CHECKS.rollback, back, migration.goingBack(parts, back)));
  assert.equal(goingBack({ redo: HIDDEN }), ["MIG301 blocks"]);
  assert.equal(goingBack({ probes: HIDDEN }), ["MIG301 blocks"]);
  assert.equal(goingBack({ cutover: HIDDEN }), ["MIG303 warns"]);
  for (const parts of [{ topics: HIDDEN }, { dictionary: HIDDEN }, { others: HIDDEN }])
    assert.equal(goingBack(parts), ["MIG306 blocks"]);
  assert.equal(goingBack({ opsTopic: HIDDEN }), ["OPS601 blocks", "OPS602 warns"]);
  assert.equal(goingBack({ opsHistory: HIDDEN }), ["OPS603 blocks"]);

  const retire = migration.intent({ phase: "retire", deleteLicenceTopic: true });
  const retirement = (parts: Parameters<typeof migration.retirement>[0]) =>
    verdicts(findings(CHECKS.retire, retire, migration.retirement(parts, retire)));
  assert.equal(retirement({ evidence: HIDDEN }), ["MIG401 blocks"]);
  assert.equal(retirement({ verifications: HIDDEN }), ["MIG402 blocks", "MIG403 blocks"]);
  assert.equal(retirement({ cutover: HIDDEN }), ["MIG402 blocks"]);
  assert.equal(retirement({ dictionary: HIDDEN }), [
    "MIG404 blocks",
    "MIG405 blocks",
    "MIG409 warns",
    "MIG413 blocks",
    "MIG411 blocks",
  ]);
  assert.equal(retirement({ topics: HIDDEN }), ["MIG405 blocks", "MIG409 warns", "MIG413 blocks", "MIG411 blocks"]);
  assert.equal(retirement({ groups: HIDDEN }), ["MIG405 blocks"]);
  assert.equal(retirement({ others: HIDDEN }), ["MIG408 blocks", "MIG413 blocks"]);
});

const stub = (grade: Grade, firm = false): Check<unknown, unknown> => ({
  code: "OFF999",
  title: "A stub",
  problem: "None.",
  remedy: "Do the usual.",
  grade,
  run: () => fail("as it should not be", { at: "spec.forgetReleased", firm }),
});

const effects: readonly (readonly [Check<unknown, unknown>, "plan file" | "admin" | "rollback", boolean, string])[] = [
  [stub("refusal"), "plan file", true, "blocks"],
  [stub("refusal"), "admin", true, "blocks"],
  [stub("acceptable"), "plan file", false, "blocks"],
  [stub("acceptable"), "plan file", true, "accepted"],
  [stub("acceptable"), "rollback", false, "blocks"],
  [stub("acceptable"), "admin", false, "warns"],
  [stub("acceptable", true), "admin", false, "blocks"],
  [stub("acceptable", true), "plan file", true, "accepted"],
  [stub("advisory"), "plan file", false, "warns"],
  [stub("advisory"), "admin", false, "warns"],
];
for (const [check, by, accepted, effect] of effects)
  catalogue(`${check.grade} by ${by}${accepted ? ", accepted" : ""}: ${effect}`, () => {
    const [found] = findings([check], intent({ by, accept: accepted ? ["OFF999"] : [] }), reading());
    assert.is(found?.effect, effect);
    assert.equal(found?.remedies, ["Do the usual."], "its own remedy where the case has none");
  });

catalogue("a finding points to the line of the plan file, or of the section", () => {
  const [found] = findings([stub("refusal")], intent(), reading());
  assert.equal(found?.at, { path: "spec.forgetReleased", file: "orders-replay.yaml", line: 10n });
});

catalogue("an unknown fact has the effect that the check defines", () => {
  const on = reading({ opsTopic: unseen() });
  const found = findings(CHECKS.OffsetChange, intent(), on).filter(({ verdict }) => verdict === "unknown");
  assert.equal(
    found.map(({ code, effect }) => [code, effect]),
    [
      ["OPS601", "blocks"],
      ["OPS602", "warns"],
    ],
  );
});

catalogue.run();
