import {
  answerSentence,
  evidenceSentences,
  type LagFact,
  type LagShown,
  lagFacts,
  lagRemedies,
  unseenSentences,
} from "./lag-sentences.ts";
import { inline, list, remedy } from "./markdown-blocks.ts";
import { fitBlocks } from "./markdown-budget.ts";

/** `doctor explain-lag --format markdown`: for a ticket. */
export function renderLagMarkdown(shown: LagShown): string {
  const { also, ruledOut, remarks } = shown.explanation;
  const item = (text: string) => `- ${inline(text, 1000)}`;
  return fitBlocks([
    { rank: 0, what: "lines", head: [`### ${inline(answerSentence(shown), 400)}`, ""], items: [], whole: true },
    ...list(1, "evidence", [], evidenceSentences(shown), item),
    ...list(1, "remedies", ["What to do:", ""], lagRemedies(shown), (one) => `- ${remedy(one)}`),
    ...list(2, "facts", ["| Seen | |", "| --- | --- |"], lagFacts(shown), row),
    ...list(3, "causes", ["Besides:", ""], also, ({ title, evidence: why }) => item(`${title}: ${why.join("; ")}`)),
    ...list(3, "notes", ["Note:", ""], remarks, item),
    ...list(3, "questions", ["Not known:", ""], unseenSentences(shown), item),
    ...list(4, "causes", ["Ruled out:", ""], ruledOut, ({ rule, because }) => item(`${rule.title}: ${because}`)),
  ]);
}

function row({ name, lines }: LagFact): string {
  const text = lines.known
    ? lines.value.map((line) => inline(line, 1000)).join("<br>")
    : `unknown: ${inline(lines.why, 1000)}`;
  return `| ${name} | ${text} |`;
}
