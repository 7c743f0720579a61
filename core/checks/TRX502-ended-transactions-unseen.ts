import type { ConnectorKind } from "../document/intent.ts";
import { type Check, fail, pass } from "./check.ts";

/** What was open at the target and has ended since is in no view any more. */
export const endedTransactionsUnseen: Check<ConnectorKind> = {
  code: "TRX502",
  title: "Transactions that have ended since can't be seen",
  problem: "Of those that were open at the target, the part before it is lost too.",
  remedy: "Choose a target at a quiet moment.",
  grade: "advisory",

  run(_intent, { tears, move }) {
    if (!tears || move === undefined) return pass;
    return fail({
      seen: `transactions that were open at ${move.to} and have ended since can't be seen; they are torn as well`,
    });
  },
};
