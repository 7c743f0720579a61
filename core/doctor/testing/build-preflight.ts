import type { ArchivedLog, TopicSeen } from "../../../schemas/generated/facts.ts";
import type { TableSeen } from "../../../schemas/generated/shared.ts";
import type { Check, Verdict } from "../../checks/check.ts";
import { worded } from "../../checks/testing/wording.ts";
import type { DatabaseSeen } from "../../facts/database/database.ts";
import { NEEDED_GRANTS } from "../../facts/database/needed-grants.ts";
import {
  type Account,
  type InternalTopic,
  type PreflightFacts,
  type PreflightReading,
  type PreflightSettings,
  readPreflight,
} from "../../facts/preflight.ts";
import { healthyDatabase } from "../../facts/testing/healthy-database.ts";
import { topic } from "../../kinds/migration/testing/story.ts";
import { archived, known, unseen } from "../../kinds/offset-change/testing/build-facts.ts";
import { instantOf } from "../../values/instant.ts";

export { known, unseen };

/**
 * Whole, valid facts of a preflight for tests: a container database that is ready for a connector which captures two
 * tables of ORCLPDB1.
 */
export function tableIn(name: string, owner = "SALES", container = "ORCLPDB1"): TableSeen {
  return { container, owner, name };
}

export const ORDERS = tableIn("ORDERS");
export const LINES = tableIn("LINES");

const PRIVILEGES = NEEDED_GRANTS.filter(({ is }) => is === "privilege").map(({ name }) => name);

const DATABASE = healthyDatabase();

export interface PreflightParts extends Partial<Omit<PreflightFacts, "settings" | "database" | "account" | "keys">> {
  readonly settings?: Partial<PreflightSettings>;
  readonly database?: Partial<DatabaseSeen> | PreflightFacts["database"];
  readonly account?: Partial<Account> | PreflightFacts["account"];
  readonly keys?: PreflightFacts["keys"];
  readonly tables?: readonly TableSeen[];
}

export function preflightReading(parts: PreflightParts = {}): PreflightReading {
  const { settings, database, account, tables = [ORDERS, LINES], ...facts } = parts;
  const containers = ["CDB$ROOT", "PDB$SEED", "ORCLPDB1"].map((name) => ({ name, openMode: "READ WRITE" }));
  const rights = ["CDB$ROOT", "ORCLPDB1"].map((container) => ({
    container,
    privileges: PRIVILEGES,
    roles: ["EXECUTE_CATALOG_ROLE"],
  }));
  return readPreflight({
    settings: {
      origin: "orders-cdc.json",
      connectorClass: undefined,
      prefix: "orders",
      opsTopic: "orders.cdc.ops",
      signalsTopic: "orders.cdc.signals",
      journalTopic: "orders.cdc.txjournal",
      captureMode: "online",
      miningMode: "auto",
      archiveDestination: undefined,
      tables: { pdbs: ["ORCLPDB1"], include: ".*", exclude: undefined, caseSensitive: false },
      user: "C##CDC",
      heartbeatTopic: "orders.cdc.heartbeat",
      keys: { missing: "fail", columns: undefined },
      lobMode: undefined,
      avro: undefined,
      keepIdle: 120n,
      dictionary: { builds: true, elsewhere: false },
      exactlyOnce: undefined,
      maxDowntime: 86_400_000,
      journalThreshold: 300_000,
      ...settings,
    },
    encryptionRequired: known(false),
    database: isObserved(database) ? database : known({ ...DATABASE, ...database }),
    account: isObserved(account) ? account : known({ user: "C##CDC", common: true, ...account }),
    logging: known({ minimal: "YES", primaryKey: false, all: false }),
    threads: known([thread(1n)]),
    destinations: known([{ id: 1n, name: "LOG_ARCHIVE_DEST_1", status: "VALID", type: "LOCAL" }]),
    rights: known(rights),
    usable: known(NEEDED_GRANTS.map(({ name }) => ({ name, usable: true }))),
    containers: known(containers),
    dictionary: known({ containers, tables, answering: ["ORCLPDB1"] }),
    pdbLogging: known([{ container: "ORCLPDB1", primaryKey: false, all: false }]),
    logGroups: known(tables.map((table) => ({ ...table, type: "ALL COLUMN LOGGING", always: true }))),
    columns: known([]),
    nestedTables: known([]),
    keys: known(tables.map((table) => ({ ...table, by: "primary key" as const }))),
    moving: known([]),
    savedStates: known(["ORCLPDB1"]),
    archived: known([archivedLog(121n), archivedLog(122n)]),
    online: known([]),
    dictionaryBuilds: known([]),
    undoRetention: known(900n),
    fixedStatistics: known(1_312n),
    rds: known({ isRds: false }),
    internalTopics: known((["ops", "signals", "heartbeat", "journal"] as const).map((role) => internalTopic(role))),
    mayCreateTopics: known(true),
    maxTransactionMillis: known(900_000n),
    exactlyOnceSource: known(true),
    deployed: known({ pdbs: ["ORCLPDB1"], include: ".*", exclude: undefined, caseSensitive: false }),
    ...facts,
  });
}

/** A log of thread 1 of one GiB that began this many hours after midnight of the day of the facts. */
export function archivedLog(sequence: bigint, hour = 8, parts: Partial<ArchivedLog> = {}): ArchivedLog {
  const at = (of: number): string => instantOf(Date.parse("2026-11-21T00:00:00Z") + of * 3_600_000);
  return {
    ...archived(sequence, sequence * 1000n, (sequence + 1n) * 1000n, { bytes: 1_073_741_824n }),
    firstTime: at(hour),
    nextTime: at(hour + 1),
    ...parts,
  };
}

/** One of the connector's own topics, with the clean-up policy that it needs unless overridden. */
export function internalTopic(role: InternalTopic["role"], parts: Partial<TopicSeen> | "missing" = {}): InternalTopic {
  const name = `orders.cdc.${role === "journal" ? "txjournal" : role}`;
  if (parts === "missing") return { name, role, seen: "missing" };
  return {
    name,
    role,
    seen: { ...topic(name), cleanupPolicy: known(role === "journal" ? "compact" : "delete"), ...parts },
  };
}

export function thread(number: bigint, enabled = "PUBLIC") {
  return { thread: number, enabled, status: "OPEN", sequence: 122n, enableScn: 1n, disableScn: undefined };
}

function isObserved<T>(
  value: Partial<T> | { readonly known: boolean } | undefined,
): value is { readonly known: boolean } & never {
  return value !== undefined && "known" in value;
}

/** The result of a check for these facts, as one text. */
export function resultOf(check: Check<undefined, PreflightReading>, parts: PreflightParts = {}): string {
  return said(worded(check).run(undefined, preflightReading(parts)));
}

export function said(verdict: Verdict): string {
  if (verdict.verdict === "pass") return `pass: ${verdict.seen ?? ""}`;
  const items = (verdict.items ?? []).map(({ name, seen, sql }) => [name, seen, sql].filter(Boolean).join(" | "));
  return [`${verdict.verdict}: ${verdict.seen}`, ...items].join("\n");
}
