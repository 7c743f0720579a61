import type { CallFailed } from "../../core/errors.ts";
import { byteQueue } from "./byte-queue.ts";
import { type Address, Broken, type Channel, openChannel, printAddress } from "./channel.ts";
import { ANSWER_LIMITS } from "./graph-limits.ts";
import type { JavaValue } from "./java-graph.ts";
import { callFailure, jmxFailure, noConnection, RemoteException } from "./jmx-failure.ts";
import { graphReader } from "./read-graph.ts";
import { type Method, NotJrmp } from "./remote-call.ts";
import { exceptionChain, has, textOfJvm } from "./remote-exception.ts";
import { OBJECT_ID_BYTES, type RemoteReference, remoteReference } from "./remote-reference.ts";
import type { SessionOptions } from "./session.ts";
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
export async function findServer(options: SessionOptions): Promise<Server> {
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
    const reader = graphReader(queue, { ...ANSWER_LIMITS, bytes: stub.length });
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
        "the registry does not belong to the JVM's JMX agent: check the port, or the name at the end " +
        "of the JMX URL",
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
