import type { Check } from "./check.ts";
import { problemOf } from "./takeover-problem.ts";

/** Rule: legacy properties, "Stored offsets". */
export const noDatabasePartition: Check<"Cutover"> = {
  code: "MIG116",
  title: "No partition of the database is stored",
  problem:
    "The legacy connector stores where its own mining resumes for the database: without that, a commit that it " +
    "has not delivered can lie below the lowest SCN.",
  remedy:
    "Check `spec.from.connector`, and that it has delivered. Where that is how it stores its offsets: " +
    "`spec.accept: [MIG116]`.",
  grade: "acceptable",

  run(_intent, { takeover }) {
    return problemOf(takeover, ["LEG009"]);
  },
};
