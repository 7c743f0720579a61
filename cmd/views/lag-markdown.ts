import {
  answerSentence,
  evidenceSentences,
  type LagFact,
  type LagShown,
  lagFacts,
  lagRemedies,
  unseenSentences,
} from "./lag-sentences.ts";
import { EMPTY, inline, joinedBy, type Markdown, md, remedy, tableHead, tableRow } from "./markdown.ts";
import { list } from "./markdown-blocks.ts";
import { fitBlocks } from "./markdown-budget.ts";

/** `doctor explain-lag --format markdown`: for a ticket. */
export function renderLagMarkdown(shown: LagShown): Markdown {
  const { also, ruledOut, remarks } = shown.explanation;
  const item = (text: string) => md`- ${inline(text, 1000)}`;
  return fitBlocks([
    { rank: 0, what: "lines", head: [md`### ${inline(answerSentence(shown), 400)}`, EMPTY], items: [], whole: true },
    ...list(1, "evidence", [], evidenceSentences(shown), item),
    ...list(1, "remedies", [md`What to do:`, EMPTY], lagRemedies(shown), (one) => md`- ${remedy(one)}`),
    ...list(2, "facts", tableHead(["Seen", ""]), lagFacts(shown), row),
    ...list(3, "causes", [md`Besides:`, EMPTY], also, ({ title, evidence: why }) =>
      item(`${title}: ${why.join("; ")}`),
    ),
    ...list(3, "notes", [md`Note:`, EMPTY], remarks, item),
    ...list(3, "questions", [md`Not known:`, EMPTY], unseenSentences(shown), item),
    ...list(4, "causes", [md`Ruled out:`, EMPTY], ruledOut, ({ rule, because }) => item(`${rule.title}: ${because}`)),
  ]);
}

function row({ name, lines }: LagFact): Markdown {
  const text = lines.known
    ? joinedBy(
        "<br>",
        lines.value.map((line) => inline(line, 1000)),
      )
    : md`unknown: ${inline(lines.why, 1000)}`;
  return tableRow([inline(name), text]);
}
