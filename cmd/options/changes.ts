import {
  connectorClassOption,
  connectorOption,
  consentOptions,
  formatOption,
  fullOption,
  parallelOption,
  phaseOption,
  runOutputOptions,
  stateOption,
  waitOptions,
  worldOptions,
} from "./common.ts";

export const applyOptions = {
  ...worldOptions,
  ...phaseOption,
  ...connectorClassOption,
  ...stateOption,
  ...consentOptions,
  ...waitOptions,
  ...runOutputOptions,
  ...fullOption,
  "max-age": { type: "string", requiresArg: true, default: "24h", describe: "Maximum age of a resolved plan" },
  again: { type: "boolean", default: false, describe: "Apply a decision again that was already applied" },
} as const;

export const planOptions = {
  ...worldOptions,
  ...phaseOption,
  ...connectorClassOption,
  ...stateOption,
  ...formatOption,
  ...fullOption,
  ...parallelOption,
  out: {
    type: "string",
    requiresArg: true,
    describe: "Write the resolved plan to this file, to attach to a ticket and apply later",
  },
  facts: {
    type: "string",
    requiresArg: true,
    describe: "Plan offline, with facts recorded by `cdcctl observe`",
  },
  "detailed-exitcode": { type: "boolean", default: false, describe: "Exit 2 when there is something to change" },
  again: { type: "boolean", default: false, describe: "Plan a decision again that was already applied" },
} as const;

export const observeOptions = {
  ...worldOptions,
  ...phaseOption,
  ...connectorClassOption,
  ...stateOption,
  ...parallelOption,
  out: { type: "string", requiresArg: true, demandOption: true, describe: "Write the facts to this file" },
} as const;

export const recoverOptions = {
  ...worldOptions,
  ...connectorClassOption,
  ...stateOption,
  ...waitOptions,
  ...runOutputOptions,
  "from-ops": {
    type: "boolean",
    default: false,
    describe: "Settle the change in flight recorded in the ops topic, without local state",
  },
  connector: { ...connectorOption.connector, describe: "With --from-ops: connector name" },
  yes: { ...consentOptions.yes, describe: "With --from-ops or --abandon: skip confirmation" },
  expect: {
    ...consentOptions.expect,
    describe: "With --from-ops: take over only this decision (sha256:…), without confirmation",
  },
  "allow-skip": {
    type: "boolean",
    default: false,
    describe: "With --from-ops: allow a forward move, which skips every commit in between",
  },
  resume: {
    type: "boolean",
    default: false,
    describe: "Start the connector that a settled run left stopped; repair its offset first if a late commit undid it",
  },
  abandon: {
    type: "boolean",
    default: false,
    describe:
      "End a run whose outcome cannot be determined: show what it leaves, ask, record it as failed, change nothing. " +
      "First end its process: a request that is already on its way is still sent",
  },
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
  out: { type: "string", requiresArg: true, describe: "Write the resolved rollback plan and apply nothing" },
  "move-back": {
    type: "boolean",
    default: false,
    describe: "If the connector has run since: move back only the resume SCN",
  },
  resume: { type: "boolean", describe: "Start the connector afterwards (default: as it was before the run)" },
} as const;
