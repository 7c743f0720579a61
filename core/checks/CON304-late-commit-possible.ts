import type { ConnectorKind } from "../document/intent.ts";
import { type Check, fail, pass } from "./check.ts";

/**
 * Without exactly-once support a task that hangs while it stops can commit its last offset after the change. REST does
 * not show whether the workers run with it.
 *
 * Rule: reference: Kafka Connect, "Seen on real workers".
 */
export const lateCommitPossible: Check<ConnectorKind | "Cutover" | "Return"> = {
  code: "CON304",
  title: "Exactly-once support can't be seen over REST",
  problem: "A task that hangs while it stops could undo the change by a late commit.",
  remedy:
    "`apply` watches for that: a stop that took as long as the grace period is followed by a settle window " +
    "(--settle), and after a resume the first commit is checked.",
  grade: "advisory",

  run(_intent, reading) {
    if ("changesOffset" in reading && !reading.changesOffset) return pass;
    return fail({
      seen:
        "changesOffset" in reading
          ? "Exactly-once support can't be seen over REST. A task that hangs while it stops could undo the change; " +
            "apply watches for that."
          : "Exactly-once support can't be seen over REST. A task of the legacy connector that hangs while it " +
            "stops could deliver and commit once more: that is overlap, never a gap; apply waits for its offsets " +
            "to settle.",
      remedies: [],
    });
  },
};
