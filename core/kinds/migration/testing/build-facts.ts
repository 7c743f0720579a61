import type {
  CutoverFacts,
  DeployedConnector,
  NewSettingsSeen,
  RetirementFacts,
  ReturnFacts,
  TopicSeen,
  VerificationFacts,
} from "../../../../schemas/generated/facts.ts";
import { type LegacyParts, legacyFacts } from "../../../legacy/testing/build-legacy.ts";
import { translate } from "../../../legacy/translation.ts";
import { facts as connectorFacts, type FactsParts, known } from "../../offset-change/testing/build-facts.ts";
import {
  CUTOVER,
  created,
  dictionary,
  EVIDENCE,
  LEGACY_TOPICS,
  legacy,
  NEW_TOPICS,
  other,
  REDO_TOPIC,
  settings,
  table,
  topic,
  VERIFIED,
} from "./story.ts";

/** Whole, valid facts of the phases of a migration for tests, with nothing in the way. */

const AT = "2026-11-21T09:14:02Z";

/** What every phase looks at besides its own. */
type CommonParts = Pick<FactsParts, "worker" | "database" | "brokers" | "opsTopic" | "opsHistory" | "events">;

function common({ worker, database, brokers, opsTopic, opsHistory, events }: CommonParts) {
  const seen = connectorFacts(given({ worker, database, brokers, opsTopic, opsHistory, events }));
  return {
    kind: "Migration" as const,
    at: AT,
    worker: seen.worker,
    database: seen.database,
    brokers: seen.brokers,
    opsTopic: seen.opsTopic,
    opsHistory: seen.opsHistory,
  };
}

type RedoParts = Pick<LegacyParts, "redo" | "probes" | "transactions" | "times" | "catalogue" | "unopened">;

function redoOf(parts: RedoParts & Pick<CommonParts, "database">) {
  const { catalogue, unopened, database } = parts;
  const asked = { redo: parts.redo, probes: parts.probes, transactions: parts.transactions, times: parts.times };
  const { redo, probes, transactions, times } = legacyFacts(given({ ...asked, catalogue, unopened, database }));
  return { redo, probes, transactions, times };
}

/** Only what is given: a part that is there and undefined would hide the default. */
function given<T extends object>(parts: { readonly [K in keyof T]: T[K] | undefined }): T {
  return Object.fromEntries(Object.entries(parts).filter(([, part]) => part !== undefined)) as T;
}

export interface CutoverParts
  extends Omit<CommonParts, "opsTopic" | "opsHistory">,
    RedoParts,
    Partial<
      Pick<
        CutoverFacts,
        | "next"
        | "lacking"
        | "installed"
        | "builds"
        | "problems"
        | "topics"
        | "leftRecords"
        | "signals"
        | "others"
        | "latest"
        | "dictionary"
        | "audit"
      >
    > {
  readonly legacy?: Partial<DeployedConnector>;
  readonly settings?: Partial<NewSettingsSeen>;
  readonly openBefore?: CutoverFacts["openBefore"];
  /** More properties of the legacy connector. */
  readonly properties?: Readonly<Record<string, string>>;
}

export function cutoverFacts(parts: CutoverParts = {}): CutoverFacts {
  const own = legacy(parts.legacy);
  const seen = legacy({ ...own, config: { ...own.config, ...parts.properties } });
  return {
    ...common(parts),
    ...redoOf(parts),
    phase: "cutover",
    legacy: seen,
    next: parts.next,
    settings: settings(parts.settings),
    translation: translate("orders-legacy", seen.config, { name: "orders-cdc", topicPrefix: "orders", topics: "new" }),
    lacking: parts.lacking ?? [],
    installed: parts.installed ?? known(true),
    builds: parts.builds ?? [],
    problems: parts.problems ?? known([]),
    dictionary: parts.dictionary ?? known(dictionary(table("ORDERS"), table("LINES"))),
    topics: parts.topics ?? known([...LEGACY_TOPICS, REDO_TOPIC]),
    leftRecords: parts.leftRecords ?? known([]),
    signals: parts.signals ?? known({ end: 0n, unread: [] }, "orders.cdc.signals"),
    others: parts.others ?? known([other("billing-sink")]),
    latest: parts.latest ?? known(undefined),
    openBefore: parts.openBefore,
    audit: parts.audit,
  };
}

export interface ReturnParts
  extends CommonParts,
    RedoParts,
    Partial<Pick<ReturnFacts, "topics" | "dictionary" | "others" | "cutover">> {
  readonly legacy?: Partial<DeployedConnector>;
  /** Null: the workers have none. */
  readonly next?: DeployedConnector | null;
  readonly settings?: Partial<NewSettingsSeen>;
}

export function returnFacts(parts: ReturnParts = {}): ReturnFacts {
  return {
    ...common(parts),
    ...redoOf(parts),
    phase: "rollback",
    legacy: legacy(parts.legacy),
    next: parts.next === null ? undefined : (parts.next ?? created()),
    settings: settings(parts.settings),
    topics:
      parts.topics ?? known([...LEGACY_TOPICS, REDO_TOPIC, ...NEW_TOPICS, "orders.cdc.ops", "orders.cdc.txjournal"]),
    dictionary: parts.dictionary ?? known(dictionary(table("ORDERS"), table("LINES"))),
    others: parts.others ?? known([other("billing-sink")]),
    cutover: parts.cutover ?? known(CUTOVER),
  };
}

export interface VerificationParts
  extends CommonParts,
    Partial<Pick<VerificationFacts, "dictionary" | "topics" | "retired" | "spark">> {
  readonly next?: DeployedConnector | null;
  readonly settings?: Partial<NewSettingsSeen>;
  /** Besides the topics of the two tables, new and legacy. */
  readonly seen?: Readonly<Record<string, TopicSeen | "missing">>;
  readonly read?: VerificationFacts["read"];
}

export function verificationFacts(parts: VerificationParts = {}): VerificationFacts {
  const topics = [...LEGACY_TOPICS, ...NEW_TOPICS];
  return {
    ...common(parts),
    phase: "verify",
    next: parts.next === null ? undefined : (parts.next ?? created()),
    settings: settings(parts.settings),
    dictionary: parts.dictionary ?? known(dictionary(table("ORDERS"), table("LINES"))),
    topics: parts.topics ?? known([...topics, REDO_TOPIC, "orders.cdc.ops"]),
    retired: parts.retired ?? known({ topics: [], complete: [] }),
    spark: parts.spark,
    read: parts.read ?? known({ ...Object.fromEntries(topics.map((name) => [name, topic(name)])), ...parts.seen }),
  };
}

export interface RetirementParts
  extends CommonParts,
    Partial<
      Pick<
        RetirementFacts,
        "dictionary" | "topics" | "others" | "groups" | "evidence" | "verifications" | "cutover" | "recordedSince"
      >
    > {
  readonly legacy?: Partial<DeployedConnector> | null;
  readonly next?: DeployedConnector | null;
  readonly settings?: Partial<NewSettingsSeen>;
}

export function retirementFacts(parts: RetirementParts = {}): RetirementFacts {
  return {
    ...common(parts),
    phase: "retire",
    legacy: parts.legacy === null ? undefined : legacy(parts.legacy),
    next: parts.next === null ? undefined : (parts.next ?? created()),
    settings: settings(parts.settings),
    dictionary: parts.dictionary ?? known(dictionary(table("ORDERS"), table("LINES"))),
    topics:
      parts.topics ?? known([...LEGACY_TOPICS, REDO_TOPIC, ...NEW_TOPICS, "_confluent-command", "orders.cdc.ops"]),
    others: parts.others ?? known([other("billing-sink")]),
    groups: parts.groups ?? known([]),
    evidence: parts.evidence ?? known(EVIDENCE),
    verifications: parts.verifications ?? known([VERIFIED]),
    recordedSince: parts.recordedSince ?? known([]),
    cutover: parts.cutover ?? known(CUTOVER),
  };
}
