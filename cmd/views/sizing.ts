import type { Sizing } from "../../core/doctor/redo-profile.ts";
import { counted, showBytes, showCount } from "../../core/values/amounts.ts";
import { documentOf } from "./json-text.ts";
import { showInstant, showMillis, trunc } from "./layout.ts";
import {
  END,
  type Field,
  field,
  type Outcome,
  RANK,
  type Remedies,
  type Report,
  section,
  tableOf,
  whatToDo,
} from "./report/model.ts";

/** Bytes of Oracle's size suffix M. */
const MIB = 1024n * 1024n;

/** The report of `doctor sizing`: each thread's online logs, then the size of the archive. */
export function sizingReport(sizing: Sizing): Report {
  const { database, destination, since, question } = sizing;
  const span = since === undefined ? "no archived log" : `archived logs since ${showInstant(since)}`;
  return {
    heading: {
      title: trunc(`sizing of ${database}, destination ${destination}: ${span}`),
      outcome: outcomeOf(sizing),
    },
    sections: [
      ...section(RANK.subject, [threadTable(sizing), ...larger(sizing)], {
        title: `online logs, by ${counted(question.days, "day")}`,
      }),
      ...section(RANK.consequences, [{ is: "fields", rows: archiveRows(sizing) }], { title: "archive" }),
    ],
  };
}

function outcomeOf({ threads }: Sizing): Outcome {
  return threads.some(({ wantedBytes }) => wantedBytes !== undefined)
    ? { word: "larger online logs are recommended", mark: "caution" }
    : { word: "the online logs are large enough", mark: "good" };
}

function threadTable({ threads }: Sizing) {
  return tableOf("Log switches of each thread; times are UTC", threads, { what: "thread" }, [
    ["Thread", ({ thread }) => String(thread), END],
    ["Logs", ({ logs }) => showCount(logs), END],
    ["An hour", ({ switchesPerHour }) => (switchesPerHour / 10).toFixed(1), END],
    ["Busiest hour", ({ peak }) => showCount(peak.logs), END],
    ["From", ({ peak }) => showInstant(peak.since)],
    ["Online log", ({ onlineBytes }) => (onlineBytes === undefined ? "none" : showBytes(onlineBytes)), END],
    ["Recommended", ({ wantedBytes }) => (wantedBytes === undefined ? "as it is" : showBytes(wantedBytes)), END],
  ]);
}

/** Small logs can be dropped only once they are INACTIVE, so this takes several statements at different times. */
function larger({ threads }: Sizing): readonly Remedies[] {
  const remedies = threads.flatMap(({ thread, wantedBytes }) => {
    if (wantedBytes === undefined) return [];
    const sql = `ALTER DATABASE ADD LOGFILE THREAD ${thread} SIZE ${wantedBytes / MIB}M;`;
    return [{ text: "Add the same number of larger logs, and drop the small ones once they are INACTIVE", sql }];
  });
  return whatToDo(remedies);
}

function archiveRows({ bytesPerDay, busiestHour, retention, space, reaches, question }: Sizing): readonly Field[] {
  const { maxDowntime, journalThreshold } = question;
  return [
    field("a day", showBytes(bytesPerDay)),
    field(
      "busiest hour",
      busiestHour === undefined ? "none" : `${showBytes(busiestHour.bytes)}, from ${showInstant(busiestHour.since)}`,
    ),
    field(
      "retention",
      `${showMillis(retention)}: a downtime of ${showMillis(maxDowntime)}, and cdc.txjournal.threshold.ms ` +
        `${showMillis(journalThreshold)}, in whole hours`,
    ),
    field(
      "space for it",
      `${showBytes(space.average)} at the average rate, ${showBytes(space.busiest)} if every hour were the busiest`,
    ),
    ...reaches.map(({ thread, since, purged }) =>
      field(
        `thread ${thread} now`,
        since === undefined
          ? "no archived log can be read"
          : `back to ${showInstant(since)}${purged ? "" : "; none was deleted yet"}`,
      ),
    ),
  ];
}

/** `doctor sizing --format json` (`schemas/sizing.schema.json`). Printed with `printJson`. */
export function sizingDocument({ database, destination, question, since, threads, ...archive }: Sizing) {
  const { bytesPerDay, busiestHour, retention, space, reaches } = archive;
  const peakOf = (peak: NonNullable<Sizing["busiestHour"]>) => ({ ...peak, logs: BigInt(peak.logs) });
  return {
    ...documentOf("Sizing"),
    database,
    destination,
    days: BigInt(question.days),
    since: since ?? null,
    threads: threads.map(({ thread, logs, bytes, peak, switchesPerHour, onlineBytes, wantedBytes }) => ({
      thread,
      logs: BigInt(logs),
      bytes,
      switches_per_hour: (switchesPerHour / 10).toFixed(1),
      busiest_hour: peakOf(peak),
      online_log_bytes: onlineBytes ?? null,
      recommended_log_bytes: wantedBytes ?? null,
    })),
    archive: {
      bytes_per_day: bytesPerDay,
      busiest_hour: busiestHour === undefined ? null : peakOf(busiestHour),
      retention_ms: BigInt(retention),
      max_downtime_ms: BigInt(question.maxDowntime),
      journal_threshold_ms: BigInt(question.journalThreshold),
      bytes_at_average: space.average,
      bytes_at_busiest: space.busiest,
      reaches: reaches.map(({ thread, since: from, purged }) => ({ thread, since: from ?? null, purged })),
    },
  };
}
