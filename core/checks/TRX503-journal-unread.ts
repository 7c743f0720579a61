import type { ConnectorKind } from "../document/intent.ts";
import { type Check, pass, unknown } from "./check.ts";

/**
 * Long transactions are kept in the transaction journal; without it, only those that the database still lists are
 * known.
 */
export const journalUnread: Check<ConnectorKind> = {
  code: "TRX503",
  title: "The transaction journal was not read",
  problem: "A journaled transaction that would be torn may not be named.",
  remedy: "Give access to the journal topic (--command-config).",
  grade: "advisory",

  run(_intent, { tears, journaledKnown }) {
    if (!tears) return pass;
    return journaledKnown.known
      ? pass
      : unknown(`the transaction journal was not read: ${journaledKnown.why}`, journaledKnown.remedy);
  },
};
