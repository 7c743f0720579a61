import { formatOption, runOutputOptions, stateOption, watchOptions, worldOptions } from "./common.ts";

export const namePositional = {
  name: { type: "string", demandOption: true, describe: "Connector name" },
} as const;

export const connectorsListOptions = { ...worldOptions, ...stateOption, ...formatOption } as const;

export const connectorsShowOptions = { ...connectorsListOptions, ...watchOptions } as const;

export const controlOptions = {
  ...worldOptions,
  ...stateOption,
  ...runOutputOptions,
  reason: { type: "string", requiresArg: true, describe: "Kept in the local history" },
  wait: { type: "string", requiresArg: true, default: "5m", describe: "How long to wait for the state" },
  "without-ops-topic": {
    type: "boolean",
    default: false,
    describe: "Continue if the ops topic cannot be read; another user's change in progress would go unnoticed",
  },
} as const;

export const restartOptions = {
  ...controlOptions,
  all: {
    type: "boolean",
    default: false,
    describe: "Restart the connector and all of its tasks, not only those that failed",
  },
} as const;
