import { Worker } from "node:worker_threads";
import { damageOf } from "./record-batch.ts";

/** Checks fetched batches in parallel with their reader. */
export interface Checksums {
  /** @returns the problem of the first damaged batch; undefined: none */
  damageOf(batches: Buffer): Promise<string | undefined>;
  close(): Promise<void>;
}

/** A message to the thread: batches in shared memory. It answers with the results of `damageOf`, in the same order. */
export interface BatchesToCheck {
  readonly memory: SharedArrayBuffer;
  readonly start: number;
  readonly length: number;
}

/**
 * Starts a thread that verifies checksums, which take a fifth of the time of reading a journal. Batches outside shared
 * memory are checked by the calling thread, and so are all batches once the thread has ended.
 *
 * @param module runs `serveChecksums`
 */
export function checksumThread(module: URL): Checksums {
  const thread = new Worker(module);
  const waiting: { readonly batches: Buffer; readonly resolve: (damage: string | undefined) => void }[] = [];
  let ended = false;
  const checkHere = (): void => {
    ended = true;
    for (const { batches, resolve } of waiting.splice(0)) resolve(damageOf(batches));
  };
  thread.on("message", (damage: string | undefined) => waiting.shift()?.resolve(damage));
  thread.on("error", checkHere);
  thread.on("exit", checkHere);
  return {
    async damageOf(batches) {
      const { buffer: memory, byteOffset: start, length } = batches;
      if (ended || !(memory instanceof SharedArrayBuffer)) return damageOf(batches);
      return new Promise((resolve) => {
        waiting.push({ batches, resolve });
        thread.postMessage({ memory, start, length } satisfies BatchesToCheck);
      });
    },
    async close() {
      await thread.terminate();
    },
  };
}
