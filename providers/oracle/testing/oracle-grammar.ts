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

/** Returns the syntax errors of a text by an Oracle grammar (grammars-v4, "PL/SQL"). */
export function complaints(sql: string): string[] {
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
