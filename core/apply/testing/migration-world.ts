import type { ConnectorStatus } from "../../../schemas/generated/facts.ts";
import { connectorSettings } from "../../document/connector-settings.ts";
import type { MigrationIntent, MigrationPhase } from "../../document/intent.ts";
import { UsageError } from "../../errors.ts";
import type { BoundSettings } from "../../facts/connector/settings.ts";
import type { OffsetEntry } from "../../facts/offset/stored-offset.ts";
import type { VerifiedTable } from "../../facts/tables/tables.ts";
import { observe as observeKind, planFor } from "../../kinds/catalogue.ts";
import type { MigrationFacts } from "../../kinds/facts.ts";
import type { Sources } from "../../kinds/kind.ts";
import { newConfiguration } from "../../kinds/migration/new-connector.ts";
import { intent as migrationIntent } from "../../kinds/migration/testing/build-readings.ts";
import type { Plan } from "../../plan/plan.ts";
import type { JournalEntry } from "../../run/journal.ts";
import type { Verified } from "../context.ts";
import { type Attempts, attemptsOf, type Hands, ready } from "./attempts.ts";
import { LEGACY_CLASS } from "./memory-connectors.ts";
import { type MemoryWorld, memoryWorld, worldOf } from "./memory-world.ts";
import { CONNECTOR } from "./story.ts";

export const LEGACY = "orders-legacy";
/** The lowest of the legacy connector's stored SCNs, before it runs on. */
export const LEGACY_SCN = 2_050_000n;
export const LEGACY_TOPICS: readonly string[] = [
  ...["ORDERS", "CUSTOMERS", "LINES", "LINES__OLD"].map((topic) => `ORCLPDB1.SALES.${topic}`),
  "orders-legacy-ORCLPDB1-redo-log",
];
export const NEW_CLASS = "sh.oso.connect.oracle.OracleCdcSourceConnector";
/** These are in the configurations, and nowhere else. */
export const SECRETS: readonly string[] = ["tiger-in-legacy-4711", "tiger-of-operator-0815", "jaas-tiger-77"];

const OFFSETS: readonly OffsetEntry[] = [
  { partition: { sidPdb: "ORCLCDB.ORCLPDB1" }, offset: { scn: String(LEGACY_SCN), tablePlacement: "{}" } },
  {
    partition: { catalog: "ORCLPDB1", schema: "SALES", table: "ORDERS" },
    offset: { scn: String(LEGACY_SCN + 500n), cscn: String(LEGACY_SCN + 900n) },
  },
];

const LEGACY_CONFIG: Readonly<Record<string, string>> = {
  name: LEGACY,
  "connector.class": LEGACY_CLASS,
  "oracle.server": "db",
  "oracle.port": "1521",
  "oracle.sid": "ORCLCDB",
  "oracle.pdb.name": "ORCLPDB1",
  "oracle.username": "C##CDC",
  "oracle.password": SECRETS[0] ?? "",
  "table.inclusion.regex": "ORCLPDB1[.]SALES[.].*",
  "use.transaction.begin.for.mining.session": "true",
};

const PLAIN = "org.apache.kafka.common.security.plain.PlainLoginModule";

/** What the operator keeps for the new connector. */
const KEPT: Readonly<Record<string, string>> = {
  "cdc.database.password": SECRETS[1] ?? "",
  "cdc.stream.sasl.jaas.config": `${PLAIN} required username="cdc" password="${SECRETS[2]}";`,
  "cdc.tables.include": "ORCLPDB1[.]SALES[.].*",
};

/** A legacy connector in a memory world, the runs of its migration, and what must never have been. */
export interface Migration {
  readonly world: MemoryWorld;
  /** Both connectors were RUNNING at the same time. */
  readonly bothRan: () => boolean;
  /**
   * What was sent without standing in the journal as the last thing before it, or to a connector in a state that
   * forbids it.
   */
  readonly wrongs: readonly string[];
  /** What came of the verification. */
  verified: Verified;
  /** What was to be verified, each time that it was asked for. */
  readonly verifications: () => readonly (readonly VerifiedTable[])[];
  /** The evidence file; undefined while there is none. */
  evidence: string | undefined;
  /** The operator's file for the new connector, to be changed. */
  readonly kept: Record<string, string>;
  /** How many changing calls had been made when the latest run began. */
  readonly changesBefore: () => number;
  plan(intent: MigrationIntent): Promise<Plan<"Migration">>;
  /** What a process of a run works with, besides the world. */
  hands(intent: MigrationIntent): Hands;
  /** A run of a plan, to be applied. */
  run(intent: MigrationIntent): Promise<Attempts>;
  legacy(): ConnectorStatus["state"];
  next(): ConnectorStatus["state"];
}

/** Nobody sees what an earlier connector has left before Kafka Connect 3.7: that there was none is asserted. */
export function cutoverOn(version: string): MigrationIntent {
  return phaseOf("cutover", { accept: version.startsWith("3.6") ? ["MIG107"] : [] });
}

/** A phase of the move from one connector to the other. */
export function phaseOf(phase: MigrationPhase, more: Partial<MigrationIntent> = {}): MigrationIntent {
  return {
    ...migrationIntent({
      phase,
      target: { context: undefined, connectUrl: "http://w:8083", connector: CONNECTOR },
      verify: {
        tables: ["SALES.ORDERS", "SALES.CUSTOMERS", "SALES.LINES", 'SALES."LINES, OLD"'],
        legacyTopics: { "SALES.ORDERS": LEGACY_TOPICS[0] ?? "" },
      },
      opsFormat: "json",
    }),
    ...more,
  };
}

export function migrationWorld(state: "RUNNING" | "PAUSED" | "STOPPED" | "FAILED" = "RUNNING"): Migration {
  const world = memoryWorld(null, "gone");
  world.connectors.all.set(LEGACY, {
    config: LEGACY_CONFIG,
    state: state === "FAILED" ? "RUNNING" : state,
    fails: state === "FAILED",
  });
  world.connectors.offsets.set(LEGACY, OFFSETS);
  world.plugins = [NEW_CLASS, LEGACY_CLASS].map((className) => ({ className, type: "source", version: "1" }));
  for (const topic of [...LEGACY_TOPICS, "somebody.elses"]) world.makeTopic(topic);
  let together = false;
  const stateOf = (name: string) => world.connectors.all.get(name)?.state ?? "gone";
  world.watch = () => {
    together ||= stateOf(LEGACY) === "RUNNING" && stateOf(CONNECTOR) === "RUNNING";
  };
  const runs = new Map<string, Attempts>();
  const wrongs = watchCalls(world, () => [...runs.values()].at(-1)?.entries ?? []);
  const asked: (readonly VerifiedTable[])[] = [];
  let before = 0;
  const kept: Record<string, string> = { ...KEPT };
  const sources: Sources = {
    settingsOf: () => Promise.reject(new Error("no other kind's")),
    evidence: async () => {
      if (migration.evidence === undefined) throw new UsageError("there is no such file");
      return migration.evidence;
    },
    deployed: async ({ config }) => ({ ...inMemory({ ...config, ...kept }), config }),
    completed: async (_name, translated, set) => {
      const body = { ...translated, ...kept, ...set };
      return { body, settings: inMemory(body) };
    },
  };
  const around = worldOf(world, {
    place: "memory",
    list: async () => [...runs.keys()].map((run) => ({ clusterId: "k", connector: CONNECTOR, run })),
    read: async ({ run }) => runs.get(run)?.entries ?? [],
  });
  const observe = async (intent: MigrationIntent): Promise<MigrationFacts> => {
    const { facts } = await observeKind(intent, around, sources);
    if (facts.kind !== "Migration") throw new Error(`facts of ${facts.kind}`);
    return facts;
  };
  const migration: Migration = {
    world,
    wrongs,
    kept,
    bothRan: () => together,
    verified: {
      passed: true,
      sentence: "4 tables passed",
      tables: ["ORCLPDB1.SALES.ORDERS"],
      counts: { rows: 14n, compared: 6n, byLegacy: 8n },
      evidence: { file: "orders-to-cdc.evidence.json", digest: "sha256:e", writtenAt: "2026-11-21T09:15:40Z" },
    },
    verifications: () => asked,
    evidence: undefined,
    changesBefore: () => before,
    plan: async (intent) => planFor(intent, await observe(intent)),
    hands: (intent) => ({
      observe: () => observe(intent),
      newConfiguration: (wanted) => newConfiguration(wanted, around, sources),
      verify: async (_intent, tables) => {
        asked.push(tables);
        return migration.verified;
      },
    }),
    async run(intent) {
      const plan = ready(await migration.plan(intent));
      const run = `2026-11-21T09-15-40Z-${String(runs.size).padStart(4, "0")}`;
      const attempts = attemptsOf(plan, world, run, migration.hands(intent));
      runs.set(run, attempts);
      before = world.changes.length;
      return attempts;
    },
    legacy: () => stateOf(LEGACY),
    next: () => stateOf(CONNECTOR),
  };
  return migration;
}

/** No client takes them. */
function inMemory(config: Readonly<Record<string, string>>): BoundSettings {
  return connectorSettings(config, "memory") as BoundSettings;
}

/** Looks at each changing call before it is made. */
function watchCalls(world: MemoryWorld, entries: () => readonly JournalEntry[]): readonly string[] {
  const wrongs: string[] = [];
  const { connect, kafka } = world;
  const { create, deleteOffsets, deleteConnector, resume } = connect;
  const { deleteTopic } = kafka;
  const journaled = (call: string) => {
    const last = entries().at(-1);
    if (last?.type !== "call-sent" || last.call !== call) wrongs.push(`${call} was sent after ${last?.type}`);
  };
  const stopped = (name: string, what: string) => {
    const state = world.connectors.all.get(name)?.state ?? "STOPPED";
    if (state !== "STOPPED") wrongs.push(`${what} while it is ${state}`);
  };
  const announced = (name: string) => {
    const stored = world.connectors.offsets.get(name) ?? [];
    const [first] = entries();
    const run = first?.type === "run-started" ? first.run : "";
    // One that is stored again is deleted again, by the same record.
    const described = world.events.some(({ details }) => details.run === run && details.outcome === "applying");
    if (stored.length > 0 && !described) wrongs.push(`offsets of ${name} were deleted without a record`);
  };
  Object.assign(connect, {
    create: (name: string, ...rest: [Readonly<Record<string, string>>, "STOPPED" | undefined]) => {
      journaled(`POST connector ${name}`);
      return create(name, ...rest);
    },
    deleteOffsets: (name: string) => {
      journaled(`DELETE offsets of ${name}`);
      stopped(name, `offsets of ${name} were deleted`);
      announced(name);
      return deleteOffsets(name);
    },
    deleteConnector: (name: string) => {
      journaled(`DELETE connector ${name}`);
      stopped(name, `${name} was deleted`);
      return deleteConnector(name);
    },
    resume: (name: string) => {
      if (name === CONNECTOR && isCutover(entries())) journaled(`PUT resume ${name}`);
      return resume(name);
    },
  });
  Object.assign(kafka, {
    deleteTopic: (name: string) => {
      journaled(`DELETE topic ${name}`);
      return deleteTopic(name);
    },
  });
  return wrongs;
}

function isCutover([first]: readonly JournalEntry[]): boolean {
  return first?.type === "run-started" && first.subject.command === "migrate" && first.subject.phase === "cutover";
}
