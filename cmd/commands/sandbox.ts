import { command } from "../command.ts";
import { text } from "../options/common.ts";
import { loaded } from "./loaded.ts";

export const sandbox = command({
  usage: "sandbox",
  describe: "Run Connect, Kafka and Oracle on loopback to try cdcctl; stop with Ctrl-C",
  options: {
    scenario: text("Scenario to run; `--scenario list` lists them", { default: "orders" }),
    connectors: text("With --scenario fleet: number of connectors (default: 3)"),
    dir: text("Where to write plan files and the contexts file (default: a new folder)"),
  },
  examples: [
    ["sandbox", "prints commands to try"],
    ["sandbox --scenario gap --dir ./try", "redo is missing"],
    ["sandbox --scenario fleet --connectors 50", "many plan files at once"],
  ],
  run: loaded(async () => (await import("../session/sandbox.ts")).runSandbox),
});
