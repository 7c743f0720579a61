import { counted, showCount, showRange } from "../../values/amounts.ts";
import { showMillis } from "../../values/duration.ts";
import { millisBetween, showInstant } from "../../values/instant.ts";
import { highest, lowest } from "../../values/lists.ts";
import type { RedoExamination, RedoFault, RedoUsed } from "./redo.ts";

/** The result of examining the redo, in sentences. Not escaped. */
interface RedoSentences {
  readonly sentence: string;
  /** Faults and unusable copies, one per line. */
  readonly details: readonly string[];
}

/** Maximum number of threads named of a clustered database. */
const MOST_THREADS = 8;

export function redoSentences(redo: RedoExamination): RedoSentences {
  return {
    sentence: redo.complete ? allThere(redo) : notAllThere(redo),
    details: [...redo.faults.map(fault), ...redo.restoredElsewhere.map(copy)],
  };
}

/** Describes missing redo: the faults of each log, with the range of SCNs and times. */
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
        // The first is in the message.
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

/** `complete: thread 1, sequences 118 to 121 archived, 122 online; every file opened`. */
function allThere({ from, used, probed }: RedoExamination): string {
  if (used.every(({ archivedLogs, onlineSequences }) => archivedLogs === 0n && onlineSequences.length === 0))
    return (
      `nothing is missing: redo from ${from} onwards is not archived yet; archive_only mines it after the next log ` +
      "switch; no file had to be opened"
    );
  const threads = used.slice(0, MOST_THREADS).map(usedThread);
  const more = used.length > MOST_THREADS ? [`${showCount(used.length - MOST_THREADS)} more threads`] : [];
  const opened = probed ? "every file opened" : "files not opened";
  return `complete: ${[...threads, ...more, opened].join("; ")}`;
}

function usedThread({ thread, firstSequence, lastSequence, onlineSequences }: RedoUsed): string {
  const [first] = onlineSequences;
  const last = onlineSequences.at(-1);
  const archived =
    firstSequence === undefined || lastSequence === undefined
      ? []
      : [`${showRange("sequence", firstSequence, lastSequence)} archived`];
  const online =
    first === undefined || last === undefined ? [] : [`${onlineRange(archived.length > 0, first, last)} online`];
  return [`thread ${thread}`, ...archived, ...online].join(", ");
}

/** Sequences of online logs. After archived ones, the word is not repeated. */
function onlineRange(afterArchived: boolean, first: bigint, last: bigint): string {
  if (!afterArchived) return showRange("sequence", first, last);
  return first === last ? `${first}` : `${first} to ${last}`;
}

function notAllThere({ faults, from, end, firstAvailable, beforeResetlogs }: RedoExamination): string {
  const what = faults.length === 0 ? "" : `: ${counted(faults.length, "fault")}`;
  const incarnation = beforeResetlogs ? `; ${from} lies before the last RESETLOGS` : "";
  const way = firstAvailable === undefined ? "no later SCN is usable" : `the nearest usable SCN is ${firstAvailable}`;
  return `incomplete from ${from} to ${end}${what}${incarnation}; ${way}`;
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
