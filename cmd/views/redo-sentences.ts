import type { RedoExamination, RedoFault, RedoUsed } from "../../core/facts/redo-examination.ts";
import { counted, showInstant, showRange } from "./quantities.ts";

/** What an examination of the redo says, in sentences. Not escaped. */
export interface RedoSentences {
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

/** `all there: thread 1, sequences 118 to 121 archived, 122 online; every file opened`. */
function allThere({ used, probed }: RedoExamination): string {
  const threads = used.slice(0, MOST_THREADS).map(usedThread);
  const more = used.length > MOST_THREADS ? [`${used.length - MOST_THREADS} more threads`] : [];
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
          `${archived.length === 0 ? showRange("sequence", first, last) : first === last ? first : `${first} to ${last}`} online`,
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
  return `thread ${thread} sequence ${sequence} is listed under destination ${destination}, which the connector does not read: ${name}`;
}
