import { type Command, command, EXIT } from "../command.ts";
import type { Program } from "../main.ts";
import { text } from "../options/common.ts";
import { schemaOptions, schemaPositional } from "../options/schema.ts";
import { documentText, textOf } from "../views/rendered.ts";
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

export const schema = command({
  usage: "schema <kind>",
  describe: "Print the JSON Schema of a document or output",
  positionals: schemaPositional,
  options: schemaOptions,
  examples: [
    ["schema OffsetChange > offset-change.json", "for an editor or a linter"],
    ["schema --path OffsetChange", "the installed path"],
  ],
  async run(args, host) {
    const { schemaPath, schemaText } = await import("../session/schemas.ts");
    host.stdout.write(documentText(args.path ? `${schemaPath(args.kind)}\n` : await schemaText(args.kind)));
    return EXIT.done;
  },
});

export function completion(programs: () => readonly Program[]): Command {
  return command({
    usage: "completion <shell>",
    describe: "Print the tab completion script of a shell, for all programs",
    positionals: { shell: { choices: ["bash", "zsh", "fish"] as const, demandOption: true, describe: "The shell" } },
    examples: [
      ["completion bash >> ~/.bashrc", "bash"],
      ["completion zsh > ~/.zfunc/_cdcctl", "zsh"],
      ["completion fish > ~/.config/fish/conf.d/cdcctl.fish", "fish"],
    ],
    async run(args, host) {
      const { completionScript } = await import("../session/completion-script.ts");
      const names = programs().map(({ name }) => name);
      host.stdout.write(documentText(completionScript(args.shell, names)));
      return EXIT.done;
    },
  });
}

/**
 * Prints the words that complete an unfinished command line, one per line; the completion scripts call it. The command
 * line may begin with the name of a program; the default is `cdcctl`.
 */
export function completer(programs: () => readonly Program[]): Command {
  return {
    usage: "complete [words..]",
    describe: "",
    options: {},
    positionals: { words: { type: "string", array: true } },
    examples: [],
    commands: [],
    verbatim: true,
    async run(args, host) {
      const { completions } = await import("../session/completions.ts");
      const words = ((args["words"] ?? []) as readonly string[]).map(String);
      host.stdout.write(textOf(await completions(words[0] === "--" ? words.slice(1) : words, programs(), host)));
      return EXIT.done;
    },
  };
}
