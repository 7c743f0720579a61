import { connectVersion, isAtLeast } from "../facts/connector/connect-version.ts";
import { type Check, fail, pass, unknown } from "./check.ts";

/**
 * The way back deletes the new connector's offsets before the connector, and that is possible since Kafka Connect 3.6:
 * a cutover of 3.5 workers has to be gone back from by hand.
 */
export const noWayBackByRest: Check<"Cutover"> = {
  code: "MIG115",
  title: "These workers can't delete offsets: the way back is not whole",
  problem:
    "A rollback deletes what the new connector has stored, and refuses where the workers can't. Left there, a " +
    "second cutover under the name would resume from it.",
  remedy:
    "Upgrade the workers to 3.6 or later before the cutover; else the way back is by hand: delete the new " +
    "connector, resume the legacy one, and cut over under another name next time.",
  grade: "advisory",

  run(_intent, { facts: { worker } }) {
    const version = connectVersion(worker.version);
    if (version === undefined)
      return unknown(`the worker calls its version ${worker.version}: whether it can delete offsets is not known`);
    if (isAtLeast(version, 3, 6)) return pass;
    return fail({ seen: `the worker at ${worker.url} is Kafka Connect ${worker.version}, which can't delete offsets` });
  },
};
