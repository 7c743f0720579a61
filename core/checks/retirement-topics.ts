import type { MigrationIntent } from "../document/intent.ts";
import type { Rerouting } from "../facts/connector/plugins.ts";
import type { Observed } from "../facts/observed.ts";
import type { ConsumerGroupSeen } from "../facts/ops/topic.ts";
import type { CapturedTable } from "../facts/tables/tables.ts";
import { type LegacyTopic, LICENCE_TOPIC, type SharedTopics } from "../kinds/migration/topics.ts";
import type { RetirementFacts } from "../kinds/retirement/facts.ts";
import { licenceTopicOf } from "../legacy/written-topics.ts";
import { type Check, fail, pass, unknown } from "./check.ts";
import { listed, sentences } from "./listed.ts";

/**
 * Consumers are pointed at the new topics before the old ones go.
 *
 * Rule: specification, "Start, verification and rollback", retirement.
 */
export const consumersActive: Check<
  unknown,
  { readonly topics: Observed<readonly LegacyTopic[]>; readonly facts: Pick<RetirementFacts, "groups"> }
> = {
  code: "MIG405",
  title: "Consumers read topics that would be deleted",
  problem: "They would lose what they have not read yet, or fail, or create the topic anew and wait for ever.",
  remedy: "Point them at the new topics, and stop those that read the old ones.",
  grade: "refusal",

  run(_intent, { topics, facts: { groups } }) {
    if (!topics.known) return unknown(`which topics would be deleted can't be told: ${topics.why}`, topics.remedies);
    if (topics.value.length === 0) return pass;
    if (!groups.known) return unknown(`who reads them can't be seen: ${groups.why}`, groups.remedies);
    const deleted = new Set(topics.value.map(({ topic }) => topic));
    const active = groups.value.flatMap((group) => {
      const on = group.active.filter((topic) => deleted.has(topic));
      return on.length === 0 ? [] : [{ ...group, on }];
    });
    if (active.length > 0)
      return fail({ seen: sentences(active.map(({ group, state, on }) => `${group} (${state}) reads ${listed(on)}`)) });
    const unclear = groups.value.filter(({ unclear: why }) => why !== undefined);
    return unclear.length === 0 ? pass : unknown(sentences(unclear.map(unclearGroup)));
  },
};

function unclearGroup({ group, state, unclear }: ConsumerGroupSeen): string {
  return `what ${group} (${state}) reads can't be told: ${unclear}`;
}

/**
 * Legacy connectors share a licence topic unless they were told otherwise.
 *
 * Rule: specification, "Start, verification and rollback", retirement: if unused by any other legacy connector.
 */
export const licenceTopicInUse: Check<
  Pick<MigrationIntent, "deleteLicenceTopic">,
  { readonly facts: Pick<RetirementFacts, "legacy" | "others"> }
> = {
  code: "MIG408",
  title: "Another legacy connector uses the licence topic",
  problem: "Without its licence topic that connector fails when it is started the next time.",
  remedy: "Leave `spec.deleteLicenceTopic` out.",
  grade: "refusal",

  run({ deleteLicenceTopic }, { facts: { legacy, others } }) {
    if (!deleteLicenceTopic || legacy === undefined) return pass;
    if (!others.known) return unknown(`which other connectors there are can't be seen: ${others.why}`, others.remedies);
    const topic = licenceTopicOf(legacy.config);
    const reference = (name: string | undefined) => name?.includes("${") ?? false;
    if (reference(topic)) return unknown(`the licence topic is ${topic}, a reference that only the worker resolves`);
    const users = others.value
      .filter(({ licenceTopic }) => licenceTopic === topic || reference(licenceTopic))
      .map(({ name }) => name);
    if (users.length === 0) return pass;
    return fail({
      seen: `${listed(users)} ${users.length === 1 ? "uses" : "use"} the licence topic ${topic} too, or may`,
      at: "spec.deleteLicenceTopic",
    });
  },
};

/**
 * A topic is deleted only when the plan file names it, or the legacy connector's own template leads to it and it is
 * there.
 */
export const legacyTopicNotFound: Check<
  unknown,
  { readonly topics: Observed<readonly LegacyTopic[]>; readonly withoutTopic: readonly CapturedTable[] }
> = {
  code: "MIG409",
  title: "Of a captured table no legacy topic was found",
  problem: "If there is one by another name, it stays.",
  remedy: "Name it in `spec.verify.legacyTopics`, or delete it by hand.",
  grade: "advisory",

  run(_intent, { topics, withoutTopic }) {
    if (!topics.known)
      return unknown(`which topics the legacy connector has can't be told: ${topics.why}`, topics.remedies);
    if (withoutTopic.length === 0) return pass;
    return fail({
      seen: `no topic of the legacy connector was found for ${listed(withoutTopic.map(({ fullName }) => fullName))}`,
      at: "spec.verify.legacyTopics",
    });
  },
};

/**
 * A name can lead to a topic of the new connector: by a slip in the plan file, or because prefix and template of the
 * two make the same one. A transformation such as RegexRouter, often there so that consumers keep the names they know,
 * can lead the new connector to any of them.
 */
export const topicSpared: Check<
  unknown,
  { readonly spared: readonly LegacyTopic[]; readonly reroutings: readonly Rerouting[] }
> = {
  code: "MIG410",
  title: "A legacy topic is the new connector's too, or may be",
  problem: "It is not deleted: the new connector writes to it, or may.",
  remedy:
    "Correct `spec.verify.legacyTopics`, if it is named there. Delete by hand what the new connector does not " +
    "write to.",
  grade: "advisory",

  run(_intent, { spared, reroutings }) {
    if (spared.length === 0) return pass;
    const through = reroutings.map(({ name, type }) => `${name} (${type ?? "of no type"})`);
    const why =
      through.length === 0
        ? "the new connector writes there"
        : `the new connector may write there, its records go through ${listed(through)}`;
    return fail({
      seen:
        `${listed(spared.map(({ topic, what }) => `${topic} (${what})`))} ` +
        `${spared.length === 1 ? "stays" : "stay"}: ${why}`,
    });
  },
};

/**
 * What is deleted can't be brought back, and a name in the plan file may be a slip of the pen: any topic of the brokers
 * has one. That a topic is a table's, the verification saw in its records. A topic that the legacy connector's own
 * template leads to needs nobody's word.
 */
export const topicNotVerified: Check<
  Pick<MigrationIntent, "verify">,
  { readonly topics: Observed<readonly LegacyTopic[]>; readonly facts: Pick<RetirementFacts, "evidence"> }
> = {
  code: "MIG411",
  title: "A topic that is named as a table's is not the one that was verified",
  problem: "It may be anybody's, and all that is in it would be deleted.",
  remedy:
    "Correct `spec.verify.legacyTopics`, or verify again with it. Delete a topic of a table that is not captured " +
    "by hand.",
  grade: "refusal",

  run({ verify }, { topics, facts: { evidence } }) {
    if (!evidence.known) return pass;
    const named = new Set(Object.values(verify?.legacyTopics ?? {}));
    if (named.size === 0) return pass;
    if (!topics.known) return unknown(`which topics would be deleted can't be told: ${topics.why}`, topics.remedies);
    const { file, tables } = evidence.value;
    const strange = topics.value.flatMap(({ topic, table, what }) => {
      if (!named.has(topic)) return [];
      const verified = tables.find((one) => one.table === table?.fullName);
      if (verified?.legacyTopic === topic) return [];
      const instead =
        verified === undefined
          ? `${file} has no such table`
          : verified.legacyTopic === undefined
            ? `${file} was written without one`
            : `${file} has ${verified.legacyTopic}`;
      return [`${topic} would be deleted (${what}), and ${instead}`];
    });
    return strange.length === 0 ? pass : fail({ seen: sentences(strange), at: "spec.verify.legacyTopics" });
  },
};

/**
 * Several legacy connectors can write to one topic: a template that does not name the table, one redo log topic for
 * all, the same tables captured twice. By a transformation such as RegexRouter another one can write to any.
 *
 * What may be somebody else's stays, and while it is not known who else is there, nothing is deleted at all. The
 * licence topic has a refusal of its own, MIG408.
 *
 * Rule: specification, "Start, verification and rollback", retirement: *its* table topics, *its* redo log topic.
 */
export const topicOfOtherLegacy: Check<
  unknown,
  {
    readonly topics: Observed<readonly LegacyTopic[]>;
    readonly spared: readonly LegacyTopic[];
    readonly shared: Observed<readonly SharedTopics[]>;
  }
> = {
  code: "MIG413",
  title: "A legacy topic is another legacy connector's too, or may be",
  problem: "It is not deleted: another legacy connector writes to it, or may, and would lose what it has written.",
  remedy: "Delete it by hand once no other connector writes to it.",
  grade: "advisory",
  unknown: "refusal",

  run(_intent, { topics, spared, shared }) {
    if (!topics.known) return unknown(`which topics would be deleted can't be told: ${topics.why}`, topics.remedies);
    if (!shared.known) {
      const concerned = [...topics.value, ...spared].some(({ what }) => what !== LICENCE_TOPIC);
      return concerned
        ? unknown(
            `which other connectors there are can't be seen: ${shared.why}`,
            shared.remedies ?? "Mend what keeps the worker from telling its connectors, then plan again.",
          )
        : pass;
    }
    if (shared.value.length === 0) return pass;
    return fail({
      seen: sentences(
        shared.value.map(({ connector, topics: on, through }) => {
          const stay = `${listed(on)} ${on.length === 1 ? "stays" : "stay"}`;
          return through.length === 0
            ? `${stay}: ${connector} writes there too, by its settings`
            : `${stay}: ${connector} may write there, its records go through ${listed(through)}`;
        }),
      ),
    });
  },
};

/**
 * The legacy connector writes LOB columns to topics of their own.
 *
 * Rule: specification, "Start, verification and rollback", retirement: it names table topics, redo log topic and
 * licence topic; reference: legacy properties, `lob.topic.name.template`.
 */
export const lobTopicsStay: Check<unknown, { readonly lobTopics: Observed<readonly string[]> | undefined }> = {
  code: "MIG414",
  title: "Topics of LOB columns stay",
  problem: "They are not deleted: nothing in them was verified, and what they hold may be nowhere else.",
  remedy: "Delete them by hand once nobody needs what they hold.",
  grade: "advisory",

  run(_intent, { lobTopics }) {
    if (lobTopics === undefined) return pass;
    if (!lobTopics.known)
      return unknown(`which topics hold LOB columns can't be told: ${lobTopics.why}`, lobTopics.remedies);
    if (lobTopics.value.length === 0) return pass;
    return fail({ seen: `${listed(lobTopics.value)} ${lobTopics.value.length === 1 ? "holds" : "hold"} LOB columns` });
  },
};
