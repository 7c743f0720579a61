import { command } from "../command.ts";
import { connectorClassOption, worldOptions } from "./common-options.ts";

export const translate = command({
  usage: "translate",
  describe: "Translate a legacy connector's configuration, and say what became of every property",
  options: {
    input: {
      type: "string",
      requiresArg: true,
      demandOption: true,
      describe:
        "The legacy connector: JSON as GET /connectors/NAME answers it, the settings alone, or .properties; - " +
        "reads standard input",
    },
    output: { type: "string", requiresArg: true, describe: "Write the new connector's configuration (JSON) here" },
    report: {
      type: "string",
      requiresArg: true,
      describe: "Write the report here: JSON where the name ends in .json, otherwise Markdown",
    },
    "connect-url": {
      ...worldOptions["connect-url"],
      describe: "Have the translated configuration validated by this worker",
    },
    contexts: worldOptions.contexts,
    ...connectorClassOption,
    "topic-prefix": {
      type: "string",
      requiresArg: true,
      describe: "cdc.topic.prefix (default: the legacy connector's name)",
    },
    name: {
      type: "string",
      requiresArg: true,
      describe: "Name of the new connector (default: the legacy one's and -cdc)",
    },
    "detailed-exitcode": { type: "boolean", default: false, describe: "Exit with 2 while manual properties remain" },
    format: {
      choices: ["text", "json", "markdown"],
      default: "text",
      describe: "Form of the report on standard output",
    },
  },
  examples: [
    [
      "translate --input legacy.json --output orders-cdc.json --report translation.md",
      "a configuration, and what to look at",
    ],
    [
      "translate --input legacy.json --connect-url http://localhost:8083 --detailed-exitcode",
      "validated by a worker, for a pipeline",
    ],
  ],
  async run(args, host) {
    const { translateFile } = await import("../session/migrate-translate.ts");
    return translateFile(args, host);
  },
});
