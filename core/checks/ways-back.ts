import type { Gap } from "../facts/redo/gap.ts";

/** A gap of many pieces has as many commands; the plan itself lists them all. */
const MOST = 6;

/** What comes first wherever changes would be skipped: purged is not lost while a backup has it (reference: Oracle). */
export function waysBack({ restore }: Pick<Gap, "restore">): readonly string[] {
  const shown = restore.slice(0, MOST).map((command) => `Bring the logs back (RMAN):  ${command}`);
  return restore.length > MOST ? [...shown, `… and ${restore.length - MOST} more commands like these`] : shown;
}
