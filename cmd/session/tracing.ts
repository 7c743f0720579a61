import { CallFailed } from "../../core/errors.ts";
import { showCount } from "../../core/values/amounts.ts";
import type { Host, Output, Trace } from "../host.ts";
import { sayLine } from "../screen.ts";
import { clip } from "../views/layout.ts";

/**
 * `--verbose`: each call to Connect, to the brokers, to Oracle and to JMX is one line on standard error: what was
 * asked, how long it took, how it came out. Of its arguments only the name of a connector or topic is told, and of a
 * failure only its kind: configurations, records and messages may hold what nobody should read.
 *
 * @param now milliseconds, of a clock that never goes back
 */
export function tracing(output: Output, now: () => number = () => performance.now()): Trace {
  return (system, port) =>
    new Proxy(port, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== "function" || typeof name !== "string" || name === "close") return member;
        return (...args: readonly unknown[]) => {
          const began = now();
          const [of] = args;
          const asked = `${system} ${name}${hasNames(system) && typeof of === "string" ? ` ${clip(of, 200)}` : ""}`;
          const tell = (outcome: string): void =>
            sayLine(output, `${asked}  ${showCount(Math.round(now() - began))} ms  ${outcome}`);
          const answer: unknown = Reflect.apply(member, target, args);
          if (answer instanceof Promise) {
            answer.then(
              () => tell("answered"),
              (error: unknown) => tell(error instanceof CallFailed ? error.kind : "failed"),
            );
          } else if (isStream(answer)) tell("reading");
          return answer;
        };
      },
    });
}

/** The port as it is, or one that tells its calls where that is asked for. */
export function traced<P extends object>({ trace }: Pick<Host, "trace">, system: System, port: P): P {
  return trace === undefined ? port : trace(system, port);
}

type System = Parameters<Trace>[0];

/** Whose calls begin with the name of a connector or topic. */
function hasNames(system: System): boolean {
  return system === "connect" || system === "kafka";
}

function isStream(answer: unknown): boolean {
  return typeof answer === "object" && answer !== null && Symbol.asyncIterator in answer;
}
