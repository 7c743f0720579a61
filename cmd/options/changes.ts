import { approvalOptions } from "./approvals/approvals.ts";
import {
  connectorClassOption,
  connectorOption,
  consentOptions,
  findingsOptions,
  flag,
  formatOption,
  fullOption,
  parallelOption,
  phaseOption,
  runOutputOptions,
  stateOption,
  text,
  waitOptions,
  worldOptions,
} from "./common.ts";
import { policyOption } from "./policies/policy.ts";

export const applyOptions = {
  ...worldOptions,
  ...phaseOption,
  ...connectorClassOption,
  ...stateOption,
  ...consentOptions,
  ...approvalOptions,
  ...waitOptions,
  ...runOutputOptions,
  ...fullOption,
  ...policyOption,
  "max-age": text("Maximum age of a resolved plan", { default: "24h" }),
  again: flag("Apply a decision again that was already applied"),
} as const;

export const planOptions = {
  ...worldOptions,
  ...phaseOption,
  ...connectorClassOption,
  ...stateOption,
  ...findingsOptions,
  format: { ...findingsOptions.format, choices: [...findingsOptions.format.choices, "gitlab"] },
  "out-dir": text("With --format gitlab: folder of terraform-report.json and gl-code-quality-report.json"),
  ...fullOption,
  ...parallelOption,
  ...policyOption,
  out: text("Write the resolved plan to this file, to attach to a ticket and apply later"),
  facts: text("Plan offline, with facts recorded by `cdcctl observe`"),
  "detailed-exitcode": flag("Exit 2 when there is something to change"),
  again: flag("Plan a decision again that was already applied"),
} as const;

export const observeOptions = {
  ...worldOptions,
  ...phaseOption,
  ...connectorClassOption,
  ...stateOption,
  ...parallelOption,
  out: text("Write the facts to this file", { demandOption: true }),
} as const;

export const recoverOptions = {
  ...worldOptions,
  ...connectorClassOption,
  ...stateOption,
  ...waitOptions,
  ...runOutputOptions,
  "from-ops": flag("Settle the change in flight recorded in the ops topic, without local state"),
  connector: { ...connectorOption.connector, describe: "With --from-ops: connector name" },
  yes: {
    ...consentOptions.yes,
    describe: "Skip confirmation; required without a terminal, and with --events or --format json",
  },
  expect: {
    ...consentOptions.expect,
    describe: "Recover only this decision (sha256:…), without confirmation",
  },
  "allow-skip": flag("With --from-ops: allow a forward move, which skips every commit in between"),
  resume: flag(
    "Start the connector that a settled run left stopped; repair its offset first if a late commit undid it",
  ),
  abandon: flag(
    "End a run whose outcome cannot be determined: show what it leaves, ask, record it as failed, change nothing. " +
      "First end its process: a request that is already on its way is still sent",
  ),
} as const;

export const rollbackOptions = {
  ...worldOptions,
  ...connectorClassOption,
  ...stateOption,
  ...consentOptions,
  ...waitOptions,
  format: {
    ...formatOption.format,
    describe: "json: the finished run as one document on standard output; with --out: format of the plan's report",
  },
  events: runOutputOptions.events,
  out: text("Write the resolved rollback plan and apply nothing"),
  "move-back": flag("If the connector has run since: move back only the resume SCN"),
  resume: { type: "boolean", describe: "Start the connector afterwards (default: as it was before the run)" },
} as const;
