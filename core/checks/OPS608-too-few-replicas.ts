import type { ConnectorKind } from "../document/intent.ts";
import { opsKey } from "../facts/ops/ops-event.ts";
import { type Check, pass } from "./check.ts";
import { settingsIn } from "./settings.ts";
import { hasReplicas } from "./topic.ts";

/** Every event is acknowledged by all replicas in sync. */
export const tooFewReplicas: Check<ConnectorKind | "Return"> = {
  code: "OPS608",
  title: "Too few replicas of the ops topic are in sync",
  problem: "`apply` would stop the connector and then be unable to record the change (NOT_ENOUGH_REPLICAS).",
  remedy:
    "Bring the missing brokers back and wait until their replicas are in sync, or lower min.insync.replicas of " +
    "the topic.",
  grade: "refusal",
  unknown: "advisory",

  run(_intent, { changesOffset, facts, opsFormat }) {
    if (!changesOffset) return pass;
    const { opsTopic, prefix } = settingsIn(facts);
    const key = opsFormat === undefined ? undefined : opsKey(prefix, opsFormat);
    return hasReplicas({ called: "ops topic", name: opsTopic, seen: facts.opsTopic }, key);
  },
};
