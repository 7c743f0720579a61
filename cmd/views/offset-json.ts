import type { ScnTime } from "../../core/facts/database/database.ts";
import type { Observed } from "../../core/facts/observed.ts";
import {
  decodeOffset,
  type OffsetEntry,
  type RedoPosition,
  type StoredOffset,
  undecoded,
} from "../../core/facts/offset/stored-offset.ts";
import { type RedoExamination, restoreCommands } from "../../core/facts/redo/redo.ts";
import type { Timeline } from "../../core/timeline/timeline.ts";

export interface OffsetReport {
  readonly entry: OffsetEntry;
  readonly times: readonly ScnTime[];
  /** With `--check-redo`. */
  readonly redo: Observed<RedoExamination> | undefined;
  /** Undefined where the database could not be asked. */
  readonly timeline: Timeline | undefined;
}

/** `admin offsets show --format json`: the raw offset next to its decoded fields (`schemas/offsets.schema.json`). */
export function offsetsDocument(connector: string, reports: readonly OffsetReport[]) {
  return {
    apiVersion: "cdcctl/v1",
    kind: "Offsets",
    formatVersion: 1n,
    connector,
    offsets: reports.map(({ entry: { partition, offset }, times, redo, timeline }) => {
      const decoded = offset === null ? undefined : decodeOffset(offset);
      return {
        partition,
        raw: offset,
        decoded: decoded?.ok ? decodedFields(decoded.offset, times) : null,
        ...(decoded === undefined || decoded.ok ? {} : { problem: undecoded(decoded) }),
        ...(redo === undefined
          ? {}
          : {
              redo: redo.known
                ? { ...redo.value, restore: restoreCommands(redo.value.faults) }
                : { complete: false, unknown: redo.why, remedy: redo.remedy ?? null },
            }),
        ...(timeline === undefined ? {} : { timeline }),
      };
    }),
  };
}

function decodedFields(offset: StoredOffset, times: readonly ScnTime[]) {
  const at = (scn: bigint) => times.find((time) => time.scn === scn)?.at ?? null;
  const { lastCommit, snapshot } = offset;
  return {
    version: offset.version,
    resume_scn: offset.resumeScn,
    resume_at: at(offset.resumeScn),
    redo_address: address(offset.redoAddress),
    last_commit:
      lastCommit === undefined
        ? null
        : {
            scn: lastCommit.scn,
            at: at(lastCommit.scn),
            transaction: lastCommit.xid ?? null,
            thread: lastCommit.thread ?? null,
            redo_address: address(lastCommit.redoAddress),
            event_index: lastCommit.eventIndex ?? null,
          },
    journal_generation: offset.journalGeneration ?? null,
    schema_epoch: offset.schemaEpoch ?? null,
    database: { dbid: offset.dbid ?? null, resetlogs_scn: offset.resetlogsScn ?? null },
    released: offset.released,
    snapshot: snapshot === undefined ? null : snapshot,
  };
}

function address(position: RedoPosition | undefined) {
  return position === undefined ? null : { rs_id: position.rsId, ssn: position.ssn ?? null };
}
