import { command, group } from "../command.ts";
import { journalInspectOptions } from "../options/admin.ts";
import { loaded } from "./loaded.ts";

const journalInspect = command({
  usage: "inspect",
  describe: "Read the transaction journal as the task does at its start; exit 1 when that would stop it (CDC-4002)",
  options: journalInspectOptions,
  examples: [
    ["inspect --connect-url http://localhost:8083 --name orders-cdc", "what the next start restores and drops"],
  ],
  run: loaded(async () => (await import("../session/admin-journal.ts")).inspectJournal),
});

export const journal = group("journal <command>", "Inspect the transaction journal", [journalInspect]);
