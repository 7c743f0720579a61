import { type Row, type Session, WHOLE_DICTIONARY } from "./session.ts";
import { textBinds } from "./table-query.ts";

/**
 * Returns a function that queries all tables at once: those of the named PDBs, or without names those of the current
 * container. Names of PDBs are converted to upper case.
 */
export function everyTableIn(
  session: Session,
): (
  statement: (pdbs: number) => string,
  pdbs: readonly string[],
  others?: Readonly<Record<string, string>>,
) => Promise<readonly Row[]> {
  return (statement, pdbs, others = {}) => {
    const names = [...new Set(pdbs.map((pdb) => pdb.toUpperCase()))];
    const texts = { ...Object.fromEntries(names.map((name, at) => [`pdb${at + 1}`, name])), ...others };
    return session.query(statement(names.length), (driver) => textBinds(driver, texts), WHOLE_DICTIONARY);
  };
}
