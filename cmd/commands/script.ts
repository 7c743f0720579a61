import type { Command } from "../command.ts";
import type { Program } from "../main.ts";

/** A command as a program of its own. @param codes exit codes between 0 and 64 */
export function script(name: string, command: Command, codes: string): Program {
  const epilogue = `Exit codes: 0 done, ${codes}, 64 usage or configuration.`;
  return { name, describe: command.describe, commands: [], sole: command, epilogue };
}
