import type { ConnectorKind } from "../document/intent.ts";
import { type Check, pass } from "./check.ts";
import { settingsIn } from "./settings.ts";
import { isThere } from "./topic.ts";

/** No change is made without a record, and a topic is never made by accident. */
export const opsTopicMissing: Check<ConnectorKind | "Return"> = {
  code: "OPS601",
  title: "The ops topic is not there",
  problem: "The change could not be recorded, and no change is made without a record.",
  remedy: "Create the topic, or set cdc.ops.topic to the one in use.",
  grade: "refusal",

  run(_intent, { changesOffset, facts }) {
    if (!changesOffset) return pass;
    return isThere({ called: "ops topic", name: settingsIn(facts).opsTopic, seen: facts.opsTopic });
  },
};
