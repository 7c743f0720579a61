import { Refusal } from "../../core/errors.ts";
import type { LegacyPartition } from "../../core/legacy/stored-offsets.ts";
import { escapeTerminal } from "../../core/values/escape.ts";
import type { Scn } from "../../core/values/scn.ts";
import { shellLine } from "../../core/values/shell-word.ts";
import { painter } from "./colour.ts";
import { renderError } from "./error-text.ts";
import { clip, hanging, layoutWidth, nextLines, pad, withoutEnd, wrap } from "./layout.ts";
import { code as codeOf, EMPTY, inline, type Markdown, markdownOf, md, tableHead, tableRow } from "./markdown.ts";
import { counted, isUtc, showInstant, showMillis } from "./quantities.ts";
import { redoSentences } from "./redo-sentences.ts";
import { joined, type Rendered, textOf } from "./rendered.ts";
import { columns } from "./table.ts";
import { type TakeoverReport, timeIn } from "./takeover-json.ts";

const LABEL = 18;

/**
 * A takeover for a person: refusals first, then every stored partition, the start, the overlap, the redo, and what is
 * left to do.
 */
export function renderTakeoverText(
  report: TakeoverReport,
  options: { readonly colour: boolean; readonly width?: number },
): Rendered {
  const paint = painter(options.colour);
  const width = layoutWidth(options.width);
  const { problems, warnings } = report.reading;
  const refusals = problems.map(({ code, seen, remedies }) => renderError(new Refusal(code, seen, remedies), options));
  const lines = [
    ...wrap(title(report), width).map((line) => paint("strong", line)),
    ...wrap(subject(report), width),
    "",
    ...partitionTable(report),
    "",
    ...facts(report).flatMap(({ label, text, details, good }) => [
      ...painted(hanging(`  ${pad(label, LABEL)}`, LABEL + 2, text, width), (line) =>
        good === undefined ? line : paint(good ? "good" : "bad", line),
      ),
      ...details.flatMap((detail) => hanging(" ".repeat(LABEL + 2), LABEL + 2, detail, width)),
    ]),
    "",
    ...warnings.flatMap((warning) => hanging(`  ${paint("caution", "!")} `, 4, warning, width)),
    ...(warnings.length === 0 ? [] : [""]),
    ...(report.leftToDo.length === 0
      ? []
      : [paint("strong", "what is left to do"), ...report.leftToDo.flatMap((one) => hanging("  ", 4, one, width)), ""]),
    ...nextLines(next(report)),
  ];
  return joined([...refusals, textOf(withoutEnd(lines))]);
}

/** The same as Markdown, for a ticket. */
export function renderTakeoverMarkdown(report: TakeoverReport): Markdown {
  const { problems, warnings } = report.reading;
  const listed = (heading: string, items: readonly string[]) =>
    items.length === 0
      ? []
      : [EMPTY, md`### ${inline(heading)}`, EMPTY, ...items.map((one) => md`- ${inline(one, Infinity)}`)];
  return markdownOf([
    md`## ${inline(title(report))}`,
    EMPTY,
    inline(subject(report)),
    ...listed(
      "Refused",
      problems.map(({ code, seen, remedies }) => [`${code}: ${seen}`, ...remedies].join(". ")),
    ),
    EMPTY,
    ...tableHead(HEAD),
    ...rows(report).map((row) => tableRow(row.map((cell) => inline(cell)))),
    EMPTY,
    ...tableHead(["", ""]),
    ...facts(report).map(({ label, text, details }) =>
      tableRow([inline(label), inline([text, ...details].join("; "), Infinity)]),
    ),
    ...listed("Worth a look", warnings),
    ...listed("What is left to do", report.leftToDo),
    ...next(report).flatMap((command) => [EMPTY, md`Next: ${codeOf(command)}`]),
  ]);
}

function title({ facts, target, reading }: TakeoverReport): string {
  const who = clip(target.name ?? target.file);
  return reading.problems.length === 0
    ? `${who} takes over from ${clip(facts.legacy.name)}`
    : `${who} can't take over from ${clip(facts.legacy.name)}`;
}

function subject({ facts: { legacy, worker, database } }: TakeoverReport): string {
  return (
    `${clip(legacy.name)}, ${legacy.status.state}, on ${worker.url.replace(/^\w+:\/\//, "")}, Kafka cluster ` +
    `${worker.clusterId}; database ${database.name} (dbid ${database.dbid}, resetlogs ${database.resetlogsScn}) at ` +
    `${database.address}`
  );
}

const HEAD = ["stored partition", "scn", "", "cscn", "", ""] as const;

/** Every one, the lowest SCN first. */
function rows({ facts, reading: { offsets } }: TakeoverReport): readonly (readonly string[])[] {
  const at = timeIn(facts);
  const shown = (scn: Scn | undefined) => {
    const time = at(scn);
    return time === undefined ? "" : showInstant(time);
  };
  return (offsets?.partitions ?? []).map((one) => [
    clip(one.name),
    one.scn.toString(),
    shown(one.scn),
    one.commitScn?.toString() ?? "",
    shown(one.commitScn),
    noteOn(one, offsets?.startScn),
  ]);
}

function noteOn({ leftOut, scn }: LegacyPartition, start: Scn | undefined): string {
  if (leftOut) return "left out";
  return scn === start ? "the lowest" : "";
}

function partitionTable(report: TakeoverReport): readonly string[] {
  return columns([HEAD, ...rows(report)].map((row) => row.map((cell) => escapeTerminal(cell)))).map(
    (line) => `  ${line}`,
  );
}

interface Fact {
  readonly label: string;
  readonly text: string;
  readonly details: readonly string[];
  readonly good?: boolean;
}

function facts({ facts: seen, reading: { offsets, overlap, redo, problems } }: TakeoverReport): readonly Fact[] {
  const at = timeIn(seen);
  const timed = (scn: Scn) => {
    const time = at(scn);
    return time === undefined ? scn.toString() : `${scn}, ${showInstant(time)}`;
  };
  const { database } = seen;
  const fact = (label: string, text: string, good?: boolean, details: readonly string[] = []): Fact => ({
    label,
    text,
    details,
    ...(good === undefined ? {} : { good }),
  });
  return [
    ...(offsets === undefined
      ? []
      : [fact(problems.length === 0 ? "cdc.start.scn" : "lowest scn", timed(offsets.startScn))]),
    fact(
      "last delivered",
      offsets?.lastDelivered === undefined ? "no table has a last commit" : timed(offsets.lastDelivered),
    ),
    fact(
      "overlap",
      overlap === undefined
        ? "none: no commit at or after the start was delivered"
        : `${counted(overlap.scns, "SCN")}${overlap.millis === undefined ? "" : `, ${showMillis(overlap.millis)}`}: ` +
            `commits from ${overlap.from} to ${overlap.to} reach the new topics as well`,
    ),
    fact("database", `current SCN ${timed(database.currentScn)}, RESETLOGS at ${database.resetlogsScn}`),
    ...(redo === undefined
      ? []
      : redo.known
        ? [fact("redo", redoSentences(redo.value).sentence, redo.value.complete, redoSentences(redo.value).details)]
        : [fact("redo", `can't be seen: ${redo.why}`, false)]),
    ...(isUtc(database.zone) ? [] : [fact("times", `UTC; the database server's zone is ${database.zone}`)]),
  ];
}

function painted(lines: readonly string[], tint: (line: string) => string): readonly string[] {
  return lines.map((line) => `${line.slice(0, LABEL + 2)}${tint(line.slice(LABEL + 2))}`);
}

/** How the new connector comes to be, once its configuration is there. */
function next({ facts: { worker }, reading, target, written }: TakeoverReport): readonly string[] {
  if (reading.problems.length > 0 || written === undefined) return [];
  const json = ["-H", "Content-Type: application/json", "--data", `@${written}`];
  return target.name === undefined
    ? [shellLine("curl", "-X", "PUT", ...json, `${worker.url}/connectors/NAME/config`)]
    : [shellLine("curl", "-X", "POST", ...json, `${worker.url}/connectors`)];
}
