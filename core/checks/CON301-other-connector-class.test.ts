import { suite } from "uvu";
import * as assert from "uvu/assert";
import { effectOf, intent, reading } from "../kinds/offset-change/testing/build-facts.ts";
import * as resnapshot from "../kinds/resnapshot/testing/build-facts.ts";
import { otherConnectorClass } from "./CON301-other-connector-class.ts";

const check = suite("CON301 another connector class");

check("passes for a connector with settings of the CDC source", () => {
  assert.is(effectOf(otherConnectorClass, reading()), "none");
});

check("refuses the legacy connector, and names the migration", () => {
  const connectorClass = "io.confluent.connect.oracle.cdc.OracleCdcSourceConnector";
  const verdict = otherConnectorClass.run(intent(), reading({ connector: { connectorClass } }));
  assert.is(verdict.verdict, "fail");
  assert.match(JSON.stringify(verdict), "took over from it");
});

check("refuses any connector without cdc.database settings, whatever the plan file accepts", () => {
  const wanted = intent({ accept: ["CON301"] });
  const other = reading({ connector: { connectorClass: "org.example.Sink", config: { topics: "orders" } } });
  assert.is(effectOf(otherConnectorClass, other, wanted), "blocks");
  assert.is(effectOf(otherConnectorClass, other, intent({ by: "admin" })), "blocks");
});

check("refuses a resnapshot of it too, were it by a signal alone", () => {
  const parts = { connector: { connectorClass: "org.example.Sink", config: { topics: "orders" } } };
  for (const on of [resnapshot.reading(parts), resnapshot.pastTheGap(parts)])
    assert.is(resnapshot.effectOf(otherConnectorClass, on), "blocks");
});

check.run();
