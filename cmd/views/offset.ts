import type { Observed } from "../../core/facts/observed.ts";
import {
  decodeOffset,
  type OffsetEntry,
  type RedoPosition,
  type StoredOffset,
  undecoded,
} from "../../core/facts/offset/stored-offset.ts";
import { beganAt, operatorText, type RecordedChange } from "../../core/facts/ops/ops-event.ts";
import { type RedoExamination, restoreCommands } from "../../core/facts/redo/redo.ts";
import type { ChangeRow, Diff } from "../../core/plan/plan.ts";
import type { Timeline } from "../../core/timeline/timeline.ts";
import type { JsonObject } from "../../core/values/json.ts";
import { lineOf } from "../../core/values/remedy.ts";
import { parseScn } from "../../core/values/scn.ts";
import type { RecordedEvent, ScnTime } from "../../schemas/generated/facts.ts";
import type { Shown } from "../../schemas/generated/plan.ts";
import { documentOf } from "./json-text.ts";
import { showInstant, trunc } from "./layout.ts";
import { type Cell, code, END, type Row, type Table, tableOf } from "./report/model.ts";

/** Limit for raw field names, which can have any length. */
const LONGEST_FIELD = 60;
/** A fixed column, so that all stored offsets align. */
const FIELD = { wraps: true, least: 19, most: 19 } as const;

const MARKS: { readonly [tone in NonNullable<ChangeRow["tone"]>]: string } = { bad: "!", caution: "?", good: " " };

/** What is before and after; of a row that does not change, only what it is. */
export function diffTable({ title, what, shown }: Omit<Diff, "rows">, rows: readonly ChangeRow[]): Table {
  const marked = rows.some(({ tone }) => tone !== undefined);
  const row = ({ change, tone }: ChangeRow): Omit<Row, "cells"> => ({
    changed: change !== "unchanged",
    ...(marked ? { mark: tone === undefined ? " " : MARKS[tone] } : {}),
    tone,
  });
  const isDeletion = shown === "always" && rows.some(({ change }) => change === "removed");
  const extent = isDeletion ? "all" : shown === "always" ? "many" : "some";
  const still = rows.every(({ change }) => change === "unchanged");
  const figures = still && rows.every(({ before }) => /^\d+$/.test(before?.text ?? ""));
  return tableOf(title, rows, { what, extent, change: true, row }, [
    [what, ({ label }) => (label.includes(" ") ? label : code(label))],
    [still ? "now" : "before", ({ before }) => cellOf(before), figures ? END : {}],
    [
      still ? "" : "after",
      ({ change, after }) => (change === "removed" ? "removed" : change === "unchanged" ? "" : cellOf(after)),
    ],
    ["", ({ note = "" }) => note],
  ]);
}

function cellOf(value: Shown | undefined): Cell {
  if (value === undefined) return "";
  const { text, at } = value;
  const copied = /^\S*\d\S*$/.test(text);
  return { text: trunc(text), ...(copied ? { as: "code" } : {}), ...(at === undefined ? {} : { at: showInstant(at) }) };
}

/** A stored offset before and after, field by field. */
export function offsetTable(rows: readonly ChangeRow[]): Table {
  return diffTable({ title: "Field by field; times are UTC", what: "field" }, rows);
}

/** The decoded items of a stored offset, with the time of each SCN. */
export function itemTable(of: ReadonlyMap<string, Shown>, caption: string): Table {
  return tableOf(caption, [...of], { what: "field", bare: true }, [
    ["Field", ([name]) => trunc(name, LONGEST_FIELD), FIELD],
    ["Value", ([, shown]) => cellOf(shown), { wraps: true }],
  ]);
}

/** One stored offset of a connector. */
export interface OffsetReport {
  readonly entry: OffsetEntry;
  readonly times: readonly ScnTime[];
  /** Set if `--check-redo` is given. */
  readonly redo: Observed<RedoExamination> | undefined;
  /** Undefined if the database could not be asked. */
  readonly timeline: Timeline | undefined;
}

/** Why a stored offset cannot be decoded; undefined if it can, or if none is stored. */
export function problemIn(offset: JsonObject | null) {
  const decoded = offset === null ? undefined : decodeOffset(offset);
  return decoded === undefined || decoded.ok ? undefined : undecoded(decoded);
}

/** A change of a connector's offset in its ops topic: when, who, what and why. */
export function changeText({ event, outcome }: RecordedChange<RecordedEvent>): string {
  const { command, operator, direction, previous_resume_scn, new_resume_scn, run, reason } = event.details;
  const what = [command, direction].filter((one) => one !== undefined && one !== "").join(" ");
  return (
    `${showInstant(beganAt(event))} by ${operatorText(operator)}: ${trunc(what, 100)} from ` +
    `${trunc(previous_resume_scn, 40)} to ${trunc(new_resume_scn, 40)}, ${outcome}` +
    `${run === undefined ? "" : `, run ${run}`}${reason === "" ? "" : `: ${trunc(reason, 600)}`}`
  );
}

/**
 * `admin offsets show --format json`: the raw offset next to its decoded fields (`schemas/offsets.schema.json`).
 *
 * @param change the latest one; undefined if the ops topic records none, or was not read
 */
export function offsetsDocument(
  connector: string,
  reports: readonly OffsetReport[],
  change?: RecordedChange<RecordedEvent>,
) {
  return {
    ...documentOf("Offsets"),
    connector,
    offsets: reports.map(({ entry: { partition, offset }, times, redo, timeline }) => {
      const decoded = offset === null ? undefined : decodeOffset(offset);
      return {
        partition,
        raw: offset,
        decoded: decoded?.ok ? decodedFields(decoded.offset, times) : null,
        problem: problemIn(offset),
        redo: redo && redoMembers(redo),
        timeline,
      };
    }),
    last_change: change && changeMembers(change),
  };
}

function redoMembers(redo: Observed<RedoExamination>) {
  if (redo.known) return { ...redo.value, restore: restoreCommands(redo.value.faults) };
  return { complete: false, unknown: redo.why, remedy: redo.remedies?.map(lineOf).join("\n") ?? null };
}

/** The latest change in JSON. */
export function changeMembers({ event, outcome }: RecordedChange<RecordedEvent>) {
  const { command, operator, reason, direction, previous_resume_scn, new_resume_scn, run } = event.details;
  return {
    at: beganAt(event),
    command,
    operator,
    reason,
    direction: direction ?? null,
    previous_resume_scn: parseScn(previous_resume_scn) ?? null,
    new_resume_scn: parseScn(new_resume_scn) ?? null,
    outcome,
    run: run ?? null,
  };
}

function decodedFields(offset: StoredOffset, times: readonly ScnTime[]) {
  const timeOf = (scn: bigint) => times.find((time) => time.scn === scn)?.at ?? null;
  const { lastCommit, snapshot, firstStart } = offset;
  return {
    version: offset.version,
    resume_scn: offset.resumeScn,
    resume_at: timeOf(offset.resumeScn),
    redo_address: address(offset.redoAddress),
    last_commit:
      lastCommit === undefined
        ? null
        : {
            scn: lastCommit.scn ?? 0n,
            at: lastCommit.scn === undefined ? null : timeOf(lastCommit.scn),
            transaction: lastCommit.xid ?? null,
            thread: lastCommit.thread ?? null,
            redo_address: address(lastCommit.redoAddress),
            event_index: lastCommit.eventIndex ?? null,
          },
    journal_generation: offset.journalGeneration ?? null,
    schema_epoch: offset.schemaEpoch ?? null,
    database: { dbid: offset.dbid ?? null, resetlogs_scn: offset.resetlogsScn ?? null },
    released: offset.released,
    snapshot: snapshot ?? null,
    first_start_cut: firstStart && {
      floor_scn: firstStart.floor,
      open_scn: firstStart.openScn,
      open_transactions: firstStart.openXids,
    },
  };
}

function address(position: RedoPosition | undefined) {
  return position === undefined ? null : { rs_id: position.rsId, ssn: position.ssn ?? null };
}
