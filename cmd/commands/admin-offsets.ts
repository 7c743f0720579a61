import { command, group } from "../command.ts";
import { offsetsSetOptions, offsetsShowOptions } from "../options/admin.ts";
import { changing, loaded } from "./loaded.ts";

const offsetsShow = command({
  usage: "show",
  describe: "Print the stored offset, decoded",
  options: offsetsShowOptions,
  examples: [
    ["show --connect-url http://localhost:8083 --name orders-cdc", "the current position"],
    [
      "show --connect-url http://localhost:8083 --name orders-cdc --check-redo",
      "and whether it could resume from there",
    ],
  ],
  run: loaded(async () => (await import("../session/admin-show.ts")).showOffsets),
});

const offsetsSet = command({
  usage: "set",
  describe: "Move the stored offset to another SCN",
  options: offsetsSetOptions,
  examples: [
    [
      'set --connect-url http://localhost:8083 --name orders-cdc --scn 2169287 --reason "replay after the bad ' +
        'deploy" --resume',
      "mine again from there",
    ],
  ],
  run: changing(async () => (await import("../session/admin-set.ts")).setOffsets),
});

export const offsets = group("offsets <command>", "Show or set the stored offset", [offsetsShow, offsetsSet]);
