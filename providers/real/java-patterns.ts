import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { endWithUs } from "./end-with-us.ts";

/** `Pattern.CASE_INSENSITIVE`. */
export const IGNORING_CASE = 2;

/** The result of a pattern in Java. */
export type JavaAnswer =
  | { readonly refused: string }
  /** Whether it matches each name; undefined if Java did not finish or its stack overflowed. */
  | { readonly verdicts: readonly (boolean | undefined)[] };

export interface JavaPatterns {
  readonly version: string;
  /** Questions are answered in order, and may be asked concurrently. */
  ask(pattern: string, flags: number, names: readonly string[]): Promise<JavaAnswer>;
  stop(): Promise<void>;
}

/** Starts a JVM that compiles and matches patterns. Its source is compiled at the start. */
export async function startJavaPatterns(): Promise<JavaPatterns> {
  const source = join(import.meta.dirname, "patterns", "Patterns.java");
  const child = spawn("java", ["-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", source], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  endWithUs(child);
  const gone = once(child, "exit");
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const line = async (): Promise<string> => {
    const { value, done } = await lines.next();
    if (done) throw new Error("the JVM has ended");
    return value;
  };
  const version = await line();
  let before: Promise<unknown> = Promise.resolve();
  return {
    version,
    ask(pattern, flags, names) {
      child.stdin.write(`${[String(flags), ...[pattern, ...names].map(hexadecimal)].join(" ")}\n`);
      const answer = before.then(line).then(answerOf);
      before = answer;
      return answer;
    },
    async stop() {
      child.ref();
      child.stdin.end();
      await gone;
    },
  };
}

function answerOf(line: string): JavaAnswer {
  if (line.startsWith("refused")) return { refused: line.slice(8) };
  return { verdicts: Array.from(line, (c) => (c === "E" ? undefined : c === "1")) };
}

function hexadecimal(text: string): string {
  return `x${Array.from({ length: text.length }, (_, i) => text.charCodeAt(i).toString(16).padStart(4, "0")).join("")}`;
}
