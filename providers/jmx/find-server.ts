import type { CallFailed } from "../../core/errors.ts";
import { byteQueue } from "./byte-queue.ts";
import { type Address, Broken, type Channel, openChannel, printAddress } from "./channel.ts";
import { ANSWER_LIMITS } from "./graph-limits.ts";
import { callFailure, jmxFailure, noConnection } from "./jmx-failure.ts";
import { graphReader } from "./read-graph.ts";
import { lookUp } from "./registry.ts";
import { NotJrmp } from "./remote-call.ts";
import { type RemoteReference, remoteReference } from "./remote-reference.ts";
import type { SessionOptions } from "./session.ts";

/** The JMX server as a registry, or a stub, tells it. */
export interface Server {
  readonly reference: RemoteReference;
  /** Where it was looked up; for a stub in the URL, its own address. */
  readonly registry: Address;
  /** For messages. */
  readonly toldBy: string;
}

/** @throws CallFailed */
export async function findServer(options: SessionOptions): Promise<Server> {
  const { url, callMillis } = options;
  if (url.form === "stub") {
    const reference = stubReference(url.stub);
    return { reference, registry: { host: reference.host, port: reference.port }, toldBy: "the stub in the JMX URL" };
  }
  const { registry, name } = url;
  const channel = await openRegistry(registry, options);
  try {
    const reference = await lookUp(channel, name, printAddress(registry), callMillis);
    return { reference, registry, toldBy: `the registry at ${printAddress(registry)}` };
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
      throw jmxFailure({ kind: "protocol", message: "the stub in the JMX URL is cut short" });
    return remoteReference(value.value);
  } catch (error) {
    throw callFailure(error, "read the stub in the JMX URL");
  }
}

/**
 * With and without TLS, as the registry has it: nothing secret goes there. Only what is set to speak TLS is never
 * spoken to without.
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
      // One that gets as far as certificates does speak TLS.
      throw speaksTls(error) ? failure(error, true) : failure(plain, false);
    });
  });
}

const TLS_ALERT = 0x15;

function mayWantTls(error: unknown): boolean {
  if (error instanceof NotJrmp) return error.heard[0] === TLS_ALERT;
  return error instanceof Broken && error.established && error.by !== "timeout";
}

function speaksTls(error: unknown): boolean {
  return error instanceof Broken && /CERT|SIGN|ISSUER|ALERT/.test(error.code) && !/UNEXPECTED_MESSAGE/.test(error.code);
}
