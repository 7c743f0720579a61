import { type Command, command, EXIT } from "../command.ts";
import type { Program } from "../main.ts";
import { documentText } from "../views/rendered.ts";

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
