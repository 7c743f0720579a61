import { CallFailed } from "../../core/errors.ts";
import { showCount } from "../../core/values/amounts.ts";
import type { RequestSeen } from "../../providers/connect/connect.ts";
import type { Host, Trace } from "../host.ts";
import { trunc } from "../views/layout.ts";

/**
 * `--verbose`: reports each call to Connect, the brokers, Oracle, JMX and a metrics exporter in one line: the call, its
 * duration, its outcome. Of the arguments, a line has only the name of a connector or topic, and of a failure only its
 * kind: configurations, records and messages may hold secrets.
 *
 * @param line takes a line
 * @param now milliseconds, of a monotonic clock
 */
export function tracing(line: (text: string) => void, now: () => number = () => performance.now()): Trace {
  const port: Trace["port"] = (system, target) =>
    new Proxy(target, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== "function" || typeof name !== "string" || name === "close") return member;
        return (...args: readonly unknown[]) => {
          const began = now();
          const [subject] = args;
          const hasNames = system === "connect" || system === "kafka";
          const named = hasNames && typeof subject === "string" ? ` ${trunc(subject, 200)}` : "";
          const request = `${system} ${name}${named}`;
          const log = (outcome: string): void =>
            line(`${request}  ${showCount(Math.round(now() - began))} ms  ${outcome}`);
          const answer: unknown = Reflect.apply(member, target, args);
          if (answer instanceof Promise) {
            answer.then(
              () => log("answered"),
              (error: unknown) => log(failureOf(error)),
            );
          } else if (isStream(answer)) return read(answer, log);
          return answer;
        };
      },
    });
  return { port, line };
}

/**
 * `--verbose`: one HTTP request to Connect, with the status that answered it, or why none did. A call makes several
 * where it retries.
 *
 * @returns undefined without `--verbose`
 */
export function tracedRequests({ trace }: Pick<Host, "trace">): ((seen: RequestSeen) => void) | undefined {
  if (trace === undefined) return undefined;
  return ({ method, path, millis, outcome }) =>
    trace.line(`connect ${method} ${trunc(path, 200)}  ${showCount(Math.round(millis))} ms  ${trunc(outcome, 40)}`);
}

/** The port itself, or with `--verbose` one that logs its calls. */
export function traced<P extends object>({ trace }: Pick<Host, "trace">, system: System, port: P): P {
  return trace === undefined ? port : trace.port(system, port);
}

type System = Parameters<Trace["port"]>[0];

function failureOf(error: unknown): string {
  return error instanceof CallFailed ? error.kind : "failed";
}

/** Passes a stream on, and reports it when it ends, fails, or is not read further. */
async function* read(stream: AsyncIterable<unknown>, log: (outcome: string) => void): AsyncIterable<unknown> {
  let outcome = "stopped";
  try {
    yield* stream;
    outcome = "answered";
  } catch (error) {
    outcome = failureOf(error);
    throw error;
  } finally {
    log(outcome);
  }
}

function isStream(answer: unknown): answer is AsyncIterable<unknown> {
  return typeof answer === "object" && answer !== null && Symbol.asyncIterator in answer;
}
