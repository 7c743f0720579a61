import type { ConnectorKind } from "../document/intent.ts";
import { type Check, pass } from "./check.ts";
import { settingsIn } from "./settings.ts";
import { mayBeWritten } from "./topic.ts";

/** Found while planning, as far as the protocol tells. */
export const noRightToWrite: Check<ConnectorKind | "Return"> = {
  code: "OPS602",
  title: "This login may not write to the ops topic",
  problem: "`apply` would stop the connector and then be unable to record the change.",
  remedy: "Allow WRITE on the ops topic for this login (kafka-acls).",
  grade: "refusal",
  unknown: "advisory",

  run(_intent, { changesOffset, facts }) {
    if (!changesOffset) return pass;
    return mayBeWritten({ called: "ops topic", name: settingsIn(facts).opsTopic, seen: facts.opsTopic });
  },
};
