/** Replaces what a plan file says of the two connectors. */
const CONNECTORS = `  from:
    connector: inventory-debezium
    # Its class and its stored offsets have to agree.
    kind: debezium
    # The version that wrote its settings and offsets, as source.version of its records: some defaults differ.
    # version: 2.7.3
    # Where its stored SCN may lie above an open transaction: at or below the lowest open START_SCN.
    # startScn: 2090000
  to:
    name: inventory-cdc
    # keep  write into its topics: consumers stay, and see the changes of the overlap twice in one stream
    # new   topics of its own, below topicPrefix
    topics: keep
    # topicPrefix: inventory
    # Settings that go before the translated ones.
    # config: { cdc.lob.mode: skip }
`;

/**
 * A commented plan file to leave Debezium: what becomes of its topics has no default.
 *
 * @param template of a migration from Confluent's connector
 */
export function fromDebezium(template: string): string {
  return template
    .replace(/^ {2}from:[\s\S]*?(?=^ {2}verify:)/m, CONNECTORS)
    .replace("# orders-cdc holds", "# inventory-cdc holds")
    .replaceAll("orders-to-cdc", "inventory-to-cdc")
    .replaceAll("SALES.ORDERS", "INV.ITEMS")
    .replace("ORCLCDB.ORCLPDB1.INV.ITEMS", "inventory.INV.ITEMS")
    .replace(/^.*licence topic[\s\S]*?true\n/m, "");
}
