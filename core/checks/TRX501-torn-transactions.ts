import type { ConnectorKind } from "../document/intent.ts";
import type { TornTransaction } from "../facts/transactions.ts";
import { type Check, fail, pass, unknown } from "./check.ts";

/**
 * What is not lost of those that the journal knows; empty where it knows none. Without a stored offset the task drops
 * what it finds there.
 */
function restoredPart(torn: readonly TornTransaction[]): string {
  const journaled = torn.filter(({ seenIn }) => seenIn !== "GV$TRANSACTION").length;
  if (journaled === 0) return "";
  return (
    `; what the journal holds of ${torn.length === 1 ? "it" : `${journaled} of them`} is restored, only changes ` +
    "after that and before the target are lost"
  );
}

/** Waiting helps the tables that are snapshotted afterwards. */
const RESNAPSHOT = [
  "Let cdcctl wait for their end, so that the snapshot holds all of them:  spec.waitForTransactions: 10m",
  "Or accept that they are torn:  spec.accept: [TRX501]",
];

/** `admin` has neither of the two. */
const ADMIN = ["To keep them whole, wait until they have ended, then run the command again."];

/**
 * Of a transaction that was open at the target and commits later, the part before the target is lost while the rest is
 * delivered. What the transaction journal holds of it is restored at the next start (reference: wire formats,
 * "Transaction journal"), and is not lost.
 *
 * Rule: reference: Oracle, "Torn transactions".
 */
export const tornTransactions: Check<ConnectorKind> = {
  code: "TRX501",
  title: "Open transactions would be torn",
  problem:
    "Their changes before the target are lost unless the journal holds them, those after it are delivered: " +
    "consumers see half a transaction.",
  remedy:
    "Wait until they have ended (a Resnapshot can: spec.waitForTransactions), or accept it: spec.accept: [TRX501].",
  grade: "acceptable",

  run(intent, { torn, tears, move }) {
    if (!tears || move === undefined) return pass;
    // They are waited for then, before anything is done: see TRX504.
    if (intent.kind === "Resnapshot" && intent.waitForTransactions !== undefined && torn.known) return pass;
    if (!torn.known) return unknown(`open transactions can't be seen: ${torn.why}`, torn.remedy);
    if (torn.value.length === 0) return pass;
    const named = torn.value
      .slice(0, 10)
      .map(
        ({ xid, startScn, user, seenIn }) =>
          `${xid}${user === undefined ? "" : ` (${user})`} from ` +
          `${startScn}${seenIn === "GV$TRANSACTION" ? "" : ", journaled"}`,
      );
    return fail({
      seen:
        `${torn.value.length} open ${torn.value.length === 1 ? "transaction" : "transactions"} began before ` +
        `${move.to}: ` +
        `${named.join(", ")}${torn.value.length > 10 ? ", …" : ""}${move.from === undefined ? "" : restoredPart(torn.value)}`,
      ...(intent.origin.by === "admin"
        ? { remedies: ADMIN }
        : intent.kind === "Resnapshot"
          ? { remedies: RESNAPSHOT }
          : {}),
      at: "spec.accept",
    });
  },
};
