import type { Instant } from "../../values/instant.ts";
import { MAX_SCN, type Scn } from "../../values/scn.ts";
import type { Observed } from "../observed.ts";

/**
 * The domain of the task's MBean, `sh.oso.cdc:type=task,server=PREFIX` (reference: wire formats, "Task metrics over
 * JMX").
 */
export const TASK_METRICS_DOMAIN = "sh.oso.cdc";

export const LARGEST_TRANSACTIONS = "LargestTransactions";

/**
 * Integer attributes that show how far behind the task is, and why: SCNs, milliseconds, bytes and counts, as their
 * names say. -1 where there is nothing to report. Source: reference: connector metrics.
 */
export const LAG_ATTRIBUTES = [
  "MillisBehindSource",
  "ScnLag",
  "MinedToScn",
  "SafeEndScn",
  "OldestOpenScn",
  "LastStepMillis",
  "WindowLogs",
  "Steps",
  "RowsMined",
  "StepTimeouts",
  "LagReplays",
  "QueueDepth",
  "OpenTransactions",
  "BufferedEvents",
  "BufferHeapBytes",
  "BufferMemoryMaxBytes",
  "SpilledBytes",
  "JournaledTransactions",
  "TransactionsCommitted",
  "IdlePolls",
  "SnapshotTablesRemaining",
  "SpillMaxBytes",
] as const;

export type LagAttribute = (typeof LAG_ATTRIBUTES)[number];

/** One of the largest transactions that the task holds open; at most 20, by bytes. */
export interface LargestTransaction {
  /** The id as the connector writes it: without its container. */
  readonly xid: string;
  readonly user: string | undefined;
  readonly clientId: string | undefined;
  /** Undefined: the task does not know. */
  readonly ageMillis: bigint | undefined;
  readonly firstScn: Scn;
  readonly events: bigint;
  readonly heapBytes: bigint;
  readonly spilledBytes: bigint;
  /** Whether its first part is already in the transaction journal. */
  readonly journaled: boolean;
}

/** One reading of the task's MBean. Each value is known or unknown by itself: an older connector may lack some. */
export interface TaskMetrics {
  readonly largestTransactions: Observed<readonly LargestTransaction[]>;
  readonly lag: Readonly<Record<LagAttribute, Observed<bigint>>>;
}

/**
 * The value of `server` in the MBean's name, and in the exporter's label: a prefix with other than these characters is
 * quoted, as by Java's `ObjectName.quote`. Rule: reference: connector metrics.
 */
export function serverOfBean(prefix: string): string {
  if (/^[A-Za-z0-9._-]+$/.test(prefix)) return prefix;
  return `"${prefix.replace(/[\\"*?]/g, "\\$&").replaceAll("\n", "\\n")}"`;
}

export const TASK_ATTRIBUTES: readonly string[] = [LARGEST_TRANSACTIONS, ...LAG_ATTRIBUTES];

/** The MBean may belong to another version of the connector. */
const OTHER_VERSION = "Check that cdcctl supports the connector's version.";

/**
 * Interprets the attributes of the task's MBean. Attributes that are missing, of another type or of an impossible value
 * are unknown, with the reason; the others are unaffected.
 *
 * @param bean the MBean's name, as the source of the values
 */
export function readTaskMetrics(
  attributes: ReadonlyMap<string, AttributeSeen>,
  bean: string,
  observedAt: Instant,
): TaskMetrics {
  const observed = <T>(name: string, read: (value: MetricValue) => T | Unfit): Observed<T> => {
    const source = `${bean} ${name}`;
    const seen = attributes.get(name);
    if (seen === undefined) return { known: false, why: `${name} was not requested`, source };
    if (!seen.read) return { known: false, why: seen.why, source };
    const value = read(seen.value);
    return value instanceof Unfit
      ? { known: false, why: `${name} ${value.why}`, remedies: [OTHER_VERSION], source }
      : { known: true, value, source, at: observedAt };
  };
  const lag = LAG_ATTRIBUTES.map((name) => [name, observed(name, wholeNumber)] as const);
  return {
    largestTransactions: observed(LARGEST_TRANSACTIONS, largestTransactions),
    lag: Object.fromEntries(lag) as Record<LagAttribute, Observed<bigint>>,
  };
}

/** Why a value is not valid for the attribute. */
class Unfit {
  readonly why: string;
  constructor(why: string) {
    this.why = why;
  }
}

function largestTransactions(value: MetricValue): readonly LargestTransaction[] | Unfit {
  if (!isList(value)) return new Unfit(`is ${kindOf(value)}, not a list of transactions`);
  const rows: LargestTransaction[] = [];
  for (const [at, item] of value.entries()) {
    const row = isRow(item) ? largestTransaction(item) : new Unfit(`is ${kindOf(item)}`);
    if (row instanceof Unfit) return new Unfit(`can't be read: its row ${at + 1} ${row.why}`);
    rows.push(row);
  }
  return rows;
}

function largestTransaction(row: MetricRow): LargestTransaction | Unfit {
  const unfit: string[] = [];
  const field = <T>(name: string, read: (value: MetricValue) => T | Unfit, otherwise: T): T => {
    const value = row.get(name);
    const found = value === undefined ? new Unfit("is missing") : read(value);
    if (!(found instanceof Unfit)) return found;
    unfit.push(`${name} ${found.why}`);
    return otherwise;
  };
  const transaction: LargestTransaction = {
    xid: field("xid", text, ""),
    user: field("username", textOrNone, undefined),
    clientId: field("clientId", textOrNone, undefined),
    // -1 means none.
    ageMillis: field("ageMillis", (value) => (value === -1n ? undefined : count(value)), undefined),
    firstScn: field("firstScn", scn, 0n),
    events: field("events", count, 0n),
    heapBytes: field("heapBytes", count, 0n),
    spilledBytes: field("spilledBytes", count, 0n),
    journaled: field("journaled", truth, false),
  };
  return unfit.length === 0 ? transaction : new Unfit(`is malformed: ${unfit.join(", ")}`);
}

function wholeNumber(value: MetricValue): bigint | Unfit {
  return typeof value === "bigint" ? value : new Unfit(`is ${kindOf(value)}, not a whole number`);
}

function count(value: MetricValue): bigint | Unfit {
  const found = wholeNumber(value);
  return typeof found === "bigint" && found < 0n ? new Unfit("is negative") : found;
}

function scn(value: MetricValue): Scn | Unfit {
  const found = count(value);
  return typeof found === "bigint" && found > MAX_SCN ? new Unfit("is above every SCN") : found;
}

function truth(value: MetricValue): boolean | Unfit {
  return typeof value === "boolean" ? value : new Unfit(`is ${kindOf(value)}, not true or false`);
}

function text(value: MetricValue): string | Unfit {
  return typeof value === "string" && value !== "" ? value : new Unfit(`is ${kindOf(value)}, not a string`);
}

function textOrNone(value: MetricValue): string | undefined | Unfit {
  return value === null || value === "" ? undefined : text(value);
}

function kindOf(value: MetricValue): string {
  if (value === null) return "null";
  if (value === "") return "empty";
  if (isList(value)) return "a list";
  if (isRow(value)) return "a row of values";
  switch (typeof value) {
    case "bigint":
      return "a whole number";
    case "number":
      return "a fraction";
    case "boolean":
      return "true or false";
    default:
      return "a string";
  }
}

/**
 * A value of an MBean's attribute: Java's integers of any size are `bigint`, so that no SCN loses a digit; `number` is
 * a float or double. Composite data and maps are rows; lists, arrays and tables are lists, tables without their keys.
 */
export type MetricValue = null | boolean | string | bigint | number | MetricList | MetricRow;
type MetricList = readonly MetricValue[];
export type MetricRow = ReadonlyMap<string, MetricValue>;

/** An attribute that was read, or why it could not be. */
export type AttributeSeen =
  | { readonly read: true; readonly value: MetricValue }
  | { readonly read: false; readonly why: string };

export function isRow(value: MetricValue | undefined): value is MetricRow {
  return value instanceof Map;
}

function isList(value: MetricValue | undefined): value is MetricList {
  return Array.isArray(value);
}
