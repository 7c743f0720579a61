import {
  adminOptions,
  adminResume,
  formatOption,
  fullOption,
  jmxOption,
  opsFormat,
  runOutputOptions,
  stateOption,
} from "./common.ts";

export const journalInspectOptions = { ...adminOptions, ...formatOption } as const;

export const offsetsShowOptions = {
  ...adminOptions,
  ...formatOption,
  "check-redo": {
    type: "boolean",
    default: false,
    describe: "Check that every log from the resume SCN onwards is present; exit 1 when not",
  },
} as const;

export const offsetsSetOptions = {
  ...adminOptions,
  ...stateOption,
  ...runOutputOptions,
  ...fullOption,
  scn: { type: "string", requiresArg: true, demandOption: true, describe: "The SCN to mine from" },
  reason: {
    type: "string",
    requiresArg: true,
    // Its absence is a refusal (specification, "Refusals"), not a usage error.
    describe: "Recorded in the ops topic; required to move the offset",
  },
  "allow-skip": {
    type: "boolean",
    default: false,
    describe: "Allow a forward move: every change committed in between is skipped",
  },
  resume: adminResume,
  "forget-released": {
    type: "string",
    describe: "Remove released transaction ids from the orphan ledger: all, or a comma-separated list",
  },
  "ops-format": opsFormat,
} as const;

export const resnapshotOptions = {
  ...adminOptions,
  ...stateOption,
  ...runOutputOptions,
  ...fullOption,
  tables: {
    type: "string",
    requiresArg: true,
    demandOption: true,
    describe: "Comma-separated: PDB.OWNER.TABLE in a container database, OWNER.TABLE otherwise",
  },
  reason: {
    type: "string",
    requiresArg: true,
    describe: "Recorded in the ops topic; required when redo is missing and the offset moves",
  },
  "skip-gap-for-unlisted-tables": {
    type: "boolean",
    default: false,
    describe: "Assert that the captured tables not named had no changes in the gap",
  },
  resume: {
    ...adminResume,
    describe: "Start the connector afterwards (default: unchanged, or stopped if the offset moved)",
  },
  "ops-format": opsFormat,
} as const;

export const transactionsOptions = { ...adminOptions, ...jmxOption, ...formatOption } as const;
