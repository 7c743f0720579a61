import type { Item } from "../../core/checks/check.ts";
import { LEVELS, type Level } from "../../core/doctor/preflight.ts";
import { block, code, EMPTY, inline, type Markdown, md, remedy } from "./markdown.ts";
import { list } from "./markdown-blocks.ts";
import { type Block, fitBlocks } from "./markdown-budget.ts";
import {
  type Grouped,
  grouped,
  HEADINGS,
  outcomeSentence,
  type PreflightShown,
  subjectSentence,
} from "./preflight-sentences.ts";

const MARKS: { readonly [L in Level]: Markdown } = {
  blocking: md`❌`,
  unknown: md`❔`,
  warning: md`⚠️`,
  fine: md`✅`,
};

/** `doctor check --format markdown`: for a comment or a ticket. */
export function renderPreflightMarkdown(shown: PreflightShown): Markdown {
  const head: Block = {
    rank: 0,
    what: "lines",
    head: [
      md`### ${shown.ready ? md`✅` : md`❌`} ${inline(subjectSentence(shown), 600)}`,
      EMPTY,
      inline(outcomeSentence(shown)),
      EMPTY,
    ],
    items: [],
    whole: true,
  };
  const levels = LEVELS.map((level) => ({ level, groups: grouped(shown.findings, level) }));
  return fitBlocks([
    head,
    ...levels.flatMap(({ level, groups }, at) => [
      ...list(at + 1, "findings", [md`**${MARKS[level]} ${inline(HEADINGS[level])}**`, EMPTY], groups, line),
      ...groups.flatMap(({ codes, finding: { items } }) =>
        list(LEVELS.length + at + 1, "of them", [md`Of ${inline(codes.join(", "))}:`, EMPTY], items, itemLine),
      ),
    ]),
  ]);
}

function line({ codes, finding: { seen, remedies } }: Grouped): Markdown {
  return block([
    md`- **${inline(codes.join(", "))}** ${inline(seen)}`,
    ...remedies.map((one) => md`  - ${remedy(one)}`),
  ]);
}

function itemLine({ name, seen, sql }: Item): Markdown {
  const what = seen === undefined ? code(name, 400) : md`${code(name, 400)}: ${inline(seen, 600)}`;
  return md`- ${what}${sql === undefined ? EMPTY : md`\n  - ${code(sql, 1000)}`}`;
}
