import { suite } from "uvu";
import * as assert from "uvu/assert";
import { cutover, effectOf, intent, resultOf, verdictOf } from "../kinds/migration/testing/build-readings.ts";
import { dictionary, LEGACY_OFFSETS, settings, table } from "../kinds/migration/testing/story.ts";
import { known, unseen } from "../kinds/offset-change/testing/build-facts.ts";
import { inSequence } from "../values/regexp.ts";
import {
  acceptedInVain,
  configurationInvalid,
  manualPropertiesOpen,
  missingSecrets,
  tablesNotCaptured,
  transformsColumns,
} from "./cutover-configuration.ts";

const MIG101 = suite("MIG101 properties without a translation");

const PROPERTIES = { "key.template": "x", "oracle.date.mapping": "timestamp" };
const accepting = (...accept: readonly string[]) => intent({ accept });

MIG101("passes where everything is translated", () => {
  assert.is(effectOf(manualPropertiesOpen, cutover()), "none");
});

MIG101("refuses, and names each with the required action", () => {
  const result = resultOf(manualPropertiesOpen, cutover({ properties: PROPERTIES }));
  assert.match(result, /^key\.template: the key is .*; oracle\.date\.mapping: a DATE is/);
  assert.match(result, '["key.template","oracle.date.mapping"]');
});

MIG101("requires each to be named separately", () => {
  const one = accepting("key.template");
  assert.is(effectOf(manualPropertiesOpen, cutover({ properties: PROPERTIES }, one), one), "blocks");
  assert.not.match(resultOf(manualPropertiesOpen, cutover({ properties: PROPERTIES }, one), one), "key.template");
  const both = accepting("oracle.date.mapping", "key.template");
  assert.is(effectOf(manualPropertiesOpen, cutover({ properties: PROPERTIES }, both), both), "none");
});

MIG101("is not accepted as a whole, by its code", () => {
  const code = accepting("MIG101");
  assert.is(effectOf(manualPropertiesOpen, cutover({ properties: PROPERTIES }, code), code), "blocks");
});

MIG101("names every one of very many, and never a value", () => {
  const many = Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`x.unknown.${i}`, `hunter${i}`]));
  const result = resultOf(manualPropertiesOpen, cutover({ properties: many }));
  for (const name of Object.keys(many)) assert.match(result, `${name}: `);
  assert.not.match(result, "hunter");
});

const MIG123 = suite("MIG123 transformations that read columns");

const SMT = "org.apache.kafka.connect.transforms";
const transforming = (config: Readonly<Record<string, string>>) => cutover({ settings: { config } });

MIG123("passes without transformations, and for those that read no column", () => {
  assert.is(effectOf(transformsColumns, cutover()), "none");
  const on = transforming({ transforms: "r", "transforms.r.type": `${SMT}.RegexRouter`, "transforms.r.regex": ".*" });
  assert.is(effectOf(transformsColumns, on), "none");
});

MIG123("blocks unless accepted, naming each with its fields, and predicates", () => {
  const on = transforming({
    transforms: "m, c",
    "transforms.m.type": `${SMT}.MaskField$Value`,
    "transforms.m.fields": "EMAIL",
    "transforms.c.type": "com.example.Scramble",
    predicates: "t",
    "predicates.t.type": `${SMT}.predicates.TopicNameMatches`,
    "predicates.t.pattern": "ORCL[.].*",
  });
  assert.is(effectOf(transformsColumns, on), "blocks");
  assert.is(effectOf(transformsColumns, on, intent({ accept: ["MIG123"] })), "accepted");
  assert.match(
    resultOf(transformsColumns, on),
    "transforms.m (MaskField$Value, fields=EMAIL), transforms.c (Scramble) and predicates.t (TopicNameMatches, " +
      "pattern=ORCL[.].*)",
  );
});

for (const [type, settings, named] of [
  [`${SMT}.MaskField$Value`, { fields: "EMAIL,DOB" }, "MaskField$Value, fields=EMAIL,DOB"],
  [`${SMT}.ReplaceField$Value`, { blacklist: "SSN" }, "ReplaceField$Value, blacklist=SSN"],
  [
    `${SMT}.ReplaceField$Value`,
    { exclude: "SSN", renames: "DOB:BORN" },
    "ReplaceField$Value, exclude=SSN, renames=DOB:BORN",
  ],
  [`${SMT}.ReplaceField$Value`, { include: "ID" }, "ReplaceField$Value, include=ID"],
  [`${SMT}.ExtractField$Value`, { field: "EMAIL" }, "ExtractField$Value, field=EMAIL"],
  [`${SMT}.Cast$Value`, { spec: "AMOUNT:float64" }, "Cast$Value, spec=AMOUNT:float64"],
  [`${SMT}.TimestampConverter$Value`, { field: "DOB", "target.type": "string" }, "TimestampConverter$Value, field=DOB"],
  ["io.confluent.connect.transforms.Filter$Value", { "filter.condition": "$[?(@.ID)]" }, "filter.condition=$[?(@.ID)]"],
] as const)
  MIG123(`names ${named}, for which the columns lie below before and after`, () => {
    const of = Object.entries(settings).map(([name, value]) => [`transforms.t.${name}`, value]);
    const on = transforming({ transforms: "t", "transforms.t.type": type, ...Object.fromEntries(of) });
    assert.is(effectOf(transformsColumns, on), "blocks");
    const [first = ""] = resultOf(transformsColumns, on).split("\n");
    assert.match(first, /^columns now lie below before and after, .*: transforms\.t \(/);
    assert.ok(first.endsWith(`${named})`), first);
  });

MIG123("names a predicate on a column, whatever asks it", () => {
  const on = transforming({
    transforms: "r",
    "transforms.r.type": `${SMT}.RegexRouter`,
    "transforms.r.predicate": "vip",
    predicates: "vip",
    "predicates.vip.type": "com.example.FieldEquals",
    "predicates.vip.field": "VIP",
  });
  assert.match(resultOf(transformsColumns, on), /legacy records: predicates\.vip \(FieldEquals, field=VIP\)\n/);
});

MIG123("passes where the records are flat, or unwrapped before", () => {
  const mask = { "transforms.m.type": `${SMT}.MaskField$Value`, "transforms.m.fields": "EMAIL" };
  assert.is(
    effectOf(transformsColumns, transforming({ transforms: "m", ...mask, "cdc.output.format": "flat" })),
    "none",
  );
  const unwrap = { "transforms.u.type": "io.debezium.transforms.ExtractNewRecordState" };
  assert.is(effectOf(transformsColumns, transforming({ transforms: "u,m", ...mask, ...unwrap })), "none");
  assert.is(effectOf(transformsColumns, transforming({ transforms: "m,u", ...mask, ...unwrap })), "blocks");
  const sometimes = { ...unwrap, "transforms.u.predicate": "p" };
  assert.is(effectOf(transformsColumns, transforming({ transforms: "u,m", ...mask, ...sometimes })), "blocks");
  const hoist = { "transforms.h.type": `${SMT}.HoistField$Value`, "transforms.h.field": "row" };
  assert.is(effectOf(transformsColumns, transforming({ transforms: "u,h,m", ...mask, ...unwrap, ...hoist })), "blocks");
});

const MIG102 = suite("MIG102 settings that are still masked");

MIG102("passes where every value is given", () => {
  assert.is(effectOf(missingSecrets, cutover()), "none");
});

MIG102("names a single one", () => {
  assert.match(
    resultOf(missingSecrets, cutover({ lacking: ["cdc.database.password"] })),
    /is known for cdc\.database\.password: its value is not given anywhere\n/,
  );
});

MIG102("refuses, names each, and says where values belong", () => {
  const on = cutover({ lacking: ["cdc.database.password", "value.converter.basic.auth.user.info"] });
  assert.is(effectOf(missingSecrets, on, intent({ accept: ["MIG102"] })), "blocks");
  assert.match(
    resultOf(missingSecrets, on),
    inSequence([
      /^only the mask .* is known for cdc\.database\.password and value\.converter\.basic\.auth\.user\.info: .*\n/,
      /.*connector's file in the context.*--config/,
    ]),
  );
});

const MIG121 = suite("MIG121 delivered tables that the new connector does not capture");

const capturing = (tables: Partial<ReturnType<typeof settings>["tables"]>, wanted = intent()) =>
  cutover({ settings: { tables: { ...settings().tables, ...tables } } }, wanted);

MIG121("passes where every delivered table is captured, also one that was dropped since", () => {
  assert.is(effectOf(tablesNotCaptured, cutover()), "none");
  assert.is(effectOf(tablesNotCaptured, cutover({ dictionary: known(dictionary(table("ORDERS"))) })), "none");
});

for (const [name, tables] of [
  ["a PDB in another case", { pdbs: ["orclpdb1"], include: "orclpdb1[.]SALES[.].*" }],
  ["a mistyped PDB", { include: "ORCLPDB[.]SALES[.].*" }],
  ["the SID before the PDB", { include: "ORCLCDB[.]ORCLPDB1[.]SALES[.].*" }],
  ["an exclusion of all", { exclude: "ORCLPDB1[.]SALES[.].*" }],
] as const)
  MIG121(`refuses a connector that captures no table: ${name}`, () => {
    const on = capturing(tables);
    assert.is(effectOf(tablesNotCaptured, on, intent({ accept: ["MIG121"] })), "blocks");
    const [first] = resultOf(tablesNotCaptured, on).split("\n");
    assert.is(
      first,
      "orders-cdc captures no table; orders-legacy has stored offsets of ORCLPDB1.SALES.ORDERS and " +
        "ORCLPDB1.SALES.LINES, which orders-cdc does not capture",
    );
  });

MIG121("refuses where one of the delivered tables is not captured, and names it and the ways out", () => {
  for (const tables of [{ include: "ORCLPDB1[.]SALES[.]LINES" }, { exclude: "ORCLPDB1[.]SALES[.]ORDERS" }]) {
    const on = capturing(tables);
    assert.is(effectOf(tablesNotCaptured, on, intent({ accept: ["MIG121"] })), "blocks");
    const result = resultOf(tablesNotCaptured, on);
    assert.match(result, /^orders-legacy has stored offsets of ORCLPDB1\.SALES\.ORDERS, which orders-cdc does not/);
    assert.match(result, 'spec.from.leaveOut: ["ORCLPDB1.SALES.ORDERS"]');
    const leaving = intent({ from: { leaveOut: ["ORCLPDB1.SALES.ORDERS"] } });
    assert.is(effectOf(tablesNotCaptured, capturing(tables, leaving), leaving), "none");
  }
});

MIG121("refuses a connector without cdc.tables.include, whatever is accepted", () => {
  const on = capturing({ include: undefined });
  assert.is(effectOf(tablesNotCaptured, on, intent({ accept: ["MIG121"] })), "blocks");
  assert.match(resultOf(tablesNotCaptured, on), /^orders-legacy has stored offsets of ORCLPDB1\.SALES\.ORDERS and OR/);
});

MIG121("names a table that is not captured also where the dictionary can't be read", () => {
  const parts = { settings: { tables: { ...settings().tables, include: "ORCLPDB1[.]SALES[.]LINES" } } };
  assert.is(effectOf(tablesNotCaptured, cutover({ ...parts, dictionary: unseen() })), "blocks");
  assert.match(
    resultOf(tablesNotCaptured, cutover({ ...parts, dictionary: unseen() })),
    "ORCLPDB1.SALES.ORDERS, which",
  );
});

MIG121("refuses a connector that captures no table even if nothing was delivered", () => {
  const on = cutover({ dictionary: known(dictionary(table("CALLS", "CRM"))), legacy: { offsets: [] } });
  assert.match(resultOf(tablesNotCaptured, on), /^orders-cdc captures no table\n/);
});

MIG121("takes a stored name in another case, and one without a PDB, for what the database has", () => {
  const [database] = LEGACY_OFFSETS;
  for (const catalog of [{ catalog: "orclpdb1" }, {}]) {
    const partition = { ...catalog, schema: "SALES", table: "ORDERS" };
    const offsets = [...(database === undefined ? [] : [database]), { partition, offset: { scn: 5n } }];
    assert.is(effectOf(tablesNotCaptured, cutover({ legacy: { offsets } })), "none");
  }
});

MIG121("can be accepted where the captured tables are unknown, and blocks until it is", () => {
  for (const on of [
    cutover({ dictionary: unseen() }),
    capturing({ include: "ORCLPDB1[.]SALES[.](?<!A).*" }),
    { ...cutover(), captured: { known: false as const, why: "of an earlier version", remedies: [] } },
  ]) {
    assert.is(verdictOf(tablesNotCaptured, on), "unknown");
    assert.is(effectOf(tablesNotCaptured, on), "blocks");
    assert.is(effectOf(tablesNotCaptured, on, intent({ accept: ["MIG121"] })), "accepted");
  }
});

MIG121("takes the captured tables of the plan file where no pattern decides", () => {
  const include = "ORCLPDB1[.]SALES[.](?<!A).*";
  const all = capturing({ include }, intent({ capturedTables: ["SALES.ORDERS", "SALES.LINES"] }));
  assert.is(verdictOf(tablesNotCaptured, all), "pass");
  const fewer = capturing({ include }, intent({ capturedTables: ["SALES.LINES"] }));
  assert.match(resultOf(tablesNotCaptured, fewer), "ORDERS");
});

const MIG104 = suite("MIG104 a configuration that a worker rejects");

const problems = known([
  { setting: "cdc.lob.mode", errors: [" Invalid value sometimes", "it is one of skip, inline"] },
  { setting: "cdc.database.password", errors: ["ORA-01017"] },
]);

MIG104("passes where the worker reports nothing", () => {
  assert.is(effectOf(configurationInvalid, cutover()), "none");
});

MIG104("refuses, with each setting and the worker's message", () => {
  const on = cutover({ problems });
  assert.is(effectOf(configurationInvalid, on, intent({ accept: ["MIG104"] })), "blocks");
  assert.match(
    resultOf(configurationInvalid, on),
    /^cdc\.lob\.mode: Invalid value sometimes it is one of skip, inline; cdc\.database\.password: ORA-01017/,
  );
});

MIG104("ignores messages about a mask", () => {
  assert.not.match(
    resultOf(configurationInvalid, cutover({ problems, lacking: ["cdc.database.password"] })),
    "password",
  );
});

MIG104("truncates a long answer to a line", () => {
  const long = known([{ setting: "cdc.lob.mode", errors: [`bad\n\tat ${"x".repeat(5000)}`] }]);
  const result = resultOf(configurationInvalid, cutover({ problems: long }));
  assert.ok(result.length < 600 && !result.split("\n", 1)[0]?.includes("\t"));
});

MIG104("never passes where no worker could be asked; leaves a missing class to MIG103", () => {
  for (const parts of [{ problems: unseen() }, { installed: unseen() }]) {
    assert.is(verdictOf(configurationInvalid, cutover(parts)), "unknown");
    assert.is(effectOf(configurationInvalid, cutover(parts)), "blocks");
    assert.match(resultOf(configurationInvalid, cutover(parts)), /\n.*\/connector-plugins/);
    assert.not.match(resultOf(configurationInvalid, cutover(parts)), "Correct");
  }
  for (const parts of [{}, { problems: unseen() }, { problems }])
    assert.is(effectOf(configurationInvalid, cutover({ installed: known(false), ...parts })), "none");
});

const MIG113 = suite("MIG113 names that accept nothing");

const on = (...accept: readonly string[]) => {
  const wanted = intent({ accept });
  return [cutover({ properties: { "key.template": "x" } }, wanted), wanted] as const;
};

MIG113("passes for names of manual properties, and for codes", () => {
  assert.is(effectOf(acceptedInVain, ...on("key.template", "MIG108")), "none");
});

MIG113("warns of any other name, with a suggestion", () => {
  assert.is(effectOf(acceptedInVain, ...on("key.templte")), "warns");
  assert.match(resultOf(acceptedInVain, ...on("key.templte")), "did you mean key.template?");
  assert.match(
    resultOf(acceptedInVain, ...on("key.template", "other")),
    /^other is not a manual property of the legacy connector\n/,
  );
});

MIG101.run();
MIG102.run();
MIG123.run();
MIG104.run();
MIG113.run();
MIG121.run();
