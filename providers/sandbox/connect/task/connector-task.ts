import type { OffsetEntry } from "../../../../core/facts/offset/stored-offset.ts";
import type { RedoPlace } from "../../../../core/journal/chunk-record.ts";
import type { Json, JsonObject } from "../../../../core/values/json.ts";
import type { SandboxBroker } from "../../kafka/broker.ts";
import type { OracleWorld } from "../../oracle/world.ts";
import type { SandboxTask, TaskedConnector } from "../task.ts";
import { capturedTables } from "./captured-tables.ts";
import { firstOffset } from "./first-start.ts";
import { createInternalTopics } from "./internal-topics.ts";
import { restoredAtStart } from "./journal.ts";
import { missingRedo } from "./missing-redo.ts";
import { type OpsEvent, opsWriter } from "./ops-events.ts";
import { type Position, readPosition, requireDatabase } from "./position.ts";
import { earlier } from "./redo-script.ts";
import { layoutsOf } from "./schema-topic.ts";
import { type SignalManner, type Signals, signalsOf } from "./signals.ts";
import { begun } from "./snapshot-progress.ts";
import { type Snapshots, snapshotsOf } from "./snapshots.ts";
import { requireDictionary, requireMinable } from "./topology.ts";

/** The environment of a task, besides its worker. */
export interface Surroundings {
  readonly oracle: OracleWorld;
  readonly broker: SandboxBroker;
  /** How it treats signals, which may change while it runs. */
  manner(): SignalManner;
}

/**
 * A task that behaves as the connector's (source: `OracleCdcSourceTask`): what stops it at its start, its snapshots and
 * its signals. `mining` defines how it mines.
 */
export function connectorTask(
  mining: SandboxTask,
  connector: TaskedConnector,
  { oracle, broker, manner }: Surroundings,
): SandboxTask {
  const { config } = connector;
  const server = config["cdc.topic.prefix"] ?? "";
  const writeEvent = opsWriter(config, broker);
  const layouts = layoutsOf(config, broker, oracle);
  let resumeScn: bigint | undefined;
  const write = (type: OpsEvent["type"], details: OpsEvent["details"]): void =>
    writeEvent({ type, resumeScn, details });
  let captured: readonly string[] = [];
  let snapshots: Snapshots | undefined;
  let signals: Signals | undefined;
  /** The part of the offset that does not belong to the mining: nothing until a signal or a snapshot changed it. */
  let own: Readonly<Record<string, Json | undefined>> = {};
  /** Where restored transactions hold the resume point of a mining that knows of none. */
  let held: readonly RedoPlace[] = [];

  const namesCaptured = (): readonly string[] => capturedTables(config, oracle).map(({ name }) => name);
  /**
   * Snapshots tables that a refresh adds under `cdc.snapshot.mode=initial`. Those that a changed configuration adds are
   * not: the task starts with them (reference: connector rules, "Signals and snapshots").
   */
  const refreshTables = (): void => {
    const now = namesCaptured();
    const added = now.filter((name) => !captured.includes(name));
    const removed = captured.filter((name) => !now.includes(name));
    const snapshotted = isInitial(config) && added.length > 0;
    captured = now;
    for (const table of removed) write("table-removed", { table });
    for (const table of added) write("table-added", { table, snapshot: String(snapshotted) });
    if (snapshotted) snapshots?.wait(added);
  };
  const withOwn = (entry: OffsetEntry): OffsetEntry => {
    if (entry.offset === null || entry.partition["server"] !== server) return entry;
    const fields = Object.entries({ ...heldBack(entry.offset, held), ...own }).filter(
      (field): field is [string, Json] => field[1] !== undefined,
    );
    return { ...entry, offset: Object.fromEntries(fields) };
  };
  /** The first heartbeat carries the start position itself; only later commits are held back. */
  const asStarted = (entry: OffsetEntry): OffsetEntry => {
    const later = held;
    held = [];
    const started = withOwn(entry);
    held = later;
    return started;
  };
  const seen = (entries: readonly OffsetEntry[]): void => {
    const scn = entries.find(({ partition }) => partition["server"] === server)?.offset?.["resume_scn"];
    if (/^\d+$/.test(String(scn))) resumeScn = BigInt(String(scn));
  };

  return {
    start(stored) {
      const offset = stored.find(({ partition }) => partition["server"] === server)?.offset ?? undefined;
      requireMinable(config, oracle);
      const position = readPosition(offset ?? firstOffset(config, oracle));
      requireDatabase(position, oracle.database);
      const problem = missingRedo(oracle, config, position.resume.scn);
      if (problem !== undefined) throw problem;
      createInternalTopics(config, broker);
      captured = namesCaptured();
      // The task raises the generation before it reads the journal.
      const restored = restoredAtStart(config, broker, { ...position, generation: position.generation + 1n });
      layouts.check(position.resume.scn);
      requireDictionary(config, oracle, position.resume.scn);
      held = mining.open === undefined ? restored.map(({ last }) => last) : [];
      const first = mining.start(stored, restored) ?? [];
      seen(first.length > 0 ? first : stored);
      layouts.update(position.resume.scn);
      const started = snapshotsOf(config, oracle, write);
      snapshots = started;
      resumeSnapshots(started, position, offset, config);
      own = { ...started.fields };
      signals = signalsOf(connector, broker, handledSignal(offset), manner, {
        snapshots: started,
        captured: () => captured,
        refreshTables,
        state: () => ({ ...bufferState(resumeScn ?? 0n, mining), snapshot_running: String(started.running) }),
        answer: (details) => write("signal-ack", details),
      });
      return first.map(asStarted);
    },
    tick() {
      const mined = mining.tick();
      seen(mined);
      if (resumeScn !== undefined) layouts.update(resumeScn);
      snapshots?.step();
      snapshots?.startWaiting();
      const handled = signals?.handle();
      own = { ...own, ...(handled === undefined ? {} : { signal_offset: handled }), ...snapshots?.fields };
      return mined.map(withOwn);
    },
  };
}

/** `cdc.snapshot.mode` is `initial` by default. */
const isInitial = (config: Readonly<Record<string, string>>): boolean =>
  (config["cdc.snapshot.mode"] ?? "initial") === "initial";

/**
 * An unfinished snapshot first, then tables that wait for theirs; without an offset, that of all captured tables, which
 * the very first offset records. All before signals are read.
 *
 * Rule: reference, connector rules, "Signals and snapshots".
 */
function resumeSnapshots(
  snapshots: Snapshots,
  { snapshot }: Position,
  offset: JsonObject | undefined,
  config: Readonly<Record<string, string>>,
): void {
  if (snapshot?.complete === false) snapshots.resume(snapshot);
  if (offset === undefined && (isInitial(config) || config["cdc.snapshot.mode"] === "snapshot_only"))
    snapshots.resume(begun([]));
  const waiting = String(offset?.["snapshot_pending"] ?? "")
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
  if (waiting.length > 0) snapshots.wait(waiting);
}

/** Only a number counts; of a text, every signal is handled again (reference: wire formats, "Stored offset"). */
function handledSignal(offset: JsonObject | undefined): bigint | undefined {
  const last = offset?.["signal_offset"];
  return typeof last === "bigint" && last >= 0n ? last : undefined;
}

/**
 * The offset with its resume point at the last journaled record of restored transactions, if that is earlier.
 *
 * Rule: reference, connector rules, "Journal and generations".
 */
function heldBack(offset: JsonObject, held: readonly RedoPlace[]): JsonObject {
  if (held.length === 0) return offset;
  const { resume } = readPosition(offset);
  const { scn, rsId, ssn } = held.reduce(earlier, resume);
  return {
    ...offset,
    ...{ resume_scn: scn, resume_rs_id: rsId ?? null, resume_ssn: rsId === undefined ? null : ssn },
  };
}

/** The details of `log-state` on what the task holds. */
function bufferState(minedTo: bigint, mining: SandboxTask): Readonly<Record<string, string>> {
  const open = [...(mining.open?.() ?? [])].sort((a, b) => (a.firstScn < b.firstScn ? -1 : 1));
  return {
    mined_to_scn: String(minedTo),
    open_transactions: String(open.length),
    buffered_events: String(open.reduce((sum, { changes }) => sum + changes, 0)),
    oldest_open_scn: String(open[0]?.bound.scn ?? -1n),
    largest: open.map(({ xid, firstScn }) => `${xid}:${firstScn}`).join(","),
  };
}
