import type { ScnTime } from "../../schemas/generated/facts.ts";
import type { ChangeRow, Shown } from "../../schemas/generated/plan.ts";
import { FIRST_START, LAST_COMMIT, liftedBetween } from "../facts/offset/moved-offset.ts";
import {
  decodeOffset,
  type FirstStartCut,
  type RedoPosition,
  recognitionBy,
  type StoredOffset,
  trustsThreads,
} from "../facts/offset/stored-offset.ts";
import { counted, showCount } from "../values/amounts.ts";
import { canonicalJson, type JsonObject } from "../values/json.ts";
import type { Scn } from "../values/scn.ts";
import { truncate } from "../values/truncate.ts";

/** What is stored under a connector's partition before and after a change. */
export interface OffsetMove {
  readonly partition: JsonObject;
  /** `null`: nothing is stored. */
  readonly before: JsonObject | null;
  readonly after: JsonObject;
}

/** A raw field's name can have any length. */
const LONGEST_FIELD = 60;

/** The decoded items of a stored offset in the order of the specification, then every other field as it is. */
export function diffRows(
  before: JsonObject | null,
  after: JsonObject | null,
  times: readonly ScnTime[],
): readonly ChangeRow[] {
  // Decoded fields can't be compared with those of an offset that can't be decoded.
  const isRaw = before !== null && after !== null && !decodeOffset(before).ok;
  const was = isRaw ? rawItems(before) : shownItems(before, times);
  const willBe = isRaw ? rawItems(after) : shownItems(after, times);
  const fields = [...new Set([...ORDER, ...was.keys(), ...willBe.keys()])].filter(
    (field) => was.has(field) || willBe.has(field),
  );
  return fields.map((field) => {
    const b = was.get(field);
    const a = willBe.get(field);
    const change =
      a === undefined ? "removed" : b === undefined ? "added" : a.text === b.text ? "unchanged" : "changed";
    return { label: truncate(field, LONGEST_FIELD), before: b, after: a, change };
  });
}

const ORDER = [
  "resume SCN",
  "redo address",
  "last commit",
  "first-start cut",
  "journal generation",
  "schema epoch",
  "database identity",
  "released orphans",
  "snapshot progress",
];

/** The decoded items of one offset, for `offsets show`. */
export function shownItems(offset: JsonObject | null, times: readonly ScnTime[]): ReadonlyMap<string, Shown> {
  const decoded = offset === null ? undefined : decodeOffset(offset);
  if (offset === null || decoded === undefined) return new Map();
  if (!decoded.ok) return rawItems(offset);
  return new Map([...decodedItems(decoded.offset, times), ...otherItems(decoded.offset)]);
}

function rawItems(offset: JsonObject): ReadonlyMap<string, Shown> {
  return new Map(Object.entries(offset).map(([name, value]) => [name, { text: plain(value) }]));
}

function decodedItems(offset: StoredOffset, times: readonly ScnTime[]): readonly (readonly [string, Shown])[] {
  const timed = (scn: Scn, more = ""): Shown => {
    const at = times.find((time) => time.scn === scn)?.at;
    return { text: `${scn}${more}`, ...(at === undefined ? {} : { at }) };
  };
  const { lastCommit, snapshot, firstStart } = offset;
  const items: (readonly [string, Shown | undefined])[] = [
    ["resume SCN", timed(offset.resumeScn)],
    ["redo address", offset.redoAddress && { text: address(offset.redoAddress) }],
    ["last commit", lastCommit && timed(lastCommit.scn ?? 0n, commitDetails(lastCommit))],
    ["first-start cut", firstStart && { text: cutText(firstStart) }],
    ["journal generation", count(offset.journalGeneration)],
    ["schema epoch", count(offset.schemaEpoch)],
    [
      "database identity",
      offset.dbid === undefined && offset.resetlogsScn === undefined
        ? undefined
        : { text: `dbid ${offset.dbid ?? "unknown"}, resetlogs ${offset.resetlogsScn ?? "unknown"}` },
    ],
    ["released orphans", { text: offset.released.length === 0 ? "none" : offset.released.join(", ") }],
    [
      "snapshot progress",
      snapshot && {
        text: !snapshot.readable
          ? "in an unknown format"
          : snapshot.complete
            ? "complete"
            : `${showCount(snapshot.tablesDone)} of ${counted(snapshot.tables, "table")}`,
      },
    ],
  ];
  return items.flatMap(([field, shown]) => (shown === undefined ? [] : [[field, shown] as const]));
}

function commitDetails({ xid, thread, redoAddress, eventIndex }: NonNullable<StoredOffset["lastCommit"]>): string {
  return [
    xid === undefined ? ", without a transaction: not acknowledged" : `, ${xid}`,
    thread === undefined ? "" : `, thread ${thread}`,
    redoAddress === undefined ? "" : `, ${address(redoAddress)}`,
    eventIndex === undefined ? "" : `, event ${eventIndex}`,
  ].join("");
}

/** What is not delivered below the floor: everything but the rows of these transactions. */
export function cutText({ floor, openScn, openXids }: FirstStartCut): string {
  const listed = openXids.length === 0 ? "" : `${openXids.join(",")} and `;
  return `nothing below ${floor} is delivered, except rows of ${listed}transactions that began at or after ${openScn}`;
}

function address({ rsId, ssn }: RedoPosition): string {
  return ssn === undefined ? rsId : `${rsId} / ${ssn}`;
}

function count(value: bigint | undefined): Shown | undefined {
  return value === undefined ? undefined : { text: value.toString() };
}

const DECODED = new Set([
  "v",
  "resume_scn",
  "resume_rs_id",
  "resume_ssn",
  ...LAST_COMMIT,
  "event_index",
  "journal_generation",
  "schema_epoch",
  "dbid",
  "resetlogs_scn",
  "released_xids",
  "snapshot",
]);

/** Fields that are only carried along are shown under their raw names. */
function otherItems(offset: StoredOffset): readonly (readonly [string, Shown])[] {
  const shown = offset.firstStart === undefined ? DECODED : new Set([...DECODED, ...FIRST_START]);
  return Object.entries(offset.raw)
    .filter(([name]) => !shown.has(name))
    .map(([name, value]) => [name, { text: name === "threads" ? threads(offset) : plain(value) }] as const);
}

function threads(offset: StoredOffset): string {
  const text = plain(offset.raw["threads"]);
  return trustsThreads(offset) ? text : `ignored, as it disagrees with the resume SCN or the last commit: ${text}`;
}

function plain(value: unknown): string {
  return typeof value === "string" ? value : canonicalJson(value ?? null);
}

/** What the task recognises of what is mined again: by transaction, thread and address, as it does itself. */
export function deliveredAgain(after: JsonObject | undefined): string {
  const decoded = after === undefined ? undefined : decodeOffset(after);
  if (decoded?.ok !== true) return "whether delivered commits are recognised is unknown";
  const { lastCommit, firstStart } = decoded.offset;
  if (firstStart !== undefined) return `the first-start cut stays: ${cutText(firstStart)}`;
  const recognition = recognitionBy(decoded.offset);
  switch (recognition.is) {
    case "all":
      return `commits up to ${recognition.upTo ?? lastCommit?.xid} are recognised and not delivered twice`;
    case "all but the last":
      return (
        `commits before ${recognition.upTo} are recognised and not delivered twice; the one at ${recognition.upTo} ` +
        `is delivered again: ${recognition.why}`
      );
    case "none":
      return `${recognition.why}, so delivered commits are delivered again`;
  }
}

/** What becomes of the first-start cut; undefined where it stays. */
export function cutChange({ before, after }: Pick<OffsetMove, "before" | "after">): string | undefined {
  if (before === null) return undefined;
  const cut = liftedBetween(before, after);
  if (cut !== undefined)
    return (
      `lifts the first-start cut at ${cut.floor}: ${FIRST_START.join(", ")} are removed, so that what was committed ` +
      "before the first start is delivered, too"
    );
  const restored = liftedBetween(after, before);
  return restored && `restores the first-start cut at ${restored.floor}: ${cutText(restored)}`;
}
