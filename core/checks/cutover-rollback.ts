import type { MigrationIntent } from "../document/intent.ts";
import { isStopped } from "../facts/connector/connector.ts";
import type { DeployedConnector } from "../facts/connector-facts.ts";
import type { Observed } from "../facts/observed.ts";
import { sameOffsets } from "../facts/offset/stored-offset.ts";
import type { ReturnFacts } from "../kinds/cutover-rollback/facts.ts";
import { startsAtCurrent } from "../legacy/stored-start.ts";
import { type Check, type CheckPage, fail, pass, unknown } from "./check.ts";
import { listed } from "./listed.ts";

/** A rollback resumes the legacy connector, which then starts at the current SCN (MIG307). */
export const noWayBackWithoutAGap = startsAtStored("a rollback is refused (MIG307) until that is changed", {
  code: "MIG118",
  title: "The cutover can't be rolled back as it stands",
  problem:
    "With start.from=force_current the legacy connector ignores its stored offsets at every start: a rollback " +
    "would skip what was committed since the stop.",
  remedy: "Set start.from of the legacy connector to snapshot before the cutover; its stored offsets then decide.",
  grade: "advisory",
});

/**
 * That it goes on where it stopped is what makes the way back safe, and the journal of the cutover has where that was.
 *
 * Rule: specification, "Start, verification and rollback": its offset is unchanged.
 */
export const legacyOffsetsChanged: Check<unknown, { readonly facts: Pick<ReturnFacts, "legacy" | "cutover"> }> = {
  code: "MIG303",
  title: "The legacy connector's offsets are not those it stopped with",
  problem: "Somebody has moved them since the cutover: it would skip commits, or deliver some once more.",
  remedy: "Compare them with the run's journal (`cdcctl show RUN`), and put them back while it is stopped.",
  grade: "acceptable",
  unknown: "advisory",

  run(_intent, { facts: { legacy, cutover } }) {
    if (!cutover.known)
      return unknown(`with which offsets ${legacy.name} stopped can't be seen: ${cutover.why}`, cutover.remedies);
    if (cutover.value === undefined)
      return {
        ...unknown(
          `no journal of the cutover is on this machine: whether the offsets of ${legacy.name} are those that it ` +
            "stopped with can't be told",
        ),
        remedies: ["Look on the machine that carried out the cutover (--state)."],
      };
    const { run, at, offsets } = cutover.value;
    if (sameOffsets(offsets, legacy.offsets)) return pass;
    if (!isStopped(legacy.status))
      return {
        ...unknown(
          `${legacy.name} is ${legacy.status.state}, and its offsets have moved since it stopped in run ${run} ` +
            `(${at}): whether it went on from there can't be told`,
        ),
        remedies: [],
      };
    return fail({ seen: `the offsets of ${legacy.name} are not those with which it stopped in run ${run} (${at})` });
  },
};

/** A deleted topic does not come back. */
export const newTopicsUnclear: Check<
  Pick<MigrationIntent, "deleteTopics">,
  { readonly newTopics: Observed<readonly string[]>; readonly facts: Pick<ReturnFacts, "others" | "settings"> }
> = {
  code: "MIG306",
  title: "Which topics are the new connector's alone is not known",
  problem: "Topics of another connector could be deleted with it.",
  remedy: "Leave `spec.deleteTopics` out, and delete the topics by hand when you know.",
  grade: "refusal",

  run({ deleteTopics }, { newTopics, facts: { others, settings } }) {
    if (!deleteTopics) return pass;
    if (!newTopics.known) return unknown(newTopics.why, newTopics.remedies);
    if (!others.known) return unknown(`which other connectors there are can't be seen: ${others.why}`, others.remedies);
    const sharing = others.value
      .filter(({ prefix }) => prefix !== undefined && (prefix.trim() === settings.prefix || prefix.includes("${")))
      .map(({ name }) => name);
    if (sharing.length === 0) return pass;
    return fail({
      seen:
        `${listed(sharing)} may write to them too: ${sharing.length === 1 ? "its" : "their"} cdc.topic.prefix is ` +
        `${settings.prefix}, or a reference`,
      at: "spec.deleteTopics",
    });
  },
};

/** It does not continue from its stored offsets, which is what makes the way back safe. */
export const legacyStartsAtCurrent = startsAtStored("it would skip what was committed since it stopped", {
  code: "MIG307",
  title: "The legacy connector would start at the current SCN",
  problem:
    "It ignores its stored offsets: every commit from where it stopped to its start would be missing in its topics.",
  remedy: "Set start.from of the legacy connector to snapshot while it is stopped, then plan again.",
  grade: "refusal",
});

/**
 * A rule that holds where the legacy connector continues from its stored offsets. @param consequence what follows where
 * it does not
 */
function startsAtStored(
  consequence: string,
  page: CheckPage,
): Check<unknown, { readonly facts: { readonly legacy: Pick<DeployedConnector, "name" | "config"> } }> {
  return {
    ...page,
    run: (_intent, { facts: { legacy } }) =>
      startsAtCurrent(legacy.config)
        ? fail({ seen: `start.from of ${legacy.name} is force_current: ${consequence}` })
        : pass,
  };
}
