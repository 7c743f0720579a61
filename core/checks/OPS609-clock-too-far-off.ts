import type { ConnectorKind } from "../document/intent.ts";
import { type Check, pass } from "./check.ts";
import { settingsIn } from "./settings.ts";
import { isInTime } from "./topic.ts";

/** A record is dated by the clock of the machine that writes it, unless its topic has the broker do that. */
export const clockTooFarOff: Check<ConnectorKind | "Return"> = {
  code: "OPS609",
  title: "This machine's clock is too far off for the ops topic",
  problem: "`apply` would stop the connector and then be unable to record the change (INVALID_TIMESTAMP).",
  remedy:
    "Correct this machine's clock, or raise message.timestamp.before.max.ms and message.timestamp.after.max.ms " +
    "of the topic.",
  grade: "acceptable",
  unknown: "advisory",

  run(_intent, { changesOffset, facts }) {
    if (!changesOffset) return pass;
    const { opsTopic: name } = settingsIn(facts);
    return isInTime({ called: "ops topic", name, seen: facts.opsTopic }, facts.opsHistory);
  },
};
