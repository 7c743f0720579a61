import type { Json } from "../../../../core/values/json.ts";
import type { OracleWorld, TableRow } from "../../oracle/world.ts";
import { rowsAt } from "../../table-rows.ts";
import { capturedTables } from "./captured-tables.ts";
import type { OpsEvent } from "./ops-events.ts";
import { advanced, begun, COMPLETED, printProgress, type SnapshotProgress } from "./snapshot-progress.ts";
import { stopWith } from "./stopped-task.ts";

/** The snapshots of a task: at most one runs, and tables may wait for the next. */
export interface Snapshots {
  readonly running: boolean;
  /** Goes on with a stored snapshot that is not complete, from its frontiers. */
  resume(progress: SnapshotProgress): void;
  /** Snapshots these tables as soon as no other snapshot runs. */
  wait(tables: readonly string[]): void;
  begin(tables: readonly string[], where: string | undefined): void;
  /** Reads no new chunk while paused. Only memory: a restarted task goes on. */
  pause(paused: boolean): void;
  stop(): void;
  /** Begins that of the tables that wait, if no other runs: before the signals of a poll (source: `pollSignals`). */
  startWaiting(): void;
  /** Publishes the next chunk. @throws Error that stops the task */
  step(): void;
  /** What the offset holds of it from now on: nothing until it changed; undefined removes a field. */
  readonly fields: Readonly<Record<string, Json | undefined>>;
}

/** Default of `cdc.snapshot.chunk.rows`. */
const CHUNK_ROWS = 100_000;

/**
 * The source reads chunks ahead and publishes each once mining has passed its SCN. Here one is read and published at
 * each commit.
 *
 * Rule: reference, connector rules, "Signals and snapshots".
 */
export function snapshotsOf(
  config: Readonly<Record<string, string>>,
  oracle: OracleWorld,
  write: (type: OpsEvent["type"], details: OpsEvent["details"]) => void,
): Snapshots {
  let current: SnapshotProgress | undefined;
  let paused = false;
  let waiting: readonly string[] = [];
  const fields: Record<string, Json | undefined> = {};
  const chunkRows = Number(config["cdc.snapshot.chunk.rows"] ?? CHUNK_ROWS);

  const carry = (progress: SnapshotProgress): void => {
    fields["snapshot"] = printProgress(progress);
  };
  const start = (progress: SnapshotProgress): void => {
    current = progress;
    paused = false;
    carry(progress);
  };
  const end = (details: OpsEvent["details"]): void => {
    current = undefined;
    carry(COMPLETED);
    write("snapshot-complete", { table: "*", ...details });
  };
  const startWaiting = (): void => {
    if (current !== undefined || waiting.length === 0) return;
    const tables = waiting;
    waiting = [];
    start(begun(tables));
    fields["snapshot_pending"] = undefined;
  };
  const publish = (progress: SnapshotProgress, name: string): SnapshotProgress => {
    const table = capturedTables(config, oracle).find((one) => one.name === name)?.row;
    if (table === undefined) {
      write("snapshot-complete", { table: name, skipped: "it no longer exists" });
      return advanced(progress, name, undefined);
    }
    if (table.unreadable !== undefined) throw unreadable(name, table.unreadable);
    const rows = rowsOf(table, oracle.currentScn()) ?? 2 * chunkRows;
    const from = rowsBefore(progress.tables.get(name)?.frontier);
    const upTo = Math.min(rows, from + chunkRows);
    write("snapshot-chunk-done", {
      table: name,
      scn: String(oracle.currentScn()),
      rows: String(Math.max(0, upTo - from)),
    });
    const last = upTo >= rows;
    if (last) write("snapshot-complete", { table: name });
    return advanced(progress, name, last ? undefined : [`n:${upTo + 1}`]);
  };

  return {
    get running() {
      return current !== undefined;
    },
    fields,
    resume: start,
    begin: (tables, where) => start(begun(tables, where)),
    wait(tables) {
      waiting = [...new Set([...waiting, ...tables])].sort();
      fields["snapshot_pending"] = waiting.length === 0 ? undefined : waiting.join(",");
      startWaiting();
    },
    pause(wanted) {
      paused = wanted;
    },
    stop: () => end({ stopped: "true" }),
    startWaiting,
    step() {
      if (current === undefined || paused) return;
      const { scope, tables } = current;
      const names = scope.length > 0 ? scope : capturedTables(config, oracle).map(({ name }) => name);
      const next = names.find((name) => tables.get(name)?.done !== true);
      if (next !== undefined) {
        current = publish(current, next);
        carry(current);
        if (names.some((name) => current?.tables.get(name)?.done !== true)) return;
      }
      end({});
    },
  };
}

/** How many rows a table holds; undefined where the sandbox's table has no rows of its own. */
function rowsOf({ generated, rows, statistics }: TableRow, scn: bigint): number | undefined {
  if (generated !== undefined) return generated.count;
  if (rows !== undefined) return rowsAt(rows, scn).length;
  return statistics === undefined ? undefined : Number(statistics.rows);
}

/** A frontier is a typed key, such as `n:10001` (source: `BoundCodec`); the rows here are numbered from 1. */
function rowsBefore(frontier: readonly string[] | undefined): number {
  const number = Number(/^n:(\d+)$/.exec(frontier?.[0] ?? "")?.[1] ?? 1);
  return number - 1;
}

/** Rule: reference, connector codes: CDC-8001, CDC-5002, and CDC-1001 for an ORA code that it does not classify. */
function unreadable(name: string, { code, text }: { readonly code: number; readonly text: string }): Error {
  const ora = `ORA-${String(code).padStart(5, "0")}: ${text}`;
  if (code === 1555 || code === 8181)
    return stopWith(
      "CDC-8001",
      `Snapshot of ${name} could not read a chunk of the smallest size as of its SCN: ${ora}`,
      "Raise UNDO_RETENTION (and the undo tablespace) so a chunk read of a few seconds finds its undo, then restart; " +
        "the snapshot resumes at this chunk.",
    );
  if (code === 942 || code === 1031)
    return stopWith("CDC-5002", `snapshot chunk: ${ora}`, "Grant the connector user what it lacks, then restart.");
  return stopWith("CDC-1001", `snapshot chunk: ${ora}`, "Fix the error shown, then restart the task.");
}
