import type { ConnectorKind } from "../document/intent.ts";
import { type Check, fail, pass, unknown } from "./check.ts";

/** No change is made without a record, and a topic is never made by accident. */
export const opsTopicMissing: Check<ConnectorKind> = {
  code: "OPS601",
  title: "The ops topic is not there",
  problem: "The change could not be recorded, and no change is made without a record.",
  remedy: "Create the topic, or set cdc.ops.topic to the one in use.",
  grade: "refusal",

  run(_intent, { changesOffset, facts: { opsTopic, connector } }) {
    if (!changesOffset) return pass;
    if (!opsTopic.known)
      return unknown(`the ops topic ${connector.opsTopic} can't be seen: ${opsTopic.why}`, opsTopic.remedy);
    if (opsTopic.value !== "missing") return pass;
    return fail({ seen: `the brokers have no topic ${connector.opsTopic}` });
  },
};
