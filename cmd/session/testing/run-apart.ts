import { type FinishedHere, runHere } from "../../behaviour/run-command.ts";
import type { Program } from "../../main.ts";

export type Apart = FinishedHere;

const PATIENCE = {
  patch: 1000,
  connect: { callMillis: 8000, patchMillis: 8000, retryMillis: 2000, firstContactMillis: 2000 },
};

/** Runs one command line in this process, as ana, who waits for nothing long. */
export function runApart(
  argv: readonly string[],
  env: Readonly<Record<string, string>> = {},
  program?: Program,
): Promise<Apart> {
  return runHere(argv, {
    env: { HOME: "/nonexistent", CDCCTL_OPERATOR: "ana", ...env },
    patience: PATIENCE,
    ...(program === undefined ? {} : { program }),
  });
}
