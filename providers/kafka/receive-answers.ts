import type { OnReadOpts, Socket } from "node:net";
import type ConnectionPool from "kafkajs/src/network/connectionPool.js";
import { showBytes } from "../../core/values/amounts.ts";

/** Of an answer whose size is not known yet, the socket gives each piece in the same memory. */
const PIECE_BYTES = 256 * 1024;
const SIZE_BYTES = 4;
/** Larger ones kafkajs collects as ever: nobody is made to find memory for what never comes. */
const LARGEST = 64 * 1024 * 1024;
/** Of what was asked for nothing is larger; whoever announces more is heard no further. */
const REFUSED = 256 * 1024 * 1024;
/** Answers to the same request differ a little in size. */
const STEP = 64 * 1024;
/** One is read, the one before it may still be looked at. */
const MOST_FREE = 2;

/** Where a socket puts what comes next: into the answer that it is of, where that is known. */
const coming = new WeakMap<Socket, { answer: Buffer | undefined }>();

/**
 * @param open with `onread`, as it is given: pieces go to the socket's listeners of `data`, and last as long as these
 * run
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
  /** Nobody looks any more at an answer, of which this is a part: its memory is used again. */
  giveBack(part: Buffer): void;
}

/**
 * kafkajs 2.2.4 collects the pieces of an answer and joins them in the end, in memory that is new each time; for
 * answers of megabytes, to be rid of all that memory takes longer than to read them. Here the socket itself puts most
 * of an answer where it belongs, and kafkajs gets whole answers.
 *
 * @param isShared whether answers are to lie where other threads can read them
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
  /** Of one that is too large. */
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
  /** @returns how much of the piece was put somewhere */
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
    // During a login without framing a piece is all there is.
    if (connection.authHandlers !== null && !connection.authExpectResponse) return process(Buffer.from(piece));
    if (socket !== connection.socket) [socket, answer, filled, left] = [connection.socket, undefined, 0, 0];
    for (let at = 0; at < piece.length; ) at += put(piece, at);
    const next = socket && coming.get(socket);
    if (next !== undefined) next.answer = answer?.subarray(filled);
  };
  return {
    giveBack({ buffer }) {
      if (buffer.byteLength < STEP) return;
      if (free.length === MOST_FREE) free.shift();
      free.push(buffer);
    },
  };
}
