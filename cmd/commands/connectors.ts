import { command, group } from "../command.ts";
import {
  connectorsListOptions,
  connectorsShowOptions,
  controlOptions,
  namePositional,
  restartOptions,
} from "../options/connectors.ts";
import { changing, loaded } from "./loaded.ts";

const list = command({
  usage: "list",
  describe:
    "Every CDC connector of the workers, and every legacy one: state, position, lag, unsettled runs, " +
    "runs in flight on other machines",
  options: connectorsListOptions,
  examples: [["list --context prod", "status of all connectors"]],
  run: loaded(async () => (await import("../session/connectors.ts")).listConnectors),
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
  run: loaded(async () => (await import("../session/connectors.ts")).showConnector),
});

const stop = command({
  usage: "stop <name>",
  describe: "Stop a connector, wait until it is STOPPED and its offset no longer changes",
  positionals: namePositional,
  options: controlOptions,
  examples: [["stop orders-cdc --context prod --reason maintenance --ticket CHG-4711", "who and why, for everybody"]],
  run: changing(async () => (await import("../session/controlling.ts")).controlling("stop")),
});

const resume = command({
  usage: "resume <name>",
  describe: "Start a connector that is STOPPED or PAUSED, wait until its tasks run; checks its stored offset first",
  positionals: namePositional,
  options: controlOptions,
  examples: [["resume orders-cdc --context prod", "after it was stopped"]],
  run: changing(async () => (await import("../session/controlling.ts")).controlling("resume")),
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
  run: changing(async () => (await import("../session/controlling.ts")).controlling("restart")),
});

export const connectors = group(
  "connectors <command>",
  "Show, stop, resume and restart connectors, with the credentials of a context",
  [list, show, stop, resume, restart],
);
