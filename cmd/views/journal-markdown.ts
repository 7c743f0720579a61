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
import { code, EMPTY, figure, inline, type Markdown, md, remedy, tableHead, tableRow } from "./markdown.ts";
import { list } from "./markdown-blocks.ts";
import { type Block, fitBlocks } from "./markdown-budget.ts";
import { grouped } from "./quantities.ts";

/** `admin journal inspect --format markdown`: for a comment or a ticket. */
export function renderJournalMarkdown(shown: JournalShown): Markdown {
  const { reading, topic } = shown;
  return fitBlocks([
    head(shown),
    ...list(
      1,
      "problems",
      [inline(STOPS), EMPTY],
      reading.problems,
      (one) => md`- ${inline(taskSays(one, topic), 1000)}`,
    ),
    ...list(2, "remedies", [md`What can be done:`, EMPTY], journalRemedies(shown), (one) => md`- ${remedy(one)}`),
    ...list(3, "transactions", TABLE_HEAD, reading.transactions, row),
  ]);
}

function head(shown: JournalShown): Block {
  const { connector, topic, cleanupPolicy, reading, form } = shown;
  const mark = reading.problems.length === 0 ? md`✅` : md`❌`;
  const lines =
    cleanupPolicy === undefined
      ? [md`There is no such topic: nothing is journaled.`]
      : [
          md`- ${inline(recordsSentence(reading))}`,
          md`- Stored offset: ${inline(offsetSentence(shown))}`,
          md`- Read as ${inline(FORMS[form])}`,
          ...(reading.transactions.length === 0 ? [md`- No transaction is journaled`] : []),
        ];
  return {
    rank: 0,
    what: "lines",
    head: [md`### ${mark} Transaction journal of ${code(connector, 200)}: ${code(topic, 300)}`, EMPTY, ...lines, EMPTY],
    items: [],
    whole: true,
  };
}

const TABLE_HEAD = tableHead([
  "Transaction",
  "At the next start",
  "Chunks",
  "Generations",
  "Changes",
  "Undo records",
  "SCN range",
  "User",
  "Client",
]);

function row(transaction: JudgedTransaction): Markdown {
  const { chunks, generations, changes, undos, firstScn, lastScn, user, clientId } = holdingOf(transaction);
  return tableRow([
    inline(printXid(transaction.xid)),
    inline(verdictSentence(transaction)),
    inline(`${chunks}`),
    inline(generations.join(", ")),
    figure(grouped(changes)),
    figure(grouped(undos)),
    md`${firstScn} to ${lastScn}`,
    inline(user ?? "", 200),
    inline(clientId ?? "", 200),
  ]);
}
