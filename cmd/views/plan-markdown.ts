import type { Finding } from "../../core/checks/finding.ts";
import { type ConnectorPlan, type DiffRow, isMigration, type Plan, type Shown } from "../../core/plan/plan.ts";
import { painter } from "./colour.ts";
import type { Consequence } from "./consequence.ts";
import { clip } from "./layout.ts";
import {
  block,
  code,
  EMPTY,
  fenced,
  inline,
  joinedBy,
  LONGEST_TEXT,
  type Markdown,
  md,
  tableHead,
  tableRow,
} from "./markdown.ts";
import { list, MOST_ITEMS, RANK } from "./markdown-blocks.ts";
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
/**
 * Plans as Markdown for a review comment. Too long a one is shortened between rows and items; outcome, refusals and
 * digest come first.
 */
export function renderPlansMarkdown(plans: readonly Plan[], options: PlansMarkdownOptions = {}): Markdown {
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
      head: [md`## ${inline(counted(unplanned.length, "document"))} could not be planned`, EMPTY],
      items: unplanned.slice(0, MOST_ITEMS).map(({ error }) => md`- ${inline(error.message)}`),
      total: unplanned.length,
      foot: [EMPTY],
    },
  ];
}

/** How many of the headings fit into `room` bytes; the first always. */
function thatFit(headings: readonly (readonly Markdown[])[], room: number): number {
  let used = 0;
  const over = headings.findIndex((lines) => {
    used += bytes(block(lines)) + 1;
    return used > room;
  });
  return over < 0 ? headings.length : Math.max(1, over);
}

function overview(plans: readonly Plan[]): Block {
  return {
    rank: RANK.outcome,
    what: "plans",
    head: [
      md`## ${inline(counted(plans.length, "plan"))}`,
      EMPTY,
      ...tableHead(["Plan", "Connector", "Outcome", "Decision"]),
    ],
    items: plans
      .slice(0, MOST_ITEMS)
      .map((plan) =>
        tableRow([
          inline(plan.intent.metadata.name, 80),
          code(subjectName(plan), 80),
          outcomeWord(plan),
          code(plan.decision),
        ]),
      ),
    total: plans.length,
    foot: [EMPTY],
  };
}

function outcomeWord({ outcome }: Plan): Markdown {
  return { ready: md`ready`, blocked: md`refused`, "no-op": md`nothing to do` }[outcome.state];
}

function planBlocks(plan: Plan): readonly Block[] {
  const head: Block = { rank: RANK.outcome, what: "plans", head: heading(plan), items: [], whole: true };
  if (plan.outcome.state === "no-op") return [head];
  const { blocking, other, passed } = byWeight(plan.findings);
  return [
    head,
    ...(isMigration(plan) ? [] : wayBackBlocks(plan)),
    ...list(RANK.refusals, "refusals", [], blocking, (finding) => findingItem(finding, plan, md`❌`)),
    ...(isMigration(plan) ? migrationBlocks(plan, consequenceBlocks, timelineBlock(plan)) : changeBlocks(plan)),
    ...list(RANK.warnings, "findings", [md`**Findings**`, EMPTY], other, (finding) =>
      findingItem(finding, plan, finding.effect === "accepted" ? md`☑️` : md`⚠️`),
    ),
    ...passedBlock(passed, other.length),
    ...(plan.outcome.state === "ready"
      ? list(
          RANK.steps,
          "steps",
          [md`**Steps**`, EMPTY],
          stepSentences(plan.steps),
          (step, i) => md`${i + 1}. ${inline(step)}`,
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
  const { open, lines: shown, close } = fenced(lines);
  return [{ rank: RANK.timeline, what: "timeline", head: [open, ...shown, close, EMPTY], items: [], whole: true }];
}

function heading(plan: Plan): readonly Markdown[] {
  const { metadata, kind } = plan.intent;
  const { outcome } = plan;
  const mark = { ready: md`✅`, blocked: md`❌`, "no-op": md`⚪` }[outcome.state];
  const { blocking } = byWeight(plan.findings);
  return [
    md`### ${mark} ${inline(metadata.name, 200)}: ${outcomeWord(plan)}`,
    EMPTY,
    joinedBy(" · ", [
      inline(kind),
      ...(metadata.ticket === undefined ? [] : [inline(metadata.ticket, 100)]),
      ...(metadata.reason === "" ? [] : [inline(metadata.reason, 500)]),
    ]),
    EMPTY,
    ...(outcome.state === "no-op" ? [md`Nothing to do: ${inline(outcome.why, 500)}`, EMPTY] : []),
    ...(outcome.state === "blocked"
      ? [md`**Refused** by ${inline(counted(blocking.length, "finding"))}: ${firstCodes(blocking)}`, EMPTY]
      : []),
    inline(subject(plan), 1500),
    EMPTY,
    md`Decision ${code(plan.decision)}, planned ${inline(showInstant(plan.plannedAt))}${outcome.state === "ready" ? md`, good for ${inline(GOOD_FOR)}` : EMPTY}`,
    EMPTY,
  ];
}

function firstCodes(findings: readonly Finding[]): Markdown {
  const codes = [...new Set(findings.map(({ code: named }) => named))];
  const first = codes.slice(0, 20).map((named) => code(named, 40));
  return joinedBy(", ", codes.length > 20 ? [...first, md`…`] : first);
}

function findingItem(finding: Finding, plan: Plan, mark: Markdown): Markdown {
  const { seen, remedies, place } = findingSentences(finding, plan);
  const where = place === undefined ? EMPTY : md` (${code(place, 300)})`;
  return block([
    md`- ${mark} **${inline(finding.code, 40)}** ${inline(seen)}${where}`,
    ...remedies.map((remedy) => md`  - ${remedyText(clip(remedy, LONGEST_TEXT))}`),
  ]);
}

/**
 * What a remedy's command begins with. It is shown as code: copied from there it is what was meant, without what breaks
 * links.
 */
const COMMAND = /^([^:]*:) {2,}((?:cdcctl |curl |RESTORE |GRANT |ALTER |PUT |DELETE |spec\.|--).*?)( {3,}\S.*)?$/;

function remedyText(remedy: string): Markdown {
  const [, label = "", command, rest = ""] = COMMAND.exec(remedy) ?? [];
  return command === undefined
    ? inline(remedy, Infinity)
    : md`${inline(label)} ${code(command, Infinity)}${rest === "" ? EMPTY : md` ${inline(rest.trimStart(), Infinity)}`}`;
}

function passedBlock(passed: number, others: number): readonly Block[] {
  if (passed === 0) return [];
  const line = md`${inline(counted(passed, `${others === 0 ? "" : "other "}check`))} passed`;
  return [{ rank: RANK.warnings, what: "lines", head: [line, EMPTY], items: [], whole: true }];
}

function offsetBlock(plan: ConnectorPlan): readonly Block[] {
  const note = zoneNote(plan);
  const zone = note === undefined ? undefined : inline(`${note[0]?.toUpperCase()}${note.slice(1)}`, 200);
  if (plan.offset === undefined) {
    // Without an offset that changes, only a gap has times to show.
    if (zone === undefined || plan.snapshot?.gap === undefined) return [];
    return [{ rank: RANK.offset, what: "lines", head: [zone, EMPTY], items: [], whole: true }];
  }
  return list(
    RANK.offset,
    "fields",
    tableHead(["Stored offset", "Now", "After"]),
    plan.offset.rows,
    offsetRow,
    zone === undefined ? [EMPTY] : [EMPTY, zone, EMPTY],
  );
}

/** A field of the offset as a table row. */
export function offsetRow({ field, before, after, change }: DiffRow): Markdown {
  const changed =
    change === "unchanged" || change === "removed" || after === undefined ? inline(change) : md`**${shown(after)}**`;
  return tableRow([inline(field, 100), before === undefined ? md`none` : shown(before), changed]);
}

function shown({ text, at }: Shown): Markdown {
  return md`${inline(text, 500)}${at === undefined ? EMPTY : md` (${inline(showInstant(at))})`}`;
}

function consequenceBlocks(moved: string | undefined, all: readonly Consequence[]): readonly Block[] {
  return [
    {
      rank: RANK.consequences,
      what: "lines",
      head: moved === undefined ? [] : [md`**${inline(moved, 500)}**`, EMPTY],
      items: all.map(({ label, sentence }) => md`- **${inline(label)}**: ${inline(sentence)}`),
      foot: [EMPTY],
    },
    ...all.flatMap(({ label, details, left }) =>
      details.length === 0
        ? []
        : list(
            RANK.details,
            DETAILS[label] ?? "lines",
            [md`**${inline(label)}**`, EMPTY],
            details,
            (line) => md`- ${inline(line, 300)}`,
            [EMPTY],
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
  const { open, lines, close } = fenced(next, "sh");
  return [
    {
      rank: RANK.outcome,
      what: "commands",
      head: [md`Next:`, EMPTY, open, ...lines, close],
      items: [],
      whole: true,
    },
  ];
}
