import { Refusal, UsageError } from "../../core/errors.ts";
import { type Digest, parseDigest } from "../../core/values/digest.ts";
import { truncate } from "../../core/values/truncate.ts";
import type { consentOptions, Flags } from "../options/common.ts";
import type { ChangeHost } from "./machine-output.ts";

export type ConsentFlags = Flags<typeof consentOptions>;

/**
 * Requires prior consent when there is no terminal.
 *
 * @param decision the decision to agree to, if already known
 * @throws UsageError without consent, or for an invalid decision
 */
export function demandConsent(
  { yes, expect }: ConsentFlags,
  host: ChangeHost,
  decision?: Digest | "abandon" | "recover",
): void {
  demandExpectedForm({ expect });
  if (yes || expect !== undefined || host.interactive) return;
  throw new UsageError(
    host.machine === undefined
      ? "cannot ask for confirmation: stdin is not a terminal"
      : "cannot ask for confirmation while standard output is machine-readable",
    decision === "abandon"
      ? "Inspect the connector and its stored offset (cdcctl admin offsets show), then pass --yes."
      : decision === "recover"
        ? "Check what would be done, then pass --yes; to call it off instead: cdcctl recover --abandon."
        : decision === undefined
          ? "Pass --expect sha256:… (the approval of the reviewed plan), or --yes."
          : `Review the decision and pass --expect ${decision}, or pass --yes.`,
  );
}

/** @throws UsageError for an `--expect` that is not a digest */
export function demandExpectedForm({ expect }: Pick<ConsentFlags, "expect">): void {
  if (expect !== undefined && parseDigest(expect) === undefined) {
    throw new UsageError(
      `--expect ${truncate(expect, 80)} is not a digest`,
      "Pass sha256: and 64 hexadecimal digits: the approval that cdcctl plan prints; with recover, the run's decision.",
    );
  }
}

/** @throws Refusal `APL810` when another decision was expected */
export function demandDecision(decision: string, { expect }: Pick<ConsentFlags, "expect">): void {
  if (expect !== undefined && expect !== decision) {
    throw new Refusal("APL810", `expected decision ${expect}, but this run decides ${decision}`, [
      `Review what recover shows, and pass --expect ${decision}: it takes the decision, not the approval.`,
    ]);
  }
}

/**
 * Asks for consent.
 *
 * @param wanted the answer that consents
 * @returns true if --expect matched, `--yes` was given, or the operator answered so
 */
export async function consent(
  { yes, expect }: ConsentFlags,
  host: Pick<ChangeHost, "ask">,
  question: string,
  wanted = "yes",
): Promise<boolean> {
  if (yes || expect !== undefined) return true;
  const answer = await host.ask(question);
  return answer.trim() === wanted;
}
