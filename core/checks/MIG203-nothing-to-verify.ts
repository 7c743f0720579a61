import { type Check, fail, pass } from "./check.ts";

/** What is compared is said in the plan file: a reviewer decides on it. */
export const nothingToVerify: Check<"Verification"> = {
  code: "MIG203",
  title: "The plan file names nothing to verify",
  problem: "A verification of no table would pass, and prove nothing.",
  remedy: "Name the tables, and the legacy connector's topic of each, in `spec.verify`.",
  grade: "refusal",

  run({ verify }) {
    return verify === undefined ? fail({ seen: "spec.verify is missing", at: "spec" }) : pass;
  },
};
