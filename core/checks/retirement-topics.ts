import type { ConsumerGroupSeen, RetirementFacts } from "../../schemas/generated/facts.ts";
import type { MigrationIntent } from "../document/intent.ts";
import { readAs } from "../legacy/legacy-kind.ts";
import { LICENCE_TOPIC } from "../legacy/written-topics.ts";
import { othersUnknown } from "./access-remedies.ts";
import { type Check, type CheckIn, type CheckOf, fail, pass, unknown, unseen } from "./check.ts";
import { listed, sentences } from "./listed.ts";
import type { RetirementReading } from "./readings.ts";

/**
 * Consumers move to the new topics before the old ones are deleted.
 *
 * Rule: specification, "Start, verification and rollback", retirement.
 */
export const consumersActive: CheckIn<RetirementReading, "topics", "groups"> = {
  code: "MIG405",
  title: "Consumers read topics that would be deleted",
  problem: "They would lose what they have not read yet, fail, or recreate the topic and wait forever.",
  remedy: "Point them at the new topics, and stop those that read the old ones.",
  grade: "refusal",

  run(_intent, { topics, facts: { groups } }) {
    if (!topics.known) return unseen(topics, "which topics would be deleted is unknown");
    if (topics.value.length === 0) return pass;
    if (!groups.known) return unseen(groups, "which consumers read them is unknown");
    const deleted = new Set(topics.value.map(({ topic }) => topic));
    const active = groups.value.flatMap((group) => {
      const on = group.active.filter((topic) => deleted.has(topic));
      return on.length === 0 ? [] : [{ ...group, on }];
    });
    if (active.length > 0)
      return fail(sentences(active.map(({ group, state, on }) => `${group} (${state}) reads ${listed(on)}`)));
    const unclear = groups.value.filter(({ unclear: why }) => why !== undefined);
    return unclear.length === 0 ? pass : unknown(sentences(unclear.map(unclearGroup)));
  },
};

function unclearGroup({ group, state, unclear }: ConsumerGroupSeen): string {
  return `what ${group} (${state}) reads is unknown: ${unclear}`;
}

/**
 * Legacy connectors share a licence topic unless configured otherwise.
 *
 * Rule: specification, "Start, verification and rollback", retirement: if unused by any other legacy connector.
 */
export const licenceTopicInUse: CheckOf<
  RetirementFacts,
  "legacy" | "others",
  Pick<MigrationIntent, "deleteLicenceTopic">
> = {
  code: "MIG408",
  title: "Another legacy connector uses the licence topic",
  problem: "Without its licence topic, that connector fails at its next start.",
  remedy: "Leave `spec.deleteLicenceTopic` out.",
  grade: "refusal",

  run({ deleteLicenceTopic }, { facts: { legacy, others } }) {
    if (!deleteLicenceTopic || legacy === undefined) return pass;
    if (!others.known) return othersUnknown(others);
    const topic = readAs(legacy).topics.licenceTopic?.(legacy.config);
    if (topic === undefined) return fail(`${legacy.name} has no licence topic`, { at: "spec.deleteLicenceTopic" });
    const reference = (name: string | undefined) => name?.includes("${") ?? false;
    if (reference(topic)) return unknown(`the licence topic is ${topic}, a reference that only the worker resolves`);
    const users = others.value
      .filter(({ licenceTopic }) => licenceTopic === topic || reference(licenceTopic))
      .map(({ name }) => name);
    if (users.length === 0) return pass;
    return fail(`${listed(users)} ${users.length === 1 ? "uses" : "use"} the licence topic ${topic} too, or might`, {
      at: "spec.deleteLicenceTopic",
    });
  },
};

/**
 * A topic is deleted only when the plan file names it, or when it exists and results from the legacy connector's own
 * template.
 */
export const legacyTopicNotFound: Check<unknown, Pick<RetirementReading, "topics" | "withoutTopic">> = {
  code: "MIG409",
  title: "No single legacy topic was found for a captured table",
  problem: "A topic with another name would be kept, and so would all of several whose names could be its own.",
  remedy: "Name it in `spec.verify.legacyTopics`, or delete it manually.",
  grade: "advisory",

  run(_intent, { topics, withoutTopic }) {
    if (!topics.known) return unseen(topics, "which topics the legacy connector has is unknown");
    if (withoutTopic.length === 0) return pass;
    return fail(`no single legacy topic was found for ${listed(withoutTopic.map(({ fullName }) => fullName))}`, {
      at: "spec.verify.legacyTopics",
    });
  },
};

/**
 * A name can resolve to a topic of the new connector: by a mistake in the plan file, or because the new connector's
 * prefix and the legacy template produce the same name. A transformation such as RegexRouter, often used so that
 * consumers keep the names they know, can route the new connector to any topic.
 */
export const topicSpared: Check<unknown, Pick<RetirementReading, "spared" | "reroutings">> = {
  code: "MIG410",
  title: "The new connector may also write to a legacy topic",
  problem: "The topic is not deleted, because the new connector writes or may write to it.",
  remedy:
    "Correct `spec.verify.legacyTopics` if the topic is named there. Delete manually what the new connector does " +
    "not write to.",
  grade: "advisory",

  run(_intent, { spared, reroutings }) {
    if (spared.length === 0) return pass;
    const through = reroutings.map(({ name, type }) => `${name} (${type ?? "of no type"})`);
    const why =
      through.length === 0
        ? "the new connector writes there"
        : `the new connector may write there, its records go through ${listed(through)}`;
    return fail(
      `${listed(spared.map(({ topic, what }) => `${topic} (${what})`))} ` +
        `${spared.length === 1 ? "stays" : "stay"}: ${why}`,
    );
  },
};

/**
 * A deleted topic can't be restored, and a name in the plan file may be a mistake: it can be any topic of the brokers.
 * The verification saw in the records whether a topic belongs to the table. A topic that results from the legacy
 * connector's own template needs no such proof.
 */
export const topicNotVerified: CheckIn<RetirementReading, "topics", "evidence", Pick<MigrationIntent, "verify">> = {
  code: "MIG411",
  title: "A named legacy topic is not the verified one",
  problem: "It may belong to another application, and all its records would be deleted.",
  remedy:
    "Correct `spec.verify.legacyTopics`, or verify again with it. Delete the topic of a table that is not " +
    "captured manually.",
  grade: "refusal",

  run({ verify }, { topics, facts: { evidence } }) {
    if (!evidence.known) return pass;
    const named = new Set(Object.values(verify?.legacyTopics ?? {}));
    if (named.size === 0) return pass;
    if (!topics.known) return unseen(topics, "which topics would be deleted is unknown");
    const { file, tables } = evidence.value;
    const strange = topics.value.flatMap(({ topic, table, what }) => {
      if (!named.has(topic)) return [];
      const verified = tables.find((one) => one.table === table?.fullName);
      if (verified?.legacyTopic === topic) return [];
      const instead =
        verified === undefined
          ? `${file} does not have this table`
          : verified.legacyTopic === undefined
            ? `${file} was written without a legacy topic`
            : `${file} has ${verified.legacyTopic}`;
      return [`${topic} would be deleted (${what}), and ${instead}`];
    });
    return strange.length === 0 ? pass : fail(sentences(strange), { at: "spec.verify.legacyTopics" });
  },
};

/**
 * Several connectors can write to one topic: a template that does not name the table, one redo log topic for all, the
 * same tables captured twice, names that differ only where Kafka allows no such character. With a transformation such
 * as RegexRouter, another connector can write to any topic.
 *
 * A topic that may belong to another connector is kept, and while the other connectors are unknown, nothing is deleted.
 * The licence topic has its own refusal, MIG408.
 *
 * Rule: specification, "Start, verification and rollback", retirement: *its* table topics, *its* redo log topic.
 */
export const topicOfOtherLegacy: Check<unknown, Pick<RetirementReading, "topics" | "spared" | "shared">> = {
  code: "MIG413",
  title: "Another connector may use a legacy topic",
  problem: "The topic is not deleted, because another connector writes or may write to it and would lose its records.",
  remedy: "Delete it manually once no other connector writes to it.",
  grade: "advisory",
  unknown: "refusal",

  run(_intent, { topics, spared, shared }) {
    if (!topics.known) return unseen(topics, "which topics would be deleted is unknown");
    if (!shared.known) {
      const concerned = [...topics.value, ...spared].some(({ what }) => what !== LICENCE_TOPIC);
      return concerned ? othersUnknown(shared) : pass;
    }
    if (shared.value.length === 0) return pass;
    return fail(
      sentences(
        shared.value.map(({ connector, topics: on, through }) => {
          const stay = `${listed(on)} ${on.length === 1 ? "stays" : "stay"}`;
          return through.length === 0
            ? `${stay}: ${connector} writes or may write there, by its settings`
            : `${stay}: ${connector} may write there, its records go through ${listed(through)}`;
        }),
      ),
    );
  },
};

/**
 * The legacy connector writes LOB columns to separate topics.
 *
 * Rule: specification, "Start, verification and rollback", retirement: it names table topics, redo log topic and
 * licence topic; reference: legacy properties, `lob.topic.name.template`.
 */
export const lobTopicsStay: Check<unknown, Pick<RetirementReading, "lobTopics">> = {
  code: "MIG414",
  title: "Topics of LOB columns are kept",
  problem: "They are not deleted: they were not verified, and may hold the only copy of their data.",
  remedy: "Delete them manually once their data is no longer needed.",
  grade: "advisory",

  run(_intent, { lobTopics }) {
    if (lobTopics === undefined) return pass;
    if (!lobTopics.known) return unseen(lobTopics, "which topics hold LOB columns is unknown");
    if (lobTopics.value.length === 0) return pass;
    return fail(`${listed(lobTopics.value)} ${lobTopics.value.length === 1 ? "holds" : "hold"} LOB columns`);
  },
};
