import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js";
import type { Failure, TableEvidence, UnreadableSeen } from "../../../schemas/generated/evidence.ts";
import type { Column, JobTable, TableShape, ValueKind } from "../../../schemas/generated/verification-job.ts";
import type { KeyFailure, SideRead, Verdict } from "../../../schemas/generated/verification-result.ts";
import { viewOf } from "../../values/bytes.ts";
import { fieldsOf, type RowField } from "../canonical-row.ts";
import { LEFT_OUT } from "../settings/shape-of.ts";
import { dateText } from "../values/datetime.ts";
import type { TableVerified, VerifiedKeys } from "../verdict.ts";
import { DOUBTS, FAILURES, HashSum, type KeyFinding, NOTHING_READ } from "../verdict.ts";
import { outcomeOfTable, reasonsOfTable } from "./table-outcome.ts";

/** What is known about a table after its verification. */
export interface TableChecked
  extends Pick<JobTable, "table" | "newTopic" | "legacyTopic" | "shape" | "leftOut" | "remarks"> {
  readonly found: Exclude<TableVerified, { is: "interrupted" }> | { readonly is: "not-read"; readonly why: string };
}

const NO_KEYS = { keys: 0, keyHash: 0n, rowHash: 0n };

/** @param passed whether the connector had passed the check SCN @param values whether values may be shown */
export function tableEvidence(checked: TableChecked, passed: boolean, values: boolean): TableEvidence {
  const { found, shape } = checked;
  const keys = found.is === "verified" ? found : undefined;
  const verdict = keys?.verdict;
  const counts = countsOf(keys);
  const failed = {
    newTopic: checked.newTopic,
    notRead: found.is === "verified" ? undefined : found.is === "unreachable" ? found.message : found.why,
    passed,
    ...counts.sides,
    failures: counts.failures,
    doubts: counts.doubts,
  };
  const place = { newTopic: checked.newTopic, legacyTopic: checked.legacyTopic };
  return {
    table: checked.table,
    outcome: outcomeOfTable(failed),
    reasons: [...reasonsOfTable(failed)],
    remarks: [...checked.remarks, ...remarksOf(keys, checked.newTopic)],
    newTopic: checked.newTopic,
    ...(checked.legacyTopic === undefined ? {} : { legacyTopic: checked.legacyTopic }),
    key: shape?.key.map(({ name }) => name) ?? [],
    columns: shape?.columns.map(({ name }) => name) ?? [],
    leftOut: checked.leftOut.map(({ column, why }) => ({ column, why: LEFT_OUT[why] })),
    ...counts.sides,
    keys: counts.keys,
    failures: counts.failures,
    doubts: counts.doubts,
    unavailable: (verdict?.unavailable ?? []).flatMap((count, at) =>
      count === 0 ? [] : [{ column: shape?.columns[at]?.name ?? "", count: BigInt(count) }],
    ),
    hashes: counts.hashes,
    firstFailures: (verdict?.firstFailures ?? []).map((one) => failureOf(one, shape as TableShape, place, values)),
    firstDoubts: (verdict?.firstDoubts ?? []).map((one) => ({
      ...findingOf(one, shape as TableShape, place, values),
      reason: one.reason,
    })),
    unreadable: unreadableOf(keys, shape?.key ?? []),
  };
}

function countsOf(found: VerifiedKeys | undefined) {
  const verdict: Partial<Verdict> = found?.verdict ?? {};
  const table = verdict.table ?? NO_KEYS;
  const topics = verdict.topics ?? NO_KEYS;
  const legacy = found?.legacyTopic;
  return {
    sides: {
      rows: sideOf(found?.table ?? NOTHING_READ),
      newRecords: sideOf(found?.newTopic ?? NOTHING_READ),
      ...(legacy && { legacyRecords: { ...sideOf(legacy), withoutKey: BigInt(legacy.withoutKey) } }),
    },
    keys: {
      inTable: BigInt(table.keys),
      inTopics: BigInt(topics.keys),
      compared: BigInt(verdict.compared ?? 0),
      byLegacy: BigInt(verdict.byLegacy ?? 0),
    },
    failures: counted(FAILURES, verdict.failures),
    doubts: counted(DOUBTS, verdict.doubts),
    hashes: {
      tableKeys: hex(table.keyHash),
      topicKeys: hex(topics.keyHash),
      tableRows: hex(table.rowHash),
      topicRows: hex(topics.rowHash),
    },
  };
}

function sideOf({ count, foreign, unreadable }: SideRead) {
  return { count: BigInt(count), otherTables: BigInt(foreign), unreadable: BigInt(unreadable) };
}

/** Reasons of a later day: left out where there are none, so that other evidence reads as before. */
const LATER: readonly string[] = ["stale-in-legacy-topic", "truncate-skipped"];

function counted<Reason extends string>(
  reasons: readonly Reason[],
  counts: Readonly<Record<Reason, number>> | undefined,
): Record<Reason, bigint> {
  const stated = reasons.filter((reason) => counts?.[reason] || !LATER.includes(reason));
  return Object.fromEntries(stated.map((reason) => [reason, BigInt(counts?.[reason] ?? 0)])) as Record<Reason, bigint>;
}

const hex = (sum: bigint): string => sum.toString(16).padStart(32, "0");

// ---- Keys -----------------------------------------------------------------------------------------------------------

interface Topics {
  readonly newTopic: string;
  readonly legacyTopic: string | undefined;
}

/**
 * A table without a key is compared by whole rows. A row is named by its hash, because values are shown on request
 * only.
 */
function findingOf(finding: KeyFinding, shape: TableShape, topics: Topics, values: boolean) {
  const counted = shape.key.length === 0;
  const { place } = finding;
  const hash = new HashSum();
  hash.add(viewOf(finding.key), 0, finding.key.length);
  const topic = place?.topic === "legacy" ? topics.legacyTopic : topics.newTopic;
  return {
    ...(counted ? { row: hex(hash.sum()) } : {}),
    ...(!counted || values ? { key: textsOf(finding.key, counted ? shape.columns : shape.key) } : {}),
    columns: finding.columns.map((at) => shape.columns[at]?.name ?? ""),
    ...(place === undefined || topic === undefined
      ? {}
      : {
          record: {
            ...{ topic, partition: BigInt(place.partition), offset: place.offset },
            ...(place.scn === undefined ? {} : { scn: place.scn }),
          },
        }),
  };
}

function failureOf(finding: KeyFailure, shape: TableShape, topics: Topics, values: boolean): Failure {
  const { tableRow, topicRow } = finding;
  return {
    ...findingOf(finding, shape, topics, values),
    reason: finding.reason,
    ...(values && tableRow !== undefined ? { tableValues: textsOf(tableRow, shape.columns) } : {}),
    ...(values && topicRow !== undefined ? { topicValues: textsOf(topicRow, shape.columns) } : {}),
  };
}

// ---- What could not be read -----------------------------------------------------------------------------------------

function unreadableOf(found: VerifiedKeys | undefined, columns: readonly Column[]): UnreadableSeen[] {
  const sides = [
    ["table", found?.table],
    ["new topic", found?.newTopic],
    ["legacy topic", found?.legacyTopic],
  ] as const;
  return sides.flatMap(([side, read]) =>
    (read?.reasons ?? []).map(({ why, count, place, key }) => ({
      side,
      why,
      count: BigInt(count),
      ...(place === undefined ? {} : { partition: BigInt(place.partition), offset: place.offset }),
      ...(key === undefined ? {} : { key: textsOf(hexToBytes(key), columns) }),
    })),
  );
}

function remarksOf(found: VerifiedKeys | undefined, newTopic: string): readonly string[] {
  if (found === undefined) return [];
  const { verdict } = found;
  if (verdict.table.keys === 0) return ["the table has no rows"];
  if (verdict.compared > 0) return [];
  return [
    `no value was compared: ${newTopic === "" ? "the topic holds" : "the new connector delivered"} none of the rows`,
  ];
}

const decoder = new TextDecoder();

/**
 * Prints the values of a canonical row (or key) by column: `null` is NULL. Bytes are hexadecimal; a large value is its
 * length and SHA-256.
 */
export function textsOf(row: Uint8Array, columns: readonly Column[]): Record<string, string | null> {
  const fields = fieldsOf(row);
  return Object.fromEntries(columns.map((column, at) => [column.name, textOf(fields[at], column.kind)]));
}

function textOf(field: RowField | undefined, kind: ValueKind): string | null {
  switch (field?.is) {
    case "value":
      return valueText(field.bytes, kind);
    case "large":
      return `${field.length} bytes, sha256:${bytesToHex(field.sha256)}`;
    case "unavailable":
    case "absent":
      return "(not in the record)";
    default:
      return null;
  }
}

function valueText(bytes: Uint8Array, kind: ValueKind): string {
  switch (kind) {
    case "raw":
    case "blob":
      return bytesToHex(bytes);
    case "datetime":
    case "instant":
      return dateText(bytes, kind === "instant");
    default:
      return decoder.decode(bytes);
  }
}
