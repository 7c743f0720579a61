import { type Check, fail, pass, unknown } from "./check.ts";

/**
 * Offsets outlive their connector, and one that is made again under its name resumes from them: `cdc.start.scn` is
 * ignored then. Connect shows no offsets of a connector that is not there.
 *
 * Rule: reference: Kafka Connect, "Seen on real workers".
 */
export const offsetsOfEarlierConnector: Check<"Cutover"> = {
  code: "MIG107",
  title: "Offsets of an earlier connector of the new name may be stored",
  problem: "The new connector would resume from them, and ignore where the legacy one stood: commits would be skipped.",
  remedy: "Choose a name that no connector has had here, or upgrade the workers to Kafka Connect 3.7.",
  grade: "acceptable",
  unknown: "advisory",

  run({ to, accept }, { createdStopped, facts: { next, worker } }) {
    // One that is there is refused for that.
    if (next !== undefined) return pass;
    if (createdStopped)
      return {
        ...unknown(
          `offsets that an earlier ${to.name} has left can be seen only when it is there again: apply creates it ` +
            "STOPPED, looks before it runs, and " +
            `${accept.includes("MIG107") ? "lets it resume from them where there are any, as spec.accept has it" : "takes it back where there are any"}`,
        ),
        remedies: [],
      };
    return fail({
      seen:
        `offsets that an earlier ${to.name} has left can't be seen, and Kafka Connect ${worker.version} can't ` +
        "create it STOPPED to look before it runs (3.7 can)",
      remedies: [
        "Choose a name that no connector has had here:  spec.to.name",
        "If none ever had this one:  spec.accept: [MIG107]; apply still looks as soon as it is created",
      ],
      at: "spec.to.name",
    });
  },
};
