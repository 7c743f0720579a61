import { command, EXIT, group } from "../command.ts";
import {
  contextPositional,
  contextsInitOptions,
  contextsListOptions,
  contextsTestOptions,
} from "../options/contexts.ts";

const list = command({
  usage: "list",
  describe: "List every context of the contexts file; resolves no references, contacts no system",
  options: contextsListOptions,
  examples: [["list", "all contexts"]],
  async run(args, host) {
    const { listContexts } = await import("../session/contexts.ts");
    await listContexts(undefined, args, host);
    return EXIT.done;
  },
});

const show = command({
  usage: "show <context>",
  describe: "Show one context: URLs, brokers, JMX hosts, connectors with their own configuration; no secrets",
  positionals: { context: { ...contextPositional.context, demandOption: true } },
  options: contextsListOptions,
  examples: [["show prod", "one context"]],
  async run(args, host) {
    const { listContexts } = await import("../session/contexts.ts");
    await listContexts(args.context, args, host);
    return EXIT.done;
  },
});

const test = command({
  usage: "test [context]",
  describe:
    "Try every system of a context, or of all: Connect, brokers, Oracle, JMX; one login attempt each; exit 1 when " +
    "something required fails",
  positionals: contextPositional,
  options: contextsTestOptions,
  examples: [
    ["test prod", "before you need it"],
    ["test prod --connector orders-cdc --format json", "for a pipeline, and one connector"],
  ],
  async run(args, host) {
    const { testContexts } = await import("../session/contexts-test.ts");
    return testContexts(args.context, args, host);
  },
});

const init = command({
  usage: "init",
  describe: "Write a commented contexts file to the default location; never overwrites an existing file",
  options: contextsInitOptions,
  examples: [
    ["init", "start a contexts file"],
    ["init --contexts ./contexts.yaml", "to another location"],
  ],
  async run(args, host) {
    const { initContexts } = await import("../session/contexts.ts");
    await initContexts(args, host);
    return EXIT.done;
  },
});

export const contexts = group("contexts <command>", "List, show, test and create the contexts of the contexts file", [
  list,
  show,
  test,
  init,
]);
