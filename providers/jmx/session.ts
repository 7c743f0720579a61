import type { ConnectionOptions } from "node:tls";
import type { CallFailed } from "../../core/errors.ts";
import type { Advice } from "../../core/values/remedy.ts";
import type { Secret } from "../../core/values/secret.ts";
import { type KeyStoreFile, readKeyStore, readTrustStore, type TrustStoreFile } from "../tls/key-stores.ts";
import { byteQueue } from "./byte-queue.ts";
import { ANSWER_LIMITS, type JavaValue } from "./java-graph.ts";
import {
  callFailure,
  exceptionChain,
  has,
  type JavaException,
  jmxFailure,
  noConnection,
  RemoteException,
  rootText,
  textOfJvm,
} from "./jmx-failure.ts";
import { GraphReader } from "./read-graph.ts";
import {
  type Address,
  Broken,
  type Channel,
  type Method,
  methodOf,
  NotJrmp,
  openChannel,
  printAddress,
} from "./remote-call.ts";
import { OBJECT_ID_BYTES, type RemoteReference, remoteReference } from "./remote-reference.ts";
import type { ServiceUrl } from "./service-url.ts";
import type { Argument } from "./write-graph.ts";

/** The JMX server as given by a registry or a stub. */
export interface Server {
  readonly reference: RemoteReference;
  /** The registry that returned it; for a stub in the URL, the address in the stub. */
  readonly registry: Address;
  /** The source of the address, for messages. */
  readonly source: string;
}

/** @throws CallFailed */
async function findServer(options: SessionOptions): Promise<Server> {
  const { url, callMillis } = options;
  if (url.form === "stub") {
    const reference = stubReference(url.stub);
    return { reference, registry: { host: reference.host, port: reference.port }, source: "the stub in the JMX URL" };
  }
  const { registry, name } = url;
  const channel = await openRegistry(registry, options);
  try {
    const reference = await lookUp(channel, name, printAddress(registry), callMillis);
    return { reference, registry, source: `the registry at ${printAddress(registry)}` };
  } finally {
    channel.close();
  }
}

function stubReference(stub: Buffer): RemoteReference {
  const queue = byteQueue();
  queue.push(stub);
  try {
    const reader = new GraphReader(queue, { ...ANSWER_LIMITS, bytes: stub.length });
    const header = reader.header().next();
    const value = reader.value().next();
    if (header.done !== true || value.done !== true)
      throw jmxFailure({ kind: "protocol", message: "the stub in the JMX URL is truncated" });
    return remoteReference(value.value);
  } catch (error) {
    throw callFailure(error, "read the stub in the JMX URL");
  }
}

/**
 * Tries with and without TLS: nothing secret is sent to the registry. A registry that is configured for TLS is never
 * reached without it.
 */
async function openRegistry(registry: Address, { tls, tlsOptions, connectMillis }: SessionOptions): Promise<Channel> {
  const secured = () => openChannel(registry, tlsOptions, connectMillis);
  const failure = (error: unknown, withTls: boolean): CallFailed => {
    const { message, ...why } = noConnection(error, registry, withTls);
    return jmxFailure({ ...why, message: `no connection to the RMI registry: ${message}` });
  };
  if (tls?.registry === true)
    return secured().catch((error: unknown) => {
      throw failure(error, true);
    });
  return openChannel(registry, undefined, connectMillis).catch(async (plain: unknown) => {
    if (!mayWantTls(plain)) throw failure(plain, false);
    return secured().catch((error: unknown) => {
      // A registry that gets as far as certificates does speak TLS.
      throw speaksTls(error) ? failure(error, true) : failure(plain, false);
    });
  });
}

const TLS_ALERT = 0x15;

function mayWantTls(error: unknown): boolean {
  if (error instanceof NotJrmp) return error.received[0] === TLS_ALERT;
  return error instanceof Broken && error.established && error.by !== "timeout";
}

function speaksTls(error: unknown): boolean {
  return error instanceof Broken && /CERT|SIGN|ISSUER|ALERT/.test(error.code) && !/UNEXPECTED_MESSAGE/.test(error.code);
}

/** The registry's object has a well-known id: number 0 (`ObjID.REGISTRY_ID`). */
const REGISTRY = Buffer.alloc(OBJECT_ID_BYTES);
/**
 * The hash of the interface as `rmic` numbered it, which every registry still accepts
 * (`sun.rmi.registry.RegistryImpl_Skel`).
 */
const INTERFACE_HASH = 4905912898345647071n;
const LIST: Method = { operation: 1, hash: INTERFACE_HASH, gives: "a value" };
const LOOKUP: Method = { operation: 2, hash: INTERFACE_HASH, gives: "a value" };

/**
 * Looks up the JMX server in a registry by its name. @throws CallFailed; if it has none, it lists the registry's names
 */
export async function lookUp(
  channel: Channel,
  name: string,
  address: string,
  millis: number,
): Promise<RemoteReference> {
  const doing = `look up ${name} in the RMI registry at ${address}`;
  try {
    return remoteReference(await answerTo(channel, LOOKUP, [{ kind: "text", text: name }], millis));
  } catch (error) {
    if (!(error instanceof RemoteException) || !has(error.chain, "java.rmi.NotBoundException"))
      throw callFailure(error, doing);
    const names = await boundNames(channel, millis);
    throw jmxFailure({
      kind: "missing",
      message:
        `the RMI registry at ${address} has no ${name}; ` +
        `it has ${names.length === 0 ? "nothing" : names.join(", ")}`,
      remedy:
        "Check the port, or the name at the end of the JMX URL: the registry does not belong to the JVM's JMX agent.",
    });
  }
}

const MOST_NAMES = 10;

async function boundNames(channel: Channel, millis: number): Promise<readonly string[]> {
  const found = await answerTo(channel, LIST, [], millis).catch(() => null);
  if (typeof found !== "object" || found?.kind !== "array" || Buffer.isBuffer(found.items)) return [];
  return found.items.flatMap((item) => (typeof item === "string" ? [textOfJvm(item)] : [])).slice(0, MOST_NAMES);
}

async function answerTo(
  channel: Channel,
  method: Method,
  args: readonly Argument[],
  millis: number,
): Promise<JavaValue> {
  const answer = await channel.call(REGISTRY, method, args, millis);
  if (answer.returned === "normally") return answer.value;
  throw new RemoteException(exceptionChain(answer.exception));
}

/** The hosts at which a remote object may be reachable. */
export interface ServerPlaces {
  /** Hosts in the order in which they are tried. */
  readonly hosts: readonly string[];
  /** Whether the advertised address is useless to other hosts, and so is not tried. */
  readonly useless: boolean;
}

/**
 * A JVM advertises its own idea of its address, often 127.0.1.1 or a name that only its network resolves. The host of
 * its registry is the next best. A loopback address of another machine would be this machine, which must not get the
 * login.
 */
export function serverPlaces(given: string, registryHost: string): ServerPlaces {
  if (given.toLowerCase() === registryHost.toLowerCase()) return { hosts: [registryHost], useless: false };
  if (isOwn(given) && !isOwn(registryHost)) return { hosts: [registryHost], useless: true };
  return { hosts: [given, registryHost], useless: false };
}

function isOwn(host: string): boolean {
  return /^(localhost|127\.\d+\.\d+\.\d+|::1|0\.0\.0\.0|::|(::ffff:)127\.\d+\.\d+\.\d+)$/i.test(host);
}

function hostnameRemedy(registry: Address, port: number): string {
  return (
    `Start the worker's JVM with -Djava.rmi.server.hostname=${registry.host}, fix its second port with ` +
    `-Dcom.sun.management.jmxremote.rmi.port, and let that port (now ${port}) through firewalls.`
  );
}

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
      remedy:
        "Set com.sun.management.jmxremote.ssl=true on the worker; without TLS the password is sent in clear text.",
    });
  const { hosts, useless, kept } = hostsForLogin(
    serverPlaces(given, registry.host),
    { given, port, registry },
    options.login,
  );
  const failures: CallFailed[] = [];
  for (const host of hosts) {
    const address = { host, port };
    const opened = await openChannel(address, secured ? options.tlsOptions : undefined, options.connectMillis).catch(
      (error: unknown) => {
        failures.push(jmxFailure(noConnection(error, address, secured)));
        return undefined;
      },
    );
    if (opened === undefined) continue;
    try {
      const connection = await newClient(opened, reference, options);
      const why = kept ? "where the login was not sent" : "which is unreachable from here";
      const remedy = kept ? jmxHostsRemedy(given) : hostnameRemedy(registry, port);
      const remark =
        `the JVM advertises ${printAddress({ host: given, port })}, ${why}; ${printAddress(address)} was used ` +
        `instead. ${remedy}`;
      const found = await channelTo(connection, opened, options);
      return { channel: found, connection, remarks: host === given ? [] : [remark] };
    } catch (error) {
      opened.close();
      // Another JVM's server may listen there; it does not have this object.
      if (!(error instanceof RemoteException) || !has(error.chain, "java.rmi.NoSuchObjectException"))
        throw error instanceof RemoteException
          ? loginFailure(error, printAddress(address), options)
          : callFailure(error, `log in at ${printAddress(address)}`);
      failures.push(callFailure(error, `log in at ${printAddress(address)}`));
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
function hostsForLogin(
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
    `If ${host} is a worker of yours, add it to jmx.hosts of the context; else start the worker's JVM with ` +
    "-Djava.rmi.server.hostname set to the host in the JMX URL."
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
        ? "Set CDCCTL_JMX_USER and CDCCTL_JMX_PASSWORD, or set the login in the contexts file."
        : "Check CDCCTL_JMX_USER and CDCCTL_JMX_PASSWORD, or the contexts file, against the worker's " +
          "jmxremote.password.",
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

/** TLS to a JVM's JMX agent. If present, no login is sent without TLS. */
export interface JmxTls {
  /** Replaces the system's authorities. */
  readonly trustStore?: TrustStoreFile;
  /** The store for a JVM that requires a client certificate. */
  readonly keyStore?: KeyStoreFile;
  /**
   * Whether the registry speaks TLS too (`com.sun.management.jmxremote.registry.ssl=true`). A registry without TLS can
   * be spoofed by an attacker on the network, who then redirects the login; checking the server's certificate still
   * prevents this.
   */
  readonly registry: boolean;
  /** Whether the certificate must match the host. Java's own client does not check it before version 26. */
  readonly checkHost: boolean;
}

/** @throws UsageError naming the store that can't be read */
export async function tlsOptions(tls: JmxTls | undefined): Promise<ConnectionOptions> {
  if (tls === undefined) return { rejectUnauthorized: true };
  const [trust, key] = [
    tls.trustStore === undefined ? {} : await readTrustStore(tls.trustStore),
    tls.keyStore === undefined ? {} : await readKeyStore(tls.keyStore),
  ];
  return {
    ...trust,
    ...key,
    rejectUnauthorized: true,
    ...(tls.checkHost ? {} : { checkServerIdentity: () => undefined }),
  };
}
