/** Tokens of a SQL statement, each with its position, which errors report. */

import { anyOf } from "../../../../core/values/regexp.ts";
import { OraError } from "../ora-error.ts";

export interface Token {
  /** `quoted` is a name in double quotes; a `bind` is held without its colon, upper case. */
  readonly kind: "name" | "quoted" | "number" | "text" | "bind" | "symbol" | "end";
  /** Names upper case, unless quoted; texts without quotes. */
  readonly value: string;
  /** 0-based. */
  readonly offset: number;
}

const PATTERN = anyOf(
  [
    /\s+|--[^\n]*|\/\*[\s\S]*?\*\//,
    /(?<text>'(?:[^']|'')*')/,
    /(?<quoted>"[^"]+")/,
    /(?<bind>:\s*[A-Za-z][\w$#]*|:\s*\d+)/,
    /(?<number>\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|\.\d+)/,
    /(?<name>[A-Za-z][\w$#]*)/,
    /(?<symbol><=|>=|<>|!=|\|\||=>|\.\.|[-+*/(),.=<>@])/,
  ],
  "gy",
);

/** @throws OraError 00911 for an invalid character; 01756 for an unterminated text */
export function tokensOf(sql: string): readonly Token[] {
  const tokens: Token[] = [];
  PATTERN.lastIndex = 0;
  while (PATTERN.lastIndex < sql.length) {
    const offset = PATTERN.lastIndex;
    const groups = PATTERN.exec(sql)?.groups;
    if (groups === undefined) {
      if (sql[offset] === "'") throw new OraError(1756, "quoted string not properly terminated", offset);
      throw new OraError(911, "invalid character", offset);
    }
    const found = Object.entries(groups).find(([, text]) => text !== undefined);
    if (found !== undefined) tokens.push(token(found[0], found[1], offset));
  }
  tokens.push({ kind: "end", value: "", offset: sql.length });
  return tokens;
}

function token(group: string, text: string, offset: number): Token {
  switch (group) {
    case "text":
      return { kind: "text", value: text.slice(1, -1).replaceAll("''", "'"), offset };
    case "quoted":
      return { kind: "quoted", value: text.slice(1, -1), offset };
    case "bind":
      return { kind: "bind", value: text.slice(1).trim().toUpperCase(), offset };
    case "number":
      return { kind: "number", value: text, offset };
    case "name":
      return { kind: "name", value: text.toUpperCase(), offset };
    default:
      return { kind: "symbol", value: text, offset };
  }
}
