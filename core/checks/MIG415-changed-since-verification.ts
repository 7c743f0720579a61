import { type ConnectorsFound, type RetirementFacts, verificationOf } from "../facts/migration-facts.ts";
import { ownOffset, sameOffsets } from "../facts/offset/stored-offset.ts";
import { redactConfiguration } from "../redaction/redact.ts";
import { type Check, fail, pass, unknown } from "./check.ts";
import { sentences } from "./listed.ts";

/**
 * The evidence says of the connector as it was verified that nothing is missing. The journals of this machine do not
 * know what was done from another one, so what the cluster shows decides: the configuration that the connector was
 * created with, the history of its offset, its events in the ops topic, and whether the legacy connector has run.
 */
export const changedSinceVerification: Check<"Retirement"> = {
  code: "MIG415",
  title: "The connectors have changed since the verification",
  problem: "The evidence is of the connector as it was: what it has delivered since, or skipped, was never compared.",
  remedy: "Verify again (`phase: verify`), then retire by that evidence.",
  grade: "refusal",

  run({ to }, { facts }) {
    const { evidence, verifications, recordedSince: since } = facts;
    if (!evidence.known || !verifications.known) return pass;
    const verification = verificationOf(evidence.value.digest, verifications.value);
    if (verification === undefined) return pass;
    const { run, at, found } = verification;
    if (found === undefined)
      return fail({
        seen:
          `run ${run} (${at}) did not record the connector that it verified: an earlier version of cdcctl carried ` +
          "it out",
        at: "spec.evidence",
      });
    if (!since.known)
      return unknown(`what happened to ${to.name} since run ${run} (${at}) can't be told: ${since.why}`, since.remedy);
    const changes = [
      ...since.value.map(({ at: when, details }) => {
        const by = details.operator === "" ? "another operator" : details.operator;
        return (
          `${by}'s run ${details.run ?? "(without an id)"} recorded ${details.command} (${details.outcome}) at ` +
          `${when}`
        );
      }),
      ...otherCreation(found, facts),
      ...otherOffset(found, facts),
      ...legacyHasRun(found, facts),
    ];
    if (changes.length === 0) return pass;
    return fail({
      seen: `since ${to.name} was verified in run ${run} (${at}): ${sentences(changes)}`,
      at: "spec.evidence",
    });
  },
};

const START_SCN = "cdc.start.scn";

/** MIG406 refuses one that is not there. */
function otherCreation({ configuration }: ConnectorsFound, { next }: RetirementFacts): readonly string[] {
  if (next === undefined) return [];
  const was = redactConfiguration(configuration);
  const is = redactConfiguration(next.config);
  const names = new Set([...Object.keys(configuration), ...Object.keys(next.config)]);
  const changed = [...names].filter((name) => was[name] !== is[name]).sort();
  if (changed.length === 0) return [];
  const created = changed.includes(START_SCN)
    ? `${next.name} was created again: its ${START_SCN} is ${next.config[START_SCN] ?? "not set"}, and was ` +
      `${configuration[START_SCN] ?? "not set"}`
    : `settings of ${next.name} were changed: ${changed.join(", ")}`;
  return [created];
}

/**
 * A task start raises the journal generation, a commit the resume SCN; neither ever falls while the offset is left
 * alone.
 */
function otherOffset({ offsets }: ConnectorsFound, { next, settings }: RetirementFacts): readonly string[] {
  if (next === undefined) return [];
  const before = ownOffset(offsets, settings.prefix);
  const now = ownOffset(next.offsets, settings.prefix);
  // A verification waits for an offset that has passed its check SCN: there was one, though perhaps not yet when it
  // began.
  if (now.is === "none") return [`no offset is stored for ${next.name} any more`];
  if (now.is === "unreadable") return [now.why];
  if (before.is === "none") return [];
  if (before.is === "unreadable") return [before.why];
  const [was, is] = [before.offset, now.offset];
  const fell = (what: string, a: bigint | undefined, b: bigint | undefined): readonly string[] =>
    a !== undefined && (b === undefined || b < a) ? [`its ${what} is ${b ?? "not stored"}, and was ${a}`] : [];
  const differs = (what: string, a: bigint | undefined, b: bigint | undefined): readonly string[] =>
    a !== undefined && a !== b ? [`its ${what} is ${b ?? "not stored"}, and was ${a}`] : [];
  return [
    ...fell("journal generation", was.journalGeneration, is.journalGeneration),
    ...fell("resume SCN", was.resumeScn, is.resumeScn),
    ...fell("last commit", was.lastCommit?.scn, is.lastCommit?.scn),
    ...differs("dbid", was.dbid, is.dbid),
    ...differs("resetlogs SCN", was.resetlogsScn, is.resetlogsScn),
  ];
}

/** Gone already, there is nothing of it to compare: a retirement that was interrupted has deleted it. */
function legacyHasRun({ legacyOffsets }: ConnectorsFound, { legacy }: RetirementFacts): readonly string[] {
  if (legacy === undefined) return [];
  if (legacyOffsets === undefined) return [`${legacy.name} is there again`];
  return sameOffsets(legacyOffsets, legacy.offsets)
    ? []
    : [`the offsets of ${legacy.name} have changed: it has run, or somebody has set them`];
}
