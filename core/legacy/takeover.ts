import type { ConnectorStatus } from "../facts/connector.ts";
import { isStopped } from "../facts/connector.ts";
import type { OffsetEntry } from "../facts/offset.ts";
import type { Json, JsonObject } from "../values/json.ts";
import { canonicalJson } from "../values/json.ts";
import { parseScn, type Scn } from "../values/scn.ts";

/** One of the legacy connector's stored offsets (specification, "Legacy connector offset partitions"). */
export interface LegacyPartition {
  /** As it is shown, and named to be left out: `ORCLCDB.ORCLPDB1`, `ORCLPDB1.SALES.ORDERS`. */
  readonly name: string;
  readonly of: "database" | "table";
  /** Where its mining resumes. */
  readonly scn: Scn;
  /** Commit SCN of the last change delivered for the table. */
  readonly commitScn: Scn | undefined;
  readonly leftOut: boolean;
}

/** Where the new connector starts, and what both deliver. */
export interface Takeover {
  readonly partitions: readonly LegacyPartition[];
  /** `cdc.start.scn`: the lowest `scn`, at or below every undelivered commit. */
  readonly startScn: Scn;
  /** The highest `cscn`: the last commit that the legacy connector delivered; undefined when no table has one. */
  readonly lastDelivered: Scn | undefined;
}

export type TakeoverReading =
  | { readonly ok: true; readonly takeover: Takeover }
  | { readonly ok: false; readonly problem: string; readonly remedy: string };

/**
 * Reads where the legacy connector stands from its stored offsets.
 *
 * Rule: specification, "Takeover rules", 2 and 4; legacy properties, "Stored offsets".
 *
 * @param leaveOut names of partitions that the operator leaves out: of a dropped or long quiet table, which would pin the lowest SCN
 */
export function readTakeover(entries: readonly OffsetEntry[], leaveOut: readonly string[] = []): TakeoverReading {
  const stored = entries.filter(({ offset }) => offset !== null && Object.keys(offset).length > 0);
  if (stored.length === 0) {
    return {
      ok: false,
      problem: "no offset is stored for the legacy connector: there is no position to take over",
      remedy: "Check its name; a connector that never delivered anything is replaced by a new one with a snapshot.",
    };
  }
  const partitions: LegacyPartition[] = [];
  for (const { partition, offset } of stored) {
    const name = nameOf(partition);
    const scn = scnOf(offset?.["scn"]);
    if (name === undefined || scn === undefined) {
      return {
        ok: false,
        problem:
          name === undefined
            ? `a stored partition is in no form that is known: ${canonicalJson(partition)}`
            : `the offset of ${name} has no SCN that can be read: ${canonicalJson(offset)}`,
        remedy: "Is this the Oracle CDC connector that is to be replaced? Look at GET /connectors/NAME/offsets.",
      };
    }
    partitions.push({
      name,
      of: "sidPdb" in partition ? "database" : "table",
      scn,
      commitScn: scnOf(offset?.["cscn"]),
      leftOut: leaveOut.includes(name),
    });
  }
  const unknown = leaveOut.find((name) => !partitions.some((one) => one.name === name));
  if (unknown !== undefined) {
    return {
      ok: false,
      problem: `there is no partition ${unknown} to leave out`,
      remedy: `There are: ${partitions.map(({ name }) => name).join(", ")}.`,
    };
  }
  partitions.sort((a, b) => (a.scn < b.scn ? -1 : a.scn > b.scn ? 1 : a.name < b.name ? -1 : 1));
  const counted = partitions.filter(({ leftOut }) => !leftOut);
  const [lowest] = counted;
  if (lowest === undefined)
    return { ok: false, problem: "every partition is left out", remedy: "Leave only those out that pin the start." };
  const delivered = counted.flatMap(({ commitScn }) => commitScn ?? []);
  return {
    ok: true,
    takeover: {
      partitions,
      startScn: lowest.scn,
      lastDelivered: delivered.reduce<Scn | undefined>(
        (highest, scn) => (highest === undefined || scn > highest ? scn : highest),
        undefined,
      ),
    },
  };
}

/**
 * Why the legacy connector's position can't be taken over as it stands; undefined when it is stopped.
 *
 * Rule: specification, "Takeover rules", 1.
 */
export function notStopped(name: string, status: ConnectorStatus): string | undefined {
  if (isStopped(status)) return undefined;
  switch (status.state) {
    case "PAUSED":
      return `${name} is only paused: its task is there and may commit once more`;
    case "STOPPED":
      return `${name} is being stopped: it still has tasks`;
    case "FAILED":
      return `${name} has failed, and a failed connector is not stopped`;
    default:
      return `${name} is ${status.state}: its offsets still move`;
  }
}

/**
 * Whether an SCN can be of the connected database's incarnation: the legacy offsets hold no identity. @returns what speaks against it
 *
 * Rule: specification, "Takeover rules", 3; legacy properties, "Stored offsets".
 */
export function wrongIncarnation(
  startScn: Scn,
  { resetlogsScn, currentScn, name }: { readonly resetlogsScn: Scn; readonly currentScn: Scn; readonly name: string },
): string | undefined {
  if (startScn < resetlogsScn)
    return `${startScn} was taken in an earlier incarnation: ${name} was opened with RESETLOGS at ${resetlogsScn}`;
  if (startScn > currentScn)
    return `${startScn} is above the current SCN of ${name}, ${currentScn}: it is another database`;
  return undefined;
}

function nameOf(partition: JsonObject): string | undefined {
  const { sidPdb, catalog, schema, table } = partition;
  if (typeof sidPdb === "string") return sidPdb;
  if (typeof table !== "string" || typeof schema !== "string") return undefined;
  return typeof catalog === "string" && catalog !== "" ? `${catalog}.${schema}.${table}` : `${schema}.${table}`;
}

function scnOf(value: Json | undefined): Scn | undefined {
  if (typeof value === "bigint") return value >= 0n ? value : undefined;
  return typeof value === "string" ? parseScn(value) : undefined;
}
