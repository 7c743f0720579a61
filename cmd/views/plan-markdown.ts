import type { Finding } from "../../core/checks/finding.ts";
import { type ConnectorPlan, type DiffRow, isMigration, type Plan, type Shown } from "../../core/plan/plan.ts";
import { codeSpan, escapeMarkdown, escapeTerminal } from "../../core/values/escape.ts";
import { painter } from "./colour.ts";
import type { Consequence } from "./consequence.ts";
import { clip } from "./layout.ts";
import { code, fenceFor, inline, LONGEST_TEXT, list, MOST_ITEMS, RANK } from "./markdown-blocks.ts";
import { type Block, bytes, fitBlocks, LONGEST_COMMENT } from "./markdown-budget.ts";
import { migrationBlocks } from "./migration-markdown.ts";
import type { UnplannedShown } from "./plan-json.ts";
import {
  byWeight,
  consequences,
  direction,
  findingSentences,
  GOOD_FOR,
  stepSentences,
  subject,
  subjectName,
  zoneNote,
} from "./plan-sentences.ts";
import { counted, showInstant } from "./quantities.ts";
import { unlistedBlock, wayBackBlocks } from "./snapshot-markdown.ts";
import { timelineLines } from "./timeline-text.ts";

export interface PlansMarkdownOptions {
  /** Commands to run next. */
  readonly next?: readonly string[];
  /** Documents that could not be planned. */
  readonly unplanned?: readonly UnplannedShown[];
  /** UTF-8 bytes; what a comment on GitHub holds unless told otherwise. */
  readonly limit?: number;
}

/** What a comment shows of a code block without scrolling. Columns. */
const PICTURE_WIDTH = 96;
/** Room for the plans' headings; plans beyond are in the overview only. Bytes. */
const HEADINGS = 20_000;
/** Plans as Markdown for a review comment. Too long a one is shortened between rows and items; outcome, refusals and digest come first. */
export function renderPlansMarkdown(plans: readonly Plan[], options: PlansMarkdownOptions = {}): string {
  const detailed = thatFit(plans.map(heading), HEADINGS);
  return fitBlocks(
    [
      ...unplannedBlock(options.unplanned ?? []),
      ...(plans.length > 1 ? [overview(plans)] : []),
      ...plans.slice(0, detailed).flatMap(planBlocks),
      ...nextBlock(options.next ?? []),
    ],
    options.limit ?? LONGEST_COMMENT,
  );
}

function unplannedBlock(unplanned: readonly UnplannedShown[]): readonly Block[] {
  if (unplanned.length === 0) return [];
  return [
    {
      rank: RANK.outcome,
      what: "documents",
      head: [`## ${counted(unplanned.length, "document")} could not be planned`, ""],
      items: unplanned.slice(0, MOST_ITEMS).map(({ error }) => `- ${inline(error.message, LONGEST_TEXT)}`),
      total: unplanned.length,
      foot: [""],
    },
  ];
}

/** How many of the headings fit into `room` bytes; the first always. */
function thatFit(headings: readonly (readonly string[])[], room: number): number {
  let used = 0;
  const over = headings.findIndex((lines) => {
    used += bytes(lines.join("\n")) + 1;
    return used > room;
  });
  return over < 0 ? headings.length : Math.max(1, over);
}

function overview(plans: readonly Plan[]): Block {
  return {
    rank: RANK.outcome,
    what: "plans",
    head: [
      `## ${counted(plans.length, "plan")}`,
      "",
      "| Plan | Connector | Outcome | Decision |",
      "| --- | --- | --- | --- |",
    ],
    items: plans
      .slice(0, MOST_ITEMS)
      .map(
        (plan) =>
          `| ${inline(plan.intent.metadata.name, 80)} | ${code(subjectName(plan), 80)} | ${outcomeWord(plan)} | ${codeSpan(plan.decision)} |`,
      ),
    total: plans.length,
    foot: [""],
  };
}

function outcomeWord({ outcome }: Plan): string {
  return { ready: "ready", blocked: "refused", "no-op": "nothing to do" }[outcome.state];
}

function planBlocks(plan: Plan): readonly Block[] {
  const head: Block = { rank: RANK.outcome, what: "plans", head: heading(plan), items: [], whole: true };
  if (plan.outcome.state === "no-op") return [head];
  const { blocking, other, passed } = byWeight(plan.findings);
  return [
    head,
    ...(isMigration(plan) ? [] : wayBackBlocks(plan)),
    ...list(RANK.refusals, "refusals", [], blocking, (finding) => findingItem(finding, plan, "❌")),
    ...(isMigration(plan) ? migrationBlocks(plan, consequenceBlocks, timelineBlock(plan)) : changeBlocks(plan)),
    ...list(RANK.warnings, "findings", ["**Findings**", ""], other, (finding) =>
      findingItem(finding, plan, finding.effect === "accepted" ? "☑️" : "⚠️"),
    ),
    ...passedBlock(passed, other.length),
    ...(plan.outcome.state === "ready"
      ? list(
          RANK.steps,
          "steps",
          ["**Steps**", ""],
          stepSentences(plan.steps),
          (step, i) => `${i + 1}. ${inline(step)}`,
        )
      : []),
    ...(isMigration(plan) ? [] : unlistedBlock(plan)),
  ];
}

function changeBlocks(plan: ConnectorPlan): readonly Block[] {
  const moved = consequenceBlocks(direction(plan), consequences(plan, MOST_ITEMS));
  // Of a resnapshot the tables are what matters, and what is lost.
  const picture = timelineBlock(plan);
  return plan.snapshot === undefined
    ? [...offsetBlock(plan), ...moved, ...picture]
    : [...moved, ...offsetBlock(plan), ...picture];
}

/** As in a terminal: a picture in characters stays one in a code block. */
function timelineBlock({ timeline }: Plan): readonly Block[] {
  if (timeline === undefined) return [];
  const lines = timelineLines(timeline, PICTURE_WIDTH, painter(false));
  const fence = fenceFor(lines);
  return [{ rank: RANK.timeline, what: "timeline", head: [fence, ...lines, fence, ""], items: [], whole: true }];
}

function heading(plan: Plan): readonly string[] {
  const { metadata, kind } = plan.intent;
  const { outcome } = plan;
  const mark = { ready: "✅", blocked: "❌", "no-op": "⚪" }[outcome.state];
  const { blocking } = byWeight(plan.findings);
  return [
    `### ${mark} ${inline(metadata.name, 200)}: ${outcomeWord(plan)}`,
    "",
    [
      kind,
      ...(metadata.ticket === undefined ? [] : [inline(metadata.ticket, 100)]),
      ...(metadata.reason === "" ? [] : [inline(metadata.reason, 500)]),
    ].join(" · "),
    "",
    ...(outcome.state === "no-op" ? [`Nothing to do: ${inline(outcome.why, 500)}`, ""] : []),
    ...(outcome.state === "blocked"
      ? [`**Refused** by ${counted(blocking.length, "finding")}: ${firstCodes(blocking)}`, ""]
      : []),
    inline(subject(plan), 1500),
    "",
    `Decision ${codeSpan(plan.decision)}, planned ${showInstant(plan.plannedAt)}${outcome.state === "ready" ? `, good for ${GOOD_FOR}` : ""}`,
    "",
  ];
}

function firstCodes(findings: readonly Finding[]): string {
  const codes = [...new Set(findings.map(({ code: named }) => named))];
  return `${codes
    .slice(0, 20)
    .map((named) => code(named, 40))
    .join(", ")}${codes.length > 20 ? ", …" : ""}`;
}

function findingItem(finding: Finding, plan: Plan, mark: string): string {
  const { seen, remedies, place } = findingSentences(finding, plan);
  const where = place === undefined ? "" : ` (${code(place, 300)})`;
  return [
    `- ${mark} **${inline(finding.code, 40)}** ${inline(seen)}${where}`,
    ...remedies
      .flatMap((remedy) => remedy.split("\n"))
      .map((remedy) => `  - ${remedyText(clip(remedy, LONGEST_TEXT))}`),
  ].join("\n");
}

/** What a remedy's command begins with. It is shown as code: copied from there it is what was meant, without what breaks links. */
const COMMAND = /^([^:]*:) {2,}((?:cdcctl |curl |RESTORE |GRANT |ALTER |PUT |DELETE |spec\.|--).*?)( {3,}\S.*)?$/;

function remedyText(remedy: string): string {
  const [, label = "", command, rest = ""] = COMMAND.exec(remedy) ?? [];
  return command === undefined
    ? escapeMarkdown(remedy)
    : `${escapeMarkdown(label)} ${codeSpan(command)}${escapeMarkdown(rest).replace(/^(?:&#32;| )+/, " ")}`;
}

function passedBlock(passed: number, others: number): readonly Block[] {
  if (passed === 0) return [];
  const line = `${counted(passed, `${others === 0 ? "" : "other "}check`)} passed`;
  return [{ rank: RANK.warnings, what: "lines", head: [line, ""], items: [], whole: true }];
}

function offsetBlock(plan: ConnectorPlan): readonly Block[] {
  const note = zoneNote(plan);
  const zone = note === undefined ? undefined : inline(`${note[0]?.toUpperCase()}${note.slice(1)}`, 200);
  if (plan.offset === undefined) {
    // Without an offset that changes, only a gap has times to show.
    if (zone === undefined || plan.snapshot?.gap === undefined) return [];
    return [{ rank: RANK.offset, what: "lines", head: [zone, ""], items: [], whole: true }];
  }
  return list(
    RANK.offset,
    "fields",
    ["| Stored offset | Now | After |", "| --- | --- | --- |"],
    plan.offset.rows,
    offsetRow,
    zone === undefined ? [""] : ["", zone, ""],
  );
}

/** A field of the offset as a table row. */
export function offsetRow({ field, before, after, change }: DiffRow): string {
  const changed =
    change === "unchanged" || change === "removed" || after === undefined ? change : `**${shown(after)}**`;
  return `| ${inline(field, 100)} | ${before === undefined ? "none" : shown(before)} | ${changed} |`;
}

function shown({ text, at }: Shown): string {
  return `${inline(text, 500)}${at === undefined ? "" : ` (${showInstant(at)})`}`;
}

function consequenceBlocks(moved: string | undefined, all: readonly Consequence[]): readonly Block[] {
  return [
    {
      rank: RANK.consequences,
      what: "lines",
      head: moved === undefined ? [] : [`**${inline(moved, 500)}**`, ""],
      items: all.map(({ label, sentence }) => `- **${label}**: ${inline(sentence)}`),
      foot: [""],
    },
    ...all.flatMap(({ label, details, left }) =>
      details.length === 0
        ? []
        : list(
            RANK.details,
            DETAILS[label] ?? "lines",
            [`**${label}**`, ""],
            details,
            (line) => `- ${inline(line, 300)}`,
            [""],
            left,
          ),
    ),
  ];
}

const DETAILS: Readonly<Record<string, string>> = {
  torn: "transactions",
  redo: "faults",
  gap: "faults",
  snapshot: "tables",
  preflight: "settings",
};

function nextBlock(next: readonly string[]): readonly Block[] {
  if (next.length === 0) return [];
  const commands = next.map((command) => escapeTerminal(command));
  const fence = fenceFor(commands);
  return [
    {
      rank: RANK.outcome,
      what: "commands",
      head: ["Next:", "", `${fence}sh`, ...commands, fence],
      items: [],
      whole: true,
    },
  ];
}
