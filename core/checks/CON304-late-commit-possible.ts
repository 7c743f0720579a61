import type { ConnectorKind } from "../document/intent.ts";
import { type Check, fail, pass } from "./check.ts";

/**
 * Without exactly-once support a task that hangs while it stops can commit its last offset after the change. REST does not show whether
 * the workers run with it.
 *
 * Rule: reference: Kafka Connect, "Seen on real workers".
 */
export const lateCommitPossible: Check<ConnectorKind> = {
  code: "CON304",
  title: "Exactly-once support can't be seen over REST",
  problem: "A task that hangs while it stops could undo the change by a late commit.",
  remedy:
    "`apply` watches for that: a stop that took as long as the grace period is followed by a settle window (--settle), and after a resume the first commit is checked.",
  grade: "advisory",

  run(_intent, { changesOffset }) {
    if (!changesOffset) return pass;
    return fail({
      seen: "Exactly-once support can't be seen over REST. A task that hangs while it stops could undo the change; apply watches for that.",
      remedies: [],
    });
  },
};
