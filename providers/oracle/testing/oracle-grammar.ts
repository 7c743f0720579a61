import { getParserFromInput } from "@griffithswaite/ts-plsql-parser";

/** The part of the parser that its own declarations leave out. */
interface ListeningParser {
  removeErrorListeners(): void;
  addErrorListener(listener: object): void;
  sql_script(): unknown;
}

/** What an Oracle grammar (grammars-v4, "PL/SQL") has to say against a text. */
export function complaints(sql: string): string[] {
  const found: string[] = [];
  // The grammar knows keywords in capitals only.
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
  parser.sql_script();
  return found;
}
