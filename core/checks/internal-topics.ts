import type { InternalTopic, PreflightFacts } from "../facts/preflight.ts";
import { shellLine } from "../values/shell-word.ts";
import { type Check, fail, fine, unseen, type Verdict } from "./check.ts";

type Topics = Pick<PreflightFacts, "internalTopics">;

const POLICY: { readonly [R in InternalTopic["role"]]: "compact" | "delete" } = {
  ops: "delete",
  signals: "delete",
  heartbeat: "delete",
  journal: "compact",
};

/**
 * The connector creates missing topics where it is allowed to. No broker reports a permission that covers only some
 * names.
 *
 * Rule: the connector's own preflight, DOC-17.
 */
export const internalTopicMissing: Check<
  unknown,
  { readonly facts: Topics & Pick<PreflightFacts, "mayCreateTopics"> }
> = {
  code: "OPS610",
  title: "Topics are missing, and the connector may not create them",
  problem: "Without them the task fails at its start, or its records are lost.",
  remedy: "Create them beforehand, or let the connector's login create topics (ACL operation CREATE).",
  grade: "advisory",

  run(_intent, { facts: { internalTopics, mayCreateTopics } }) {
    if (!internalTopics.known) return unseen(internalTopics);
    if (!mayCreateTopics.known) return unseen(mayCreateTopics);
    const missing = internalTopics.value.filter(({ seen }) => seen === "missing");
    const names = missing.map(({ name }) => name).join(", ");
    if (missing.length === 0) return fine("the topics for ops, signals, heartbeats and the transaction journal exist");
    if (mayCreateTopics.value === true) return fine(`${names}: missing, but this login may create topics`);
    return fail(
      `${names}: missing, and this login ` +
        (mayCreateTopics.value === false
          ? "may not create topics with arbitrary names"
          : "may or may not create topics (unknown)"),
      { remedies: missing.map(({ name, role }) => ({ text: "Create it", command: create(name, POLICY[role]) })) },
    );
  },
};

/**
 * Retention, or a cleanup policy other than compaction, deletes parts of open transactions from the journal.
 *
 * Rule: reference: wire formats, "Transaction journal"; the connector's own preflight, DOC-17.
 */
export const journalNotKept: Check<unknown, { readonly facts: Topics }> = {
  code: "OPS611",
  title: "The transaction journal is not compacted, or has a retention",
  problem: "A deleted chunk loses an open transaction, and stops the task at its next start (CDC-4002).",
  remedy: "Set cleanup.policy=compact on the journal's topic.",
  grade: "refusal",

  run(_intent, reading) {
    return overPolicies(reading, "journal", (name, policies, retention) => {
      const policy = policies.join(",");
      if (!policies.includes("compact"))
        return fail(`${name} has cleanup.policy=${policy}`, { remedies: [alter(name, "compact")] });
      if (policies.includes("delete") && retention >= 0n)
        return fail(`${name} has cleanup.policy=${policy} and retention.ms=${retention}: older chunks are deleted`, {
          remedies: [alter(name, "compact")],
        });
      return undefined;
    });
  },
};

/**
 * Events are not state: compaction keeps only the last one of each key.
 *
 * Rule: the connector's own preflight, DOC-17.
 */
export const eventsCompacted: Check<unknown, { readonly facts: Topics }> = {
  code: "OPS612",
  title: "Topics for ops events or signals are compacted",
  problem: "Only the last event of each connector is kept; its earlier history is lost.",
  remedy: "Set cleanup.policy=delete on the topic, with a retention that outlasts an audit.",
  grade: "advisory",

  run(_intent, reading) {
    const verdict = (role: "ops" | "signals"): Verdict =>
      overPolicies(reading, role, (name, policies) =>
        policies.includes("delete")
          ? undefined
          : fail(`${name} has cleanup.policy=${policies.join(",")}`, { remedies: [alter(name, "delete")] }),
      );
    const ops = verdict("ops");
    return ops.verdict === "pass" ? verdict("signals") : ops;
  },
};

/** Runs a rule over one topic's cleanup policy. @param rule returns what is wrong with it */
function overPolicies(
  { facts: { internalTopics } }: { readonly facts: Topics },
  role: InternalTopic["role"],
  rule: (name: string, policies: readonly string[], retentionMillis: bigint) => Verdict | undefined,
): Verdict {
  if (!internalTopics.known) return unseen(internalTopics);
  const topic = internalTopics.value.find((one) => one.role === role);
  if (topic === undefined) return fine(`the connector has no topic for ${role}`);
  if (topic.seen === "missing")
    return fine(`${topic.name}: not created yet; it will have cleanup.policy=${POLICY[role]}`);
  const { cleanupPolicy, retentionMillis } = topic.seen;
  if (!cleanupPolicy.known) return unseen(cleanupPolicy);
  if (!retentionMillis.known) return unseen(retentionMillis);
  const policies = cleanupPolicy.value.split(",").map((policy) => policy.trim());
  return (
    rule(topic.name, policies, retentionMillis.value) ?? fine(`${topic.name} has cleanup.policy=${cleanupPolicy.value}`)
  );
}

function create(name: string, policy: string): string {
  const topic = ["--create", "--topic", name, "--partitions", "1"];
  return shellLine("kafka-topics.sh", ...BROKERS, ...topic, "--config", `cleanup.policy=${policy}`);
}

function alter(name: string, policy: string) {
  const topic = ["--alter", "--entity-type", "topics", "--entity-name", name];
  return {
    text: "Change it",
    command: shellLine("kafka-configs.sh", ...BROKERS, ...topic, "--add-config", `cleanup.policy=${policy}`),
  };
}

const BROKERS = ["--bootstrap-server", "HOST:PORT"];
