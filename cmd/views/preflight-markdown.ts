import type { Item } from "../../core/checks/check.ts";
import { LEVELS, type Level } from "../../core/doctor/preflight.ts";
import { codeSpan } from "../../core/values/escape.ts";
import { clip } from "./layout.ts";
import { code, inline, list, remedy } from "./markdown-blocks.ts";
import { type Block, fitBlocks } from "./markdown-budget.ts";
import {
  type Grouped,
  grouped,
  HEADINGS,
  outcomeSentence,
  type PreflightShown,
  subjectSentence,
} from "./preflight-sentences.ts";

const MARKS: { readonly [L in Level]: string } = { blocking: "❌", unknown: "❔", warning: "⚠️", fine: "✅" };

/** `doctor check --format markdown`: for a comment or a ticket. */
export function renderPreflightMarkdown(shown: PreflightShown): string {
  const head: Block = {
    rank: 0,
    what: "lines",
    head: [
      `### ${shown.ready ? "✅" : "❌"} ${inline(subjectSentence(shown), 600)}`,
      "",
      inline(outcomeSentence(shown)),
      "",
    ],
    items: [],
    whole: true,
  };
  const levels = LEVELS.map((level) => ({ level, groups: grouped(shown.findings, level) }));
  return fitBlocks([
    head,
    ...levels.flatMap(({ level, groups }, at) => [
      ...list(at + 1, "findings", [`**${MARKS[level]} ${HEADINGS[level]}**`, ""], groups, line),
      ...groups.flatMap(({ codes, finding: { items } }) =>
        list(LEVELS.length + at + 1, "of them", [`Of ${codes.join(", ")}:`, ""], items, itemLine),
      ),
    ]),
  ]);
}

function line({ codes, finding: { seen, remedies } }: Grouped): string {
  return [`- **${codes.join(", ")}** ${inline(seen)}`, ...remedies.map((one) => `  - ${remedy(one)}`)].join("\n");
}

function itemLine({ name, seen, sql }: Item): string {
  const parts = [code(name, 400), ...(seen === undefined ? [] : [inline(seen, 600)])];
  return `- ${parts.join(": ")}${sql === undefined ? "" : `\n  - ${codeSpan(clip(sql, 1000))}`}`;
}
