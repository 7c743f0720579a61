import type { TableSeen } from "../../schemas/generated/shared.ts";
import { isNamed } from "../facts/database/database.ts";
import { isEmptyOffset, type OffsetEntry } from "../facts/offset/stored-offset.ts";
import { canonicalJson, type Json, type JsonObject } from "../values/json.ts";
import { highest } from "../values/lists.ts";
import { nearest } from "../values/nearest.ts";
import type { Advice } from "../values/remedy.ts";
import { parseScn, type Scn } from "../values/scn.ts";
import { truncate } from "../values/truncate.ts";
import type { TakeoverProblem } from "./takeover.ts";

/** One of the legacy connector's stored offsets (specification, "Legacy connector offset partitions"). */
export interface LegacyPartition {
  /** The name that is shown, and used to leave it out: `ORCLCDB.ORCLPDB1`, `ORCLPDB1.SALES.ORDERS`. Unique. */
  readonly name: string;
  readonly of: "database" | "table";
  /** Where its mining resumes. */
  readonly scn: Scn;
  /** Commit SCN of the last change delivered for the table. */
  readonly commitScn?: Scn | undefined;
  /** The plan file leaves it out. */
  readonly leftOut: boolean;
  /** The table's facts; the container is empty where the partition names none. */
  readonly table?: TableSeen | undefined;
}

/** The legacy connector's position. */
export interface LegacyOffsets {
  /** `cdc.start.scn`: the lowest `scn` of those that count, at or below every undelivered commit. */
  readonly startScn: Scn;
  /** The highest `cscn`: the last commit that the legacy connector delivered; undefined if no table has one. */
  readonly lastDelivered?: Scn | undefined;
  /** All stored partitions, including those left out: the lowest `scn` first. */
  readonly partitions: readonly LegacyPartition[];
  /** Partitions of tables that are left out and have no `scn`. */
  readonly unread: readonly string[];
}

type OffsetsReading =
  | { readonly ok: true; readonly offsets: LegacyOffsets }
  | { readonly ok: false; readonly problem: TakeoverProblem };

/**
 * Reads the legacy connector's position from its stored offsets.
 *
 * Rule: specification, "Takeover rules", 2 and 4; legacy properties, "Stored offsets".
 *
 * @param leaveOut names of partitions that the operator leaves out: of dropped or long-quiet tables, which would pin
 * the lowest SCN
 */
export function readOffsets(
  entries: readonly OffsetEntry[],
  leaveOut: readonly string[] = [],
  asked: AskedBy = "command",
): OffsetsReading {
  if (entries.every(({ offset }) => isEmptyOffset(offset)))
    return refused("LEG003", "the legacy connector has no stored offset, so there is no position to take over");
  const names = namesOf(entries.map(({ partition }) => partition));
  const partitions: LegacyPartition[] = [];
  const unseen: string[] = [];
  for (const [at, { partition, offset }] of entries.entries()) {
    const name = names[at];
    if (name === undefined)
      return refused("LEG004", `a stored partition has an unknown format: ${canonicalJson(partition)}`);
    const ofDatabase = typeof partition["sidPdb"] === "string";
    const { scn, cscn = null } = offset ?? {};
    const [resume, commitScn] = [scnOf(scn), scnOf(cscn)];
    if (resume === undefined) {
      if (leaveOut.includes(name) && !ofDatabase) {
        unseen.push(name);
        continue;
      }
      const text = "If that table was dropped, or has not changed since, leave it out";
      const without = { text, setting: leavingOut([name], asked) };
      // A worker finds an offset by its partition's bytes, and lists one whose keys were written in another order
      // without an offset.
      if (isEmptyOffset(offset))
        return refused("LEG004", `the worker lists ${name} without its offset: the lowest SCN may be the missing one`, [
          without,
        ]);
      const remedies = ofDatabase ? [] : [without];
      return refused("LEG004", `the offset of ${name} has no readable scn: ${textOf(scn)}`, remedies);
    }
    if (commitScn === undefined && cscn !== null)
      return refused("LEG004", `the offset of ${name} has an unreadable cscn: ${textOf(cscn)}`);
    partitions.push({
      name,
      of: ofDatabase ? "database" : "table",
      scn: resume,
      commitScn,
      leftOut: leaveOut.includes(name),
      ...tableOf(partition),
    });
  }
  partitions.sort((a, b) => (a.scn < b.scn ? -1 : a.scn > b.scn ? 1 : a.name < b.name ? -1 : 1));
  return counted(
    partitions,
    leaveOut.filter((name) => !unseen.includes(name)),
    unseen,
  );
}

/** How partitions are left out: an option of a command, or a key of a plan file. */
export type AskedBy = "command" | "plan file";

export function leavingOut(names: readonly string[], asked: AskedBy): string {
  return asked === "command"
    ? names.map((name) => `--leave-out ${name}`).join(" ")
    : `spec.from.leaveOut: ${JSON.stringify(names)}`;
}

function counted(
  partitions: readonly LegacyPartition[],
  leaveOut: readonly string[],
  unread: readonly string[],
): OffsetsReading {
  const unknown = leaveOut.find((name) => !partitions.some((one) => one.name === name));
  if (unknown !== undefined) {
    const names = partitions.map(({ name }) => name);
    const meant = nearest(unknown, names);
    return refused("LEG005", `no partition is named ${unknown}`, [
      ...(meant === undefined ? [] : [`Did you mean ${meant}?`]),
      `Name one of the partitions: ${names.join(", ")}.`,
    ]);
  }
  const taken = partitions.filter(({ leftOut }) => !leftOut);
  const [lowest] = taken;
  if (lowest === undefined)
    return refused("LEG005", "every partition is left out", ["Leave out only those that pin the start."]);
  const database = partitions.find(({ of }) => of === "database");
  if (database !== undefined && !taken.some(({ of }) => of === "database")) {
    return refused(
      "LEG005",
      `${database.name} stores where the legacy connector's mining resumes: without it, undelivered commits would ` +
        "be skipped",
      ["Leave out only partitions of tables that were dropped or have been quiet for long."],
    );
  }
  return {
    ok: true,
    offsets: {
      partitions,
      unread,
      startScn: lowest.scn,
      lastDelivered: highest(taken.flatMap(({ commitScn }) => commitScn ?? [])),
    },
  };
}

/** A table of which the legacy connector has stored an offset, by the name of its partition. */
export interface DeliveredTable {
  readonly name: string;
  /** One, unless its partition has no `catalog`: it may then be of any PDB. */
  readonly mayBe: readonly TableSeen[];
}

/**
 * The tables of which the legacy connector has stored an offset, except those left out.
 *
 * @param pdbs `cdc.database.pdbs` of the new connector
 * @param containers their names as the database spells them, where that is known
 */
export function deliveredTables(
  entries: readonly OffsetEntry[],
  leaveOut: readonly string[],
  pdbs: readonly string[],
  containers: readonly string[] = [],
): readonly DeliveredTable[] {
  const spelled = (pdb: string): string => containers.find((name) => isNamed(name, pdb)) ?? pdb;
  const names = namesOf(entries.map(({ partition }) => partition));
  return entries.flatMap(({ partition }, at) => {
    const [name, { table }] = [names[at], tableOf(partition)];
    if (name === undefined || table === undefined || leaveOut.includes(name)) return [];
    const inside = table.container === "" && pdbs.length > 0 ? pdbs : [table.container];
    return [{ name, mayBe: inside.map((container) => ({ ...table, container: spelled(container) })) }];
  });
}

/**
 * The last commit in the stored offsets of every partition, left out or not.
 *
 * @returns undefined if none has one; `"unreadable"` if one has an unknown format
 */
export function lastCommitIn(entries: readonly OffsetEntry[]): Scn | undefined | "unreadable" {
  const commits = entries.map(({ offset }) => offset?.["cscn"] ?? null).filter((commit) => commit !== null);
  const scns = commits.flatMap((commit) => scnOf(commit) ?? []);
  return scns.length < commits.length ? "unreadable" : highest(scns);
}

/**
 * A name for each partition, undefined for an unknown format; if two would have the same name, each is named by its
 * stored content.
 */
function namesOf(partitions: readonly JsonObject[]): readonly (string | undefined)[] {
  const plain = partitions.map(nameOf);
  return plain.map((name, at) =>
    name === undefined || plain.indexOf(name) === plain.lastIndexOf(name) ? name : canonicalJson(partitions[at]),
  );
}

function nameOf({ sidPdb, catalog, schema, table }: JsonObject): string | undefined {
  if (typeof sidPdb === "string") return sidPdb;
  if (typeof table !== "string" || typeof schema !== "string") return undefined;
  return typeof catalog === "string" && catalog !== "" ? `${catalog}.${schema}.${table}` : `${schema}.${table}`;
}

function tableOf({ sidPdb, catalog, schema, table }: JsonObject): Pick<LegacyPartition, "table"> {
  if (typeof sidPdb === "string" || typeof schema !== "string" || typeof table !== "string") return {};
  return { table: { container: typeof catalog === "string" ? catalog : "", owner: schema, name: table } };
}

function scnOf(value: Json | undefined): Scn | undefined {
  if (typeof value === "bigint") return parseScn(value.toString());
  return typeof value === "string" ? parseScn(value) : undefined;
}

function textOf(value: Json | undefined): string {
  return value === undefined ? "it is missing" : truncate(canonicalJson(value), 80);
}

function refused(code: TakeoverProblem["code"], seen: string, remedies: readonly Advice[] = []): OffsetsReading {
  return { ok: false, problem: { code, seen, remedies } };
}
