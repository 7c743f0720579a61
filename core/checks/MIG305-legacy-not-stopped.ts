import { isStopped } from "../facts/connector/connector.ts";
import { type Check, fail, pass } from "./check.ts";
import { standingOf } from "./standing.ts";

/** After a cutover it is STOPPED; somebody has resumed it by hand, or an operator such as Strimzi has. */
export const legacyNotStopped: Check<"Return"> = {
  code: "MIG305",
  title: "The legacy connector is not STOPPED",
  problem: "Somebody has started it already: both connectors may deliver at the same time.",
  remedy: "Find out who; the way back deletes the new connector all the same, and leaves one that runs as it is.",
  grade: "advisory",

  run(_intent, { facts: { legacy } }) {
    return isStopped(legacy.status) ? pass : fail({ seen: standingOf(legacy) });
  },
};
