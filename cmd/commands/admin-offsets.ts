import { command, group } from "../command.ts";
import { offsetsSetOptions, offsetsShowOptions } from "../options/admin.ts";

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
  async run(args, host) {
    const { showOffsets } = await import("../session/admin-show.ts");
    return showOffsets(args, host);
  },
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
  async run(args, host) {
    const { setOffsets } = await import("../session/admin-set.ts");
    const { reporting } = await import("../session/machine-output.ts");
    return reporting(args, host, (reporter) => setOffsets(args, reporter));
  },
});

export const offsets = group("offsets <command>", "Show or set the stored offset", [offsetsShow, offsetsSet]);
