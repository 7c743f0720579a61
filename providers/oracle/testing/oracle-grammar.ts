import { createHash } from "node:crypto";
import { appendFileSync, readFileSync } from "node:fs";
import { getParserFromInput } from "@griffithswaite/ts-plsql-parser";

/** The part of the parser that is missing in its own declarations. */
interface ListeningParser {
  removeErrorListeners(): void;
  addErrorListener(listener: object): void;
  sql_script(): unknown;
  readonly _interp: { predictionMode: number };
}

/** ANTLR's SLL: much faster than its default, LL, and accepts no text that LL refuses. */
const SLL = 0;

/** Digests of texts without a complaint. `npm test` parses only others; `test:all` parses all. */
const ACCEPTED = new URL("../testdata/accepted-texts.txt", import.meta.url);
const accepted = new Set(readFileSync(ACCEPTED, "utf8").split("\n"));

/**
 * Returns the syntax errors of a text by an Oracle grammar (grammars-v4, "PL/SQL"). `UPDATE=1` notes that a text has
 * none.
 */
export function complaints(sql: string): string[] {
  const digest = createHash("sha256").update(sql).digest("hex").slice(0, 32);
  if (accepted.has(digest) && process.env["CDCCTL_TEST_CASES"] === "pairs") return [];
  const found = parsed(sql);
  if (found.length === 0 && process.env["UPDATE"] === "1" && !accepted.has(digest)) {
    appendFileSync(ACCEPTED, `${digest}\n`);
    accepted.add(digest);
  }
  return found;
}

function parsed(sql: string): string[] {
  const found: string[] = [];
  // The grammar supports only upper-case keywords.
  const parser = getParserFromInput(sql.toUpperCase()) as unknown as ListeningParser;
  parser.removeErrorListeners();
  parser.addErrorListener({
    syntaxError: (_recognizer: unknown, _symbol: unknown, line: number, column: number, message: string) => {
      found.push(`${line}:${column} ${message.slice(0, 80)}`);
    },
    reportAmbiguity: () => undefined,
    reportAttemptingFullContext: () => undefined,
    reportContextSensitivity: () => undefined,
  });
  parser._interp.predictionMode = SLL;
  parser.sql_script();
  return found;
}
