import { connectorSettings } from "../../document/connector-settings.ts";
import { CallFailed, Refusal } from "../../errors.ts";
import type { DatabaseSeen } from "../../facts/database/database.ts";
import { type TopicNaming, topicNames, topicNaming } from "../../facts/tables/topic-names.ts";
import type { Spool } from "../../ports/spool.ts";
import { highest, parseScn, type Scn } from "../../values/scn.ts";
import { NOT_SAID } from "../change-reader.ts";
import type { LegacyTopicInput, TopicInput } from "../engine/inputs.ts";
import { type LeftBehind, leftBehind } from "../engine/manifest.ts";
import { recordsExpected, rowsExpected } from "../engine/memory-plan.ts";
import { type TableVerified, verifyTable } from "../engine/verify-table.ts";
import { NAMED_KEYS } from "../evidence/evidence.ts";
import type { TableChecked } from "../evidence/table-evidence.ts";
import { LEGACY_FIELDS } from "../legacy-reader.ts";
import { changeFormat, type FormatSeen, legacyFormat } from "../settings/record-format.ts";
import { type ShapeSeen, shapeOf } from "../settings/shape-of.ts";
import { changeTopicIsShared, legacyTopicIsShared } from "../settings/shared-topic.ts";
import { type FoundTable, findTables } from "./find-tables.ts";
import { type IgnoredColumns, ignoredColumns, printIgnoredColumn } from "./ignored-columns.ts";
import { type LegacyEnd, legacyEnd } from "./last-delivered.ts";
import { mustBePast, mustBePastLegacy, mustBePastStart, passedCheckScn, scnOfMargin } from "./position.ts";
import { rangesOf } from "./ranges.ts";
import type { CutoverEvent, CutoverPorts, CutoverRequest, TableWanted } from "./request.ts";
import { inputsOf, type Membership, type TableJob, type TopicJob } from "./table-job.ts";
import { type TopicToRead, topicToRead } from "./topics.ts";

/** What the verification of a cutover found: what the evidence is made of. */
interface CutoverVerified {
  readonly database: DatabaseSeen;
  readonly checkScn: Scn;
  readonly resumeScn: Scn;
  readonly tables: readonly TableChecked[];
}

/**
 * Ranges of the table, and partitions of the topics, that are read at the same time: each has a connection or buffers
 * of its own.
 */
const RANGES = 2;
const PARTITIONS = 2;
/**
 * Verifies a cutover: every table against the topics, one table after the other, as of one SCN that the new connector
 * has passed. Goes on with what an interrupted run left.
 *
 * Rule: reference: connector settings, "What a cutover verification compares"; specification, "Start, verification and
 * rollback".
 *
 * @returns `"interrupted"` when it was asked to stop; what was done is kept for the next run
 * @throws UsageError, Refusal, CallFailed where nothing can be verified at all
 */
export async function verifyCutover(
  request: CutoverRequest,
  ports: CutoverPorts,
  tell: (event: CutoverEvent) => void,
  stop?: AbortSignal,
): Promise<CutoverVerified | "interrupted"> {
  const { oracle } = ports;
  const settings = connectorSettings(request.config, request.connector);
  const database = await oracle.database();
  const found = await findTables(oracle, request.tables, settings.tables.pdbs, database);
  const ignored = ignoredColumns(request.ignoredColumns, found);
  refuseUnknownColumns(ignored);

  // Of another cluster or database a connector and a table may have the same names.
  const { clusterId } = await ports.connect.worker();
  const world = `Kafka cluster ${clusterId}, dbid ${database.dbid}, resetlogs ${database.resetlogsScn}`;
  const spools: Spool[] = [];
  try {
    const left: (LeftBehind | undefined)[] = [];
    const spoolName = ({ fullName }: FoundTable): string => `${request.connector} ${fullName} (${world})`;
    for (const table of found) {
      const spool = await ports.spools.open(spoolName(table));
      spools.push(spool);
      left.push(await leftBehind(spool));
    }
    const byLegacy = request.tables.some(({ legacyTopic }) => legacyTopic !== undefined);
    const end: LegacyEnd = byLegacy
      ? await legacyEnd(
          ports.connect,
          request.legacyConnector,
          found.map(({ layout }) => layout),
        )
      : { known: false, why: "no legacy topic is read" };
    const checkScn = await chooseCheckScn(request, ports, database, end, left, tell, stop);
    const position = await passedCheckScn(ports.connect, request.connector, checkScn, database, ports.clock, {
      millis: request.waitMillis,
      ...(stop === undefined ? {} : { stop }),
      tell: (waiting) => tell({ is: "waiting", ...waiting }),
    });
    if (position === "interrupted") return position;
    tell({ is: "passed", checkScn, resumeScn: position.resumeScn });
    const tables: TableChecked[] = [];
    for (const [at, table] of found.entries()) {
      const of: OneTable = {
        request,
        ports,
        tell,
        stop,
        database,
        checkScn,
        end,
        naming: topicNaming({ config: request.config, ...settings }, database),
        wanted: request.tables[at] as TableWanted,
        table,
        ignored,
        spool: spools[at] as Spool,
        spoolName: spoolName(table),
        left: left[at]?.checkScn === checkScn ? left[at] : undefined,
      };
      const checked = await checkTable(of);
      if (checked === "interrupted") return "interrupted";
      tables.push(checked);
      tell({ is: "done", table: table.fullName });
    }
    return { database, checkScn, resumeScn: position.resumeScn, tables };
  } finally {
    for (const spool of spools) await spool.close();
  }
}

/** The given one, else that of an interrupted run, else the SCN of the safety margin ago. */
async function chooseCheckScn(
  { checkScn, safetyMarginMillis, connector, config, legacyConfig, waitMillis }: CutoverRequest,
  { oracle, clock }: CutoverPorts,
  database: DatabaseSeen,
  end: LegacyEnd,
  left: readonly (LeftBehind | undefined)[],
  tell: (event: CutoverEvent) => void,
  stop: AbortSignal | undefined,
): Promise<Scn> {
  const startScn = parseScn(config["cdc.start.scn"] ?? "");
  // At or below the start it was of an earlier connector of that name.
  const interrupted = left.find(
    (one) => one !== undefined && (startScn === undefined || one.checkScn > startScn),
  )?.checkScn;
  const scn =
    checkScn ??
    interrupted ??
    (await scnOfMargin(oracle, database, safetyMarginMillis, clock, {
      past: highest([startScn ?? [], end.known ? end.lastDelivered : []].flat()),
      millis: waitMillis,
      ...(stop === undefined ? {} : { stop }),
    }));
  const chosen =
    checkScn !== undefined ? "given" : interrupted !== undefined ? "of the interrupted run" : "by the safety margin";
  mustBePast(scn, await oracle.database(), chosen);
  if (stop?.aborted !== true) {
    mustBePastStart(scn, startScn, connector);
    if (!saysCommits(legacyConfig)) mustBePastLegacy(scn, end);
  }
  tell({ is: "check SCN", scn, chosen });
  return scn;
}

/** A column that no table has is a slip of the pen: what was meant would be compared, or not, in silence. */
function refuseUnknownColumns({ strangers: [stranger] }: IgnoredColumns): void {
  if (stranger !== undefined)
    throw new Refusal("VER104", `no table that is verified has a column ${printIgnoredColumn(stranger)}`, [
      "Write COLUMN, or OWNER.TABLE.COLUMN; a name in lower case in double quotes.",
    ]);
}

interface OneTable {
  readonly request: CutoverRequest;
  readonly ports: CutoverPorts;
  readonly tell: (event: CutoverEvent) => void;
  readonly stop: AbortSignal | undefined;
  readonly database: DatabaseSeen;
  readonly checkScn: Scn;
  readonly end: LegacyEnd;
  readonly naming: TopicNaming;
  readonly wanted: TableWanted;
  readonly table: FoundTable;
  readonly ignored: IgnoredColumns;
  readonly spool: Spool;
  readonly spoolName: string;
  /** What an interrupted run of the same check SCN left. */
  readonly left: LeftBehind | undefined;
}

async function checkTable(of: OneTable): Promise<TableChecked | "interrupted"> {
  const { request, ports, tell, table, wanted, left } = of;
  const named = newTopicOf(of);
  const newTopic =
    "topic" in named ? await topicToRead(ports.kafka, named.topic, named.given, left?.newTopic) : undefined;
  const legacyTopic =
    wanted.legacyTopic === undefined
      ? undefined
      : await topicToRead(ports.kafka, wanted.legacyTopic, true, left?.legacyTopic);
  const change = changeFormat(request.config);
  const legacy = legacyFormat(request.legacyConfig ?? {});
  const hidden = table.layout.columns.filter((column) => column.hidden).map(({ name }) => name);
  const visible = { ...table.layout, columns: table.layout.columns.filter((column) => !column.hidden) };
  const shape = shapeOf(visible, request.config, of.ignored.of(table));
  const remarks = [
    ...(newTopic?.remarks ?? []),
    ...(legacyTopic?.remarks ?? []),
    ...remarksOf(change),
    ...hidden.map((name) => `column ${name} is invisible and not compared`),
    ...asDoubles(shape),
  ];
  const checked = {
    table: table.fullName,
    newTopic: newTopic?.topic ?? "",
    legacyTopic: wanted.legacyTopic,
    shape: shape.known ? shape.shape : undefined,
    leftOut: shape.known ? shape.leftOut : [],
    remarks,
  };
  tell({ is: "table", table: table.fullName, newTopic: checked.newTopic, legacyTopic: wanted.legacyTopic, remarks });
  const why = whyNot(named, change, wanted.legacyTopic === undefined ? undefined : legacy, shape);
  if (why !== undefined || newTopic === undefined || !shape.known || !change.readable || !legacy.readable)
    return { ...checked, found: { is: "not-read", why: why ?? "" } };

  const job: TableJob = {
    table: table.fullName,
    shape: shape.shape,
    checkScn: of.checkScn,
    startScn: parseScn(request.config["cdc.start.scn"] ?? ""),
    rows: await rangesOf(of.ports.oracle, table.layout, shape.shape, of.checkScn, {
      most: RANGES * 4,
      names: left?.ranges,
    }),
    newTopic: newJob(of, newTopic, change.format),
    legacyTopic: legacyTopic && legacyJob(of, legacyTopic, legacy.format),
  };
  const found = await verified(of, job);
  if (found.is === "interrupted") return "interrupted";
  const others = found.is === "not-read" ? undefined : holdsOnlyOthers(of, newTopic.topic, found);
  if (others !== undefined) return { ...checked, found: { is: "not-read", why: others } };
  return {
    ...checked,
    remarks: [
      ...remarks,
      ...afterwards(of, newTopic.topic, found),
      ...olderRecords(shape, found),
      ...commitsUnknown(of),
    ],
    found,
  };
}

/** What only reading showed. */
function afterwards(
  { request, wanted, table }: OneTable,
  newTopic: string,
  found: TableVerified | { readonly is: "not-read" },
): readonly string[] {
  if (found.is !== "verified") return [];
  const none = [
    [newTopic, found.newTopic],
    [wanted.legacyTopic, found.legacyTopic],
  ] as const;
  const others = found.legacyTopic?.reasons.some(({ why }) => why === NOT_SAID) ?? false;
  const remedy =
    request.legacyConfig === undefined
      ? "give --legacy-config, which says how they are told apart"
      : "see that it is the topic of this table";
  return [
    ...none.flatMap(([topic, read]) =>
      read !== undefined && read.count === 0 && read.foreign > 0
        ? [`${topic} holds no record of ${table.fullName}, only records of other tables`]
        : [],
    ),
    ...(others ? [`${wanted.legacyTopic} holds records that are not of this table: ${remedy}`] : []),
  ];
}

/** What was made of records that are older than a column. Defaults are values: none is shown. */
function olderRecords(
  { shape, otherDefaults }: Extract<ShapeSeen, { known: true }>,
  found: TableVerified | { readonly is: "not-read" },
): readonly string[] {
  if (found.is !== "verified") return [];
  const { byDefault, firstDoubts } = found.verdict;
  const name = (column: number) => shape.columns[column]?.name ?? "";
  const doubted = new Set(
    firstDoubts.flatMap(({ reason, columns }) => (reason === "column-added" ? columns.map(name) : [])),
  );
  return [
    ...byDefault.flatMap((count, column) =>
      count === 0
        ? []
        : [`${count} values of ${name(column)} are its default: the records of their keys are older than the column`],
    ),
    ...[...doubted].flatMap((column) => {
      const why = otherDefaults.get(column);
      return why === undefined ? [] : [`the default of ${column} is not compared: ${why}`];
    }),
  ];
}

function saysCommits(legacyConfig: CutoverRequest["legacyConfig"]): boolean {
  const legacy = legacyFormat(legacyConfig ?? {});
  return legacy.readable && legacy.format.fields.commitScn !== undefined;
}

/**
 * Of a check SCN at or past the last commit nothing but that is asked: records that say none, of a time before the
 * setting, count too.
 */
function isPastLegacy({ end, checkScn }: OneTable): boolean {
  return end.known && checkScn >= end.lastDelivered;
}

/** Where nobody can tell of a legacy record that it was committed by the check SCN: what is said of it then. */
function commitsUnknown(of: OneTable): readonly string[] {
  const { request, end, wanted } = of;
  if (wanted.legacyTopic === undefined || end.known || saysCommits(request.legacyConfig)) return [];
  return [
    `where the legacy connector's deliveries end is not known (${end.why}), and its records say no commit SCN: a ` +
      "key that would fail by one of them is inconclusive",
  ];
}

function newTopicOf(of: OneTable): { readonly topic: string; readonly given: boolean } | { readonly why: string } {
  const { wanted, table, naming } = of;
  if (wanted.topic !== undefined) return { topic: wanted.topic, given: wanted.decided !== true };
  const names = topicNames(naming);
  return names.known ? { topic: names.topicOf(table.layout), given: false } : names;
}

/** What is compared after both sides were rounded. */
function asDoubles(shape: ShapeSeen): readonly string[] {
  const names = shape.known ? shape.shape.columns.filter(({ kind }) => kind === "number-as-double") : [];
  if (names.length === 0) return [];
  return [`compared as doubles, as cdc.decimal.mode=double delivers them: ${names.map(({ name }) => name).join(", ")}`];
}

function remarksOf(format: FormatSeen<unknown>): readonly string[] {
  return format.readable ? format.remarks : [];
}

/** The first thing that keeps the table from being verified. */
function whyNot(
  topic: object,
  change: FormatSeen<unknown>,
  legacy: FormatSeen<unknown> | undefined,
  shape: ShapeSeen,
): string | undefined {
  if ("why" in topic) return `${topic.why}; name it: --table OWNER.TABLE=TOPIC`;
  if (!change.readable) return `${change.why}. ${change.remedy}`;
  if (legacy !== undefined && !legacy.readable) return `${legacy.why}. ${legacy.remedy}`;
  return shape.known ? undefined : `${shape.why}. ${shape.remedy}`;
}

function newJob({ table }: OneTable, topic: TopicToRead, format: TopicInput["format"]): TopicJob {
  const { layout, inPdb } = table;
  const { container, owner, name } = layout;
  return { ...jobOf(topic), format, own: { table: { container, owner, name }, inPdb }, membership: undefined };
}

/**
 * A topic that should be the table's own and holds other tables' records alone is a wrong one: what the right one
 * holds, nobody has looked at.
 */
function holdsOnlyOthers(
  { request, table, naming }: OneTable,
  topic: string,
  found: TableVerified,
): string | undefined {
  if (found.is !== "verified" || changeTopicIsShared(request.config, naming)) return undefined;
  const { count, foreign } = found.newTopic;
  if (count > 0 || foreign === 0) return undefined;
  return (
    `${topic} holds no record of ${table.fullName}, only records of other tables: it is not the table's topic. ` +
    "Name the right one: --table OWNER.TABLE=TOPIC"
  );
}

function legacyJob(
  of: OneTable,
  topic: TopicToRead,
  { record, fields }: { readonly record: TopicInput["format"]; readonly fields: LegacyTopicInput["fields"] },
): TopicJob {
  const { request, table } = of;
  const { legacyConfig = {} } = request;
  const { commitScn, ...byChange } = fields ?? LEGACY_FIELDS;
  const field = legacyConfig["output.table.name.field"]?.trim() ?? "table";
  // The topic is named by hand: what its records say is looked at even where it can't be shared. Where they say nothing
  // the name has to do.
  const membership = legacyTopicIsShared(legacyConfig)
    ? toldBy("legacy name", table, topic, field || undefined)
    : field === ""
      ? undefined
      : toldBy("legacy name, seldom another", table, topic, field);
  return {
    ...jobOf(topic),
    format: record,
    fields: commitScn === undefined || isPastLegacy(of) ? byChange : { ...byChange, commitScn },
    commitsKnown: commitScn !== undefined || isPastLegacy(of),
    membership,
  };
}

function jobOf({ topic, compacted, extents }: TopicToRead) {
  return { topic, compacted, extents };
}

function toldBy(
  by: Membership["by"],
  { layout: { container, owner, name }, inPdb }: FoundTable,
  { compacted }: TopicToRead,
  field: string | undefined,
): Membership {
  return { by, table: { container, owner, name }, inPdb, compacted, field };
}

/** Code by which a broker says that retention took records away while they were read. */
const GONE_MEANWHILE = "OFFSET_OUT_OF_RANGE";

async function verified(
  { ports, request, tell, stop, table: { fullName }, spool, spoolName }: OneTable,
  job: TableJob,
): Promise<TableVerified | { readonly is: "not-read"; readonly why: string }> {
  const free = await ports.spools.free();
  const inputs = inputsOf(job, ports);
  const size =
    (rowsExpected(inputs.ranges) ?? 0) +
    recordsExpected(inputs.newTopic.partitions) +
    recordsExpected(inputs.legacyTopic?.partitions ?? []);
  const threads =
    ports.threads !== undefined && size >= ports.threads.from ? ports.threads.open(job, spoolName) : undefined;
  try {
    return await verifyTable(inputs, spool, {
      ...(threads === undefined ? {} : { runner: threads }),
      work: ports.work,
      clock: ports.clock,
      memory: request.memory,
      ranges: RANGES,
      partitions: PARTITIONS,
      first: NAMED_KEYS,
      disk: { place: ports.spools.place, free },
      progress: (progress) => tell({ is: "progress", table: fullName, progress }),
      notice(notice) {
        if (notice.is === "disk" && notice.free !== undefined && BigInt(notice.estimated) > notice.free)
          throw new Refusal(
            "VER106",
            `about ${notice.estimated} bytes are needed in ${notice.place} for ${fullName}, and ${notice.free} ` +
              "are free",
            [{ text: "Make room there, or choose another folder", setting: "--work-dir DIR" }],
          );
        tell({ is: "notice", table: fullName, notice });
      },
      ...(stop === undefined ? {} : { stop }),
    });
  } catch (error) {
    if (!(error instanceof CallFailed) || error.code !== GONE_MEANWHILE) throw error;
    // The next run would look for them in vain.
    await spool.clear();
    return { is: "not-read", why: error.message };
  } finally {
    await threads?.close();
  }
}
