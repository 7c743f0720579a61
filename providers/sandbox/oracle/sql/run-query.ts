/** Runs a query: joins sources, and filters, groups, orders and limits rows. */
import type { Bind, Rows } from "../options.ts";
import { OraError } from "../ora-error.ts";
import type { Column } from "../values.ts";
import { compile, compileCondition } from "./compile.ts";
import { parseQuery } from "./parser.ts";
import type { Compiled, CompiledQuery, Frame, NamedShape, Relation, Scope, Surroundings } from "./scope.ts";
import { indexed, isInOrder, lookedUp, mostRows, type RowsOf } from "./shortcuts.ts";
import type { Item, Query, Select, Source } from "./syntax.ts";
import { asInteger, asText, compare, forClient, type SqlValue } from "./values.ts";

/** Answers a SELECT. @throws OraError as the database does: for syntax, names, types, and arguments of functions */
export function runQuery(sql: string, binds: readonly Bind[], surroundings: Surroundings): Rows {
  const scope = newScope(undefined, new Map(), binds, surroundings);
  const compiled = compileQuery(parseQuery(sql), scope);
  const columns = compiled.columns.map(
    ({ name, type, size }): Column => ({ name, type, ...(size === undefined ? {} : { size }) }),
  );
  const rows = Array.from(compiled.rows({ rows: [] }), (row) =>
    row.map((value, i) => forClient(value, columns[i]?.type ?? "VARCHAR2")),
  );
  return { columns, rows };
}

function newScope(
  outer: Scope | undefined,
  named: ReadonlyMap<string, Relation>,
  binds: readonly Bind[],
  surroundings: Surroundings,
): Scope {
  return { sources: [], outer, named, binds, surroundings, aggregates: false, run: compileQuery };
}

function inside(outer: Scope, named: ReadonlyMap<string, Relation>): Scope {
  return newScope(outer, named, outer.binds, outer.surroundings);
}

interface Row {
  readonly values: readonly SqlValue[];
  readonly frame: Frame;
}

interface CompiledSelect {
  readonly columns: readonly NamedShape[];
  /** Its only source, if that is a view or a table. */
  readonly relation: Relation | undefined;
  readonly scope: Scope;
  rows(outer: Frame): Iterable<Row>;
}

function compileQuery(query: Query, outer: Scope): CompiledQuery {
  const named = new Map(outer.named);
  for (const [name, inner] of query.named) {
    const compiled = compileQuery(inner, inside(outer, named));
    named.set(name, { columns: compiled.columns, rows: [...compiled.rows({ rows: [] })] });
  }
  const selects = query.selects.map((select) => compileSelect(select, inside(outer, named)));
  const [first] = selects;
  if (first === undefined) throw new OraError(900, "invalid SQL statement");
  if (selects.some(({ columns }) => columns.length !== first.columns.length))
    throw new OraError(1789, "query block has incorrect number of result columns");
  const order = query.order.map(({ by, descending }) => ({ descending, key: orderKey(by, first) }));
  const limit = query.limit === undefined ? undefined : compile(query.limit, inside(outer, named));
  return {
    columns: first.columns,
    rows: (frame) => {
      let rows: Iterable<Row> =
        selects.length === 1 ? first.rows(frame) : selects.flatMap((one) => [...one.rows(frame)]);
      if (order.length > 0 && !isInOrder(query, first.relation))
        rows = [...rows].sort((left, right) => compareRows(order, left, right));
      const most = limit === undefined ? undefined : Number(asInteger(limit.value(frame)));
      return take(rows, most);
    },
  };
}

function* take(rows: Iterable<Row>, most: number | undefined): Generator<readonly SqlValue[]> {
  let taken = 0;
  for (const { values } of rows) {
    if (most !== undefined && taken++ >= most) return;
    yield values;
  }
}

type OrderKey = (row: Row) => SqlValue;

/** An ORDER BY may name a column of the result, by its alias or position, or any expression of the sources. */
function orderKey(by: Query["order"][number]["by"], select: CompiledSelect): OrderKey {
  const at =
    by.is === "literal" && typeof by.value === "bigint"
      ? Number(by.value) - 1
      : by.is === "column" && by.qualifier === undefined
        ? select.columns.findIndex(({ name }) => name === by.name)
        : -1;
  if (at >= 0) return ({ values }) => values[at] ?? null;
  const key = compile(by, select.scope);
  return ({ frame }) => key.value(frame);
}

/** Nulls are last; first if descending. */
function compareRows(order: readonly { descending: boolean; key: OrderKey }[], left: Row, right: Row): number {
  for (const { descending, key } of order) {
    const [a, b] = [key(left), key(right)];
    const by = a === null || b === null ? Number(a === null) - Number(b === null) : (compare(a, b) ?? 0);
    if (by !== 0) return descending ? -by : by;
  }
  return 0;
}

function compileSelect(select: Select, scope: Scope): CompiledSelect {
  const used = new Set<number>();
  const found = select.from.length === 1 ? relationOf(select.from[0], scope) : undefined;
  const only = found?.only?.(used) ?? found;
  const relations: RowsOf[] = select.from.map((source) => compileSource(source, scope, only, used));
  const candidates = only && indexed(only, select, scope);
  if (candidates !== undefined) relations[0] = () => candidates;
  const most = mostRows(select, scope);
  const joins = select.from.map(({ join }) => join?.on && compileCondition(join.on, scope));
  for (const [at, source] of select.from.entries()) {
    const lookup = relations[at] && lookedUp(source, at, relations[at], scope);
    if (lookup !== undefined) relations[at] = lookup;
  }
  const where = select.where && compileCondition(select.where, scope);
  const groupBy = select.groupBy.map((key) => compile(key, scope));
  const items = select.items.flatMap((item) => compileItem(item, scope));
  const having = select.having && compileCondition(select.having, scope);
  const grouped = groupBy.length > 0 || scope.aggregates || having !== undefined;
  return {
    columns: items.map(({ name, compiled: { type, size } }) => ({
      name,
      type,
      ...(size === undefined ? {} : { size }),
    })),
    scope,
    relation: having === undefined && !grouped ? only : undefined,
    *rows(outer) {
      let frames: Iterable<Frame> = joined(select.from, relations, joins, 0, [], outer);
      frames = where === undefined ? numbered(frames) : filtered(frames, where, most);
      if (grouped) frames = groups(frames, groupBy, outer);
      const seen = new Set<string>();
      for (const frame of frames) {
        if (having !== undefined && having(frame) !== true) continue;
        const values = items.map(({ compiled }) => compiled.value(frame));
        if (select.distinct) {
          const key = JSON.stringify(values.map(asText));
          if (seen.has(key)) continue;
          seen.add(key);
        }
        yield { values, frame };
      }
    },
  };
}

function relationOf(source: Source | undefined, scope: Scope): Relation | undefined {
  if (source === undefined || !("view" in source)) return undefined;
  const { view, offset, asOfScn } = source;
  const scn = asOfScn && asInteger(compile(asOfScn, scope).value({ rows: [] }));
  return scope.named.get(view) ?? scope.surroundings.view(view, offset, scn ?? undefined);
}

function compileSource(source: Source, scope: Scope, known: Relation | undefined, used: Set<number>): RowsOf {
  if ("query" in source) {
    // An inline view sees the outer query, not the sources next to it.
    const around = scope.outer ?? scope;
    const query = compileQuery(source.query, inside(around, scope.named));
    scope.sources.push({ alias: source.alias, columns: query.columns, used });
    return (frame) => query.rows(frame);
  }
  if ("collection" in source) {
    const { collection } = source;
    if (collection.is !== "call" || !/(^|\.)ODCI(NUMBER|VARCHAR2)LIST$/.test(collection.name))
      throw new OraError(22905, "cannot access rows from a non-nested table item");
    const type = collection.name.endsWith("NUMBERLIST") ? "NUMBER" : "VARCHAR2";
    const members = collection.parameters.map((member) => compile(member, scope));
    scope.sources.push({ alias: source.alias, columns: [{ name: "COLUMN_VALUE", type, size: 4000 }], used });
    return (frame) => members.map((member) => [member.value({ rows: [], outer: frame })]);
  }
  const relation = known ?? relationOf(source, scope);
  if (relation === undefined) throw new OraError(942, "table or view does not exist");
  scope.sources.push({ alias: source.alias, columns: relation.columns, used });
  return () => relation.rows;
}

function compileItem(item: Item, scope: Scope): readonly { readonly name: string; readonly compiled: Compiled }[] {
  if (!item.all) return [{ name: item.name, compiled: compile(item.expression, scope) }];
  const sources = scope.sources.filter(({ alias }) => item.qualifier === undefined || alias === item.qualifier);
  if (sources.length === 0) throw new OraError(904, `"${item.qualifier}"."*": invalid identifier`, item.offset);
  return sources.flatMap(({ alias, columns, used }) =>
    columns.map((column, at) => {
      used.add(at);
      const source = scope.sources.findIndex((one) => one.alias === alias);
      return {
        name: column.name,
        compiled: { ...column, value: ({ rows }: Frame) => rows[source]?.[at] ?? null },
      };
    }),
  );
}

function* joined(
  sources: readonly Source[],
  relations: readonly RowsOf[],
  joins: readonly (((frame: Frame) => boolean | undefined) | undefined)[],
  depth: number,
  rows: readonly (readonly SqlValue[])[],
  outer: Frame,
): Generator<Frame> {
  const relation = relations[depth];
  if (relation === undefined) {
    yield { rows, outer };
    return;
  }
  let matched = false;
  for (const row of relation(outer, rows)) {
    const so = [...rows, row];
    if (joins[depth] !== undefined && joins[depth]({ rows: so, outer }) !== true) continue;
    matched = true;
    yield* joined(sources, relations, joins, depth + 1, so, outer);
  }
  if (!matched && sources[depth]?.join?.outer === true)
    yield* joined(sources, relations, joins, depth + 1, [...rows, []], outer);
}

function* numbered(frames: Iterable<Frame>): Generator<Frame> {
  let number = 1n;
  for (const frame of frames) yield { ...frame, number: number++ };
}

function* filtered(
  frames: Iterable<Frame>,
  where: (frame: Frame) => boolean | undefined,
  most: bigint | undefined,
): Generator<Frame> {
  let number = 1n;
  if (most !== undefined && most < 1n) return;
  for (const frame of frames) {
    const candidate = { ...frame, number };
    if (where(candidate) !== true) continue;
    number++;
    yield candidate;
    if (most !== undefined && number > most) return;
  }
}

function groups(frames: Iterable<Frame>, keys: readonly Compiled[], outer: Frame): Iterable<Frame> {
  const byKey = new Map<string, Frame[]>();
  if (keys.length === 0) byKey.set("[]", []);
  for (const frame of frames) {
    const key = JSON.stringify(keys.map((one) => asText(one.value(frame))));
    const members = byKey.get(key);
    if (members === undefined) byKey.set(key, [frame]);
    else members.push(frame);
  }
  return Array.from(byKey.values(), (group) => ({ rows: group[0]?.rows ?? [], outer, group }));
}
