import type { RedoExamination, RedoFault, RedoUsed } from "../../core/facts/redo/redo.ts";
import { counted, showCount } from "../../core/values/amounts.ts";
import { millisBetween } from "../../core/values/instant.ts";
import { showInstant, showMillis, showRange } from "./quantities.ts";
import { type Extent, type Field, field, items } from "./report/model.ts";

/** What an examination of the redo says, in sentences. Not escaped. */
interface RedoSentences {
  readonly sentence: string;
  /** What is wrong, and copies that are of no use, one a line. */
  readonly details: readonly string[];
}

/** Of a clustered database this many threads are named. */
const MOST_THREADS = 8;

export function redoSentences(redo: RedoExamination): RedoSentences {
  return {
    sentence: redo.complete ? allThere(redo) : notAllThere(redo),
    details: [...redo.faults.map(fault), ...redo.restoredElsewhere.map(copy)],
  };
}

/** Redo that is gone: what is wrong with which logs, from which SCN to which, and when that was. */
export function gapSentences({ faults, restoredElsewhere }: RedoExamination): RedoSentences {
  const [only] = faults;
  const codes = [...new Set(faults.map(({ code }) => code))].join(" and ");
  const what =
    faults.length === 1 && only !== undefined
      ? `${only.code} ${only.message}`
      : `${counted(faults.length, "fault")}${codes === "" ? "" : `, ${codes}`}`;
  return {
    sentence: [what, ...scnsOf(faults), ...timesOf(faults)].join("; "),
    details: [
      ...faults.flatMap((one) => [
        ...(faults.length === 1
          ? []
          : [[`${one.code} ${one.message}`, ...scnsOf([one]), ...timesOf([one])].join("; ")]),
        // The first stands in the message.
        ...one.files.slice(1).map((file) => `also ${file}`),
      ]),
      ...restoredElsewhere.map(copy),
    ],
  };
}

/** `SCN 2204511 to 2229999`, as far as known. */
function scnsOf(faults: readonly RedoFault[]): readonly string[] {
  const from = lowest(faults.flatMap(({ firstScn }) => firstScn ?? []));
  const next = highest(faults.flatMap(({ nextScn }) => nextScn ?? []));
  const parts = [
    ...(from === undefined ? [] : [`from SCN ${from}`]),
    ...(next === undefined ? [] : [`to ${next - 1n}`]),
  ];
  return parts.length === 0 ? [] : [parts.join(" ")];
}

function timesOf(faults: readonly RedoFault[]): readonly string[] {
  const from = lowest(faults.flatMap(({ firstTime }) => firstTime ?? []));
  const to = highest(faults.flatMap(({ nextTime }) => nextTime ?? []));
  if (from === undefined) return to === undefined ? [] : [`until ${showInstant(to)}`];
  if (to === undefined) return [`since ${showInstant(from)}`];
  return [`${showInstant(from)} to ${showInstant(to)} (${showMillis(Math.max(0, millisBetween(from, to)))})`];
}

function lowest<T extends bigint | string>(of: readonly T[]): T | undefined {
  return of.reduce<T | undefined>((low, one) => (low === undefined || one < low ? one : low), undefined);
}

function highest<T extends bigint | string>(of: readonly T[]): T | undefined {
  return of.reduce<T | undefined>((high, one) => (high === undefined || one > high ? one : high), undefined);
}

/** `all there: thread 1, sequences 118 to 121 archived, 122 online; every file opened`. */
function allThere({ from, used, probed }: RedoExamination): string {
  if (used.every(({ archivedLogs, onlineSequences }) => archivedLogs === 0n && onlineSequences.length === 0))
    return (
      `nothing is missing: redo from ${from} on is not archived yet, and archive_only mines it after the next log ` +
      "switch; no file had to be opened"
    );
  const threads = used.slice(0, MOST_THREADS).map(usedThread);
  const more = used.length > MOST_THREADS ? [`${showCount(used.length - MOST_THREADS)} more threads`] : [];
  const opened = probed ? "every file opened" : "whether the files can be opened was not tried";
  return `all there: ${[...threads, ...more, opened].join("; ")}`;
}

function usedThread({ thread, firstSequence, lastSequence, onlineSequences }: RedoUsed): string {
  const [first] = onlineSequences;
  const last = onlineSequences.at(-1);
  const archived =
    firstSequence === undefined || lastSequence === undefined
      ? []
      : [`${showRange("sequence", firstSequence, lastSequence)} archived`];
  const online =
    first === undefined || last === undefined
      ? []
      : [
          `${archived.length === 0 ? showRange("sequence", first, last) : first === last ? first : `${first} to ${last}`} ` +
            "online",
        ];
  return [`thread ${thread}`, ...archived, ...online].join(", ");
}

function notAllThere({ faults, from, end, firstAvailable, beforeResetlogs }: RedoExamination): string {
  const what = faults.length === 0 ? "" : `: ${counted(faults.length, "fault")}`;
  const incarnation = beforeResetlogs ? `; ${from} lies before the last RESETLOGS` : "";
  const way = firstAvailable === undefined ? "no later SCN works" : `the nearest SCN that works is ${firstAvailable}`;
  return `not all there from ${from} to ${end}${what}${incarnation}; ${way}`;
}

function fault({ code, message, firstTime, nextTime }: RedoFault): string {
  const from = firstTime === undefined ? "" : `from ${showInstant(firstTime)}`;
  const to = nextTime === undefined ? "" : `to ${showInstant(nextTime)}`;
  const times = [from, to].filter((part) => part !== "").join(" ");
  return `${code} ${message}${times === "" ? "" : ` (${times})`}`;
}

function copy({ thread, sequence, destination, name }: RedoExamination["restoredElsewhere"][number]): string {
  return (
    `thread ${thread} sequence ${sequence} is listed under destination ${destination}, which the connector does ` +
    `not read: ${name}`
  );
}

/** The redo as one field of a report. */
export function redoField(redo: RedoExamination, extent: Extent, good?: "good"): Field {
  const { sentence, details } = redoSentences(redo);
  return field(
    "redo",
    sentence,
    redo.complete ? good : "bad",
    items(details, "fault", (one) => one, extent),
  );
}
