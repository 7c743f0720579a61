import { startsAtCurrent } from "../legacy/stored-start.ts";
import { type Check, fail, pass } from "./check.ts";

/** A rollback resumes the legacy connector, which then starts at the current SCN (MIG307). */
export const noWayBackWithoutAGap: Check<"Cutover"> = {
  code: "MIG118",
  title: "The cutover can't be rolled back as it stands",
  problem:
    "With start.from=force_current the legacy connector ignores its stored offsets at every start: a rollback " +
    "would skip what was committed since the stop.",
  remedy: "Set start.from of the legacy connector to snapshot before the cutover; its stored offsets then decide.",
  grade: "advisory",

  run(_intent, { facts: { legacy } }) {
    return startsAtCurrent(legacy.config)
      ? fail({
          seen: `start.from of ${legacy.name} is force_current: a rollback is refused (MIG307) until that is changed`,
        })
      : pass;
  },
};
