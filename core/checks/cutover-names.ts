import type { CutoverFacts } from "../../schemas/generated/facts.ts";
import type { MigrationIntent } from "../document/intent.ts";
import { counted } from "../values/amounts.ts";
import { ACCESS_REMEDIES, othersUnknown } from "./access-remedies.ts";
import { type CheckIn, type CheckOf, fail, pass, unknown, unseen } from "./check.ts";
import { listed } from "./listed.ts";
import type { CutoverReading } from "./readings.ts";
import { oldSignals } from "./stored-offset.ts";

/** A connector of that name belongs to another user or to an earlier cutover; it is never overwritten. */
export const newNameTaken: CheckOf<CutoverFacts, "next", Pick<MigrationIntent, "from" | "to">> = {
  code: "MIG105",
  title: "A connector with the new name already exists",
  problem: "It would be overwritten, and would resume from the offset that it has stored.",
  remedy: "Choose another name. If it is from an earlier cutover, roll that back first (`phase: rollback`).",
  grade: "refusal",

  run({ from, to }, { facts: { next } }) {
    if (next === undefined) return pass;
    return fail(
      `the workers already have a connector ${to.name}: a ${next.connectorClass ?? "connector without a class"}, ` +
        `${next.status.state}`,
      {
        remedies: [
          { text: "Choose another name", setting: "spec.to.name" },
          ...(to.name === from.connector
            ? []
            : [{ text: "If it is from an earlier cutover, roll that back first", setting: "spec.phase: rollback" }]),
        ],
        at: "spec.to.name",
      },
    );
  },
};

/**
 * Offsets outlive their connector, and a new connector of the same name resumes from them and ignores `cdc.start.scn`.
 * Connect does not show offsets of a connector that does not exist.
 *
 * Rule: reference: Kafka Connect, "Seen on real workers".
 */
export const offsetsOfEarlierConnector: CheckIn<
  CutoverReading,
  "createdStopped",
  "next" | "worker",
  Pick<MigrationIntent, "to" | "accept">
> = {
  code: "MIG107",
  title: "Offsets of an earlier connector with the new name may exist",
  problem: "The new connector would resume from them instead of where the legacy connector stopped, and skip commits.",
  remedy: "Choose a name that was never used here, or upgrade the workers to Kafka Connect 3.7.",
  grade: "acceptable",
  unknown: "advisory",

  run({ to, accept }, { createdStopped, facts: { next, worker } }) {
    // An existing connector is refused by another check.
    if (next !== undefined) return pass;
    if (createdStopped)
      return {
        ...unknown(
          `offsets left by an earlier ${to.name} are visible only once it exists again: apply creates it STOPPED, ` +
            "checks before it runs, and " +
            (accept.includes("MIG107")
              ? "lets it resume from any that exist, as spec.accept allows"
              : "deletes it again if any exist"),
        ),
        remedies: [],
      };
    return fail(
      `offsets left by an earlier ${to.name} can't be read, and Kafka Connect ${worker.version} can't create it ` +
        "STOPPED to check before it runs (3.7 can)",
      {
        remedies: [
          { text: "Choose a name that was never used here", setting: "spec.to.name" },
          {
            text: "If this name was never used",
            setting: "spec.accept: [MIG107]; apply still checks as soon as it is created",
          },
        ],
        at: "spec.to.name",
      },
    );
  },
};

/**
 * Topics of an earlier connector hold its changes, its signals and its transaction journal. The ops topic only records
 * what was done, so it does not count; where topics are not created automatically it has to exist beforehand. A start
 * without an offset reads the signals topic from its beginning, also one that is not named by the prefix.
 */
export const prefixHasTopics: CheckIn<CutoverReading, "prefixTopics", "settings" | "signals"> = {
  code: "MIG108",
  title: "Topics or signals of an earlier connector exist",
  problem:
    "Their content would be mixed with the new connector's changes, and an earlier connector's journal or signals " +
    "would be taken for its own.",
  remedy: "Choose another `spec.to.topicPrefix`, or delete the topics.",
  grade: "acceptable",

  run(_intent, { prefixTopics, facts: { settings, signals } }) {
    if (!prefixTopics.known) return unseen(prefixTopics, "which topics exist is unknown", ACCESS_REMEDIES.topics);
    const topics = prefixTopics.value;
    const again = signals === undefined ? "" : oldSignals(signals.source, signals);
    if (topics.length === 0 && (signals?.known !== true || again === "")) return pass;
    const begin = `${counted(topics.length, "topic begins", "topics begin")} with ${settings.prefix}. already`;
    return fail(
      [...(topics.length === 0 ? [] : [`${begin}: ${listed(topics)}`]), ...(again === "" ? [] : [again])].join("; "),
      {
        remedies: [
          { text: "Choose another prefix", setting: "spec.to.topicPrefix" },
          {
            text:
              topics.length === 0
                ? "Delete the signals; or, if they are meant for this connector"
                : "Delete them if they have no readers; or, if they were created for this connector and are empty",
            setting: "spec.accept: [MIG108]",
          },
        ],
        at: "spec.to.topicPrefix",
      },
    );
  },
};

/**
 * A start without an offset reads both topics all the same.
 *
 * Rule: reference: connector rules, "Journal and generations".
 */
export const recordsOfEarlierConnector: CheckOf<CutoverFacts, "leftRecords"> = {
  code: "MIG120",
  title: "Journal or schema records of the prefix are left",
  problem:
    "The new connector would restore transactions of the earlier connector, or stop at its start with CDC-4002 or " +
    "CDC-6003.",
  remedy: "Choose another `spec.to.topicPrefix`, or write null records under the keys of this prefix.",
  grade: "refusal",
  unknown: "acceptable",

  run(_intent, { facts: { leftRecords } }) {
    if (leftRecords === undefined) return pass;
    if (!leftRecords.known) return unseen(leftRecords, "what they hold is unknown");
    if (leftRecords.value.length === 0) return pass;
    return fail(`records of this prefix are left in ${listed(leftRecords.value)}`, { at: "spec.to.topicPrefix" });
  },
};

/**
 * The journal's keys begin with the prefix, and its topic is named by it.
 *
 * Rule: reference: connector settings, `cdc.topic.prefix`, `cdc.txjournal.topic`.
 */
export const prefixShared: CheckIn<CutoverReading, "prefixUsers", "others" | "settings"> = {
  code: "MIG109",
  title: "Another connector already uses the new prefix",
  problem: "The two would share topics and a transaction journal: each would restore the other's transactions.",
  remedy: "Choose another `spec.to.topicPrefix`.",
  grade: "acceptable",

  run(_intent, { prefixUsers, facts: { others, settings } }) {
    if (!prefixUsers.known) return othersUnknown(prefixUsers);
    if (!others.known) return othersUnknown(others);
    const users = prefixUsers.value.map(({ name }) => name);
    if (users.length > 0)
      return fail(`${listed(users)} ${users.length === 1 ? "has" : "have"} the prefix ${settings.prefix} as well`, {
        at: "spec.to.topicPrefix",
      });
    const hidden = others.value.filter(({ prefix }) => prefix?.includes("${")).map(({ name }) => name);
    if (hidden.length === 0) return pass;
    return unknown(
      `the prefix of ${listed(hidden)} is a reference that only the worker resolves: is it ${settings.prefix}?`,
      { text: "Find out which prefix that is. If it is a different one", setting: "spec.accept: [MIG109]" },
    );
  },
};
