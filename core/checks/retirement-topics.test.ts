// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables in the notation of the connector
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { ConsumerGroupSeen } from "../../schemas/generated/facts.ts";
import { effectOf, intent, resultOf, retirement, verdictOf } from "../kinds/migration/testing/build-readings.ts";
import {
  dictionary,
  EVIDENCE,
  LEGACY_CLASS,
  LEGACY_CONFIG,
  LEGACY_TOPICS,
  LINES,
  legacy,
  ORDERS,
  other,
  REDO_TOPIC,
  settings,
  table,
  UNTOLD_TOPICS,
} from "../kinds/migration/testing/story.ts";
import { known, unseen } from "../kinds/offset-change/testing/build-facts.ts";
import { legacyWrites } from "../legacy/confluent/topics.ts";
import { DEBEZIUM_CLASS } from "../legacy/connector-class.ts";
import { namedTopics } from "../legacy/written-topics.ts";
import {
  consumersActive,
  legacyTopicNotFound,
  licenceTopicInUse,
  lobTopicsStay,
  topicNotVerified,
  topicOfOtherLegacy,
  topicSpared,
} from "./retirement-topics.ts";

const MIG405 = suite("MIG405 consumers of topics that would be deleted");

const group = (parts: Partial<ConsumerGroupSeen>): ConsumerGroupSeen => ({
  group: "billing",
  state: "Stable",
  active: [],
  committed: [],
  ...parts,
});

MIG405("passes where no group reads them, and where a group has read them before", () => {
  assert.is(effectOf(consumersActive, retirement()), "none");
  const groups = known([group({ state: "Empty", committed: LEGACY_TOPICS })]);
  assert.is(effectOf(consumersActive, retirement({ groups })), "none");
});

MIG405("refuses a group that is active on one, and names both", () => {
  const on = retirement({ groups: known([group({ active: ["ORCLPDB1.SALES.ORDERS"] })]) });
  assert.is(effectOf(consumersActive, on, intent({ accept: ["MIG405"] })), "blocks");
  assert.match(resultOf(consumersActive, on), /^billing \(Stable\) reads ORCLPDB1\.SALES\.ORDERS\n/);
});

MIG405("ignores a group that reads other topics", () => {
  const groups = known([group({ active: ["orders.ORCLPDB1.SALES.ORDERS"] })]);
  assert.is(effectOf(consumersActive, retirement({ groups })), "none");
});

MIG405("never passes while a group does not report what it reads, or groups or topics are unknown", () => {
  for (const parts of [
    { groups: known([group({ unclear: "its members use a protocol that is not known" })]) },
    { groups: unseen() },
    { topics: unseen() },
    { dictionary: unseen() },
    { settings: UNTOLD_TOPICS },
  ]) {
    assert.is(verdictOf(consumersActive, retirement(parts)), "unknown");
    assert.is(effectOf(consumersActive, retirement(parts)), "blocks");
  }
});

MIG405("needs no group where no topic is deleted", () => {
  assert.is(effectOf(consumersActive, retirement({ topics: known([]), groups: unseen() })), "none");
});

const MIG408 = suite("MIG408 a licence topic that is in use");

const deleting = intent({ phase: "retire", deleteLicenceTopic: true, accept: ["MIG408"] });
const using = (licenceTopic: string) =>
  known([other("other-legacy", { connectorClass: LEGACY_CLASS, licenceTopic }), other("billing-sink")]);

MIG408("passes where it stays, whatever is unknown", () => {
  for (const others of [unseen(), using("_confluent-command")])
    assert.is(effectOf(licenceTopicInUse, retirement({ others })), "none");
});

MIG408("passes where no other legacy connector uses it", () => {
  for (const others of [known([other("billing-sink")]), using("other-licence")])
    assert.is(effectOf(licenceTopicInUse, retirement({ others }, deleting), deleting), "none");
});

MIG408("passes where the legacy connector no longer exists", () => {
  assert.is(effectOf(licenceTopicInUse, retirement({ legacy: null }, deleting), deleting), "none");
});

MIG408("refuses where another one does, by default or by its setting", () => {
  const on = retirement({ others: using("_confluent-command") }, deleting);
  assert.is(effectOf(licenceTopicInUse, on, deleting), "blocks");
  assert.match(resultOf(licenceTopicInUse, on, deleting), "other-legacy uses the licence topic _confluent-command too");
  const own = { config: { ...LEGACY_CONFIG, "confluent.topic": "licences" } };
  assert.is(
    effectOf(licenceTopicInUse, retirement({ legacy: own, others: using("licences") }, deleting), deleting),
    "blocks",
  );
});

MIG408("refuses where the legacy connector has none, as Debezium's", () => {
  const config = { "connector.class": DEBEZIUM_CLASS };
  const on = retirement({ legacy: { connectorClass: DEBEZIUM_CLASS, config, offsets: [] } }, deleting);
  assert.is(effectOf(licenceTopicInUse, on, deleting), "blocks");
  assert.match(resultOf(licenceTopicInUse, on, deleting), "has no licence topic");
});

MIG408("names all that use it", () => {
  const others = known(
    ["a", "b"].map((name) => other(name, { connectorClass: LEGACY_CLASS, licenceTopic: "_confluent-command" })),
  );
  const on = retirement({ others }, deleting);
  assert.match(resultOf(licenceTopicInUse, on, deleting), /^a and b use the licence topic _confluent-command too/);
});

MIG408("never passes while the others, or the values of references, are unknown", () => {
  assert.is(verdictOf(licenceTopicInUse, retirement({ others: unseen() }, deleting), deleting), "unknown");
  const reference = `$${"{file:/etc/x:topic}"}`;
  const own = { config: { ...LEGACY_CONFIG, "confluent.topic": reference } };
  for (const on of [retirement({ others: using(reference) }, deleting), retirement({ legacy: own }, deleting)])
    assert.is(effectOf(licenceTopicInUse, on, deleting), "blocks");
});

const MIG409 = suite("MIG409 tables without a legacy topic");

MIG409("passes where each captured table has one", () => {
  assert.is(effectOf(legacyTopicNotFound, retirement()), "none");
});

MIG409("warns, and names the tables", () => {
  const on = retirement({ dictionary: known(dictionary(table("ORDERS"), table("LINES"), table("A$B"), table("X"))) });
  assert.is(effectOf(legacyTopicNotFound, on), "warns");
  assert.match(resultOf(legacyTopicNotFound, on), "was found for ORCLPDB1.SALES.A$B and ORCLPDB1.SALES.X");
});

MIG409("names a table with several topics that may be its own, and none of them is deleted", () => {
  const there = ["ORCLPDB1.SALES.ORDERS", "orclpdb1.SALES.ORDERS", "ORCLPDB1.SALES.LINES"];
  const unnamed = intent({ phase: "retire", verify: { legacyTopics: {} } });
  const on = retirement({ topics: known(there) }, unnamed);
  assert.match(resultOf(legacyTopicNotFound, on), /^no single legacy topic was found for ORCLPDB1\.SALES\.ORDERS\n/);
  assert.equal(deleted(on), ["ORCLPDB1.SALES.LINES"]);
  const named = intent({ phase: "retire", verify: { legacyTopics: { "SALES.ORDERS": there[0] ?? "" } } });
  assert.equal(deleted(retirement({ topics: known(there) }, named)).sort(), ["ORCLPDB1.SALES.LINES", there[0]]);
});

MIG409("does not pass while topics are unknown", () => {
  assert.is(effectOf(legacyTopicNotFound, retirement({ topics: unseen() })), "warns");
});

MIG409("finds the topic of a table whose name has characters that Kafka does not allow, in any case of the PDB", () => {
  const own = { config: { ...LEGACY_CONFIG, "oracle.pdb.name": "orclpdb1" } };
  const on = retirement(
    {
      legacy: own,
      settings: { tables: { ...settings().tables, include: "ORCLPDB1[.]C##MYUSER[.].*" } },
      dictionary: known(dictionary(table("EMP", "C##MYUSER"))),
      topics: known(["ORCLPDB1.C__MYUSER.EMP"]),
    },
    intent({ phase: "retire", verify: { legacyTopics: {} } }),
  );
  assert.is(effectOf(legacyTopicNotFound, on), "none");
  assert.equal(on.topics.known && on.topics.value.map(({ topic }) => topic), ["ORCLPDB1.C__MYUSER.EMP"]);
});

const MIG410 = suite("MIG410 a legacy topic that is the new one");

MIG410("passes where the names are different", () => {
  assert.is(effectOf(topicSpared, retirement()), "none");
});

MIG410("warns that it stays: a slip in the plan file deletes nothing of the new connector", () => {
  const wanted = intent({
    phase: "retire",
    verify: { legacyTopics: { "SALES.ORDERS": "orders.ORCLPDB1.SALES.ORDERS", "SALES.LINES": "orders.cdc.ops" } },
  });
  const on = retirement({}, wanted);
  assert.is(effectOf(topicSpared, on, wanted), "warns");
  assert.match(
    resultOf(topicSpared, on, wanted),
    "orders.ORCLPDB1.SALES.ORDERS (changes of SALES.ORDERS) and orders.cdc.ops (changes of SALES.LINES) stay",
  );
  assert.ok(on.topics.known && on.topics.value.every(({ topic }) => !topic.startsWith("orders.")));
});

const ROUTE = { transforms: "route", "transforms.route.type": "org.apache.kafka.connect.transforms.RegexRouter" };

MIG410("warns of a single one", () => {
  const verify = { legacyTopics: { "SALES.ORDERS": "orders.ORCLPDB1.SALES.ORDERS" } };
  const wanted = intent({ phase: "retire", verify });
  assert.match(
    resultOf(topicSpared, retirement({}, wanted), wanted),
    "(changes of SALES.ORDERS) stays: the new connector",
  );
});

MIG410("warns that all stay where a transformation may route the new connector to any of them", () => {
  const on = retirement({ settings: { config: { ...settings().config, ...ROUTE } } });
  assert.is(effectOf(topicSpared, on), "warns");
  assert.match(
    resultOf(topicSpared, on),
    /stay: the new connector may write there, its records go through route \(.*RegexRouter\)/,
  );
  assert.ok(on.topics.known && on.topics.value.length === 0);
  const untyped = retirement({ settings: { config: { ...settings().config, transforms: "route" } } });
  assert.match(resultOf(topicSpared, untyped), "its records go through route (of no type)");
});

MIG410(
  "looks for no topic by the template where a transformation of the legacy connector may have given it another: " +
    "only for one that is named",
  () => {
    const wanted = intent({ phase: "retire", verify: { legacyTopics: { "SALES.ORDERS": "ORCLPDB1.SALES.ORDERS" } } });
    const on = retirement({ legacy: legacy({ config: { ...LEGACY_CONFIG, ...ROUTE } }) }, wanted);
    assert.is(effectOf(topicSpared, on, wanted), "none");
    assert.ok(on.topics.known && on.topics.value.every(({ table }) => table?.fullName !== LINES));
    assert.equal(
      on.withoutTopic.map(({ fullName }) => fullName),
      [LINES],
    );
  },
);

const MIG411 = suite("MIG411 a topic that was not verified");

const tableTopics = known(["_confluent-command", "connect-offsets", "ORCLPDB1.SALES.ORDERS", "ORCLPDB1.SALES.LINES"]);
const naming = (legacyTopics: Readonly<Record<string, string>>) =>
  intent({ phase: "retire", verify: { legacyTopics }, accept: ["MIG411"] });

MIG411("passes where every named topic is the one that was verified, or none is named", () => {
  assert.is(effectOf(topicNotVerified, retirement()), "none");
  for (const wanted of [naming({}), intent({ phase: "retire", verify: null })])
    for (const parts of [{}, { topics: unseen() }])
      assert.is(effectOf(topicNotVerified, retirement(parts, wanted), wanted), "none");
});

MIG411("refuses any other topic of the brokers, so that a slip deletes nothing", () => {
  for (const topic of ["_confluent-command", "connect-offsets", "ORCLPDB1.SALES.LINES"]) {
    const wanted = naming({ "SALES.ORDERS": topic });
    const on = retirement({ topics: tableTopics }, wanted);
    assert.is(effectOf(topicNotVerified, on, wanted), "blocks", topic);
    assert.match(
      resultOf(topicNotVerified, on, wanted),
      `${topic} would be deleted (changes of SALES.ORDERS), and orders-to-cdc.evidence.json has ORCLPDB1.SALES.ORDERS`,
    );
  }
});

MIG411("refuses a topic of a table that was verified without one, and of one that is not captured", () => {
  const evidence = known({
    ...EVIDENCE,
    tables: [
      { table: LINES, outcome: "pass" as const, legacyTopic: undefined, byLegacy: 0n, leftOut: [] },
      { table: ORDERS, outcome: "pass" as const, legacyTopic: "ORCLPDB1.SALES.ORDERS", byLegacy: 0n, leftOut: [] },
    ],
  });
  assert.match(resultOf(topicNotVerified, retirement({ evidence })), "was written without a legacy topic");
  const wanted = naming({ "HR.EMPLOYEES": "connect-offsets" });
  const on = retirement({ topics: tableTopics }, wanted);
  assert.is(effectOf(topicNotVerified, on, wanted), "blocks");
  assert.match(resultOf(topicNotVerified, on, wanted), "does not have this table");
});

MIG411(
  "asks nothing of a name that no topic has; never passes while the topics can't be told; leaves missing " +
    "evidence to MIG401",
  () => {
    const wanted = naming({ "SALES.ORDERS": "gone" });
    assert.is(effectOf(topicNotVerified, retirement({}, wanted), wanted), "none");
    assert.is(verdictOf(topicNotVerified, retirement({ topics: unseen() })), "unknown");
    assert.is(effectOf(topicNotVerified, retirement({ topics: unseen() })), "blocks");
    assert.is(effectOf(topicNotVerified, retirement({ evidence: unseen() })), "none");
  },
);

const MIG413 = suite("MIG413 topics that another legacy connector writes to");

const having = (config: Readonly<Record<string, string>>) =>
  known([
    other("billing-sink"),
    other("other-legacy", {
      connectorClass: LEGACY_CLASS,
      writes: legacyWrites("other-legacy", { ...LEGACY_CONFIG, ...config }),
    }),
  ]);
const CRM = { "table.inclusion.regex": "ORCLPDB1[.]CRM[.].*" };

/** What is deleted all the same. */
const deleted = ({ topics }: ReturnType<typeof retirement>) =>
  topics.known ? topics.value.map(({ topic }) => topic) : [];
const OWN = [...LEGACY_TOPICS, REDO_TOPIC].sort();

MIG413("passes where the others write elsewhere, and where nothing is deleted", () => {
  assert.is(effectOf(topicOfOtherLegacy, retirement()), "none");
  const on = retirement({ others: having(CRM) });
  assert.is(effectOf(topicOfOtherLegacy, on), "none");
  assert.equal(deleted(on).sort(), OWN);
  assert.is(effectOf(topicOfOtherLegacy, retirement({ topics: known([]), others: unseen() })), "none");
});

MIG413("warns that a table topic that another connector captures too stays, and names both", () => {
  const on = retirement({ others: having({ "table.inclusion.regex": "ORCLPDB1[.]SALES[.]ORDERS" }) });
  assert.is(effectOf(topicOfOtherLegacy, on), "warns");
  assert.is(
    resultOf(topicOfOtherLegacy, on).split("\n")[0],
    "ORCLPDB1.SALES.ORDERS stays: other-legacy writes or may write there, by its settings",
  );
  assert.equal(
    deleted(on).sort(),
    OWN.filter((topic) => topic !== "ORCLPDB1.SALES.ORDERS"),
  );
});

MIG413("warns that a redo log topic of both stays", () => {
  const on = retirement({ others: having({ ...CRM, "redo.log.topic.name": REDO_TOPIC }) });
  assert.is(effectOf(topicOfOtherLegacy, on), "warns");
  assert.match(resultOf(topicOfOtherLegacy, on), `${REDO_TOPIC} stays: other-legacy writes or may write there`);
  assert.equal(deleted(on).sort(), [...LEGACY_TOPICS]);
});

MIG413(
  "warns that all stay where the other's transformation may route its records anywhere; the retirement continues",
  () => {
    const on = retirement({ others: having({ ...CRM, ...ROUTE }) });
    assert.is(effectOf(topicOfOtherLegacy, on), "warns");
    assert.match(resultOf(topicOfOtherLegacy, on), "stay: other-legacy may write there, its records go through route");
    assert.equal(deleted(on), []);
  },
);

MIG413("names what the new connector writes to as well, and suggests no manual deletion of it", () => {
  const on = retirement({
    others: having({ ...CRM, ...ROUTE }),
    settings: { config: { ...settings().config, ...ROUTE } },
  });
  for (const topic of OWN) assert.match(resultOf(topicOfOtherLegacy, on), topic);
  assert.is(on.spared.length, OWN.length);
});

MIG413("warns that a topic stays whose name is another connector's only as Kafka has it", () => {
  const named = "ORCLPDB1.C__SALES.ORDERS";
  const wanted = intent({ phase: "retire", verify: { legacyTopics: { "SALES.ORDERS": named } } });
  const others = having({ "table.inclusion.regex": "ORCLPDB1[.]C##SALES[.](ORDERS|RETURNS)" });
  const on = retirement({ topics: known([named]), others }, wanted);
  assert.match(resultOf(topicOfOtherLegacy, on, wanted), `${named} stays: other-legacy writes or may write there`);
  assert.equal(deleted(on), []);
});

MIG413("warns that a topic below the prefix of another new connector stays", () => {
  const others = known([other("crm-cdc", { connectorClass: "x", prefix: "ORCLPDB1" })]);
  const on = retirement({ others });
  assert.match(resultOf(topicOfOtherLegacy, on), /ORCLPDB1\.SALES\.\w+ stay: crm-cdc writes or may write there/);
  assert.equal(deleted(on), [REDO_TOPIC]);
});

MIG413("warns that a topic stays that another new connector's settings lead to, wherever its prefix is", () => {
  const cdc = (config: Readonly<Record<string, string>>) => {
    const on = retirement({
      others: known([other("crm-cdc", { prefix: "crm", ...namedTopics({ "cdc.topic.prefix": "crm", ...config }) })]),
    });
    return [effectOf(topicOfOtherLegacy, on), deleted(on).sort()];
  };
  assert.equal(cdc({ "cdc.topic.template": "${pdb}.SALES.${table}" }), ["warns", [REDO_TOPIC]]);
  assert.equal(cdc({ "cdc.signals.topic": REDO_TOPIC }), ["warns", [...LEGACY_TOPICS]]);
  assert.equal(cdc(ROUTE), ["warns", []]);
  assert.equal(cdc({ "cdc.topic.template": "${prefix}.${schema}.${table}" }), ["none", OWN]);
});

MIG413("leaves the licence topic to its own refusal", () => {
  const deleting = intent({ phase: "retire", deleteLicenceTopic: true });
  const others = known([other("other-legacy", { connectorClass: LEGACY_CLASS, licenceTopic: "_confluent-command" })]);
  assert.is(effectOf(topicOfOtherLegacy, retirement({ others }, deleting), deleting), "none");
  const routed = known([
    other("other-legacy", { connectorClass: LEGACY_CLASS, writes: legacyWrites("other-legacy", ROUTE) }),
  ]);
  assert.equal(deleted(retirement({ others: routed }, deleting)), ["_confluent-command"]);
});

MIG413("does not concern the licence topic, which MIG408 judges", () => {
  const parts = { others: unseen(), topics: known(["_confluent-command"]) };
  const wanted = intent({ phase: "retire", deleteLicenceTopic: true, verify: { legacyTopics: {} } });
  const on = retirement(parts, wanted);
  assert.equal(on.topics.known && on.topics.value.map(({ topic }) => topic), ["_confluent-command"]);
  assert.is(effectOf(topicOfOtherLegacy, on, wanted), "none");
});

MIG413("blocks while the others, or the topics, are unknown, and cannot be accepted", () => {
  const accepting = intent({ phase: "retire", accept: ["MIG413"] });
  for (const parts of [{ others: unseen() }, { topics: unseen() }]) {
    assert.is(verdictOf(topicOfOtherLegacy, retirement(parts)), "unknown");
    assert.is(effectOf(topicOfOtherLegacy, retirement(parts), accepting), "blocks");
  }
});

const MIG414 = suite("MIG414 topics of LOB columns");

const template = (text: string) => ({ config: { ...LEGACY_CONFIG, "lob.topic.name.template": text } });
const variable = (name: string) => `$${`{${name}}`}`;
const BY_COLUMN = template(`lob.${variable("tableName")}.${variable("columnName")}`);
const withLobTopics = known([
  "ORCLPDB1.SALES.ORDERS",
  "lob.ORDERS.NOTE",
  "lob.LINES.SCAN",
  "lob.OTHER.X",
  "lob.ORDERS",
]);

MIG414("passes where the legacy connector writes none, whatever is unknown", () => {
  assert.is(effectOf(lobTopicsStay, retirement()), "none");
  assert.is(effectOf(lobTopicsStay, retirement({ legacy: template(" "), topics: unseen() })), "none");
  assert.is(effectOf(lobTopicsStay, retirement({ legacy: BY_COLUMN })), "none", "none is there");
});

MIG414("names those of captured tables, and deletes none of them", () => {
  const on = retirement({ legacy: BY_COLUMN, topics: withLobTopics });
  assert.is(effectOf(lobTopicsStay, on), "warns");
  assert.match(resultOf(lobTopicsStay, on), /^lob\.LINES\.SCAN and lob\.ORDERS\.NOTE hold LOB columns\n/);
  assert.equal(on.topics.known && on.topics.value.map(({ topic }) => topic), ["ORCLPDB1.SALES.ORDERS"]);
});

MIG414("names a single one", () => {
  const on = retirement({ legacy: BY_COLUMN, topics: known(["lob.LINES.SCAN"]) });
  assert.match(resultOf(lobTopicsStay, on), /^lob\.LINES\.SCAN holds LOB columns/);
});

MIG414("leaves out those that are deleted or kept as topics of tables", () => {
  const on = retirement({ legacy: template(`ORCLPDB1.SALES.${variable("tableName")}`) });
  assert.ok(on.topics.known && on.topics.value.some(({ topic }) => topic === "ORCLPDB1.SALES.ORDERS"));
  assert.is(effectOf(lobTopicsStay, on), "none");
});

MIG414("reports where they are unknown", () => {
  const reference = template(variable("file:/etc/x:lobs"));
  for (const parts of [
    { legacy: BY_COLUMN, topics: unseen() },
    { legacy: BY_COLUMN, dictionary: unseen() },
    { legacy: reference },
  ])
    assert.is(effectOf(lobTopicsStay, retirement(parts)), "warns");
});

MIG405.run();
MIG408.run();
MIG409.run();
MIG410.run();
MIG411.run();
MIG413.run();
MIG414.run();
