import { command } from "../command.ts";
import { translateOptions } from "../options/migrate.ts";
import { loaded } from "./loaded.ts";

export const translate = command({
  usage: "translate",
  describe: "Translate a legacy connector's configuration, and report the outcome of every property",
  options: translateOptions,
  examples: [
    [
      "translate --input legacy.json --output orders-cdc.json --report translation.md",
      "a configuration, and what to review",
    ],
    [
      "translate --input legacy.json --connect-url http://localhost:8083 --detailed-exitcode",
      "validated by a worker, for a pipeline",
    ],
  ],
  run: loaded(async () => (await import("../session/migrate-translate.ts")).translateFile),
});
