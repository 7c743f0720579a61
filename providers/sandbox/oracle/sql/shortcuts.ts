/**
 * What a query need not look at: an index leads to the first row that counts and has them in order already, and ROWNUM ends the rest. The answer
 * is the same without; tables of a million rows are read in batches with it.
 */
import { compile } from "./compile.ts";
import type { Relation, Scope } from "./scope.ts";
import type { Expression, Query, Select } from "./syntax.ts";
import { asInteger, type SqlValue } from "./values.ts";

type Comparison = Extract<Expression, { is: "comparison" }>;

/** The rows of an indexed relation that can fulfil the condition, in the index's order. */
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

/** Whether rows come in the order asked for without being sorted. */
export function isInOrder(query: Query, relation: Relation | undefined): boolean {
  const [select] = query.selects;
  if (relation?.index === undefined || query.selects.length !== 1 || select?.from.length !== 1) return false;
  const names = relation.index.columns.map((place) => relation.columns[place]?.name);
  return query.order.every(
    ({ by, descending }, at) =>
      !descending && by.is === "column" && by.qualifier !== undefined && by.name === names[at],
  );
}

/** How many rows `ROWNUM <= n` lets pass. */
export function mostRows(select: Select, scope: Scope): bigint | undefined {
  const limit = comparisonsOf(select.where).find(
    ({ operator, left }) => operator === "<=" && left.is === "column" && left.name === "ROWNUM",
  );
  return limit && (asInteger(compile(limit.right, scope).value({ rows: [] })) ?? undefined);
}

/** Comparisons with a constant that every row has to fulfil. */
function comparisonsOf(where: Expression | undefined): readonly Comparison[] {
  if (where?.is === "and") return [...comparisonsOf(where.left), ...comparisonsOf(where.right)];
  return where?.is === "comparison" && isConstant(where.right) ? [where] : [];
}

function isConstant(expression: Expression): boolean {
  if (expression.is === "literal" || expression.is === "bind") return true;
  return expression.is === "call" && expression.parameters.every(isConstant);
}
