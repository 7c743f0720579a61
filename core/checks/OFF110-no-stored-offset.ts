import { type Check, fail, pass } from "./check.ts";

/**
 * Direction `initial`: the connector has stored nothing yet. With an offset it will not take its initial snapshot any
 * more.
 */
export const noStoredOffset: Check<"OffsetChange"> = {
  code: "OFF110",
  title: "No offset is stored yet",
  problem:
    "With a stored offset the connector resumes instead of starting: cdc.start.scn and cdc.snapshot.mode are not " +
    "used any more.",
  remedy:
    "Go on if the tables' present content is known downstream already; otherwise let the connector start by itself.",
  grade: "advisory",

  run(_intent, { stored, facts: { connector } }) {
    if (stored.state !== "none") return pass;
    return fail({
      seen:
        `${connector.name} has no stored offset; the first one is written, and its initial snapshot will not be ` +
        "taken",
    });
  },
};
