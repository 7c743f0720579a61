/**
 * Optimizations of queries: an index finds the first matching row and returns rows in order, and ROWNUM ends the read.
 * The result is the same without them; they make batches of tables with a million rows feasible.
 */
import { compile } from "./compile.ts";
import type { Frame, Relation, Scope } from "./scope.ts";
import type { Expression, Query, Select, Source } from "./syntax.ts";
import { asInteger, asText, type SqlValue } from "./values.ts";

/** The rows of a source, given a row of each preceding source. */
export type RowsOf = (outer: Frame, before: readonly (readonly SqlValue[])[]) => Iterable<readonly SqlValue[]>;

type Comparison = Extract<Expression, { is: "comparison" }>;

/** The rows of an indexed relation that can satisfy the condition, in the order of the index. */
export function indexed(relation: Relation, select: Select, scope: Scope): Iterable<readonly SqlValue[]> {
  const { index, columns } = relation;
  if (index === undefined || select.from.length !== 1) return relation.rows;
  const found = comparisonsOf(select.where);
  const constantFor = (place: number, operator: string): SqlValue | undefined => {
    const comparison = found.find(
      ({ operator: is, left }) => is === operator && left.is === "column" && left.name === columns[place]?.name,
    );
    return comparison && compile(comparison.right, scope).value({ rows: [] });
  };
  const equal: SqlValue[] = [];
  for (const place of index.columns) {
    const value = constantFor(place, "=");
    if (value === undefined) break;
    equal.push(value);
  }
  const next = index.columns[equal.length];
  if (next === undefined) return index.rows(equal, undefined, undefined);
  return index.rows(equal, constantFor(next, ">"), constantFor(next, "<="));
}

/** Whether rows are in the requested order without sorting. */
export function isInOrder(query: Query, relation: Relation | undefined): boolean {
  const [select] = query.selects;
  if (relation?.index === undefined || query.selects.length !== 1 || select?.from.length !== 1) return false;
  const names = relation.index.columns.map((place) => relation.columns[place]?.name);
  return query.order.every(
    ({ by, descending }, at) =>
      !descending && by.is === "column" && by.qualifier !== undefined && by.name === names[at],
  );
}

/** The number of rows that `ROWNUM <= n` allows. */
export function mostRows(select: Select, scope: Scope): bigint | undefined {
  const limit = comparisonsOf(select.where).find(
    ({ operator, left }) => operator === "<=" && left.is === "column" && left.name === "ROWNUM",
  );
  return limit && (asInteger(compile(limit.right, scope).value({ rows: [] })) ?? undefined);
}

/** Comparisons with a constant that every row must satisfy. */
function comparisonsOf(where: Expression | undefined): readonly Comparison[] {
  if (where?.is === "and") return [...comparisonsOf(where.left), ...comparisonsOf(where.right)];
  return where?.is === "comparison" && isConstant(where.right) ? [where] : [];
}

function isConstant(expression: Expression): boolean {
  if (expression.is === "literal" || expression.is === "bind") return true;
  return expression.is === "call" && expression.parameters.every(isConstant);
}

interface Pair {
  /** Position of the column in the joined source. */
  readonly at: number;
  readonly source: number;
  readonly column: number;
}

/**
 * The rows of a joined source that can satisfy its condition, found by the columns that it compares with those of
 * preceding sources: this makes joins of thousands of rows with thousands feasible. The condition itself is still
 * evaluated.
 *
 * @returns undefined if it compares no two columns of the same type
 */
export function lookedUp(source: Source, at: number, rowsOf: RowsOf, scope: Scope): RowsOf | undefined {
  const pairs = pairsOf(source.join?.on, at, scope);
  if (pairs.length === 0 || !("view" in source)) return undefined;
  let byKey: Map<string, (readonly SqlValue[])[]> | undefined;
  return (outer, before) => {
    byKey ??= grouped(rowsOf(outer, before), pairs);
    const wanted = pairs.map(({ source: of, column }) => before[of]?.[column] ?? null);
    return byKey.get(keyOf(wanted)) ?? [];
  };
}

function grouped(rows: Iterable<readonly SqlValue[]>, pairs: readonly Pair[]) {
  const byKey = new Map<string, (readonly SqlValue[])[]>();
  for (const row of rows) {
    const key = keyOf(pairs.map(({ at }) => row[at] ?? null));
    const same = byKey.get(key);
    if (same === undefined) byKey.set(key, [row]);
    else same.push(row);
  }
  return byKey;
}

function keyOf(values: readonly SqlValue[]): string {
  return JSON.stringify(values.map(asText));
}

function pairsOf(on: Expression | undefined, at: number, scope: Scope): readonly Pair[] {
  if (on?.is === "and") return [...pairsOf(on.left, at, scope), ...pairsOf(on.right, at, scope)];
  if (on?.is !== "comparison" || on.operator !== "=") return [];
  const sides = [placeOf(on.left, scope), placeOf(on.right, scope)];
  const own = sides.find((side) => side?.source === at);
  const other = sides.find((side) => side !== undefined && side.source < at);
  if (own === undefined || other === undefined || own.type !== other.type || own.type === "CHAR") return [];
  return [{ at: own.column, source: other.source, column: other.column }];
}

function placeOf(expression: Expression, { sources }: Scope) {
  if (expression.is !== "column" || expression.qualifier === undefined) return undefined;
  const source = sources.findIndex(({ alias }) => alias === expression.qualifier);
  const column = sources[source]?.columns.findIndex(({ name }) => name === expression.name) ?? -1;
  const type = sources[source]?.columns[column]?.type;
  return type === undefined ? undefined : { source, column, type };
}
