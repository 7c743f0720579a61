import type { Scale } from "../../core/timeline/scale.ts";
import {
  isGap,
  isOpen,
  type Mark,
  needsRedoFrom,
  type RedoState,
  type Stretch,
  type Timeline,
} from "../../core/timeline/timeline.ts";
import { counted, showCount } from "../../core/values/amounts.ts";
import { escapeTerminal } from "../../core/values/escape.ts";
import { type Instant, millisBetween } from "../../core/values/instant.ts";
import { ascending, largest } from "../../core/values/lists.ts";
import type { Scn } from "../../core/values/scn.ts";
import type { Paint, Tone } from "./colour.ts";
import { hanging, NO_BREAK, pad, showInstant, showMillis, showRange, trunc, widthOf, wrap } from "./layout.ts";
import { endOf, runsOf, statesOf, statesShown, timelineScale } from "./timeline-scale.ts";

/** Maximum transactions drawn; the key counts the others. */
export const MOST_DRAWN = 6;
/** Maximum items of each list in the key. */
const MOST_GAPS = 8;
const MOST_THREADS = 12;

export const LETTERS: { readonly [mark in Mark["mark"]]: string } = {
  "first available": "F",
  target: "T",
  "stored scn": "S",
  "last commit": "L",
  "resume SCN": "R",
  "current SCN": "C",
};

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
  /** Inclusive; omitted for one SCN, or if it continues. */
  readonly to?: Scn;
  readonly at: Instant | undefined;
  readonly toAt?: Instant | undefined;
  /** The user or client, if known. */
  readonly note?: string | undefined;
  readonly kind: "mark" | "transaction" | "gap";
}

/** Everything named in the timeline, in order of SCN. */
export function keyRows(timeline: Timeline): readonly KeyRow[] {
  return [...timeline.marks.map(markRow), ...transactionKeys(timeline), ...gapRows(timeline)].sort(
    ascending(({ from }) => from),
  );
}

function markRow({ mark, scn, at: time, of: owner, more, leftOut }: Mark): KeyRow {
  const others = `${more === undefined ? "" : ` and ${more} more`}${leftOut ? ", left out" : ""}`;
  return {
    sign: LETTERS[mark],
    what: mark,
    from: scn,
    at: time,
    note: owner === undefined ? undefined : `${trunc(owner, 100)}${others}`,
    kind: "mark",
  };
}

function transactionKeys(timeline: Timeline): readonly KeyRow[] {
  return drawnTransactions(timeline).map(({ xid, firstScn, at, user, clientId, seenIn }, i) => ({
    sign: transactionLetter(i),
    what: `${seenIn.map((place) => SEEN[place]).join(", ")} ${trunc(xid, 60)}`,
    from: firstScn,
    at,
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

/** Room for `thread 1`, `journaled`. */
const LABEL = 12;
const MARGIN = "  ";
/** Longest name with its SCN on the same line. */
const LONGEST_NAME = 30;

/**
 * The timeline of a position for a terminal: SCNs rise from left to right, with a line of letters for the marks, and a
 * line per thread and per transaction; below it the key, in order of SCN, with times. In ASCII, and equally readable
 * without colour.
 *
 * @param width at least 40 columns; no line is wider
 */
export function timelineLines(timeline: Timeline, width: number, paint: Paint): readonly string[] {
  const scale = timelineScale(timeline, width - MARGIN.length - LABEL);
  return [
    ...wrap(`SCN timeline: ${headline(timeline)}`, width - 2).map((line) => `${MARGIN}${paint("strong", line)}`),
    ...(scale === undefined ? [] : picture(timeline, scale, paint)),
    ...(scale === undefined ? [] : legend(timeline, scale, width, paint)),
    ...key(keyRows(timeline), width, paint),
    ...threadSentences(timeline).flatMap(({ thread, sentence }) =>
      hanging(`${MARGIN}${pad(`thread ${thread}`, LABEL)}`, MARGIN.length + LABEL, sentence, width),
    ),
    ...remarks(timeline).flatMap((remark) => wrap(remark, width - 2).map((line) => `${MARGIN}${line}`)),
  ];
}

function picture(timeline: Timeline, scale: Scale, paint: Paint): readonly string[] {
  return [
    ...markRows(timeline.marks, scale).map((line) => labelled("", paint("strong", line.trimEnd()))),
    ...drawnThreads(timeline.threads).map(({ thread, stretches }) =>
      labelled(`thread ${thread}`, redoRow(statesOf(stretches, scale), paint)),
    ),
    ...transactionRows(timeline, scale, paint),
  ];
}

function labelled(label: string, line: string): string {
  return `${MARGIN}${pad(label, LABEL)}${line}`.trimEnd();
}

/** Marks of one SCN are placed below each other, so that none hides another. */
function markRows(marks: readonly Mark[], scale: Scale): readonly string[] {
  const rows: string[][] = [];
  const place = (column: number, letter: string) => {
    let row = rows.find((one) => one[column] === " ");
    if (row === undefined) {
      row = Array.from({ length: scale.columns }, () => " ");
      rows.push(row);
    }
    row[column] = letter;
  };
  for (const { mark, scn } of marks) place(scale.columnOf(scn), LETTERS[mark]);
  const [first] = rows;
  if (scale.cut !== undefined && first !== undefined) {
    const middle = Math.floor((scale.columnOf(scale.cut.from) + scale.columnOf(scale.cut.to)) / 2);
    for (const column of [middle, middle + 1]) if (first[column] === " ") first[column] = "/";
  }
  return rows.map((row) => row.join(""));
}

const SIGNS: { readonly [state in RedoState]: readonly [string, Tone] } = {
  archived: ["=", "good"],
  online: ["~", "good"],
  missing: ["x", "bad"],
  purged: ["x", "bad"],
  unreadable: ["x", "bad"],
  "in part": ["%", "bad"],
};

function redoRow(states: readonly (RedoState | undefined)[], paint: Paint): string {
  let end = 0;
  return runsOf(states, (state) => state)
    .map(({ state, from, to }) => {
      const [sign, tone] = SIGNS[state];
      const before = " ".repeat(from - end);
      end = to;
      return `${before}${paint(tone, sign.repeat(to - from))}`;
    })
    .join("");
}

function transactionRows(timeline: Timeline, scale: Scale, paint: Paint): readonly string[] {
  const end = endOf(timeline, scale);
  return drawnTransactions(timeline).map((transaction, i) => {
    const start = scale.columnOf(transaction.firstScn);
    const rest = Math.max(0, end - start);
    const tail = isOpen(transaction) && rest > 0 ? `${"-".repeat(rest - 1)}>` : ".".repeat(rest);
    const line = `${transactionLetter(i)}${tail}`;
    return labelled(sourceLabel(transaction), `${" ".repeat(start)}${paint("caution", line)}`);
  });
}

function legend(timeline: Timeline, scale: Scale, width: number, paint: Paint): readonly string[] {
  const states = statesShown(timeline, scale);
  const drawn = drawnTransactions(timeline);
  const gap = states.has("missing") || states.has("purged") || states.has("unreadable");
  const signs = [
    ...(states.has("archived") ? ["= archived"] : []),
    ...(states.has("online") ? ["~ online"] : []),
    ...(gap ? ["x missing"] : []),
    ...(states.has("in part") ? ["% partly present"] : []),
    ...(drawn.some(isOpen) ? ["-> open transaction"] : []),
    ...(drawn.every(isOpen) ? [] : [".. journaled only"]),
    ...(scale.cut === undefined ? [] : [`// ${showCount(scale.cut.to - scale.cut.from)} SCNs omitted`]),
    ...(scale.proportional || scale.cut !== undefined ? [] : ["adjacent marks spread out"]),
  ].map((sign) => sign.replaceAll(" ", NO_BREAK));
  const indent = MARGIN.length + LABEL;
  return signs.length === 0
    ? []
    : wrap(signs.join("   "), width - indent).map((line) => `${" ".repeat(indent)}${paint("quiet", line)}`);
}

function key(rows: readonly KeyRow[], width: number, paint: Paint): readonly string[] {
  const names = rows.filter(({ kind }) => kind !== "gap").map(({ what }) => widthOf(escapeTerminal(what)));
  const name = Math.min(LONGEST_NAME, largest(names)) + 2;
  const scn = largest(rows.filter(({ kind }) => kind !== "gap").map(({ from }) => `${from}`.length)) + 2;
  return rows.flatMap((row) => {
    const label = `${MARGIN}${paint(row.kind === "gap" ? "bad" : "strong", row.sign)}  `;
    const what = escapeTerminal(row.what);
    const text =
      row.kind === "gap"
        ? `${row.what}: ${row.from} to ${row.to}${gapTimes(row)}`
        : padded(what, name) + padded(`${row.from}`, scn) + timeOf(row) + (row.note ? `${NO_BREAK} ${row.note}` : "");
    return hanging(label, 5, text, width);
  });
}

/** Pads with no-break spaces except the last, so that columns stay aligned. */
function padded(text: string, width: number): string {
  const unbroken = text.replaceAll(" ", NO_BREAK);
  return `${unbroken}${NO_BREAK.repeat(Math.max(1, width - widthOf(text) - 1))} `;
}

function timeOf({ at }: KeyRow): string {
  return (at === undefined ? "time unknown" : showInstant(at)).replaceAll(" ", NO_BREAK);
}

function gapTimes({ at, toAt }: KeyRow): string {
  const from = at === undefined ? "" : ` from ${showInstant(at).replace(" ", NO_BREAK)}`;
  const to = toAt === undefined ? "" : ` to ${showInstant(toAt).replace(" ", NO_BREAK)}`;
  return from === "" && to === "" ? "" : `,${from}${to}`;
}
