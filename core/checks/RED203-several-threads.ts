import type { ConnectorKind } from "../document/intent.ts";
import { mapObserved } from "../facts/observed.ts";
import { type Check, fail, pass, unknown } from "./check.ts";

/** The connector supports one enabled redo thread; continuity is checked for each all the same. */
export const severalThreads: Check<ConnectorKind | "Cutover"> = {
  code: "RED203",
  title: "More than one redo thread is enabled",
  problem: "Clustered databases are not supported by the connector.",
  remedy: "Mine one thread's database, or ask the connector's vendor.",
  grade: "advisory",

  run(_intent, { facts }) {
    const threads = mapObserved(facts.redo, (catalogue) =>
      catalogue.threads.filter(({ enabled }) => enabled !== "DISABLED"),
    );
    if (!threads.known) return unknown(`the redo threads can't be seen: ${threads.why}`, threads.remedy);
    if (threads.value.length < 2) return pass;
    return fail({
      seen: `${threads.value.length} redo threads are enabled (${threads.value.map(({ thread }) => thread).join(", ")})`,
    });
  },
};
