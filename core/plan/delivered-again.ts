import { FIRST_START, liftedBetween } from "../facts/offset/moved-offset.ts";
import { recognitionBy } from "../facts/offset/recognition.ts";
import { decodeOffset } from "../facts/offset/stored-offset.ts";
import type { JsonObject } from "../values/json.ts";
import { cutText } from "./diff.ts";
import type { OffsetShown } from "./plan.ts";

/** What the task recognises of what is mined again: by transaction, thread and address, as it does itself. */
export function deliveredAgain(after: JsonObject | undefined): string {
  const decoded = after === undefined ? undefined : decodeOffset(after);
  if (decoded?.ok !== true) return "whether delivered commits are recognised is unknown";
  const { lastCommit, firstStart } = decoded.offset;
  if (firstStart !== undefined) return `the first-start cut stays: ${cutText(firstStart)}`;
  const recognition = recognitionBy(decoded.offset);
  switch (recognition.is) {
    case "all":
      return `commits up to ${recognition.upTo ?? lastCommit?.xid} are recognised and not delivered twice`;
    case "all but the last":
      return (
        `commits before ${recognition.upTo} are recognised and not delivered twice; the one at ${recognition.upTo} ` +
        `is delivered again: ${recognition.why}`
      );
    case "none":
      return `${recognition.why}, so delivered commits are delivered again`;
  }
}

/** What becomes of the first-start cut; undefined where it stays. */
export function cutChange({ before, after }: Pick<OffsetShown, "before" | "after">): string | undefined {
  if (before === null) return undefined;
  const cut = liftedBetween(before, after);
  if (cut !== undefined)
    return (
      `lifts the first-start cut at ${cut.floor}: ${FIRST_START.join(", ")} are removed, so that what was committed ` +
      "before the first start is delivered, too"
    );
  const restored = liftedBetween(after, before);
  return restored && `restores the first-start cut at ${restored.floor}: ${cutText(restored)}`;
}
