import { join } from "node:path";
import type { DatabaseSeen } from "../../core/facts/database/database.ts";
import type { KafkaPort } from "../../core/ports/kafka.ts";
import type { OraclePort } from "../../core/ports/oracle.ts";
import { counted, showBytes, showCount } from "../../core/values/amounts.ts";
import { showMillis } from "../../core/values/duration.ts";
import type { JsonObject } from "../../core/values/json.ts";
import { printIgnoredColumn } from "../../core/verification/cutover/ignored-columns.ts";
import type { CutoverEvent, CutoverRequest } from "../../core/verification/cutover/request.ts";
import { verifyCutover } from "../../core/verification/cutover/verify-cutover.ts";
import type { VerifyNotice, VerifyProgress } from "../../core/verification/engine/watch.ts";
import { type EvidenceFacts, evidenceOf } from "../../core/verification/evidence/evidence.ts";
import { nodeBytes } from "../../providers/spool/node-bytes.ts";
import { spoolDirectory } from "../../providers/spool/spool-directory.ts";
import type { Evidence } from "../../schemas/generated/evidence.ts";
import { type Host, VERSION } from "../host.ts";
import { writeSentence } from "../screen.ts";
import { documentText, overwritten } from "../views/rendered.ts";
import { systemClock } from "./clock.ts";
import type { OpenWorld } from "./open-world.ts";
import { stateFolder } from "./places.ts";
import { verifyThreads } from "./verify-threads.ts";

/**
 * Verifies a cutover and reports progress: for `migrate verify`, and for the phase of a plan.
 *
 * @param workDir folder of the partition files; undefined: below the state folder
 * @param values whether differing values are written into the evidence @returns `"interrupted"` when interrupted;
 * finished work is kept for the next run
 */
export async function verifiedEvidence(
  request: CutoverRequest,
  { connect, loginsOf }: Pick<OpenWorld, "connect" | "loginsOf">,
  { kafka, oracle }: { readonly kafka: KafkaPort; readonly oracle: OraclePort },
  { workDir, values }: { readonly workDir: string | undefined; readonly values: boolean },
  host: Host,
): Promise<Evidence | "interrupted"> {
  const progress = verifyProgress(host);
  const place = workDir ?? join(stateFolder(host), "verify");
  const logins = loginsOf(kafka, oracle);
  const threads = logins === undefined ? undefined : verifyThreads(logins, place, host);
  const verified = await verifyCutover(
    request,
    {
      ...{ connect, kafka, oracle, clock: systemClock, work: nodeBytes },
      spools: spoolDirectory(place),
      ...(threads === undefined ? {} : { threads }),
    },
    progress.report,
    host.interrupt,
  ).finally(progress.end);
  if (verified === "interrupted") return verified;
  const { database, checkScn, resumeScn, tables } = verified;
  return evidenceOf({
    writtenAt: systemClock.now(),
    cdcctl: VERSION,
    inputs: evidenceInputs(request, connect.url, { kafka, oracle }, database, values),
    checkScn,
    resumeScn,
    tables,
    values,
  });
}

/** The inputs of a verification, as named in its evidence. */
export function evidenceInputs(
  { connector, tables, ignoredColumns, audited }: CutoverRequest,
  connectUrl: string,
  { kafka, oracle }: { readonly kafka: KafkaPort; readonly oracle: OraclePort },
  { name, dbid, resetlogsScn }: DatabaseSeen,
  values: boolean,
): EvidenceFacts["inputs"] {
  return {
    ...askedInputs(connector, tables, ignoredColumns, values),
    ...(audited === undefined ? {} : { audit: true }),
    connect: connectUrl,
    brokers: kafka.brokers,
    database: oracle.address,
    databaseName: name,
    dbid: String(dbid),
    resetlogsScn: String(resetlogsScn),
  };
}

export function askedInputs(
  connector: string,
  tables: CutoverRequest["tables"],
  ignoredColumns: CutoverRequest["ignoredColumns"],
  values: boolean,
): EvidenceFacts["inputs"] {
  return {
    connector,
    tables: tables.map(({ name, topic }) => (topic === undefined ? name : `${name}=${topic}`)),
    legacyTopics: tables.flatMap(({ name, legacyTopic }) =>
      legacyTopic === undefined ? [] : [`${name}=${legacyTopic}`],
    ),
    ignoredColumns: ignoredColumns.map(printIgnoredColumn),
    showValues: values,
  };
}

/** Intervals of the overwritten line on a terminal, and of lines in a log. */
const REFRESH_MILLIS = 200;
const HEARTBEAT_MILLIS = 30_000;

interface Progress {
  report(event: CutoverEvent): void;
  /** Reports a status line of the job's script (`cmd/spark/verify_spark.py`). */
  job(data: JsonObject): void;
  /** Ends the overwritten line. */
  end(): void;
}

/** Reports on standard error what a verification does, and its progress. */
export function verifyProgress({ stderr }: Pick<Host, "stderr">): Progress {
  const { columns } = stderr;
  const every = columns === undefined ? HEARTBEAT_MILLIS : REFRESH_MILLIS;
  let width = 0;
  let last = systemClock.elapsed();

  const clear = (): void => {
    if (width > 0) stderr.write(documentText(`\r${" ".repeat(width)}\r`));
    width = 0;
  };
  const line = (text: string): void => {
    clear();
    writeSentence(stderr, text);
  };
  const passing = (text: () => string): void => {
    const now = systemClock.elapsed();
    if (now - last < every) return;
    last = now;
    if (columns === undefined) {
      line(text());
      return;
    }
    const fitting = overwritten("", text(), Math.max(1, columns - 1));
    clear();
    stderr.write(fitting);
    width = fitting.length;
  };

  return {
    report(event) {
      switch (event.is) {
        case "check SCN":
          return line(`check SCN ${event.scn} (${event.chosen})`);
        case "waiting": {
          const { resumeScn, checkScn, millis } = event;
          return passing(
            () => `waiting until the resume SCN ${resumeScn} passes ${checkScn}, for ${showMillis(millis)}`,
          );
        }
        case "passed":
          return line(`the connector has passed it: its resume SCN is ${event.resumeScn}`);
        case "table":
          line(
            `${event.table}: topic ` +
              (event.newTopic === "" && event.legacyTopic !== undefined
                ? event.legacyTopic
                : `${event.newTopic}${event.legacyTopic === undefined ? "" : `, legacy topic ${event.legacyTopic}`}`),
          );
          for (const remark of event.remarks) line(`  note: ${remark}`);
          return;
        case "notice":
          return line(`  ${noticeText(event.notice)}`);
        case "progress":
          return passing(() => `  ${event.table}: ${progressText(event.progress)}`);
        case "done":
          return clear();
      }
    },
    job(data) {
      switch (data["is"]) {
        case "started":
          return line(`Spark ${data["version"]}, application ${data["application"]}: ${data["web"] ?? "no web page"}`);
        case "progress":
          return passing(() => `  ${jobText(data)}`);
        case "table":
          return line(`  ${data["table"]}: read and compared`);
      }
    },
    end: clear,
  };
}

function jobText(data: JsonObject): string {
  const number = (name: string): bigint => (typeof data[name] === "bigint" ? data[name] : 0n);
  const seconds = Number(String(data["seconds"] ?? 0));
  const records = number("records");
  const rate = seconds > 1 ? `, ${showCount(Math.round(Number(records) / seconds))} records/s` : "";
  const failed = number("failedTasks");
  const stages = Array.isArray(data["stages"]) ? data["stages"] : [];
  const stage =
    stages.length === 0
      ? ""
      : `; stage ${stages.join(", ")}: ${showCount(number("tasks"))} of ${counted(number("ofTasks"), "task")}`;
  const read = counted(records, "row or record", "rows and records");
  const units = `${showCount(number("units"))} of ${counted(number("of"), "unit")}`;
  const parts = `${showCount(number("slots"))} of ${counted(number("ofSlots"), "part")}`;
  const failures = failed === 0n ? "" : `; ${counted(failed, "task")} failed`;
  return `${data["table"]}: ${units}, ${read}${rate}; compared ${parts}${stage}${failures}`;
}

function noticeText(notice: VerifyNotice): string {
  switch (notice.is) {
    case "disk": {
      const free = notice.free === undefined ? "free space is unknown" : `${showBytes(notice.free)} free`;
      return `disk: about ${showBytes(notice.estimated)} in ${notice.place}, ${free}; removed at the end`;
    }
    case "resumed":
      return `resuming an interrupted run: ${counted(notice.finished, "part")} read, ${notice.begun} begun`;
    case "afresh":
      return `cannot resume an interrupted run (${notice.why}): reading everything again`;
  }
}

function progressText(progress: VerifyProgress): string {
  if (progress.phase === "joining") return `compared ${progress.joined} of ${progress.partitions} parts`;
  const records = progress.newRecords + progress.legacyRecords;
  const rate = progress.millis > 1000 ? `, ${showCount(Math.round(records / (progress.millis / 1000)))} records/s` : "";
  const rows =
    progress.rowsExpected === undefined
      ? counted(progress.rows, "row")
      : `${showCount(progress.rows)} of about ${counted(progress.rowsExpected, "row")}`;
  return `${rows}, ${showCount(records)} of at most ${counted(progress.recordsExpected, "record")}${rate}`;
}
