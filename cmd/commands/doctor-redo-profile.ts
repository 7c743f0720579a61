import { command } from "../command.ts";
import { redoProfileOptions } from "../options/doctor.ts";
import { loaded } from "./loaded.ts";

export const redoProfile = command({
  usage: "redo-profile",
  describe: "Show which tables write the redo: archive rate by hour, and a sample mined by LogMiner; changes nothing",
  options: redoProfileOptions,
  examples: [
    ["redo-profile --config orders-cdc.json", "the rates of a day, and a sample of the newest archived log"],
    ["redo-profile --config orders-cdc.json --sample-logs 4 --yes", "a larger sample, without asking"],
    ["redo-profile --config orders-cdc.json --sample-logs 0", "only the rates; nothing is mined"],
  ],
  run: loaded(async () => (await import("../session/doctor-redo-profile.ts")).printRedoProfile),
});
