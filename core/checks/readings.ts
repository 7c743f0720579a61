import type {
  CutoverFacts,
  OffsetChangeFacts,
  OpenTransaction,
  OtherConnector,
  RecordedEvent,
  ResnapshotFacts,
  RetirementFacts,
  ReturnFacts,
  VerificationFacts,
} from "../../schemas/generated/facts.ts";
import type { RemovedRecords } from "../../schemas/generated/plan.ts";
import type { OpsFormat } from "../../schemas/generated/shared.ts";
import type { Rerouting } from "../facts/connector/plugins.ts";
import type { ConnectorFacts } from "../facts/connector-facts.ts";
import type { Observed } from "../facts/observed.ts";
import type { LastRecorded } from "../facts/offset/last-recorded.ts";
import type { Move, TargetReading } from "../facts/offset/move.ts";
import type { SnapshotsAhead } from "../facts/offset/snapshots-ahead.ts";
import type { StoredReading } from "../facts/offset/stored-offset.ts";
import type { RecordedChange } from "../facts/ops/ops-event.ts";
import type { Gap, RedoExamination, Way } from "../facts/redo/redo.ts";
import type { MaybeAltered } from "../facts/tables/ddl.ts";
import type { Evidence } from "../facts/tables/evidence.ts";
import type { NamedTable } from "../facts/tables/named-tables.ts";
import type { CapturedSet, CapturedTable, TableToVerify } from "../facts/tables/tables.ts";
import type { HeldTransaction } from "../journal/held-back.ts";
import type { LegacyConnector } from "../legacy/legacy-kind.ts";
import type { DeliveredTable, TakeoverReading } from "../legacy/position.ts";
import type { TranslatedProperty } from "../legacy/translation.ts";
import type { LegacyTopic, SharedTopics, TableTopic } from "../legacy/written-topics.ts";
import type { JsonObject } from "../values/json.ts";
import type { Scn } from "../values/scn.ts";

/** A transaction whose changes before the target would be lost while those after it are delivered. */
export interface TornTransaction extends Omit<OpenTransaction, "xid"> {
  readonly xid: string;
  readonly seenIn: "GV$TRANSACTION" | "journal" | "both";
}

/** What a connector's facts mean for any kind of change. Checks shared by several kinds use this. */
export interface ConnectorReading {
  readonly facts: ConnectorFacts;
  readonly stored: StoredReading;
  /** Undefined if the offset does not change, or while the target or the stored offset is unknown. */
  readonly move: Move | undefined;
  /** Whether the stored offset is changed and recorded; true while unknown. */
  readonly changesOffset: boolean;
  /** Ids that the change removes from the orphan release ledger. */
  readonly forget: readonly string[];
  /** Whether the run first waits for open transactions; undefined for a kind of change that can't. */
  readonly waits?: boolean;
  /** Whether the move can tear transactions: to an SCN that the connector has not reached. */
  readonly tears: boolean;
  /** The redo from where mining would begin to now; undefined without such an SCN. */
  readonly redo: Observed<RedoExamination> | undefined;
  readonly torn: Observed<readonly TornTransaction[]>;
  /** Journaled transactions that would hold the resume point below the target; none for a move that is not forward. */
  readonly held: Observed<readonly HeldTransaction[]>;
  readonly changes: Observed<readonly RecordedChange<RecordedEvent>[]>;
  readonly opsFormat: OpsFormat | undefined;
}

/** Records to remove that are named one by one: never all of a topic. */
export type NamedRecords = RemovedRecords & { readonly only: readonly string[] };

/** What a move over a DDL means for the layouts on the schema topic. */
export interface SchemasRemoved {
  /** Captured tables that may have had a DDL in what the move skips, or mines again by range; undefined: no matter. */
  readonly altered: Observed<readonly MaybeAltered[]> | undefined;
  /** Their layouts, if the plan file asks for their removal. */
  readonly removed: readonly NamedRecords[];
}

/** What the facts of an offset change mean for this intent: everything that the checks, the plan and the engine use. */
export interface OffsetChangeReading extends ConnectorReading, SchemasRemoved {
  readonly facts: OffsetChangeFacts;
  readonly target: TargetReading;
  /** The stored offset after the change. */
  readonly after: JsonObject | undefined;
  /** The recorded offset that takes the place of one that the task does not take. */
  readonly replacement: LastRecorded | undefined;
  /** Whether the stored offset already has the requested content, field by field. */
  readonly asWanted: boolean;
}

/** What the facts of a resnapshot mean for this intent. */
export interface ResnapshotReading extends ConnectorReading, SchemasRemoved {
  readonly facts: ResnapshotFacts;
  readonly captured: CapturedSet;
  /** The captured tables that the intent's names refer to; empty while the captured set is unknown. */
  readonly named: readonly NamedTable[];
  /** The tables as the signal names them, each once, in the operator's order. */
  readonly tables: readonly string[];
  /** Captured tables that the intent does not name. */
  readonly unlisted: readonly CapturedTable[];
  /** What is known about the changes of each unlisted table since the gap began; empty without a gap. */
  readonly evidence: ReadonlyMap<CapturedTable, Evidence>;
  /** The snapshots that come first; undefined: none. */
  readonly ahead: Observed<SnapshotsAhead | undefined>;
  readonly way: Way;
  readonly gap: Gap | undefined;
  /** The stored offset after the move. */
  readonly after: JsonObject | undefined;
}

/** What a cutover and its rollback depend on: the legacy connector's position. */
export interface ReadsTakeover {
  readonly facts: CutoverFacts | ReturnFacts;
  readonly takeover: TakeoverReading;
}

export interface CutoverReading {
  readonly facts: CutoverFacts;
  readonly legacy: LegacyConnector;
  readonly tableTopics: readonly TableTopic[];
  readonly takeover: TakeoverReading;
  /** Manual properties that the plan file does not accept. */
  readonly open: readonly Extract<TranslatedProperty, { fate: "manual" }>[];
  /** Names in `accept` that are not manual properties. */
  readonly acceptedInVain: readonly string[];
  /** Settings of the new configuration that still are `********`. */
  readonly masked: readonly string[];
  /** Topics below the prefix, except the ops topic, which may be created beforehand and which a rollback keeps. */
  readonly prefixTopics: Observed<readonly string[]>;
  /** Other connectors with the prefix: its journal would be shared. */
  readonly prefixUsers: Observed<readonly OtherConnector[]>;
  readonly captured: CapturedSet;
  /** Tables that the legacy connector has delivered, and the new one does not capture. */
  readonly notCaptured: CapturedSet;
  /** Whether the workers can create the connector STOPPED; unknown versions count as able. */
  readonly createdStopped: boolean;
}

export interface ReturnReading {
  readonly facts: ReturnFacts;
  readonly takeover: TakeoverReading;
  /**
   * Topics of the new connector that are deleted with it: none unless requested, and never the ops topic, which holds
   * the record.
   */
  readonly newTopics: Observed<readonly string[]>;
  /**
   * Whether a stored offset has to be deleted and the deletion recorded: a connector that never committed has neither
   * an offset nor an ops topic. The recheck sees what it stores before the stop.
   */
  readonly changesOffset: boolean;
  readonly changes: Observed<readonly RecordedChange<RecordedEvent>[]>;
  readonly opsFormat: OpsFormat | undefined;
}

export interface VerificationReading {
  readonly facts: VerificationFacts;
  readonly captured: CapturedSet;
  /** What `verify.tables` stands for; empty while the captured set is not known. */
  readonly tables: readonly TableToVerify[];
  /**
   * Tables that `verify.topics`, `verify.legacyTopics` or `verify.ignoreColumns` names, and `verify.tables` does not.
   */
  readonly strays: readonly string[];
  /** Whether a topic may be the legacy connector's: by no name or transformation can the new one write to it. */
  readonly mayBeLegacy: (topic: string) => boolean;
}

export interface RetirementReading {
  readonly facts: RetirementFacts;
  readonly captured: CapturedSet;
  /** The tables that the legacy connector has delivered. */
  readonly delivered: readonly DeliveredTable[];
  /** The last commit that it has delivered, by any offset known here. */
  readonly lastDelivered: Scn | undefined | "unreadable";
  /** The topics to delete: none that the new connector or another known connector writes to. */
  readonly topics: Observed<readonly LegacyTopic[]>;
  /** Topics kept because the new connector writes to them, judged by name, or may. */
  readonly spared: readonly LegacyTopic[];
  /** The new connector's transformations that may route records to any topic. */
  readonly reroutings: readonly Rerouting[];
  /** Topics kept because other connectors write to them, by their settings, or may. */
  readonly shared: Observed<readonly SharedTopics[]>;
  /** Topics of LOB columns, which are kept. Undefined if the legacy connector writes none. */
  readonly lobTopics: Observed<readonly string[]> | undefined;
  /** Captured tables without a legacy topic. */
  readonly withoutTopic: readonly CapturedTable[];
}
