import { command } from "../command.ts";
import { verifyWorkerOptions } from "../options/migrate.ts";
import { loaded } from "./loaded.ts";

export const verifyWorker = command({
  usage: "verify-worker",
  describe: "Run units of a planned verification for a driver; frames on standard input and output",
  options: verifyWorkerOptions,
  examples: [
    ["verify-worker --job job/job.json --contexts /etc/cdcctl/contexts.yaml", "what an executor of Apache Spark runs"],
  ],
  run: loaded(async () => (await import("../session/verify-worker.ts")).verifyWorker),
});
