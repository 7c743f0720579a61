import { isObject, type JsonObject, parseJson, printJson } from "../../../../core/values/json.ts";

/**
 * How far a snapshot is. A table that is missing here has not been started; of one that is not done, the frontier is
 * the lower bound of its next chunk.
 *
 * Form: reference, wire formats, "Stored offset", `snapshot`.
 */
export interface SnapshotProgress {
  readonly complete: boolean;
  readonly tables: ReadonlyMap<string, { readonly done: boolean; readonly frontier?: readonly string[] }>;
  /** The tables of a signal; none: every captured one. */
  readonly scope: readonly string[];
  /** The signal's condition. */
  readonly where: string | undefined;
}

/** Nothing is read yet. */
export function begun(scope: readonly string[], where?: string): SnapshotProgress {
  return { complete: false, tables: new Map(), scope, where };
}

/** @param frontier undefined: the table is done */
export function advanced(
  progress: SnapshotProgress,
  table: string,
  frontier: readonly string[] | undefined,
): SnapshotProgress {
  const state = frontier === undefined ? { done: true } : { done: false, frontier };
  return { ...progress, tables: new Map(progress.tables).set(table, state) };
}

/** Ended, by itself or by a signal: the tables are no longer listed (source: `SnapshotProgress.completed`). */
export const COMPLETED: SnapshotProgress = { complete: true, tables: new Map(), scope: [], where: undefined };

/** @throws SyntaxError or TypeError for anything else than the JSON text of a block, which stops the task */
export function readProgress(text: string): SnapshotProgress & { readonly v: unknown } {
  const block = parseJson(text);
  if (!isObject(block)) throw new TypeError("the snapshot block is not a JSON object");
  const tables = Object.entries((block["tables"] ?? {}) as JsonObject).map(([table, state]) => {
    const { done, frontier } = state as JsonObject;
    return [
      table,
      { done: done === true, ...(Array.isArray(frontier) ? { frontier: frontier.map(String) } : {}) },
    ] as const;
  });
  return {
    v: block["v"],
    complete: block["complete"] === true,
    tables: new Map(tables),
    scope: Array.isArray(block["scope"]) ? block["scope"].map(String) : [],
    where: typeof block["where"] === "string" ? block["where"] : undefined,
  };
}

export function printProgress({ complete, tables, scope, where }: SnapshotProgress): string {
  return printJson(
    {
      ...{ v: 1n, complete, tables: Object.fromEntries(tables), scope },
      ...(where === undefined ? {} : { where }),
    },
    0,
  );
}
