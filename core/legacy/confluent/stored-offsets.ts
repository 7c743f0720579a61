import { isNamed } from "../../facts/database/database.ts";
import { isEmptyOffset } from "../../facts/offset/stored-offset.ts";
import { canonicalJson, type Json, type JsonObject } from "../../values/json.ts";
import { highest } from "../../values/lists.ts";
import { nearest } from "../../values/nearest.ts";
import { parseScn, type Scn } from "../../values/scn.ts";
import { truncate } from "../../values/truncate.ts";
import { type LegacyPartition, leavingOut, type OffsetsReading, type PositionRules, refused } from "../position.ts";

/**
 * Reads the legacy connector's position from its stored offsets.
 *
 * Rule: specification, "Takeover rules", 2 and 4; legacy properties, "Stored offsets".
 */
export const readOffsets: PositionRules["read"] = (entries, leaveOut = [], asked = "command") => {
  if (entries.every(({ offset }) => isEmptyOffset(offset)))
    return refused("LEG003", "the legacy connector has no stored offset, so there is no position to take over");
  const names = namesOf(entries.map(({ partition }) => partition));
  const partitions: LegacyPartition[] = [];
  const unseen: string[] = [];
  for (const [index, { partition, offset }] of entries.entries()) {
    const name = names[index];
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
};

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

export const deliveredTables: PositionRules["deliveredTables"] = ({ offsets }, leaveOut, pdbs, dictionary) => {
  const spelled = (pdb: string) => dictionary?.containers.find(({ name }) => isNamed(name, pdb))?.name ?? pdb;
  const names = namesOf(offsets.map(({ partition }) => partition));
  return offsets.flatMap(({ partition }, at) => {
    const [name, { table }] = [names[at], tableOf(partition)];
    if (name === undefined || table === undefined || leaveOut.includes(name)) return [];
    const inside = table.container === "" && pdbs.length > 0 ? pdbs : [table.container];
    return [{ name, mayBe: inside.map((container) => ({ ...table, container: spelled(container) })) }];
  });
};

export const lastCommitIn: PositionRules["lastCommit"] = (entries) => {
  const commits = entries.map(({ offset }) => offset?.["cscn"] ?? null).filter((commit) => commit !== null);
  const scns = commits.flatMap((commit) => scnOf(commit) ?? []);
  return scns.length < commits.length ? "unreadable" : highest(scns);
};

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
