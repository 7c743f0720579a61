import { Lexer } from "yaml";
import type { Problem } from "../errors.ts";
import { showCount } from "../values/amounts.ts";

/** Deeper than any document of cdcctl. */
export const MAX_DEPTH = 30;

/** The lexer's tokens for a document, and for a plain or a block scalar. */
const DOCUMENT_FOLLOWS = "\u0002";
const SCALAR_FOLLOWS = "\u001f";

/** Far above any real document, and far below the limit of the parser's stack. */
const MAX_INDICATORS = 100;

/**
 * Maximum number of scalars and indicators: more than any document has within the limits of its schema. The parser
 * takes a kilobyte for each, and quadratic time for some of them.
 */
const MAX_VALUES = 150_000;

/**
 * Checks the nesting, and the number of values, before the parser runs, which would take ten seconds for a million
 * brackets, and exhaust the stack with `? ? ? …`. Counts open brackets, and the levels of indentation together with the
 * indicators (`-`, `?`, `:`, anchors, tags) in one line, or one place between brackets.
 */
export function tooDeep(text: string, file: string): Problem | undefined {
  const indents: number[] = [];
  let brackets = 0;
  let indicators = 0;
  let line = 1;
  let indent: number | undefined = 0;
  let isScalar = false;
  let values = 0;
  for (const token of new Lexer().lex(text)) {
    const isContent = isScalar || (token !== DOCUMENT_FOLLOWS && !/^[\s\ufeff]*$/.test(token));
    if (isContent && indent !== undefined && brackets === 0) {
      while ((indents.at(-1) ?? -1) >= indent) indents.pop();
      indents.push(indent);
      indicators = 0;
    }
    if (isContent || token.includes("\n")) indent = undefined;
    else if (indent !== undefined) indent += token.length;
    if (!isScalar) {
      if (/^[[{]$/.test(token)) brackets += 1;
      if (/^[\]}]$/.test(token)) brackets = Math.max(0, brackets - 1);
      if (brackets > 0 && /^[[{\]},]$/.test(token)) indicators = 0;
      if (/^[-?:]$|^[&!]/.test(token)) indicators += 1;
    }
    // Every value, even an empty one, has one of these.
    if (isScalar || token === DOCUMENT_FOLLOWS || /^[[\]{},:?*&!%#'"-]/.test(token)) values += 1;
    isScalar = token === SCALAR_FOLLOWS;
    line += token.split("\n").length - 1;
    if (token.endsWith("\n")) indent = 0;
    if (brackets > MAX_DEPTH || indents.length + indicators > MAX_INDICATORS)
      return { ...TOO_DEEP, file, line, column: 1 };
    if (values > MAX_VALUES) return { ...TOO_MANY, file, line, column: 1 };
  }
  return undefined;
}

export const TOO_DEEP = {
  message: `nested more than ${MAX_DEPTH} levels deep`,
  remedy: "no document of cdcctl is that deep; start again from a template",
};

const TOO_MANY = {
  message: `more than ${showCount(MAX_VALUES)} keys, values and punctuation marks before this line`,
  remedy: "Check that it is the right file. Split a long plan file into several.",
};
