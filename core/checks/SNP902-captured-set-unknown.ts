import { type Check, pass, unknown } from "./check.ts";

/**
 * A pattern without an exact meaning here, or a container that shows no tables, makes the captured set unknown.
 *
 * Rule: reference: connector settings, on Java regular expressions.
 */
export const capturedSetUnknown: Check<"Resnapshot"> = {
  code: "SNP902",
  title: "Which tables are captured is not known",
  problem: "Tables that lose changes could not be named; a guess would be one about lost data.",
  remedy: "See what can't be told, and give what is missing: a right, an open container, a simpler pattern.",
  grade: "refusal",

  run(_intent, { captured }) {
    if (captured.known) return pass;
    const seen = unknown(`which tables are captured can't be told: ${captured.why}`);
    return captured.remedies.length === 0 ? seen : { ...seen, remedies: captured.remedies };
  },
};
