import { command } from "../command.ts";
import { sizingOptions } from "../options/doctor.ts";
import { loaded } from "./loaded.ts";

export const sizing = command({
  usage: "sizing",
  describe: "Recommend sizes for online logs and the archive, based on archived redo; read-only",
  options: sizingOptions,
  examples: [
    ["sizing --config orders-cdc.json", "based on the last 7 days, for a downtime of 24 hours"],
    ["sizing --config orders-cdc.json --max-downtime 3d --days 31", "for a long weekend, based on a month"],
  ],
  run: loaded(async () => (await import("../session/doctor-sizing.ts")).printSizing),
});
