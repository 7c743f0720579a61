import { createHash } from "node:crypto";
import { connect as connectPlain, isIP, type Socket } from "node:net";
import { type ConnectionOptions, connect as connectTls } from "node:tls";
import { ByteWriter } from "../../core/values/byte-sink.ts";
import { type ByteQueue, byteQueue } from "./byte-queue.ts";
import { ANSWER_LIMITS, encodeModifiedUtf8, GraphProblem, type JavaValue } from "./java-graph.ts";
import { GraphReader, type Pull } from "./read-graph.ts";
import type { ObjectId } from "./remote-reference.ts";
import { type Argument, writeGraph } from "./write-graph.ts";

export interface Address {
  readonly host: string;
  readonly port: number;
}

/** One connection to a JVM; one call at a time. After any failure it is closed. */
export interface Channel {
  readonly at: Address;
  readonly alive: boolean;
  /** @throws Broken, GraphProblem, SenderAborted */
  call(target: ObjectId, method: Method, args: readonly Argument[], millis: number): Promise<Returned>;
  close(): void;
}

/**
 * The connection ended or stayed silent. `established`: the connection, including a TLS handshake, had been
 * established.
 */
export class Broken extends Error {
  override readonly name = "Broken";
  readonly by: "timeout" | "close" | "error";
  readonly code: string;
  readonly established: boolean;

  constructor(by: Broken["by"], established: boolean, cause?: unknown) {
    super(cause instanceof Error ? cause.message : `broken by ${by}`, { cause });
    this.by = by;
    this.code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
    this.established = established;
  }
}

export function printAddress({ host, port }: Address): string {
  return `${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/**
 * Connects and completes the handshake.
 *
 * @param tls undefined: without. @param millis for all of it
 * @throws Broken, NotJrmp
 */
export async function openChannel(peer: Address, tls: ConnectionOptions | undefined, millis: number): Promise<Channel> {
  const servername = isIP(peer.host) === 0 ? { servername: peer.host } : {};
  const socket = tls === undefined ? connectPlain(peer) : connectTls({ ...tls, ...peer, ...servername });
  const exchange = exchangeOver(socket, tls === undefined ? "connect" : "secureConnect");
  await exchange.read(millis, (queue) => {
    exchange.send(HELLO);
    return readAcknowledgement(queue);
  });
  exchange.send(CLIENT_ENDPOINT);
  return {
    at: peer,
    get alive() {
      return exchange.alive();
    },
    call(target, method, args, callMillis) {
      return exchange.read(callMillis, (queue) => {
        exchange.send(callBytes(target, method, args));
        return readReturn(queue, method);
      });
    },
    close: exchange.close,
  };
}

type Queue = ReturnType<typeof byteQueue>;

function exchangeOver(socket: Socket, ready: "connect" | "secureConnect") {
  const queue = byteQueue();
  let ended: Broken | undefined;
  let established = false;
  let reading: { advance(): void; fail(error: Error): void } | undefined;

  const end = (by: Broken["by"], cause?: unknown): void => {
    ended ??= new Broken(by, established, cause);
    socket.destroy();
    reading?.fail(ended);
  };
  socket.setNoDelay(true);
  // Nothing is read from the network unless requested, so an unsolicited flood is not buffered.
  socket.pause();
  socket.once(ready, () => {
    established = true;
    reading?.advance();
  });
  socket.on("data", (bytes: Buffer) => {
    queue.push(bytes);
    reading?.advance();
  });
  socket.once("error", (error) => end("error", error));
  socket.once("close", () => end("close"));

  return {
    alive: () => ended === undefined,
    close: () => end("close"),
    send: (bytes: Buffer) => void socket.write(bytes),
    /** Starts when the connection is established. */
    read<T>(millis: number, begin: (queue: Queue) => Pull<T>): Promise<T> {
      return new Promise<T>((resolve, reject) => {
        let pull: Pull<T> | undefined;
        const done = (settle: () => void): void => {
          clearTimeout(timer);
          reading = undefined;
          socket.pause();
          settle();
        };
        const fail = (error: unknown): void =>
          done(() => {
            ended ??= new Broken("close", established, error);
            socket.destroy();
            reject(error);
          });
        const timer = setTimeout(() => end("timeout"), millis);
        reading = {
          fail,
          advance() {
            if (!established) return;
            try {
              pull ??= begin(queue);
              const { done: finished, value } = pull.next();
              if (finished) done(() => resolve(value));
            } catch (error) {
              fail(error);
            }
          },
        };
        if (ended !== undefined) return fail(ended);
        reading.advance();
        socket.resume();
      });
    },
  };
}

/**
 * Java's remote method protocol (JRMP), the client side.
 *
 * Rule: Java RMI specification, chapter 10, "RMI Wire Protocol".
 */

/** `JRMI`, version 2, stream protocol. */
const HELLO = Buffer.from([0x4a, 0x52, 0x4d, 0x49, 0x00, 0x02, 0x4b]);
/** The client's endpoint: an empty host and port 0, because there are no callbacks. */
const CLIENT_ENDPOINT = Buffer.alloc(6);

const PROTOCOL_ACK = 0x4e;
const CALL = 0x50;
const RETURN_DATA = 0x51;
const NORMAL_RETURN = 1;
/** Return type (1 byte) and UID of the acknowledgement (14 bytes). */
const RETURN_HEAD = 15;

/** A remote method, identified by its number in an old-style interface or by the hash of its signature. */
export interface Method {
  readonly operation: number;
  readonly hash: bigint;
  readonly gives: "a value" | "nothing";
}

export type Returned =
  | { readonly returned: "normally"; readonly value: JavaValue }
  | { readonly returned: "by exception"; readonly exception: JavaValue };

/** Thrown if the answer does not come from a JVM's remote objects. */
export class NotJrmp extends Error {
  override readonly name = "NotJrmp";
  readonly received: Buffer;

  constructor(received: Buffer) {
    super("the answer is not of Java's remote method protocol");
    this.received = received;
  }
}

/** @param signature `getVersion()Ljava/lang/String;` */
export function methodOf(signature: string, gives: Method["gives"] = "a value"): Method {
  const bytes = encodeModifiedUtf8(signature);
  const length = Buffer.alloc(2);
  length.writeUInt16BE(bytes.length);
  // The first eight bytes of SHA-1, the last one first (RMI specification, 8.3).
  const hash = createHash("sha1").update(length).update(bytes).digest().readBigInt64LE(0);
  return { operation: -1, hash, gives };
}

function callBytes(target: ObjectId, { operation, hash }: Method, args: readonly Argument[]): Buffer {
  const data = new ByteWriter().bytes(target).int32(operation).int64(hash).written();
  return Buffer.concat([Buffer.from([CALL]), writeGraph(data, args)]);
}

/** @throws NotJrmp with the first bytes of the answer */
export function* readAcknowledgement(queue: ByteQueue): Pull<void> {
  while (queue.length < 1) yield;
  if (queue.first() !== PROTOCOL_ACK) throw new NotJrmp(queue.take(Math.min(queue.length, 200)));
  queue.take(1);
  while (queue.length < 2) yield;
  // The client's host and port as the JVM sees them.
  const rest = queue.take(2).readUInt16BE() + 4;
  while (queue.length < rest) yield;
  queue.take(rest);
}

/** @throws GraphProblem, SenderAborted */
export function* readReturn(queue: ByteQueue, { gives }: Method): Pull<Returned> {
  while (queue.length < 1) yield;
  const kind = queue.take(1).readUInt8();
  if (kind !== RETURN_DATA) throw new GraphProblem("damaged", `it is damaged: it begins with 0x${kind.toString(16)}`);
  const reader = new GraphReader(queue, ANSWER_LIMITS);
  yield* reader.header();
  const head = yield* reader.primitiveData(RETURN_HEAD);
  if (head[0] !== NORMAL_RETURN) return { returned: "by exception", exception: yield* reader.value() };
  return { returned: "normally", value: gives === "nothing" ? null : yield* reader.value() };
}
