import type { MigrationIntent } from "../document/intent.ts";
import { type ConnectorsFound, type EvidenceKnown, verificationOf } from "../facts/migration-facts.ts";
import { type OffsetEntry, ownOffset, sameOffsets } from "../facts/offset/stored-offset.ts";
import type { CapturedSet } from "../facts/tables/tables.ts";
import type { RetirementFacts } from "../kinds/retirement/facts.ts";
import { lastCommitIn } from "../legacy/stored-offsets.ts";
import { redactConfiguration } from "../redaction/redact.ts";
import { showCount } from "../values/amounts.ts";
import { millisBetween } from "../values/instant.ts";
import { type Check, fail, pass, unknown, type Verdict } from "./check.ts";
import { setUnknown } from "./getting-to-know.ts";
import { listed, sentences } from "./listed.ts";

/**
 * What is deleted does not come back: a proof that nothing is missing comes first.
 *
 * Rule: specification, "Start, verification and rollback".
 */
export const noEvidence: Check<unknown, { readonly facts: Pick<RetirementFacts, "evidence"> }> = {
  code: "MIG401",
  title: "There is no evidence, or it does not hold together",
  problem: "Nothing proves that the new connector has delivered everything: the legacy topics may be the only copy.",
  remedy: "Verify first (`phase: verify`), and name the file that it writes in `spec.evidence`.",
  grade: "refusal",

  run(_intent, { facts: { evidence } }) {
    if (evidence.known) return pass;
    return { ...unknown(evidence.why, evidence.remedies), at: "spec.evidence" };
  },
};

/**
 * Anybody can write a file whose digest fits. That it came from a verification of these two connectors, the journal of
 * that run knows; and what was verified before a cutover says nothing of the connector that it created.
 */
export const evidenceOfOthers: Check<
  Pick<MigrationIntent, "from" | "to">,
  { readonly facts: Pick<RetirementFacts, "evidence" | "verifications" | "cutover" | "legacy"> }
> = {
  code: "MIG402",
  title: "The evidence is of no verification that is known here",
  problem: "It may be edited, or of other connectors, or of a time before the cutover.",
  remedy: "Verify on this machine (`phase: verify`), or give the state of the machine that did (--state).",
  grade: "refusal",

  run({ from, to }, { facts: { evidence, verifications, cutover, legacy } }) {
    if (!evidence.known) return pass;
    const { digest, file, connector } = evidence.value;
    if (connector !== to.name)
      return fail({ seen: `${file} is evidence of ${connector}, not of ${to.name}`, at: "spec.evidence" });
    if (!verifications.known)
      return unknown(`the journals of this machine can't be read: ${verifications.why}`, verifications.remedies);
    const known = verificationOf(digest, verifications.value);
    if (known === undefined)
      return fail({
        seen:
          `no verification of ${from.connector} and ${to.name} in the journals of this machine has written ${file} ` +
          `(${digest})`,
        at: "spec.evidence",
      });
    if (!cutover.known) return unknown(`when the cutover was can't be seen: ${cutover.why}`, cutover.remedies);
    if (cutover.value !== undefined && millisBetween(cutover.value.at, known.at) <= 0)
      return fail({
        seen:
          `${file} was written by run ${known.run} (${known.at}), before the cutover of run ${cutover.value.run} ` +
          `(${cutover.value.at})`,
        remedies: [{ text: "Verify again", setting: "spec.phase: verify" }],
        at: "spec.evidence",
      });
    // The journals here may not know the latest cutover: what the legacy connector has stored since counts as well.
    const offsets = [...(cutover.value?.offsets ?? []), ...(legacy?.offsets ?? [])];
    return asOfTheCutover(evidence.value, from.connector, offsets);
  },
};

/**
 * A table that agrees as of an SCN within the overlap proves nothing of what only the new connector delivers: the
 * change of hands lies after it.
 */
function asOfTheCutover({ file, checkScn }: EvidenceKnown, legacy: string, offsets: readonly OffsetEntry[]): Verdict {
  const last = lastCommitIn(offsets);
  if (last === "unreadable") return unknown(`the last commit that ${legacy} delivered can't be read from its offsets`);
  if (last === undefined || checkScn >= last) return pass;
  return fail({
    seen:
      `${file} is as of SCN ${checkScn}, and ${legacy} delivered commits up to ${last}: it ends before the new ` +
      "connector alone delivers",
    remedies: [
      {
        text: "Verify again, as of a later SCN",
        setting: `spec.phase: verify, spec.verify.checkScn left out or above ${last}`,
      },
    ],
    at: "spec.evidence",
  });
}

/** Inconclusive is not passed. And what a later verification found counts more than what an earlier one did not. */
export const verificationNotPassed: Check<
  unknown,
  { readonly facts: Pick<RetirementFacts, "evidence" | "verifications"> }
> = {
  code: "MIG403",
  title: "The verification did not pass",
  problem: "Changes are missing in the new topics, or nobody can tell whether they are.",
  remedy: "Look at the keys (`cdcctl migrate verify --check-evidence FILE`), mend what is missing, verify again.",
  grade: "refusal",

  run(_intent, { facts: { evidence, verifications } }) {
    if (!evidence.known) return pass;
    const { file, tables, digest } = evidence.value;
    const wrong = tables.filter(({ outcome }) => outcome !== "pass");
    if (wrong.length > 0)
      return fail({
        seen:
          `${file}: ` +
          `${sentences(wrong.map(({ table, outcome }) => `${table} ${outcome === "fail" ? "failed" : "is inconclusive"}`))}`,
        at: "spec.evidence",
      });
    if (!verifications.known)
      return unknown(`the journals of this machine can't be read: ${verifications.why}`, verifications.remedies);
    const at = verifications.value.findLastIndex((verification) => verification.digest === digest);
    const later = at < 0 ? undefined : verifications.value.slice(at).find(({ passed }) => !passed);
    if (later === undefined) return pass;
    return fail({
      seen:
        `run ${later.run} (${later.at}) verified the two ` +
        `connectors${later.digest === digest ? "" : ` after ${file} was written`}, and did not pass`,
      at: "spec.evidence",
    });
  },
};

/** All tables' topics are deleted, so all tables have to be proven. */
export const tablesNotCovered: Check<
  unknown,
  { readonly captured: CapturedSet; readonly facts: Pick<RetirementFacts, "evidence"> }
> = {
  code: "MIG404",
  title: "The evidence does not cover every captured table",
  problem: "Of a table that was not verified nobody knows whether the new topics hold what its legacy topic does.",
  remedy: "Name every captured table in `spec.verify.tables`, and verify again.",
  grade: "refusal",

  run(_intent, { captured, facts: { evidence } }) {
    if (!captured.known) return setUnknown(captured);
    if (!evidence.known) return pass;
    if (captured.tables.length === 0)
      return fail({ seen: "the new connector captures no table at all: nothing is proven by that" });
    const covered = new Set(evidence.value.tables.map(({ table }) => table));
    const missing = captured.tables.map(({ fullName }) => fullName).filter((name) => !covered.has(name));
    if (missing.length === 0) return pass;
    return fail({
      seen:
        `${evidence.value.file} does not cover ${showCount(missing.length)} of ` +
        `${showCount(captured.tables.length)} captured tables: ` +
        `${listed(missing, 50)}`,
      at: "spec.verify.tables",
    });
  },
};

/**
 * A table passes by the columns that were compared: whoever deletes the legacy topics by that has to have seen which
 * were not.
 */
export const columnsNotCompared: Check<unknown, { readonly facts: Pick<RetirementFacts, "evidence"> }> = {
  code: "MIG412",
  title: "The evidence leaves columns out",
  problem: "Nothing is proven of these columns; after the retirement the legacy topics can't be asked any more.",
  remedy: "Compare them by other means, or verify again without leaving them out.",
  grade: "advisory",

  run(_intent, { facts: { evidence } }) {
    // What can't be read is MIG401's.
    if (!evidence.known) return pass;
    const tables = evidence.value.tables.filter(({ leftOut }) => leftOut.length > 0);
    if (tables.length === 0) return pass;
    return fail({
      seen: sentences(tables.map(({ table, leftOut }) => `not compared of ${table}: ${listed(leftOut)}`)),
    });
  },
};

type SinceThen = Pick<RetirementFacts, "evidence" | "verifications" | "recordedSince" | "next" | "settings" | "legacy">;

/**
 * The evidence says of the connector as it was verified that nothing is missing. The journals of this machine do not
 * know what was done from another one, so what the cluster shows decides: the configuration that the connector was
 * created with, the history of its offset, its events in the ops topic, and whether the legacy connector has run.
 */
export const changedSinceVerification: Check<
  Pick<MigrationIntent, "to">,
  {
    readonly facts: SinceThen;
  }
> = {
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
      return unknown(
        `what happened to ${to.name} since run ${run} (${at}) can't be told: ${since.why}`,
        since.remedies,
      );
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
function otherCreation({ configuration }: ConnectorsFound, { next }: SinceThen): readonly string[] {
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
function otherOffset({ offsets }: ConnectorsFound, { next, settings }: SinceThen): readonly string[] {
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
function legacyHasRun({ legacyOffsets }: ConnectorsFound, { legacy }: SinceThen): readonly string[] {
  if (legacy === undefined) return [];
  if (legacyOffsets === undefined) return [`${legacy.name} is there again`];
  return sameOffsets(legacyOffsets, legacy.offsets)
    ? []
    : [`the offsets of ${legacy.name} have changed: it has run, or somebody has set them`];
}
