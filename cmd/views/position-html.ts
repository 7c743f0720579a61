import { laterVersion, type StoredReading } from "../../core/facts/offset/stored-offset.ts";
import { restoreCommands } from "../../core/facts/redo/redo.ts";
import type { PositionSeen } from "../../core/kinds/connector/look-at-position.ts";
import { shownItems } from "../../core/plan/diff.ts";
import { canonicalJson, type JsonObject } from "../../core/values/json.ts";
import { remediesOf } from "../../core/values/remedies.ts";
import { standingOf } from "./connector-standing.ts";
import { type Content, element, facts, type Html, list, paragraphs, table } from "./html-elements.ts";
import { renderPage, section } from "./html-page.ts";
import { clip } from "./layout.ts";
import { shownValue } from "./offset-html.ts";
import { isUtc, showInstant } from "./quantities.ts";
import { redoSentences } from "./redo-sentences.ts";
import { timelineFigure } from "./timeline-svg.ts";

/** Where a connector stands, as a page. */
export function renderPositionHtml(seen: PositionSeen, version: string): string {
  const { connector, at } = seen;
  return renderPage({
    title: `${clip(connector.name, 200)}: where it stands`,
    subtitle: `As seen ${showInstant(at)}`,
    version,
    content: [
      section("position", "The position", ...timelineFigure(seen.timeline, "svg")),
      ...(seen.redo === undefined ? [] : [section("redo", "The redo", ...redo(seen.redo))]),
      section("offset", "The stored offset", ...stored(seen)),
      section("connector", "The connector", facts(connectorFacts(seen))),
      section("database", "The database", facts(databaseFacts(seen))),
    ],
  });
}

function redo(seen: NonNullable<PositionSeen["redo"]>): readonly Html[] {
  if (!seen.known)
    return paragraphs([`Unknown: ${clip(seen.why, 3000)}`, ...remediesOf(seen.remedy).map((one) => clip(one, 3000))]);
  const { sentence, details } = redoSentences(seen.value);
  const commands = restoreCommands(seen.value.faults);
  return [
    element("p", { class: seen.value.complete ? "good" : "bad" }, sentence),
    ...list("ul", details.slice(0, 1000)),
    ...(commands.length === 0
      ? []
      : [
          element("p", {}, "To bring the logs back (RMAN):"),
          ...list(
            "ul",
            commands.slice(0, 1000).map((command) => element("code", {}, command)),
          ),
        ]),
  ];
}

function stored({ stored: reading, connector, times }: PositionSeen): readonly Html[] {
  if (reading.state !== "stored") return paragraphs([notStored(reading)]);
  const items = shownItems(reading.entry.offset, times.known ? times.value : []);
  return [
    table(
      `Of ${clip(connector.name, 200)}, partition ${clip(canonicalJson(reading.entry.partition), 300)}; times are UTC`,
      ["Field", "Value"],
      [...items].map(([field, shown]) => [clip(field, 100), shownValue(shown)]),
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

function connectorFacts({ connector, worker }: PositionSeen): readonly (readonly [string, Content])[] {
  return [
    ["Name", clip(connector.name, 300)],
    ["State", standingOf(connector.status)],
    ["Class", clip(connector.connectorClass ?? "not set", 300)],
    ["Workers", `${clip(worker.url, 300)}, Kafka Connect ${clip(worker.version, 60)}`],
    ["Kafka cluster", clip(worker.clusterId, 100)],
    ["Topic prefix", clip(connector.prefix, 300)],
    [
      "Capture",
      connector.captureMode === "online" ? "online: archived and online redo" : "archive_only: archived redo only",
    ],
    ["Configuration", `as ${clip(connector.configOrigin, 300)} has it`],
  ];
}

function databaseFacts({ database }: PositionSeen): readonly (readonly [string, Content])[] {
  return [
    ["Name", `${clip(database.name, 200)}, connected to ${clip(database.connectedTo, 200)}`],
    ["Address", clip(database.address, 300)],
    ["Version", clip(database.version, 100)],
    ["Role", `${clip(database.role, 60)}, ${clip(database.openMode, 60)}, ${clip(database.logMode, 60)}`],
    ["Identity", `dbid ${database.dbid}, resetlogs ${database.resetlogsScn}`],
    ["Current SCN", `${database.currentScn}`],
    ...(isUtc(database.zone)
      ? []
      : [["Times", `here in UTC; the server's zone is ${clip(database.zone, 60)}`] as const]),
  ];
}
