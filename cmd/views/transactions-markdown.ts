import type { ListedTransaction } from "../../core/transactions/listing.ts";
import { code, EMPTY, figure, inline, type Markdown, md, remedy, tableRow } from "./markdown.ts";
import { list } from "./markdown-blocks.ts";
import { type Block, fitBlocks } from "./markdown-budget.ts";
import { grouped, showBytes } from "./quantities.ts";
import {
  ageText,
  ENDED,
  holderText,
  lookedAtAll,
  type SourceSentence,
  sourceSentences,
  type TransactionsShown,
} from "./transactions-sentences.ts";

/** `admin transactions --format markdown`: for a comment or a ticket. */
export function renderTransactionsMarkdown(shown: TransactionsShown): Markdown {
  const { transactions } = shown;
  const ended = transactions.some(({ inDatabase }) => inDatabase.still === "no")
    ? [EMPTY, inline(ENDED), EMPTY]
    : [EMPTY];
  return fitBlocks([head(shown), ...list(1, "transactions", TABLE_HEAD, transactions, row, ended)]);
}

function head(shown: TransactionsShown): Block {
  const { seen, transactions } = shown;
  const mark = lookedAtAll(shown) ? EMPTY : md`❌ `;
  return {
    rank: 0,
    what: "lines",
    head: [
      md`### ${mark}Open transactions of ${code(seen.connector, 200)}`,
      EMPTY,
      ...sourceSentences(shown).flatMap(source),
      ...(transactions.length === 0 ? [md`- No transaction was seen`] : []),
      EMPTY,
    ],
    items: [],
    whole: true,
  };
}

function source({ name, looked, sentence, remedies }: SourceSentence): readonly Markdown[] {
  const mark = looked === "failed" || looked === "in part" ? md`❌ ` : EMPTY;
  return [md`- ${mark}${code(name, 40)}: ${inline(sentence)}`, ...remedies.map((one) => md`  - ${remedy(one)}`)];
}

const TABLE_HEAD: readonly Markdown[] = [
  md`| Transaction | Held | Age | Changes | Size | First SCN | In \`GV$TRANSACTION\` | User | Client |`,
  md`| --- | --- | --- | --- | --- | --- | --- | --- | --- |`,
];

function row(one: ListedTransaction): Markdown {
  const { id, age, changes, bytes, firstScn, inDatabase, user, clientId } = one;
  return tableRow([
    code(id, 40),
    inline(holderText(one)),
    figure(ageText(age)),
    figure(grouped(changes)),
    figure(showBytes(bytes)),
    inline(`${firstScn}`),
    inline(inDatabase.still),
    inline(user ?? "", 200),
    inline(clientId ?? "", 200),
  ]);
}
