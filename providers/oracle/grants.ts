/** Returns the views that a statement names, in the order of their first occurrence. */
export function viewsIn(sql: string): readonly string[] {
  return [...new Set(sql.toUpperCase().match(/\b(?:G?V\$|(?:CDB|DBA)_)\w+/g))];
}

/**
 * Returns the views that an error may concern.
 *
 * @param offset where in the statement the server found it, characters from 0; undefined or 0 if it did not report one
 * @returns the view at the offset, otherwise every view that the statement reads
 */
export function viewsBlamed(sql: string, offset: number | undefined): readonly string[] {
  const at =
    offset === undefined || offset === 0
      ? undefined
      : /^(?:SYS\.)?((?:G?V\$|(?:CDB|DBA)_)\w+)/i.exec(sql.slice(offset))?.[1];
  return at === undefined ? viewsIn(sql) : [at.toUpperCase()];
}

export interface Grantee {
  readonly user: string;
  /**
   * `USER_USERS.COMMON`: a user of all containers. Undefined if the database did not report it; the name does not show
   * it, see `COMMON_USER_PREFIX`.
   */
  readonly common?: boolean | undefined;
}

/**
 * The grant to read a view: V$ names are public synonyms, which can't be granted; views of the dictionary come with
 * SELECT ANY DICTIONARY (reference: Oracle, "Views" and "Capture user's grants").
 *
 * @returns the statement an administrator runs; `CONTAINER=ALL` for a common user, who needs it in every container
 */
export function grantOf(view: string, to: Grantee): string {
  return granted(/^G?V\$/.test(view) ? `SELECT ON ${view.replace("V$", () => "V_$")}` : "SELECT ANY DICTIONARY", to);
}

/** @param what a privilege, or several, as GRANT takes them @returns as `grantOf` */
export function granted(what: string, { user, common }: Grantee): string {
  if (common === true) return `GRANT ${what} TO ${user} CONTAINER=ALL;`;
  const inDoubt =
    common === undefined ? " (with CONTAINER=ALL where it is a common user, which could not be seen)" : "";
  return `GRANT ${what} TO ${user};${inDoubt}`;
}
