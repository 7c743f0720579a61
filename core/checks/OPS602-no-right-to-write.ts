import type { ConnectorKind } from "../document/intent.ts";
import { type Check, fail, pass, unknown } from "./check.ts";

/** Found while planning, as far as the protocol tells. */
export const noRightToWrite: Check<ConnectorKind> = {
  code: "OPS602",
  title: "This login may not write to the ops topic",
  problem: "`apply` would stop the connector and then be unable to record the change.",
  remedy: "Allow WRITE on the ops topic for this login (kafka-acls).",
  grade: "refusal",
  unknown: "advisory",

  run(_intent, { changesOffset, facts: { opsTopic, connector } }) {
    if (!changesOffset) return pass;
    if (!opsTopic.known)
      return unknown(`the ops topic ${connector.opsTopic} can't be seen: ${opsTopic.why}`, opsTopic.remedy);
    if (opsTopic.value === "missing") return pass;
    const { mayWrite } = opsTopic.value;
    if (!mayWrite.known)
      return unknown(
        `whether this login may write to ${connector.opsTopic} can't be told: ${mayWrite.why}`,
        mayWrite.remedy,
      );
    return mayWrite.value ? pass : fail({ seen: `this login may not write to ${connector.opsTopic}` });
  },
};
