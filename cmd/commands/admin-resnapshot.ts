import { command } from "../command.ts";
import { resnapshotOptions } from "../options/admin.ts";

export const resnapshot = command({
  usage: "resnapshot",
  describe: "Snapshot captured tables again, past redo that is gone where it is",
  options: resnapshotOptions,
  examples: [
    [
      "resnapshot --connect-url http://localhost:8083 --name orders-cdc --tables ORCLPDB1.SALES.ORDERS",
      "a signal, where redo is all there",
    ],
    [
      "resnapshot --connect-url http://localhost:8083 --name orders-cdc --tables " +
        'ORCLPDB1.SALES.ORDERS,ORCLPDB1.SALES.LINES --reason "archived logs purged" --resume',
      "a signal and a move past the gap",
    ],
  ],
  async run(args, host) {
    const session = await import("../session/admin-resnapshot.ts");
    const { reporting } = await import("../session/machine-output.ts");
    return reporting(args, host, (told) => session.resnapshot(args, told));
  },
});
