import { suite } from "uvu";
import * as assert from "uvu/assert";
import { CallFailed } from "../../errors.ts";
import { observerAt } from "../../facts/observer.ts";
import type { KafkaPort, KafkaRecord } from "../../ports/kafka.ts";
import type { OraclePort } from "../../ports/oracle.ts";
import { known, unseen } from "../offset-change/testing/build-facts.ts";
import { inspectDdl } from "./inspect-ddl.ts";

const inspecting = suite("definitions of the captured tables");

const ORDERS = { container: "ORCLPDB1", owner: "SALES", name: "ORDERS" };
const DEFINED = { ...ORDERS, lastDdl: "2026-11-21T09:00:00Z" };
const DICTIONARY = {
  containers: [{ name: "ORCLPDB1", openMode: "READ WRITE" }],
  tables: [ORDERS],
  answering: ["ORCLPDB1"],
};
const DENIED = new CallFailed("oracle", "forbidden", { message: "denied", remedy: "GRANT it." });
const denied = () => Promise.reject(DENIED);

interface Scene {
  readonly pdbs?: readonly string[];
  readonly include?: string;
  /** The PDB in the key of the layout of `SALES.ORDERS`; null: none. */
  readonly pdb?: string | null;
  readonly oracle?: Partial<OraclePort>;
  readonly kafka?: Partial<KafkaPort>;
  readonly read?: Parameters<typeof inspectDdl>[3];
}

async function seenIn({ pdbs = ["ORCLPDB1"], include = ".*", pdb = "ORCLPDB1", oracle, kafka, read }: Scene = {}) {
  const asked: string[] = [];
  const key = new TextEncoder().encode(JSON.stringify({ server: "orders", pdb, owner: "SALES", table: "ORDERS" }));
  const layout: KafkaRecord = {
    ...{ partition: 0, offset: 0n, timestamp: 0n, stampedBy: "producer", headers: {} },
    ...{ key, value: new Uint8Array([1]) },
  };
  const ports = {
    oracle: {
      dictionary: async () => {
        asked.push("dictionary");
        return DICTIONARY;
      },
      lastDdl: async () => {
        asked.push("last DDL");
        return [DEFINED];
      },
      ...oracle,
    } as Partial<OraclePort> as OraclePort,
    kafka: {
      topic: async (name: string) => ({ name }),
      extents: async () => [{ partition: 0, from: 0n, to: 1n }],
      endOffsets: async () => [{ partition: 0, offset: 1n }],
      async *records() {
        yield [layout];
      },
      ...kafka,
    } as unknown as KafkaPort,
  };
  const tables = { pdbs, include, exclude: undefined, caseSensitive: false };
  const settings = { tables, schemaTopic: "orders.cdc.schema", prefix: "orders" };
  const seen = await inspectDdl(ports, settings, observerAt({ now: () => "2026-11-21T09:14:02Z" }), read);
  return { seen, asked };
}

for (const [what, scene, found] of [
  ["by the connector's own name", {}, { table: "ORCLPDB1.SALES.ORDERS", layout: "ORCLPDB1.SALES.ORDERS" }],
  [
    "under the PDB's name where the connector, inside it, names none",
    { pdbs: [] },
    { table: "SALES.ORDERS", layout: "ORCLPDB1.SALES.ORDERS" },
  ],
  ["without a PDB", { pdb: null }, { table: "ORCLPDB1.SALES.ORDERS", layout: "SALES.ORDERS" }],
  ["in another PDB, which is none of its own", { pdb: "OTHER" }, { table: "ORCLPDB1.SALES.ORDERS", layout: null }],
] as readonly (readonly [string, Scene, object])[])
  inspecting(`come with the table's layout: ${what}`, async () => {
    const { seen, asked } = await seenIn(scene);
    assert.equal(seen, {
      ...{ known: true, source: "CDB_OBJECTS", at: "2026-11-21T09:14:02Z" },
      value: { schemaTopic: "orders.cdc.schema", tables: [{ ...found, lastDdl: DEFINED.lastDdl }] },
    });
    assert.equal(asked, ["dictionary", "last DDL"]);
  });

for (const [what, scene, source, asked] of [
  ["the dictionary", { oracle: { dictionary: denied } }, "CDB_TABLES", ["last DDL"]],
  ["the tables' last DDL", { oracle: { lastDdl: denied } }, "CDB_OBJECTS", ["dictionary"]],
] as readonly (readonly [string, Scene, string, readonly string[]])[])
  inspecting(`are unknown without the right to read ${what}, with the view and the remedy`, async () => {
    const { seen, asked: read } = await seenIn(scene);
    assert.not(seen.known);
    assert.is(seen.source, source);
    assert.match(seen.known ? "" : seen.why, "denied");
    assert.equal(!seen.known && seen.remedies, ["GRANT it."]);
    assert.equal(read, asked);
  });

inspecting("are unknown where no pattern tells what is captured", async () => {
  const { seen } = await seenIn({ include: ".*(?<!A)" });
  assert.not(seen.known);
  assert.equal([seen.source, !seen.known && seen.why.includes("cdc.tables.include")], ["CDB_TABLES", true]);
});

inspecting("of a schema topic that can't be read have no layouts: neither one nor none is claimed", async () => {
  const key = new Uint8Array([1]);
  const garbage = { ...{ partition: 0, offset: 0n, timestamp: 0n, stampedBy: "producer" as const, headers: {} }, key };
  for (const kafka of [
    { topic: denied },
    {
      async *records() {
        yield [{ ...garbage, value: key }];
      },
    },
  ] as readonly Partial<KafkaPort>[]) {
    const { seen } = await seenIn({ kafka });
    assert.equal(seen.known && seen.value.tables, [{ table: "ORCLPDB1.SALES.ORDERS", lastDdl: DEFINED.lastDdl }]);
  }
  const { seen } = await seenIn({ kafka: { topic: async () => undefined } });
  assert.equal(seen.known && seen.value.tables[0]?.layout, null, "a missing topic has none");
});

inspecting("of a table that the view does not list have no time", async () => {
  const { seen } = await seenIn({ oracle: { lastDdl: async () => [{ ...DEFINED, name: "LINES" }] } });
  assert.equal(seen.known && seen.value.tables.map(({ lastDdl }) => lastDdl), [undefined]);
});

inspecting("are not read twice: what is known already is used, and only what is not is asked for", async () => {
  const activity = { ...DEFINED, lastDdl: "2026-11-21T08:00:00Z" };
  for (const [read, asked, lastDdl] of [
    [{ dictionary: known(DICTIONARY), activity: known([activity]) }, [], activity.lastDdl],
    [{ dictionary: known(DICTIONARY), activity: unseen() }, ["last DDL"], DEFINED.lastDdl],
    [{ activity: known([activity]) }, ["dictionary"], activity.lastDdl],
  ] as const) {
    const { seen, asked: made } = await seenIn({ read });
    assert.equal(made, asked);
    assert.equal(seen.known && seen.value.tables[0]?.lastDdl, lastDdl);
  }
});

inspecting.run();
