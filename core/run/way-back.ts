import type { StoredChange } from "../facts/offset/stored-change.ts";
import type { RunState } from "./state.ts";
import { offsetSubject } from "./subject.ts";

const NAME = "rollback-of-";

/**
 * The name of the plan that `rollback` makes of a run. A plan file may bear it too: only the intent's origin tells them
 * apart.
 */
export function wayBackName(run: string): string {
  return `${NAME}${run}`;
}

/**
 * The run that this one was made to take back, whatever its kind. A run that was taken over from the ops topic alone
 * has no plan, and so can't tell.
 *
 * @returns undefined for any other run
 */
export function wayBackOf({ started: { plan } }: RunState): string | undefined {
  if (plan?.intent.origin.by !== "rollback") return undefined;
  const { name } = plan.intent.metadata;
  return name.startsWith(NAME) ? name.slice(NAME.length) : undefined;
}

/**
 * Whether an ended run's offset stands. Abandoned while only an answer, or the first commit, was waited for: it was
 * patched, and that recorded.
 */
export function offsetStands({ started, ended, attempts, steps }: RunState): boolean {
  if (offsetSubject(started.subject) === undefined || attempts === 0n) return false;
  return (
    ended?.outcome === "succeeded" ||
    ended?.outcome === "rejected" ||
    (ended?.outcome === "abandoned" && steps.get("record-outcome") === "done")
  );
}

/** Whether an ended cutover can be rolled back: it has fixed where it takes over, so that something of it may stand. */
export function cutoverStands({ started: { subject }, takeover, ended }: RunState): boolean {
  return (
    subject.command === "migrate" &&
    subject.phase === "cutover" &&
    takeover !== undefined &&
    (ended?.outcome === "succeeded" || ended?.outcome === "abandoned")
  );
}

/** The change of a run that has fixed what it stores; undefined for any other run. */
export function storedChangeOf({ body, started }: Pick<RunState, "body" | "started">): StoredChange | undefined {
  const subject = offsetSubject(started.subject);
  if (body === undefined || subject === undefined) return undefined;
  return { previous: body.previous, planned: body.entry.offset, scn: subject.scn, direction: subject.direction };
}
