import { createHash } from "node:crypto";
import type { ByteQueue } from "./byte-queue.ts";
import { ANSWER_LIMITS } from "./graph-limits.ts";
import { GraphProblem } from "./graph-problem.ts";
import type { JavaValue } from "./java-graph.ts";
import { encodeModifiedUtf8 } from "./modified-utf8.ts";
import { graphReader, type Pull } from "./read-graph.ts";
import { OBJECT_ID_BYTES, type ObjectId } from "./remote-reference.ts";
import { type Argument, writeGraph } from "./write-graph.ts";

/**
 * Java's remote method protocol (JRMP), the client side.
 *
 * Rule: Java RMI specification, chapter 10, "RMI Wire Protocol".
 */

/** `JRMI`, version 2, stream protocol. */
export const HELLO = Buffer.from([0x4a, 0x52, 0x4d, 0x49, 0x00, 0x02, 0x4b]);
/** The client's endpoint: an empty host and port 0, because there are no callbacks. */
export const CLIENT_ENDPOINT = Buffer.alloc(6);

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

/** The outcome of a call. */
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

export function callBytes(target: ObjectId, { operation, hash }: Method, args: readonly Argument[]): Buffer {
  const data = Buffer.alloc(OBJECT_ID_BYTES + 12);
  target.copy(data);
  data.writeInt32BE(operation, OBJECT_ID_BYTES);
  data.writeBigInt64BE(hash, OBJECT_ID_BYTES + 4);
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
  const reader = graphReader(queue, ANSWER_LIMITS);
  yield* reader.header();
  const head = yield* reader.primitiveData(RETURN_HEAD);
  if (head[0] !== NORMAL_RETURN) return { returned: "by exception", exception: yield* reader.value() };
  return { returned: "normally", value: gives === "nothing" ? null : yield* reader.value() };
}
