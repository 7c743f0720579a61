import type { Intent } from "../../core/document/intent.ts";
import { CallFailed, Refusal, UsageError } from "../../core/errors.ts";
import { EXIT } from "../command.ts";
import { type Host, textOptions } from "../host.ts";
import { renderError, type ShownError } from "../views/error-text.ts";

/** A document that could not be planned, among several. */
export interface Unplanned {
  readonly intent: Intent;
  /** Its message begins with file and document. */
  readonly error: ShownError;
}

export function isShown(error: unknown): error is ShownError {
  return error instanceof UsageError || error instanceof Refusal || error instanceof CallFailed;
}

/** The same error, saying which document it is about: `both.yaml, orders-replay: …`. */
export function ofDocument(error: ShownError, { origin, metadata }: Intent): ShownError {
  const named = (message: string) => `${origin.file ?? "-"}, ${metadata.name}: ${message}`;
  if (error instanceof Refusal) return new Refusal(error.code, named(error.message), error.remedies, error.changes);
  if (error instanceof CallFailed) {
    const { system, kind, code, remedies, cause } = error;
    return new CallFailed({
      system,
      kind,
      message: named(error.message),
      ...(code === undefined ? {} : { code }),
      ...(remedies.length === 0 ? {} : { remedy: remedies }),
      cause,
    });
  }
  return new UsageError(error.problems.map((problem) => ({ ...problem, message: named(problem.message) })));
}

/** Reports each on stderr. @returns the exit code: 64 where only input or configuration is wrong */
export function reportUnplanned(unplanned: readonly Unplanned[], host: Host): number {
  for (const { error } of unplanned) host.stderr.write(renderError(error, textOptions(host.stderr)));
  return unplanned.every(({ error }) => error instanceof UsageError) ? EXIT.usage : EXIT.refused;
}
