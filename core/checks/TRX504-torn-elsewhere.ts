import { type Check, fail, pass } from "./check.ts";

/**
 * Rule: reference: Oracle, "Torn transactions".
 */
export const tornElsewhere: Check<"Resnapshot"> = {
  code: "TRX504",
  title: "Waiting clears the named tables only",
  problem:
    "What is snapshotted after a transaction has ended holds all of it; in the unlisted tables its part before the new position is lost.",
  remedy: "Name every captured table that such a transaction may touch.",
  grade: "advisory",

  run({ waitForTransactions }, { tears, torn, unlisted }) {
    if (waitForTransactions === undefined || !tears || !torn.known || torn.value.length === 0) return pass;
    return fail({
      seen: `${torn.value.length} ${torn.value.length === 1 ? "transaction is" : "transactions are"} waited for${unlisted.length === 0 ? "" : `; in the ${unlisted.length === 1 ? "unlisted table" : `${unlisted.length} unlisted tables`} they stay torn`}`,
    });
  },
};
