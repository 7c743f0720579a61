import { codeSpan, escapeMarkdown } from "../../core/values/escape.ts";
import { DOUBT_TEXT, FAILURE_TEXT } from "../../core/verification/evidence/table-outcome.ts";
import type { Evidence, Failure, TableEvidence } from "../../schemas/generated/evidence.ts";
import { differences, factsOf, keyText, OUTCOMES, recordText, subject } from "./evidence-sentences.ts";
import { clip } from "./layout.ts";

/** Keys of each table; a review comment takes 65,535 characters, and the evidence file has more of them. */
const KEYS_SHOWN = 20;
/** Then tables that passed are one line each. */
const MANY_TABLES = 10;

/** The same as Markdown, for a ticket. */
export function renderEvidenceMarkdown(evidence: Evidence): string {
  const connector = typeof evidence.inputs["connector"] === "string" ? evidence.inputs["connector"] : "";
  const many = evidence.tables.length > MANY_TABLES;
  return `${[
    `## ${escapeMarkdown(clip(connector))}: cutover verification ${OUTCOMES[evidence.outcome]}`,
    "",
    escapeMarkdown(subject(evidence)),
    "",
    "| Table | Outcome | Rows | Compared | Only by the legacy connector |",
    "| --- | --- | ---: | ---: | ---: |",
    ...evidence.tables.map(
      ({ table, outcome, rows, keys }) =>
        `| ${escapeMarkdown(table)} | ${OUTCOMES[outcome]} | ${rows.count} | ${keys.compared} | ${keys.byLegacy} |`,
    ),
    ...evidence.tables.filter(({ outcome }) => !many || outcome !== "pass").flatMap(tableLines),
    "",
    `Evidence ${codeSpan(evidence.digest)}, findings ${codeSpan(evidence.findings)}`,
  ].join("\n")}\n`;
}

function tableLines(table: TableEvidence): readonly string[] {
  const { firstFailures, firstDoubts } = table;
  const found = [
    ...firstFailures.map((one) => ({ one, text: FAILURE_TEXT[one.reason] })),
    ...firstDoubts.map((one) => ({ one, text: DOUBT_TEXT[one.reason] })),
  ];
  return [
    "",
    `### ${escapeMarkdown(table.table)}: ${OUTCOMES[table.outcome]}`,
    "",
    ...table.reasons.map((reason) => `- **${escapeMarkdown(reason)}**`),
    ...factsOf(table).map(([label, text]) => `- ${label}: ${escapeMarkdown(clip(text, 1000))}`),
    ...(found.length === 0
      ? []
      : [
          "",
          "| Key | What is wrong | Columns | Record |",
          "| --- | --- | --- | --- |",
          ...found
            .slice(0, KEYS_SHOWN)
            .map(
              ({ one, text }) =>
                `| ${escapeMarkdown(clip(keyText(one)))} | ${escapeMarkdown(text)} | ${escapeMarkdown([one.columns.join(", "), ...differences(one as Failure).map((value) => clip(value))].join("; "))} | ${escapeMarkdown(recordText(one))} |`,
            ),
        ]),
    ...(found.length > KEYS_SHOWN ? ["", `And ${found.length - KEYS_SHOWN} more in the evidence.`] : []),
  ];
}
