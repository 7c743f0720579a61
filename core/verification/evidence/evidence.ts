import type { Evidence, TableEvidence } from "../../../schemas/generated/evidence.ts";
import { isSecretName } from "../../redaction/redact.ts";
import { type Digest, digestOf } from "../../values/digest.ts";
import type { Instant } from "../../values/instant.ts";
import { canonicalJson } from "../../values/json.ts";
import { ascending } from "../../values/lists.ts";
import type { Scn } from "../../values/scn.ts";
import { type TableChecked, tableEvidence } from "./table-evidence.ts";
import { outcomeOfAll } from "./table-outcome.ts";

/** How many failed keys, and how many in doubt, are named at most: what `VerifyOptions.first` has to be. */
export const NAMED_KEYS = 100;

/** Of evidence that is written now. What an earlier version wrote is checked by that version's rules. */
const FORMAT = 2n;

/** What an evidence document is made of. */
export interface EvidenceFacts {
  readonly writtenAt: Instant;
  /** Version of the program. */
  readonly cdcctl: string;
  /** Names, addresses and options; nothing that depends on where or how fast it ran. */
  readonly inputs: Evidence["inputs"];
  readonly checkScn: Scn;
  /** Of the new connector's stored offset; undefined where it is not known. */
  readonly resumeScn: Scn | undefined;
  readonly tables: readonly TableChecked[];
  /** Whether the operator asked for values. */
  readonly values: boolean;
  /** Who carried it out; left out: the process that writes it. */
  readonly engine?: NonNullable<Evidence["engine"]>;
}

/** Whether a connector that would mine again from `resumeScn` has delivered everything up to the check SCN. */
export function hasPassed(resumeScn: Scn | undefined, checkScn: Scn): boolean {
  return resumeScn !== undefined && resumeScn > checkScn;
}

/**
 * The evidence of a verification. Two digests: `digest` protects the whole document; `findings` covers what was asked
 * and found, and is the same for every run that was given the same and read the same, however it was divided and
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
 * Digest over what was asked and found. Of the position only what was decided by it: the connector goes on, and its
 * resume SCN with it. Topics grow as well: how many records were read is not a finding, except in format 1.
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
  const unreadable = [newRecords, legacyRecords].map((side) => side?.unreadable ?? null);
  return { ...table, unreadable: { records: unreadable, reasons: table.unreadable } };
}

/** As it is written to a file. */
export function printEvidence(evidence: Evidence): string {
  return `${canonicalJson(evidence)}\n`;
}
