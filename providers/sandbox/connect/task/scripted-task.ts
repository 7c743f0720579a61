import type { RedoPlace } from "../../../../core/journal/chunk-record.ts";
import type { Json, JsonObject } from "../../../../core/values/json.ts";
import { halfway, type SandboxTask, type TaskedConnector } from "../task.ts";
import { type FirstStartSource, firstOffset } from "./first-start.ts";
import { type Position, readPosition } from "./position.ts";
import {
  type Delivery,
  earlier,
  mine,
  type OpenEntry,
  type RedoScript,
  type RestoredTransaction,
  type ScriptedDdl,
} from "./redo-script.ts";

/** The redo to mine, and where it goes. */
export interface ScriptedSource extends FirstStartSource {
  redo(): RedoScript;
  deliver(delivery: Delivery): void;
  /** Each DDL that is mined, once. */
  onDdl?(ddl: ScriptedDdl): void;
}

/**
 * A task that mines a scripted redo as the connector mines its own: at each commit everything that is new. Its resume
 * point moves half of the way to the end, and never past an open transaction.
 */
export function scriptedTask({ config }: TaskedConnector, source: ScriptedSource): SandboxTask {
  const partition: JsonObject = { server: config["cdc.topic.prefix"] ?? "" };
  let offset: Record<string, Json> = {};
  let started: Position | undefined;
  let restored: readonly RestoredTransaction[] = [];
  let open: readonly OpenEntry[] = [];
  const seen = new Set<ScriptedDdl>();
  const entry = () => [{ partition, offset: { ...offset } }];
  return {
    open: () => open,
    start(stored, fromJournal = []) {
      const own = stored.find((one) => one.partition["server"] === partition["server"])?.offset;
      offset = own ? { ...own } : firstOffset(config, source);
      offset["journal_generation"] = readPosition(offset).generation + 1n;
      started = readPosition(offset);
      restored = fromJournal;
      open = restored.map(({ xid, firstScn, changes, last }) => ({ xid, firstScn, changes, bound: last }));
      return entry();
    },
    tick() {
      if (started === undefined) return [];
      const redo = source.redo();
      const now = readPosition(offset);
      const mined = mine(started, now, restored, redo);
      for (const delivery of mined.deliveries) {
        source.deliver(delivery);
        offset = withCommit(offset, delivery);
      }
      for (const ddl of mined.ddl.filter((one) => !seen.has(one))) {
        seen.add(ddl);
        source.onDdl?.(ddl);
      }
      open = mined.open;
      // Once it has ended, nothing of it comes again.
      restored = restored.filter(({ xid }) => open.some((one) => one.xid === xid));
      const end = halfway(now.resume.scn, redo.end);
      const reached: RedoPlace = end > now.resume.scn ? { scn: end, rsId: undefined, ssn: 0n } : now.resume;
      offset = withResume(
        offset,
        open.reduce((place, { bound }) => earlier(place, bound), reached),
      );
      return entry();
    },
  };
}

/** The first acknowledged commit lifts the first-start cut (reference: connector rules, "The first-start cut"). */
function withCommit(offset: Readonly<Record<string, Json>>, { commit, xid, thread, size }: Delivery) {
  const { start_floor_scn: _floor, start_open_scn: _open, start_open_xids: _xids, threads: _threads, ...kept } = offset;
  return {
    ...kept,
    ...{ last_commit_scn: commit.scn, last_commit_xid: xid, last_commit_thread: thread, event_index: BigInt(size) },
    last_commit_rs_id: commit.rsId ?? null,
    last_commit_ssn: commit.rsId === undefined ? null : commit.ssn,
  };
}

function withResume(offset: Readonly<Record<string, Json>>, { scn, rsId, ssn }: RedoPlace): Record<string, Json> {
  return { ...offset, resume_scn: scn, resume_rs_id: rsId ?? null, resume_ssn: rsId === undefined ? null : ssn };
}
