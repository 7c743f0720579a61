import { explainedStop } from "../../core/connector-errors.ts";
import { statusOf } from "../../core/facts/connector/connector.ts";
import type { Observed } from "../../core/facts/observed.ts";
import type { Misplaced } from "../../core/facts/offset/origin.ts";
import { isEmptyOffset, laterVersion, type StoredReading } from "../../core/facts/offset/stored-offset.ts";
import type { RecordedChange } from "../../core/facts/ops/ops-event.ts";
import { type RedoExamination, restoreCommands } from "../../core/facts/redo/redo.ts";
import type { PositionSeen } from "../../core/kinds/connector/inspect-position.ts";
import { shownItems } from "../../core/plan/diff.ts";
import type { Timeline, Mark as TimelineMark } from "../../core/timeline/timeline.ts";
import { counted } from "../../core/values/amounts.ts";
import { isUtc, showInstant } from "../../core/values/instant.ts";
import { canonicalJson, type JsonObject } from "../../core/values/json.ts";
import type { RecordedEvent } from "../../schemas/generated/facts.ts";
import { shownStop, trunc } from "./layout.ts";
import { changeText, itemTable, type OffsetReport, offsetsDocument, problemIn } from "./offset.ts";
import {
  type Field,
  field,
  figure,
  lines,
  notice,
  type Outcome,
  type Part,
  RANK,
  type Report,
  type Reports,
  type Section,
  section,
} from "./report/model.ts";
import { redoField } from "./takeover.ts";
import { gapsOf } from "./timeline-text.ts";

/** The position of a connector, or why it is unknown. */
export type PositionView =
  | {
      readonly connector: string;
      readonly timeline: Timeline;
      /** The stored offset does not belong to the connected database. */
      readonly misplaced?: Misplaced;
    }
  | { readonly connector: string; readonly unknown: string };

/** The position of a connector, shown below its runs. */
export function positionSection(shown: PositionView): readonly Section[] {
  const parts =
    "timeline" in shown
      ? figure(shown.timeline)
      : [notice(`position unknown: ${trunc(shown.unknown, 2000)}`, "caution")];
  return section(RANK.figure, parts, { title: trunc(shown.connector, 200) });
}

export function positionReport(seen: PositionSeen): Report {
  const { connector, at: observedAt } = seen;
  const stop = shownStop(explainedStop(connector.status)?.code);
  return {
    heading: {
      title: `${trunc(connector.name, 200)}: position`,
      rest: [`as seen ${showInstant(observedAt)}`],
      outcome: seen.misplaced === undefined ? outcomeOf(seen.timeline) : MISPLACED,
    },
    sections: [
      ...section(RANK.figure, figure(seen.timeline), { title: "The position" }),
      ...(seen.redo === undefined ? [] : section(RANK.subject, redoParts(seen.redo), { title: "The redo" })),
      ...section(RANK.subject, stored(seen), { title: "The stored offset" }),
      ...section(RANK.details, [{ is: "fields", rows: connectorFields(seen) }], { title: "The connector" }),
      ...section(RANK.details, [{ is: "fields", rows: databaseFields(seen) }], { title: "The database" }),
    ],
    ...(stop === undefined ? {} : { next: [stop.next] }),
  };
}

const MISPLACED: Outcome = { word: "the offset belongs to another database", mark: "bad" };

/** Whether the connector can resume from its position, and how far it is behind. */
function outcomeOf(timeline: Timeline): Outcome {
  const scn = (name: TimelineMark["mark"]) => timeline.marks.find(({ mark }) => mark === name)?.scn;
  const [resume, current] = [scn("resume SCN"), scn("current SCN")];
  if (resume === undefined) return { word: "no readable offset is stored", mark: "caution" };
  if (timeline.unseen.some(({ what }) => what === "redo")) return { word: "the redo was not read", mark: "unknown" };
  if (gapsOf(timeline).some(({ stretch }) => stretch.to > resume)) return { word: "redo is missing", mark: "bad" };
  if (current === undefined) return { word: "the lag is unknown", mark: "unknown" };
  return current > resume
    ? { word: `${counted(current - resume, "SCN")} behind; redo complete from the resume SCN`, mark: "good" }
    : { word: "not behind", mark: "good" };
}

/**
 * Every stored offset, as in `admin offsets show` (`schemas/offsets.schema.json`); the connector's own includes the
 * redo.
 */
export function positionDocument({ connector, stored, times, redo, timeline }: PositionSeen) {
  const own = stored.state === "stored" ? canonicalJson(stored.entry.partition) : undefined;
  return offsetsDocument(
    connector.name,
    connector.offsets.map((entry) => {
      const isOwn = canonicalJson(entry.partition) === own;
      return {
        entry,
        times: times.known ? times.value : [],
        redo: isOwn ? redo : undefined,
        timeline: isOwn ? timeline : undefined,
      };
    }),
  );
}

/** The result of the redo check, and the commands that restore missing logs. */
function redoParts(redo: Observed<RedoExamination>): readonly Part[] {
  if (!redo.known) {
    const unseen = field("redo", `unknown: ${trunc(redo.why, 3000)}`);
    return [{ is: "fields", aligned: true, rows: [{ ...unseen, remedies: redo.remedies ?? [] }] }];
  }
  const commands = restoreCommands(redo.value.faults);
  return [
    { is: "fields", aligned: true, rows: [redoField(redo.value, "all", "good")] },
    ...(commands.length === 0
      ? []
      : [
          notice("to restore the logs (RMAN):"),
          { is: "code" as const, language: "sql" as const, lines: lines(commands, "command", "all") },
        ]),
  ];
}

function stored({ stored: reading, connector, times }: PositionSeen): readonly Part[] {
  if (reading.state !== "stored") return [notice(notStored(reading))];
  const partition = trunc(canonicalJson(reading.entry.partition), 300);
  return [
    itemTable(
      shownItems(reading.entry.offset, times.known ? times.value : []),
      `Of ${trunc(connector.name, 200)}, partition ${partition}; times are UTC`,
    ),
  ];
}

function notStored(reading: Exclude<StoredReading, { readonly state: "stored" }>): string {
  const several = (partitions: readonly JsonObject[]) =>
    trunc(partitions.map((partition) => canonicalJson(partition)).join(", "), 600);
  switch (reading.state) {
    case "none":
      return "None is stored.";
    case "later version":
      return `${laterVersion(reading.version)}.`;
    case "unreadable":
      return `It cannot be read: ${trunc(reading.problem, 600)}.`;
    case "several":
      return `Offsets of several partitions are stored: ${several(reading.partitions)}.`;
    case "foreign":
      return `What is stored belongs to another partition: ${several([reading.partition])}.`;
  }
}

function connectorFields({ connector, worker }: PositionSeen): readonly Field[] {
  const stop = shownStop(explainedStop(connector.status)?.code);
  const capture = { online: "online: archived and online redo", archive_only: "archive_only: archived redo only" };
  return [
    field("Name", trunc(connector.name, 300)),
    field("State", statusOf(connector.status)),
    ...(stop === undefined ? [] : [field("Stopped by", stop.text, "bad")]),
    field("Class", trunc(connector.connectorClass ?? "not set", 300)),
    field("Workers", `${trunc(worker.url, 300)}, Kafka Connect ${trunc(worker.version, 60)}`),
    field("Kafka cluster", trunc(worker.clusterId, 100)),
    field("Topic prefix", trunc(connector.prefix, 300)),
    field("Capture", capture[connector.captureMode]),
    field("Configuration", `from ${trunc(connector.configOrigin, 300)}`),
  ];
}

function databaseFields({ database }: PositionSeen): readonly Field[] {
  const { name, connectedTo, address, version, role, openMode, logMode, dbid, resetlogsScn, currentScn, zone } =
    database;
  return [
    field("Name", `${trunc(name, 200)}, connected to ${trunc(connectedTo, 200)}`),
    field("Address", trunc(address, 300)),
    field("Version", trunc(version, 100)),
    field("Role", `${trunc(role, 60)}, ${trunc(openMode, 60)}, ${trunc(logMode, 60)}`),
    field("Identity", `dbid ${dbid}, resetlogs ${resetlogsScn}`),
    field("Current SCN", `${currentScn}`),
    ...(isUtc(zone) ? [] : [field("Times", `here in UTC; the server's zone is ${trunc(zone, 60)}`)]),
  ];
}

/** The result of `admin offsets show` for one partition. */
export interface OffsetView extends OffsetReport {
  readonly connector: string;
  /** The database server's zone; undefined when the database was not asked. */
  readonly zone: string | undefined;
}

const NONE: Outcome = { word: "none is stored", mark: "nothing" };

function outcomeOfStored({ entry: { offset }, redo, timeline }: OffsetView): Outcome {
  if (isEmptyOffset(offset)) return NONE;
  if (problemIn(offset) !== undefined) return { word: "it cannot be read", mark: "bad" };
  if (redo?.known === false) return { word: "the redo was not read", mark: "unknown" };
  if (redo?.known && !redo.value.complete) return { word: "redo is missing", mark: "bad" };
  return timeline === undefined ? { word: "stored", mark: "nothing" } : outcomeOf(timeline);
}

/** The reports of a connector's stored offsets; the first includes the latest recorded change. */
export function offsetReports(
  connector: string,
  shown: readonly OffsetView[],
  change?: RecordedChange<RecordedEvent>,
): Reports {
  const none: Report = {
    heading: { title: trunc(connector), terminal: "no title", outcome: NONE },
    lead: [notice(`${connector} has no stored offset`)],
    sections: [],
  };
  const [first = none, ...others] = shown.map(offsetReport);
  const last = change === undefined ? [] : [notice(`last change ${changeText(change)}`)];
  return { what: "stored offset", reports: [{ ...first, lead: [...(first.lead ?? []), ...last] }, ...others] };
}

/** The decoded items of a stored offset, one per line, with the time of each SCN and the result of the redo check. */
export function offsetReport(shown: OffsetView): Report {
  const { connector, entry, times, zone, redo, timeline } = shown;
  const problem = problemIn(entry.offset);
  const parts: readonly Part[] = [
    ...(problem === undefined ? [] : [notice(problem.seen, "bad")]),
    isEmptyOffset(entry.offset)
      ? notice("none is stored")
      : itemTable(shownItems(entry.offset, times), "Field by field; times are UTC"),
    ...(zone === undefined || isUtc(zone)
      ? []
      : [notice(`times are UTC; the database server's zone is ${trunc(zone, 300)}`, "quiet")]),
    ...(redo === undefined ? [] : redoParts(redo)),
  ];
  return {
    heading: {
      title: `stored offset of ${trunc(connector)}, partition ${trunc(canonicalJson(entry.partition))}`,
      outcome: outcomeOfStored(shown),
    },
    sections: [...section(RANK.subject, parts, { close: true }), ...section(RANK.figure, figure(timeline))],
  };
}
