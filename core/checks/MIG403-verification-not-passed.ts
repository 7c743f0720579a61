import { type Check, fail, pass, unknown } from "./check.ts";
import { sentences } from "./listed.ts";

/** Inconclusive is not passed. And what a later verification found counts more than what an earlier one did not. */
export const verificationNotPassed: Check<"Retirement"> = {
  code: "MIG403",
  title: "The verification did not pass",
  problem: "Changes are missing in the new topics, or nobody can tell whether they are.",
  remedy: "Look at the keys (`cdcctl migrate verify --check-evidence FILE`), mend what is missing, verify again.",
  grade: "refusal",

  run(_intent, { facts: { evidence, verifications } }) {
    if (!evidence.known) return pass;
    const { file, tables, digest } = evidence.value;
    const wrong = tables.filter(({ outcome }) => outcome !== "pass");
    if (wrong.length > 0)
      return fail({
        seen:
          `${file}: ` +
          `${sentences(wrong.map(({ table, outcome }) => `${table} ${outcome === "fail" ? "failed" : "is inconclusive"}`))}`,
        at: "spec.evidence",
      });
    if (!verifications.known)
      return unknown(`the journals of this machine can't be read: ${verifications.why}`, verifications.remedy);
    const at = verifications.value.findLastIndex((verification) => verification.digest === digest);
    const later = at < 0 ? undefined : verifications.value.slice(at).find(({ passed }) => !passed);
    if (later === undefined) return pass;
    return fail({
      seen:
        `run ${later.run} (${later.at}) verified the two ` +
        `connectors${later.digest === digest ? "" : ` after ${file} was written`}, and did not pass`,
      at: "spec.evidence",
    });
  },
};
