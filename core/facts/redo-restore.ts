import type { RedoFault } from "./redo-examination.ts";

/**
 * The RMAN commands that bring the logs of faults back, one a run of logs. A file that was removed without RMAN still
 * counts as present there: it has to be told first (CROSSCHECK), or it restores nothing. None for what is still on
 * line: no backup has it.
 */
export function restoreCommands(faults: readonly RedoFault[]): readonly string[] {
  return faults.flatMap((fault) => {
    const range = rangeOf(fault);
    if (range === undefined || fault.reason === "online log unreadable") return [];
    const restore = `RESTORE ARCHIVELOG ${range};`;
    return fault.reason === "cannot be opened" ? [`CROSSCHECK ARCHIVELOG ${range};`, restore] : [restore];
  });
}

function rangeOf({ thread, fromSequence, toSequence, firstScn, nextScn }: RedoFault): string | undefined {
  if (thread === undefined) return undefined;
  if (fromSequence !== undefined && toSequence !== undefined)
    return `FROM SEQUENCE ${fromSequence} UNTIL SEQUENCE ${toSequence} THREAD ${thread}`;
  if (fromSequence !== undefined) return `FROM SEQUENCE ${fromSequence} THREAD ${thread}`;
  if (firstScn !== undefined && nextScn !== undefined)
    return `FROM SCN ${firstScn} UNTIL SCN ${nextScn - 1n} THREAD ${thread}`;
  return undefined;
}
