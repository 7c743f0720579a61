import type { OnReadOpts, Socket } from "node:net";
import { showBytes } from "../../core/values/amounts.ts";

/** The size of the memory into which a socket reads the pieces of an answer whose size is not known yet. */
const PIECE_BYTES = 256 * 1024;
const SIZE_BYTES = 4;
/** Larger answers are given in pieces, so that no memory is allocated for bytes that never arrive. */
const LARGEST = 64 * 1024 * 1024;
/** No requested answer is larger; a connection that announces one is closed. */
const REFUSED = 256 * 1024 * 1024;
/** Memory is allocated in steps: answers to the same request differ slightly in size. */
const STEP = 64 * 1024;
/** Released memory that is kept: one answer is received while the previous one may still be read. */
const MOST_FREE = 2;

export interface AnswerMemory {
  /**
   * Opens a socket that gives its listeners of `data` whole answers, each with its size before it.
   *
   * @param open opens it with this `onread`
   * @param heard called with each piece as it arrives, valid only while it runs
   */
  receive(open: (onread: OnReadOpts) => Socket, heard?: (piece: Buffer) => void): Socket;
  /** Releases the memory of the answer that this is a part of; the answer must not be read any more. */
  release(part: Buffer): void;
}

/**
 * Memory of answers, which is used again: for answers of megabytes, freeing takes longer than reading them. A socket
 * reads most of an answer directly into its final place.
 *
 * @param isShared whether answers are stored in memory that other threads can read
 */
export function answerMemory(isShared: () => boolean = () => false): AnswerMemory {
  const free: ArrayBufferLike[] = [];

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

  return {
    receive(open, heard) {
      const piece = Buffer.allocUnsafeSlow(PIECE_BYTES);
      const size = Buffer.alloc(SIZE_BYTES);
      let answer: Buffer | undefined;
      let filled = 0;
      /** Remaining bytes of an answer that is too large. */
      let left = 0;

      /** Stores the beginning of what has arrived. @returns how many bytes were stored */
      const put = (arrived: Buffer): number => {
        if (left > 0) {
          const some = Buffer.from(arrived.subarray(0, left));
          left -= some.length;
          socket.emit("data", some);
          return some.length;
        }
        const into = answer ?? size;
        const isThere = arrived.buffer === into.buffer && arrived.byteOffset === into.byteOffset + filled;
        const length = isThere ? arrived.length : arrived.copy(into, filled);
        filled += length;
        if (filled < into.length) return length;
        const announced = size.readInt32BE();
        if (announced > REFUSED) {
          const what = `it announced an answer of ${showBytes(announced)}, more than ${showBytes(REFUSED)}`;
          socket.destroy(new Error(what));
          filled = 0;
          return arrived.length;
        }
        if (answer === undefined && announced > 0 && announced <= LARGEST) {
          answer = memoryOf(SIZE_BYTES + announced);
          size.copy(answer);
          return length;
        }
        const whole = answer ?? Buffer.from(size);
        left = answer === undefined ? Math.max(0, announced) : 0;
        [answer, filled] = [undefined, 0];
        socket.emit("data", whole);
        return length;
      };

      const socket = open({
        buffer: () => answer?.subarray(filled) ?? piece,
        callback(length, { buffer, byteOffset }) {
          const arrived = Buffer.from(buffer, byteOffset, length);
          heard?.(arrived);
          for (let at = 0; at < length && !socket.destroyed; ) at += put(arrived.subarray(at));
          return true;
        },
      });
      return socket;
    },

    release({ buffer }) {
      if (buffer.byteLength < STEP) return;
      if (free.length === MOST_FREE) free.shift();
      free.push(buffer);
    },
  };
}
