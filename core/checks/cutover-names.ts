import type { MigrationIntent } from "../document/intent.ts";
import type { OtherConnector } from "../facts/migration-facts.ts";
import type { Observed } from "../facts/observed.ts";
import type { CutoverFacts } from "../kinds/cutover/facts.ts";
import { counted } from "../values/amounts.ts";
import { type Check, fail, pass, unknown } from "./check.ts";
import { TO_KNOW } from "./getting-to-know.ts";
import { listed } from "./listed.ts";

/** A connector of the name is somebody's, or that of an earlier cutover: it is never overwritten. */
export const newNameTaken: Check<
  Pick<MigrationIntent, "from" | "to">,
  { readonly facts: Pick<CutoverFacts, "next"> }
> = {
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
        { text: "Choose another name", setting: "spec.to.name" },
        ...(to.name === from.connector
          ? []
          : [{ text: "If it is that of an earlier cutover, go back first", setting: "spec.phase: rollback" }]),
      ],
      at: "spec.to.name",
    });
  },
};

/**
 * Offsets outlive their connector, and one that is made again under its name resumes from them: `cdc.start.scn` is
 * ignored then. Connect shows no offsets of a connector that is not there.
 *
 * Rule: reference: Kafka Connect, "Seen on real workers".
 */
export const offsetsOfEarlierConnector: Check<
  Pick<MigrationIntent, "to" | "accept">,
  { readonly createdStopped: boolean; readonly facts: Pick<CutoverFacts, "next" | "worker"> }
> = {
  code: "MIG107",
  title: "Offsets of an earlier connector of the new name may be stored",
  problem: "The new connector would resume from them, and ignore where the legacy one stood: commits would be skipped.",
  remedy: "Choose a name that no connector has had here, or upgrade the workers to Kafka Connect 3.7.",
  grade: "acceptable",
  unknown: "advisory",

  run({ to, accept }, { createdStopped, facts: { next, worker } }) {
    // One that is there is refused for that.
    if (next !== undefined) return pass;
    if (createdStopped)
      return {
        ...unknown(
          `offsets that an earlier ${to.name} has left can be seen only when it is there again: apply creates it ` +
            "STOPPED, looks before it runs, and " +
            `${accept.includes("MIG107") ? "lets it resume from them where there are any, as spec.accept has it" : "takes it back where there are any"}`,
        ),
        remedies: [],
      };
    return fail({
      seen:
        `offsets that an earlier ${to.name} has left can't be seen, and Kafka Connect ${worker.version} can't ` +
        "create it STOPPED to look before it runs (3.7 can)",
      remedies: [
        { text: "Choose a name that no connector has had here", setting: "spec.to.name" },
        {
          text: "If none ever had this one",
          setting: "spec.accept: [MIG107]; apply still looks as soon as it is created",
        },
      ],
      at: "spec.to.name",
    });
  },
};

/**
 * Topics of an earlier life hold its changes, its signals and its transaction journal. The ops topic only tells what
 * was done: it is no obstacle, and where topics are not created by themselves it has to be there before.
 */
export const prefixHasTopics: Check<
  unknown,
  { readonly prefixTopics: Observed<readonly string[]>; readonly facts: Pick<CutoverFacts, "settings"> }
> = {
  code: "MIG108",
  title: "Topics of the new prefix exist already",
  problem:
    "What they hold would be mixed with the new connector's changes; a journal or signals of an earlier " +
    "connector would be taken for its own.",
  remedy: "Choose another `spec.to.topicPrefix`, or delete the topics.",
  grade: "acceptable",

  run(_intent, { prefixTopics, facts: { settings } }) {
    if (!prefixTopics.known)
      return unknown(`which topics exist can't be seen: ${prefixTopics.why}`, prefixTopics.remedies ?? TO_KNOW.topics);
    const topics = prefixTopics.value;
    if (topics.length === 0) return pass;
    return fail({
      seen:
        `${counted(topics.length, "topic begins", "topics begin")} with ${settings.prefix}. ` +
        `already: ${listed(topics)}`,
      remedies: [
        { text: "Choose another prefix", setting: "spec.to.topicPrefix" },
        {
          text: "Delete them, if nobody reads them; or, if they were created for this connector and are empty",
          setting: "spec.accept: [MIG108]",
        },
      ],
      at: "spec.to.topicPrefix",
    });
  },
};

/**
 * The journal's keys begin with the prefix, and its topic is named by it.
 *
 * Rule: reference: connector settings, `cdc.topic.prefix`, `cdc.txjournal.topic`.
 */
export const prefixShared: Check<
  unknown,
  {
    readonly prefixUsers: Observed<readonly OtherConnector[]>;
    readonly facts: Pick<CutoverFacts, "others" | "settings">;
  }
> = {
  code: "MIG109",
  title: "Another connector uses the new prefix",
  problem: "The two would share topics and a transaction journal: each would restore the other's transactions.",
  remedy: "Choose another `spec.to.topicPrefix`.",
  grade: "acceptable",

  run(_intent, { prefixUsers, facts: { others, settings } }) {
    if (!prefixUsers.known || !others.known) {
      const { why, remedies } = prefixUsers.known ? { why: "", remedies: undefined } : prefixUsers;
      return unknown(`which other connectors there are can't be seen: ${why}`, remedies ?? TO_KNOW.connectors);
    }
    const users = prefixUsers.value.map(({ name }) => name);
    if (users.length > 0)
      return fail({
        seen: `${listed(users)} ${users.length === 1 ? "has" : "have"} the prefix ${settings.prefix} too`,
        at: "spec.to.topicPrefix",
      });
    const hidden = others.value.filter(({ prefix }) => prefix?.includes("${")).map(({ name }) => name);
    if (hidden.length === 0) return pass;
    return unknown(
      `the prefix of ${listed(hidden)} is a reference that only the worker resolves: is it ${settings.prefix}?`,
      { text: "Find out which prefix that is. If it is another", setting: "spec.accept: [MIG109]" },
    );
  },
};
