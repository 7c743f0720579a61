import type { ArchivedLog } from "../../schemas/generated/facts.ts";
import { reachOf } from "../facts/redo/history.ts";
import { type Instant, millisBetween } from "../values/instant.ts";

/** How much redo is kept before the position of a connector: as it falls behind, so much time is left to it. */
export interface RedoLeft {
  readonly millis: number;
  /** No log has been deleted yet: it is at least so much. */
  readonly isLeast: boolean;
}

/**
 * How long a connector that stands still can resume: the time between the oldest archived log and its resume SCN, of
 * the thread that has least of it. Logs are deleted by age, so the oldest log comes closer as time passes.
 *
 * @param resumeAt when the resume SCN was current
 * @param logs of the enabled threads
 * @returns undefined where no archived log shows how long logs are kept
 */
export function redoLeft(resumeAt: Instant, logs: ReadonlyMap<bigint, readonly ArchivedLog[]>): RedoLeft | undefined {
  const left = reachOf(logs).map(({ since, purged }) => ({
    millis: since === undefined ? 0 : Math.max(0, millisBetween(since, resumeAt)),
    isLeast: !purged,
  }));
  return left.toSorted((a, b) => a.millis - b.millis)[0];
}
