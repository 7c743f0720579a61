import type {
  JournaledTransaction,
  LogProbe,
  OpenTransaction,
  RedoCatalogue,
  ScnTime,
} from "../../schemas/generated/facts.ts";
import type { Mark, Stretch, ThreadTimeline, Timeline, TransactionMark, Unseen } from "../../schemas/generated/plan.ts";
import { type ServerClock, timesInDoubt } from "../facts/database/database.ts";
import type { Observed } from "../facts/observed.ts";
import type { RedoQuestion } from "../facts/redo/redo.ts";
import type { LegacyPartition } from "../legacy/position.ts";
import type { Instant } from "../values/instant.ts";
import { ascending, grouped } from "../values/lists.ts";
import type { Scn } from "../values/scn.ts";
import { parseXid, printXid, printXidAlone, sameXid } from "../values/xid.ts";
import { threadTimelines } from "./stretches.ts";

export type { Mark, Stretch, ThreadTimeline, Timeline, TransactionMark, Unseen };

/** What an SCN can be marked for, in the order in which marks of one SCN stand. */
export const MARKS = ["first available", "target", "stored scn", "last commit", "resume SCN", "current SCN"] as const;

/**
 * - `archived`, `online`: there, as far as was looked. `missing`: the catalogue has no such log. `purged`: it is marked
 *   deleted or expired.
 * - `unreadable`: it has no file name, or its file could not be opened. `in part`: so many stretches in a row that they
 *   are shown as one.
 */
export const REDO_STATES = ["archived", "online", "missing", "purged", "unreadable", "in part"] as const;

export type RedoState = (typeof REDO_STATES)[number];

export const MOST_STRETCHES = 64;
/** SCNs of stored partitions. */
export const MOST_STORED = 8;
export const MOST_TRANSACTIONS = 50;

/** Whether redo in this state is missing, as far as is known. */
export function isGap(state: RedoState): boolean {
  return state !== "archived" && state !== "online";
}

/** Where the connector resumes, or would: mining needs all redo from here on. */
export function needsRedoFrom({ marks }: Timeline): Mark | undefined {
  return marks.find(({ mark }) => mark === "target") ?? marks.find(({ mark }) => mark === "resume SCN");
}

/** Whether a transaction is still going on, as far as was seen: one that only the journal knows may be over. */
export function isOpen({ seenIn }: TransactionMark): boolean {
  return seenIn.some((place) => place !== "journal");
}

/** What a picture of the position is drawn from, as it was seen. */
export interface Position {
  /** Undefined where none is stored, or it can't be read. */
  readonly stored:
    | { readonly resumeScn: Scn; readonly lastCommit?: { readonly scn: Scn | undefined } | undefined }
    | undefined;
  readonly target: Scn | undefined;
  /**
   * Where mining could begin at the earliest, at or above the place where it should. Left out where that is the same.
   */
  readonly firstAvailable: Scn | undefined;
  /** Undefined where the database can't be asked. */
  readonly currentScn: Scn | undefined;
  readonly redo: Observed<{
    readonly catalogue: RedoCatalogue;
    /** `from`: the catalogue was read from there on. */
    readonly question: RedoQuestion;
    /** Undefined where the files were not tried. */
    readonly probes: readonly LogProbe[] | undefined;
  }>;
  readonly transactions: Observed<readonly OpenTransaction[]>;
  readonly journaled: Observed<readonly JournaledTransaction[]>;
  readonly times: Observed<readonly ScnTime[]>;
  /** The clock by which the times were converted, and when; undefined if no database reported one. */
  readonly clock: ServerClock | undefined;
  /** Whose marks are, where the picture is of more than one connector. */
  readonly of?: { readonly [mark in Mark["mark"]]?: string };
  /** Marks of the other connector. */
  readonly more?: readonly Mark[];
}

/** The picture of a position. What is unknown is named; it is never drawn as empty. */
export function timelineOf(position: Position): Timeline {
  const { redo, transactions, journaled, times, clock } = position;
  const found = transactionMarks(
    transactions.known ? transactions.value : [],
    journaled.known ? journaled.value : [],
    times.known ? times.value : [],
  );
  const drawn = {
    marks: marksOf(position),
    threads: redo.known ? threadTimelines(redo.value.catalogue, redo.value.question, redo.value.probes) : [],
    transactions: found.slice(0, MOST_TRANSACTIONS),
  };
  return {
    ...drawn,
    moreTransactions: BigInt(Math.max(0, found.length - MOST_TRANSACTIONS)),
    unseen: [
      ...unseen("redo", redo),
      ...unseen("open transactions", transactions),
      ...unseen("journaled transactions", journaled),
      ...unseen("times", times),
      ...zoneRules(clock, instantsOf(drawn)),
    ],
  };
}

/** Nothing where every time is right by whatever rules the server's clock goes. */
function zoneRules(clock: ServerClock | undefined, times: readonly Instant[]): readonly Unseen[] {
  const doubt = clock === undefined ? undefined : timesInDoubt(clock, times);
  return doubt === undefined ? [] : [{ what: "time zone rules", why: doubt }];
}

function instantsOf({ marks, threads, transactions }: Pick<Timeline, "marks" | "threads" | "transactions">) {
  return [
    ...[...marks, ...transactions].map(({ at }) => at),
    ...threads.flatMap(({ stretches }) => stretches.flatMap(({ fromTime, toTime }) => [fromTime, toTime])),
  ].filter((time) => time !== undefined);
}

function unseen(what: Unseen["what"], seen: Observed<unknown>): readonly Unseen[] {
  return seen.known ? [] : [{ what, why: seen.why }];
}

function marksOf(position: Position): readonly Mark[] {
  const { stored, target, firstAvailable, currentScn, times, more = [] } = position;
  const scns: { readonly [mark in Mark["mark"]]: Scn | undefined } = {
    "first available": firstAvailable === target || firstAvailable === stored?.resumeScn ? undefined : firstAvailable,
    target,
    "stored scn": undefined,
    "last commit": stored?.lastCommit?.scn,
    "resume SCN": stored?.resumeScn,
    "current SCN": currentScn,
  };
  const timeByScn = new Map(times.known ? times.value.map((time) => [time.scn, time.at]) : []);
  return MARKS.flatMap((mark): readonly Mark[] => {
    const scn = scns[mark];
    const others = more.filter((one) => one.mark === mark);
    if (scn === undefined) return others;
    const whose = position.of?.[mark];
    return [{ mark, scn, at: timeByScn.get(scn), ...(whose === undefined ? {} : { of: whose }) }, ...others];
  }).sort(ascending(({ scn }) => scn));
}

/**
 * Transactions that are not over, oldest first; one that is open and journaled is one. Its first SCN is the lower of
 * the two.
 */
function transactionMarks(
  open: readonly OpenTransaction[],
  journaled: readonly JournaledTransaction[],
  times: readonly ScnTime[],
): readonly TransactionMark[] {
  const timeByScn = new Map(times.map((time) => [time.scn, time.at]));
  const byId = grouped(open, ({ xid }) => printXidAlone(xid));
  const also = new Map<OpenTransaction, JournaledTransaction>();
  const onlyJournaled = journaled.filter((one) => {
    const xid = parseXid(one.xid);
    const whole = xid === undefined ? undefined : { ...xid, container: one.container ?? xid.container };
    const same = whole && byId.get(printXidAlone(whole))?.find((other) => sameXid(whole, other.xid));
    if (same !== undefined) also.set(same, one);
    return same === undefined;
  });
  return [
    ...open.map((one): TransactionMark => {
      const chunks = also.get(one);
      const firstScn = lower(one.startScn, chunks?.firstScn);
      return {
        xid: printXid(one.xid),
        firstScn,
        at: firstScn === one.startScn ? one.startedAt : timeByScn.get(firstScn),
        user: one.user,
        clientId: one.clientId,
        seenIn: chunks === undefined ? ["database"] : ["database", "journal"],
      };
    }),
    ...onlyJournaled.map(
      ({ xid, container, firstScn, user, clientId }): TransactionMark => ({
        xid: container === undefined || xid.includes(":") ? xid : `${container}:${xid}`,
        firstScn,
        at: timeByScn.get(firstScn),
        user,
        clientId,
        seenIn: ["journal"],
      }),
    ),
  ].sort(ascending(({ firstScn }) => firstScn));
}

function lower(a: Scn, b: Scn | undefined): Scn {
  return b === undefined || a < b ? a : b;
}

/**
 * The first SCNs of the journaled transactions that a picture can name: their times have to be asked for, the
 * database's own open ones have theirs.
 */
export function drawnFrom(journaled: readonly JournaledTransaction[]): readonly Scn[] {
  return journaled
    .map(({ firstScn }) => firstScn)
    .sort(ascending((scn) => scn))
    .slice(0, MOST_TRANSACTIONS);
}

/**
 * A mark for each SCN that stored partitions of the legacy connector hold; those that are left out have marks of their
 * own. Of very many the lowest and the highest.
 *
 * @param partitions the lowest `scn` first
 * @returns and of how many partitions none is drawn
 */
export function partitionMarks(
  partitions: readonly Pick<LegacyPartition, "name" | "scn" | "leftOut">[],
  times: Observed<readonly ScnTime[]>,
): { readonly marks: readonly Mark[]; readonly left: bigint } {
  const timeByScn = new Map(times.known ? times.value.map((time) => [time.scn, time.at]) : []);
  const groups = new Map<string, Mark & { readonly more: bigint }>();
  for (const { name, scn, leftOut } of partitions) {
    const key = `${scn} ${leftOut}`;
    const group = groups.get(key);
    groups.set(
      key,
      group === undefined
        ? { mark: "stored scn", scn, at: timeByScn.get(scn), of: name, more: 0n, ...(leftOut ? { leftOut } : {}) }
        : { ...group, more: group.more + 1n },
    );
  }
  const all = [...groups.values()];
  const kept = all.length <= MOST_STORED ? all : [...all.slice(0, MOST_STORED - 1), ...all.slice(-1)];
  const drawn = kept.reduce((sum, { more }) => sum + more + 1n, 0n);
  return {
    marks: kept.map(({ more, ...mark }) => (more === 0n ? mark : { ...mark, more })),
    left: BigInt(partitions.length) - drawn,
  };
}
