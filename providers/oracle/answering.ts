import { CallFailed } from "../../core/errors.ts";
import type { Row } from "./session.ts";

/**
 * The rows without those of SYS, which show that their container answered.
 *
 * @param view the one that is blamed
 * @param pdbs those asked for; none: the container connected to
 * @param shows whether a row of SYS is proof enough
 * @throws CallFailed where a container did not answer
 */
export function answered(
  view: string,
  pdbs: readonly string[],
  rows: readonly Row[],
  shows: (row: Row) => boolean = () => true,
): readonly Row[] {
  const isOfSys = ([, owner]: Row): boolean => owner === "SYS";
  demandAnswers(
    view,
    pdbs,
    rows.filter((row) => isOfSys(row) && shows(row)),
  );
  return rows.filter((row) => !isOfSys(row));
}

/** @param witnesses rows that a container has if it answered, its name first @throws CallFailed where one has none */
export function demandAnswers(view: string, pdbs: readonly string[], witnesses: readonly Row[]): void {
  const there = new Set(witnesses.map(([container]) => container?.toUpperCase()));
  if (pdbs.length === 0 && there.size === 0) throw leftOut(view, undefined);
  for (const pdb of pdbs) if (!there.has(pdb.toUpperCase())) throw leftOut(view, pdb);
}

/** What the view has of a container is not known, and not known to be nothing. */
export function leftOut(view: string, container: string | undefined): CallFailed {
  const from = container === undefined ? "" : `, in ${container}`;
  return new CallFailed({
    system: "oracle",
    kind: "rejected",
    message:
      `${view} shows nothing of ${container === undefined ? "this database" : `the PDB ${container}`}, not even ` +
      "what every database has: it was left out, and is not known to have none",
    remedy: `See what is wrong with it, as this login${from}:  SELECT COUNT(*) FROM ${view.replace(/^CDB_/, "DBA_")};`,
  });
}
