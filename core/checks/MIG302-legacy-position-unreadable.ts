import type { Check } from "./check.ts";
import { problemOf } from "./takeover-problem.ts";

/** Where it would go on has to be known before the new connector is deleted. */
export const legacyPositionUnreadable: Check<"Return"> = {
  code: "MIG302",
  title: "Where the legacy connector would go on can't be read",
  problem: "Without its stored position it would begin anew, or not at all, with the new connector deleted by then.",
  remedy: "Check `spec.from.connector`, and look at `GET /connectors/NAME/offsets`.",
  grade: "refusal",

  run(_intent, { takeover }) {
    return problemOf(takeover, ["LEG001", "LEG003", "LEG004", "LEG005"]);
  },
};
