import { command } from "../command.ts";
import { checkOptions } from "../options/doctor.ts";
import { loaded } from "./loaded.ts";

export const check = command({
  usage: "check",
  describe: "Check the database and the capture user against a connector's configuration, before it is started",
  options: checkOptions,
  examples: [
    ["check --config orders-cdc.json", "the problems, and the SQL that fixes them"],
    ["check --config orders-cdc.json --fail-on warn --format json", "for a pipeline: every affected table"],
    ["check --config orders-cdc.json --db-password-env DB_PASSWORD", "when the file holds no password"],
  ],
  run: loaded(async () => (await import("../session/doctor-check.ts")).checkConfiguration),
});
