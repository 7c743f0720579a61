import type { ConnectionOptions } from "node:tls";
import type { CallFailed } from "../../core/errors.ts";
import type { Advice } from "../../core/values/remedy.ts";
import type { Secret } from "../../core/values/secret.ts";

import { type Address, type Channel, openChannel, printAddress } from "./channel.ts";
import { findServer, type Server } from "./find-server.ts";
import type { JavaValue } from "./java-graph.ts";
import { callFailure, jmxFailure, noConnection, RemoteException } from "./jmx-failure.ts";
import { type Method, methodOf } from "./remote-call.ts";
import { exceptionChain, has, type JavaException, rootText } from "./remote-exception.ts";
import { type RemoteReference, remoteReference } from "./remote-reference.ts";
import { hostnameRemedy, type ServerPlaces, serverPlaces } from "./server-address.ts";
import type { ServiceUrl } from "./service-url.ts";
import type { JmxTls } from "./tls-options.ts";
import type { Argument } from "./write-graph.ts";

export interface JmxLogin {
  readonly user: string;
  readonly password: Secret;
  /**
   * Whether the login may be sent to a host that a registry names. The registry's own host is always allowed: the
   * operator named it. Default: no other host.
   */
  readonly mayGoTo?: ((address: Address) => boolean) | undefined;
}

export interface SessionOptions {
  readonly url: ServiceUrl;
  readonly login: JmxLogin | undefined;
  readonly tls: JmxTls | undefined;
  readonly tlsOptions: ConnectionOptions;
  readonly connectMillis: number;
  readonly callMillis: number;
}

/** A session with a JVM's MBean server, logged in. */
export interface Session {
  readonly address: string;
  /** Advice to show although the login succeeded. */
  readonly remarks: readonly string[];
  readonly alive: boolean;
  /** @throws RemoteException, Broken, GraphProblem, SenderAborted */
  call(method: Method, args: readonly Argument[]): Promise<JavaValue>;
  /** Closes the connection without logging off. */
  drop(): void;
  close(): Promise<void>;
}

const NEW_CLIENT = methodOf("newClient(Ljava/lang/Object;)Ljavax/management/remote/rmi/RMIConnection;");
const CLOSE = methodOf("close()V", "nothing");

/**
 * Opens a session from a service URL: the registry returns the server's address, and the server accepts the login and
 * returns the connection.
 *
 * The connection is not kept alive by leases (RMI's distributed garbage collection): without them, the JVM keeps it for
 * five minutes, and a longer session logs in again.
 *
 * @throws CallFailed
 */
export async function openSession(options: SessionOptions): Promise<Session> {
  const server = await findServer(options);
  const { channel, connection, remarks } = await logIn(server, options);
  const address = printAddress(channel.at);
  const call = (method: Method, args: readonly Argument[]) => result(channel, connection, method, args, options);
  return {
    address,
    remarks,
    get alive() {
      return channel.alive;
    },
    call,
    drop: () => channel.close(),
    async close() {
      // Best effort: the JVM drops the session by itself.
      if (channel.alive) await call(CLOSE, []).catch(() => undefined);
      channel.close();
    },
  };
}

async function logIn(server: Server, options: SessionOptions) {
  const { reference, registry, source } = server;
  const { host: given, port } = reference;
  const secured = reference.tls;
  if (options.tls !== undefined && !secured)
    throw jmxFailure({
      kind: "rejected",
      message: `the JMX server at ${printAddress({ host: given, port })} does not speak TLS, so the login was not sent`,
      remedy: "set com.sun.management.jmxremote.ssl=true on the worker; without TLS the password is sent in clear text",
    });
  const { hosts, useless, kept } = lendable(
    serverPlaces(given, registry.host),
    { given, port, registry },
    options.login,
  );
  const failures: CallFailed[] = [];
  for (const host of hosts) {
    const at = { host, port };
    const opened = await openChannel(at, secured ? options.tlsOptions : undefined, options.connectMillis).catch(
      (error: unknown) => {
        failures.push(jmxFailure(noConnection(error, at, secured)));
        return undefined;
      },
    );
    if (opened === undefined) continue;
    try {
      const connection = await newClient(opened, reference, options);
      const why = kept ? "where the login was not sent" : "which is unreachable from here";
      const remedy = kept ? jmxHostsRemedy(given) : hostnameRemedy(registry, port);
      const remark =
        `the JVM advertises ${printAddress({ host: given, port })}, ${why}; ${printAddress(at)} was used ` +
        `instead: ${remedy}`;
      const found = await channelTo(connection, opened, options);
      return { channel: found, connection, remarks: host === given ? [] : [remark] };
    } catch (error) {
      opened.close();
      // Another JVM's server may listen there; it does not have this object.
      if (!(error instanceof RemoteException) || !has(error.chain, "java.rmi.NoSuchObjectException"))
        throw error instanceof RemoteException
          ? loginFailure(error, printAddress(at), options)
          : callFailure(error, `log in at ${printAddress(at)}`);
      failures.push(callFailure(error, `log in at ${printAddress(at)}`));
    }
  }
  if (kept)
    throw jmxFailure({
      kind: "rejected",
      message:
        `${source} says that the JMX server is at ${printAddress({ host: given, port })}, another host: the login ` +
        `was not sent there${failures.map(({ message }) => `; ${message}`).join("")}`,
      remedy: jmxHostsRemedy(given),
    });
  throw unreachable(server, failures, useless);
}

/**
 * Returns the addresses that may receive the login. A registry without TLS can be spoofed on the network, and with TLS
 * it still returns whatever was registered: a host that it names receives the login only if the operator named it too.
 */
function lendable(
  places: ServerPlaces,
  { given, port, registry }: { readonly given: string; readonly port: number; readonly registry: Address },
  login: JmxLogin | undefined,
): ServerPlaces & { readonly kept: boolean } {
  const isOther = given.toLowerCase() !== registry.host.toLowerCase();
  if (login === undefined || places.useless || !isOther || login.mayGoTo?.({ host: given, port }) === true)
    return { ...places, kept: false };
  return { ...places, hosts: [registry.host], kept: true };
}

function jmxHostsRemedy(host: string): string {
  return (
    `if ${host} is a worker of yours, add it to jmx.hosts of the context; else start the worker's JVM with ` +
    "-Djava.rmi.server.hostname set to the host in the JMX URL"
  );
}

function unreachable(
  { reference, registry, source }: Server,
  failures: readonly CallFailed[],
  useless: boolean,
): CallFailed {
  const [first] = failures;
  const { host, port } = reference;
  const why = failures.map(({ message }) => message).join("; ");
  return jmxFailure({
    kind: "unreachable",
    message: `${source} says that the JMX server is at ${printAddress({ host, port })}, ${
      useless ? "which is not reachable for other hosts" : "and that can't be reached"
    }: ${why}`,
    remedy: certificateRemedies(failures) ?? hostnameRemedy(registry, port),
    code: first?.code,
    cause: first,
  });
}

/** If the TLS handshake failed, the address is not the problem. */
function certificateRemedies(failures: readonly CallFailed[]): readonly Advice[] | undefined {
  return failures.find(({ code }) => code !== undefined && /CERT|SIGN|ISSUER|ALERT/.test(code))?.remedies;
}

async function newClient(channel: Channel, server: RemoteReference, options: SessionOptions): Promise<RemoteReference> {
  const { login } = options;
  const credentials: Argument =
    login === undefined ? { kind: "null" } : { kind: "texts", texts: [login.user, login.password.open()] };
  return remoteReference(await result(channel, server, NEW_CLIENT, [credentials], options));
}

/** The connection is usually at the server's own port. */
async function channelTo(connection: RemoteReference, opened: Channel, options: SessionOptions): Promise<Channel> {
  if (connection.port === opened.at.port) return opened;
  const at = { host: opened.at.host, port: connection.port };
  opened.close();
  return openChannel(at, connection.tls ? options.tlsOptions : undefined, options.connectMillis).catch(
    (error: unknown) => {
      throw jmxFailure(noConnection(error, at, connection.tls));
    },
  );
}

function loginFailure({ chain }: RemoteException, address: string, { login }: SessionOptions): CallFailed {
  const refused =
    has(chain, "java.lang.SecurityException") || chain.some(({ className }) => /^javax\.security\./.test(className));
  if (!refused) return callFailure(new RemoteException(chain), `log in at ${address}`);
  const reason = rootText(chain).replace(/^java\.lang\.SecurityException: /, "");
  return jmxFailure({
    kind: "unauthorized",
    message:
      login === undefined
        ? `${address} requires a user and a password (${reason})`
        : `${address} did not accept the user or the password (${reason})`,
    remedy:
      login === undefined
        ? "set CDCCTL_JMX_USER and CDCCTL_JMX_PASSWORD, or set the login in the contexts file"
        : "check CDCCTL_JMX_USER and CDCCTL_JMX_PASSWORD, or the contexts file, against the worker's " +
          "jmxremote.password",
  });
}

async function result(
  channel: Channel,
  target: RemoteReference,
  method: Method,
  args: readonly Argument[],
  { callMillis, login }: SessionOptions,
): Promise<JavaValue> {
  const answer = await channel.call(target.id, method, args, callMillis);
  if (answer.returned === "normally") return answer.value;
  const chain = exceptionChain(answer.exception);
  throw new RemoteException(login === undefined ? chain : chain.map((one) => withoutPassword(one, login)));
}

/** A JVM may repeat the login in an exception. */
function withoutPassword({ className, message }: JavaException, { password }: JmxLogin): JavaException {
  const text = password.open();
  return { className, message: text === "" ? message : message.replaceAll(text, "********") };
}
