import { connectorOption, formatOption, phaseOption, stateOption, watchOptions, worldOptions } from "./common.ts";

export const reportOptions = {
  out: {
    type: "string",
    requiresArg: true,
    describe: "Write the report to this file, as a page (HTML); an earlier report is replaced, no other file",
  },
  ...formatOption,
  ...phaseOption,
  ...worldOptions,
  ...stateOption,
} as const;

export const showOptions = { ...formatOption, ...stateOption } as const;

export const statusOptions = {
  ...stateOption,
  ...formatOption,
  connector: { ...connectorOption.connector, describe: "Of this connector only" },
  position: {
    type: "boolean",
    default: false,
    describe: "Look where each connector stands now, and draw it: offset, redo, open transactions",
  },
  check: {
    type: "boolean",
    default: true,
    describe: "Ask the workers whether the latest change of each connector still stands; --no-check asks nobody",
  },
  ...watchOptions,
  ...worldOptions,
} as const;

export const historyOptions = {
  ...stateOption,
  ...formatOption,
  connector: { ...connectorOption.connector, describe: "Of this connector only" },
  ticket: { type: "string", requiresArg: true, describe: "Only runs whose plan names this ticket" },
  since: {
    type: "string",
    requiresArg: true,
    describe: "Only runs begun since: a time such as 2026-11-21T09:00:00Z or 2026-11-21 (UTC), or how long ago, 7d",
  },
} as const;
