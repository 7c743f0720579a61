import { type Check, fail, pass } from "./check.ts";

/** A connector of the name is somebody's, or that of an earlier cutover: it is never overwritten. */
export const newNameTaken: Check<"Cutover"> = {
  code: "MIG105",
  title: "There is a connector of the new name already",
  problem: "It would be overwritten, and it has an offset of its own, from which it would go on.",
  remedy: "Choose another name, or go back first where it is that of an earlier cutover (`phase: rollback`).",
  grade: "refusal",

  run({ from, to }, { facts: { next } }) {
    if (next === undefined) return pass;
    return fail({
      seen:
        `the workers have a connector ${to.name} already: a ${next.connectorClass ?? "connector without a class"}, ` +
        `${next.status.state}`,
      remedies: [
        "Choose another name:  spec.to.name",
        ...(to.name === from.connector
          ? []
          : ["If it is that of an earlier cutover, go back first:  spec.phase: rollback"]),
      ],
      at: "spec.to.name",
    });
  },
};
