import { command, group } from "../command.ts";
import { adminOptions, adminResume, opsFormat, stateOption } from "./common-options.ts";

export const offsetsShow = command({
  usage: "show",
  describe: "Print the stored offset, decoded",
  options: {
    ...adminOptions,
    format: {
      choices: ["text", "json"],
      default: "text",
      describe: "json prints the raw offset next to the decoded fields",
    },
    "check-redo": {
      type: "boolean",
      default: false,
      describe: "Check that every log from the resume SCN on is present; exit 1 when not",
    },
  },
  examples: [
    ["show --connect-url http://localhost:8083 --name orders-cdc", "where it stands"],
    [
      "show --connect-url http://localhost:8083 --name orders-cdc --check-redo",
      "and whether it could go on from there",
    ],
  ],
  async run(args, host) {
    const { showOffsets } = await import("../session/admin-show.ts");
    return showOffsets(args, host);
  },
});

export const offsetsSet = command({
  usage: "set",
  describe: "Move the stored offset to another SCN",
  options: {
    ...adminOptions,
    ...stateOption,
    scn: { type: "string", requiresArg: true, demandOption: true, describe: "The SCN to mine from" },
    reason: {
      type: "string",
      requiresArg: true,
      // Its absence is a refusal (specification, "Refusals"), not a slip of the pen.
      describe: "Recorded in the ops topic; without one the offset is not moved (required)",
    },
    "allow-skip": {
      type: "boolean",
      default: false,
      describe: "Allow a forward move: every change committed in between is skipped",
    },
    resume: adminResume,
    "forget-released": {
      type: "string",
      describe: "Take released transaction ids out of the orphan ledger: all, or a comma-separated list",
    },
    "ops-format": opsFormat,
  },
  examples: [
    [
      'set --connect-url http://localhost:8083 --name orders-cdc --scn 2169287 --reason "replay after the bad ' +
        'deploy" --resume',
      "mine again from there",
    ],
  ],
  async run(args, host) {
    const { setOffsets } = await import("../session/admin-set.ts");
    return setOffsets(args, host);
  },
});

export const offsets = group("offsets <command>", "Show or set the stored offset", [offsetsShow, offsetsSet]);
