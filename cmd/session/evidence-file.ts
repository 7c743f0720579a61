import { realpath, stat } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, resolve } from "node:path";
import { UsageError } from "../../core/errors.ts";
import { readEvidence } from "../../core/kinds/migration/evidence.ts";
import { readText, refuseOther, replaceFile } from "./files.ts";

/** Size limit for every command that reads evidence, so that all accept the same files. */
export const MAX_EVIDENCE_BYTES = 256 * 1024 * 1024;

/**
 * The path of a plan file's evidence, in the plan file's folder or below it: as it is named, and without links, which
 * could lead elsewhere later.
 *
 * @throws UsageError if a link leads elsewhere
 */
export async function evidencePath(
  path: string,
  planFile: string | undefined,
): Promise<{ named: string; real: string }> {
  const folder = planFile === undefined || planFile === "-" ? "." : dirname(planFile);
  const named = isAbsolute(path) ? path : join(folder, path);
  const real = await realPathOf(resolve(named));
  const within = relative(await realPathOf(resolve(folder)), real);
  if (isAbsolute(within) || within.split(/[\\/]/)[0] === "..")
    throw new UsageError(
      `spec.evidence leads out of the plan file's folder: ${named} is in ${dirname(real)}`,
      "Name a file in that folder, or in one below it, without a link.",
    );
  return { named, real };
}

/** The real path of what exists of a path, with the rest behind it. */
function realPathOf(path: string): Promise<string> {
  return realpath(path).catch(async () =>
    dirname(path) === path ? path : join(await realPathOf(dirname(path)), basename(path)),
  );
}

export async function readEvidenceFile(path: string, planFile: string | undefined): Promise<string> {
  return readText((await evidencePath(path, planFile)).real, MAX_EVIDENCE_BYTES, "outside");
}

/**
 * Writes evidence, in place of an earlier one.
 *
 * @param real its path without links
 * @throws UsageError also if a link has taken the place of one of its folders since
 */
export async function replaceEvidence(real: string, connector: string, text: string): Promise<void> {
  await refuseStranger(real, connector);
  if ((await realPathOf(real)) !== real)
    throw new UsageError(
      `the evidence cannot be written to ${real}: a folder on its path is now a link`,
      "Remove the link.",
    );
  await replaceFile(real, text);
}

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
