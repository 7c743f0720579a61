import type { Observed } from "../../core/facts/observed.ts";
import type { Misplaced } from "../../core/facts/offset/origin.ts";
import { laterVersion, type StoredReading } from "../../core/facts/offset/stored-offset.ts";
import type { RecordedChange, RecordedEvent } from "../../core/facts/ops/ops-event.ts";
import { type RedoExamination, restoreCommands } from "../../core/facts/redo/redo.ts";
import type { PositionSeen } from "../../core/kinds/connector/look-at-position.ts";
import { shownItems } from "../../core/plan/diff.ts";
import type { Shown } from "../../core/plan/plan.ts";
import type { Timeline, Mark as TimelineMark } from "../../core/timeline/timeline.ts";
import { counted } from "../../core/values/amounts.ts";
import { canonicalJson, type JsonObject } from "../../core/values/json.ts";
import { clip } from "./layout.ts";
import { changeSentence, itemTable, offsetsDocument } from "./offset.ts";
import { isUtc, showInstant, standingOf } from "./quantities.ts";
import { redoField } from "./redo-sentences.ts";
import {
  type Field,
  field,
  figure,
  items,
  notice,
  type Outcome,
  type Part,
  RANK,
  type Report,
  type Reports,
  type Section,
  section,
} from "./report/model.ts";
import { gapsOf } from "./timeline-sentences.ts";

/** Where a connector stands, or why that can't be seen. */
export type PositionShown =
  | {
      readonly connector: string;
      readonly timeline: Timeline;
      /** The stored offset has no place in the connected database. */
      readonly misplaced?: Misplaced;
    }
  | { readonly connector: string; readonly unknown: string };

/** Below the runs of a connector: where it stands. */
export function positionSection(shown: PositionShown): readonly Section[] {
  const parts =
    "timeline" in shown
      ? figure(shown.timeline)
      : [notice(`where it stands can't be seen: ${clip(shown.unknown, 2000)}`, "caution")];
  return section(RANK.figure, parts, { title: clip(shown.connector, 200) });
}

/** Where a connector stands. */
export function positionReport(seen: PositionSeen): Report {
  const { connector, at } = seen;
  return {
    heading: {
      title: `${clip(connector.name, 200)}: where it stands`,
      rest: [`as seen ${showInstant(at)}`],
      outcome: seen.misplaced === undefined ? outcomeOf(seen.timeline) : MISPLACED,
    },
    lead: [],
    sections: [
      ...section(RANK.figure, figure(seen.timeline), { title: "The position" }),
      ...(seen.redo === undefined ? [] : section(RANK.subject, redoParts(seen.redo), { title: "The redo" })),
      ...section(RANK.subject, stored(seen), { title: "The stored offset" }),
      ...section(RANK.details, [{ is: "fields", rows: connectorFields(seen) }], { title: "The connector" }),
      ...section(RANK.details, [{ is: "fields", rows: databaseFields(seen) }], { title: "The database" }),
    ],
    next: [],
  };
}

const MISPLACED: Outcome = { word: "the offset belongs to another database", mark: "bad" };

/** Whether the connector can go on from where it stands, and how far that is behind. */
function outcomeOf(timeline: Timeline): Outcome {
  const scn = (name: TimelineMark["mark"]) => timeline.marks.find(({ mark }) => mark === name)?.scn;
  const [resume, current] = [scn("resume SCN"), scn("current SCN")];
  if (resume === undefined) return { word: "no offset is stored that can be read", mark: "caution" };
  if (timeline.unseen.some(({ what }) => what === "redo")) return { word: "the redo was not seen", mark: "unknown" };
  if (gapsOf(timeline).some(({ stretch }) => stretch.to > resume)) return { word: "redo is missing", mark: "bad" };
  if (current === undefined) return { word: "how far it is behind is not known", mark: "unknown" };
  return current > resume
    ? { word: `${counted(current - resume, "SCN")} behind, and the redo is there`, mark: "good" }
    : { word: "not behind", mark: "good" };
}

/** As `admin offsets show` has it (`schemas/offsets.schema.json`): every stored offset, the redo below its own. */
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

/** What the check of the redo found, and the commands that would bring back what is gone. */
function redoParts(redo: Observed<RedoExamination>): readonly Part[] {
  if (!redo.known) {
    const unseen = field("redo", `can't be seen: ${clip(redo.why, 3000)}`);
    return [{ is: "fields", aligned: true, rows: [{ ...unseen, remedies: redo.remedies ?? [] }] }];
  }
  const commands = restoreCommands(redo.value.faults);
  return [
    { is: "fields", aligned: true, rows: [redoField(redo.value, "all", "good")] },
    ...(commands.length === 0
      ? []
      : [
          notice("to bring the logs back (RMAN):"),
          { is: "code" as const, language: "sql" as const, lines: items(commands, "command", (one) => one, "all") },
        ]),
  ];
}

function stored({ stored: reading, connector, times }: PositionSeen): readonly Part[] {
  if (reading.state !== "stored") return [notice(notStored(reading))];
  const partition = clip(canonicalJson(reading.entry.partition), 300);
  return [
    itemTable(
      shownItems(reading.entry.offset, times.known ? times.value : []),
      `Of ${clip(connector.name, 200)}, partition ${partition}; times are UTC`,
    ),
  ];
}

function notStored(reading: Exclude<StoredReading, { readonly state: "stored" }>): string {
  const several = (partitions: readonly JsonObject[]) =>
    clip(partitions.map((partition) => canonicalJson(partition)).join(", "), 600);
  switch (reading.state) {
    case "none":
      return "None is stored.";
    case "later version":
      return `${laterVersion(reading.version)}.`;
    case "unreadable":
      return `It can't be read: ${clip(reading.problem, 600)}.`;
    case "several":
      return `Offsets of several partitions are stored: ${several(reading.partitions)}.`;
    case "foreign":
      return `What is stored belongs to another partition: ${several([reading.partition])}.`;
  }
}

function connectorFields({ connector, worker }: PositionSeen): readonly Field[] {
  const capture = { online: "online: archived and online redo", archive_only: "archive_only: archived redo only" };
  return [
    field("Name", clip(connector.name, 300)),
    field("State", standingOf(connector.status)),
    field("Class", clip(connector.connectorClass ?? "not set", 300)),
    field("Workers", `${clip(worker.url, 300)}, Kafka Connect ${clip(worker.version, 60)}`),
    field("Kafka cluster", clip(worker.clusterId, 100)),
    field("Topic prefix", clip(connector.prefix, 300)),
    field("Capture", capture[connector.captureMode]),
    field("Configuration", `as ${clip(connector.configOrigin, 300)} has it`),
  ];
}

function databaseFields({ database }: PositionSeen): readonly Field[] {
  const { name, connectedTo, address, version, role, openMode, logMode, dbid, resetlogsScn, currentScn, zone } =
    database;
  return [
    field("Name", `${clip(name, 200)}, connected to ${clip(connectedTo, 200)}`),
    field("Address", clip(address, 300)),
    field("Version", clip(version, 100)),
    field("Role", `${clip(role, 60)}, ${clip(openMode, 60)}, ${clip(logMode, 60)}`),
    field("Identity", `dbid ${dbid}, resetlogs ${resetlogsScn}`),
    field("Current SCN", `${currentScn}`),
    ...(isUtc(zone) ? [] : [field("Times", `here in UTC; the server's zone is ${clip(zone, 60)}`)]),
  ];
}

/** `admin offsets show`, of one partition. */
export interface OffsetShown {
  readonly connector: string;
  /** As `GET /connectors/{name}/offsets` has it, printed. */
  readonly partition: string;
  /** As `shownItems` gives them; empty when nothing is stored. */
  readonly items: ReadonlyMap<string, Shown>;
  /** Why the items are raw; undefined where they are decoded. */
  readonly undecoded?: string | undefined;
  /** The database server's zone; undefined when the database was not asked. */
  readonly zone: string | undefined;
  /** With `--check-redo`: redo from the resume SCN on. */
  readonly redo?: Observed<RedoExamination> | undefined;
  /** Left out where the database was not asked, or the offset can't be read. */
  readonly timeline?: Timeline | undefined;
}

const NONE: Outcome = { word: "none is stored", mark: "nothing" };

function outcomeOfStored({ items: all, undecoded, redo, timeline }: OffsetShown): Outcome {
  if (all.size === 0) return NONE;
  if (undecoded !== undefined) return { word: "it can't be read", mark: "bad" };
  if (redo?.known === false) return { word: "the redo was not seen", mark: "unknown" };
  if (redo?.known && !redo.value.complete) return { word: "redo is missing", mark: "bad" };
  return timeline === undefined ? { word: "stored", mark: "nothing" } : outcomeOf(timeline);
}

/** Every stored offset of a connector, the latest recorded change above the first. */
export function offsetReports(
  connector: string,
  shown: readonly OffsetShown[],
  change?: RecordedChange<RecordedEvent>,
): Reports {
  const none: Report = {
    heading: { title: clip(connector), terminal: "no title", outcome: NONE },
    lead: [notice(`${connector} has no stored offset`)],
    sections: [],
    next: [],
  };
  const [first = none, ...others] = shown.map(offsetReport);
  const last = change === undefined ? [] : [notice(changeSentence(change))];
  return { what: "stored offset", reports: [{ ...first, lead: [...first.lead, ...last] }, ...others] };
}

/**
 * The decoded items of a stored offset, one a line, with the time of each SCN, and what the check of the redo found.
 */
export function offsetReport(shown: OffsetShown): Report {
  const { connector, partition, undecoded, zone, redo, timeline } = shown;
  const parts: readonly Part[] = [
    ...(shown.items.size === 0 ? [notice("none is stored")] : []),
    ...(undecoded === undefined ? [] : [notice(undecoded, "bad")]),
    ...(shown.items.size === 0 ? [] : [itemTable(shown.items, "Field by field; times are UTC")]),
    ...(zone === undefined || isUtc(zone)
      ? []
      : [notice(`times are UTC; the database server's zone is ${clip(zone, 300)}`, "quiet")]),
    ...(redo === undefined ? [] : redoParts(redo)),
  ];
  return {
    heading: {
      title: `stored offset of ${clip(connector)}, partition ${clip(partition)}`,
      outcome: outcomeOfStored(shown),
    },
    lead: [],
    sections: [...section(RANK.subject, parts, { close: true }), ...section(RANK.figure, figure(timeline))],
    next: [],
  };
}
