import type { ConnectorKind } from "../document/intent.ts";
import { type Check, fail, pass, unknown } from "./check.ts";

/** Reading the ops topic back is bounded; what lies before is not known. */
export const historyCut: Check<ConnectorKind> = {
  code: "OPS604",
  title: "The ops topic was not read to its beginning",
  problem: "A change of this connector that lies further back would not be noticed.",
  remedy: "None is needed unless a change was left unfinished long ago.",
  grade: "advisory",

  run(_intent, { changesOffset, facts: { opsHistory, connector } }) {
    if (!changesOffset) return pass;
    if (!opsHistory.known) return unknown(`the ops topic could not be read: ${opsHistory.why}`, opsHistory.remedy);
    if (opsHistory.value.whole) return pass;
    return fail({ seen: `only the latest records of ${connector.opsTopic} were read` });
  },
};
