import { stat } from "node:fs/promises";
import { UsageError } from "../../core/errors.ts";
import { readEvidence } from "../../core/kinds/migration/evidence.ts";
import { readText } from "./files.ts";
import { refuseOther } from "./write-file.ts";

/** One bound for whoever reads evidence: a file that one command takes, another takes too. */
export const MAX_EVIDENCE_BYTES = 256 * 1024 * 1024;

/**
 * Before anything is compared: that the evidence may be written there. It takes the place of an earlier one of the same
 * connector, and of no other file: a name in a plan file may be a slip of the pen.
 *
 * @throws UsageError
 */
export async function refuseStranger(path: string, connector: string): Promise<void> {
  // Whose evidence it is, is told below.
  await refuseOther(path, { what: "evidence", is: () => true });
  const size = await stat(path).then(
    (seen) => seen.size,
    () => undefined,
  );
  if (size === undefined) return;
  const read = readEvidence(await readText(path, MAX_EVIDENCE_BYTES, "outside"), path);
  if ("evidence" in read && read.evidence.connector === connector) return;
  const why = "evidence" in read ? `evidence of ${read.evidence.connector}` : "no evidence that holds together";
  throw new UsageError(
    `the evidence can't be written to ${path}: it is there already, and ${why}`,
    "Name another file in spec.evidence, or move that one away.",
  );
}
