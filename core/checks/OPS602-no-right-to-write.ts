import type { ConnectorKind } from "../document/intent.ts";
import { type Check, pass } from "./check.ts";
import { mayBeWritten } from "./topic.ts";

/** Found while planning, as far as the protocol tells. */
export const noRightToWrite: Check<ConnectorKind> = {
  code: "OPS602",
  title: "This login may not write to the ops topic",
  problem: "`apply` would stop the connector and then be unable to record the change.",
  remedy: "Allow WRITE on the ops topic for this login (kafka-acls).",
  grade: "refusal",
  unknown: "advisory",

  run(_intent, { changesOffset, facts: { opsTopic, connector } }) {
    return changesOffset ? mayBeWritten({ called: "ops topic", name: connector.opsTopic, seen: opsTopic }) : pass;
  },
};
