import type { TableJob } from "../../../schemas/generated/verification-job.ts";
import type { SideRead } from "../../../schemas/generated/verification-result.ts";
import { connectorSettings } from "../../document/connector-settings.ts";
import { CallFailed, Refusal } from "../../errors.ts";
import type { ConnectorSettings } from "../../facts/connector/settings.ts";
import type { DatabaseSeen } from "../../facts/database/database.ts";
import { topicNaming } from "../../facts/tables/topic-names.ts";
import type { Spool } from "../../ports/spool.ts";
import { counted, showBytes } from "../../values/amounts.ts";
import { highest } from "../../values/lists.ts";
import { parseScn, type Scn } from "../../values/scn.ts";
import { TABLE_NOT_NAMED } from "../change-reader.ts";
import { type InterruptedRun, interruptedRun } from "../engine/manifest.ts";
import { recordsExpected } from "../engine/memory-plan.ts";
import { verifyTable } from "../engine/verify-table.ts";
import { NAMED_KEYS } from "../evidence/evidence.ts";
import type { TableChecked } from "../evidence/table-evidence.ts";
import type { TableVerified } from "../verdict.ts";
import { deliveredTopics, storedPosition } from "./audit/audit.ts";
import { type IgnoredColumns, ignoredColumns, printIgnoredColumn } from "./ignored-columns.ts";
import { type LegacyEnd, legacyEnd } from "./last-delivered.ts";
import { hasCommitScns, type PlannedTable, planTable } from "./plan-table.ts";
import {
  mustBePast,
  mustBePastLegacy,
  mustBePastStart,
  passedCheckScn,
  scnOfMargin,
  storedResumeScn,
} from "./position.ts";
import {
  type CutoverEvent,
  type CutoverPorts,
  type CutoverRequest,
  type FoundTable,
  findTables,
  type TableWanted,
} from "./request.ts";
import { divided, inputsOf } from "./table-job.ts";

/** Result of reading a table, or why it was not read. */
export type TableFound = TableChecked["found"];

/** Puts together the content of a table's evidence after reading it. Pure. */
export function concluded(planned: PlannedTable, found: TableFound): TableChecked {
  const { table, newTopic, legacyTopic, shape, leftOut, remarks } = planned;
  const checked = { table, newTopic, legacyTopic, shape, leftOut, remarks };
  if (planned.job === undefined) return { ...checked, found: { is: "not-read", why: planned.notRead ?? "" } };
  const others = found.is === "not-read" ? undefined : holdsOnlyOthers(planned, found);
  if (others !== undefined) return { ...checked, found: { is: "not-read", why: others } };
  return {
    ...checked,
    remarks: [...remarks, ...afterwards(planned, found), ...olderRecords(planned, found), ...planned.closing],
    found,
  };
}

/** Remarks that only reading the table can give. */
function afterwards(
  { table, newTopic, legacyTopic, legacyConfigIsKnown, job }: PlannedTable,
  found: TableFound,
): readonly string[] {
  if (found.is !== "verified") return [];
  const none = [
    [newTopic, found.newTopic],
    [legacyTopic, found.legacyTopic],
  ] as const;
  const { foreign = 0, reasons = [] } = found.legacyTopic ?? {};
  const others = (foreign > 0 && !legacyIsShared(job)) || reasons.some(({ why }) => why === TABLE_NOT_NAMED);
  const remedy = legacyConfigIsKnown
    ? "See that it is the topic of this table."
    : "Give --legacy-config, which says how they are told apart.";
  return [
    ...none.flatMap(([topic, read]) =>
      read !== undefined && read.count === 0 && read.foreign > 0
        ? [`${topic} holds no record of ${table}, only records of other tables`]
        : [],
    ),
    ...(found.newTopic.repeated
      ? [`${newTopic} has the overlap twice: ${counted(found.newTopic.repeated, "record")} of the new connector`]
      : []),
    ...(others ? [`${legacyTopic} holds records that are not of this table. ${remedy}`] : []),
  ];
}

/** Remarks on records that are older than a column. A default is a value, so it is not shown. */
function olderRecords({ shape, otherDefaults }: PlannedTable, found: TableFound): readonly string[] {
  if (found.is !== "verified") return [];
  const { byDefault, firstDoubts } = found.verdict;
  const name = (column: number) => shape?.columns[column]?.name ?? "";
  const doubted = new Set(
    firstDoubts.flatMap(({ reason, columns }) => (reason === "column-added" ? columns.map(name) : [])),
  );
  return [
    ...byDefault.flatMap((count, column) =>
      count === 0
        ? []
        : [
            `${counted(count, "value")} of ${name(column)} ${count === 1 ? "is" : "are"} its default: ` +
              "the records of their keys are older than the column",
          ],
    ),
    ...[...doubted].flatMap((column) => {
      const why = otherDefaults[column];
      return why === undefined ? [] : [`the default of ${column} is not compared: ${why}`];
    }),
  ];
}

/**
 * A topic that should belong to this table but holds only records of other tables is the wrong one; the right one has
 * not been read.
 */
function holdsOnlyOthers(
  { table, newTopic, legacyTopic, newTopicIsShared, job }: PlannedTable,
  found: TableVerified,
): string | undefined {
  if (found.is !== "verified") return undefined;
  const isOthers = (read: SideRead | undefined) => read?.count === 0 && read.foreign > 0;
  const whose = (topic: string | undefined, option: string) =>
    `${topic} holds no record of ${table}, only records of other tables: it is not the table's topic. ` +
    `Name the right one: ${option}`;
  if (!newTopicIsShared && isOthers(found.newTopic)) return whose(newTopic, "--table OWNER.TABLE=TOPIC");
  return !legacyIsShared(job) && isOthers(found.legacyTopic) ? whose(legacyTopic, "--legacy-topic TOPIC") : undefined;
}

/** Whether the legacy topic may hold records of several tables, by the legacy connector's configuration. */
const legacyIsShared = (job: PlannedTable["job"]): boolean => job?.legacyTopic?.membership?.by === "legacy name";

/** The SCN at which table and topics are compared. */
interface CutoverPosition {
  readonly database: DatabaseSeen;
  readonly checkScn: Scn;
  readonly resumeScn: Scn;
}

/** Result of verifying a cutover, from which the evidence is created. */
export interface CutoverVerified extends CutoverPosition {
  readonly tables: readonly TableChecked[];
}

/** What a verification reads, for carrying it out elsewhere. */
export interface CutoverPlanned extends CutoverPosition {
  readonly tables: readonly PlannedTable[];
}

/**
 * Ranges of the table, and partitions of the topics, that are read concurrently: each has its own connection or
 * buffers.
 */
const RANGES = 2;
const PARTITIONS = 2;

/**
 * Verifies a cutover: compares every table with its topics, one table after the other, as of one SCN that the new
 * connector has passed. Resumes an interrupted run.
 *
 * Rule: reference: connector settings, "What a cutover verification compares"; specification, "Start, verification and
 * rollback".
 *
 * @returns `"interrupted"` if it was stopped; completed work is kept for the next run
 * @throws UsageError, Refusal, CallFailed if nothing can be verified
 */
export async function verifyCutover(
  request: CutoverRequest,
  ports: CutoverPorts,
  report: (event: CutoverEvent) => void,
  stop?: AbortSignal,
): Promise<CutoverVerified | "interrupted"> {
  const asked = await resolveRequest({ request, ports, report, stop });
  const { run, database, found } = asked;
  // A connector and a table of another cluster or database may have the same names.
  const { clusterId } = await ports.connect.worker();
  const world = `Kafka cluster ${clusterId}, dbid ${database.dbid}, resetlogs ${database.resetlogsScn}`;
  const spools: Spool[] = [];
  try {
    const what = `${request.audited === undefined ? "" : "audit of "}${request.connector}`;
    const left: (InterruptedRun | undefined)[] = [];
    const spoolName = ({ fullName }: FoundTable): string => `${what} ${fullName} (${world})`;
    for (const table of found) {
      const spool = await ports.spools.open(spoolName(table));
      spools.push(spool);
      left.push(await interruptedRun(spool));
    }
    const position = await positioned(asked, left);
    if (position === "interrupted") return position;
    const tables: TableChecked[] = [];
    for (const [at, table] of found.entries()) {
      const from = left[at]?.checkScn === position.checkScn ? left[at] : undefined;
      const planned = await planTable({ ...tableAt(at, asked, position), left: from });
      const spool = { files: spools[at] as Spool, name: spoolName(table) };
      const one: TableFound | "interrupted" =
        planned.job === undefined ? { is: "not-read", why: "" } : await verified(planned.job, run, spool);
      if (one === "interrupted") return one;
      tables.push(concluded(planned, one));
      report({ is: "done", table: table.fullName });
    }
    const { checkScn, resumeScn } = position;
    return { database, checkScn, resumeScn, tables };
  } finally {
    for (const spool of spools) await spool.close();
  }
}

/**
 * Plans what `verifyCutover` does without reading any data: inspects every table and pins the topics' ends.
 *
 * @param ranges maximum number of ranges that a table is divided into
 * @returns and throws as `verifyCutover`
 */
export async function planCutover(
  request: CutoverRequest,
  ports: PlanningPorts,
  ranges: number,
  report: (event: CutoverEvent) => void,
  stop?: AbortSignal,
): Promise<CutoverPlanned | "interrupted"> {
  const asked = await resolveRequest({ request, ports, report, stop });
  const position = await positioned(asked, []);
  if (position === "interrupted") return position;
  const tables: PlannedTable[] = [];
  try {
    for (const at of asked.found.keys()) {
      stop?.throwIfAborted();
      const planned = await planTable(tableAt(at, asked, position));
      const { job } = planned;
      const rows = job && (await divided(job.rows, ports.oracle, ranges, stop));
      tables.push(job && rows ? { ...planned, job: { ...job, rows } } : planned);
    }
  } catch (error) {
    if (error === stop?.reason) return "interrupted";
    throw error;
  }
  const { checkScn, resumeScn } = position;
  return { database: asked.database, checkScn, resumeScn, tables };
}

type PlanningPorts = Pick<CutoverPorts, "connect" | "kafka" | "oracle" | "clock">;

/** One verification: what it was asked, and by what it reads and reports. */
interface Run<Ports extends PlanningPorts = PlanningPorts> {
  readonly request: CutoverRequest;
  readonly ports: Ports;
  readonly report: (event: CutoverEvent) => void;
  readonly stop: AbortSignal | undefined;
}

/** The tables and database that a request refers to. */
interface ResolvedRequest<Ports extends PlanningPorts = PlanningPorts> {
  /** The topics of an audit as well. */
  readonly run: Run<Ports>;
  readonly settings: ConnectorSettings;
  readonly database: DatabaseSeen;
  /** Tables in the order of the request. */
  readonly found: readonly FoundTable[];
  readonly ignored: IgnoredColumns;
}

async function resolveRequest<Ports extends PlanningPorts>(run: Run<Ports>): Promise<ResolvedRequest<Ports>> {
  const { request, ports } = run;
  const { oracle, kafka } = ports;
  const settings = connectorSettings(request.config, request.connector);
  const database = await oracle.database();
  const found = await findTables(oracle, request.tables, settings.tables.pdbs, database);
  const ignored = ignoredColumns(request.ignoredColumns, found);
  refuseUnknownColumns(ignored);
  const { audited } = request;
  const tables = audited === undefined ? request.tables : await deliveredTopics(audited, request.tables, found, kafka);
  return { run: { ...run, request: { ...request, tables } }, settings, database, found, ignored };
}

/** Chooses the check SCN, and waits until the connector has passed it. */
async function positioned(
  { run, database, found }: ResolvedRequest,
  left: readonly (InterruptedRun | undefined)[],
): Promise<{ readonly checkScn: Scn; readonly resumeScn: Scn; readonly end: LegacyEnd } | "interrupted"> {
  const { request, ports, report, stop } = run;
  const byLegacy = request.tables.some(({ legacyTopic }) => legacyTopic !== undefined);
  const end: LegacyEnd = byLegacy
    ? await legacyEnd(
        ports.connect,
        request.legacyConnector,
        found.map(({ layout }) => layout),
      )
    : { known: false, why: "no legacy topic is read" };
  const checkScn = await chooseCheckScn(run, database, end, left);
  const { connector, audited } = request;
  const stored = () =>
    audited === undefined
      ? storedResumeScn(ports.connect, connector, database)
      : storedPosition(audited, ports.connect);
  const resumeScn = await passedCheckScn(connector, stored, checkScn, ports.clock, {
    millis: request.waitMillis,
    ...(stop === undefined ? {} : { stop }),
    report: (waiting) => report({ is: "waiting", ...waiting }),
  });
  if (resumeScn === "interrupted") return resumeScn;
  report({ is: "passed", checkScn, resumeScn });
  return { checkScn, resumeScn, end };
}

function tableAt(
  index: number,
  { run, settings, database, found, ignored }: ResolvedRequest,
  { checkScn, end }: { readonly checkScn: Scn; readonly end: LegacyEnd },
): Parameters<typeof planTable>[0] {
  return {
    ...run,
    checkScn,
    end,
    naming: topicNaming({ config: run.request.config, ...settings }, database),
    wanted: run.request.tables[index] as TableWanted,
    table: found[index] as FoundTable,
    ignored,
    left: undefined,
  };
}

/**
 * Chooses the given SCN, else that of an interrupted run, else the SCN of one safety margin ago; in an audit the last
 * one that the connector has passed, so that it need not be waited for.
 */
async function chooseCheckScn(
  { request, ports: { connect, oracle, clock }, report, stop }: Run,
  database: DatabaseSeen,
  end: LegacyEnd,
  left: readonly (InterruptedRun | undefined)[],
): Promise<Scn> {
  const { checkScn, safetyMarginMillis, connector, config, legacyConfig, waitMillis, audited } = request;
  const startScn = parseScn(config["cdc.start.scn"] ?? "");
  // A run at or below the start was for an earlier connector of that name.
  const interrupted = left.find(
    (one) => one !== undefined && (startScn === undefined || one.checkScn > startScn),
  )?.checkScn;
  const scn =
    checkScn ??
    interrupted ??
    (audited === undefined ? undefined : (await storedPosition(audited, connect)) - 1n) ??
    (await scnOfMargin(oracle, database, safetyMarginMillis, clock, {
      past: highest([startScn ?? [], end.known ? end.lastDelivered : []].flat()),
      millis: waitMillis,
      ...(stop === undefined ? {} : { stop }),
    }));
  const byDefault = audited === undefined ? "by the safety margin" : "by what was delivered";
  const chosen = checkScn !== undefined ? "given" : interrupted !== undefined ? "of the interrupted run" : byDefault;
  mustBePast(scn, await oracle.database(), chosen);
  if (stop?.aborted !== true) {
    mustBePastStart(scn, startScn, connector);
    if (audited === undefined && !hasCommitScns(legacyConfig)) mustBePastLegacy(scn, end);
  }
  report({ is: "check SCN", scn, chosen });
  return scn;
}

/**
 * Refuses columns that no table has. Such a name is probably misspelt, and the intended column would be compared
 * without notice.
 */
function refuseUnknownColumns({ unknownColumns: [stranger] }: IgnoredColumns): void {
  if (stranger !== undefined)
    throw new Refusal("VER104", `none of the verified tables has a column ${printIgnoredColumn(stranger)}`, [
      "Write COLUMN or OWNER.TABLE.COLUMN. Put lower-case names in double quotes.",
    ]);
}

/** Error code of a broker when retention removed records while they were read. */
export const GONE_MEANWHILE = "OFFSET_OUT_OF_RANGE";

async function verified(
  job: TableJob,
  { request, ports, report, stop }: Run<CutoverPorts>,
  { files, name }: { readonly files: Spool; readonly name: string },
): Promise<TableFound | "interrupted"> {
  const free = await ports.spools.free();
  const inputs = inputsOf(job, ports, RANGES * 4);
  const size =
    (inputs.rows.expected ?? 0) +
    recordsExpected(inputs.newTopic.partitions) +
    recordsExpected(inputs.legacyTopic?.partitions ?? []);
  const threads = ports.threads !== undefined && size >= ports.threads.from ? ports.threads.open(job, name) : undefined;
  try {
    const found = await verifyTable(inputs, files, {
      ...(threads === undefined ? {} : { runner: threads }),
      work: ports.work,
      clock: ports.clock,
      memory: request.memory,
      ranges: RANGES,
      partitions: PARTITIONS,
      first: NAMED_KEYS,
      disk: { place: ports.spools.place, free },
      progress: (progress) => report({ is: "progress", table: job.table, progress }),
      notice(notice) {
        if (notice.is === "disk" && notice.free !== undefined && BigInt(notice.estimated) > notice.free)
          throw new Refusal(
            "VER106",
            `${job.table} needs about ${showBytes(notice.estimated)} in ${notice.place}, but only ` +
              `${showBytes(notice.free)} are free`,
            [{ text: "Free space there, or choose another folder", setting: "--work-dir DIR" }],
          );
        report({ is: "notice", table: job.table, notice });
      },
      ...(stop === undefined ? {} : { stop }),
    });
    return found.is === "interrupted" ? "interrupted" : found;
  } catch (error) {
    if (!(error instanceof CallFailed) || error.code !== GONE_MEANWHILE) throw error;
    // The next run would not find them either.
    await files.clear();
    return { is: "not-read", why: error.message };
  } finally {
    await threads?.close();
  }
}
