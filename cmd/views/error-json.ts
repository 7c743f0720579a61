import { CallFailed, Refusal } from "../../core/errors.ts";
import { lineOf } from "../../core/values/remedy.ts";
import type { ExpectedError } from "./error-text.ts";

/**
 * What `--format json` prints instead of a document when a command fails (`schemas/error.schema.json`). Printed with
 * `printJson`.
 */
export function errorDocument(error: ExpectedError) {
  const base = { apiVersion: "cdcctl/v1", kind: "Error" } as const;
  if (error instanceof Refusal) {
    return {
      ...base,
      error: "refusal" as const,
      code: error.code,
      seen: error.message,
      remedies: error.remedies.map(lineOf),
      changes: error.changes,
    };
  }
  if (error instanceof CallFailed) {
    return {
      ...base,
      error: "call failed" as const,
      system: error.system,
      failure: error.kind,
      seen: error.message,
      code: error.code,
      remedies: error.remedies.map(lineOf),
    };
  }
  return {
    ...base,
    error: "usage" as const,
    problems: error.problems.map(({ remedy, ...problem }) => ({
      ...problem,
      remedies: remedy === undefined ? [] : [lineOf(remedy)],
    })),
  };
}
