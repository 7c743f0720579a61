import { OraError } from "../ora-error.ts";
import { type Token, tokensOf } from "./tokens.ts";

/** Reads a statement's tokens from left to right. */
export interface TokenReader {
  peek(ahead?: number): Token;
  next(): Token;
  /** Consumes the word or symbol if it is next. */
  skip(word: string): boolean;
  /** @throws OraError 00933 if another token is next */
  expect(word: string): void;
  /** @throws OraError 00903 if the next token is not a name */
  name(): string;
  /** The statement's text from the offset up to the next token. */
  textSince(offset: number): string;
  /** Numbers the placeholders in the order in which they are read. */
  nextBind(): number;
}

export function tokenReader(sql: string): TokenReader {
  const tokens = tokensOf(sql);
  let position = 0;
  let binds = 0;
  const peek = (ahead = 0): Token =>
    tokens[Math.min(position + ahead, tokens.length - 1)] ?? { kind: "end", value: "", offset: sql.length };
  const next = (): Token => {
    const token = peek();
    position++;
    return token;
  };
  const isWord = ({ kind, value }: Token, word: string) => (kind === "name" || kind === "symbol") && value === word;
  return {
    peek,
    next,
    skip: (word) => {
      const found = isWord(peek(), word);
      if (found) position++;
      return found;
    },
    expect: (word) => {
      const token = next();
      if (!isWord(token, word)) throw new OraError(933, "SQL command not properly ended", token.offset);
    },
    name: () => {
      const { kind, value, offset } = next();
      if (kind !== "name" && kind !== "quoted") throw new OraError(903, "invalid table name", offset);
      return value;
    },
    textSince: (offset) => sql.slice(offset, peek().offset),
    nextBind: () => binds++,
  };
}
