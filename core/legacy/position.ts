import type { Dictionary, OpenTransaction, TransactionsSeen } from "../../schemas/generated/facts.ts";
import type { TableSeen } from "../../schemas/generated/shared.ts";
import type { LegacyFacts } from "../facts/connector-facts.ts";
import type { Observed } from "../facts/observed.ts";
import type { OffsetEntry } from "../facts/offset/stored-offset.ts";
import type { MiningSettings } from "../facts/redo/from.ts";
import type { RedoExamination } from "../facts/redo/redo.ts";
import { showCount } from "../values/amounts.ts";
import type { Config } from "../values/config.ts";
import type { Advice } from "../values/remedy.ts";
import type { Scn } from "../values/scn.ts";
import { printXid, sameXid } from "../values/xid.ts";

/** A legacy connector, by what decides its topics and its tables. */
export interface LegacyOf {
  readonly name: string;
  readonly config: Config;
  readonly offsets: readonly OffsetEntry[];
  /** The plan file states it, or the workers do. */
  readonly version?: string | undefined;
}

/** What is one legacy connector's own in a takeover: how it stores its position, and what a start there may lose. */
export interface PositionRules {
  /** @param leaveOut names of partitions that the operator leaves out: of dropped tables, which would pin the start */
  readonly read: (entries: readonly OffsetEntry[], leaveOut?: readonly string[], asked?: AskedBy) => OffsetsReading;
  /**
   * The tables of which an offset is stored, except those left out; those of its own lists if offsets name no tables.
   *
   * @param pdbs `cdc.database.pdbs` of the new connector
   * @param dictionary of the database, which spells their names, where that is known
   */
  readonly deliveredTables: (
    legacy: LegacyOf,
    leaveOut: readonly string[],
    pdbs: readonly string[],
    dictionary?: Dictionary,
  ) => readonly DeliveredTable[];
  /** The last commit in the stored offsets of every partition, left out or not; undefined if none was delivered. */
  readonly lastCommit: (entries: readonly OffsetEntry[]) => Scn | undefined | "unreadable";
  /** @param pdbs `cdc.database.pdbs` of the new connector */
  readonly problems: (
    facts: LegacyFacts,
    offsets: LegacyOffsets,
    pdbs: readonly string[],
  ) => readonly TakeoverProblem[];
  readonly warnings: (facts: LegacyFacts, offsets: LegacyOffsets) => readonly string[];
  /** Whether the transactions that are open before the stop have to be recorded. */
  readonly recordsOpen: (legacy: Pick<LegacyFacts["legacy"], "config" | "offsets">) => boolean;
  /** Names of stored partitions that are of earlier settings than the connector's own. */
  readonly earlier?: (legacy: Pick<LegacyFacts["legacy"], "config" | "offsets">) => readonly string[];
  /** Which setting lets every start skip to the current SCN, as a sentence; undefined if it resumes. */
  readonly startsAtCurrent?: (legacy: Pick<LegacyFacts["legacy"], "name" | "config">) => string | undefined;
  /** What an audit rests on that stored offsets do not tell, as a clause. */
  readonly untold?: string;
}

/** One of a legacy connector's stored offsets. */
export interface LegacyPartition {
  /** The name that is shown, and used to leave it out: `ORCLCDB.ORCLPDB1`, `ORCLPDB1.SALES.ORDERS`. Unique. */
  readonly name: string;
  readonly of: "database" | "table";
  /** Where its mining resumes. */
  readonly scn: Scn;
  /** Commit SCN of the last change delivered for it. */
  readonly commitScn?: Scn | undefined;
  /** The plan file leaves it out. */
  readonly leftOut: boolean;
  /** The table's facts; the container is empty where the partition names none. */
  readonly table?: TableSeen | undefined;
}

/** A legacy connector's position. */
export interface LegacyOffsets {
  /** `cdc.start.scn`: at or below every undelivered commit. */
  readonly startScn: Scn;
  /** The operator chose the start. */
  readonly given?: true;
  /** The last commit that the legacy connector delivered; undefined if none is stored. */
  readonly lastDelivered?: Scn | undefined;
  /** It may have delivered commits, and stores none of them: how much both deliver can't be told. */
  readonly lastUnknown?: boolean;
  /** The prefix that it is stored under, where settings choose one. */
  readonly prefix?: string;
  /** All stored partitions, including those left out: the lowest `scn` first. */
  readonly partitions: readonly LegacyPartition[];
  /** Partitions of tables that are left out and have no `scn`. */
  readonly unread: readonly string[];
}

export type OffsetsReading =
  | { readonly ok: true; readonly offsets: LegacyOffsets }
  | { readonly ok: false; readonly problem: TakeoverProblem };

/** A table of which the legacy connector has stored an offset, by the name of its partition. */
export interface DeliveredTable {
  readonly name: string;
  /** One, unless its partition has no `catalog`: it may then be of any PDB. */
  readonly mayBe: readonly TableSeen[];
}

/** How partitions are left out: an option of a command, or a key of a plan file. */
export type AskedBy = "command" | "plan file";

export function leavingOut(names: readonly string[], asked: AskedBy): string {
  return asked === "command"
    ? names.map((name) => `--leave-out ${name}`).join(" ")
    : `spec.from.leaveOut: ${JSON.stringify(names)}`;
}

/** Rows of `REFUSALS`. */
export type TakeoverCode = `LEG0${`0${Digit}` | `1${0 | Digit}` | "30"}`;
type Digit = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;

/** Codes that an operator can accept: they may be harmless, and only the operator can decide. */
export const ACCEPTABLE: readonly TakeoverCode[] = ["LEG007", "LEG009", "LEG010", "LEG014", "LEG015"];

/** Why a position is not taken over. */
export interface TakeoverProblem {
  readonly code: TakeoverCode;
  /** What was observed, with the values. */
  readonly seen: string;
  /** Remedies for this specific case; without any, those of the code apply. */
  readonly remedies: readonly Advice[];
  /** True if no problem was observed, but a fact needed to rule it out is unknown. */
  readonly unproven?: true;
}

/** The settings of the new connector that a takeover depends on. */
export type TakeoverSettings = MiningSettings & { readonly tables: { readonly pdbs: readonly string[] } };

/** Commits that both deliver. */
export interface Overlap {
  /** The start, inclusive. */
  readonly from: Scn;
  /** The last commit that the legacy connector delivered, inclusive. */
  readonly to: Scn;
  readonly scns: bigint;
  /** The time between the two; undefined if the database does not know one of them. */
  readonly millis?: bigint | undefined;
}

/** What the facts mean for a takeover. A plain value; it may be taken over when there are no `problems`. */
export interface TakeoverReading {
  /** Undefined if the stored offsets are not a position; `problems` explains why. */
  readonly offsets: LegacyOffsets | undefined;
  /** The redo from the start to now, as the new connector would find it; undefined without a start. */
  readonly redo: Observed<RedoExamination> | undefined;
  /** Commits that both deliver; undefined without a start, or if none is known that was delivered at or after it. */
  readonly overlap: Overlap | undefined;
  /** The most basic first. */
  readonly problems: readonly TakeoverProblem[];
  /** Warnings, which do not refuse the takeover. */
  readonly warnings: readonly string[];
}

/** @param remedies for this case; without any, those of the code apply */
export function problem(code: TakeoverCode, seen: string, ...remedies: readonly Advice[]): TakeoverProblem {
  return { code, seen, remedies };
}

/** A fact that is needed to rule the problem out is unknown. */
export function unproven(code: TakeoverCode, seen: string, ...remedies: readonly Advice[]): TakeoverProblem {
  return { ...problem(code, seen, ...remedies), unproven: true };
}

export function refused(code: TakeoverCode, seen: string, remedies: readonly Advice[] = []): OffsetsReading {
  return { ok: false, problem: { code, seen, remedies } };
}

/** A transaction as recorded from the open ones. */
export type SeenTransaction = TransactionsSeen["open"][number];

/** What is known about transactions that began below the start and that the legacy connector has not delivered. */
type OpenAtStop =
  | { readonly is: "none" }
  /** `ended`: open before the stop, and no longer. */
  | { readonly is: "some"; readonly open: readonly SeenTransaction[]; readonly ended: readonly SeenTransaction[] }
  | { readonly is: "unknown"; readonly why: string };

/**
 * Finds transactions that began below the start and ended after what the legacy connector has delivered: the new
 * connector would deliver only a part of them. No view shows them once they have ended, so this uses the open
 * transactions recorded while the legacy connector ran.
 *
 * A recording proves that there were none only if it is at or above the start (what began below it had begun) and every
 * table was delivered beyond it (what was not delivered had not ended). SCNs alone decide, however much later the stop
 * was.
 *
 * @param offsets as they were when the legacy connector stopped
 * @param before recorded while it ran; undefined if not recorded
 * @param now the transactions that are open after the stop
 */
export function openAtStop(
  { startScn, partitions }: Pick<LegacyOffsets, "startScn" | "partitions">,
  before: TransactionsSeen | undefined,
  now: Observed<readonly OpenTransaction[]>,
): OpenAtStop {
  const unknown = (why: string): OpenAtStop => ({ is: "unknown", why });
  if (!now.known) return unknown(`which transactions are open is unknown: ${now.why}`);
  const open = now.value.filter((one) => one.startScn < startScn);
  const ended = (before?.open ?? []).filter(
    (one) => one.startScn < startScn && !now.value.some(({ xid }) => sameXid(xid, one.xid)),
  );
  if (open.length + ended.length > 0) return { is: "some", open, ended };
  if (before === undefined) return unknown("the open transactions were not recorded before it stopped");
  if (before.from < startScn)
    return unknown(`they were recorded at ${before.from}, below the start, and one may have begun in between`);
  const tables = partitions.filter(({ of, leftOut }) => of === "table" && !leftOut);
  const behind = tables.filter(({ commitScn }) => commitScn === undefined || commitScn < before.to);
  if (tables.length > 0 && behind.length === 0) return { is: "none" };
  const [first] = behind;
  return unknown(
    `they were recorded at ${before.to}, and ${
      first === undefined
        ? "no delivery to a table is stored"
        : `${behind.length === 1 ? first.name : `${showCount(behind.length)} tables (${first.name}, …)`} ` +
          `${behind.length === 1 ? "was" : "were"} delivered only up to an earlier commit`
    }: one may have ended undelivered before`,
  );
}

/** Lists transactions with their start, and their user if known. */
export function showTransactions(transactions: readonly SeenTransaction[]): string {
  const shown = transactions
    .slice(0, MOST_TRANSACTIONS)
    .map(({ xid, startScn, user }) => `${printXid(xid)} (${user === undefined ? "" : `${user}, `}from ${startScn})`);
  return `${shown.join(", ")}${transactions.length > MOST_TRANSACTIONS ? ", …" : ""}`;
}

const MOST_TRANSACTIONS = 10;
