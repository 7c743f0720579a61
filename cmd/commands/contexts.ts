import { command, EXIT, group } from "../command.ts";
import {
  contextPositional,
  contextsInitOptions,
  contextsListOptions,
  contextsTestOptions,
} from "../options/contexts.ts";

const list = command({
  usage: "list",
  describe: "Every context of the contexts file; no reference is resolved, and nothing is asked",
  options: contextsListOptions,
  examples: [["list", "which are there?"]],
  async run(args, host) {
    const { listContexts } = await import("../session/contexts.ts");
    await listContexts(undefined, args, host);
    return EXIT.done;
  },
});

const show = command({
  usage: "show <context>",
  describe: "One context: URLs, brokers, JMX hosts, connectors with a configuration of their own; no secret",
  positionals: { context: { ...contextPositional.context, demandOption: true } },
  options: contextsListOptions,
  examples: [["show prod", "what does it say?"]],
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
    ["test prod", "before it is needed"],
    ["test prod --connector orders-cdc --format json", "for a pipeline, and one connector"],
  ],
  async run(args, host) {
    const { testContexts } = await import("../session/contexts-test.ts");
    return testContexts(args.context, args, host);
  },
});

const init = command({
  usage: "init",
  describe: "Write a commented contexts file where it is looked for; never over an existing one",
  options: contextsInitOptions,
  examples: [
    ["init", "start a contexts file"],
    ["init --contexts ./contexts.yaml", "somewhere else"],
  ],
  async run(args, host) {
    const { initContexts } = await import("../session/contexts.ts");
    await initContexts(args, host);
    return EXIT.done;
  },
});

export const contexts = group("contexts <command>", "List, show, test and begin the contexts of the contexts file", [
  list,
  show,
  test,
  init,
]);
