import { sameOffset } from "../facts/offset/stored-offset.ts";
import { type Check, fail, pass } from "./check.ts";

/**
 * An old offset brought back after the connector has run carries an old last commit and an old journal generation:
 * delivered transactions come twice, and the journal's chunks are dropped as stale.
 */
export const offsetMovedOn: Check<"OffsetChange"> = {
  code: "OFF111",
  title: "The offset is no longer the one that the run stored",
  problem: "Bringing the old one back exactly would repeat delivered transactions and drop journaled ones.",
  remedy: "Move the resume SCN back instead: `cdcctl rollback` offers that as an offset change.",
  grade: "refusal",

  run({ position }, { facts: { connector } }) {
    if (position.to !== "restore") return pass;
    if (
      connector.offsets.some(
        ({ offset }) => sameOffset(offset, position.replacing) || sameOffset(offset, position.offset),
      )
    )
      return pass;
    return fail({
      seen:
        `the stored offset is not the one that run ${position.run} left: the connector, or somebody, has stored ` +
        "another since",
    });
  },
};
