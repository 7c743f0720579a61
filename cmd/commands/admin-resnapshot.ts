import { command } from "../command.ts";
import { resnapshotOptions } from "../options/admin.ts";
import { changing } from "./loaded.ts";

export const resnapshot = command({
  usage: "resnapshot",
  describe: "Snapshot captured tables again, and move past missing redo",
  options: resnapshotOptions,
  examples: [
    [
      "resnapshot --connect-url http://localhost:8083 --name orders-cdc --tables ORCLPDB1.SALES.ORDERS",
      "a signal, where all redo is present",
    ],
    [
      "resnapshot --connect-url http://localhost:8083 --name orders-cdc --tables " +
        'ORCLPDB1.SALES.ORDERS,ORCLPDB1.SALES.LINES --reason "archived logs purged" --resume',
      "a signal and a move past the gap",
    ],
  ],
  run: changing(async () => (await import("../session/admin-resnapshot.ts")).resnapshot),
});
