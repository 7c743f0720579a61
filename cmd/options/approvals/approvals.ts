import { contextOptions, text } from "../common.ts";

/** Options of whoever signs: with what, and as whom. */
export const operatorOptions = {
  key: text("Private key to sign with, or the public key (.pub) of one that ssh-agent holds"),
  as: text(
    "Principal that signs, as the context's allowed_signers file names it (default: CDCCTL_OPERATOR, or the user)",
  ),
} as const;

/** Options of `apply`. */
export const approvalOptions = {
  approvals: text("Folder with approvals (*.approval.json), where the context asks for them"),
  ...operatorOptions,
  key: text("Sign as the operator too, with this key; does not count as an approval of somebody else"),
} as const;

export const approveOptions = {
  context: text("Context that the plan is for, if it does not name one itself"),
  ...operatorOptions,
  key: text(operatorOptions.key.describe, { demandOption: true }),
  expires: text("How long the approval counts", { default: "24h" }),
  out: text("Write the approval to this file (default: beside the plan, PLAN.PRINCIPAL.approval.json)"),
} as const;

/** The option of `show`. */
export const signersOption = {
  signers: text("allowed_signers file to verify a run's approvals by (default: that of the run's context)"),
  contexts: contextOptions.contexts,
} as const;
