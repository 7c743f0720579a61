import type { ConnectorKind } from "../document/intent.ts";
import { changeNow } from "../facts/offset/stored-change.ts";
import { beganAt, carriedOffset } from "../facts/ops/ops-event.ts";
import { parseScn } from "../values/scn.ts";
import { shellWord } from "../values/shell-word.ts";
import { type Check, fail, pass } from "./check.ts";

/**
 * The latest change of this connector was recorded as applied, and what is stored shows that the task of before has
 * committed once more over it. No wait after a stop can rule that out.
 *
 * Rule: architecture, "What apply promises", 5; reference: Kafka Connect, "Seen on real workers".
 */
export const lastChangeUndone: Check<ConnectorKind> = {
  code: "OFF114",
  title: "A late commit has undone the last change",
  problem: "The connector would go on from where it was before that change, although its record says applied.",
  remedy: "Repair it and start the connector, where the change was made: `cdcctl recover RUN --resume`.",
  grade: "advisory",

  run(_intent, { changes, stored }) {
    // That the topic can't be read is said by OPS603.
    const last = changes.known ? changes.value.at(-1) : undefined;
    if (last?.outcome !== "applied" || stored.state !== "stored") return pass;
    const { event } = last;
    const { previous_offset, new_offset, new_resume_scn, direction, run, operator } = event.details;
    const [previous, planned] = [carriedOffset(previous_offset), carriedOffset(new_offset)];
    const { offset } = stored.entry;
    if (previous === undefined || planned === undefined || planned === null) return pass;
    const change = { previous, planned, scn: parseScn(new_resume_scn), direction };
    if (changeNow(offset, change) !== "undone") return pass;
    return fail({
      seen:
        `${operator === "" ? "somebody" : operator} moved the offset to ${new_resume_scn} ` +
        `(${beganAt(event)}${run === undefined ? "" : `, run ${run}`}), and a task that had outlived its stop has ` +
        `set it back to ${stored.offset.resumeScn}`,
      ...(run === undefined
        ? {}
        : {
            remedies: [
              `Repair it and start the connector, where it was made:  cdcctl recover ${shellWord(run)} --resume`,
            ],
          }),
    });
  },
};
