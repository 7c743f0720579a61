import { createServer, type Socket } from "node:net";
import type { JavaValue } from "../../jmx/java-graph.ts";
import { methodOf } from "../../jmx/remote-call.ts";
import { attributeList, exception, objectOf, stub } from "./build-graph.ts";
import { encodeGraph } from "./encode-graph.ts";

const NAME = "Ljavax/management/ObjectName;";
const SUBJECT = "Ljavax/security/auth/Subject;";
const METHODS = {
  newClient: methodOf("newClient(Ljava/lang/Object;)Ljavax/management/remote/rmi/RMIConnection;").hash,
  getAttribute: methodOf(`getAttribute(${NAME}Ljava/lang/String;${SUBJECT})Ljava/lang/Object;`).hash,
  getAttributes: methodOf(`getAttributes(${NAME}[Ljava/lang/String;${SUBJECT})Ljavax/management/AttributeList;`).hash,
  queryNames: methodOf(`queryNames(${NAME}Ljava/rmi/MarshalledObject;${SUBJECT})Ljava/util/Set;`).hash,
  close: methodOf("close()V").hash,
  getConnectionId: methodOf("getConnectionId()Ljava/lang/String;").hash,
  getDefaultDomain: methodOf(`getDefaultDomain(${SUBJECT})Ljava/lang/String;`).hash,
} as const;

/**
 * `dirty` and `clean` are calls of the distributed garbage collector: Java's own clients report the stubs that they
 * hold.
 */
export type Called = keyof typeof METHODS | "lookup" | "list" | "dirty" | "clean" | "unknown";

/**
 * The reply to a call: an object, an exception, raw bytes (followed by the end of the connection, or repeated forever),
 * or nothing.
 */
export type Reply =
  | { readonly value: JavaValue }
  | { readonly throws: JavaValue }
  | { readonly bytes: Buffer; readonly end?: boolean }
  | { readonly bytes: Buffer; readonly forever: Buffer }
  | "nothing";

export interface LoopbackJvm {
  readonly port: number;
  readonly url: string;
  /** Every call so far. */
  readonly calls: readonly Called[];
  /** All bytes that clients sent. */
  received(): Buffer;
  /** Number of bytes sent to clients, including those in buffers. */
  sentBytes(): number;
  /** Breaks every open connection. */
  breakOff(): void;
  stop(): Promise<void>;
}

const HELLO_BYTES = 7;
/** Tag, header of the stream, head of the block, object id, operation and hash. */
const LEAST_CALL = 41;
const PING = 0x52;
const PING_ACK = 0x53;
const DGC_ACK = 0x54;
const DGC_ACK_BYTES = 15;
/** Number of the garbage collector among the remote objects of a JVM. */
const DGC_OBJECT = 2n;
const LEASE_MILLIS = 600_000n;
const ACKNOWLEDGED = Buffer.from([0x4e, 0, 9, ...Buffer.from("127.0.0.1"), 0, 0, 0x30, 0x39]);

/**
 * Starts a simulated JVM: registry and JMX server on one loopback port. Calls that `replies` does not answer succeed.
 *
 * @param replies `sent` is the call as received, including its arguments
 * @param alters changes the acknowledgement and each answer before they are sent
 */
export async function startLoopbackJvm(
  replies: (call: Called, nth: number, sent: Buffer) => Reply | undefined,
  {
    greets = ACKNOWLEDGED,
    host = "127.0.0.1",
    alters = (bytes) => bytes,
  }: { readonly greets?: Buffer; readonly host?: string; readonly alters?: (bytes: Buffer) => Buffer } = {},
): Promise<LoopbackJvm> {
  const calls: Called[] = [];
  const received: Buffer[] = [];
  const sockets = new Set<Socket>();
  let sentBytes = 0;
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.on("close", () => {
      sockets.delete(socket);
      sentBytes += socket.bytesWritten;
    });
    let waiting = Buffer.alloc(0);
    let expects: "hello" | "endpoint" | "call" = "hello";
    socket.on("data", (bytes) => {
      received.push(bytes);
      waiting = Buffer.concat([waiting, bytes]);
      if (expects === "hello" && waiting.length >= HELLO_BYTES) {
        waiting = waiting.subarray(HELLO_BYTES);
        expects = "endpoint";
        socket.write(alters(greets));
      }
      // The client's own host and port, which a JVM states; there are no callbacks.
      const endpoint = waiting.length < 2 ? Number.POSITIVE_INFINITY : 2 + waiting.readUInt16BE(0) + 4;
      if (expects === "endpoint" && waiting.length >= endpoint) {
        waiting = waiting.subarray(endpoint);
        expects = "call";
      }
      // Pings come before a connection is used again, and after a stub was taken.
      for (; expects === "call" && (waiting[0] === PING || waiting[0] === DGC_ACK); ) {
        if (waiting[0] === PING) socket.write(Buffer.from([PING_ACK]));
        else if (waiting.length < DGC_ACK_BYTES) return;
        waiting = waiting.subarray(waiting[0] === PING ? 1 : DGC_ACK_BYTES);
      }
      if (expects !== "call" || waiting.length < LEAST_CALL) return;
      const sent = waiting;
      const call = calledIn(sent);
      waiting = Buffer.alloc(0);
      calls.push(call);
      const nth = calls.filter((one) => one === call).length;
      const reply = replies(call, nth, sent) ?? usual(call, host, port());
      if (reply === "nothing") return;
      if ("bytes" in reply) {
        socket.write(reply.bytes);
        if ("forever" in reply) pour(socket, reply.forever);
        else if (reply.end !== false) socket.end();
      } else socket.write(alters(answer(reply, call)));
    });
  });
  const port = () => (server.address() as { port: number }).port;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const breakOff = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: port(),
    url: `service:jmx:rmi:///jndi/rmi://127.0.0.1:${port()}/jmxrmi`,
    calls,
    received: () => Buffer.concat(received),
    sentBytes: () => [...sockets].reduce((sum, socket) => sum + socket.bytesWritten, sentBytes),
    breakOff,
    async stop() {
      breakOff();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Writes as fast as the client reads. */
function pour(socket: Socket, bytes: Buffer): void {
  while (socket.writable && socket.write(bytes));
  socket.once("drain", () => pour(socket, bytes));
}

function usual(call: Called, host: string, port: number): Reply {
  switch (call) {
    case "lookup":
      return { value: stub({ host, port }) };
    case "newClient":
      return { value: stub({ of: "RMIConnection", host, port }) };
    case "getConnectionId":
      return { value: `rmi://${host}:${port}  1` };
    case "getDefaultDomain":
      return { value: "DefaultDomain" };
    case "dirty":
      return { value: objectOf("java.rmi.dgc.Lease", { Jvalue: LEASE_MILLIS, Lvmid: null }) };
    case "unknown":
      return { throws: exception("java.lang.UnsupportedOperationException", "the sandbox's JVM has no such method") };
    case "getAttributes":
      return { value: attributeList({}) };
    default:
      return { value: null };
  }
}

/** The bytes of an answer as a JVM writes it. */
export function answer(reply: { readonly value: JavaValue } | { readonly throws: JavaValue }, call?: Called): Buffer {
  const normal = "value" in reply;
  const head = Buffer.concat([Buffer.from([normal ? 1 : 2]), Buffer.alloc(14, 3)]);
  const values = (call === "close" || call === "clean") && normal ? [] : [normal ? reply.value : reply.throws];
  return Buffer.concat([Buffer.from([0x51]), encodeGraph(values, head, { remote: true })]);
}

/**
 * The operation (4) and hash (8) follow the call's tag (1), the header (4), the block's head (2) and the object id
 * (22).
 */
function calledIn(bytes: Buffer): Called {
  const operation = bytes.readInt32BE(29);
  if (operation >= 0 && bytes.readBigInt64BE(7) === DGC_OBJECT) return operation === 1 ? "dirty" : "clean";
  if (operation >= 0) return operation === 1 ? "list" : "lookup";
  const hash = bytes.readBigInt64BE(33);
  const found = (Object.keys(METHODS) as (keyof typeof METHODS)[]).find((name) => METHODS[name] === hash);
  return found ?? "unknown";
}
