import { isStopped } from "../facts/connector/connector.ts";
import { sameOffsets } from "../facts/offset/stored-offset.ts";
import { type Check, fail, pass, unknown } from "./check.ts";

/**
 * That it goes on where it stopped is what makes the way back safe, and the journal of the cutover has where that was.
 *
 * Rule: specification, "Start, verification and rollback": its offset is unchanged.
 */
export const legacyOffsetsChanged: Check<"Return"> = {
  code: "MIG303",
  title: "The legacy connector's offsets are not those it stopped with",
  problem: "Somebody has moved them since the cutover: it would skip commits, or deliver some once more.",
  remedy: "Compare them with the run's journal (`cdcctl show RUN`), and put them back while it is stopped.",
  grade: "acceptable",
  unknown: "advisory",

  run(_intent, { facts: { legacy, cutover } }) {
    if (!cutover.known)
      return unknown(`with which offsets ${legacy.name} stopped can't be seen: ${cutover.why}`, cutover.remedy);
    if (cutover.value === undefined)
      return {
        ...unknown(
          `no journal of the cutover is on this machine: whether the offsets of ${legacy.name} are those that it ` +
            "stopped with can't be told",
        ),
        remedies: ["Look on the machine that carried out the cutover (--state)."],
      };
    const { run, at, offsets } = cutover.value;
    if (sameOffsets(offsets, legacy.offsets)) return pass;
    if (!isStopped(legacy.status))
      return {
        ...unknown(
          `${legacy.name} is ${legacy.status.state}, and its offsets have moved since it stopped in run ${run} ` +
            `(${at}): whether it went on from there can't be told`,
        ),
        remedies: [],
      };
    return fail({ seen: `the offsets of ${legacy.name} are not those with which it stopped in run ${run} (${at})` });
  },
};
