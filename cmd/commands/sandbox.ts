import { command } from "../command.ts";

export const sandbox = command({
  usage: "sandbox",
  describe: "Run Connect, Kafka and Oracle on loopback to try cdcctl; stop with Ctrl-C",
  options: {
    scenario: {
      type: "string",
      requiresArg: true,
      default: "orders",
      describe: "Scenario to run; `--scenario list` lists them",
    },
    connectors: {
      type: "string",
      requiresArg: true,
      describe: "With --scenario fleet: number of connectors (default: 3)",
    },
    dir: {
      type: "string",
      requiresArg: true,
      describe: "Where to write plan files and the contexts file (default: a new folder)",
    },
  },
  examples: [
    ["sandbox", "prints commands to try"],
    ["sandbox --scenario gap --dir ./try", "redo is missing"],
    ["sandbox --scenario fleet --connectors 50", "many plan files at once"],
  ],
  async run(args, host) {
    const { runSandbox } = await import("../session/sandbox.ts");
    return runSandbox(args, host);
  },
});
