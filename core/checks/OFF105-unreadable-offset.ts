import type { ConnectorKind } from "../document/intent.ts";
import { type Check, fail, pass } from "./check.ts";

/** Without a resume SCN and a ledger that can be read there is nothing to compare a target with. */
export const unreadableOffset: Check<ConnectorKind> = {
  code: "OFF105",
  title: "The stored offset can't be read",
  problem: "Neither the direction of the move nor what must be kept can be told.",
  remedy: "Look at it with `cdcctl admin offsets show --format json`; it may not be this connector's offset.",
  grade: "refusal",

  run(_intent, { stored }) {
    return stored.state === "unreadable" ? fail({ seen: `the stored offset can't be read: ${stored.problem}` }) : pass;
  },
};
