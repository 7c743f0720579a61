/**
 * The properties of a statement's text that the protocol needs: its kind, and its placeholders, whose names are not
 * sent.
 */

/**
 * Literals, quoted names and comments blanked in one pass: the cost of a hostile statement must be linear in its
 * length.
 */
export function blankLiterals(sql: string): string {
  let out = "";
  let from = 0;
  for (let at = 0; at < sql.length; ) {
    const end = endOfOpaque(sql, at);
    if (end === undefined) {
      at++;
      continue;
    }
    out += `${sql.slice(from, at)} `;
    from = end;
    at = end;
  }
  return out + sql.slice(from);
}

/** Where the literal, quoted name or comment that begins at `at` ends; undefined if none begins there. */
function endOfOpaque(sql: string, at: number): number | undefined {
  const char = sql[at];
  if (char === "'" || char === '"') return endOf(char, sql, at + 1);
  if (char === "-" && sql[at + 1] === "-") return endOf("\n", sql, at + 2);
  if (char === "/" && sql[at + 1] === "*") return endOf("*/", sql, at + 2);
  return undefined;
}

function endOf(closing: string, sql: string, from: number): number {
  const found = sql.indexOf(closing, from);
  return found < 0 ? sql.length : found + closing.length;
}

export function isPlsql(sql: string): boolean {
  return /^\s*(begin|declare|call)\b/i.test(blankLiterals(sql));
}

export function isQuery(sql: string): boolean {
  return /^\s*(select|with)\b/i.test(blankLiterals(sql));
}

/**
 * Names of the placeholders in the order of the binds: every occurrence in SQL, each name once in PL/SQL. Upper case.
 */
export function bindNames(sql: string): readonly string[] {
  const names = [...blankLiterals(sql).matchAll(/(?<!:):\s*([A-Za-z][\w$#]*|\d+)/g)].map(([, name = ""]) =>
    name.toUpperCase(),
  );
  return isPlsql(sql) ? [...new Set(names)] : names;
}
