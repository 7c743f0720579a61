import { command, EXIT } from "../command.ts";
import { documentText } from "../views/rendered.ts";

export const completion = command({
  usage: "completion <shell>",
  describe: "Print the tab completion script of a shell",
  positionals: { shell: { choices: ["bash", "zsh", "fish"] as const, demandOption: true, describe: "The shell" } },
  examples: [
    ["completion bash >> ~/.bashrc", "bash"],
    ["completion zsh > ~/.zfunc/_cdcctl", "zsh"],
    ["completion fish > ~/.config/fish/completions/cdcctl.fish", "fish"],
  ],
  async run(args, host) {
    const { completionScript } = await import("../session/completion-script.ts");
    host.stdout.write(documentText(completionScript(args.shell)));
    return EXIT.done;
  },
});
