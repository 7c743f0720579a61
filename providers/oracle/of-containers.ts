/**
 * Which container a row of a `CDB_` view belongs to, among some (binds `:pdb1` and so on, upper case), or the one
 * connected to.
 */
export function ofContainers(
  view: string,
  pdbs: number,
): { readonly name: string; readonly join: string; readonly where: string } {
  if (pdbs === 0)
    return {
      name: "SYS_CONTEXT('USERENV', 'CON_NAME')",
      join: "",
      where: `${view}.CON_ID = TO_NUMBER(SYS_CONTEXT('USERENV', 'CON_ID'))`,
    };
  const names = Array.from({ length: pdbs }, (_, at) => `:pdb${at + 1}`).join(", ");
  return {
    name: "c.NAME",
    join: `\n  JOIN V$CONTAINERS c ON c.CON_ID = ${view}.CON_ID`,
    where: `c.NAME IN (${names})`,
  };
}
