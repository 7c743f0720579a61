import type { JudgedTransaction } from "../../core/journal/report.ts";
import { printXid } from "../../core/values/xid.ts";
import {
  FORMS,
  holdingOf,
  type JournalShown,
  journalRemedies,
  offsetSentence,
  recordsSentence,
  STOPS,
  taskSays,
  verdictSentence,
} from "./journal-sentences.ts";
import { code, inline, list, remedy } from "./markdown-blocks.ts";
import { type Block, fitBlocks } from "./markdown-budget.ts";
import { grouped } from "./quantities.ts";

/** `admin journal inspect --format markdown`: for a comment or a ticket. */
export function renderJournalMarkdown(shown: JournalShown): string {
  const { reading, topic } = shown;
  return fitBlocks([
    head(shown),
    ...list(1, "problems", [inline(STOPS), ""], reading.problems, (one) => `- ${inline(taskSays(one, topic), 1000)}`),
    ...list(2, "remedies", ["What can be done:", ""], journalRemedies(shown), (one) => `- ${remedy(one)}`),
    ...list(3, "transactions", TABLE_HEAD, reading.transactions, row),
  ]);
}

function head(shown: JournalShown): Block {
  const { connector, topic, cleanupPolicy, reading, form } = shown;
  const mark = reading.problems.length === 0 ? "✅" : "❌";
  const lines =
    cleanupPolicy === undefined
      ? ["There is no such topic: nothing is journaled."]
      : [
          `- ${inline(recordsSentence(reading))}`,
          `- Stored offset: ${inline(offsetSentence(shown))}`,
          `- Read as ${FORMS[form]}`,
          ...(reading.transactions.length === 0 ? ["- No transaction is journaled"] : []),
        ];
  return {
    rank: 0,
    what: "lines",
    head: [`### ${mark} Transaction journal of ${code(connector, 200)}: ${code(topic, 300)}`, "", ...lines, ""],
    items: [],
    whole: true,
  };
}

const TABLE_HEAD = [
  "| Transaction | At the next start | Chunks | Generations | Changes | Undo records | SCN range | User | Client |",
  "| --- | --- | --- | --- | --- | --- | --- | --- | --- |",
];

function row(transaction: JudgedTransaction): string {
  const { chunks, generations, changes, undos, firstScn, lastScn, user, clientId } = holdingOf(transaction);
  return `| ${[
    printXid(transaction.xid),
    inline(verdictSentence(transaction)),
    chunks,
    generations.join(", "),
    grouped(changes),
    grouped(undos),
    `${firstScn} to ${lastScn}`,
    inline(user ?? "", 200),
    inline(clientId ?? "", 200),
  ].join(" | ")} |`;
}
