import { type Check, fail, pass } from "./check.ts";

/**
 * What is snapshotted after a transaction has ended holds all of it. That helps the named tables, and no others.
 *
 * Rule: reference: Oracle, "Torn transactions".
 */
export const tornElsewhere: Check<"Resnapshot"> = {
  code: "TRX504",
  title: "Waiting for transactions clears the named tables only",
  problem:
    "What is snapshotted after a transaction has ended holds all of it; in the unlisted tables its part before " +
    "the new position is lost.",
  remedy: "Name every captured table that such a transaction may have touched.",
  grade: "advisory",

  run({ waitForTransactions }, { tears, torn, move, unlisted }) {
    if (waitForTransactions === undefined || !tears || move === undefined || unlisted.length === 0) return pass;
    if (!torn.known || torn.value.length === 0) return pass;
    const named = torn.value.slice(0, 5).map(({ xid, user }) => `${xid}${user === undefined ? "" : ` (${user})`}`);
    return fail({
      seen:
        `${torn.value.length} open ${torn.value.length === 1 ? "transaction" : "transactions"} that began before ` +
        `${move.to} ${torn.value.length === 1 ? "is" : "are"} waited for; in the ` +
        `${unlisted.length === 1 ? "unlisted table" : `${unlisted.length} unlisted tables`} torn all the same: ` +
        `${named.join(", ")}${torn.value.length > 5 ? ", …" : ""}`,
    });
  },
};
