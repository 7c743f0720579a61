import { connectorOption, contextOptions, formatOption, jmxOption, worldOptions } from "./common.ts";

export const contextPositional = {
  context: { type: "string", describe: "Name of a context" },
} as const;

export const contextsListOptions = { contexts: contextOptions.contexts, ...formatOption } as const;

export const contextsTestOptions = {
  contexts: contextOptions.contexts,
  verbose: contextOptions.verbose,
  connector: { ...connectorOption.connector, describe: "Only what this connector needs" },
  ...jmxOption,
  timeout: worldOptions.timeout,
  ...formatOption,
} as const;

export const contextsInitOptions = {
  contexts: {
    ...contextOptions.contexts,
    describe: "Where to write it (default: $CDCCTL_CONTEXTS, then $XDG_CONFIG_HOME/cdcctl/contexts.yaml)",
  },
} as const;
