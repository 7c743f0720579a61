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
    describe: "Go on where the ops topic can't be read: whether another user is changing the offset is not known then",
  },
} as const;

export const restartOptions = {
  ...controlOptions,
  all: { type: "boolean", default: false, describe: "The connector and all of its tasks, not only what has failed" },
} as const;
