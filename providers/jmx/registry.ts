import type { Channel } from "./channel.ts";
import type { JavaValue } from "./java-graph.ts";
import { callFailure, jmxFailure, RemoteException } from "./jmx-failure.ts";
import type { Method } from "./remote-call.ts";
import { exceptionChain, has, textOfJvm } from "./remote-exception.ts";
import { OBJECT_ID_BYTES, type RemoteReference, remoteReference } from "./remote-reference.ts";
import type { Argument } from "./write-graph.ts";

/** The registry's object is known to everybody: number 0 (`ObjID.REGISTRY_ID`). */
const REGISTRY = Buffer.alloc(OBJECT_ID_BYTES);
/**
 * Of the interface as `rmic` numbered it, which every registry still answers to (`sun.rmi.registry.RegistryImpl_Skel`).
 */
const INTERFACE_HASH = 4905912898345647071n;
const LIST: Method = { operation: 1, hash: INTERFACE_HASH, gives: "a value" };
const LOOKUP: Method = { operation: 2, hash: INTERFACE_HASH, gives: "a value" };

/** Asks a registry for the JMX server under a name. @throws CallFailed; where there is none, it names what is there */
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
      message: `the RMI registry at ${address} has no ${name}; it has ${names.length === 0 ? "nothing" : names.join(", ")}`,
      remedy:
        "it is the registry of something else than the JVM's JMX agent: check the port, or the name at the end " +
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
