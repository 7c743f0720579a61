import type { ConnectorSeen, OffsetsSetDetails, RecordedEvent, RecordInLog } from "../../../schemas/generated/facts.ts";
import type { OpsFormat } from "../../../schemas/generated/shared.ts";
import { type Instant, instantIfDate, instantOf, millisBetween } from "../../values/instant.ts";
import { canonicalJson, isObject, type JsonObject, jsonIn, jsonObjectIn, printJson } from "../../values/json.ts";
import { ascending } from "../../values/lists.ts";
import { parseRunId } from "../../values/run-id.ts";
import { parseScn, type Scn } from "../../values/scn.ts";
import { truncate } from "../../values/truncate.ts";
import { isJsonConverter } from "../connector/plugins.ts";
import { errorLine, stopIn } from "../connector/traces.ts";

/**
 * Events of the connector's ops topic (reference: wire formats, "Ops topic"; specification, "Ops event `offsets-set`").
 * cdcctl writes `offsets-set` events and reads them back, its own and those of other operators.
 */
export interface OffsetsSetEvent extends Omit<RecordedEvent, "record"> {}

export type OpsOutcome = OffsetsSetDetails["outcome"];

const KEY_SCHEMA = "io.oso.cdc.ops.Key";
const VALUE_SCHEMA = "io.oso.cdc.ops.Event";

/**
 * The format of an ops event, from the connector's converter; undefined if its converter is not JSON and no format was
 * requested, which is refused. No converter in the configuration means plain JSON; the JSON converter without
 * `schemas.enable` means with schemas.
 */
export function opsFormat(
  asked: OpsFormat | undefined,
  converter: Pick<ConnectorSeen, "valueConverter" | "valueConverterSchemas">,
): OpsFormat | undefined {
  if (asked !== undefined) return asked;
  if (converter.valueConverter === undefined) return "json";
  if (!isJsonConverter(converter.valueConverter)) return undefined;
  return converter.valueConverterSchemas?.trim().toLowerCase() === "false" ? "json" : "json_schemas";
}

/** Encodes an event. @returns key and value of the record, UTF-8 JSON */
export function encodeOpsEvent(
  event: OffsetsSetEvent,
  format: OpsFormat,
): { readonly key: Uint8Array; readonly value: Uint8Array } {
  return encodeEvent("offsets-set", event, parseScn(event.details.new_resume_scn), format);
}

/** Encodes an event of any type. */
export function encodeEvent(
  type: string,
  { at, server, details: all }: { readonly at: Instant; readonly server: string; readonly details: object },
  resumeScn: Scn | undefined,
  format: OpsFormat,
) {
  const details = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
  const value = { v: 1n, type, ts_ms: BigInt(Date.parse(at)), server, resume_scn: resumeScn ?? null, details };
  return { key: opsKey(server, format), value: inEnvelope(value, valueSchema, format) };
}

/** The key of every event of a connector: its topic prefix. Each JSON format encodes it differently. */
export function opsKey(server: string, format: OpsFormat): Uint8Array {
  return inEnvelope({ server }, keySchema, format);
}

function inEnvelope(payload: unknown, schema: unknown, format: OpsFormat): Uint8Array {
  return new TextEncoder().encode(printJson(format === "json" ? payload : { schema, payload }, 0));
}

/** Details that are sentences written by a person or a worker. */
const PROSE: ReadonlySet<string> = new Set(["command", "reason", "ticket", "operator", "error", "gap"]);

/**
 * Reads a record of the ops topic, with or without the schema envelope; undefined for any other record than an
 * `offsets-set` event.
 *
 * @param redact removes secrets from texts of people and workers, which may contain the configuration
 */
export function decodeOffsetsSet(
  value: Uint8Array | null,
  redact: (text: string) => string,
): OffsetsSetEvent | undefined {
  const record = eventOf("offsets-set", value);
  if (record === undefined) return undefined;
  const details = Object.fromEntries(
    Object.entries(record.details)
      .filter(([, detail]) => detail !== null)
      .map(([name, detail]) => [name, typeof detail === "string" ? detail : canonicalJson(detail)] as const)
      .map(([name, detail]) => [name, PROSE.has(name) ? redact(detail) : detail]),
  );
  const { connector, outcome, run: named, ...others } = details;
  const run = parseRunId(named);
  if (connector === undefined || (outcome !== "applying" && outcome !== "applied" && outcome !== "failed"))
    return undefined;
  return {
    at: record.at,
    server: record.server,
    details: {
      command: "",
      reason: "",
      operator: "",
      previous_resume_scn: "none",
      new_resume_scn: "none",
      ...others,
      connector,
      outcome,
      ...(run === undefined ? {} : { run }),
    },
  };
}

/** That the connector's task stopped by an error. */
export interface StopEvent {
  readonly at: Instant;
  readonly server: string;
  /** What its trace says as well; without a code of the connector its exception and message alone. */
  readonly error: string;
}

/**
 * Reads a `stop` event, which the task writes before it fails. Rule: reference: connector codes.
 *
 * @param redact removes secrets from the error, which may contain the configuration
 */
export function decodeStop(value: Uint8Array | null, redact: (text: string) => string): StopEvent | undefined {
  const record = eventOf("stop", value);
  if (record === undefined) return undefined;
  const [code, exception, message = ""] = ["code", "exception", "message"].map((name) => {
    const detail = record.details[name];
    return typeof detail === "string" ? detail : undefined;
  });
  const whole = stopIn(message) === undefined ? [code ?? exception ?? [], message].flat().join(": ") : message;
  return { at: record.at, server: record.server, error: errorLine(redact(whole)) };
}

/** An event of one type, with or without the schema envelope; undefined for any other record. */
export function eventOf(type: string, value: Uint8Array | null) {
  const parsed = value === null ? undefined : jsonObjectIn(value);
  const record = isObject(parsed?.["payload"]) && "schema" in parsed ? parsed["payload"] : parsed;
  if (record?.["type"] !== type || !isObject(record["details"])) return undefined;
  return {
    at: momentOf(typeof record["ts_ms"] === "bigint" ? record["ts_ms"] : 0n),
    server: typeof record["server"] === "string" ? record["server"] : "",
    details: record["details"],
  };
}

/** A record as read; its time in milliseconds since the epoch. */
interface RecordOfTopic {
  readonly partition: number;
  readonly offset: bigint;
  readonly timestamp: bigint;
  readonly stampedBy: RecordInLog["stampedBy"];
  readonly value: Uint8Array | null;
}

/** Decodes an event with its place in the topic. */
export function decodeRecordedEvent(
  { value, partition, offset, timestamp, stampedBy }: RecordOfTopic,
  redact: (text: string) => string,
): RecordedEvent | undefined {
  const event = decodeOffsetsSet(value, redact);
  if (event === undefined) return undefined;
  return { ...event, record: { partition: BigInt(partition), offset, time: momentOf(timestamp), stampedBy } };
}

/**
 * Sorts records in an order that no log contradicts: within a partition by offset. The events of a connector share a
 * partition, as their key is its topic prefix, unless partitions were added or the other JSON format was chosen, which
 * changes the key. Between partitions the records' times decide, for lack of anything better; they are only as good as
 * the clocks.
 */
export function inLogOrder<R extends Pick<RecordOfTopic, "partition" | "offset" | "timestamp">>(
  records: readonly R[],
): readonly R[] {
  const logs = [...new Set(records.map(({ partition }) => partition))].map((partition) =>
    records.filter((record) => record.partition === partition).toSorted(ascending(({ offset }) => offset)),
  );
  const ordered: R[] = [];
  const next = logs.map(() => 0);
  while (ordered.length < records.length) {
    let first: { readonly log: number; readonly record: R } | undefined;
    for (const [log, of] of logs.entries()) {
      const record = of[next[log] ?? 0];
      if (record !== undefined && (first === undefined || record.timestamp < first.record.timestamp))
        first = { log, record };
    }
    if (first === undefined) break;
    next[first.log] = (next[first.log] ?? 0) + 1;
    ordered.push(first.record);
  }
  return ordered;
}

/** Synchronized clocks differ by no more. */
const SKEW_MILLIS = 60_000;

/**
 * How long ago a change began, milliseconds: from the broker's time of its record if the broker stamped it, otherwise
 * from the event's own, which comes from the workers' clocks. The clock of a machine that runs cdcctl is never used.
 *
 * @param clusterNow the workers' current time
 * @returns undefined if unknown: the workers report no time, or it is ahead of theirs
 */
export function ageOf({ at, record, details }: RecordedEvent, clusterNow: Instant | undefined): number | undefined {
  if (clusterNow === undefined || (details.clock !== undefined && record.stampedBy !== "broker")) return undefined;
  const age = millisBetween(beganAt({ at, record }), clusterNow);
  return age < -SKEW_MILLIS ? undefined : Math.max(0, age);
}

/** When a change began, by the clock that `ageOf` uses. */
export function beganAt({ at, record }: Pick<RecordedEvent, "at" | "record">): Instant {
  return record.stampedBy === "broker" ? record.time : at;
}

/** Converts milliseconds; the epoch for values beyond all dates. */
function momentOf(millis: bigint): Instant {
  return instantIfDate(Number(millis)) ?? instantOf(0);
}

/** A change of one connector as recorded in its ops topic, with its outcome; one per run. */
export interface RecordedChange<E extends OffsetsSetEvent = OffsetsSetEvent> {
  readonly event: E;
  /** The event that ended it; the same one while it is under way. */
  readonly latest: E;
  readonly outcome: OpsOutcome;
}

/**
 * Folds events into changes: an `applying` and the outcome that follows it are one change. They belong together as
 * `isOwnOutcome` says, or, if a tool wrote no run, by coming next with the same connector and new SCN. A change that
 * was applied is never recorded as failed afterwards.
 *
 * @param events in the order of their log; their times do not matter
 */
export function recordedChanges<E extends OffsetsSetEvent>(
  events: readonly E[],
  connector: string,
): readonly RecordedChange<E>[] {
  const changes: RecordedChange<E>[] = [];
  for (const event of events.filter(({ details }) => details.connector === connector)) {
    const last =
      event.details.outcome === "applying"
        ? -1
        : changes.findLastIndex(
            (change) =>
              belongsTo(event, change.event) && !(change.outcome === "applied" && event.details.outcome === "failed"),
          );
    const open = changes[last];
    if (open === undefined) {
      const again = changes.findLastIndex(
        (change) => event.details.run !== undefined && change.event.details.run === event.details.run,
      );
      if (again < 0) changes.push({ event, latest: event, outcome: event.details.outcome });
    } else {
      changes[last] = { event: open.event, latest: event, outcome: event.details.outcome };
    }
  }
  return changes;
}

/** The latest change whose outcome is not recorded: it is in flight, or its run was cut off. */
export function changeUnderWay<E extends OffsetsSetEvent>(
  changes: readonly RecordedChange<E>[],
): RecordedChange<E> | undefined {
  return changes.findLast(({ outcome }) => outcome === "applying");
}

function belongsTo(outcome: OffsetsSetEvent, applying: OffsetsSetEvent): boolean {
  const a = outcome.details;
  const b = applying.details;
  if (a.run !== undefined || b.run !== undefined) return isOwnOutcome(a, b);
  return b.outcome === "applying" && a.new_resume_scn === b.new_resume_scn && a.command === b.command;
}

/**
 * Whether an event has the form of the run's own: run, decision and operator are those of its `applying`. Another
 * operator settles a run of another machine only as `taken_over`. Anyone who can write to the topic can copy these: so
 * what an outcome settles is also compared with the stored offset.
 */
export function isOwnOutcome(
  event: Pick<OffsetsSetDetails, "run" | "decision" | "operator" | "taken_over">,
  run: Pick<OffsetsSetDetails, "run" | "decision" | "operator">,
): boolean {
  return (
    event.run === run.run &&
    (event.decision ?? "") === (run.decision ?? "") &&
    (event.operator === run.operator || event.operator === event.taken_over)
  );
}

/** Who is recorded as the operator. Nobody has checked the name, which that operator's environment asserts. */
export function operatorText(operator: string): string {
  return operator === "" ? "an unnamed operator" : `${truncate(operator, 200)} (self-asserted)`;
}

/** `run 2026-11-21T09-15-40Z-7f3a by ana (self-asserted)` */
export function runText({ operator, run }: Pick<OffsetsSetDetails, "operator" | "run">): string {
  return `run ${run ?? "(without an id)"} by ${operatorText(operator)}`;
}

/** The offset that an event carries as text; undefined when it carries none, null if it records that there was none. */
export function carriedOffset(text: string | undefined): JsonObject | null | undefined {
  const parsed = text === undefined ? undefined : jsonIn(text);
  return parsed === null || isObject(parsed) ? parsed : undefined;
}

/**
 * Names as one detail: comma-joined, as in the reference. A quoted Oracle name may contain a comma; a name with a comma
 * or a double quote, and an empty name, is put in double quotes, with double quotes doubled, as in a CSV file (RFC
 * 4180). Any other name is unchanged.
 */
export function listDetail(names: readonly string[]): string {
  return names.map((name) => (/[,"]|^$/.test(name) ? `"${name.replaceAll('"', '""')}"` : name)).join(",");
}

/** The names that a detail lists, as `listDetail` wrote them, or another tool without quotes. */
export function namesOfDetail(text: string | undefined): readonly string[] {
  const names: string[] = [];
  if (text === undefined || text === "") return names;
  // A whole entry in double quotes; one that is not closed before a comma was never quoted.
  const quoted = /"([^"]*(?:""[^"]*)*)"(?=,|$)/y;
  for (let at = 0; at <= text.length; ) {
    quoted.lastIndex = at;
    const inner = quoted.exec(text)?.[1];
    const comma = inner === undefined ? text.indexOf(",", at) : quoted.lastIndex;
    const end = comma < 0 ? text.length : comma;
    names.push(inner === undefined ? text.slice(at, end) : inner.replaceAll('""', '"'));
    at = end + 1;
  }
  return names;
}

/** An SCN as a detail of the event; `none` if there is none. */
export function scnDetail(scn: Scn | undefined): string {
  return scn === undefined ? "none" : scn.toString();
}

const string = (field: string) => ({ field, type: "string", optional: false });
const keySchema = { type: "struct", name: KEY_SCHEMA, optional: false, fields: [string("server")] };
const valueSchema = {
  type: "struct",
  name: VALUE_SCHEMA,
  version: 1n,
  optional: false,
  fields: [
    { field: "v", type: "int32", optional: false },
    string("type"),
    { field: "ts_ms", type: "int64", optional: false },
    string("server"),
    { field: "resume_scn", type: "int64", optional: true },
    {
      field: "details",
      type: "map",
      optional: true,
      keys: { type: "string", optional: false },
      values: { type: "string", optional: false },
    },
  ],
};
