import { stat } from "node:fs/promises";
import { UsageError } from "../../core/errors.ts";
import { readEvidence } from "../../core/kinds/migration/evidence.ts";
import { readText } from "./files.ts";
import { refuseOther } from "./write-file.ts";

/** Size limit for every command that reads evidence, so that all accept the same files. */
export const MAX_EVIDENCE_BYTES = 256 * 1024 * 1024;

/**
 * Checks, before anything is compared, that the evidence may be written to this path. It replaces earlier evidence of
 * the same connector and no other file: the name in a plan file may be a mistake.
 *
 * @throws UsageError
 */
export async function refuseStranger(path: string, connector: string): Promise<void> {
  // The owner of the evidence is reported below.
  await refuseOther(path, { what: "evidence", is: () => true });
  const size = await stat(path).then(
    (seen) => seen.size,
    () => undefined,
  );
  if (size === undefined) return;
  const read = readEvidence(await readText(path, MAX_EVIDENCE_BYTES, "outside"), path);
  if ("evidence" in read && read.evidence.connector === connector) return;
  const why = "evidence" in read ? `is evidence of ${read.evidence.connector}` : "is not valid evidence";
  throw new UsageError(
    `the evidence cannot be written to ${path}: it already exists and ${why}`,
    "Name another file in spec.evidence, or move that file away.",
  );
}
