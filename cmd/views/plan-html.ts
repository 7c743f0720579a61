import type { Finding } from "../../core/checks/finding.ts";
import type { MigrationPlan } from "../../core/plan/migration-plan.ts";
import { type ConnectorPlan, isMigration, type Plan } from "../../core/plan/plan.ts";
import type { Consequence } from "./consequence.ts";
import { translationConsequences } from "./cutover-sentences.ts";
import { type Content, element, facts, type Html, list, paragraphs, table } from "./html-elements.ts";
import { renderPage, section } from "./html-page.ts";
import { clip } from "./layout.ts";
import { migrationAim, migrationConsequences } from "./migration-sentences.ts";
import { offsetRows } from "./offset-html.ts";
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
import { counted, grouped, showInstant } from "./quantities.ts";
import { wayBack } from "./snapshot-sentences.ts";
import { timelineFigure } from "./timeline-svg.ts";
import { unlistedShown } from "./unlisted-tables.ts";

/** Of each list; the JSON view has them all. */
const MOST = 1000;
const LONGEST = 3000;

/** Plans as a page that can be attached to a ticket. */
export function renderPlansHtml(plans: readonly Plan[], version: string): string {
  const [first] = plans;
  const title =
    plans.length === 1 && first !== undefined
      ? `${clip(first.intent.metadata.name, 200)}: ${outcomeWord(first)}`
      : counted(plans.length, "plan");
  return renderPage({
    title,
    subtitle: plans
      .map((one) => clip(subjectName(one), 200))
      .slice(0, 10)
      .join(", "),
    version,
    content: plans.flatMap((plan, i) => planSections(plan, `p${i + 1}`, plans.length > 1)),
  });
}

function outcomeWord({ outcome }: Plan): string {
  return { ready: "ready", blocked: "refused", "no-op": "nothing to do" }[outcome.state];
}

const TONES = { ready: "good", blocked: "bad", "no-op": "quiet" } as const;

function planSections(plan: Plan, id: string, several: boolean): readonly Html[] {
  const { blocking, other, passed } = byWeight(plan.findings);
  return [
    section(
      `${id}-plan`,
      several ? `Plan ${clip(plan.intent.metadata.name, 200)}` : "The plan",
      element("p", {}, element("span", { class: `state ${TONES[plan.outcome.state]}` }, outcomeWord(plan))),
      ...(plan.outcome.state === "no-op" ? paragraphs([`Nothing to do: ${clip(plan.outcome.why, LONGEST)}`]) : []),
      facts(summary(plan)),
    ),
    ...(blocking.length === 0 ? [] : [section(`${id}-refusals`, "Refusals", ...findingList(blocking, plan))]),
    ...(isMigration(plan) ? migrationSections(plan, id) : connectorSections(plan, id)),
    ...(other.length === 0 && passed === 0
      ? []
      : [
          section(
            `${id}-findings`,
            "Other checks",
            ...findingList(other, plan),
            ...(passed === 0 ? [] : paragraphs([`${counted(passed, "check")} passed.`])),
          ),
        ]),
    ...(plan.outcome.state !== "ready" || plan.steps.length === 0
      ? []
      : [section(`${id}-steps`, "Steps", ...list("ol", stepSentences(plan.steps)))]),
  ];
}

function summary(plan: Plan): readonly (readonly [string, Content])[] {
  const { metadata, kind } = plan.intent;
  const zone = zoneNote(plan);
  return [
    ["Kind", kind],
    ["What", subject(plan)],
    ...(metadata.ticket === undefined ? [] : [["Ticket", clip(metadata.ticket, 200)] as const]),
    ...(metadata.reason === "" ? [] : [["Reason", clip(metadata.reason, LONGEST)] as const]),
    ["Planned", `${showInstant(plan.plannedAt)}${plan.outcome.state === "ready" ? `, good for ${GOOD_FOR}` : ""}`],
    ["Decision", element("code", {}, plan.decision)],
    ...(zone === undefined ? [] : [["Times", zone] as const]),
  ];
}

function connectorSections(plan: ConnectorPlan, id: string): readonly Html[] {
  const back = wayBack(plan);
  const moved = direction(plan);
  return [
    ...(back === undefined
      ? []
      : [
          section(
            `${id}-back`,
            "Before anything is skipped",
            ...paragraphs([back.before]),
            ...list(
              "ul",
              back.commands.slice(0, MOST).map((command) => element("code", {}, command)),
            ),
            ...paragraphs(back.after === undefined ? [] : [back.after]),
          ),
        ]),
    ...positionSection(plan, id),
    section(
      `${id}-change`,
      "What it means",
      ...(moved === undefined ? [] : paragraphs([moved])),
      consequenceList(consequences(plan, MOST)),
    ),
    ...(plan.offset === undefined
      ? []
      : [
          section(`${id}-offset`, "The stored offset", offsetRows(plan.offset.rows, { before: "Now", after: "After" })),
        ]),
    ...unlistedSection(plan, id),
  ];
}

function positionSection({ timeline }: Plan, id: string): readonly Html[] {
  return timeline === undefined
    ? []
    : [section(`${id}-position`, "The position", ...timelineFigure(timeline, `${id}-svg`))];
}

function migrationSections(plan: MigrationPlan, id: string): readonly Html[] {
  const { migration } = plan;
  return [
    ...positionSection(plan, id),
    section(
      `${id}-change`,
      "What it means",
      ...paragraphs([migrationAim(plan)]),
      consequenceList([
        ...migrationConsequences(plan, MOST),
        ...(migration.phase === "cutover" ? translationConsequences(plan, migration, MOST) : []),
      ]),
    ),
  ];
}

function consequenceList(all: readonly Consequence[]): Html {
  return facts(
    all.map(({ label, sentence, details, left, tone }) => [
      label,
      [
        element("span", tone === undefined ? {} : { class: tone }, sentence),
        ...list("ul", [...details, ...(left === 0 ? [] : [`and ${grouped(BigInt(left))} more`])]),
      ],
    ]),
  );
}

const EFFECTS = { blocks: "refuses", warns: "warns", accepted: "accepted", none: "passed" } as const;

function findingList(findings: readonly Finding[], plan: Plan): readonly Html[] {
  if (findings.length === 0) return [];
  return [
    table(
      "What was found, and what can be done",
      ["Code", "Seen", "Effect"],
      findings.slice(0, MOST).map((finding) => {
        const { seen, remedies, place } = findingSentences(finding, plan);
        return [
          element("code", { class: "short" }, clip(finding.code, 40)),
          [
            element("span", {}, `${clip(seen, LONGEST)}${place === undefined ? "" : ` (${place})`}`),
            ...list(
              "ul",
              remedies.map((remedy) => element("span", { class: "remedies" }, clip(remedy, LONGEST))),
            ),
          ],
          element("span", { class: "short" }, EFFECTS[finding.effect]),
        ];
      }),
    ),
    ...(findings.length > MOST ? paragraphs([`And ${counted(findings.length - MOST, "more finding")}.`]) : []),
  ];
}

function unlistedSection(plan: ConnectorPlan, id: string): readonly Html[] {
  const shown = unlistedShown(plan, MOST);
  if (shown === undefined) return [];
  const left = shown.all - shown.rows.length;
  return [
    section(
      `${id}-unlisted`,
      "Tables that are not named",
      table(
        shown.sentence,
        ["Table", "Says", "Last DDL", "Modifications", "Row SCN"],
        shown.rows.map((row) => [row.table, row.says, row.lastDdl, row.modifications, row.rowScn ?? "not asked for"]),
      ),
      ...paragraphs([...shown.unseen, ...(left > 0 ? [`And ${counted(left, "more table")}.`] : [])]),
    ),
  ];
}
