import { CallFailed, type Failure } from "../../core/errors.ts";
import { escapeTerminal } from "../../core/values/escape.ts";
import { type Address, Broken, printAddress } from "./channel.ts";
import { GraphProblem, SenderGaveUp } from "./graph-problem.ts";
import { NotJrmp } from "./remote-call.ts";
import { type ExceptionChain, exceptionChain, has, rootText } from "./remote-exception.ts";

export function jmxFailure(failure: Omit<Failure, "system">): CallFailed {
  return new CallFailed({ system: "jmx", ...failure });
}

/** The JVM understood, and threw. */
export class RemoteException extends Error {
  override readonly name = "RemoteException";
  readonly chain: ExceptionChain;

  constructor(chain: ExceptionChain) {
    super(rootText(chain));
    this.chain = chain;
  }
}

type Why = Omit<Failure, "system">;

const JMX_PORT =
  "check that this is the port of com.sun.management.jmxremote.port; a worker's REST API (8083) and a broker " +
  "(9092) are something else";

/**
 * What is at an address where no connection to a JVM came about. Without the remedy that depends on who gave the
 * address out.
 */
export function noConnection(error: unknown, at: Address, tls: boolean): Why {
  const where = printAddress(at);
  if (error instanceof NotJrmp) return notJrmp(error.heard, where);
  if (!(error instanceof Broken)) throw error;
  const { by, code, established, cause } = error;
  if (by === "timeout")
    return {
      kind: "unreachable",
      message: `${where} did not answer in time; a firewall drops the connection, or it is no JMX port`,
      remedy: `check host and port, and firewalls between; ${JMX_PORT}`,
    };
  const network = NETWORK[code];
  if (network !== undefined && !established)
    return {
      kind: "unreachable",
      message: network(where, at.host),
      code,
      remedy: "check that the worker runs with JMX on, and host and port",
      cause,
    };
  if (tls) return noTls(error, where);
  return {
    kind: "unreachable",
    message: `${where} closed the connection without an answer`,
    remedy: `it may want TLS; ${JMX_PORT}`,
    ...(code === "" ? {} : { code }),
    cause,
  };
}

const NETWORK: Readonly<Record<string, (where: string, host: string) => string>> = {
  ECONNREFUSED: (where) => `connection refused by ${where}`,
  ENOTFOUND: (_, host) => `the host name ${host} is not known`,
  EAI_AGAIN: (_, host) => `the host name ${host} can't be looked up now`,
  EHOSTUNREACH: (where) => `no way to ${where}`,
  ENETUNREACH: (where) => `no way to ${where}`,
  ETIMEDOUT: (where) => `${where} did not answer in time`,
  EADDRNOTAVAIL: (where) => `no way to ${where}`,
};

const TLS_ALERT = 0x15;

function notJrmp(heard: Buffer, where: string): Why {
  if (heard[0] === TLS_ALERT)
    return {
      kind: "unreachable",
      message: `${where} speaks TLS, and was spoken to without`,
      remedy: "set TLS for this registry (com.sun.management.jmxremote.registry.ssl=true on the worker)",
    };
  const said = escapeTerminal(heard.toString("latin1", 0, 20).split(/[\r\n]/)[0] ?? "");
  const what = said.startsWith("HTTP/") ? "is an HTTP server" : `answered "${said}"`;
  return { kind: "protocol", message: `${where} ${what}, not a JMX port`, remedy: JMX_PORT };
}

function noTls({ code, message, cause }: Broken, where: string): Why {
  const why = /:SSL routines:[^:]*:([^:]+):/.exec(message)?.[1] ?? message.split("\n")[0] ?? "";
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID")
    return {
      kind: "unreachable",
      message: `the TLS certificate of ${where} is for another host name`,
      code,
      remedy:
        "name the host that the certificate is made out to (java.rmi.server.hostname on the worker), or have the " +
        "certificate issued for this host; only where neither can be done, set jmx.tls.checkHost: false",
      cause,
    };
  if (/^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_|CERT_|INVALID_)/.test(code))
    return {
      kind: "unreachable",
      message: `the TLS certificate of ${where} is not accepted: ${why}`,
      code,
      remedy: "give the authority that signed it in a trust store (JKS, PKCS12 or PEM)",
      cause,
    };
  if (/ALERT/.test(code) || /alert|certificate/i.test(why))
    return {
      kind: "unauthorized",
      message: `${where} refused the TLS hand-shake: ${why}`,
      code,
      remedy:
        "give the client certificate that the JVM wants in a key store " +
        "(com.sun.management.jmxremote.ssl.need.client.auth)",
      cause,
    };
  return {
    kind: "unreachable",
    message: `no TLS session with ${where}: ${why === "" ? "it closed the connection" : why}`,
    ...(code === "" ? {} : { code }),
    remedy: `it may speak no TLS, or want a client certificate; ${JMX_PORT}`,
    cause,
  };
}

/** What became of a call to a JVM that was connected to. @param doing `read … at worker-1:9999` */
export function callFailure(error: unknown, doing: string): CallFailed {
  if (error instanceof CallFailed) return error;
  if (error instanceof RemoteException) return thrown(error, doing);
  if (error instanceof SenderGaveUp)
    return jmxFailure({
      kind: "rejected",
      message: `could not ${doing}: the JVM could not write its answer (${rootText(exceptionChain(error.exception))})`,
      remedy: "the MBean gives out an object that can't leave the JVM: check the connector's version",
    });
  if (error instanceof GraphProblem)
    return jmxFailure({
      kind: error.kind === "unsupported" ? "unsupported" : "protocol",
      message: `could not ${doing}: the answer can't be read, ${error.message}`,
      remedy:
        error.kind === "unsupported"
          ? "check that the MBean is the connector's own, and that its version is one that cdcctl knows"
          : "check that this is the worker's own JMX port, without a proxy that changes what goes through",
    });
  if (error instanceof Broken)
    return jmxFailure({
      kind: error.by === "timeout" ? "timeout" : "lost",
      message:
        `could not ${doing}: ` +
        `${error.by === "timeout" ? "no answer in time" : "the connection broke in the middle of the answer"}`,
      remedy: "ask again; if it stays, check the worker's load and the network between",
      ...(error.code === "" ? {} : { code: error.code }),
      cause: error,
    });
  throw error;
}

/** The first row that fits is taken. */
const EXCEPTIONS: readonly {
  readonly fits: (chain: ExceptionChain) => boolean;
  readonly why: (said: string) => Pick<Failure, "kind" | "message" | "remedy">;
}[] = [
  {
    fits: (chain) => has(chain, "java.lang.SecurityException"),
    why: (said) => ({
      kind: "forbidden",
      message: `the login may not do that (${said})`,
      remedy: "give the login readonly access in the worker's jmxremote.access file",
    }),
  },
  {
    fits: (chain) => has(chain, "javax.management.MalformedObjectNameException"),
    why: (said) => ({ kind: "rejected", message: said, remedy: "check the domain of the task's MBean" }),
  },
  {
    fits: (chain) => has(chain, "java.io.InvalidClassException"),
    why: (said) => ({
      kind: "rejected",
      message: `the JVM does not let the call in (${said})`,
      remedy:
        "its serial filter refuses what every JMX client sends: check jdk.serialFilter and " +
        "sun.rmi.registry.registryFilter",
    }),
  },
];

const OTHERWISE = {
  kind: "rejected",
  remedy: "the worker's log may say more; check its Java version and agents",
} as const;

function thrown(error: RemoteException, doing: string): CallFailed {
  const { chain } = error;
  const said = rootText(chain);
  const row = EXCEPTIONS.find(({ fits }) => fits(chain));
  const { message, ...rest } = row?.why(said) ?? { ...OTHERWISE, message: `the JVM threw ${said}` };
  return jmxFailure({ ...rest, message: `could not ${doing}: ${message}`, cause: error });
}
