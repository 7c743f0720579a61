import { command, group } from "../command.ts";
import {
  connectorsListOptions,
  connectorsShowOptions,
  controlOptions,
  namePositional,
  restartOptions,
} from "../options/connectors.ts";

const list = command({
  usage: "list",
  describe: "Every CDC connector of the workers, and every legacy one: state, position, lag, unsettled runs",
  options: connectorsListOptions,
  examples: [["list --context prod", "status of all connectors"]],
  async run(args, host) {
    const { listConnectors } = await import("../session/connectors.ts");
    return listConnectors(args, host);
  },
});

const show = command({
  usage: "show <name>",
  describe: "One connector: state, traces, position, lag, last change; exit 1 when it has failed",
  positionals: namePositional,
  options: connectorsShowOptions,
  examples: [
    ["show orders-cdc --context prod", "current status"],
    ["show orders-cdc --context prod --watch", "follow the status"],
  ],
  async run(args, host) {
    const { showConnector } = await import("../session/connectors.ts");
    return showConnector(args.name, args, host);
  },
});

const stop = command({
  usage: "stop <name>",
  describe: "Stop a connector, wait until it is STOPPED and its offset no longer changes",
  positionals: namePositional,
  options: controlOptions,
  examples: [["stop orders-cdc --context prod --reason CHG-4711", "before maintenance of its database"]],
  async run(args, host) {
    const { controlConnector } = await import("../session/controlling.ts");
    const { reporting } = await import("../session/machine-output.ts");
    return reporting(args, host, (reporter) => controlConnector("stop", args.name, args, reporter));
  },
});

const resume = command({
  usage: "resume <name>",
  describe: "Start a connector that is STOPPED or PAUSED, wait until its tasks run; checks its stored offset first",
  positionals: namePositional,
  options: controlOptions,
  examples: [["resume orders-cdc --context prod", "after it was stopped"]],
  async run(args, host) {
    const { controlConnector } = await import("../session/controlling.ts");
    const { reporting } = await import("../session/machine-output.ts");
    return reporting(args, host, (reporter) => controlConnector("resume", args.name, args, reporter));
  },
});

const restart = command({
  usage: "restart <name>",
  describe: "Restart the failed parts of a connector, wait until it runs; checks its stored offset first",
  positionals: namePositional,
  options: restartOptions,
  examples: [
    ["restart orders-cdc --context prod", "after the cause of the task failure is fixed"],
    ["restart orders-cdc --context prod --all", "even if nothing has failed"],
  ],
  async run(args, host) {
    const { controlConnector } = await import("../session/controlling.ts");
    const { reporting } = await import("../session/machine-output.ts");
    return reporting(args, host, (reporter) => controlConnector("restart", args.name, args, reporter));
  },
});

export const connectors = group(
  "connectors <command>",
  "Show, stop, resume and restart connectors, with the credentials of a context",
  [list, show, stop, resume, restart],
);
