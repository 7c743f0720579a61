/**
 * `2026-11-21T09-15-40Z-7f3a`: sorts by time, distinguishes two runs of one second, and is a valid file name
 * everywhere.
 */
export function runId(now: string, random: () => number): string {
  const tail = Math.floor(random() * 0x10000)
    .toString(16)
    .padStart(4, "0");
  return `${now.slice(0, 19).replaceAll(":", "-")}Z-${tail}`;
}

/** Accepts only the form of cdcctl's run ids, since the text becomes a file name, and part of printed commands. */
export function parseRunId(text: string | undefined): string | undefined {
  return text !== undefined && isRunId(text) ? text : undefined;
}

function isRunId(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}Z-[0-9a-f]{4}$/.test(text);
}
