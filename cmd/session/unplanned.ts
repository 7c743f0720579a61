import type { Intent } from "../../core/document/intent.ts";
import { CallFailed, type ExpectedError, isShown, Refusal, UsageError } from "../../core/errors.ts";
import { EXIT } from "../command.ts";
import { type Host, textOptions } from "../host.ts";
import { writeSentence } from "../screen.ts";
import { renderError } from "../views/error-text.ts";
import type { UnplannedView } from "../views/plan.ts";

/** A document that could not be planned, among several. */
export interface Unplanned extends UnplannedView {
  readonly intent: Intent;
}

/** The same error, prefixed with its document: `both.yaml, orders-replay: …`. */
export function ofDocument(error: ExpectedError, { origin, metadata }: Intent): ExpectedError {
  const named = (message: string) => `${origin.file ?? "-"}, ${metadata.name}: ${message}`;
  if (error instanceof Refusal) return new Refusal(error.code, named(error.message), error.remedies, error.changes);
  if (error instanceof CallFailed) {
    const { system, kind, code, remedies, cause } = error;
    return new CallFailed(system, kind, {
      message: named(error.message),
      ...(code === undefined ? {} : { code }),
      ...(remedies.length === 0 ? {} : { remedy: remedies }),
      cause,
    });
  }
  return new UsageError(error.problems.map((problem) => ({ ...problem, message: named(problem.message) })));
}

/** Runs the work; among several documents, an error names its document. */
export async function namingDocument<T>(intent: Intent, several: boolean, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw several && isShown(error) ? ofDocument(error, intent) : error;
  }
}

/**
 * Reports each on stderr: in full, or in one line if a report shows the rest. @returns the exit code: 64 when only
 * input or configuration is wrong
 */
export function reportUnplanned(unplanned: readonly Unplanned[], host: Host, extent: "full" | "line"): number {
  for (const { error } of unplanned)
    if (extent === "full") host.stderr.write(renderError(error, textOptions(host.stderr)));
    else writeSentence(host.stderr, `failed: ${error.message}`);
  return unplanned.every(({ error }) => error instanceof UsageError) ? EXIT.usage : EXIT.refused;
}
