import { connectorOption, contextOptions, formatOption, jmxOption, text, worldOptions } from "./common.ts";

export const contextPositional = {
  context: { type: "string", describe: "Context name" },
} as const;

export const contextsListOptions = { contexts: contextOptions.contexts, ...formatOption } as const;

export const contextsTestOptions = {
  contexts: contextOptions.contexts,
  verbose: contextOptions.verbose,
  connector: { ...connectorOption.connector, describe: "Test only what this connector needs" },
  ...jmxOption,
  timeout: worldOptions.timeout,
  ...formatOption,
} as const;

export const contextsInitOptions = {
  contexts: text("Path to write to (default: $CDCCTL_CONTEXTS, then $XDG_CONFIG_HOME/cdcctl/contexts.yaml)"),
} as const;
