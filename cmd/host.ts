import { userInfo } from "node:os";
import { createInterface } from "node:readline/promises";
import type { ConnectLimits } from "../providers/connect/connect.ts";
import type { JmxLimits } from "../providers/jmx/open-jmx.ts";
import type { KafkaLimits } from "../providers/kafka/open-kafka.ts";
import { type ProcessOutput, processOutput } from "./output.ts";
import type { Rendered } from "./views/rendered.ts";

/** Everything that the process owns. Commands get it handed to them, so that a test can hand them another. */
export interface Host {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdout: Output;
  readonly stderr: Output;
  /** Whether somebody can be asked: input and output are a terminal. */
  readonly interactive: boolean;
  ask(question: string): Promise<string>;
  /** Who is recorded as the operator: `CDCCTL_OPERATOR`, or the user of the operating system. */
  readonly operator: string;
  /**
   * Aborted by the first Ctrl-C or SIGTERM; the second ends the process at once. From the moment on that somebody asks
   * for it: a command that only looks never does, and is ended by the first.
   */
  readonly interrupt: AbortSignal;
  /** How long calls may take, where that is not the providers' own limits: a test has less time. */
  readonly patience?: Patience;
  /** Where the calls to systems are to be told. */
  readonly trace?: Trace;
  /** Standard input and output for bytes that are not text: frames of a worker. */
  readonly bytes?: ByteStreams;
  /** Threads for a verification of any size, by a test: the program has its own for large ones. */
  readonly threads?: ThreadsGiven;
}

/** What a driver writes to this process, and what it reads of it. */
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
  /** How long a signal that may be on its way is looked for. */
  readonly signal?: number;
}

export interface Output {
  /**
   * Takes only what a view, or one of the functions of `views/rendered.ts`, has made: there each value from outside
   * became a part of one line.
   */
  write(text: Rendered): void;
  readonly colour: boolean;
  /** Undefined when it is no terminal. */
  readonly columns: number | undefined;
}

/** How a view is to print for an output: coloured or not, and how wide where it is a terminal. */
export function textOptions({ colour, columns }: Output): { readonly colour: boolean; readonly width?: number } {
  return { colour, ...(columns === undefined ? {} : { width: columns }) };
}

export const VERSION = process.env["CDCCTL_VERSION"] ?? "development";

/** The process itself. What it could not write, its outputs know in the end. */
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
        // Ctrl-C and Ctrl-D are an answer too: no.
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
