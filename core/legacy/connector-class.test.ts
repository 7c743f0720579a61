import { suite } from "uvu";
import * as assert from "uvu/assert";
import { lineOf } from "../values/remedy.ts";
import {
  buildsAmong,
  CONNECTOR_CLASS,
  checkConnectorClass,
  classMissing,
  DEBEZIUM_CLASS,
  kindOfClass,
  LEGACY_CLASS,
} from "./connector-class.ts";

const classes = suite("the connector's class");

const FORK = "com.example.cdc.OracleCdcSourceConnector";
const plugin = (className: string) => ({ className, type: "source", version: "1" });

classes("is the documented one", () => {
  assert.is(CONNECTOR_CLASS, "sh.oso.connect.oracle.OracleCdcSourceConnector");
});

classes("has builds among the workers' plugins, except for the legacy connector", () => {
  const plugins = [LEGACY_CLASS, "org.apache.kafka.connect.mirror.MirrorSourceConnector", FORK, CONNECTOR_CLASS];
  assert.equal(buildsAmong(plugins.map(plugin)), [FORK, CONNECTOR_CLASS]);
});

const cases: readonly (readonly [wanted: string, builds: readonly string[], seen: string, remedy: RegExp])[] = [
  [CONNECTOR_CLASS, [], `no ${CONNECTOR_CLASS}`, /^$/],
  [CONNECTOR_CLASS, [FORK], `no ${CONNECTOR_CLASS}`, /--connector-class com\.example/],
  [FORK, [CONNECTOR_CLASS], `no ${FORK}, but ${CONNECTOR_CLASS}`, /^Remove --connector-class/],
  [FORK, [], `neither ${FORK} nor ${CONNECTOR_CLASS}`, /^$/],
];
for (const [wanted, builds, seen, remedy] of cases)
  classes(`${wanted} with ${builds.join() || "no build"} on the workers: ${seen}`, () => {
    const missing = classMissing(wanted, builds);
    assert.is(missing.seen, seen);
    assert.match(missing.remedies.map(lineOf).join("\n"), remedy);
  });

classes("is refused if it is not a class name, or the legacy connector's", () => {
  assert.is(checkConnectorClass(` ${FORK} `), FORK);
  for (const text of ["", "a b", "com..x", "../etc", "1x", "x".repeat(501)])
    assert.throws(() => checkConnectorClass(text), /is not a Java class name/);
  for (const legacy of [LEGACY_CLASS, DEBEZIUM_CLASS])
    assert.throws(() => checkConnectorClass(legacy), new RegExp(`${legacy} is a legacy connector's class`));
});

classes("tells a connector that is migrated from, Debezium's too, from one of another class", () => {
  const kindOf = (className: string) => kindOfClass({ "connector.class": className }, undefined);
  const debeziumMySql = "io.debezium.connector.mysql.MySqlConnector";
  assert.equal([CONNECTOR_CLASS, FORK, LEGACY_CLASS, DEBEZIUM_CLASS, debeziumMySql].map(kindOf), [
    ...["cdc", "cdc", "legacy", "legacy", "other"],
  ]);
});

classes.run();
