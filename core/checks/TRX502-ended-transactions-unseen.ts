import type { ConnectorKind } from "../document/intent.ts";
import { type Check, fail, pass } from "./check.ts";

/**
 * What was open at the target and has ended since is in no view any more. A snapshot taken now holds it: of a
 * resnapshot, only the tables that are not snapshotted are concerned.
 *
 * Rule: reference: Oracle, "Torn transactions".
 */
export const endedTransactionsUnseen: Check<ConnectorKind> = {
  code: "TRX502",
  title: "Transactions that have ended since can't be seen",
  problem: "Of those that were open at the target, the part before it is lost too.",
  remedy: "Choose a target at a quiet moment; of a Resnapshot, name every table that may be concerned.",
  grade: "advisory",

  run(_intent, reading) {
    const { tears, move } = reading;
    if (!tears || move === undefined) return pass;
    const ended = `transactions that were open at ${move.to} and have ended since can't be seen`;
    if (!("unlisted" in reading)) {
      return fail({
        seen: `${ended}; they are torn as well`,
        remedies: ["Choose a target at a quiet moment."],
      });
    }
    if (reading.unlisted.length === 0) return pass;
    return fail({
      seen:
        `${ended}; in the ` +
        `${reading.unlisted.length === 1 ? "unlisted table" : `${reading.unlisted.length} unlisted tables`} they ` +
        "are torn, in the named ones the snapshot holds them",
      remedies: ["Name every captured table that such a transaction may have touched."],
    });
  },
};
