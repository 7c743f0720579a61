import { type Check, fail, fine, unknown } from "./check.ts";

/**
 * The connector mines one redo thread. RED203 only warns of several, because a connector that a plan changes runs
 * already.
 *
 * Rule: reference: Oracle, "Preflight rules".
 */
export const notOneRedoThread: Check<"Preflight"> = {
  code: "RED204",
  title: "Not exactly one redo thread is enabled",
  problem: "Clustered databases are not supported by the connector: the changes of the other threads would be missing.",
  remedy: "Capture from a database with one enabled thread, or ask the connector's vendor.",
  grade: "refusal",

  run(_intent, { facts: { threads } }) {
    if (!threads.known) return unknown(threads.why, threads.remedy);
    const enabled = threads.value.filter((one) => one.enabled !== "DISABLED");
    const [only] = enabled;
    if (only === undefined) return fail({ seen: "no redo thread is enabled" });
    if (enabled.length === 1) return fine(`redo thread ${only.thread} is enabled, and no other`);
    return fail({
      seen: `${enabled.length} redo threads are enabled: ${enabled.map(({ thread }) => thread).join(", ")}`,
    });
  },
};
