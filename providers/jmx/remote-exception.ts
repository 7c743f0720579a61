import { escapeTerminal } from "../../core/values/escape.ts";
import { truncate } from "../../core/values/truncate.ts";
import { isObject, type JavaObject, type JavaValue } from "./java-graph.ts";

/** An exception that the JVM threw, from the outermost to the root cause. Never empty. */
export type ExceptionChain = readonly JavaException[];

export interface JavaException {
  readonly className: string;
  readonly message: string;
}

/** The fields in which exceptions of RMI and JMX keep the wrapped one. */
const WRAPPED = ["cause", "detail", "exception", "runtimeException", "error", "target", "undeclaredThrowable"];
const LONGEST_CHAIN = 10;
const LONGEST_TEXT = 300;

export function exceptionChain(thrown: JavaValue): ExceptionChain {
  const chain: JavaException[] = [];
  const met = new Set<JavaValue>();
  let at: JavaValue | undefined = thrown;
  while (isObject(at) && !met.has(at) && chain.length < LONGEST_CHAIN) {
    met.add(at);
    const message = at.fields.get("detailMessage");
    chain.push({ className: textOfJvm(at.class.name), message: typeof message === "string" ? textOfJvm(message) : "" });
    at = wrappedIn(at);
  }
  return chain.length > 0 ? chain : [{ className: "an unknown exception", message: "" }];
}

/** Most exceptions without a cause name themselves as their cause. */
function wrappedIn(thrown: JavaObject): JavaValue | undefined {
  return WRAPPED.map((name) => thrown.fields.get(name)).find((value) => isObject(value) && value !== thrown);
}

/** Text from the JVM, escaped for a message. */
export function textOfJvm(text: string): string {
  return escapeTerminal(truncate(text, LONGEST_TEXT));
}

/** Whether one exception of the chain has this class. */
export function has(chain: ExceptionChain, className: string): boolean {
  return chain.some((one) => one.className === className);
}

/** The last message in the chain: the root cause. */
export function rootText(chain: ExceptionChain): string {
  const root = chain.findLast(({ message }) => message !== "") ?? chain[chain.length - 1];
  return root === undefined || root.message === "" ? (root?.className ?? "") : `${root.className}: ${root.message}`;
}
