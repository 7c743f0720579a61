import { CallFailed, Refusal } from "../../core/errors.ts";
import { lineOf } from "../../core/values/remedy.ts";
import type { ExpectedError } from "./error-text.ts";

/**
 * What `--format json` prints instead of a document when a command fails (`schemas/error.schema.json`). Printed with
 * `printJson`.
 */
type ErrorDocument = { readonly apiVersion: "cdcctl/v1"; readonly kind: "Error" } & (
  | { readonly error: "usage"; readonly problems: readonly ProblemDocument[] }
  | {
      readonly error: "refusal";
      readonly code: string;
      readonly seen: string;
      readonly remedies: readonly string[];
      readonly changes: readonly string[];
    }
  | {
      readonly error: "call failed";
      readonly system: string;
      readonly failure: string;
      readonly seen: string;
      readonly code?: string;
      readonly remedies: readonly string[];
    }
);

interface ProblemDocument {
  readonly message: string;
  readonly remedies: readonly string[];
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
}

export function errorDocument(error: ExpectedError): ErrorDocument {
  const base = { apiVersion: "cdcctl/v1", kind: "Error" } as const;
  if (error instanceof Refusal) {
    return {
      ...base,
      error: "refusal",
      code: error.code,
      seen: error.message,
      remedies: error.remedies.map(lineOf),
      changes: error.changes,
    };
  }
  if (error instanceof CallFailed) {
    return {
      ...base,
      error: "call failed",
      system: error.system,
      failure: error.kind,
      seen: error.message,
      ...(error.code === undefined ? {} : { code: error.code }),
      remedies: error.remedies.map(lineOf),
    };
  }
  return {
    ...base,
    error: "usage",
    problems: error.problems.map(({ remedy, ...problem }) => ({
      ...problem,
      remedies: remedy === undefined ? [] : [lineOf(remedy)],
    })),
  };
}
