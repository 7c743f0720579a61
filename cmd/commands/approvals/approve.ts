import { command } from "../../command.ts";
import { approveOptions } from "../../options/approvals/approvals.ts";
import { loaded } from "../loaded.ts";

export const approve = command({
  usage: "approve <plan>",
  describe: "Sign a saved plan, for `apply --approvals`; opens nothing but files",
  positionals: { plan: { type: "string", demandOption: true, describe: "File written by `plan --out`" } },
  options: approveOptions,
  examples: [
    ["approve orders-replay.plan.json --key ~/.ssh/id_ed25519", "sign what was reviewed"],
    [
      "approve orders-replay.plan.json --key ~/.ssh/id_ed25519.pub --as ana@example.com",
      "by ssh-agent, under another name",
    ],
    ["approve orders-replay.plan.json --key ~/.ssh/id_ed25519 --expires 4h", "for the next four hours"],
  ],
  run: loaded(async () => (await import("../../session/approvals/approving.ts")).approve),
});
