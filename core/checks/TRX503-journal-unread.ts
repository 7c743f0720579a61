import { type Check, pass, unknown } from "./check.ts";

/** Long transactions are kept in the transaction journal; without it, only those that the database still lists are known. */
export const journalUnread: Check<"OffsetChange"> = {
  code: "TRX503",
  title: "The transaction journal was not read",
  problem: "A journaled transaction that would be torn may not be named.",
  remedy: "Give access to the journal topic (--command-config).",
  grade: "advisory",

  run({ position }, { move, journaledKnown }) {
    if (position.to === "restore") return pass;
    if (move?.direction !== "forward" && move?.direction !== "initial") return pass;
    return journaledKnown.known
      ? pass
      : unknown(`the transaction journal was not read: ${journaledKnown.why}`, journaledKnown.remedy);
  },
};
