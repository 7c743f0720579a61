import type { Command } from "../command.ts";
import type { Host } from "../host.ts";
import type { Program } from "../main.ts";
import type { Flags, runOutputOptions } from "../options/common.ts";
import type { ChangeHost } from "../session/machine-output.ts";

/** What a command does, by a module that is loaded once it is run. */
export function loaded<A>(load: () => Promise<(args: A, host: Host) => Promise<number>>) {
  return async (args: A, host: Host): Promise<number> => (await load())(args, host);
}

/** The same of a command that changes something: it reports as `--format` and `--events` say. */
export function changing<A extends Flags<typeof runOutputOptions>>(
  load: () => Promise<(args: A, host: ChangeHost) => Promise<number>>,
) {
  return async (args: A, host: Host): Promise<number> => {
    const [{ reporting }, act] = await Promise.all([import("../session/machine-output.ts"), load()]);
    return reporting(args, host, (reporter) => act(args, reporter));
  };
}

/** A command as a program of its own. @param codes exit codes between 0 and 64 */
export function script(name: string, command: Command, codes: string): Program {
  const epilogue = `Exit codes: 0 done, ${codes}, 64 usage or configuration.`;
  return { name, describe: command.describe, commands: [], sole: command, epilogue };
}
