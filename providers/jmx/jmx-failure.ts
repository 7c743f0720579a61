import { CallFailed, type Failure } from "../../core/errors.ts";
import { escapeTerminal } from "../../core/values/escape.ts";
import { truncate } from "../../core/values/truncate.ts";
import { GraphProblem, isObject, type JavaObject, type JavaValue, SenderAborted } from "./java-graph.ts";
import { type Address, Broken, NotJrmp, printAddress } from "./remote-call.ts";

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

type Why = Omit<Failure, "system">;

export function jmxFailure(failure: Why): CallFailed {
  return new CallFailed("jmx", failure.kind, failure);
}

/** The JVM processed the call and threw. */
export class RemoteException extends Error {
  override readonly name = "RemoteException";
  readonly chain: ExceptionChain;

  constructor(chain: ExceptionChain) {
    super(rootText(chain));
    this.chain = chain;
  }
}

const JMX_PORT =
  "Check that this is the port of com.sun.management.jmxremote.port; a worker's REST API (8083) and a broker " +
  "(9092) are something else.";

/**
 * Describes an address where no JVM connection could be established. The remedy that depends on the source of the
 * address is left to the caller.
 */
export function noConnection(error: unknown, at: Address, tls: boolean): Why {
  if (error instanceof NotJrmp) return notJrmp(error.received, printAddress(at));
  if (!(error instanceof Broken)) throw error;
  return { ...whyBroken(error, at, tls), code: error.code || undefined, cause: error.cause };
}

function whyBroken(error: Broken, address: Address, tls: boolean): Why {
  const where = printAddress(address);
  if (error.by === "timeout")
    return {
      kind: "unreachable",
      message: `${where} did not answer in time; a firewall drops the connection, or it is not a JMX port`,
      remedy: `Check host and port, and firewalls in between. ${JMX_PORT}`,
    };
  const network = NETWORK[error.code];
  if (network !== undefined && !error.established)
    return {
      kind: "unreachable",
      message: network(where, address.host),
      remedy: "Check that the worker runs with JMX enabled, and check host and port.",
    };
  if (tls) return noTls(error, where);
  return {
    kind: "unreachable",
    message: `${where} closed the connection without an answer`,
    remedy: `Check whether it requires TLS. ${JMX_PORT}`,
  };
}

const NETWORK: Readonly<Record<string, (where: string, host: string) => string>> = {
  ECONNREFUSED: (where) => `connection refused by ${where}`,
  ENOTFOUND: (_, host) => `the host name ${host} can't be resolved`,
  EAI_AGAIN: (_, host) => `the host name ${host} can't be resolved at the moment`,
  EHOSTUNREACH: (where) => `no route to ${where}`,
  ENETUNREACH: (where) => `no route to ${where}`,
  ETIMEDOUT: (where) => `${where} did not answer in time`,
  EADDRNOTAVAIL: (where) => `no route to ${where}`,
};

const TLS_ALERT = 0x15;

function notJrmp(received: Buffer, where: string): Why {
  if (received[0] === TLS_ALERT)
    return {
      kind: "unreachable",
      message: `${where} speaks TLS, but was contacted without it`,
      remedy: "Set TLS for this registry (com.sun.management.jmxremote.registry.ssl=true on the worker).",
    };
  const text = escapeTerminal(received.toString("latin1", 0, 20).split(/[\r\n]/)[0] ?? "");
  const what = text.startsWith("HTTP/") ? "is an HTTP server" : `answered "${text}"`;
  return { kind: "protocol", message: `${where} ${what}, not a JMX port`, remedy: JMX_PORT };
}

function noTls({ code, message }: Broken, where: string): Why {
  const why = /:SSL routines:[^:]*:([^:]+):/.exec(message)?.[1] ?? message.split("\n")[0] ?? "";
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID")
    return {
      kind: "unreachable",
      message: `the TLS certificate of ${where} is for another host name`,
      remedy:
        "Use the host name in the certificate (java.rmi.server.hostname on the worker), or have the " +
        "certificate issued for this host; only if neither is possible, set jmx.tls.checkHost: false.",
    };
  if (/^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_|CERT_|INVALID_)/.test(code))
    return {
      kind: "unreachable",
      message: `the TLS certificate of ${where} is not accepted: ${why}`,
      remedy: "Add the authority that signed it to a trust store (JKS, PKCS12 or PEM).",
    };
  if (/ALERT/.test(code) || /alert|certificate/i.test(why))
    return {
      kind: "unauthorized",
      message: `${where} refused the TLS handshake: ${why}`,
      remedy:
        "Provide the client certificate that the JVM requires in a key store " +
        "(com.sun.management.jmxremote.ssl.need.client.auth).",
    };
  return {
    kind: "unreachable",
    message: `no TLS session with ${where}: ${why === "" ? "it closed the connection" : why}`,
    remedy: `Check whether it speaks TLS, and whether it requires a client certificate. ${JMX_PORT}`,
  };
}

/** Describes a failed call to a connected JVM. @param doing `read … at worker-1:9999` */
export function callFailure(error: unknown, doing: string): CallFailed {
  if (error instanceof CallFailed) return error;
  if (error instanceof RemoteException) return thrown(error, doing);
  if (error instanceof SenderAborted)
    return jmxFailure({
      kind: "rejected",
      message: `could not ${doing}: the JVM could not write its answer (${rootText(exceptionChain(error.exception))})`,
      remedy: "Check the connector's version: the MBean returns an object that can't be serialized.",
    });
  if (error instanceof GraphProblem)
    return jmxFailure({
      kind: error.kind === "unsupported" ? "unsupported" : "protocol",
      message: `could not ${doing}: the answer can't be read, ${error.message}`,
      remedy:
        error.kind === "unsupported"
          ? "Check that the MBean belongs to the connector, and that cdcctl supports its version."
          : "Check that this is the worker's own JMX port, without a proxy that changes the traffic.",
    });
  if (error instanceof Broken)
    return jmxFailure({
      kind: error.by === "timeout" ? "timeout" : "lost",
      message:
        `could not ${doing}: ` +
        `${error.by === "timeout" ? "no answer in time" : "the connection broke during the answer"}`,
      remedy: "Retry; if the error persists, check the worker's load and the network in between.",
      code: error.code || undefined,
      cause: error,
    });
  throw error;
}

/** The meaning of an exception's class; the first matching row of the chain is used. */
const EXCEPTIONS: Readonly<Record<string, (text: string) => Why>> = {
  "java.lang.SecurityException": (text) => ({
    kind: "forbidden",
    message: `the login lacks the permission (${text})`,
    remedy: "Grant the login readonly access in the worker's jmxremote.access file.",
  }),
  "javax.management.MalformedObjectNameException": (text) => ({
    kind: "rejected",
    message: text,
    remedy: "Check the domain of the task's MBean.",
  }),
  "java.io.InvalidClassException": (text) => ({
    kind: "rejected",
    message: `the JVM rejected the call (${text})`,
    remedy:
      "Check jdk.serialFilter and sun.rmi.registry.registryFilter: its serial filter rejects what every JMX client " +
      "sends.",
  }),
};

const otherwise = (text: string): Why => ({
  kind: "rejected",
  message: `the JVM threw ${text}`,
  remedy: "See the worker's log; check its Java version and agents.",
});

function thrown(error: RemoteException, doing: string): CallFailed {
  const { chain } = error;
  const [, why = otherwise] = Object.entries(EXCEPTIONS).find(([className]) => has(chain, className)) ?? [];
  const { message, ...rest } = why(rootText(chain));
  return jmxFailure({ ...rest, message: `could not ${doing}: ${message}`, cause: error });
}
