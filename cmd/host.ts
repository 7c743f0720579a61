import { userInfo } from "node:os";
import { createInterface } from "node:readline/promises";
import type { ConnectLimits, JmxLimits, KafkaLimits } from "../providers/limits.ts";
import { type ProcessOutput, processOutput } from "./output.ts";
import type { Rendered } from "./views/rendered.ts";

/**
 * What the process owns: arguments, environment, streams, clock. Passed to commands, so that a test can pass its own.
 */
export interface Host {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdout: Output;
  readonly stderr: Output;
  /** Whether the operator can be prompted: input and output are a terminal. */
  readonly interactive: boolean;
  ask(question: string): Promise<string>;
  /** Name that is recorded as the operator: `CDCCTL_OPERATOR`, or the user of the operating system. */
  readonly operator: string;
  /**
   * Aborted by the first Ctrl-C or SIGTERM; the second ends the process at once. The handler is installed when the
   * signal is first read: a read-only command never reads it, and is ended by the first.
   */
  readonly interrupt: AbortSignal;
  /** Time limits for calls in tests, in place of the providers' own. */
  readonly patience?: Patience;
  /** Writes commands to the runner of a pipeline, which other output must not hold. */
  readonly annotate?: (commands: Rendered) => void;
  /** Reports calls to systems, with `--verbose`. */
  readonly trace?: Trace;
  /** Standard input and output for binary data: frames of a worker. */
  readonly bytes?: ByteStreams;
  /** Threads that a test uses for a verification of any size. The program starts its own for large ones. */
  readonly threads?: ThreadsGiven;
}

/** The streams between this process and its driver. */
export interface ByteStreams {
  readonly input: AsyncIterable<Uint8Array>;
  /** Resolves when the bytes may be used again. */
  write(bytes: Uint8Array): Promise<void>;
}

/** Reports calls to systems (`--verbose`), a line each. */
export interface Trace {
  /** @returns a port that reports each of its calls, under the name of its system */
  port<P extends object>(system: "connect" | "kafka" | "oracle" | "jmx" | "metrics", port: P): P;
  /** Reports what was measured elsewhere: a request, or a call in a thread. */
  line(text: string): void;
}

/** Threads that a test starts where the program would not. */
export interface ThreadsGiven {
  /** The built thread. */
  readonly module: URL;
  readonly from: number;
}

/** Milliseconds. */
export interface Patience {
  readonly connect?: ConnectLimits;
  readonly kafka?: KafkaLimits;
  readonly jmx?: JmxLimits;
  /** How long an unanswered PATCH is sent again. */
  readonly patch?: number;
  /** How long to look for a signal that may still arrive. */
  readonly signal?: number;
}

export interface Output {
  /**
   * Takes only text made by a view or by `views/rendered.ts`, where every value from outside is escaped within one
   * line.
   */
  write(text: Rendered): void;
  readonly colour: boolean;
  /** Undefined when it is not a terminal. */
  readonly columns: number | undefined;
}

/** Text options for an output: colour, and the width where it is a terminal. */
export function textOptions({ colour, columns }: Output): { readonly colour: boolean; readonly width?: number } {
  return { colour, ...(columns === undefined ? {} : { width: columns }) };
}

export const VERSION = process.env["CDCCTL_VERSION"] ?? "development";

/** The host of the running process. Its outputs report failed writes at the end. */
export function processHost(): Host & { readonly stdout: ProcessOutput; readonly stderr: ProcessOutput } {
  let interrupt: AbortSignal | undefined;
  const { env } = process;
  const output = (stream: NodeJS.WriteStream, fd: 1 | 2): Output & ProcessOutput => ({
    ...processOutput(stream, fd),
    colour: stream.isTTY === true && (env["NO_COLOR"] ?? "") === "" && env["TERM"] !== "dumb",
    columns: stream.isTTY === true ? stream.columns : undefined,
  });
  return {
    argv: process.argv.slice(2),
    env,
    stdout: output(process.stdout, 1),
    stderr: output(process.stderr, 2),
    interactive: process.stdin.isTTY === true && process.stdout.isTTY === true,
    async ask(question) {
      const terminal = createInterface({ input: process.stdin, output: process.stdout });
      const gone = new Promise<string>((resolve) => terminal.once("close", () => resolve("")));
      try {
        // Ctrl-C and Ctrl-D count as "no".
        const answer = await Promise.race([terminal.question(question).catch(() => ""), gone]);
        if (answer === "") process.stdout.write("\n");
        return answer;
      } finally {
        terminal.close();
      }
    },
    operator: operator(env),
    get bytes() {
      return {
        input: process.stdin,
        write: (bytes: Uint8Array) =>
          new Promise<void>((resolve, reject) =>
            process.stdout.write(bytes, (error) => (error == null ? resolve() : reject(error))),
          ),
      };
    },
    get interrupt() {
      interrupt ??= interruptOf(process);
      return interrupt;
    },
  };
}

function operator(env: NodeJS.ProcessEnv): string {
  const named = env["CDCCTL_OPERATOR"]?.trim();
  if (named !== undefined && named !== "") return named;
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? "unknown"}`;
  }
}

function interruptOf(owner: NodeJS.Process): AbortSignal {
  const controller = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    owner.on(signal, () => {
      if (controller.signal.aborted) owner.exit(signal === "SIGINT" ? 130 : 143);
      controller.abort();
    });
  }
  return controller.signal;
}
