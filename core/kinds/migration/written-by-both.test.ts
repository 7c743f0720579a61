// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables in the notation of the connectors
/** What deletes topics, and what spares them, agree on the names that a connector's settings give. */
import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { newTopicsUnclear } from "../../checks/cutover-rollback.ts";
import { topicNames, topicNaming } from "../../facts/tables/topic-names.ts";
import { legacyWrites } from "../../legacy/confluent/topics.ts";
import { mayWriteTo } from "../../legacy/other-writers.ts";
import { namedTopics } from "../../legacy/written-topics.ts";
import { known } from "../offset-change/testing/build-facts.ts";
import { effectOf, goingBack, intent, retirement } from "./testing/build-readings.ts";
import { dictionary, LEGACY_CLASS, LEGACY_CONFIG, other, settings, table } from "./testing/story.ts";

const both = suite("a topic that a connector's settings give");

/** A legal name in Kafka. */
const legal = (text: string) => Array.from(text, (one) => (/[\w.-]/.test(one) ? one : "_")).join("");
const quoted = (text: string) => text.replaceAll(/[^\w ]/g, (one) => `\\${one}`);

const name = fc.oneof(
  fc.constantFrom("ORDERS", "C##SALES", "T$1", "MY TABLE", "ÄRGER", "a-b", "x.y", "\u{1F600}"),
  fc.stringMatching(/^[A-Z#$_-](?:[A-Z#$ _.-]{0,6}[A-Z#$_.-])?$/),
);
const spelt = (text: string) => fc.constantFrom(text, text.toLowerCase(), `O${text.slice(1).toLowerCase()}`);
const instance = fc.constantFrom("oracle.sid", "oracle.service.name", "srcdb.sid");
const part = fc.constantFrom(
  ...["${fullyQualifiedTableName}", "${databaseName}", "${schemaName}", "${tableName}"],
  ...["x#", ".", "-", "_", "", " "],
);
const written = fc.record({
  owner: name,
  called: name,
  pdb: spelt("ORCLPDB1"),
  sid: spelt("ORCLCDB"),
  instance,
  template: fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => `t${parts.join("")}t`),
  caseOf: fc.constantFrom(
    (text: string) => text,
    (text: string) => text.toUpperCase(),
    (text: string) => text.toLowerCase(),
  ),
  behindSid: fc.boolean(),
  restricted: fc.boolean(),
});
type Written = typeof written extends fc.Arbitrary<infer One> ? One : never;

/** A legacy connector's settings, and the topic to which it writes a table by them. */
function given(setting: string, { owner, called, pdb, sid, template, restricted, ...of }: Written) {
  const include = `.*[.]${quoted(owner)}[.]${quoted(called)}`;
  const config = {
    "connector.class": LEGACY_CLASS,
    "oracle.pdb.name": pdb,
    [of.instance]: sid,
    ...(restricted ? { "table.inclusion.regex": include } : {}),
    [setting]: template,
  };
  const database = of.caseOf(of.behindSid ? `${sid}.${pdb}` : pdb);
  const values: Readonly<Record<string, string>> = {
    fullyQualifiedTableName: `${database}.${owner}.${called}`,
    databaseName: database,
    schemaName: owner,
    tableName: called,
  };
  const topic = legal(template.replaceAll(/\$\{(\w+)\}/g, (all, variable: string) => values[variable] ?? all));
  const tables = { ...settings().tables, include: ".*" };
  return { config, topic, seen: { dictionary: known(dictionary(table(called, owner))), settings: { tables } } };
}

const writing = (config: Readonly<Record<string, string>>) =>
  mayWriteTo({ prefix: undefined, writes: legacyWrites("twin", config), ...namedTopics(config) });
const twin = (config: Readonly<Record<string, string>>) =>
  known([
    other("twin", { connectorClass: LEGACY_CLASS, writes: legacyWrites("twin", config), ...namedTopics(config) }),
  ]);
const retiring = intent({ phase: "retire", verify: { legacyTopics: {} } });
const deleting = intent({ phase: "rollback", deleteTopics: true, verify: { legacyTopics: {} } });

both("of a table is found by a retirement, and spared where another legacy connector has them too", () =>
  fc.assert(
    fc.property(written, (one) => {
      const { config, topic, seen } = given("table.topic.name.template", one);
      assert.ok(writing(config)(topic), topic);
      const parts = { ...seen, legacy: { config }, topics: known([topic]) };
      const alone = retirement({ ...parts, others: known([]) }, retiring);
      assert.equal(alone.topics.known && alone.topics.value.map((found) => found.topic), [topic]);
      assert.equal(alone.withoutTopic, []);
      const shared = retirement({ ...parts, others: twin(config) }, retiring);
      assert.equal(shared.topics.known && shared.topics.value, []);
      assert.equal(shared.shared.known && shared.shared.value.map((found) => found.topics), [[topic]]);
    }),
  ),
);

both("of a LOB column is named by a retirement, and deleted by none", () =>
  fc.assert(
    fc.property(written, (one) => {
      const { config, topic, seen } = given("lob.topic.name.template", one);
      assert.ok(writing(config)(topic), topic);
      const on = retirement({ ...seen, legacy: { config }, topics: known([topic]), others: known([]) }, retiring);
      assert.equal(on.lobTopics?.known && on.lobTopics.value, [topic]);
      assert.equal(on.topics.known && on.topics.value, []);
    }),
  ),
);

both("is deleted by no rollback, whichever connector has it, though the new one writes there too", () =>
  fc.assert(
    fc.property(written, fc.constantFrom("table.topic.name.template", "lob.topic.name.template"), (one, setting) => {
      const { config, topic, seen } = given(setting, one);
      const shared = { ...settings().config, "cdc.signals.topic": topic };
      const parts = { ...seen, settings: { ...seen.settings, config: shared }, topics: known([topic]) };
      const elsewhere = { ...LEGACY_CONFIG, "table.topic.name.template": "elsewhere" };
      const going = (legacy: Readonly<Record<string, string>>, others: ReturnType<typeof twin>) =>
        goingBack({ ...parts, legacy: { config: legacy }, others }, deleting);
      const own = going(config, known([]));
      assert.equal(own.newTopics.known && own.newTopics.value, []);
      const free = going(elsewhere, known([]));
      assert.equal(free.newTopics.known && free.newTopics.value, [topic]);
      assert.is(effectOf(newTopicsUnclear, free, deleting), "none");
      assert.is(effectOf(newTopicsUnclear, going(elsewhere, twin(config)), deleting), "blocks");
    }),
  ),
);

both("of the new connector is one that it may write to, cut off or not", () => {
  const some = fc.constantFrom(
    "${prefix}",
    "${pdb}",
    "${schema}",
    "${table}",
    "${database}",
    ".",
    "-",
    "x#",
    "y".repeat(90),
  );
  return fc.assert(
    fc.property(
      name,
      name,
      fc.array(some, { minLength: 1, maxLength: 5 }),
      fc.boolean(),
      (owner, called, parts, pdbs) => {
        const config = { "cdc.topic.prefix": "crm $1", "cdc.topic.template": parts.join("") };
        const tables = { pdbs: pdbs ? ["ORCLPDB1"] : [] };
        const names = topicNames(topicNaming({ config, prefix: "crm $1", tables }, { name: "ORCLCDB" }));
        const topic = names.known ? names.topicOf({ ...table(called, owner), container: "ORCLPDB1" }) : "";
        if (topic === "") return;
        assert.ok(mayWriteTo({ prefix: "crm $1", writes: undefined, ...namedTopics(config) })(topic), topic);
      },
    ),
  );
});

both.run();
