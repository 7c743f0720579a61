import { flag, formatOption, runOutputOptions, stateOption, text, watchOptions, worldOptions } from "./common.ts";

export const namePositional = {
  name: { type: "string", demandOption: true, describe: "Connector name" },
} as const;

export const connectorsListOptions = { ...worldOptions, ...stateOption, ...formatOption } as const;

export const connectorsShowOptions = { ...connectorsListOptions, ...watchOptions } as const;

export const controlOptions = {
  ...worldOptions,
  ...stateOption,
  ...runOutputOptions,
  reason: text("Recorded in the local history; of a stop also in the ops topic. A stop asks for it on a terminal"),
  ticket: text("Recorded like the reason"),
  wait: text("How long to wait for the state", { default: "5m" }),
  "without-ops-topic": flag(
    "Continue if the ops topic cannot be read; another user's change in progress would go unnoticed",
  ),
} as const;

export const restartOptions = {
  ...controlOptions,
  all: flag("Restart the connector and all of its tasks, not only those that failed"),
} as const;
