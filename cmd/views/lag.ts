import type { LagExplanation } from "../../core/doctor/lag/explain-lag.ts";
import { type Age, type LagReading, type RedoRate, redoAhead } from "../../core/doctor/lag/lag-facts.ts";
import { ofWhom, oldestOf, openFor } from "../../core/doctor/lag/long-transaction.ts";
import { statusOf } from "../../core/facts/connector/connector.ts";
import type { LagAttribute } from "../../core/facts/connector/task-metrics.ts";
import { mapObserved, type Observed } from "../../core/facts/observed.ts";
import type { RedoExamination } from "../../core/facts/redo/redo.ts";
import { redoSentences } from "../../core/facts/redo/sentences.ts";
import { type Timeline, timelineOf } from "../../core/timeline/timeline.ts";
import { counted, showBytes, showCount } from "../../core/values/amounts.ts";
import { showMillis } from "../../core/values/duration.ts";
import { showInstant } from "../../core/values/instant.ts";
import type { Advice } from "../../core/values/remedy.ts";
import { printXid } from "../../core/values/xid.ts";
import { trunc } from "./layout.ts";
import {
  type Code,
  type Field,
  field,
  fields,
  figure,
  items,
  lines,
  list,
  type Mark,
  RANK,
  type Rank,
  type Report,
  section,
  whatToDo,
} from "./report/model.ts";
import { toneOf } from "./report/terminal.ts";

/** Why a connector is behind, and the sentences shared by every format of the answer. */

export interface LagView {
  readonly explanation: LagExplanation;
  /** False if there was not enough data for an answer (exit 1). */
  readonly looked: boolean;
}

/** The answer in one line. */
export function answerSentence({ explanation: { answer, reading, ruledOut, unseen }, looked }: LagView): string {
  switch (answer.is) {
    case "cause":
      return answer.title;
    case "none":
      return `nothing delays it${paceWord(reading)}`;
    case "unclear":
      return looked
        ? `unclear; could not check ${unseen.length} of ${counted(unseen.length + ruledOut.length, "cause")}`
        : "not enough data to diagnose the lag";
  }
}

function paceWord({ pace }: LagExplanation["reading"]): string {
  if (!pace.known) return "";
  const { catchUp, mined, written } = pace.value;
  if (catchUp !== undefined) return ", and it is catching up";
  if (written > mined) return ", but the database writes faster than it mines";
  return mined === 0n
    ? ", but it did not move between the two samples"
    : ", but the database writes as fast as it mines";
}

/** Remedies: for the cause, or for what could not be read. */
export function lagRemedies({ explanation: { answer, reading }, looked }: LagView): readonly Advice[] {
  if (answer.is === "cause") return answer.rule.remedies(reading);
  const required = looked ? [] : [reading.behind, reading.facts.second.metrics];
  return [...new Set(required.flatMap((seen) => (seen.known ? [] : (seen.remedies ?? []))))];
}

/** What was not checked, each reason with the causes it leaves open. */
function unseenSentences({ explanation: { unseen } }: LagView): readonly string[] {
  const reasons = new Map<string, string[]>();
  for (const { rule, why } of unseen) reasons.set(why, [...(reasons.get(why) ?? []), rule.inspects]);
  return [...reasons].map(([why, inspected]) => {
    const missing = /^no (--.+)$/.exec(why)?.[1];
    const what = inspected.join(", ");
    return missing === undefined ? `${what} unknown: ${why}` : `not checked without ${missing}: ${what}`;
  });
}

/** The value of a fact, in lines, or why it is unknown. */
type Lines =
  | { readonly known: true; readonly value: readonly string[] }
  | { readonly known: false; readonly why: string };

/** The observed facts by their names, in reading order. */
function lagFacts({ explanation: { reading } }: LagView): readonly (readonly [name: string, seen: Lines])[] {
  const { facts } = reading;
  const { second } = facts;
  return [
    ["connector", { known: true, value: [statusOf(second.status)] }],
    ["current SCN", mapObserved(second.currentScn, (scn) => [scn.toString()])],
    ["resume SCN", placeLines(reading.resume, reading.behind, reading.resumeAge)],
    ["last commit", placeLines(reading.lastCommit, reading.behindCommit, reading.lastCommitAge)],
    ["pace", mapObserved(reading.pace, (pace) => [paceSentence(pace, facts.between)])],
    ["redo to mine", mapObserved(reading.redo, redoLines)],
    ["redo written", mapObserved(reading.recent, rateLines)],
    ["open", openLines(reading)],
    ["task metrics", metricsLines(reading)],
  ];
}

function placeLines(scn: Observed<bigint>, behind: Observed<bigint>, age: Observed<Age>): Lines {
  return mapObserved(scn, (at) => {
    const scns = behind.known ? `${showCount(behind.value)} SCNs behind` : "lag unknown";
    return [`${at}, ${scns}, ${ageWords(age)}`];
  });
}

function ageWords(age: Observed<Age>): string {
  if (!age.known) return `age unknown: ${age.why}`;
  const { at, millis, by, clock } = age.value;
  const own = clock === "database" ? "" : ", by this machine's clock";
  return by === "SCN"
    ? `${showMillis(millis)} old (${showInstant(at)})${own}`
    : `at most ${showMillis(millis)} old (its log was begun ${showInstant(at)})${own}`;
}

function paceSentence(
  { by, mined, written, catchUp }: Extract<LagExplanation["reading"]["pace"], { known: true }>["value"],
  between: bigint,
): string {
  const end =
    catchUp === undefined
      ? "at this rate it never catches up"
      : catchUp === 0n
        ? "nothing is left"
        : `at this rate it has caught up in ${showMillis(catchUp)}`;
  return (
    `${showCount(mined)} SCNs mined and ${showCount(written)} written in ${showMillis(between)} (by ` +
    `${by === "MinedToScn" ? by : `the ${by}`}); ${end}`
  );
}

function redoLines(redo: RedoExamination): readonly string[] {
  const { sentence, details } = redoSentences(redo);
  const amounts = redo.used.map(
    ({ thread, archivedLogs, bytes }) =>
      `thread ${thread}: ${counted(archivedLogs, "archived log")}, ${showBytes(bytes)}`,
  );
  return [...amounts, sentence, ...details];
}

function rateLines(rates: readonly RedoRate[]): readonly string[] {
  if (rates.length === 0) return ["no archived logs in the last day, so no rate"];
  return rates.map(
    ({ thread, logs, millis, bytesPerHour }) =>
      `thread ${thread}: ${showBytes(bytesPerHour)} an hour (${counted(logs, "archived log")} of the last day, ` +
      `${showMillis(millis)})`,
  );
}

function openLines({ facts }: LagExplanation["reading"]): Lines {
  return mapObserved(facts.transactions, (all) => {
    const oldest = oldestOf(all);
    if (oldest === undefined) return ["no transaction is open in the database"];
    const millis = openFor(oldest, facts);
    const age = millis === undefined ? "" : `, for ${showMillis(millis)}`;
    return [
      `${counted(all.length, "transaction")}; the oldest is ${printXid(oldest.xid)}${ofWhom(oldest)}, since SCN ` +
        `${oldest.startScn}${age}`,
    ];
  });
}

type Values = Readonly<Record<LagAttribute, bigint>>;

/** Available metrics beyond the evidence, one line per group. */
const METRICS: readonly (readonly [string, (values: Values) => string, ...LagAttribute[]])[] = [
  ["lag", ({ MillisBehindSource: ms }) => (ms < 0n ? "nothing queued yet" : queued(ms)), "MillisBehindSource"],
  [
    "mined",
    (of) => `mined to SCN ${of.MinedToScn}; last step ${showMillis(of.LastStepMillis)}`,
    "MinedToScn",
    "LastStepMillis",
  ],
  ["queue", (of) => `${counted(of.QueueDepth, "record")} queued`, "QueueDepth"],
  [
    "buffer",
    (of) =>
      `${counted(of.OpenTransactions, "transaction")} ` +
      `buffered${of.OldestOpenScn > 0n ? `, the oldest since SCN ${of.OldestOpenScn}` : ""}, ` +
      `${showBytes(of.BufferHeapBytes)} of ${showBytes(of.BufferMemoryMaxBytes)}, ${showBytes(of.SpilledBytes)} ` +
      "spilled",
    "OpenTransactions",
    "OldestOpenScn",
    "BufferHeapBytes",
    "BufferMemoryMaxBytes",
    "SpilledBytes",
  ],
  ["idle polls", (of) => `${counted(of.IdlePolls, "poll")} without new redo since it started`, "IdlePolls"],
  ["snapshot", (of) => `${counted(of.SnapshotTablesRemaining, "table")} left to snapshot`, "SnapshotTablesRemaining"],
  ["spill limit", (of) => `${showBytes(of.SpillMaxBytes)} may spill`, "SpillMaxBytes"],
];
const queued = (millis: bigint) => `its last transaction was queued ${showMillis(millis)} after the commit`;

function metricsLines({ facts: { second } }: LagExplanation["reading"]): Lines {
  return mapObserved(second.metrics, ({ lag }) =>
    METRICS.map(([what, format, ...names]) => {
      const missing = names.map((name) => lag[name]).find((seen) => !seen.known);
      if (missing !== undefined && !missing.known) return `${what} unknown: ${missing.why}`;
      const values = Object.fromEntries(names.map((name) => [name, countOf(lag[name])]));
      return format(values as Values);
    }),
  );
}

function countOf(seen: Observed<bigint>): bigint {
  return seen.known ? seen.value : 0n;
}

const LONGEST = 1000;

/** The report of `doctor explain-lag`: the answer with evidence and remedies, then all facts, known and unknown. */
export function lagReport(shown: LagView): Report {
  const { answer, also, ruledOut, remarks, reading } = shown.explanation;
  const remedies = whatToDo(lagRemedies(shown));
  const hasCause = answer.is === "cause";
  const unseen = [...listOf(unseenSentences(shown), "reason", "?"), ...(hasCause ? [] : remedies)];
  const excluded = ruledOut.map(({ because }) => because);
  const checked = (rank: Rank) => [
    ...section(rank, unseen, { title: "Not checked", terminal: "no title" }),
    ...section(rank, listOf(excluded, "fact", "✓"), { title: "Ruled out", terminal: "no title" }),
  ];
  const causes = also.map(({ title, evidence }) => `${title}: ${evidence.join("; ")}`);
  return {
    heading: {
      title: reading.facts.connector.name,
      outcome: { word: answerSentence(shown), mark: markOf(shown), shown: "in the title" },
      tone: toneOf(markOf(shown)),
    },
    lead: answer.is === "cause" ? [...listOf(answer.evidence, "line"), ...traceOf(shown), ...remedies] : [],
    sections: [
      // This is the answer if there is no cause.
      ...(hasCause ? [] : checked(RANK.subject)),
      ...section(RANK.subject, fields(factFields(lagFacts(shown)), { quiet: true })),
      ...section(RANK.figure, figure(lagTimeline(reading))),
      ...section(RANK.consequences, listOf(causes, "cause", "✗"), { title: "Besides", terminal: "no title" }),
      ...section(RANK.consequences, listOf(remarks, "note"), { title: "note:" }),
      ...(hasCause ? checked(RANK.steps) : []),
    ],
  };
}

function listOf(texts: readonly string[], what: string, sign: keyof typeof SIGN_TONES = "-") {
  const shown = texts.map((line) => trunc(line, LONGEST));
  return list(shown, what, { sign, tone: SIGN_TONES[sign] });
}

const SIGN_TONES = { "-": "quiet", "✓": "good", "✗": "bad", "?": "caution" } as const;

function markOf({ explanation: { answer } }: LagView): Mark {
  if (answer.is === "none") return "good";
  if (answer.is === "unclear") return "unknown";
  return answer.rule.cause === "not behind" ? "good" : "bad";
}

/** A reason shared by several unknown facts is printed once. */
function factFields(facts: ReturnType<typeof lagFacts>): readonly Field[] {
  const listed = new Set<string>();
  return facts.map(([name, seen]) => {
    const texts = seen.known ? seen.value : [listed.has(seen.why) ? "unknown, as above" : `unknown: ${seen.why}`];
    if (!seen.known) listed.add(seen.why);
    const [first = "", ...rest] = texts.map((text) => trunc(text, LONGEST));
    return field(name, first, undefined, lines(rest, "line", "all"));
  });
}

/** The trace of the failed connector or task, if that is the answer. */
function traceOf({ explanation: { answer, reading } }: LagView): readonly Code[] {
  if (answer.is !== "cause" || (answer.rule.cause !== "failed" && answer.rule.cause !== "redo gone")) return [];
  const { status } = reading.facts.second;
  const trace = [status.trace, ...status.tasks.map((task) => task.trace)].find((one) => one !== undefined);
  const shown = (trace ?? "").replaceAll("\t", "  ").trimEnd().split("\n").slice(1);
  if (shown.length === 0) return [];
  return [{ is: "code", language: "", lines: items(shown, "line", (line) => trunc(line, LONGEST), "few") }];
}

/** The timeline of the connector's position at the second sample. */
function lagTimeline({ facts, redo: ahead }: LagReading): Timeline {
  const { second, database, transactions, journaled, times } = facts;
  return timelineOf({
    stored: second.stored.known ? second.stored.value : undefined,
    target: undefined,
    firstAvailable: ahead.known ? ahead.value.firstAvailable : undefined,
    currentScn: second.currentScn.known ? second.currentScn.value : undefined,
    redo: redoAhead(facts),
    transactions,
    journaled,
    times,
    clock: database.known ? { zone: database.value.zone, now: second.at } : undefined,
  });
}
