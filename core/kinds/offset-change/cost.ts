import type { OffsetChangeIntent } from "../../document/intent.ts";
import { span } from "../../facts/database/database.ts";
import { logsBetween } from "../../facts/redo/examination.ts";
import type { Cost } from "../../plan/plan.ts";
import type { OffsetChangeReading } from "./reading.ts";

/**
 * What a move costs: redo that is mined again, or commits that are never delivered. A restored offset costs neither:
 * the connector has not run since it stood there.
 */
export function costOf(
  { position, origin }: OffsetChangeIntent,
  { move, stored, facts, redo }: OffsetChangeReading,
): Cost | undefined {
  if (move === undefined) return undefined;
  const { from, to } = move;
  // Forward in a rollback: back to where the connector had come before, all of it delivered.
  const deliveredBefore = position.to === "restore" || (origin.by === "rollback" && move.direction === "forward");
  if (from === undefined || from === to || deliveredBefore) return { kind: "none" };
  if (move.direction === "forward") return { kind: "skipped", millis: span(from, to, facts.times) };
  const logs =
    facts.redo.known && redo?.known
      ? logsBetween(facts.redo.value, redo.value.destination, facts.database.resetlogsScn, to, from)
      : [];
  return {
    kind: "mined again",
    archivedLogs: BigInt(logs.length),
    bytes: logs.reduce((sum, { bytes }) => sum + bytes, 0n),
    millis: span(to, from, facts.times),
    recognisedUpTo: stored.state === "stored" ? stored.offset.lastCommit?.scn : undefined,
  };
}
