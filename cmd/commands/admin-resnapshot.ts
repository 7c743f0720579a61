import { command } from "../command.ts";
import { adminOptions, adminResume, opsFormat, stateOption } from "./common-options.ts";

export const resnapshot = command({
  usage: "resnapshot",
  describe: "Snapshot captured tables again, past redo that is gone where it is",
  options: {
    ...adminOptions,
    ...stateOption,
    tables: {
      type: "string",
      requiresArg: true,
      demandOption: true,
      describe: "Comma-separated: PDB.OWNER.TABLE in a container database, OWNER.TABLE otherwise",
    },
    reason: {
      type: "string",
      requiresArg: true,
      describe: "Recorded in the ops topic; needed where redo is gone and the offset moves",
    },
    "skip-gap-for-unlisted-tables": {
      type: "boolean",
      default: false,
      describe: "Assert that the captured tables not named had no changes in the gap",
    },
    resume: {
      ...adminResume,
      describe: "Start the connector afterwards; otherwise it stays as it is, or stopped where the offset moved",
    },
    "ops-format": opsFormat,
  },
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
    return session.resnapshot(args, host);
  },
});
