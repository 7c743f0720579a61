import { type Row, type Session, WHOLE_DICTIONARY } from "./session.ts";

const TEXT_BYTES = 512;

/**
 * Asks for all tables at once, of PDBs by name, or without any of the container connected to. Names of PDBs are in
 * capitals, however a setting has them.
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
    return session.query(
      statement(names.length),
      ({ BIND_IN, STRING }) =>
        Object.fromEntries(
          [...names.map((name, at) => [`pdb${at + 1}`, name] as const), ...Object.entries(others)].map(
            ([bind, val]) => [bind, { dir: BIND_IN, type: STRING, val, maxSize: TEXT_BYTES }],
          ),
        ),
      WHOLE_DICTIONARY,
    );
  };
}
