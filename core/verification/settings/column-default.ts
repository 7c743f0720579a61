import type { Column, ValueKind } from "../../../schemas/generated/verification-job.ts";
import type { ColumnDefault } from "../../facts/tables/layout.ts";

/**
 * Oracle's text of a default's value (null for NULL), or why it cannot be determined without evaluating it in the
 * database.
 */
type DefaultValue = { readonly value: string | null } | { readonly why: string };

const EXPRESSION = "it is an expression, not a literal";
const CONVERTED = "it is a literal that the database converts to the column's type";
const NOT_READ = "literals of the column's type are not read";

/**
 * Returns the value of a column's default if it is a literal: a number, a quoted text, `DATE` or `TIMESTAMP` with a
 * text, or NULL. Only literals that are stored as written are accepted: not those that the column rounds or that depend
 * on session settings.
 *
 * Source: SQL Language Reference, "Literals".
 */
export function defaultValue(column: Column, byDefault: ColumnDefault | undefined): DefaultValue {
  if (byDefault === undefined) return { value: null };
  if ("unread" in byDefault) return { why: byDefault.unread };
  const text = unwrapped(byDefault.text.trim());
  if (text === "" || /^null$/i.test(text)) return { value: null };
  const literal = literalOf(text);
  return literal === undefined ? { why: EXPRESSION } : READERS[column.kind](literal, column);
}

/** Removes parentheses around the whole expression. */
function unwrapped(text: string): string {
  return text.startsWith("(") && text.endsWith(")") ? unwrapped(text.slice(1, -1).trim()) : text;
}

interface Literal {
  readonly is: "number" | "text" | "date" | "timestamp";
  readonly text: string;
}

/** Closing delimiters of texts quoted with `q'`. */
const CLOSING: Readonly<Record<string, string>> = { "[": "]", "{": "}", "(": ")", "<": ">" };

function literalOf(text: string): Literal | undefined {
  const number = /^([+-]?)\s*(\d+\.?\d*|\.\d+)$/.exec(text);
  if (number !== null) return { is: "number", text: `${number[1] === "-" ? "-" : ""}${number[2]}` };
  const quoted = /^(?:n|(date|timestamp)\s*)?'((?:[^']|'')*)'$/i.exec(text);
  if (quoted !== null) {
    const is = quoted[1] === undefined ? "text" : (quoted[1].toLowerCase() as "date" | "timestamp");
    return { is, text: (quoted[2] ?? "").replaceAll("''", "'") };
  }
  const own = /^n?q'(\S)([\s\S]*)(\S)'$/i.exec(text);
  if (own === null) return undefined;
  const [, open = "", inner = "", close] = own;
  const end = CLOSING[open] ?? open;
  return close === end && !inner.includes(`${end}'`) ? { is: "text", text: inner } : undefined;
}

type Reader = (literal: Literal, column: Column) => DefaultValue;

const unread: Reader = () => ({ why: NOT_READ });

const READERS: Readonly<Record<ValueKind, Reader>> = {
  number,
  "number-as-double": number,
  "binary-float": (literal) => (literal.is === "number" ? { value: literal.text } : { why: CONVERTED }),
  "binary-double": (literal) => (literal.is === "number" ? { value: literal.text } : { why: CONVERTED }),
  datetime,
  instant: unread,
  "day-interval": unread,
  "month-interval": unread,
  raw: unread,
  blob: unread,
  "padded-text": characters,
  text: characters,
  clob: characters,
};

/** A text of digits converts to the same number in every session. */
function number({ is, text }: Literal, { scale }: Column): DefaultValue {
  if (is === "text" ? !/^-?\d+$/.test(text) : is !== "number") return { why: CONVERTED };
  const fraction = /\.(\d*?)0*$/.exec(text)?.[1] ?? "";
  const rounds =
    scale !== undefined && (fraction.length > Math.max(0, scale) || (scale < 0 && /[1-9]/.test(text.slice(scale))));
  return rounds ? { why: "it is a number that the column rounds" } : { value: text };
}

/** An integer converts to the text of its digits in every session. An empty text is NULL. */
function characters({ is, text }: Literal): DefaultValue {
  if (is === "text") return { value: text === "" ? null : text };
  return is === "number" && /^(?:0|-?[1-9]\d{0,37})$/.test(text) ? { value: text } : { why: CONVERTED };
}

function datetime({ is, text }: Literal, { precision }: Column): DefaultValue {
  const day = /^\d{4}-\d{2}-\d{2}$/.test(text);
  if (is === "date" && day) return { value: `${text}T00:00:00` };
  const fraction = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}(?:\.(\d+))?$/.exec(text);
  if (is !== "timestamp" || fraction === null) return { why: CONVERTED };
  return (fraction[1] ?? "").length > (precision ?? 6)
    ? { why: "it has more digits of a second than the column" }
    : { value: text.replace(" ", "T") };
}
