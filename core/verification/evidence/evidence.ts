import type { Evidence, TableEvidence } from "../../../schemas/generated/evidence.ts";
import { isSecretName } from "../../redaction/redact.ts";
import { type Digest, digestOf } from "../../values/digest.ts";
import type { Instant } from "../../values/instant.ts";
import { canonicalJson } from "../../values/json.ts";
import { ascending } from "../../values/lists.ts";
import type { Scn } from "../../values/scn.ts";
import { type TableChecked, tableEvidence } from "./table-evidence.ts";
import { outcomeOfAll } from "./table-outcome.ts";

/**
 * Maximum number of named keys that failed, and of named keys in doubt: the required value of `VerifyOptions.first`.
 */
export const NAMED_KEYS = 100;

/** Format of evidence written by this version. Earlier formats are checked by their own rules. */
const FORMAT = 3n;

export interface EvidenceFacts {
  readonly writtenAt: Instant;
  readonly cdcctl: string;
  /** Names, addresses and options, but nothing that depends on where or how fast it ran. */
  readonly inputs: Evidence["inputs"];
  readonly checkScn: Scn;
  /** The SCN of the new connector's stored offset; undefined if unknown. */
  readonly resumeScn: Scn | undefined;
  readonly tables: readonly TableChecked[];
  readonly values: boolean;
  /** What carried out the verification; left out for the process that writes the evidence. */
  readonly engine?: NonNullable<Evidence["engine"]>;
}

/** Whether a connector that would mine again from `resumeScn` has delivered everything up to the check SCN. */
export function hasPassed(resumeScn: Scn | undefined, checkScn: Scn): boolean {
  return resumeScn !== undefined && resumeScn > checkScn;
}

/**
 * Creates the evidence of a verification. Of its two digests, `digest` protects the whole document; `findings` covers
 * the request and the result, and is the same for every run with the same inputs and data, however it was divided and
 * whenever it ran.
 *
 * @throws TypeError for an input with the name of a secret
 */
export function evidenceOf(facts: EvidenceFacts): Evidence {
  const secret = Object.keys(facts.inputs).find(isSecretName);
  if (secret !== undefined) throw new TypeError(`the input ${secret} has the name of a secret`);
  const passed = hasPassed(facts.resumeScn, facts.checkScn);
  const tables = facts.tables
    .map((table) => tableEvidence(table, passed, facts.values))
    .sort(ascending(({ table }) => table));
  const content = {
    apiVersion: "cdcctl/v1",
    kind: "CutoverEvidence",
    formatVersion: FORMAT,
    writtenAt: facts.writtenAt,
    cdcctl: facts.cdcctl,
    ...(facts.engine === undefined ? {} : { engine: facts.engine }),
    inputs: facts.inputs,
    position: {
      checkScn: facts.checkScn,
      ...(facts.resumeScn === undefined ? {} : { resumeScn: facts.resumeScn }),
      passed,
    },
    outcome: outcomeOfAll(tables),
    tables,
  } satisfies Omit<Evidence, "digest" | "findings">;
  const whole = { ...content, findings: findingsOf(content) };
  return { ...whole, digest: digestOf(whole) };
}

/**
 * Computes the digest over the request and the result. Of the position it covers only what it decided, because the
 * connector continues and its resume SCN advances. Topics grow too, so that the number of records read is not a
 * finding, except in format 1.
 */
export function findingsOf({
  formatVersion,
  inputs,
  position: { checkScn, passed },
  outcome,
  tables,
}: Pick<Evidence, "formatVersion" | "inputs" | "position" | "outcome" | "tables">): Digest {
  const found = formatVersion < 2n ? tables : tables.map(withoutRecordCounts);
  return digestOf({ inputs, position: { checkScn, passed }, outcome, tables: found });
}

function withoutRecordCounts({ newRecords, legacyRecords, ...table }: TableEvidence): object {
  const records = [newRecords, legacyRecords].map((side) => side?.unreadable ?? null);
  const withoutKey = legacyRecords?.withoutKey;
  const unreadable = { records, ...(withoutKey === undefined ? {} : { withoutKey }), reasons: table.unreadable };
  return { ...table, unreadable };
}

export function printEvidence(evidence: Evidence): string {
  return `${canonicalJson(evidence)}\n`;
}
