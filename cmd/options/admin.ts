import {
  adminOptions,
  adminResume,
  flag,
  formatOption,
  fullOption,
  jmxOption,
  opsFormat,
  runOutputOptions,
  stateOption,
  text,
} from "./common.ts";

export const journalInspectOptions = { ...adminOptions, ...formatOption } as const;

export const offsetsShowOptions = {
  ...adminOptions,
  ...formatOption,
  "check-redo": flag("Check that every log from the resume SCN onwards is present; exit 1 when not"),
} as const;

export const offsetsSetOptions = {
  ...adminOptions,
  ...stateOption,
  ...runOutputOptions,
  ...fullOption,
  scn: text("The SCN to mine from", { demandOption: true }),
  // Its absence is a refusal (specification, "Refusals"), not a usage error.
  reason: text("Recorded in the ops topic; required to move the offset"),
  "allow-skip": flag("Allow a forward move: every change committed in between is skipped"),
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
  tables: text("Comma-separated: PDB.OWNER.TABLE in a container database, OWNER.TABLE otherwise", {
    demandOption: true,
  }),
  reason: text("Recorded in the ops topic; required when redo is missing and the offset moves"),
  "skip-gap-for-unlisted-tables": flag("Assert that the captured tables not named had no changes in the gap"),
  resume: {
    ...adminResume,
    describe: "Start the connector afterwards (default: unchanged, or stopped if the offset moved)",
  },
  "ops-format": opsFormat,
} as const;

export const transactionsOptions = { ...adminOptions, ...jmxOption, ...formatOption } as const;
