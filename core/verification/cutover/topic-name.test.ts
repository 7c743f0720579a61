// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables in the connector's notation
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { type TopicParts, topicOf } from "./topic-name.ts";

const naming = suite("The topic of a table");

const ORDERS: TopicParts = {
  prefix: "orders",
  pdb: "ORCLPDB1",
  schema: "SALES",
  table: "ORDERS",
  database: "ORCLCDB",
};

const NAMES: readonly (readonly [template: string | undefined, parts: Partial<TopicParts>, topic: string])[] = [
  [undefined, {}, "orders.ORCLPDB1.SALES.ORDERS"],
  [undefined, { pdb: undefined }, "orders.SALES.ORDERS"],
  ["${prefix}.${database}.${table}", {}, "orders.ORCLCDB.ORDERS"],
  ["${prefix}_${schema}-${table}", { table: "Price List" }, "orders_SALES-Price_List"],
  ["${prefix}..${table}", { table: "a.b" }, "orders.a.b"],
  [".${table}", { table: "é✓" }, "__"],
  ["${table}", { table: "X".repeat(300) }, "X".repeat(249)],
  ["${table}", { table: "$&" }, "__"],
];

for (const [template, parts, topic] of NAMES)
  naming(`by ${template ?? "the connector's default"} is ${topic.slice(0, 40)}`, () =>
    assert.equal(topicOf(template, { ...ORDERS, ...parts }), { topic }),
  );

naming("can't be told by a variable that stands for nothing here", () => {
  for (const [template, parts] of [
    ["${prefix}.${pdb}.${table}", { pdb: undefined }],
    ["${prefix}.${region}", {}],
    ["${constructor}", {}],
  ] as const)
    assert.ok("why" in topicOf(template, { ...ORDERS, ...parts }), template);
});

naming.run();
