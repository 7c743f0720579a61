import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { Config } from "../../values/config.ts";
import { recordRules } from "../record-rules.ts";
import { debeziumFormat } from "./format.ts";

const settings = suite("record settings in Debezium's configuration");

const PREFIX: Config = { "topic.prefix": "inv" };
const read = (config: Config) => {
  const seen = debeziumFormat({ ...PREFIX, ...config });
  if (!seen.readable) throw new Error(seen.why);
  return seen;
};
const why = (config: Config): string => {
  const seen = debeziumFormat({ ...PREFIX, ...config });
  return seen.readable ? "readable" : seen.why;
};

settings("have its own defaults, and what it delivers says its commit", () => {
  assert.equal(read({}).format, {
    format: {
      ...{ decimals: "precise", temporals: "by-schema", placeholder: "__debezium_unavailable_value" },
      debezium: { times: "adaptive", binaries: "base64", lobs: false },
    },
    commitsKnown: true,
    skipsTruncates: true,
  });
});

settings("are read in any case", () => {
  assert.is(read({ "decimal.handling.mode": "String" }).format.format.decimals, "string");
  const own = (config: Config) => read(config).format.format.debezium;
  assert.is(own({ "time.precision.mode": "ADAPTIVE_TIME_MICROSECONDS" })?.times, "adaptive");
  assert.is(own({ "time.precision.mode": "connect" })?.times, "connect");
  assert.is(own({ "binary.handling.mode": "HEX" })?.binaries, "hex");
  assert.is(own({ "binary.handling.mode": "base64-url-safe" })?.binaries, "base64");
  assert.is(own({ "lob.enabled": "true" })?.lobs, true);
});

settings("that are not known, or that a reference hides, leave the records unread", () => {
  assert.match(why({ "decimal.handling.mode": "rounded" }), /decimal\.handling\.mode is rounded/);
  assert.match(why({ "time.precision.mode": "structured" }), /time\.precision\.mode is structured/);
  assert.match(why({ "binary.handling.mode": "octal" }), /binary\.handling\.mode is octal/);
  assert.match(why({ "value.converter": "io.confluent.connect.avro.AvroConverter" }), /AvroConverter/);
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a reference, as Connect writes it
  assert.match(why({ "lob.enabled": "${file:/etc/x:lobs}" }), /only the worker resolves/);
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a reference, as Connect writes it
  assert.is(why({ "database.password": "${file:/etc/x:password}" }), "readable");
});

settings("that unwrap the events leave flat rows, which can't be read", () => {
  const unwrap = { transforms: "unwrap", "transforms.unwrap.type": "io.debezium.transforms.ExtractNewRecordState" };
  assert.match(why(unwrap), /transforms\.unwrap\.type is io\.debezium.*flat rows/);
});

settings(
  "say whether truncates are delivered: since 2.0, whose prefix is topic.prefix, they are not by default",
  () => {
    const skips = (config: Config) => {
      const seen = debeziumFormat(config);
      return seen.readable && seen.format.skipsTruncates;
    };
    assert.is(skips(PREFIX), true);
    assert.is(skips({ "database.server.name": "inv" }), false);
    assert.is(skips({ "database.server.name": "inv", "skipped.operations": "c, t" }), true);
    assert.is(skips({ ...PREFIX, "skipped.operations": "none" }), false);
  },
);

settings("without schemas read decimals by the scale of their columns, and say so", () => {
  const plain = { "value.converter.schemas.enable": "false" };
  assert.match(read(plain).remarks.join(), /scale that the columns have now/);
  assert.equal(read({ ...plain, "decimal.handling.mode": "string" }).remarks, []);
  assert.equal(read({}).remarks, []);
});

settings("choose the rules by the connector's class; Confluent's are those of a configuration without one", () => {
  const table = { table: { container: "P", owner: "S", name: "T" }, inPdb: true, compacted: false };
  const debezium = { ...PREFIX, "connector.class": "io.debezium.connector.oracle.OracleConnector" };
  assert.equal(recordRules(debezium).belonging(debezium, table), {
    own: { table: table.table, inPdb: true, connector: "oracle" },
  });
  assert.is(recordRules({}).belonging({}, table).membership?.by, "legacy name, seldom another");
});

settings.run();
