import { suite } from "uvu";
import * as assert from "uvu/assert";
import { viewsIn } from "./grants.ts";
import * as preflight from "./preflight-statements.ts";
import * as statements from "./statements.ts";
import { DOCUMENTED_VIEWS } from "./testdata/documented-views.ts";
import { complaints } from "./testing/oracle-grammar.ts";

/** Every statement; those that depend on a number, for several numbers. */
const TEXTS = Object.entries({ ...statements, ...preflight }).flatMap(([name, text]): (readonly [string, string])[] =>
  typeof text === "string" ? [[name, text]] : [0, 1, 3].map((count) => [`${name}(${count})`, text(count)] as const),
);
const QUERIES = TEXTS.filter(([, sql]) => sql.startsWith("SELECT"));

/** `[view, column]` of every column that a query reads. */
function columnsRead(sql: string): [view: string, column: string][] {
  const text = sql.replace(/'[^']*'/g, "''");
  const sources = [
    ...text.matchAll(
      /\b(?:FROM|JOIN)\s+((?:G?V\$|(?:CDB|DBA)_)\w+)[ \t]*(?!ON\b|WHERE\b|ORDER\b|LEFT\b|CROSS\b)([a-z]\w*)?/g,
    ),
  ];
  const byAlias = new Map(sources.flatMap(([, view = "", alias]) => (alias === undefined ? [] : [[alias, view]])));
  if (byAlias.size > 0)
    return [...text.matchAll(/\b([a-z])\.(\w+#?)/g)].map(([, alias = "", column = ""]) => [
      byAlias.get(alias) ?? `no view for ${alias}`,
      column,
    ]);
  const [view] = sources.map(([, name]) => name);
  if (view === undefined) return [];
  const identifiers =
    text
      .replaceAll(view, "")
      .replace(/\bAS [A-Z_]+\b/g, "")
      .match(/(?<!:)\b[A-Za-z][\w]*#?(?![\w#]*\s*\()/g) ?? [];
  return identifiers.filter((word) => !SQL_WORDS.includes(word)).map((column) => [view, column]);
}

const SQL_WORDS = ["SELECT", "FROM", "WHERE", "ORDER", "BY", "AS", "TIMESTAMP", "SYSTIMESTAMP", "CAST", "DUAL"];

const texts = suite("the statements sent to Oracle");

for (const [name, sql] of TEXTS)
  texts(`${name} is accepted by an independent Oracle grammar`, () => {
    assert.equal(complaints(sql.startsWith("SELECT") ? `${sql};` : sql), []);
  });

texts("the grammar refuses what Oracle refuses", () => {
  for (const broken of ["SELECT A FROM T WHERE;", "SELECT A,, B FROM T;", "BEGIN IF A THEN B; END;"])
    assert.is.not(complaints(broken).length, 0, broken);
});

for (const [name, sql] of QUERIES)
  texts(`${name} reads only columns that Oracle documents`, () => {
    const read = columnsRead(sql);
    assert.ok(read.length > 0 || viewsIn(sql).length === 0);
    for (const [view, column] of read) assert.ok(DOCUMENTED_VIEWS[view]?.includes(column), `${view}.${column}`);
  });

texts("a grant is asked for exactly the views that a statement reads", () => {
  for (const [name, sql] of QUERIES) {
    const read = columnsRead(sql).map(([view]) => view);
    assert.equal([...viewsIn(sql)].sort(), [...new Set(read)].sort(), name);
  }
  assert.equal(Object.keys(DOCUMENTED_VIEWS).sort(), [...new Set(QUERIES.flatMap(([, sql]) => viewsIn(sql)))].sort());
});

texts("12.1 is not queried for a column that 18 added", () => {
  assert.match(statements.DATABASE, "i.VERSION_FULL");
  assert.not.match(statements.DATABASE_BEFORE_18, "VERSION_FULL");
});

texts("every bind has a name, so that order does not matter", () => {
  for (const [name, sql] of TEXTS) assert.not.match(sql.replace(/'[^']*'/g, "''"), /:\d/, name);
});

texts.run();
