import type { MigrationIntent } from "../../document/intent.ts";
import { type CheckIn, fail, pass } from "../check.ts";
import { listed, sentences } from "../listed.ts";
import type { CutoverReading } from "../readings.ts";

/**
 * Nobody but the operator knows whether consumers stay with the legacy connector's topics. Names that settings give
 * have to agree with the decision: `accept: [MIG108]` would otherwise decide it by the way.
 */
export const topicsUndecided: CheckIn<
  CutoverReading,
  "legacy" | "tableTopics",
  never,
  Pick<MigrationIntent, "from" | "to">
> = {
  code: "MIG125",
  title: "What becomes of the legacy topics is not decided, or not what the settings give",
  problem: "Consumers would find the new connector's records in topics where they do not expect them, or none at all.",
  remedy: "Set `spec.to.topics` to keep or new, and `spec.to.topicPrefix` to match.",
  grade: "refusal",

  run({ from, to }, { legacy, tableTopics }) {
    const { title, topics } = legacy;
    if (topics.notKept !== undefined)
      return to.topics === "keep"
        ? fail(`the topics of ${title} can't be kept: ${topics.notKept}`, {
            remedies: [{ text: "Remove", setting: "spec.to.topics: keep" }],
            at: "spec.to.topics",
          })
        : pass;
    if (to.topics === undefined)
      return fail(`the plan file does not say what becomes of the topics of ${from.connector} (${title})`, {
        remedies: [
          {
            text: "Keep them: consumers stay, and see the overlap twice in one stream",
            setting: "spec.to.topics: keep",
          },
          { text: "Or have new ones, and move the consumers", setting: "spec.to.topics: new" },
        ],
        at: "spec.to",
      });
    const keep = to.topics === "keep";
    const wrong = tableTopics.filter(({ was, is }) => (keep ? was === undefined || was !== is : was === is));
    if (wrong.length === 0) return pass;
    const seen = wrong.map(({ table, was, is }) =>
      keep
        ? `${table} is in ${was ?? "a topic that can't be told from the settings"}, and would be in ${is ?? "another"}`
        : `${table} would stay in ${is}`,
    );
    return fail(`spec.to.topics is ${to.topics}, but ${sentences(seen)}`, {
      remedies: keep
        ? ["Leave cdc.topic.template and cdc.topic.prefix to the translation, or have new topics."]
        : [{ text: "Choose a prefix of its own", setting: "spec.to.topicPrefix" }],
      at: "spec.to.topics",
    });
  },
};

/** Some defaults of the legacy connector changed between its versions, and the translation pins them. */
export const versionAssumed: CheckIn<CutoverReading, "legacy", never, Pick<MigrationIntent, "from">> = {
  code: "MIG126",
  title: "The version of the legacy connector is assumed",
  problem: "Its defaults changed between versions: settings that it does not have could be translated otherwise.",
  remedy: "State it in `spec.from.version`, as `GET /connector-plugins` lists it.",
  grade: "advisory",

  run({ from }, { legacy: { title, topics, version } }) {
    if (topics.assumed === undefined || version !== undefined) return pass;
    return fail(`the version of ${from.connector} (${title}) is not stated: ${topics.assumed} is assumed`, {
      at: "spec.from",
    });
  },
};

/** Flat rows do not say which change they come from: no SCN, no operation, no writer. */
export const legacyRecordsFlat: CheckIn<CutoverReading, "legacy", never> = {
  code: "MIG127",
  title: "The legacy topics hold rows that no verification can read",
  problem:
    "Nothing could prove that the new connector has delivered everything, so the legacy connector could not be " +
    "retired.",
  remedy: "Remove the transformation before the cutover, if consumers allow it. Otherwise `spec.accept: [MIG127]`.",
  grade: "acceptable",

  run(_intent, { legacy: { name, config, topics } }) {
    const found = topics.unreadable?.(config) ?? [];
    if (found.length === 0) return pass;
    return fail(`records of ${name} go through ${listed(found)}, which leaves flat rows`, {
      at: "spec.from.connector",
    });
  },
};
