import type { ConnectorsFound, EvidenceKnown, RetirementFacts } from "../../schemas/generated/facts.ts";
import type { MigrationIntent } from "../document/intent.ts";
import { verificationOf } from "../facts/connector-facts.ts";
import { ownOffset, sameOffsets } from "../facts/offset/stored-offset.ts";
import { runText } from "../facts/ops/ops-event.ts";
import { fullNameOf } from "../facts/tables/tables.ts";
import { redactConfiguration } from "../redaction/redact.ts";
import { showCount } from "../values/amounts.ts";
import { millisBetween } from "../values/instant.ts";
import { setUnknown } from "./access-remedies.ts";
import { type CheckIn, type CheckOf, fail, pass, unknown, unseen, type Verdict } from "./check.ts";
import { listed, sentences } from "./listed.ts";
import type { RetirementReading } from "./readings.ts";

/**
 * Deleted topics can't be restored, so a proof that nothing is missing comes first.
 *
 * Rule: specification, "Start, verification and rollback".
 */
export const noEvidence: CheckOf<RetirementFacts, "evidence"> = {
  code: "MIG401",
  title: "The evidence is missing or invalid",
  problem: "Nothing proves that the new connector has delivered everything: the legacy topics may be the only copy.",
  remedy: "Verify first (`phase: verify`), and put the file that it writes into `spec.evidence`.",
  grade: "refusal",

  run(_intent, { facts: { evidence } }) {
    if (evidence.known) return pass;
    return { ...unseen(evidence), at: "spec.evidence" };
  },
};

/**
 * Anyone can write a file with a matching digest. The journal of the run shows whether it came from a verification of
 * these two connectors; a verification before a cutover proves nothing about the connector that the cutover created.
 */
export const evidenceOfOthers: CheckIn<
  RetirementReading,
  "lastDelivered",
  "evidence" | "verifications" | "cutover",
  Pick<MigrationIntent, "from" | "to">
> = {
  code: "MIG402",
  title: "The evidence is from an unknown verification",
  problem: "It may have been edited, belong to other connectors, or predate the cutover.",
  remedy: "Verify on this machine (`phase: verify`), or use the state folder of the machine that did (--state).",
  grade: "refusal",

  run({ from, to }, { lastDelivered, facts: { evidence, verifications, cutover } }) {
    if (!evidence.known) return pass;
    const { digest, file, connector } = evidence.value;
    if (connector !== to.name)
      return fail(`${file} is evidence for ${connector}, not for ${to.name}`, { at: "spec.evidence" });
    if (!verifications.known) return unseen(verifications, "the journals of this machine can't be read");
    const known = verificationOf(digest, verifications.value);
    if (known === undefined)
      return fail(
        `the journals of this machine have no verification of ${from.connector} and ${to.name} that wrote ${file} ` +
          `(${digest})`,
        { at: "spec.evidence" },
      );
    if (!cutover.known) return unseen(cutover, "the time of the cutover is unknown");
    if (cutover.value !== undefined && millisBetween(cutover.value.at, known.at) <= 0)
      return fail(
        `${file} was written by run ${known.run} (${known.at}), before the cutover of run ${cutover.value.run} ` +
          `(${cutover.value.at})`,
        { remedies: [{ text: "Verify again", setting: "spec.phase: verify" }], at: "spec.evidence" },
      );
    return asOfTheCutover(evidence.value, from.connector, lastDelivered);
  },
};

/**
 * A table that agrees as of an SCN within the overlap proves nothing about what only the new connector delivers, which
 * comes after the overlap.
 */
function asOfTheCutover(
  { file, checkScn }: EvidenceKnown,
  legacy: string,
  last: RetirementReading["lastDelivered"],
): Verdict {
  if (last === "unreadable") return unknown(`the last commit that ${legacy} delivered is not in its offsets`);
  if (last === undefined || checkScn >= last) return pass;
  return fail(
    `${file} is as of SCN ${checkScn}, and ${legacy} delivered commits up to ${last}: it ends before only the new ` +
      "connector delivers",
    {
      remedies: [
        {
          text: "Verify again, at a later SCN",
          setting: `spec.phase: verify, spec.verify.checkScn omitted or above ${last}`,
        },
      ],
      at: "spec.evidence",
    },
  );
}

/** Inconclusive is not passed, and a problem found by a later verification overrides an earlier pass. */
export const verificationNotPassed: CheckOf<RetirementFacts, "evidence" | "verifications"> = {
  code: "MIG403",
  title: "The verification did not pass",
  problem: "Changes are missing in the new topics, or may be missing.",
  remedy: "List the keys (`cdcctl migrate verify --check-evidence FILE`), fix what is missing, and verify again.",
  grade: "refusal",

  run(_intent, { facts: { evidence, verifications } }) {
    if (!evidence.known) return pass;
    const { file, tables, digest } = evidence.value;
    const wrong = tables.filter(({ outcome }) => outcome !== "pass");
    if (wrong.length > 0)
      return fail(
        `${file}: ` +
          sentences(wrong.map(({ table, outcome }) => `${table} ${outcome === "fail" ? "failed" : "is inconclusive"}`)),
        { at: "spec.evidence" },
      );
    if (!verifications.known) return unseen(verifications, "the journals of this machine can't be read");
    const at = verifications.value.findLastIndex((verification) => verification.digest === digest);
    const later = at < 0 ? undefined : verifications.value.slice(at).find(({ passed }) => !passed);
    if (later === undefined) return pass;
    return fail(
      `run ${later.run} (${later.at}) verified the two ` +
        `connectors${later.digest === digest ? "" : ` after ${file} was written`}, and did not pass`,
      { at: "spec.evidence" },
    );
  },
};

/**
 * The topics of all tables are deleted, so all tables have to be verified: those that the new connector captures, and
 * those that only the legacy one has delivered.
 */
export const tablesNotCovered: CheckIn<RetirementReading, "captured" | "delivered", "evidence" | "settings"> = {
  code: "MIG404",
  title: "The evidence does not cover every table",
  problem: "For a table that was not verified, it is unknown whether the new topics hold what its legacy topic does.",
  remedy:
    "Name every table in `spec.verify.tables`, and verify again. `spec.from.leaveOut` names those that nobody needs.",
  grade: "refusal",

  run(_intent, { captured, delivered, facts: { evidence, settings } }) {
    if (!captured.known) return setUnknown(captured);
    if (!evidence.known) return pass;
    if (captured.tables.length === 0) return fail("the new connector captures no tables, which proves nothing");
    const covered = new Set(evidence.value.tables.map(({ table }) => table));
    const { pdbs } = settings.tables;
    const names = new Set(captured.tables.map(({ fullName }) => fullName));
    const wanted = [
      ...captured.tables.map((table) => ({ name: table.fullName, mayBe: [table] })),
      ...delivered.filter(({ mayBe }) => mayBe.every((table) => !names.has(fullNameOf(table, pdbs)))),
    ];
    const missing = wanted.filter(({ mayBe }) => mayBe.every((table) => !covered.has(fullNameOf(table, pdbs))));
    if (missing.length === 0) return pass;
    const shown = missing.map(({ name }) => (names.has(name) ? name : `${name} (delivered, and not captured)`));
    return fail(
      `${evidence.value.file} does not cover ${showCount(missing.length)} of ` +
        `${showCount(wanted.length)} tables: ${listed(shown, 50)}`,
      { at: "spec.verify.tables" },
    );
  },
};

/**
 * A table passes by the columns that were compared. An operator who deletes the legacy topics has to know which were
 * not.
 */
export const columnsNotCompared: CheckOf<RetirementFacts, "evidence"> = {
  code: "MIG412",
  title: "The evidence leaves out columns",
  problem: "Nothing is proven about these columns, and after the retirement the legacy topics are gone.",
  remedy: "Compare them by other means, or verify again without leaving them out.",
  grade: "advisory",

  run(_intent, { facts: { evidence } }) {
    // MIG401 reports evidence that can't be read.
    if (!evidence.known) return pass;
    const tables = evidence.value.tables.filter(({ leftOut }) => leftOut.length > 0);
    if (tables.length === 0) return pass;
    return fail(sentences(tables.map(({ table, leftOut }) => `not compared in ${table}: ${listed(leftOut)}`)));
  },
};

type SinceThen = Pick<RetirementFacts, "evidence" | "verifications" | "recordedSince" | "next" | "settings" | "legacy">;

/**
 * The evidence proves that nothing was missing from the connector as it was verified. This machine's journals do not
 * show what was done from another machine, so the cluster decides: the configuration that the connector was created
 * with, the history of its offset, its events in the ops topic, and whether the legacy connector has run.
 */
export const changedSinceVerification: CheckOf<RetirementFacts, keyof SinceThen, Pick<MigrationIntent, "to">> = {
  code: "MIG415",
  title: "The connectors have changed since the verification",
  problem: "The evidence describes the connector as it was. What it has delivered or skipped since was never compared.",
  remedy: "Verify again (`phase: verify`), then retire with the new evidence.",
  grade: "refusal",

  run({ to }, { facts }) {
    const { evidence, verifications, recordedSince: since } = facts;
    if (!evidence.known || !verifications.known) return pass;
    const verification = verificationOf(evidence.value.digest, verifications.value);
    if (verification === undefined) return pass;
    const { found } = verification;
    const verified = `run ${verification.run} (${verification.at})`;
    if (found === undefined)
      return fail(`${verified} did not record the connector that it verified: an earlier version of cdcctl ran it`, {
        at: "spec.evidence",
      });
    if (!since.known) return unseen(since, `what happened to ${to.name} since ${verified} is unknown`);
    const changes = [
      ...since.value.map(
        ({ at: when, details }) => `${runText(details)} recorded ${details.command} (${details.outcome}) at ${when}`,
      ),
      ...otherCreation(found, facts),
      ...otherOffset(found, facts),
      ...legacyHasRun(found, facts),
    ];
    if (changes.length === 0) return pass;
    return fail(`since ${to.name} was verified in ${verified}: ${sentences(changes)}`, { at: "spec.evidence" });
  },
};

const START_SCN = "cdc.start.scn";

/** MIG406 refuses a missing connector. */
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
 * A task start raises the journal generation, a commit the resume SCN; neither ever falls while the offset is not
 * changed.
 */
function otherOffset({ offsets }: ConnectorsFound, { next, settings }: SinceThen): readonly string[] {
  if (next === undefined) return [];
  const before = ownOffset(offsets, settings.prefix);
  const now = ownOffset(next.offsets, settings.prefix);
  // A verification waits for an offset that has passed its check SCN: there was one, though perhaps not yet when it
  // began.
  if (now.is === "none") return [`${next.name} no longer has a stored offset`];
  if (now.is === "unreadable") return [now.why];
  if (before.is === "none") return [];
  if (before.is === "unreadable") return [before.why];
  const [was, is] = [before.offset, now.offset];
  const rows = [
    { what: "journal generation", a: was.journalGeneration, b: is.journalGeneration, mayRise: true },
    { what: "resume SCN", a: was.resumeScn, b: is.resumeScn, mayRise: true },
    { what: "last commit", a: was.lastCommit?.scn, b: is.lastCommit?.scn, mayRise: true },
    { what: "dbid", a: was.dbid, b: is.dbid, mayRise: false },
    { what: "resetlogs SCN", a: was.resetlogsScn, b: is.resetlogsScn, mayRise: false },
  ];
  return rows.flatMap(({ what, a, b, mayRise }) =>
    a === undefined || a === b || (mayRise && b !== undefined && b > a)
      ? []
      : [`its ${what} is ${b ?? "not stored"}, and was ${a}`],
  );
}

/** A missing legacy connector has nothing to compare: an interrupted retirement has deleted it. */
function legacyHasRun({ legacyOffsets }: ConnectorsFound, { legacy }: SinceThen): readonly string[] {
  if (legacy === undefined) return [];
  if (legacyOffsets === undefined) return [`${legacy.name} exists again`];
  return sameOffsets(legacyOffsets, legacy.offsets)
    ? []
    : [`the offsets of ${legacy.name} have changed: it has run, or they were set by another user`];
}
