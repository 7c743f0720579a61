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
    describe: "Check that every log from the resume SCN on is present; exit 1 when not",
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
    // Its absence is a refusal (specification, "Refusals"), not a slip of the pen.
    describe: "Recorded in the ops topic; without one the offset is not moved (required)",
  },
  "allow-skip": {
    type: "boolean",
    default: false,
    describe: "Allow a forward move: every change committed in between is skipped",
  },
  resume: adminResume,
  "forget-released": {
    type: "string",
    describe: "Take released transaction ids out of the orphan ledger: all, or a comma-separated list",
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
    describe: "Recorded in the ops topic; needed where redo is gone and the offset moves",
  },
  "skip-gap-for-unlisted-tables": {
    type: "boolean",
    default: false,
    describe: "Assert that the captured tables not named had no changes in the gap",
  },
  resume: {
    ...adminResume,
    describe: "Start the connector afterwards; otherwise it stays as it is, or stopped where the offset moved",
  },
  "ops-format": opsFormat,
} as const;

export const transactionsOptions = { ...adminOptions, ...jmxOption, ...formatOption } as const;
