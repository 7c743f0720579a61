import type { ReturnFacts } from "../../schemas/generated/facts.ts";
import type { MigrationIntent } from "../document/intent.ts";
import { isStopped } from "../facts/connector/connector.ts";
import { sameOffsets } from "../facts/offset/stored-offset.ts";
import { positionRulesOf } from "../legacy/legacy-kind.ts";
import { mayWriteTo } from "../legacy/other-writers.ts";
import { othersUnknown } from "./access-remedies.ts";
import { type Check, type CheckIn, type CheckOf, type CheckPage, fail, pass, unknown, unseen } from "./check.ts";
import { listed, sentences } from "./listed.ts";
import type { ReturnReading } from "./readings.ts";

/** A rollback resumes the legacy connector, which then starts at the current SCN (MIG307). */
export const noRollbackWithoutAGap = startsAtStored("a rollback is refused (MIG307) until this is changed", {
  code: "MIG118",
  title: "The cutover could not be rolled back",
  problem:
    "With start.from=force_current the legacy connector ignores its stored offsets at every start: a rollback " +
    "would skip what was committed since the stop.",
  remedy: "Set start.from of the legacy connector to snapshot before the cutover; its stored offsets then decide.",
  grade: "advisory",
});

/**
 * The rollback is safe because the legacy connector resumes where it stopped; the journal of the cutover records where
 * that was.
 *
 * Rule: specification, "Start, verification and rollback": its offset is unchanged.
 */
export const legacyOffsetsChanged: CheckOf<ReturnFacts, "legacy" | "cutover"> = {
  code: "MIG303",
  title: "The legacy connector's offsets are not those it stopped with",
  problem: "They were changed after the cutover: it would skip commits or deliver some again.",
  remedy: "Compare them with the run's journal (`cdcctl show RUN`), and restore them while it is stopped.",
  grade: "acceptable",
  unknown: "advisory",

  run(_intent, { facts: { legacy, cutover } }) {
    if (!cutover.known) return unseen(cutover, `the offsets with which ${legacy.name} stopped are unknown`);
    if (cutover.value === undefined)
      return {
        ...unknown(
          `this machine has no journal of the cutover: whether the offsets of ${legacy.name} are those it stopped ` +
            "with cannot be determined",
        ),
        remedies: ["Run the rollback on the machine that applied the cutover, or pass its state folder (--state)."],
      };
    const { run, at, offsets } = cutover.value;
    if (sameOffsets(offsets, legacy.offsets)) return pass;
    if (!isStopped(legacy.status))
      return {
        ...unknown(
          `${legacy.name} is ${legacy.status.state}, and its offsets have moved since it stopped in run ${run} ` +
            `(${at}): whether it resumed from there cannot be determined`,
        ),
        remedies: [],
      };
    return fail(`the offsets of ${legacy.name} are not those it stopped with in run ${run} (${at})`);
  },
};

/** A deleted topic can't be restored. */
export const newTopicsUnclear: CheckIn<
  ReturnReading,
  "newTopics",
  "others" | "settings",
  Pick<MigrationIntent, "deleteTopics">
> = {
  code: "MIG306",
  title: "The new connector's topics may be shared",
  problem: "Topics of another connector could be deleted with it.",
  remedy: "Omit `spec.deleteTopics`, and delete the topics manually once you know.",
  grade: "refusal",

  run({ deleteTopics }, { newTopics, facts: { others, settings } }) {
    if (!deleteTopics) return pass;
    if (!newTopics.known) return unseen(newTopics);
    if (!others.known) return othersUnknown(others);
    const sharing = others.value
      .filter(({ prefix }) => prefix !== undefined && (prefix.trim() === settings.prefix || prefix.includes("${")))
      .map(({ name }) => name);
    const writing = others.value
      .filter((other) => !sharing.includes(other.name) && newTopics.value.some(mayWriteTo(other)))
      .map(({ name }) => name);
    if (sharing.length + writing.length === 0) return pass;
    return fail(
      sentences([
        ...(sharing.length === 0
          ? []
          : [
              `${listed(sharing)} may also write to them: ${sharing.length === 1 ? "its" : "their"} cdc.topic.prefix ` +
                `is ${settings.prefix}, or a reference`,
            ]),
        ...(writing.length === 0 ? [] : [`${listed(writing)} may also write to one of them, judged by the settings`]),
      ]),
      { at: "spec.deleteTopics" },
    );
  },
};

/** It does not resume from its stored offsets, which a safe rollback depends on. */
export const legacyStartsAtCurrent = startsAtStored("it would skip what was committed since it stopped", {
  code: "MIG307",
  title: "The legacy connector would start at the current SCN",
  problem:
    "It ignores its stored offsets: every commit from where it stopped to its start would be missing in its topics.",
  remedy: "Set start.from of the legacy connector to snapshot while it is stopped, then plan again.",
  grade: "refusal",
});

/**
 * Builds a check that passes when the legacy connector resumes from its stored offsets. @param consequence what follows
 * when it does not
 */
function startsAtStored(
  consequence: string,
  page: CheckPage,
): Check<unknown, { readonly facts: Pick<ReturnFacts, "legacy"> }> {
  return {
    ...page,
    run(_intent, { facts: { legacy } }) {
      const startsAtCurrent = positionRulesOf(legacy).startsAtCurrent?.(legacy);
      return startsAtCurrent === undefined ? pass : fail(`${startsAtCurrent}: ${consequence}`);
    },
  };
}
