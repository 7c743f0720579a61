import { CallFailed } from "../../core/errors.ts";
import { GO_TO_ROOT } from "./statements.ts";

/**
 * Returns the statement that switches the session to a container. Names of containers are plain words: anything else is
 * not put into a statement.
 *
 * @throws CallFailed
 */
export function goTo(container: string): string {
  if (!/^[\p{L}_][\p{L}\p{N}_$#]*$/u.test(container))
    throw new CallFailed("oracle", "rejected", { message: `${container} is not a valid container name` });
  return GO_TO_ROOT.replace(/\S+$/, () => container);
}

/**
 * Returns the parts of a query that select rows of a `CDB_` view by container: of the named PDBs (binds `:pdb1` and so
 * on, upper case), or without names of the current container. `where` begins with the last join, if it needs one.
 */
export function ofContainers(view: string, pdbs: number): { readonly name: string; readonly where: string } {
  if (pdbs === 0)
    return {
      name: "SYS_CONTEXT('USERENV', 'CON_NAME')",
      where: `\n WHERE ${view}.CON_ID = TO_NUMBER(SYS_CONTEXT('USERENV', 'CON_ID'))`,
    };
  const names = Array.from({ length: pdbs }, (_, at) => `:pdb${at + 1}`).join(", ");
  return {
    name: "c.NAME",
    where: `\n  JOIN V$CONTAINERS c ON c.CON_ID = ${view}.CON_ID\n WHERE c.NAME IN (${names})`,
  };
}
