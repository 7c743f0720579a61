import type { ListedTransaction } from "../../core/transactions/listing.ts";
import { code, inline, list } from "./markdown-blocks.ts";
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
export function renderTransactionsMarkdown(shown: TransactionsShown): string {
  const { transactions } = shown;
  const ended = transactions.some(({ inDatabase }) => inDatabase.still === "no") ? ["", ENDED, ""] : [""];
  return fitBlocks([head(shown), ...list(1, "transactions", TABLE_HEAD, transactions, row, ended)]);
}

function head(shown: TransactionsShown): Block {
  const { seen, transactions } = shown;
  const mark = lookedAtAll(shown) ? "" : "❌ ";
  return {
    rank: 0,
    what: "lines",
    head: [
      `### ${mark}Open transactions of ${code(seen.connector, 200)}`,
      "",
      ...sourceSentences(shown).flatMap(source),
      ...(transactions.length === 0 ? ["- No transaction was seen"] : []),
      "",
    ],
    items: [],
    whole: true,
  };
}

function source({ name, looked, sentence, remedies }: SourceSentence): readonly string[] {
  const mark = looked === "failed" || looked === "in part" ? "❌ " : "";
  return [
    `- ${mark}${code(name, 40)}: ${inline(sentence)}`,
    ...remedies.map((remedy) => {
      const [, label, command] = /^(.*:) {2,}(\S.*)$/.exec(remedy) ?? [];
      return `  - ${label === undefined || command === undefined ? inline(remedy) : `${inline(label)} ${code(command, 1000)}`}`;
    }),
  ];
}

const TABLE_HEAD = [
  "| Transaction | Held | Age | Changes | Size | First SCN | In `GV$TRANSACTION` | User | Client |",
  "| --- | --- | --- | --- | --- | --- | --- | --- | --- |",
];

function row(one: ListedTransaction): string {
  const { id, age, changes, bytes, firstScn, inDatabase, user, clientId } = one;
  return `| ${[
    code(id, 40),
    inline(holderText(one)),
    ageText(age),
    grouped(changes),
    showBytes(bytes),
    firstScn,
    inDatabase.still,
    inline(user ?? "", 200),
    inline(clientId ?? "", 200),
  ].join(" | ")} |`;
}
