/** The scope in which names of a query are resolved, and the current row. */
import type { Bind } from "../options.ts";
import { OraError } from "../ora-error.ts";
import type { ColumnType } from "../values.ts";
import type { Query } from "./syntax.ts";
import type { SqlValue } from "./values.ts";

export interface Shape {
  readonly type: ColumnType;
  /** Bytes, of texts. */
  readonly size?: number;
}

export interface NamedShape extends Shape {
  readonly name: string;
}

export interface Relation {
  readonly columns: readonly NamedShape[];
  readonly rows: Iterable<readonly SqlValue[]>;
  readonly index?: RelationIndex;
  /** The same relation, with values only at these positions, which are known when the first row is read. */
  readonly only?: (places: ReadonlySet<number>) => Relation;
}

/**
 * An index of all rows: those whose first columns are `equal`, and whose next one is above one value and not above
 * another, in order.
 */
export interface RelationIndex {
  /** Positions of its columns in the relation. */
  readonly columns: readonly number[];
  rows(
    equal: readonly SqlValue[],
    above: SqlValue | undefined,
    upTo: SqlValue | undefined,
  ): Iterable<readonly SqlValue[]>;
}

/** The database that surrounds a query. */
export interface Surroundings {
  /** @throws OraError 00942 for a view that does not exist or was not granted */
  view(name: string, offset: number, asOfScn: bigint | undefined): Relation;
  /** `SYS_CONTEXT('USERENV', …)`; null for an unknown parameter. */
  sysContext(parameter: string): string | null;
  readonly user: string;
  /** Milliseconds since the epoch. */
  now(): number;
  /** Minutes east of UTC of the server's operating system. */
  readonly zone: number;
  /** Milliseconds since the epoch. @throws OraError 08181 */
  timeOfScn(scn: bigint): number;
  /** @throws OraError 08180 */
  scnAtTime(epoch: number): bigint;
}

/** The current rows, one for each source; the group that they represent; the row of the outer query. */
export interface Frame {
  readonly rows: readonly (readonly SqlValue[])[];
  readonly group?: readonly Frame[];
  readonly number?: bigint;
  readonly outer?: Frame | undefined;
}

export interface ScopeSource {
  readonly alias: string;
  readonly columns: readonly NamedShape[];
  /** Positions of the columns that are read. */
  readonly used: Set<number>;
}

export interface Scope {
  readonly sources: ScopeSource[];
  readonly outer: Scope | undefined;
  readonly named: ReadonlyMap<string, Relation>;
  readonly binds: readonly Bind[];
  readonly surroundings: Surroundings;
  /** Set once an aggregate has been compiled in it. */
  aggregates: boolean;
  /** Runs a query inside this one. */
  readonly run: (query: Query, scope: Scope) => CompiledQuery;
}

export interface CompiledQuery {
  readonly columns: readonly NamedShape[];
  rows(outer: Frame): Iterable<readonly SqlValue[]>;
}

/** An expression that can be evaluated for a row. */
export interface Compiled extends Shape {
  value(frame: Frame): SqlValue;
}

/** @throws OraError 00904, 00918 */
export function compileColumn(
  scope: Scope,
  qualifier: string | undefined,
  name: string,
  offset: number,
): Compiled | undefined {
  const found = scope.sources.flatMap(({ alias, columns }, source) =>
    qualifier !== undefined && alias !== qualifier
      ? []
      : columns.flatMap((column, at) => (column.name === name ? [{ column, source, at }] : [])),
  );
  if (found.length > 1) throw new OraError(918, "column ambiguously defined", offset);
  const [only] = found;
  if (only !== undefined) {
    const { column, source, at } = only;
    scope.sources[source]?.used.add(at);
    return { ...column, value: ({ rows }) => rows[source]?.[at] ?? null };
  }
  if (scope.outer === undefined) return undefined;
  const outer = compileColumn(scope.outer, qualifier, name, offset);
  return outer && { ...outer, value: (frame) => (frame.outer === undefined ? null : outer.value(frame.outer)) };
}
