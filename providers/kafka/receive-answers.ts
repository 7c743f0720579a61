import type { OnReadOpts, Socket } from "node:net";
import type ConnectionPool from "kafkajs/src/network/connectionPool.js";
import { showBytes } from "../../core/values/amounts.ts";

/** The size of the memory into which the socket reads the pieces of an answer whose size is not known yet. */
const PIECE_BYTES = 256 * 1024;
const SIZE_BYTES = 4;
/** Larger answers are left to kafkajs, so that no memory is allocated for bytes that never arrive. */
const LARGEST = 64 * 1024 * 1024;
/** No requested answer is larger; a connection that announces one is closed. */
const REFUSED = 256 * 1024 * 1024;
/** Memory is allocated in steps: answers to the same request differ slightly in size. */
const STEP = 64 * 1024;
/** Released memory that is kept: one answer is received while the previous one may still be read. */
const MOST_FREE = 2;

/** The memory into which a socket reads the next bytes: that of the answer that they belong to, if it is known. */
const coming = new WeakMap<Socket, { answer: Buffer | undefined }>();

/**
 * Opens a socket that reads pieces into given memory. Pieces are passed to the socket's listeners of `data`, and are
 * valid only while these run. @param open opens it with this `onread`
 */
export function inPieces(open: (onread: OnReadOpts) => Socket): Socket {
  const piece = Buffer.allocUnsafeSlow(PIECE_BYTES);
  const next: { answer: Buffer | undefined } = { answer: undefined };
  const socket = open({
    buffer: () => next.answer ?? piece,
    callback(length, { buffer, byteOffset }) {
      socket.emit("data", Buffer.from(buffer, byteOffset, length));
      return true;
    },
  });
  coming.set(socket, next);
  return socket;
}

interface AnswerMemory {
  /** Releases the memory of the answer that this is a part of; the answer must not be read any more. */
  release(part: Buffer): void;
}

/**
 * Receives whole answers for kafkajs, in memory that is reused. kafkajs 2.2.4 itself collects the pieces of an answer
 * and joins them in newly allocated memory; for answers of megabytes, freeing that memory takes longer than reading
 * them. Here the socket reads most of an answer directly into its final place.
 *
 * @param isShared whether answers are stored in memory that other threads can read
 */
export function receiveAnswers(
  connection: ConnectionPool.Connection,
  isShared: () => boolean = () => false,
): AnswerMemory {
  const process = connection.processData.bind(connection);
  const free: ArrayBufferLike[] = [];
  let socket = connection.socket;
  let answer: Buffer | undefined;
  const size = Buffer.alloc(SIZE_BYTES);
  let filled = 0;
  /** Remaining bytes of an answer that is too large. */
  let left = 0;

  const memoryOf = (length: number): Buffer => {
    const found = free.findIndex((one) => one.byteLength >= length);
    const [memory] = found < 0 ? [] : free.splice(found, 1);
    if (memory !== undefined) return Buffer.from(memory, 0, length);
    if (length < STEP) return Buffer.allocUnsafeSlow(length);
    const steps = Math.ceil(length / STEP) * STEP;
    return isShared()
      ? Buffer.from(new SharedArrayBuffer(steps), 0, length)
      : Buffer.allocUnsafeSlow(steps).subarray(0, length);
  };
  /** Stores the beginning of a piece. @returns how many bytes were stored */
  const put = (piece: Buffer, at: number): number => {
    if (left > 0) {
      const some = Buffer.from(piece.subarray(at, at + left));
      left -= some.length;
      process(some);
      return some.length;
    }
    const into = answer ?? size;
    const isThere = piece.buffer === into.buffer && piece.byteOffset === into.byteOffset + filled;
    const length = isThere ? piece.length : piece.copy(into, filled, at);
    filled += length;
    if (filled < into.length) return length;
    if (answer === undefined && size.readInt32BE() > 0 && size.readInt32BE() <= LARGEST) {
      answer = memoryOf(SIZE_BYTES + size.readInt32BE());
      size.copy(answer);
      return length;
    }
    if (answer === undefined && size.readInt32BE() > REFUSED) {
      connection.socket?.destroy(
        new Error(`it announced an answer of ${showBytes(size.readInt32BE())}, more than ${showBytes(REFUSED)}`),
      );
      filled = 0;
      return piece.length - at;
    }
    const whole = answer ?? Buffer.from(size);
    left = answer === undefined ? Math.max(0, size.readInt32BE()) : 0;
    [answer, filled] = [undefined, 0];
    connection.chunks = [];
    connection.bytesBuffered = 0;
    process(whole);
    return length;
  };

  connection.processData = (piece) => {
    // Every piece is an answer during a login without framing.
    if (connection.authHandlers !== null && !connection.authExpectResponse) return process(Buffer.from(piece));
    if (socket !== connection.socket) [socket, answer, filled, left] = [connection.socket, undefined, 0, 0];
    for (let at = 0; at < piece.length; ) at += put(piece, at);
    const next = socket && coming.get(socket);
    if (next !== undefined) next.answer = answer?.subarray(filled);
  };
  return {
    release({ buffer }) {
      if (buffer.byteLength < STEP) return;
      if (free.length === MOST_FREE) free.shift();
      free.push(buffer);
    },
  };
}
