/** `2026-11-21T09-15-40Z-7f3a`: sorts by time, tells two runs of one second apart, is a file name everywhere. */
export function runId(now: string, random: () => number): string {
  const tail = Math.floor(random() * 0x10000)
    .toString(16)
    .padStart(4, "0");
  return `${now.slice(0, 19).replaceAll(":", "-")}Z-${tail}`;
}

/**
 * Whether a text is a run id of the one form that cdcctl gives: it becomes a file name, and part of commands that are
 * printed.
 */
/** @returns undefined for a text of any other form: it names no run of cdcctl's */
export function parseRunId(text: string | undefined): string | undefined {
  return text !== undefined && isRunId(text) ? text : undefined;
}

function isRunId(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}Z-[0-9a-f]{4}$/.test(text);
}
