import { DOUBT_TEXT, FAILURE_TEXT } from "../../core/verification/evidence/table-outcome.ts";
import type { Evidence, Failure, TableEvidence } from "../../schemas/generated/evidence.ts";
import { differences, factsOf, keyText, OUTCOMES, recordText, subject } from "./evidence-sentences.ts";
import { clip } from "./layout.ts";
import { code, EMPTY, inline, type Markdown, markdownOf, md, tableHead, tableRow } from "./markdown.ts";

/** Keys of each table; a review comment takes 65,535 characters, and the evidence file has more of them. */
const KEYS_SHOWN = 20;
/** Then tables that passed are one line each. */
const MANY_TABLES = 10;

/** The same as Markdown, for a ticket. */
export function renderEvidenceMarkdown(evidence: Evidence): Markdown {
  const connector = typeof evidence.inputs["connector"] === "string" ? evidence.inputs["connector"] : "";
  const many = evidence.tables.length > MANY_TABLES;
  return markdownOf([
    md`## ${inline(clip(connector))}: cutover verification ${inline(OUTCOMES[evidence.outcome])}`,
    EMPTY,
    inline(subject(evidence), Infinity),
    EMPTY,
    md`| Table | Outcome | Rows | Compared | Only by the legacy connector |`,
    md`| --- | --- | ---: | ---: | ---: |`,
    ...evidence.tables.map(({ table, outcome, rows, keys }) =>
      tableRow([
        inline(table, Infinity),
        inline(OUTCOMES[outcome]),
        md`${rows.count}`,
        md`${keys.compared}`,
        md`${keys.byLegacy}`,
      ]),
    ),
    ...evidence.tables.filter(({ outcome }) => !many || outcome !== "pass").flatMap(tableLines),
    EMPTY,
    md`Evidence ${code(evidence.digest)}, findings ${code(evidence.findings)}`,
  ]);
}

function tableLines(table: TableEvidence): readonly Markdown[] {
  const { firstFailures, firstDoubts } = table;
  const found = [
    ...firstFailures.map((one) => ({ one, text: FAILURE_TEXT[one.reason] })),
    ...firstDoubts.map((one) => ({ one, text: DOUBT_TEXT[one.reason] })),
  ];
  return [
    EMPTY,
    md`### ${inline(table.table, Infinity)}: ${inline(OUTCOMES[table.outcome])}`,
    EMPTY,
    ...table.reasons.map((reason) => md`- **${inline(reason, Infinity)}**`),
    ...factsOf(table).map(([label, text]) => md`- ${inline(label)}: ${inline(text, 1000)}`),
    ...(found.length === 0
      ? []
      : [
          EMPTY,
          ...tableHead(["Key", "What is wrong", "Columns", "Record"]),
          ...found
            .slice(0, KEYS_SHOWN)
            .map(({ one, text }) =>
              tableRow([
                inline(keyText(one), 300),
                inline(text),
                inline(
                  [one.columns.join(", "), ...differences(one as Failure).map((value) => clip(value))].join("; "),
                  Infinity,
                ),
                inline(recordText(one), Infinity),
              ]),
            ),
        ]),
    ...(found.length > KEYS_SHOWN ? [EMPTY, md`And ${found.length - KEYS_SHOWN} more in the evidence.`] : []),
  ];
}
