// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables in the notation of the connectors

import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { MigrationIntent } from "../../document/intent.ts";
import {
  cutover,
  effectOf,
  goingBack,
  type IntentParts,
  intent,
  resultOf,
  retirement,
  verification,
} from "../../kinds/migration/testing/build-readings.ts";
import { settings } from "../../kinds/migration/testing/story.ts";
import { known } from "../../kinds/offset-change/testing/build-facts.ts";
import { prefixHasTopics } from "../cutover-names.ts";
import { topicOfBoth } from "../verification-topics.ts";
import { legacyRecordsFlat, topicsUndecided, versionAssumed } from "./legacy-topics.ts";

const CLASS = "io.debezium.connector.oracle.OracleConnector";
const CONFIG = {
  ...{ "connector.class": CLASS, "topic.prefix": "shop", "database.user": "c##dbz" },
  "table.include.list": "SALES\\..*",
};
const debezium = (config: Readonly<Record<string, string>> = {}) => ({
  connectorClass: CLASS,
  config: { ...CONFIG, ...config },
  offsets: [{ partition: { server: "shop" }, offset: { scn: "2169287", commit_scn: "2180000:1:" } }],
});
/** The new connector's settings: the same names for topics as Debezium's, unless the prefix is another. */
const named = (prefix: string) => {
  const config = {
    ...settings().config,
    "cdc.topic.prefix": prefix,
    "cdc.topic.template": "${prefix}.${schema}.${table}",
  };
  return { config, prefix, opsTopic: `${prefix}.cdc.ops` };
};
const wanted = (topics: MigrationIntent["to"]["topics"], more: IntentParts = {}) =>
  intent({ ...more, to: { topicPrefix: topics === "keep" ? "shop" : "orders", topics } });

const MIG125 = suite("MIG125 what becomes of the legacy topics");

MIG125("refuses a plan from Debezium that does not say it, whatever is accepted", () => {
  const asked = wanted(undefined, { accept: ["MIG125", "MIG108"] });
  const on = cutover({ legacy: debezium(), settings: named("orders") }, asked);
  assert.is(effectOf(topicsUndecided, on, asked), "blocks");
  assert.match(resultOf(topicsUndecided, on, asked), /what becomes of the topics of orders-legacy.*\n.*keep\n.*new/);
});

MIG125("passes where names agree with the decision", () => {
  const kept = cutover({ legacy: debezium(), settings: named("shop") }, wanted("keep"));
  assert.is(effectOf(topicsUndecided, kept, wanted("keep")), "none");
  const own = cutover({ legacy: debezium(), settings: named("orders") }, wanted("new"));
  assert.is(effectOf(topicsUndecided, own, wanted("new")), "none");
});

MIG125("refuses kept topics with other names, and new ones with the same", () => {
  const elsewhere = cutover({ legacy: debezium(), settings: named("orders") }, wanted("keep"));
  assert.match(
    resultOf(topicsUndecided, elsewhere, wanted("keep")),
    "ORCLPDB1.SALES.LINES is in shop.SALES.LINES, and would be in orders.SALES.LINES",
  );
  const same = cutover({ legacy: debezium(), settings: named("shop") }, wanted("new"));
  assert.match(resultOf(topicsUndecided, same, wanted("new")), "ORCLPDB1.SALES.LINES would stay in shop.SALES.LINES");
  const routed = debezium({ transforms: "r", "transforms.r.type": "io.debezium.transforms.ByLogicalTableRouter" });
  const untold = cutover({ legacy: routed, settings: named("shop") }, wanted("keep"));
  assert.match(resultOf(topicsUndecided, untold, wanted("keep")), "a topic that can't be told from the settings");
});

MIG125("refuses to keep the Confluent connector's topics, with the reason; new ones need no word", () => {
  assert.match(resultOf(topicsUndecided, cutover({}, wanted("keep")), wanted("keep")), /can't be kept.*another format/);
  for (const topics of [undefined, "new"] as const)
    assert.is(effectOf(topicsUndecided, cutover({}, wanted(topics)), wanted(topics)), "none");
});

MIG125("leaves to MIG108 only topics that Debezium does not write to", () => {
  const topics = known(["shop.SALES.LINES", "shop", "shop.transaction"]);
  const kept = cutover({ legacy: debezium(), settings: named("shop"), topics }, wanted("keep"));
  assert.is(effectOf(prefixHasTopics, kept, wanted("keep")), "none");
  const left = known(["shop.SALES.LINES", "shop.cdc.txjournal"]);
  const journal = cutover({ legacy: debezium(), settings: named("shop"), topics: left }, wanted("keep"));
  assert.match(
    resultOf(prefixHasTopics, journal, wanted("keep")),
    "1 topic begins with shop. already: shop.cdc.txjournal",
  );
});

MIG125.run();

const MIG126 = suite("MIG126 the version of the legacy connector");

MIG126("is a notice for Debezium without one, and for no other", () => {
  const on = cutover({ legacy: debezium() });
  assert.is(effectOf(versionAssumed, on), "warns");
  assert.match(
    resultOf(versionAssumed, on),
    "the version of orders-legacy (Debezium's Oracle connector) is not stated: 3.6",
  );
  const stated = intent({ from: { version: "2.7.3" } });
  assert.is(effectOf(versionAssumed, cutover({ legacy: debezium() }, stated), stated), "none");
  const seen = (version: string) => effectOf(versionAssumed, cutover({ legacy: { ...debezium(), version } }));
  assert.equal([seen("2.7.3.Final"), seen("unknown")], ["none", "warns"]);
  assert.is(effectOf(versionAssumed, cutover()), "none");
});

MIG126.run();

const MIG127 = suite("MIG127 flat rows in the legacy topics");

MIG127("block until they are accepted", () => {
  const flat = { transforms: "unwrap", "transforms.unwrap.type": "io.debezium.transforms.ExtractNewRecordState" };
  const on = cutover({ legacy: debezium(flat) });
  assert.is(effectOf(legacyRecordsFlat, on), "blocks");
  assert.is(effectOf(legacyRecordsFlat, on, intent({ accept: ["MIG127"] })), "accepted");
  assert.match(resultOf(legacyRecordsFlat, on), "go through unwrap, which leaves flat rows");
  assert.is(effectOf(legacyRecordsFlat, cutover({ legacy: debezium() })), "none");
});

MIG127.run();

const kept = suite("kept topics");

const THERE = known([
  ...["shop", "shop.transaction", "shop.SALES.LINES", "shop.SALES.ORDERS", "shop.cdc.ops", "shop.cdc.txjournal"],
  "shop.cdc.heartbeat",
]);

kept("are never deleted by a rollback, which deletes the new connector's own alone", () => {
  const back = { ...wanted("keep"), phase: "rollback", deleteTopics: true } as const;
  const { newTopics } = goingBack({ legacy: debezium(), settings: named("shop"), topics: THERE }, back);
  assert.equal(newTopics.known && newTopics.value, ["shop.cdc.heartbeat", "shop.cdc.txjournal"]);
});

kept("are never deleted by a rollback where an earlier connector of that name left an offset of Confluent's", () => {
  const back = { ...wanted("keep"), phase: "rollback", deleteTopics: true } as const;
  const mixed = [{ partition: { sidPdb: "ORCLCDB.ORCLPDB1" }, offset: { scn: "1" } }, ...debezium().offsets];
  const legacy = { ...debezium(), offsets: mixed };
  const { newTopics } = goingBack({ legacy, settings: named("shop"), topics: THERE }, back);
  assert.equal(newTopics.known && newTopics.value, ["shop.cdc.heartbeat", "shop.cdc.txjournal"]);
});

kept("are never deleted by a retirement, in whatever way each connector writes their names", () => {
  const retire = { ...wanted("keep"), phase: "retire", verify: undefined } as const;
  const on = retirement({ legacy: debezium(), settings: named("shop"), topics: THERE }, retire);
  assert.equal(on.topics.known && on.topics.value, []);
  assert.equal(
    on.spared.map(({ topic }) => topic),
    ["shop.SALES.LINES", "shop.SALES.ORDERS"],
  );
});

kept("are one topic for both in a verification, without being named", () => {
  const verify = { ...wanted("keep"), phase: "verify" } as const;
  const asked = { ...verify, verify: verify.verify && { ...verify.verify, legacyTopics: {} } };
  const on = verification({ settings: named("shop") }, asked);
  assert.equal(
    on.tables.flatMap((table) => (table.ok ? [[table.verified.topic, table.verified.legacyTopic]] : [])),
    [
      ["shop.SALES.ORDERS", "shop.SALES.ORDERS"],
      ["shop.SALES.LINES", "shop.SALES.LINES"],
    ],
  );
  assert.is(effectOf(topicOfBoth, on, asked), "none");
});

kept("that are replaced by new ones are deleted with their connector: those of tables, and no other", () => {
  const retire = { ...wanted("new"), phase: "retire", verify: undefined } as const;
  const on = retirement({ legacy: debezium(), settings: named("orders"), topics: THERE }, retire);
  assert.equal(on.topics.known && on.topics.value.map(({ topic }) => topic), ["shop.SALES.LINES", "shop.SALES.ORDERS"]);
});

kept.run();
