import { command, group } from "../command.ts";
import {
  contextPositional,
  contextsInitOptions,
  contextsListOptions,
  contextsTestOptions,
} from "../options/contexts.ts";
import { loaded } from "./loaded.ts";

const list = command({
  usage: "list",
  describe: "List every context of the contexts file; resolves no references, contacts no system",
  options: contextsListOptions,
  examples: [["list", "all contexts"]],
  run: loaded(async () => (await import("../session/contexts.ts")).listContexts),
});

const show = command({
  usage: "show <context>",
  describe: "Show one context: URLs, brokers, JMX hosts, connectors with their own configuration; no secrets",
  positionals: { context: { ...contextPositional.context, demandOption: true } },
  options: contextsListOptions,
  examples: [["show prod", "one context"]],
  run: loaded(async () => (await import("../session/contexts.ts")).listContexts),
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
  run: loaded(async () => (await import("../session/contexts-test.ts")).testContexts),
});

const init = command({
  usage: "init",
  describe: "Write a commented contexts file to the default location; never overwrites an existing file",
  options: contextsInitOptions,
  examples: [
    ["init", "start a contexts file"],
    ["init --contexts ./contexts.yaml", "to another location"],
  ],
  run: loaded(async () => (await import("../session/contexts.ts")).initContexts),
});

export const contexts = group("contexts <command>", "List, show, test and create the contexts of the contexts file", [
  list,
  show,
  test,
  init,
]);
