import { ByteReader } from "../../core/values/bytes.ts";
import { truncate } from "../../core/values/truncate.ts";
import { bytesWritten, GraphProblem, isObject, type JavaObject, type JavaValue, objectsWritten } from "./java-graph.ts";

export interface RemoteReference {
  /** The host that the JVM advertises. */
  readonly host: string;
  readonly port: number;
  readonly tls: boolean;
  readonly id: ObjectId;
}

/** `ObjID`: object number (8 bytes) and UID (14 bytes), as they go over the wire. */
export type ObjectId = Buffer;

export const OBJECT_ID_BYTES = 22;

const REMOTE_OBJECT = "java.rmi.server.RemoteObject";
const TLS_SOCKETS = "javax.rmi.ssl.SslRMIClientSocketFactory";
const DEEPEST_PROXY = 4;

/**
 * The address in a stub. Stubs write it in `RemoteObject.writeObject`: the kind of reference, host, port, socket
 * factory, object id.
 *
 * Rule: `java.rmi.server.RemoteObject`, "Serialized form"; `UnicastRef2` adds a format byte and the factory.
 *
 * @throws GraphProblem for objects that are not stubs, and for socket factories other than the one for TLS
 */
export function remoteReference(stub: JavaValue): RemoteReference {
  const { object, written } = remoteObject(stub);
  const factories = objectsWritten(object, REMOTE_OBJECT).filter((one) => one !== null);
  const reader = new StubReader(written);
  const kind = reader.latin1();
  if (kind !== "UnicastRef" && kind !== "UnicastRef2")
    throw new GraphProblem("unsupported", `its reference is of the kind ${JSON.stringify(truncate(kind, 40))}`);
  if (kind === "UnicastRef2") reader.pass(1);
  const host = reader.latin1();
  const port = reader.int32();
  if (!HOST.test(host) || port < 1 || port > 65_535)
    throw new GraphProblem("damaged", `it gives the address ${JSON.stringify(`${truncate(host, 100)}:${port}`)}`);
  return { host, port, tls: usesTls(factories), id: reader.take(OBJECT_ID_BYTES) };
}

/** Host names, and IPv4 and IPv6 addresses with a zone; nothing else. */
const HOST = /^[A-Za-z0-9_.:-]{1,253}(%[A-Za-z0-9_.-]{1,30})?$/;

function remoteObject(stub: JavaValue): { readonly object: JavaObject; readonly written: Buffer } {
  let object = stub;
  // A stub made at run time is a proxy, whose handler `h` holds the reference.
  for (let depth = 0; isObject(object) && depth < DEEPEST_PROXY; depth++) {
    if (object.written.has(REMOTE_OBJECT)) return { object, written: bytesWritten(object, REMOTE_OBJECT) };
    object = object.fields.get("h") ?? null;
  }
  const what = isObject(stub) ? truncate(stub.class.name, 200) : "no object";
  throw new GraphProblem("unsupported", `it is ${what}, not a stub of a remote object`);
}

function usesTls(factories: readonly JavaValue[]): boolean {
  const [factory] = factories;
  if (factory === undefined) return false;
  const name = isObject(factory) ? factory.class.name : "an unknown class";
  if (name === TLS_SOCKETS) return true;
  throw new GraphProblem("unsupported", `it requires sockets of the class ${truncate(name, 200)}, which only Java has`);
}

class StubReader extends ByteReader<Buffer> {
  protected override ended(): Error {
    return new GraphProblem("damaged", "it is damaged: a truncated stub");
  }

  latin1(): string {
    return this.take(this.uint16()).toString("latin1");
  }
}
