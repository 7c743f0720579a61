import { isStopped } from "../facts/connector/connector.ts";
import { type Check, fail, pass } from "./check.ts";
import { standingOf } from "./standing.ts";

/** One that is not STOPPED was not left behind by a cutover: somebody still uses it. */
export const legacyStillWorks: Check<"Retirement"> = {
  code: "MIG407",
  title: "The legacy connector to be retired is not STOPPED",
  problem: "It still delivers, or may: somebody may have gone back to it, and would lose it.",
  remedy: "Find out who uses it; carry out the cutover (`phase: cutover`), which stops it.",
  grade: "refusal",

  run(_intent, { facts: { legacy } }) {
    return legacy === undefined || isStopped(legacy.status) ? pass : fail({ seen: standingOf(legacy) });
  },
};
