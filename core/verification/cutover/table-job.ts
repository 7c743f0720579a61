import type { KeyRange, RowsJob, TableJob, TopicJob } from "../../../schemas/generated/verification-job.ts";

import type { KafkaPort } from "../../ports/kafka.ts";
import type { OraclePort } from "../../ports/oracle.ts";
import type { LegacyTopicInput, TableInputs } from "../engine/inputs.ts";
import { legacyOfTable } from "../settings/shared-topic.ts";

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
    ...(membership === undefined ? {} : { isOfTable: legacyOfTable(membership) }),
  };
}

function nameOfRange(range: KeyRange | undefined): string {
  return range === undefined ? "all" : JSON.stringify([range.after ?? null, range.upTo ?? null]);
}

function rangeNamed(name: string): KeyRange | undefined {
  if (name === "all") return undefined;
  const [after, upTo] = JSON.parse(name) as [string[] | null, string[] | null];
  return { after: after ?? undefined, upTo: upTo ?? undefined };
}
