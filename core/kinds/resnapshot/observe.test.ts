import { suite } from "uvu";
import * as assert from "uvu/assert";
import { snapshotAgain } from "../../apply/testing/intents.ts";
import { DICTIONARY } from "../../apply/testing/memory-facts.ts";
import { type MemoryWorld, memoryWorld } from "../../apply/testing/memory-world.ts";
import { CURRENT_SCN, GAP_END, PREVIOUS_SCN, SIGNALS_TOPIC, STORED } from "../../apply/testing/story.ts";
import type { ResnapshotIntent } from "../../document/intent.ts";
import { CallFailed } from "../../errors.ts";
import { CONNECTOR_CLASS } from "../../legacy/connector-class.ts";
import type { OraclePort } from "../../ports/oracle.ts";
import { journaledWorld, lentSettings } from "../connector/testing/journaled-world.ts";
import { observeResnapshot } from "./observe.ts";
import { planResnapshot } from "./plan.ts";

const observing = suite("observing a resnapshot");

const CONFIG = {
  "connector.class": CONNECTOR_CLASS,
  "cdc.topic.prefix": "orders",
  "cdc.database.host": "db",
  "cdc.database.pdbs": "ORCLPDB1",
  "cdc.tables.include": "ORCLPDB1[.]SALES[.].*",
};
const JOURNAL = "orders.cdc.txjournal";
const bytes = (text: string) => new TextEncoder().encode(text);
const FORBIDDEN = new CallFailed("oracle", "forbidden", { message: "ORA-00942: CDB_TABLES" });

interface Scene {
  readonly stored?: MemoryWorld["stored"];
  readonly purged?: boolean;
  readonly topics?: readonly string[];
  readonly config?: Readonly<Record<string, string>>;
  readonly oracle?: Partial<OraclePort>;
  readonly wanted?: Partial<ResnapshotIntent>;
  readonly evidence?: boolean;
  /** Keys of the signals that stand in their topic. */
  readonly signals?: readonly string[];
}

/** Looks at a stopped connector; its journal, where there is one, holds a transaction that began at SCN 100. */
async function seenIn({ stored = STORED, purged = false, topics = [], signals = [], oracle, ...scene }: Scene = {}) {
  const memory = memoryWorld(stored, "STOPPED");
  memory.purged = purged;
  for (const topic of topics) memory.makeTopic(topic);
  await memory.kafka.append(
    SIGNALS_TOPIC,
    signals.map((key) => ({ key: bytes(key), value: bytes(`{"id":"to ${key}","type":"snapshot","data":{}}`) })),
  );
  const asked: Record<string, unknown> = {};
  const config = { ...CONFIG, ...scene.config };
  const world = journaledWorld(memory, config, {
    archivedLogs: async (from) => {
      asked["archived logs"] = from;
      return memory.oracle.archivedLogs(from);
    },
    activity: async (pdbs) => {
      asked["activity"] = pdbs;
      return [];
    },
    lastDdl: async (pdbs) => {
      asked["last DDL"] = pdbs;
      return [];
    },
    rowScns: async (tables) => {
      asked["row SCNs"] = tables.map(({ name }) => name);
      return [];
    },
    ...oracle,
  });
  const settingsOf = async (seen: { readonly config: Readonly<Record<string, string>> }) => lentSettings(seen.config);
  const wanted = snapshotAgain(scene.wanted);
  const { facts } = await observeResnapshot(wanted, world, { settingsOf }, { evidence: scene.evidence ?? true });
  return { asked, facts, plan: planResnapshot(wanted, facts) };
}

observing("reads all that a plan requires, so that it is ready", async () => {
  const { facts, plan } = await seenIn({ topics: [SIGNALS_TOPIC, "orders.cdc.ops"] });
  assert.equal([facts.kind, plan.outcome.state, plan.decided.gap], ["Resnapshot", "ready", undefined]);
  assert.is(
    facts.signalsTopic.known && facts.signalsTopic.value !== "missing" && facts.signalsTopic.value.name,
    SIGNALS_TOPIC,
  );
  assert.equal(facts.dictionary.known && [facts.dictionary.source, facts.dictionary.value], ["CDB_TABLES", DICTIONARY]);
});

observing("a missing signals topic is found while planning", async () => {
  const { facts } = await seenIn();
  assert.is(facts.signalsTopic.known && facts.signalsTopic.value, "missing");
});

for (const [what, stored, unread] of [
  ["all of its topic where none was handled", STORED, ["to orders-cdc", "to orders"]],
  ["none where all were", { ...STORED, signal_offset: 0n }, []],
] as const)
  observing(`signals that the task has yet to read are ${what}, and no other connector's`, async () => {
    const { facts } = await seenIn({ stored, signals: ["billing-cdc", "orders-cdc", "orders"] });
    assert.equal(facts.signals?.known && [facts.signals.source, facts.signals.value.unread.map(({ id }) => id)], [
      SIGNALS_TOPIC,
      unread,
    ]);
  });

const CHANGED = "2026-11-21T09:00:00Z";
const ALTERED = { container: "ORCLPDB1", owner: "SALES", name: "ORDERS", lastDdl: CHANGED };
const ACTIVITY = [{ ...ALTERED, modifications: undefined, analyzed: undefined }];

for (const [what, scene] of [
  ["from the evidence, which has it too", { oracle: { activity: async () => ACTIVITY } }],
  ["by itself, where no evidence is read", { evidence: false, oracle: { lastDdl: async () => [ALTERED] } }],
  [
    "by itself, where the evidence is unreadable",
    { oracle: { activity: () => Promise.reject(FORBIDDEN), lastDdl: async () => [ALTERED] } },
  ],
] as readonly (readonly [string, Scene])[])
  observing(`when a captured table was last defined is read past a gap ${what}`, async () => {
    const { facts } = await seenIn({ ...scene, purged: true });
    assert.equal(facts.ddl?.known && [facts.ddl.value.schemaTopic, facts.ddl.value.tables], [
      "orders.cdc.schema",
      [
        { table: "ORCLPDB1.SALES.CUSTOMERS", lastDdl: undefined, layout: null },
        { table: "ORCLPDB1.SALES.LINES", lastDdl: undefined, layout: null },
        { table: "ORCLPDB1.SALES.LINES, OLD", lastDdl: undefined, layout: null },
        { table: "ORCLPDB1.SALES.ORDERS", lastDdl: CHANGED, layout: null },
      ],
    ]);
  });

observing("when a captured table was last defined is not read for a signal alone: nothing is skipped", async () => {
  const { facts } = await seenIn();
  assert.is(facts.ddl, undefined);
});

const NOT_LOOKED_UP = [
  { known: false, why: "not looked up", source: "CDB_OBJECTS, CDB_TAB_MODIFICATIONS" },
  { known: false, why: "not looked up", source: "ORA_ROWSCN" },
];
const ROW_SCNS: Scene = { purged: true, wanted: { readRowScns: true } };

for (const [what, scene, asked] of [
  ["is read for the configured PDBs if redo is missing", { purged: true }, { activity: ["ORCLPDB1"] }],
  [
    "is read from the unlisted tables' rows too, if the plan file requests it",
    ROW_SCNS,
    { activity: ["ORCLPDB1"], "row SCNs": ["CUSTOMERS", "LINES"] },
  ],
  [
    "is read from rows of the tables that the plan file calls captured, where no pattern decides",
    {
      purged: true,
      wanted: { readRowScns: true, capturedTables: ["SALES.ORDERS", "SALES.CUSTOMERS"] },
      config: { "cdc.tables.include": "ORCLPDB1[.]SALES(?<!X)[.].*" },
    },
    { activity: ["ORCLPDB1"], "row SCNs": ["CUSTOMERS"] },
  ],
  [
    "is not read from rows while the captured tables are unknown",
    { ...ROW_SCNS, config: { "cdc.tables.include": "" } },
    { activity: ["ORCLPDB1"] },
  ],
  [
    "is not read from rows while the dictionary is unreadable",
    { ...ROW_SCNS, oracle: { dictionary: () => Promise.reject(FORBIDDEN) } },
    { activity: ["ORCLPDB1"] },
  ],
] as readonly (readonly [string, Scene, object])[])
  observing(`evidence about tables that lose changes ${what}`, async () => {
    const seen = await seenIn(scene);
    assert.equal(seen.asked, { "archived logs": PREVIOUS_SCN, ...asked });
    const { activity, rowScns } = seen.facts;
    assert.equal(
      [activity, rowScns].map((one) => one.known && [one.source, one.value]),
      [
        ["CDB_OBJECTS, CDB_TAB_MODIFICATIONS", []],
        ["ORA_ROWSCN", []],
      ],
    );
  });

for (const [what, scene, from, ddl = {}] of [
  ["all redo is there", { wanted: { readRowScns: true } }, PREVIOUS_SCN],
  ["it decides nothing", { ...ROW_SCNS, evidence: false }, PREVIOUS_SCN, { "last DDL": ["ORCLPDB1"] }],
  ["no offset is stored, so that nothing was missed", { ...ROW_SCNS, stored: null }, 0n],
  [
    "it is unknown whether redo is missing",
    { ...ROW_SCNS, oracle: { threads: () => Promise.reject(FORBIDDEN) } },
    PREVIOUS_SCN,
  ],
] as readonly (readonly [string, Scene, bigint, object?])[])
  observing(`changes of tables are not read where ${what}, which differs from none`, async () => {
    const { asked, facts } = await seenIn(scene);
    // What decides about a DDL in the gap is read all the same.
    assert.equal(asked, { "archived logs": from, ...ddl });
    assert.equal([facts.activity, facts.rowScns], NOT_LOOKED_UP);
  });

for (const [what, scene, journaled, times] of [
  [
    "read past a gap, with the times of the gap's end and of the journal",
    { purged: true, topics: [JOURNAL] },
    ["4.9.771"],
    [PREVIOUS_SCN, PREVIOUS_SCN - 13n, CURRENT_SCN, GAP_END, 100n],
  ],
  ["not read while all redo is there", { topics: [JOURNAL] }, [], [PREVIOUS_SCN, PREVIOUS_SCN - 13n, CURRENT_SCN]],
  [
    "not needed for an offset without a last commit",
    { stored: { v: 1n, resume_scn: PREVIOUS_SCN } },
    [],
    [PREVIOUS_SCN, CURRENT_SCN],
  ],
  ["not needed without an offset", { stored: null }, [], [CURRENT_SCN]],
  [
    "not read as empty if it is unreadable",
    { purged: true, topics: [JOURNAL], config: { "cdc.journal.converter": "Avro" } },
    false,
    [PREVIOUS_SCN, PREVIOUS_SCN - 13n, CURRENT_SCN, GAP_END],
  ],
] as readonly (readonly [string, Scene, readonly string[] | false, readonly bigint[]])[])
  observing(`the journal is ${what}`, async () => {
    const { facts } = await seenIn(scene);
    assert.equal(facts.journaled.known && facts.journaled.value.map(({ xid }) => xid), journaled);
    assert.equal(facts.times.known && facts.times.value.map(({ scn }) => scn), times);
  });

observing.run();
