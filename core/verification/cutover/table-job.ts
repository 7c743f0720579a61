import type { TableSeen } from "../../../schemas/generated/shared.ts";
import type { KeyRange, Membership, RowsJob, TableJob, TopicJob } from "../../../schemas/generated/verification-job.ts";

import type { KafkaPort } from "../../ports/kafka.ts";
import type { OraclePort } from "../../ports/oracle.ts";
import { beginsWith } from "../../values/json-walk.ts";
import { indexOfBytes, type Wanted, wantedBytes } from "../byte-work.ts";
import type { IsOfTable, LegacyTopicInput, TableInputs } from "../engine/inputs.ts";
import { legacyOfTable } from "../settings/shared-topic.ts";

/** Longest member with a table's name, in bytes, that is kept. */
const LONGEST = 600;

/**
 * Tests whether the records of a legacy topic name the expected table, for when the legacy connector's configuration is
 * unknown. A tombstone names no table: it belongs to the table of the delete that it follows. Where compaction may have
 * removed that one, it counts as the table's as long as all other records do (`decideTombstones`).
 *
 * Parsing a whole record for one member is slow. Once parsed, the bytes of that member are searched in later records.
 * They cannot match inside a string, where a quotation mark has a backslash before it.
 *
 * @param field `output.table.name.field` of the legacy connector
 */
export function isOfLegacyTable(table: TableSeen, inPdb: boolean, field = "table"): IsOfTable {
  const read = legacyOfTable(table, inPdb, false, field);
  let known: Wanted | undefined;
  // The rest of the record after the member usually has the same length as in the record before.
  let fromEnd = 0;
  return (bytes, start, end) => {
    if (start < 0) return true;
    if (known !== undefined) {
      const likely = end - fromEnd;
      if (likely >= start && beginsWith(bytes, likely, end, known.bytes)) return true;
      const at = indexOfBytes(bytes, known, start, end);
      if (at >= 0) {
        fromEnd = end - at;
        return true;
      }
    }
    const isOwn = read(bytes, start, end);
    if (isOwn !== true) return isOwn;
    const member = memberBytes(bytes.subarray(start, end), field);
    if (member !== undefined) known = wantedBytes(member);
    return true;
  };
}

const encoder = new TextEncoder();
const QUOTE = 0x22;

/** `"table":"ORCLCDB.ORCLPDB1.SALES.ORDERS"` as a record contains it; undefined if it is written in an unusual way. */
function memberBytes(value: Uint8Array, field: string): Uint8Array | undefined {
  const name = encoder.encode(`"${field}":"`);
  const start = indexOfBytes(value, wantedBytes(name), 0, value.length);
  if (start < 0) return undefined;
  const end = value.indexOf(QUOTE, start + name.length);
  if (end < 0 || end - start > LONGEST) return undefined;
  return value.slice(start, end + 1);
}

/**
 * Creates what the engine reads, through these ports.
 *
 * @param most maximum number of ranges that the table's are divided into; left out if they stay as they are
 */
export function inputsOf(
  job: TableJob,
  { kafka, oracle }: { readonly kafka: KafkaPort; readonly oracle: OraclePort },
  most?: number,
): TableInputs {
  const { rows, newTopic, legacyTopic, ...rest } = job;
  return {
    ...rest,
    rows: {
      expected: rowsExpected(rows),
      ranges: async (stop) => rangeNames(most === undefined ? rows : await divided(rows, oracle, most, stop)),
      read: (name) => oracle.rowsAsOf(rows.read, rangeNamed(name), rows.batch),
    },
    newTopic: topicInput(newTopic, kafka),
    legacyTopic: legacyTopic && topicInput(legacyTopic, kafka),
  };
}

function rowsExpected({ each, ranges }: RowsJob): number | undefined {
  return each === undefined ? undefined : each * ranges.length;
}

/** A table with fewer rows is not divided: reading it is faster. */
const WORTH_DIVIDING = 200_000;

/** Divides the rows of a whole table into at most so many ranges of about equal size. Throws as `OraclePort.ranges`. */
export async function divided(rows: RowsJob, oracle: OraclePort, most: number, stop?: AbortSignal): Promise<RowsJob> {
  const all = rowsExpected(rows);
  if (all === undefined || all < WORTH_DIVIDING) return rows;
  const ranges = await oracle.ranges(rows.read, BigInt(all), most, stop);
  return { ...rows, ranges, each: Math.ceil(all / ranges.length) };
}

/** Names of the ranges. An interrupted run is resumed with ranges of the same names. */
export function rangeNames({ ranges }: RowsJob): readonly string[] {
  return ranges.map(nameOfRange);
}

function topicInput({ extents, membership, ...topic }: TopicJob, kafka: KafkaPort): LegacyTopicInput {
  return {
    ...topic,
    partitions: extents.map(({ partition, from, to }) => ({
      partition,
      from,
      to,
      read: (start, end = to) => kafka.recordsInPlace(topic.topic, { partition, from: start, to: end }),
    })),
    ...(membership === undefined ? {} : { isOfTable: isOfTableBy(membership) }),
  };
}

function isOfTableBy({ by, table, inPdb, compacted, field }: Membership): IsOfTable {
  switch (by) {
    case "legacy name":
      return legacyOfTable(table, inPdb, compacted, field);
    case "legacy name, seldom another":
      return isOfLegacyTable(table, inPdb, field);
  }
}

function nameOfRange(range: KeyRange | undefined): string {
  return range === undefined ? "all" : JSON.stringify([range.after ?? null, range.upTo ?? null]);
}

function rangeNamed(name: string): KeyRange | undefined {
  if (name === "all") return undefined;
  const [after, upTo] = JSON.parse(name) as [string[] | null, string[] | null];
  return { after: after ?? undefined, upTo: upTo ?? undefined };
}
