import type { Check } from "./check.ts";
import { problemOf } from "./takeover-problem.ts";

/**
 * That it is not stopped is no obstacle here: the cutover stops it, waits, and looks again.
 *
 * Rule: specification, "Takeover rules", 2; legacy properties, "Stored offsets".
 */
export const positionUnreadable: Check<"Cutover"> = {
  code: "MIG110",
  title: "The legacy connector's position can't be taken over",
  problem: "Without its stored SCNs there is no start for the new connector that loses nothing.",
  remedy: "Check `spec.from.connector`, and look at `GET /connectors/NAME/offsets`.",
  grade: "refusal",

  run(_intent, { takeover }) {
    return problemOf(takeover, ["LEG001", "LEG003", "LEG004", "LEG005"]);
  },
};
