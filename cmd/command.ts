import type { InferredOptionTypes, Options } from "yargs";
import type { Host } from "./host.ts";

/** One command: what it is called, what it takes, and what it does. Light to load; `run` imports what it needs. */
export interface Command {
  /** `plan <files..>`, as yargs reads it. */
  readonly usage: string;
  readonly describe: string;
  readonly options: Readonly<Record<string, Options>>;
  readonly positionals: Readonly<Record<string, Options>>;
  /** A command line from the command's own name on, and what it is for. */
  readonly examples: readonly (readonly [string, string])[];
  /** Subcommands, where it is only a group of them. */
  readonly commands: readonly Command[];
  /** Takes `words` verbatim, options included. Hidden from the help. */
  readonly verbatim?: boolean;
  run(args: Readonly<Record<string, unknown>>, host: Host): Promise<number>;
}

export function command<
  O extends Readonly<Record<string, Options>>,
  P extends Readonly<Record<string, Options>>,
>(definition: {
  readonly usage: string;
  readonly describe: string;
  readonly options?: O;
  readonly positionals?: P;
  readonly examples: readonly (readonly [string, string])[];
  readonly run: (args: InferredOptionTypes<O> & InferredOptionTypes<P>, host: Host) => Promise<number>;
}): Command {
  return {
    options: {},
    positionals: {},
    commands: [],
    ...definition,
    run: (args, host) => definition.run(args as InferredOptionTypes<O> & InferredOptionTypes<P>, host),
  };
}

export function group(usage: string, describe: string, commands: readonly Command[]): Command {
  const examples = commands.flatMap((one) =>
    one.examples.slice(0, 1).map(([line, what]) => [`${nameOf({ usage })} ${line}`, what] as const),
  );
  return { usage, describe, options: {}, positionals: {}, examples, commands, run: async () => 0 };
}

/** `plan` of `plan <files..>`. */
export function nameOf({ usage }: Pick<Command, "usage">): string {
  return usage.split(" ")[0] ?? usage;
}

export const EXIT = {
  done: 0,
  refused: 1,
  /** Only with `--detailed-exitcode`. */
  somethingToChange: 2,
  unfinished: 3,
  usage: 64,
  bug: 70,
} as const;
