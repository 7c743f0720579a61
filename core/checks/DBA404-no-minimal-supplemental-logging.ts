import { type Check, fail, fine, unknown } from "./check.ts";

/** Without minimal supplemental logging LogMiner can't put chained rows and row pieces together, and misses changes. */
export const noMinimalSupplementalLogging: Check<"Preflight"> = {
  code: "DBA404",
  title: "Minimal supplemental logging is off",
  problem:
    "The redo lacks what a miner needs to put rows together: changes are missed, and what was missed is in no log.",
  remedy: "Turn it on, once for the whole database: ALTER DATABASE ADD SUPPLEMENTAL LOG DATA.",
  grade: "refusal",

  run(_intent, { facts: { logging, database } }) {
    if (!logging.known) return unknown(logging.why, logging.remedy);
    const { minimal } = logging.value;
    const where = database.known && database.value.container ? ", in CDB$ROOT" : "";
    const seen = `SUPPLEMENTAL_LOG_DATA_MIN is ${minimal}`;
    return minimal === "YES" || minimal === "IMPLICIT"
      ? fine(seen)
      : fail({
          seen,
          remedies: [`Turn it on, once for the whole database${where}:  ALTER DATABASE ADD SUPPLEMENTAL LOG DATA;`],
        });
  },
};
