/** Parses a query: the part of Oracle's SELECT that tools use to read the catalogue. It refuses anything else. */
import { OraError } from "../ora-error.ts";
import { expressionReader } from "./expression-parser.ts";
import type { Item, Order, Query, Select, Source } from "./syntax.ts";
import { type TokenReader, tokenReader } from "./token-reader.ts";

/** @throws OraError 00900 to 00936, with the position, for text that is not a query or not supported */
export function parseQuery(sql: string): Query {
  const tokens = tokenReader(sql);
  const query = readQuery(tokens);
  if (tokens.peek().kind !== "end") throw new OraError(933, "SQL command not properly ended", tokens.peek().offset);
  return query;
}

function readQuery(tokens: TokenReader): Query {
  const named = new Map<string, Query>();
  if (tokens.skip("WITH"))
    do {
      const name = tokens.name();
      tokens.expect("AS");
      named.set(
        name,
        inParentheses(tokens, () => readQuery(tokens)),
      );
    } while (tokens.skip(","));
  const selects = [readSelect(tokens)];
  while (tokens.skip("UNION")) {
    tokens.expect("ALL");
    selects.push(readSelect(tokens));
  }
  const { expression } = readers(tokens);
  const order: Order[] = [];
  if (tokens.skip("ORDER")) {
    tokens.expect("BY");
    do {
      const by = expression();
      const descending = tokens.skip("DESC");
      if (!descending) tokens.skip("ASC");
      if (tokens.skip("NULLS") && !tokens.skip("FIRST")) tokens.expect("LAST");
      order.push({ by, descending });
    } while (tokens.skip(","));
  }
  let limit: Query["limit"];
  if (tokens.skip("FETCH")) {
    if (!tokens.skip("FIRST")) tokens.expect("NEXT");
    limit = expression();
    if (!tokens.skip("ROWS")) tokens.expect("ROW");
    tokens.expect("ONLY");
  }
  return { named, selects, order, limit };
}

function readers(tokens: TokenReader) {
  return expressionReader(tokens, () => readQuery(tokens));
}

function inParentheses<T>(tokens: TokenReader, read: () => T): T {
  tokens.expect("(");
  const inner = read();
  tokens.expect(")");
  return inner;
}

function readSelect(tokens: TokenReader): Select {
  const { expression } = readers(tokens);
  if (!tokens.skip("SELECT")) throw new OraError(900, "invalid SQL statement", tokens.peek().offset);
  const distinct = tokens.skip("DISTINCT");
  const items = list(tokens, () => readItem(tokens));
  if (!tokens.skip("FROM")) throw new OraError(923, "FROM keyword not found where expected", tokens.peek().offset);
  const from = readSources(tokens);
  const where = tokens.skip("WHERE") ? expression() : undefined;
  let groupBy: Select["groupBy"] = [];
  if (tokens.skip("GROUP")) {
    tokens.expect("BY");
    groupBy = list(tokens, expression);
  }
  const having = tokens.skip("HAVING") ? expression() : undefined;
  return { distinct, items, from, where, groupBy, having };
}

function list<T>(tokens: TokenReader, read: () => T): readonly T[] {
  const all = [read()];
  while (tokens.skip(",")) all.push(read());
  return all;
}

function readItem(tokens: TokenReader): Item {
  const { offset } = tokens.peek();
  if (tokens.skip("*")) return { all: true, qualifier: undefined, offset };
  if (tokens.peek(1).value === "." && tokens.peek(2).value === "*") {
    const qualifier = tokens.name();
    tokens.next();
    tokens.next();
    return { all: true, qualifier, offset };
  }
  const expression = readers(tokens).expression();
  const written = tokens.textSince(offset).replace(/\s+/g, "").toUpperCase();
  const alias = tokens.skip("AS") ? tokens.name() : readAlias(tokens);
  const own = expression.is === "column" ? expression.name : written;
  return { all: false, expression, name: alias ?? own };
}

const AFTER_A_SOURCE = new Set(
  "FROM WHERE GROUP HAVING ORDER FETCH JOIN INNER LEFT CROSS ON UNION AS CONNECT START".split(" "),
);

function readAlias(tokens: TokenReader): string | undefined {
  const { kind, value } = tokens.peek();
  if (kind === "quoted" || (kind === "name" && !AFTER_A_SOURCE.has(value))) return tokens.name();
  return undefined;
}

function readSources(tokens: TokenReader): readonly Source[] {
  const sources: Source[] = [readSource(tokens, undefined)];
  for (;;) {
    if (tokens.skip(",")) {
      sources.push(readSource(tokens, undefined));
      continue;
    }
    const outer = tokens.skip("LEFT");
    if (outer) tokens.skip("OUTER");
    const cross = !outer && tokens.skip("CROSS");
    if (!outer && !cross) tokens.skip("INNER");
    if (!tokens.skip("JOIN")) return sources;
    const source = readSource(tokens, { outer, on: undefined });
    if (!cross) tokens.expect("ON");
    sources.push(cross ? source : { ...source, join: { outer, on: readers(tokens).expression() } });
  }
}

function readSource(tokens: TokenReader, join: Source["join"]): Source {
  if (tokens.peek().value === "(") {
    const query = inParentheses(tokens, () => readQuery(tokens));
    return { query, join, alias: readAlias(tokens) ?? "" };
  }
  if (tokens.peek().value === "TABLE" && tokens.peek(1).value === "(") {
    tokens.next();
    const collection = inParentheses(tokens, readers(tokens).expression);
    return { collection, join, alias: readAlias(tokens) ?? "" };
  }
  const { offset } = tokens.peek();
  let view = tokens.name();
  while (tokens.skip(".")) view += `.${tokens.name()}`;
  let asOfScn: Extract<Source, { view: string }>["asOfScn"];
  if (tokens.peek().value === "AS" && tokens.peek(1).value === "OF") {
    tokens.next();
    tokens.next();
    tokens.expect("SCN");
    asOfScn = readers(tokens).expression();
  }
  const alias = readAlias(tokens) ?? view.slice(view.lastIndexOf(".") + 1);
  return { view, offset, asOfScn, join, alias };
}
