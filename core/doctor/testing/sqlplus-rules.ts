/**
 * How SQL*Plus processes a script before the database receives it, as rules over its lines. An SQL grammar does not
 * cover this. Every rule names its page of Oracle's "SQL*Plus User's Guide and Reference".
 */

/** The context of a line: at the prompt, within a SQL statement, or within a PL/SQL block. */
type Place = "prompt" | "statement" | "block";

interface Line {
  readonly text: string;
  /** The same without quoted text. */
  readonly bare: string;
  readonly place: Place;
  /** Preceding lines of the same statement or block. */
  readonly nth: number;
  /** `SET DEFINE OFF` is in effect. */
  readonly literal: boolean;
  /** `WHENEVER SQLERROR EXIT` is in effect. */
  readonly stops: boolean;
}

export interface SqlPlusRule {
  readonly rule: string;
  /** Its chapter or command. */
  readonly source: string;
  breaks(line: Line): boolean;
}

/** By SP2-0027; newer releases accept 5,000 characters. */
const LONGEST_LINE = 2499;
const MOST_LINES = 500;

const COMMENT = /^\s*(?:--|REM(?:ARK)?\b)/i;
const COMMANDS = /^(?:$|-- |(?:SET|WHENEVER) |PROMPT(?: |$)|(?:GRANT|ALTER) |(?:BEGIN|DECLARE)$)/;

export const SQLPLUS_RULES: readonly SqlPlusRule[] = [
  {
    rule: "a line is not too long",
    source: "SQL*Plus Limits: command-line length",
    breaks: ({ text }) => new TextEncoder().encode(text).length > LONGEST_LINE,
  },
  {
    rule: "a statement has not too many lines",
    source: "SQL*Plus Limits: number of lines per SQL command",
    breaks: ({ nth }) => nth === MOST_LINES,
  },
  {
    rule: "an ampersand stands only where variables are off",
    source: "SET DEFINE; Placing Comments in Scripts",
    breaks: ({ text, literal }) => text.includes("&") && !literal,
  },
  {
    rule: "no line ends with a hyphen, which joins the next one to it",
    source: "Continuing a Long SQL*Plus Command on Additional Lines",
    breaks: ({ text }) => /-\s*$/.test(text),
  },
  {
    rule: "no line begins with a command that SQL*Plus runs anywhere",
    source: "@ (at sign); SET SQLPREFIX (#); HOST ($, !)",
    breaks: ({ text }) => /^\s*[@#$!]/.test(text),
  },
  {
    rule: "at the prompt, every line is a command",
    source: "SQL*Plus Command Reference",
    breaks: ({ text, place, nth }) => (place === "prompt" || nth === 0) && text !== "/" && !COMMANDS.test(text),
  },
  {
    rule: "a slash on its own line only ends a block: elsewhere it runs the last statement again",
    source: "/ (slash)",
    breaks: ({ text, place }) => place !== "block" && /^\s*\/\s*$/.test(text),
  },
  {
    rule: "no blank line ends a statement",
    source: "SET SQLBLANKLINES",
    breaks: ({ text, place }) => place === "statement" && text.trim() === "",
  },
  {
    rule: "no period on its own line ends a statement or block",
    source: "SET BLOCKTERMINATOR",
    breaks: ({ text }) => /^\s*\.\s*$/.test(text),
  },
  {
    rule: "no comment is within a statement or block",
    source: "Placing Comments in Scripts",
    breaks: ({ text, bare, place }) => place !== "prompt" && (COMMENT.test(text) || /--|\/\*/.test(bare)),
  },
  {
    rule: "nothing follows a statement's semicolon",
    source: "Placing Comments in Scripts",
    breaks: ({ bare, place }) => place === "statement" && /;\s*\S/.test(bare),
  },
  {
    rule: "a quotation mark is closed in its own line: a semicolon at the end ends the statement, quoted or not",
    source: "SET SQLTERMINATOR",
    breaks: ({ bare, place }) => place !== "prompt" && /["']/.test(bare),
  },
  {
    rule: "there is no bind variable",
    source: "Using Bind Variables",
    breaks: ({ bare, place }) => place !== "prompt" && /:[\p{L}\d]/u.test(bare),
  },
  {
    rule: "a statement runs only where an error ends the script",
    source: "WHENEVER SQLERROR",
    breaks: ({ place, stops }) => place !== "prompt" && !stops,
  },
  {
    rule: "every character can be encoded, and none is a control character",
    source: "SQL*Plus Globalization Support",
    breaks: ({ text }) => /[\p{Cc}\p{Cs}]/u.test(text),
  },
];

const ENCODING = "characters beyond ASCII are read in the script's encoding (SQL*Plus Globalization Support: NLS_LANG)";
const WHOLE = "the last statement is whole";

/** @returns `line: rule (source)` of every line that SQL*Plus would misread */
export function sqlPlusOffences(script: string): readonly string[] {
  const found: string[] = [];
  let place: Place = "prompt";
  let nth = 0;
  let literal = false;
  let stops = false;
  const lines = script.split("\n");
  for (const [at, text] of lines.entries()) {
    if (place === "prompt") {
      nth = 0;
      if (/^(?:BEGIN|DECLARE)\b/.test(text)) place = "block";
      else if (/^(?:GRANT|ALTER|CREATE|SELECT)\b/.test(text)) place = "statement";
    }
    const line: Line = { text, bare: withoutQuoted(text), place, nth, literal, stops };
    for (const { rule, source, breaks } of SQLPLUS_RULES)
      if (breaks(line)) found.push(`${at + 1}: ${rule} (${source})`);
    nth++;
    literal ||= text === "SET DEFINE OFF";
    stops ||= /^WHENEVER SQLERROR EXIT\b/.test(text);
    if (place === "block" ? text.trim() === "/" : text.trimEnd().endsWith(";") || text.trim() === "") place = "prompt";
  }
  if (place !== "prompt") found.push(`${lines.length}: ${WHOLE}`);
  const named = lines.findIndex((text) => /^-- .*NLS_LANG=\.AL32UTF8/.test(text));
  const beyond = lines.findIndex((text) => /[^\0-\x7f]/.test(text));
  if (beyond >= 0 && (named < 0 || named > beyond)) found.push(`${beyond + 1}: ${ENCODING}`);
  return found;
}

function withoutQuoted(text: string): string {
  return text.replace(/"[^"]*"|'[^']*'/g, " ");
}
