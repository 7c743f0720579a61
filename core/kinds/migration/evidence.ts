import type { EvidenceKnown } from "../../facts/migration-facts.ts";
import { checkEvidence } from "../../verification/evidence/check-evidence.ts";

/** So many problems of a file are worth telling. */
const MOST_PROBLEMS = 3;

/** Reads an evidence file that holds together. @returns what is wrong with any other */
export function readEvidence(
  text: string,
  file: string,
): { readonly evidence: EvidenceKnown } | { readonly problem: string } {
  const checked = checkEvidence(text);
  if (!checked.sound) return { problem: `${file}: ${checked.problems.slice(0, MOST_PROBLEMS).join("; ")}` };
  const { digest, inputs, position, tables } = checked.evidence;
  const { connector } = inputs;
  return {
    evidence: {
      file,
      digest,
      connector: typeof connector === "string" ? connector : "",
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
