import type { EvidenceKnown } from "../../../schemas/generated/facts.ts";
import type { MigrationIntent } from "../../document/intent.ts";
import { UsageError } from "../../errors.ts";
import type { Observed } from "../../facts/observed.ts";
import { comparedCounts } from "../../facts/tables/tables.ts";
import type { Instant } from "../../values/instant.ts";
import { checkEvidence } from "../../verification/evidence/check-evidence.ts";
import type { Sources } from "../kind.ts";

/** The most problems of a file to report. */
const MOST_PROBLEMS = 3;

/** Reads a valid evidence file. @returns what is wrong with an invalid one */
export function readEvidence(
  text: string,
  file: string,
): { readonly evidence: EvidenceKnown } | { readonly problem: string } {
  const checked = checkEvidence(text);
  if (!checked.sound) return { problem: `${file}: ${checked.problems.slice(0, MOST_PROBLEMS).join("; ")}` };
  const { digest, inputs, position, tables, writtenAt } = checked.evidence;
  const { connector, audit, dbid } = inputs;
  return {
    evidence: {
      file,
      digest,
      connector: typeof connector === "string" ? connector : "",
      writtenAt,
      ...(audit === true && typeof dbid === "string" ? { auditedDbid: dbid } : {}),
      counts: comparedCounts(tables),
      checkScn: position.checkScn,
      tables: tables.map(({ table, outcome, legacyTopic, keys, leftOut }) => ({
        table,
        outcome,
        legacyTopic,
        byLegacy: keys.byLegacy,
        leftOut: leftOut.map(({ column, why }) => `${column} (${why})`),
      })),
    },
  };
}

/**
 * Reads an evidence file; a missing or invalid file is not evidence, which the check reports.
 *
 * @param path as the plan file names it
 */
export async function evidenceFile(
  path: string,
  { origin }: Pick<MigrationIntent, "origin">,
  { evidence }: Sources,
  at: Instant,
): Promise<Observed<EvidenceKnown>> {
  try {
    const read = readEvidence(await evidence(path, origin.file), path);
    return "problem" in read
      ? { known: false, why: read.problem, source: path }
      : { known: true, value: read.evidence, source: path, at };
  } catch (failure) {
    if (failure instanceof UsageError) return { known: false, why: failure.message, source: path };
    throw failure;
  }
}
