// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables in the connector's notation

import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { TableSeen } from "../../../schemas/generated/shared.ts";
import { canShareTopic, type TopicNaming, topicNames, topicNaming } from "./topic-names.ts";

const naming = suite("the topic of a table");

const ORDERS: TableSeen = { container: "ORCLPDB1", owner: "SALES", name: "ORDERS" };
const IN_PDB: TopicNaming = { template: undefined, prefix: "orders", pdbs: ["ORCLPDB1"], database: "ORCLCDB" };

/** The topic of a table called so, by a template; why it can't be told. */
const topicOf = (template: string | undefined, name = "ORDERS", parts: Partial<TopicNaming> = {}) => {
  const names = topicNames({ ...IN_PDB, template, ...parts });
  return names.known ? names.topicOf({ ...ORDERS, name }) : names;
};

const NAMES: readonly (readonly [template: string | undefined, table: string, topic: string])[] = [
  [undefined, "ORDERS", "orders.ORCLPDB1.SALES.ORDERS"],
  ["${prefix}.${database}.${table}", "ORDERS", "orders.ORCLCDB.ORDERS"],
  ["${prefix}_${schema}-${table}", "Price List", "orders_SALES-Price_List"],
  ["${prefix}..${table}", "a.b", "orders.a.b"],
  [".${table}", "é✓", "__"],
  ["${table}", "X".repeat(300), "X".repeat(249)],
  ["${table}", "$&", "__"],
  ["${table}", "${schema}", "__schema_"],
];

for (const [template, table, topic] of NAMES)
  naming(`${table.slice(0, 10)} with ${template ?? "the connector's default"} is ${topic.slice(0, 40)}`, () =>
    assert.is(topicOf(template, table), topic),
  );

naming("has no container without PDBs", () =>
  assert.is(topicOf(undefined, "ORDERS", { pdbs: [] }), "orders.SALES.ORDERS"),
);

naming("is unknown with an unknown variable", () => {
  for (const [template, parts] of [
    ["${prefix}.${pdb}.${table}", { pdbs: [] }],
    ["${prefix}.${region}", {}],
    ["${constructor}", {}],
  ] as const)
    assert.equal(topicOf(template, "ORDERS", parts), {
      known: false,
      why: `cdc.topic.template ${template} has the unknown variable ${/\$\{(?!prefix)\w+\}/.exec(template)?.[0]}`,
    });
});

naming("follows the connector's template, and its default where the setting is empty", () => {
  const read = (template: string) =>
    topicNaming(
      { config: { "cdc.topic.template": template }, prefix: "orders", tables: { pdbs: ["ORCLPDB1"] } },
      { name: "ORCLCDB" },
    );
  assert.equal(read(" "), IN_PDB);
  assert.equal(read(" ${table} "), { ...IN_PDB, template: "${table}" });
});

naming("may be another table's too if the template omits what distinguishes them", () => {
  const shared = (template: string | undefined, ...pdbs: readonly string[]) => canShareTopic({ template, pdbs });
  assert.is(shared(undefined, "PDB1", "PDB2"), false);
  assert.is(shared("${schema}.${table}"), false);
  assert.is(shared("${schema}.${table}", "PDB1"), false);
  assert.is(shared("${schema}.${table}", "PDB1", "PDB2"), true);
  assert.is(shared("${pdb}.${schema}.${table}", "PDB1", "PDB2"), false);
  assert.is(shared("${prefix}.${table}"), true);
});

naming.run();
