import { Worker } from "node:worker_threads";
import { damageOf } from "./record-batch.ts";

/** Checks fetched batches in parallel with their reader. */
export interface Checksums {
  /** @returns the problem of the first damaged batch; undefined: none */
  damageOf(batches: Buffer): Promise<string | undefined>;
  close(): Promise<void>;
}

/** To the thread: batches in shared memory. What comes back is what `damageOf` says of them, in the same order. */
export interface BatchesToCheck {
  readonly memory: SharedArrayBuffer;
  readonly start: number;
  readonly length: number;
}

/**
 * A thread for checksums: they take a fifth of the time that a journal takes to read. Batches outside shared memory are
 * checked here, and so is everything once the thread has ended.
 *
 * @param module runs `serveChecksums`
 */
export function checksumThread(module: URL): Checksums {
  const thread = new Worker(module);
  const waiting: { readonly batches: Buffer; readonly tell: (damage: string | undefined) => void }[] = [];
  let ended = false;
  const goOnHere = (): void => {
    ended = true;
    for (const { batches, tell } of waiting.splice(0)) tell(damageOf(batches));
  };
  thread.on("message", (damage: string | undefined) => waiting.shift()?.tell(damage));
  thread.on("error", goOnHere);
  thread.on("exit", goOnHere);
  return {
    async damageOf(batches) {
      const { buffer: memory, byteOffset: start, length } = batches;
      if (ended || !(memory instanceof SharedArrayBuffer)) return damageOf(batches);
      return new Promise((tell) => {
        waiting.push({ batches, tell });
        thread.postMessage({ memory, start, length } satisfies BatchesToCheck);
      });
    },
    async close() {
      await thread.terminate();
    },
  };
}
