import { startsAtCurrent } from "../legacy/stored-start.ts";
import { type Check, fail, pass } from "./check.ts";

/** It does not continue from its stored offsets, which is what makes the way back safe. */
export const legacyStartsAtCurrent: Check<"Return"> = {
  code: "MIG307",
  title: "The legacy connector would start at the current SCN",
  problem:
    "It ignores its stored offsets: every commit from where it stopped to its start would be missing in its topics.",
  remedy: "Set start.from of the legacy connector to snapshot while it is stopped, then plan again.",
  grade: "refusal",

  run(_intent, { facts: { legacy } }) {
    return startsAtCurrent(legacy.config)
      ? fail({
          seen: `start.from of ${legacy.name} is force_current: it would skip what was committed since it stopped`,
        })
      : pass;
  },
};
