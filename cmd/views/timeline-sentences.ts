import {
  isGap,
  type Mark,
  needsRedoFrom,
  type RedoState,
  type Stretch,
  type Timeline,
} from "../../core/timeline/timeline.ts";
import { counted, showCount } from "../../core/values/amounts.ts";
import { type Instant, millisBetween } from "../../core/values/instant.ts";
import { ascending } from "../../core/values/lists.ts";
import type { Scn } from "../../core/values/scn.ts";
import { NO_BREAK, trunc } from "./layout.ts";
import { showMillis, showRange } from "./quantities.ts";

/** The timeline of a position in words, shared by terminal and page. Not escaped. */

/** Maximum transactions drawn; the key counts the others. */
export const MOST_DRAWN = 6;
/** Maximum items of each list in the key. */
const MOST_GAPS = 8;
const MOST_THREADS = 12;

/** The letter of each mark. */
export const LETTERS: { readonly [mark in Mark["mark"]]: string } = {
  "first available": "F",
  target: "T",
  "stored scn": "S",
  "last commit": "L",
  "resume SCN": "R",
  "current SCN": "C",
};

/** The letter of a drawn transaction. */
export function transactionLetter(place: number): string {
  return "abcdef"[place] ?? "?";
}

/** The transactions to draw, the oldest first. */
export function drawnTransactions({ transactions }: Timeline): Timeline["transactions"] {
  return transactions.slice(0, MOST_DRAWN);
}

/** A row of the key: a mark, a transaction, or missing redo. */
export interface KeyRow {
  readonly sign: string;
  readonly what: string;
  readonly from: Scn;
  /** Inclusive; undefined for one SCN, or if it continues. */
  readonly to: Scn | undefined;
  readonly at: Instant | undefined;
  readonly toAt: Instant | undefined;
  /** The user or client, if known. */
  readonly note: string | undefined;
  readonly kind: "mark" | "transaction" | "gap";
}

/** Everything named in the timeline, in order of SCN. */
export function keyRows(timeline: Timeline): readonly KeyRow[] {
  return [...timeline.marks.map(markRow), ...transactionRows(timeline), ...gapRows(timeline)].sort(
    ascending(({ from }) => from),
  );
}

function markRow({ mark, scn, at, of, more, leftOut }: Mark): KeyRow {
  return {
    sign: LETTERS[mark],
    what: mark,
    from: scn,
    to: undefined,
    at,
    toAt: undefined,
    note:
      of === undefined
        ? undefined
        : `${trunc(of, 100)}${more === undefined ? "" : ` and ${more} more`}${leftOut ? ", left out" : ""}`,
    kind: "mark",
  };
}

function transactionRows(timeline: Timeline): readonly KeyRow[] {
  return drawnTransactions(timeline).map(({ xid, firstScn, at, user, clientId, seenIn }, i) => ({
    sign: transactionLetter(i),
    what: `${seenIn.map((place) => SEEN[place]).join(", ")} ${trunc(xid, 60)}`,
    from: firstScn,
    to: undefined,
    at,
    toAt: undefined,
    note: [user, clientId].flatMap((name) => (name === undefined || name === "" ? [] : [trunc(name, 64)])).join(", "),
    kind: "transaction",
  }));
}

const SEEN = { database: "open", journal: "journaled", task: "buffered" } as const;

/** The label of a transaction's line. */
export function sourceLabel({ seenIn }: Timeline["transactions"][number]): string {
  const [first = "database"] = seenIn;
  return SEEN[first];
}

function gapRows(timeline: Timeline): readonly KeyRow[] {
  return gapsOf(timeline)
    .slice(0, MOST_GAPS)
    .map(({ thread, stretch }) => ({
      sign: stretch.state === "in part" ? "%" : "x",
      what: `thread ${thread}, ${sequences(stretch)}${GAP_WORDS[stretch.state]}`,
      from: stretch.from,
      to: stretch.to - 1n,
      at: stretch.fromTime,
      toAt: stretch.toTime,
      note: undefined,
      kind: "gap",
    }));
}

const GAP_WORDS: { readonly [state in RedoState]: string } = {
  archived: "archived",
  online: "online",
  missing: "not in the catalogue",
  purged: "purged",
  unreadable: "can't be opened",
  "in part": "partly present",
};

function sequences({ fromSequence, toSequence, state }: Stretch): string {
  return fromSequence === undefined || toSequence === undefined
    ? state === "missing"
      ? "redo "
      : ""
    : `${showRange("sequence", fromSequence, toSequence)} `;
}

/** Missing redo, in order of SCN. */
export function gapsOf({ threads }: Timeline): readonly { readonly thread: bigint; readonly stretch: Stretch }[] {
  return threads
    .flatMap(({ thread, stretches }) =>
      stretches.filter(({ state }) => isGap(state)).map((stretch) => ({ thread, stretch })),
    )
    .sort(ascending(({ stretch }) => stretch.from));
}

/** The summary: how far the connector is behind, and whether the required redo is present. */
export function headline(timeline: Timeline): string {
  const { marks } = timeline;
  const of = (name: Mark["mark"]) => marks.find(({ mark }) => mark === name);
  const [target, resume, current] = [of("target"), of("resume SCN"), of("current SCN")];
  // A takeover, and its rollback, use the legacy connector's stored offsets.
  const stands = resume ?? (of("stored scn") === undefined ? undefined : target);
  const parts = [
    ...(stands === undefined ? ["no readable offset is stored"] : [distance(stands, current)]),
    ...(target === undefined || resume === undefined ? [] : [aimed(target, resume)]),
    redoWord(timeline),
  ];
  return parts.join("; ");
}

function distance(stands: Mark, current: Mark | undefined): string {
  if (current === undefined) return "the connector's lag is unknown";
  const scns = current.scn - stands.scn;
  if (scns <= 0n) return `the ${stands.mark} is not behind the current SCN`;
  return `the ${stands.mark} is ${showCount(scns)} SCNs behind the current SCN${spanWord(stands, current)}`;
}

function aimed(target: Mark, resume: Mark): string {
  const scns = target.scn - resume.scn;
  if (scns === 0n) return "the target is the resume SCN";
  return scns > 0n
    ? `the target is ${showCount(scns)} SCNs ahead of it${spanWord(resume, target)}`
    : `the target is ${showCount(-scns)} SCNs before it${spanWord(target, resume)}`;
}

function spanWord(from: Mark, to: Mark): string {
  if (from.at === undefined || to.at === undefined) return "";
  return ` (${showMillis(Math.max(0, millisBetween(from.at, to.at))).replaceAll(" ", NO_BREAK)})`;
}

function redoWord(timeline: Timeline): string {
  if (timeline.unseen.some(({ what }) => what === "redo")) return "the redo was not read";
  if (timeline.threads.length === 0) return "no redo logs are listed";
  const needed = needsRedoFrom(timeline);
  const current = timeline.marks.find(({ mark }) => mark === "current SCN");
  if (needed !== undefined && current !== undefined && needed.scn > current.scn)
    return `the ${needed.mark} is ahead of the current SCN, where no redo exists yet`;
  const gaps = gapsOf(timeline).filter(({ stretch }) => needed === undefined || stretch.to > needed.scn);
  const incomplete = [...new Set(gaps.map(({ thread }) => thread))].sort(ascending((thread) => thread));
  const where = needed === undefined ? "" : ` from the ${needed.mark} onwards`;
  if (incomplete.length === 0) return `no gap in the redo${where}`;
  return `redo is missing${where}, in ${showThreads(incomplete)}`;
}

function showThreads(threads: readonly bigint[]): string {
  const named = threads.slice(0, MOST_THREADS).join(", ");
  const more = threads.length - MOST_THREADS;
  return `${threads.length === 1 ? "thread" : "threads"} ${named}${more > 0 ? ` and ${more} more` : ""}`;
}

/** The archived and online sequences of each thread. */
export function threadSentences({
  threads,
}: Timeline): readonly { readonly thread: bigint; readonly sentence: string }[] {
  return drawnThreads(threads).map(({ thread, stretches }) => ({
    thread,
    sentence: [there(stretches, "archived"), there(stretches, "online"), missing(stretches)].filter(Boolean).join("; "),
  }));
}

function there(stretches: readonly Stretch[], state: "archived" | "online"): string {
  const ranges = stretches.flatMap(({ state: is, fromSequence: from, toSequence: to }) =>
    is !== state || from === undefined || to === undefined ? [] : [from === to ? `${from}` : `${from} to ${to}`],
  );
  if (ranges.length === 0) return "";
  const shown = ranges.slice(0, MOST_GAPS).join(", ");
  const more = ranges.length > MOST_GAPS ? `, and ${showCount(ranges.length - MOST_GAPS)} more` : "";
  const one = ranges.length === 1 && !shown.includes(" ");
  return `${one ? "sequence" : "sequences"} ${shown}${more} ${state}`;
}

function missing(stretches: readonly Stretch[]): string {
  const gaps = stretches.filter(({ state }) => isGap(state)).length;
  return gaps === 0 ? "" : counted(gaps, "gap");
}

/** The threads to draw, preferring those with a gap; in order of thread. */
export function drawnThreads(threads: Timeline["threads"]): Timeline["threads"] {
  if (threads.length <= MOST_THREADS) return threads;
  const bad = threads.filter(({ stretches }) => stretches.some(({ state }) => isGap(state)));
  return [...bad, ...threads.filter((one) => !bad.includes(one))]
    .slice(0, MOST_THREADS)
    .sort(ascending(({ thread }) => thread));
}

/** What the timeline does not show, and why. */
export function remarks(timeline: Timeline): readonly string[] {
  const { threads, transactions, moreTransactions, moreStored = 0n, unseen } = timeline;
  const undrawn = BigInt(Math.max(0, transactions.length - MOST_DRAWN)) + moreTransactions;
  const gaps = gapsOf(timeline).length - MOST_GAPS;
  return [
    ...(threads.length > MOST_THREADS ? [`and ${counted(threads.length - MOST_THREADS, "more thread")}`] : []),
    ...(gaps > 0 ? [`and ${counted(gaps, "more gap")}`] : []),
    ...(moreStored > 0n ? [`and ${counted(moreStored, "more stored partition")} without a mark`] : []),
    ...(undrawn > 0n ? [`and ${counted(undrawn, "younger transaction")}`] : []),
    ...unseen.map(({ what, why }) => `${what} unknown: ${trunc(why, 600)}`),
  ];
}
