import type { ListedTransaction } from "../../core/transactions/listing.ts";
import { escapeTerminal } from "../../core/values/escape.ts";
import { largest } from "../../core/values/extremes.ts";
import { type Paint, painter, type Tone } from "./colour.ts";
import { clip, hanging, layoutWidth, pad, remedyLines, widthOf, wrap } from "./layout.ts";
import { grouped, showBytes } from "./quantities.ts";
import { type Rendered, textOf } from "./rendered.ts";
import {
  ageText,
  ENDED,
  type SourceSentence,
  sourceSentences,
  type TransactionsShown,
  whoSentence,
} from "./transactions-sentences.ts";

const NAME = 18;
/** An id is USN.SLOT.SQN with its container; what is longer is none. */
const LONGEST_ID = 40;

/** `admin transactions`: one table of both sources, then how it went with each source. */
export function renderTransactions(
  shown: TransactionsShown,
  options: { readonly colour: boolean; readonly width?: number },
): Rendered {
  const paint = painter(options.colour);
  const width = layoutWidth(options.width);
  const { seen, transactions } = shown;
  const title = wrap(`open transactions of ${clip(seen.connector)}, oldest first`, width).map((line) =>
    paint("strong", line),
  );
  const sources = sourceSentences(shown);
  const lines = [
    ...title,
    "",
    ...(transactions.length === 0 ? [`  ${nothing(sources)}`] : table(transactions, width, paint)),
    "",
    ...sources.flatMap((one) => source(one, width, paint)),
    ...(transactions.some(({ inDatabase }) => inDatabase.still === "no") ? ["", ...wrap(ENDED, width)] : []),
  ];
  return textOf(lines);
}

/** That nothing was found is no news where nothing, or not everything, was looked at. */
function nothing(sources: readonly SourceSentence[]): string {
  return sources.every(({ looked }) => looked === "whole") ? "none" : "none was seen";
}

interface Column {
  readonly title: string;
  readonly end: boolean;
  readonly cell: (one: ListedTransaction) => string;
}

const COLUMNS: readonly Column[] = [
  { title: "transaction", end: false, cell: ({ id }) => escapeTerminal(clip(id, LONGEST_ID)) },
  { title: "age", end: true, cell: ({ age }) => ageText(age) },
  { title: "changes", end: true, cell: ({ changes }) => grouped(changes) },
  { title: "size", end: true, cell: ({ bytes }) => showBytes(bytes) },
  { title: "first SCN", end: true, cell: ({ firstScn }) => String(firstScn) },
  { title: "GV$TRANSACTION", end: false, cell: ({ inDatabase }) => inDatabase.still },
];

const TONES: { readonly [S in ListedTransaction["inDatabase"]["still"]]: Tone } = {
  yes: "good",
  no: "caution",
  unknown: "quiet",
};

function table(transactions: readonly ListedTransaction[], width: number, paint: Paint): readonly string[] {
  const widths = COLUMNS.map(({ title, cell }) =>
    largest(
      transactions.map((one) => widthOf(cell(one))),
      widthOf(title),
    ),
  );
  const row = (textOf: (column: Column) => string): string =>
    COLUMNS.map((column, at) => aligned(textOf(column), widths[at] ?? 0, column.end)).join("  ");
  const indent = 4;
  return [
    paint("quiet", `  ${row(({ title }) => title)}`.trimEnd()),
    ...transactions.flatMap((one) => {
      const [last] = COLUMNS.slice(-1);
      const line = `  ${row(({ cell }) => cell(one))}`.trimEnd();
      const answer = last?.cell(one) ?? "";
      return [
        `${line.slice(0, line.length - answer.length)}${paint(TONES[one.inDatabase.still], answer)}`,
        ...hanging(" ".repeat(indent), indent, clip(whoSentence(one), 600), width),
      ];
    }),
  ];
}

function aligned(text: string, width: number, end: boolean): string {
  return end ? " ".repeat(Math.max(0, width - widthOf(text))) + text : pad(text, width);
}

function source({ name, looked, sentence, remedies }: SourceSentence, width: number, paint: Paint): readonly string[] {
  const mark = looked === "failed" || looked === "in part" ? paint("bad", "!") : " ";
  return [
    ...hanging(`${mark} ${pad(name, NAME)}`, 2 + NAME, clip(sentence, 1000), width),
    ...remedies.flatMap((remedy) =>
      remedyLines(clip(remedy, 1000), 0, width - 2 - NAME).map((line) => `${" ".repeat(2 + NAME)}${line}`),
    ),
  ];
}
