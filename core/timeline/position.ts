import type { ScnTime } from "../facts/database/database.ts";
import { type ServerClock, timesInDoubt } from "../facts/database/server-clock.ts";
import type { Observed } from "../facts/observed.ts";
import type { LogProbe, RedoCatalogue, RedoQuestion } from "../facts/redo/redo.ts";
import type { JournaledTransaction, OpenTransaction } from "../facts/transactions.ts";
import { ascending } from "../values/ascending.ts";
import type { Instant } from "../values/instant.ts";
import type { Scn } from "../values/scn.ts";
import { threadTimelines } from "./stretches.ts";
import { MARKS, type Mark, MOST_TRANSACTIONS, type Timeline, type Unseen } from "./timeline.ts";
import { transactionMarks } from "./transactions.ts";

/** What a picture of the position is drawn from, as it was seen. */
export interface Position {
  /** Undefined where none is stored, or it can't be read. */
  readonly stored: { readonly resumeScn: Scn; readonly lastCommit?: { readonly scn: Scn } | undefined } | undefined;
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
  /** By which clock the times were converted, and when; undefined where no database told any. */
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

function marksOf({ stored, target, firstAvailable, currentScn, times, of = {}, more = [] }: Position): readonly Mark[] {
  const scns: { readonly [mark in Mark["mark"]]: Scn | undefined } = {
    "first available": firstAvailable === target || firstAvailable === stored?.resumeScn ? undefined : firstAvailable,
    target,
    "stored scn": undefined,
    "last commit": stored?.lastCommit?.scn,
    "resume SCN": stored?.resumeScn,
    "current SCN": currentScn,
  };
  const at = new Map(times.known ? times.value.map((time) => [time.scn, time.at]) : []);
  return MARKS.flatMap((mark): readonly Mark[] => {
    const scn = scns[mark];
    const others = more.filter((one) => one.mark === mark);
    if (scn === undefined) return others;
    const whose = of[mark];
    return [{ mark, scn, at: at.get(scn), ...(whose === undefined ? {} : { of: whose }) }, ...others];
  }).sort(ascending(({ scn }) => scn));
}
