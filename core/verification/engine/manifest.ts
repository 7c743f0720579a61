import type { OffsetRange } from "../../../schemas/generated/verification-job.ts";
import type { SideRead, Truncates } from "../../../schemas/generated/verification-result.ts";
import type { Spool, SpoolWritten } from "../../ports/spool.ts";
import { canonicalJson, isObject, type Json, type JsonObject, plainJson } from "../../values/json.ts";
import type { Scn } from "../../values/scn.ts";
import type { LastRead } from "../record-reader.ts";
import { NO_TRUNCATES } from "../tuple.ts";
import { NOTHING_READ } from "../verdict.ts";
import type { TableInputs, TopicInput } from "./inputs.ts";
import { presentName } from "./unit-result.ts";

/**
 * The notes of a spool: first what is verified and the number of hash partitions, then the names of the table's ranges
 * and the progress of each unit. The last note of a unit counts.
 */

/** Version of the form of tuples, files, notes and canonical values. A run of another version is not resumed. */
export const ENGINE = 6n;

export interface UnitDone {
  readonly whole: boolean;
  /** The offset to resume a topic partition from. */
  readonly next: bigint | undefined;
  /** The record before it. */
  readonly last: LastRead;
  readonly read: SideRead;
  /** The legacy connector's records, of a topic that both write to. */
  readonly legacyRead?: SideRead;
  readonly truncates: Truncates;
  readonly files: readonly SpoolWritten[];
}

export const NOTHING_DONE: UnitDone = {
  whole: false,
  next: undefined,
  last: undefined,
  read: NOTHING_READ,
  truncates: NO_TRUNCATES,
  files: [],
};

interface Manifest {
  readonly partitions: number;
  /** Names of the table's ranges; undefined if the run did not get that far. */
  readonly ranges: readonly string[] | undefined;
  readonly units: ReadonlyMap<string, UnitDone>;
}

/** What must be unchanged for a run to resume an earlier one, by its name in messages. */
type Verified = { readonly [part: string]: Json };

function verifiedOf(inputs: TableInputs): Verified {
  const { shape, legacyTopic } = inputs;
  return {
    "the version of cdcctl's engine": ENGINE,
    "the table": inputs.table,
    "the check SCN": inputs.checkScn,
    "the start SCN": inputs.startScn ?? null,
    "the columns compared": { key: shape.key.map(({ name }) => name), columns: plainJson(shape.columns) },
    "the new topic": topicOf(inputs.newTopic),
    "the legacy topic":
      legacyTopic === undefined ? null : { ...topicOf(legacyTopic), fields: plainJson(legacyTopic.fields ?? null) },
  };
}

function topicOf({ topic, format, partitions }: TopicInput): JsonObject {
  return {
    topic,
    format: plainJson(format),
    partitions: plainJson(partitions.map(({ partition, from, to }) => ({ partition, from, to }))),
  };
}

/** Values of an interrupted run that must be used again to resume it. */
export interface InterruptedRun {
  readonly checkScn: Scn;
  readonly newTopic: readonly OffsetRange[];
  readonly legacyTopic: readonly OffsetRange[] | undefined;
}

/**
 * Reads the check SCN and the topics' extents of an interrupted run. The current ones have changed since; a
 * resumed run uses the original ones.
 *
 * @returns undefined for a spool without an interrupted run, or with one that this engine cannot resume
 */
export async function interruptedRun(spool: Spool): Promise<InterruptedRun | undefined> {
  const [first] = await spool.notes();
  const verified = headOf(first)?.verified;
  if (verified?.["the version of cdcctl's engine"] !== ENGINE) return undefined;
  return {
    checkScn: verified["the check SCN"] as bigint,
    newTopic: extentsOf(verified["the new topic"]) ?? [],
    legacyTopic: extentsOf(verified["the legacy topic"]),
  };
}

function extentsOf(topic: Json = null): readonly OffsetRange[] | undefined {
  return (readNote(topic) as { readonly partitions: readonly OffsetRange[] } | undefined)?.partitions;
}

/** @returns the content of the notes, `"empty"`, or why the run cannot be resumed */
export function manifestOf(notes: readonly Json[], inputs: TableInputs): Manifest | "empty" | { readonly why: string } {
  const [first, ...rest] = notes;
  if (first === undefined) return "empty";
  const head = headOf(first);
  if (head === undefined) return { why: "its first note is not from this engine" };
  const now = verifiedOf(inputs);
  const changed = Object.keys(now).find(
    (part) => canonicalJson(now[part]) !== canonicalJson(head.verified[part] ?? null),
  );
  if (changed !== undefined)
    return { why: `${changed} ${/s$|compared$/.test(changed) ? "have" : "has"} changed since it began` };
  const units = new Map<string, UnitDone>();
  let ranges: readonly string[] | undefined;
  for (const note of rest) {
    if (isObject(note) && Array.isArray(note["ranges"])) ranges = note["ranges"] as readonly string[];
    else if (isObject(note) && typeof note["unit"] === "string") units.set(note["unit"], unitOf(note));
    else return { why: "it contains a note that is not from this engine" };
  }
  return { partitions: head.partitions, ranges, units };
}

function headOf(note: Json | undefined): { readonly partitions: number; readonly verified: Verified } | undefined {
  if (!isObject(note) || !isObject(note["verified"]) || typeof note["partitions"] !== "bigint") return undefined;
  return { partitions: Number(note["partitions"]), verified: note["verified"] };
}

export function headNote(inputs: TableInputs, partitions: number): Json {
  return { verified: verifiedOf(inputs), partitions: BigInt(partitions) };
}

/** Written before any of the ranges is read. */
export function rangesNote(ranges: readonly string[]): Json {
  return { ranges };
}

// ---- Notes of units -------------------------------------------------------------------------------------------------

/** Undefined is null in a note. */
export function unitNote(unit: string, done: UnitDone): Json {
  return plainJson({ unit, ...done }, (value) => value ?? null);
}

/** Each note has a checksum and was written by `unitNote`, so its form is not checked again. */
function unitOf({ unit: _, ...note }: JsonObject): UnitDone {
  return readNote(note) as UnitDone;
}

/** Members that hold a number; every other integer is an SCN or an offset. */
const NUMBERS = new Set([...Object.keys(NOTHING_READ), "repeated", "partition", "checksum"]);

function readNote(note: Json, name = ""): unknown {
  if (note === null) return undefined;
  if (typeof note === "bigint") return NUMBERS.has(name) ? Number(note) : note;
  if (Array.isArray(note)) return note.map((one: Json) => readNote(one));
  if (!isObject(note)) return note;
  const members = Object.entries(note).map(([written, value]) => [presentName(written), value] as const);
  return Object.fromEntries(members.map(([member, value]) => [member, readNote(value, member)]));
}
