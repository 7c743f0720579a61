import { type Check, pass, unknown } from "./check.ts";

/**
 * Offsets outlive their connector, and one that is made again under its name resumes from them: `cdc.start.scn` is ignored then. Connect shows no
 * offsets of a connector that is not there, so that a plan can't tell; `create-connector` looks, and refuses by this code.
 *
 * Rule: reference: Kafka Connect, "Seen on real workers".
 */
export const offsetsOfEarlierConnector: Check<"Cutover"> = {
  code: "MIG107",
  title: "Offsets of an earlier connector of the new name may be stored",
  problem: "The new connector would resume from them, and ignore where the legacy one stood: commits would be skipped.",
  remedy:
    "Choose a name that no connector has had here; or delete them: create a connector of the name STOPPED, DELETE its offsets, then it.",
  grade: "acceptable",
  unknown: "advisory",

  run({ to, accept }, { createdStopped, facts: { next, worker } }) {
    // One that is there is refused for that.
    if (next !== undefined) return pass;
    const hidden = `offsets that an earlier ${to.name} has left can be seen only when it is there again`;
    if (accept.includes("MIG107"))
      return {
        ...unknown(`${hidden}: it resumes from them where there are any, as spec.accept has it`),
        at: "spec.accept",
      };
    return {
      ...unknown(
        createdStopped
          ? `${hidden}: apply creates it STOPPED, looks before it runs, and takes it back where there are any`
          : `${hidden}: apply looks as soon as it is created, and takes it back where there are any; Kafka Connect ${worker.version} can't create it STOPPED (3.7 can), so that it may run for a moment`,
      ),
      remedies: [],
    };
  },
};
