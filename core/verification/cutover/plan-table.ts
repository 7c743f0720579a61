import type { TopicSeen } from "../../../schemas/generated/facts.ts";
import type { JobTable, RowsJob, TableJob, TableShape, TopicJob } from "../../../schemas/generated/verification-job.ts";
import { Refusal } from "../../errors.ts";
import type { TableLayout } from "../../facts/tables/layout.ts";
import { type TopicNaming, topicNames } from "../../facts/tables/topic-names.ts";
import type { KafkaPort, OffsetRange } from "../../ports/kafka.ts";
import { showBytes } from "../../values/amounts.ts";
import { printDuration } from "../../values/duration.ts";
import { parseScn, type Scn } from "../../values/scn.ts";
import type { TopicInput } from "../engine/inputs.ts";
import type { InterruptedRun } from "../engine/manifest.ts";
import { recordRules, type TableOfTopic } from "../record-rules.ts";
import { changeFormat, type FormatResult, type LegacyFormat } from "../settings/record-format.ts";
import { type ShapeResult, shapeOf } from "../settings/shape-of.ts";
import { changeTopicIsShared } from "../settings/shared-topic.ts";
import type { IgnoredColumns } from "./ignored-columns.ts";
import type { LegacyEnd } from "./last-delivered.ts";
import type { CutoverEvent, CutoverPorts, CutoverRequest, FoundTable, TableWanted } from "./request.ts";

/** Rows per query: few enough for short queries and little memory, many enough that round trips cost nothing. */
const BATCH = { most: 500n, least: 50n, bytes: 256n * 1024n };

/** All rows of a table AS OF the check SCN, not divided into ranges. */
function wholeTable(layout: TableLayout, shape: TableShape, checkScn: Scn): RowsJob {
  const described = (of: readonly { readonly name: string }[]) =>
    of.flatMap(({ name }) =>
      layout.columns
        .filter((column) => column.name === name)
        .map(({ dataType, precision, scale }) => ({ name, dataType, precision, scale })),
    );
  const { container, owner, name } = layout;
  return {
    read: {
      table: { container, owner, name },
      columns: described(shape.columns),
      key: described(shape.key),
      scn: checkScn,
    },
    ranges: [undefined],
    each: layout.rows === undefined ? undefined : Number(layout.rows),
    batch: batchOf(layout.rowBytes),
  };
}

/** @param rowBytes average by the statistics; undefined if there are none */
function batchOf(rowBytes: bigint | undefined): number {
  const fitting = BATCH.bytes / (rowBytes === undefined || rowBytes < 1n ? 512n : rowBytes);
  return Number(fitting > BATCH.most ? BATCH.most : fitting < BATCH.least ? BATCH.least : fitting);
}

interface TopicToRead extends Pick<TopicJob, "topic" | "compacted" | "extents"> {
  readonly remarks: readonly string[];
}

/**
 * Inspects a topic: what it retains, and what there is to read now.
 *
 * @param named whether the operator named it; it must then exist. A table that never changed has no new topic
 * @param left extents of an interrupted run, which take precedence over the current ones
 * @throws Refusal VER105 if a named topic does not exist
 */
export async function topicToRead(
  kafka: KafkaPort,
  topic: string,
  named: boolean,
  left: readonly OffsetRange[] | undefined,
): Promise<TopicToRead> {
  const seen = await kafka.topic(topic);
  if (seen === undefined) {
    if (named)
      throw new Refusal("VER105", `topic ${topic} does not exist on ${kafka.brokers}`, [
        "Check its name, and the brokers (--bootstrap-servers).",
      ]);
    return {
      topic,
      compacted: false,
      extents: [],
      remarks: [`there is no topic ${topic}: the new connector has delivered nothing of this table`],
    };
  }
  const extents = await kafka.extents(topic);
  const extentOf = new Map((left ?? []).map((one) => [one.partition, one]));
  return {
    topic,
    compacted: !seen.cleanupPolicy.known || seen.cleanupPolicy.value.includes("compact"),
    extents: extents.map((now) => extentOf.get(now.partition) ?? now),
    remarks: [...keeping(seen), ...cutOff(topic, extents)],
  };
}

/** Remarks on records that the topic may have removed. */
function keeping({ name, cleanupPolicy, retentionMillis, retentionBytes }: TopicSeen): readonly string[] {
  if (!cleanupPolicy.known)
    return [`cleanup.policy of ${name} can't be seen (${cleanupPolicy.why}): it is taken for compacted`];
  const policies = cleanupPolicy.value.split(",").map((policy) => policy.trim());
  const remarks: string[] = [];
  const limits = [
    ["retention.ms", retentionMillis, (most: bigint) => `records for ${printDuration(Number(most))} (`],
    ["retention.bytes", retentionBytes, (most: bigint) => `about ${showBytes(most)} a partition (retention.bytes, `],
  ] as const;
  for (const [setting, limit, kept] of policies.includes("delete") ? limits : [])
    if (!limit.known) remarks.push(`${setting} of ${name} can't be seen: older records may be gone`);
    else if (limit.value >= 0n)
      remarks.push(
        `${name} keeps ${kept(limit.value)}cleanup.policy ${cleanupPolicy.value}): a key whose records are older is ` +
          "not found in it",
      );
  if (policies.includes("compact"))
    remarks.push(`${name} is compacted: what a key was before its last record may be gone`);
  return remarks;
}

/** Remark on records removed by retention. A compacted topic may also lack its first offsets. */
function cutOff(topic: string, extents: readonly OffsetRange[]): readonly string[] {
  const cut = extents.filter(({ from }) => from > 0n);
  if (cut.length === 0) return [];
  const places = cut.map(({ partition, from }) => `partition ${partition} at offset ${from}`);
  return [
    `${topic} no longer has its first records: it begins in ` +
      `${places.slice(0, 8).join(", ")}${cut.length > 8 ? ", …" : ""}`,
  ];
}

/**
 * What to read of a table, and what else its evidence contains. Plain values, so that one process can read the table
 * and another write the evidence.
 */
export interface PlannedTable extends Omit<JobTable, "slots" | "firstSlot"> {}

/** What is known about a table when it is planned. */
interface OneTable {
  readonly request: CutoverRequest;
  readonly ports: Pick<CutoverPorts, "kafka" | "oracle">;
  readonly report: (event: CutoverEvent) => void;
  readonly checkScn: Scn;
  readonly end: LegacyEnd;
  readonly naming: TopicNaming;
  readonly wanted: TableWanted;
  readonly table: FoundTable;
  readonly ignored: IgnoredColumns;
  /** Values of an interrupted run with the same check SCN. */
  readonly left: InterruptedRun | undefined;
}

/** What is compared on the new connector's side, and what that leaves to the legacy topic. */
interface NewSide {
  /** Its name may not follow from the settings. */
  readonly topic: TopicToRead | { readonly why: string };
  readonly startScn: Scn | undefined;
  readonly ofLegacy: Pick<TopicJob, "wholeRows">;
}

/** An audit comes before there is a new connector: nothing that counts is also delivered by one. */
function noNewSide({ checkScn, request: { audited } }: OneTable): NewSide {
  const topic = { topic: "", compacted: false, extents: [], remarks: [audited?.position.untold ?? []].flat() };
  return { topic, startScn: checkScn + 1n, ofLegacy: { wholeRows: true } };
}

async function newSide({ request, ports, wanted, table, naming, left }: OneTable): Promise<NewSide> {
  const names = topicNames(naming);
  const named = wanted.topic ?? (names.known ? names.topicOf(table.layout) : names);
  const given = wanted.topic !== undefined && wanted.decided !== true;
  return {
    topic: typeof named === "string" ? await topicToRead(ports.kafka, named, given, left?.newTopic) : named,
    startScn: parseScn(request.config["cdc.start.scn"] ?? ""),
    ofLegacy: {},
  };
}

/**
 * Inspects a table and its topics and plans what to read of them. The topics are read up to their current ends.
 *
 * @throws Refusal VER105, CallFailed as the ports
 */
export async function planTable(input: OneTable): Promise<PlannedTable> {
  const { request, ports, report, table, wanted, left, naming } = input;
  const side = request.audited === undefined ? await newSide(input) : noNewSide(input);
  const newTopic = "why" in side.topic ? undefined : side.topic;
  const kept = wanted.legacyTopic !== undefined && wanted.legacyTopic === newTopic?.topic;
  const legacyTopic =
    wanted.legacyTopic === undefined || kept
      ? undefined
      : await topicToRead(ports.kafka, wanted.legacyTopic, true, left?.legacyTopic);
  const change = changeFormat(request.config);
  const legacyConfig = request.legacyConfig ?? {};
  const allDelivered = input.end.known && input.checkScn >= input.end.lastDelivered;
  const legacy = recordRules(legacyConfig).format(legacyConfig, allDelivered);
  const hidden = table.layout.columns.filter((column) => column.hidden).map(({ name }) => name);
  const visible = { ...table.layout, columns: table.layout.columns.filter((column) => !column.hidden) };
  const shape = shapeOf(visible, request.config, input.ignored.of(table));
  const remarks = [
    ...(newTopic?.remarks ?? []),
    ...(legacyTopic?.remarks ?? []),
    ...(change.readable ? change.remarks : []),
    ...(legacy.readable && wanted.legacyTopic !== undefined ? legacy.remarks : []),
    ...hidden.map((name) => `column ${name} is invisible and not compared`),
    ...asDoubles(shape),
  ];
  const planned = {
    table: table.fullName,
    newTopic: newTopic?.topic ?? "",
    legacyTopic: wanted.legacyTopic,
    shape: shape.known ? shape.shape : undefined,
    leftOut: shape.known ? shape.leftOut : [],
    remarks,
    closing: commitsUnknownRemark(input),
    otherDefaults: shape.known ? Object.fromEntries(shape.otherDefaults) : {},
    newTopicIsShared: changeTopicIsShared(request.config, naming),
    legacyConfigIsKnown: request.legacyConfig !== undefined,
  };
  report({ is: "table", table: table.fullName, newTopic: planned.newTopic, legacyTopic: wanted.legacyTopic, remarks });
  const why = whyNot(side.topic, change, wanted.legacyTopic === undefined ? undefined : legacy, shape);
  if (why !== undefined || newTopic === undefined || !shape.known || !change.readable || !legacy.readable)
    return { ...planned, job: undefined, notRead: why ?? "" };
  const ofLegacy = kept ? newTopic : legacyTopic;
  const job: TableJob = {
    table: table.fullName,
    shape: shape.shape,
    checkScn: input.checkScn,
    startScn: side.startScn,
    rows: wholeTable(table.layout, shape.shape, input.checkScn),
    newTopic: newJob(input, newTopic, change.format, kept),
    legacyTopic: ofLegacy && {
      ...legacyJob(input, ofLegacy, legacy.format),
      ...side.ofLegacy,
      ...(kept && input.end.known ? { lastDelivered: input.end.lastDelivered } : {}),
    },
  };
  return { ...planned, job, notRead: undefined };
}

export function hasCommitScns(legacyConfig: CutoverRequest["legacyConfig"]): boolean {
  const legacy = recordRules(legacyConfig ?? {}).format(legacyConfig ?? {}, false);
  return legacy.readable && legacy.format.commitsKnown;
}

/** Remark for when it is unknown whether a legacy record was committed by the check SCN. */
function commitsUnknownRemark(of: OneTable): readonly string[] {
  const { request, end, wanted } = of;
  if (wanted.legacyTopic === undefined || end.known || hasCommitScns(request.legacyConfig)) return [];
  return [
    `where the legacy connector's deliveries end is not known (${end.why}), and its records say no commit SCN: a ` +
      "key that would fail by one of them is inconclusive",
  ];
}

/** Remark on columns that are compared after rounding both sides. */
function asDoubles(shape: ShapeResult): readonly string[] {
  const names = shape.known ? shape.shape.columns.filter(({ kind }) => kind === "number-as-double") : [];
  if (names.length === 0) return [];
  return [`compared as doubles, as cdc.decimal.mode=double delivers them: ${names.map(({ name }) => name).join(", ")}`];
}

/** The first reason why the table cannot be verified. */
function whyNot(
  topic: object,
  change: FormatResult<unknown>,
  legacy: FormatResult<unknown> | undefined,
  shape: ShapeResult,
): string | undefined {
  if ("why" in topic) return `${topic.why}; name it: --table OWNER.TABLE=TOPIC`;
  if (!change.readable) return `${change.why}. ${change.remedy}`;
  if (legacy !== undefined && !legacy.readable) return `${legacy.why}. ${legacy.remedy}`;
  return shape.known ? undefined : `${shape.why}. ${shape.remedy}`;
}

function newJob(of: OneTable, topic: TopicToRead, format: TopicInput["format"], kept: boolean): TopicJob {
  const { compacted: _, ...own } = tableOf(of, topic);
  return {
    ...jobOf(topic),
    format,
    own: kept ? { ...own, connector: "oracle-cdc" } : own,
    membership: undefined,
  };
}

function legacyJob(of: OneTable, topic: TopicToRead, format: LegacyFormat): TopicJob {
  const { legacyConfig = {} } = of.request;
  return { ...jobOf(topic), ...format, ...recordRules(legacyConfig).belonging(legacyConfig, tableOf(of, topic)) };
}

function jobOf({ topic, compacted, extents }: TopicToRead) {
  return { topic, compacted, extents };
}

function tableOf({ table: { layout, inPdb } }: OneTable, { compacted }: TopicToRead): TableOfTopic {
  const { container, owner, name } = layout;
  return { table: { container, owner, name }, inPdb, compacted };
}
