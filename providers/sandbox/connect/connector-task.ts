import type { OffsetEntry } from "../../../core/facts/offset/stored-offset.ts";
import { isObject, type Json, type JsonObject, parseJson, printJson } from "../../../core/values/json.ts";
import type { SandboxBroker } from "../kafka/broker.ts";
import type { OracleWorld } from "../oracle/world.ts";
import { missingRedo } from "./missing-redo.ts";
import { type SignalManner, signalsOf } from "./signals.ts";
import type { SandboxTask, TaskedConnector } from "./task.ts";

/** The environment of a task, besides its worker. */
export interface Surroundings {
  readonly oracle: OracleWorld;
  readonly broker: SandboxBroker;
  /** How it treats signals, which may change while it runs. */
  manner(): SignalManner;
}

/**
 * A task that behaves as the connector's: it fails at its start if its resume SCN points into deleted redo, and while
 * it runs it reads its signals, answers them and snapshots the tables that they name. `mining` defines how it mines.
 */
export function connectorTask(
  mining: SandboxTask,
  connector: TaskedConnector,
  surroundings: Surroundings,
): SandboxTask {
  const { config } = connector;
  const server = config["cdc.topic.prefix"] ?? "";
  const signals = signalsOf(connector, surroundings);
  let from = 0n;
  let progress: Json | undefined;
  /**
   * The part of the offset that does not belong to the mining: empty until a signal was read, or a running snapshot was
   * found.
   */
  let own: JsonObject = {};

  const snapshot = (text: string): void => {
    progress = text;
    own = { ...own, snapshot: text };
  };
  return {
    start(stored) {
      const offset = stored.find(({ partition }) => partition["server"] === server)?.offset ?? undefined;
      const resume = offset?.["resume_scn"] ?? config["cdc.start.scn"];
      if (/^\d+$/.test(String(resume))) {
        const problem = missingRedo(surroundings.oracle, config, BigInt(String(resume)));
        if (problem !== undefined) throw new Error(problem);
      }
      const read = String(offset?.["signal_offset"] ?? 0);
      from = /^\d+$/.test(read) ? BigInt(read) : 0n;
      progress = offset?.["snapshot"];
      mining.start(stored);
    },
    tick() {
      const mined = mining.tick();
      // A snapshot that began at the last commit is finished by this one.
      if (underway(progress)) snapshot(done(progress));
      for (const { tables, next } of signals.take(from)) {
        from = next;
        own = { ...own, signal_offset: next };
        if (tables.length > 0) snapshot(begun(progress, tables));
      }
      return mined.map((entry) => withOwn(entry, server, own));
    },
  };
}

function withOwn(entry: OffsetEntry, server: string, own: JsonObject): OffsetEntry {
  return entry.offset === null || entry.partition["server"] !== server
    ? entry
    : { ...entry, offset: { ...entry.offset, ...own } };
}

/** The offset's `snapshot` is JSON text (reference: wire formats, "Stored offset"). */
interface Progress {
  readonly tables: JsonObject;
  readonly rest: JsonObject;
}

function begun(stored: Json | undefined, named: readonly string[]): string {
  const { tables, rest } = progressOf(stored);
  const more = Object.fromEntries(named.map((table) => [table, { done: false, frontier: [] }]));
  return printJson({ ...rest, complete: false, tables: { ...tables, ...more }, scope: named }, 0);
}

function done(stored: Json | undefined): string {
  const { tables, rest } = progressOf(stored);
  const all = Object.entries(tables).map(([table, one]) => [table, isObject(one) ? { ...one, done: true } : one]);
  return printJson({ ...rest, complete: true, tables: Object.fromEntries(all) }, 0);
}

/** A snapshot without tables was not started by a signal. */
function underway(stored: Json | undefined): boolean {
  const { tables, rest } = progressOf(stored);
  return rest["complete"] === false && Object.keys(tables).length > 0;
}

function progressOf(stored: Json | undefined): Progress {
  const blank: Progress = { tables: {}, rest: { v: 1n } };
  if (typeof stored !== "string") return blank;
  try {
    const parsed = parseJson(stored);
    if (!isObject(parsed)) return blank;
    const { tables, ...rest } = parsed;
    return { tables: isObject(tables) ? tables : {}, rest };
  } catch {
    return blank;
  }
}
