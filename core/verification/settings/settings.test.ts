import { suite } from "uvu";
import * as assert from "uvu/assert";
import { bytesOf } from "../testing/work.ts";
import { changeFormat, legacyFormat } from "./record-format.ts";
import { type ObservedLayout, shapeOf } from "./shape-of.ts";
import { changeTopicIsShared, legacyOfTable, legacyTopicIsShared } from "./shared-topic.ts";

const settings = suite("record settings in a connector's configuration");

const JSON_CONVERTER = "org.apache.kafka.connect.json.JsonConverter";
const CONVERTERS = { "key.converter": JSON_CONVERTER, "value.converter": JSON_CONVERTER };

settings("reads the format of the new connector's records, with its defaults", () => {
  assert.equal(changeFormat(CONVERTERS), {
    readable: true,
    format: { decimals: "precise", temporals: "adaptive", placeholder: "__cdc_unavailable_value" },
    remarks: [],
  });
  const seen = changeFormat({
    ...CONVERTERS,
    "cdc.decimal.mode": "string",
    "cdc.temporal.mode": "connect",
    "cdc.unavailable.placeholder": "?",
  });
  assert.ok(seen.readable);
  assert.equal(seen.readable && seen.format, { decimals: "string", temporals: "by-schema", placeholder: "?" });
  const iso = changeFormat({ ...CONVERTERS, "cdc.temporal.mode": "ISO_STRING" });
  assert.is(iso.readable && iso.format.temporals, "iso");
});

settings("reports its assumptions", () => {
  const seen = changeFormat({ "value.converter": JSON_CONVERTER, transforms: "mask" });
  assert.equal(seen.readable && seen.remarks, [
    `key.converter is not set: the worker's is taken for ${JSON_CONVERTER}`,
    "transforms is mask: what a transformation changes is compared as it stands in the topic",
  ]);
});

settings("reads only what the JSON converter wrote, and only modes that it knows", () => {
  const why = (config: Record<string, string>) => {
    const seen = changeFormat({ ...CONVERTERS, ...config });
    return seen.readable ? "readable" : seen.why;
  };
  assert.match(
    why({ "value.converter": "io.confluent.connect.avro.AvroConverter" }),
    /only what .*JsonConverter wrote/,
  );
  assert.match(why({ "key.converter": "org.apache.kafka.connect.storage.StringConverter" }), /^key\.converter/);
  assert.match(why({ "cdc.decimal.mode": "float" }), /cdc\.decimal\.mode is float/);
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a reference, as Connect writes it
  assert.match(why({ "value.converter": "${file:/etc/x:converter}" }), /only the worker resolves/);
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a reference, as Connect writes it
  assert.is(why({ "cdc.database.password": "${file:/etc/x:password}" }), "readable");
});

settings("reads the legacy connector's own names and codes", () => {
  const seen = legacyFormat(
    {
      ...CONVERTERS,
      "output.scn.field": "_scn",
      "output.op.type.field": "_op",
      "output.op.type.delete.value": "DEL",
      "numeric.mapping": "best_fit_or_double",
    },
    false,
  );
  assert.ok(seen.readable);
  if (!seen.readable) return;
  assert.equal(seen.format.fields, {
    scn: "_scn",
    opType: "_op",
    operations: { I: "insert", U: "update", DEL: "delete", R: "read", T: "truncate" },
  });
  assert.equal(seen.format.format, { decimals: "double", temporals: "by-schema", placeholder: "" });
  const commits = legacyFormat({ ...CONVERTERS, "output.commit.scn.field": " commit_scn " }, false);
  assert.is(commits.readable && commits.format.fields?.commitScn, "commit_scn");
  const twice = legacyFormat({ ...CONVERTERS, "output.op.type.delete.value": "U" }, false);
  assert.match(twice.readable ? "" : twice.why, /two operations/);
  const unknown = legacyFormat({ ...CONVERTERS, "numeric.mapping": "new_one" }, false);
  assert.not.ok(unknown.readable);
});

// ---- What is compared -----------------------------------------------------------------------------------------------

const column = (name: string, dataType: string, virtual = false) => ({
  name,
  dataType,
  precision: dataType === "NUMBER" ? 9 : undefined,
  scale: dataType === "NUMBER" ? 0 : undefined,
  virtual,
});
const LAYOUT: ObservedLayout = {
  container: "PDB1",
  owner: "SALES",
  name: "ORDERS",
  columns: [
    column("ID", "NUMBER"),
    column("LINE", "NUMBER"),
    column("NOTE", "CLOB"),
    column("SECRET", "VARCHAR2"),
    column("PLACE", "SDO_GEOMETRY"),
    column("TOTAL", "NUMBER", true),
  ],
  key: { columns: ["LINE", "ID"] },
};

const shaped = (config: Record<string, string>, ignored: readonly string[] = [], layout = LAYOUT) => {
  const seen = shapeOf(layout, config, ignored);
  if (!seen.known) return seen.why;
  const { shape, leftOut, keyFrom } = seen;
  return {
    key: shape.key.map(({ name }) => name),
    columns: shape.columns.map(({ name }) => name),
    leftOut: leftOut.map(({ column: name, why }) => `${name} ${why}`),
    keyFrom,
  };
};

settings("compares every column except those that no record can hold, and those that the operator names", () => {
  assert.equal(shaped({ "cdc.lob.mode": "skip", "cdc.columns.exclude": "SALES[.]ORDERS[.]SEC.*" }), {
    key: ["LINE", "ID"],
    columns: ["ID", "LINE"],
    leftOut: ["NOTE lob-skipped", "SECRET excluded", "PLACE not-captured", "TOTAL virtual"],
    keyFrom: "the table",
  });
  for (const unset of [{}, { "cdc.lob.mode": "" }, { "cdc.lob.mode": " SKIP " }] as readonly Record<string, string>[])
    assert.equal(
      (shaped(unset) as { readonly leftOut: readonly string[] }).leftOut,
      ["NOTE lob-skipped", "PLACE not-captured", "TOTAL virtual"],
      "skip is the connector's default",
    );
  assert.equal(shaped({ "cdc.lob.mode": "inline" }, ["SECRET"]), {
    key: ["LINE", "ID"],
    columns: ["ID", "LINE", "NOTE"],
    leftOut: ["SECRET ignored", "PLACE not-captured", "TOTAL virtual"],
    keyFrom: "the table",
  });
});

settings("matches excluded columns by the whole name, with the PDB where PDBs are captured", () => {
  const excluded = (config: Record<string, string>) => {
    const seen = shaped(config);
    return typeof seen === "string" ? seen : seen.leftOut.includes("SECRET excluded");
  };
  const whole = { "cdc.columns.exclude": "PDB1\\.SALES\\.ORDERS\\.SECRET" };
  assert.is(excluded({ ...whole, "cdc.database.pdbs": "PDB1" }), true);
  assert.is(excluded(whole), false);
  assert.is(excluded({ "cdc.columns.exclude": "sales.orders.secret" }), true);
  assert.is(excluded({ "cdc.columns.exclude": "sales.orders.secret", "cdc.tables.case.sensitive": "true" }), false);
  assert.match(String(excluded({ "cdc.columns.exclude": "(" })), /cdc\.columns\.exclude/);
});

settings(
  "takes the key of cdc.key.columns, without one the table's own, and counts rows where there is neither",
  () => {
    const key = (entry: string, layout: ObservedLayout = { ...LAYOUT, key: undefined }) => {
      const seen = shaped({ "cdc.key.columns": entry }, [], layout);
      return typeof seen === "string" ? seen : seen.key.join();
    };
    assert.is(key("SALES.ORDERS:SECRET", LAYOUT), "SECRET");
    assert.is(key("SALES.OTHER:SECRET", LAYOUT), "LINE,ID");
    assert.is(key("SALES.OTHER:ID;sales.orders:secret"), "SECRET");
    assert.is(key("SALES.ORDERS:ID;PDB1.SALES.ORDERS:LINE"), "LINE");
    assert.is(key("SALES.OTHER:ID"), "");
    assert.match(key("SALES.ORDERS:NOWHERE"), /names NOWHERE/);
    const without = shaped({}, [], { ...LAYOUT, key: undefined });
    assert.equal(typeof without === "string" ? without : [without.key, without.keyFrom], [[], "none"]);
  },
);

settings("compares as doubles the numbers that cdc.decimal.mode=double cannot hold exactly, and only those", () => {
  const number = (name: string, precision?: number, scale?: number, dataType = "NUMBER") => ({
    ...column(name, dataType),
    precision,
    scale,
  });
  const layout = {
    ...LAYOUT,
    columns: [
      number("SMALL", 15, 0),
      number("MONEY", 15, 2),
      number("WIDE", 16, 0),
      number("ANY"),
      number("REAL", 126, undefined, "FLOAT"),
      column("NAME", "VARCHAR2"),
    ],
    key: { columns: ["SMALL"] },
  };
  const rounded = (mode: string | undefined) => {
    const seen = shapeOf(layout, mode === undefined ? {} : { "cdc.decimal.mode": mode }, []);
    return seen.known
      ? seen.shape.columns.filter(({ kind }) => kind === "number-as-double").map(({ name }) => name)
      : [];
  };
  assert.equal(rounded("double"), ["WIDE", "ANY", "REAL"]);
  assert.equal(rounded(" DOUBLE "), ["WIDE", "ANY", "REAL"]);
  for (const exact of [undefined, "precise", "string"]) assert.equal(rounded(exact), [], exact ?? "unset");
});

settings("does not compare a table whose key cannot be compared, nor one without remaining columns", () => {
  assert.match(String(shaped({}, ["ID"])), /key column ID can't be compared: it is named by --ignore-column/);
  assert.match(String(shaped({ "cdc.columns.exclude": ".*[.]LINE" })), /key column LINE/);
  assert.match(String(shaped({}, ["NO_SUCH"])), /no column NO_SUCH/);
  const onlyGeometry = { ...LAYOUT, columns: [column("PLACE", "SDO_GEOMETRY")], key: undefined };
  assert.match(String(shaped({}, [], onlyGeometry)), /no column is left/);
});

// ---- Topics of several tables ---------------------------------------------------------------------------------------

settings("treats a topic as shared if there are transformations, and by the legacy template", () => {
  const plain = { template: undefined, pdbs: ["PDB1"] };
  assert.is(changeTopicIsShared({}, plain), false);
  assert.is(changeTopicIsShared({}, { ...plain, template: "all" }), true);
  assert.is(changeTopicIsShared({ transforms: "route" }, plain), true);
  assert.is(legacyTopicIsShared({}), false);
  assert.is(legacyTopicIsShared({ "table.topic.name.template": "all" }), true);
});

settings("distinguishes the legacy records of one table from those of others by the table's name in them", () => {
  const of = (table: unknown, inPdb = true) => {
    const value = bytesOf(JSON.stringify({ table }));
    return legacyOfTable({ by: "legacy name", table: LAYOUT, inPdb, compacted: false })(value, 0, value.length);
  };
  assert.is(of("ORCLCDB.PDB1.SALES.ORDERS"), true);
  assert.is(of("PDB1.SALES.ORDERS"), true);
  assert.is(of("SALES.ORDERS"), true);
  assert.is(of("ORCLCDB.PDB2.SALES.ORDERS"), false);
  assert.is(of("ORCL.SALES.ORDERS", false), true);
  assert.is(of("PDB1.SALES.LINES"), false);
  assert.is(of(1), undefined);
});

settings.run();
