import { Worker } from "node:worker_threads";
import type { Folding, FoldQuestion } from "../../core/journal/fold-records.ts";
import type { RecordsInPlace } from "../../core/ports/kafka.ts";
import { type PackedJournal, unpackedChunks } from "./packed-chunks.ts";
import { whenLost } from "./run-in-threads.ts";

/** Messages to the thread: records, and at last that there are no more. */
export type ToFold = RecordsInPlace | "end";

/** Messages from it: how many times it has taken records, after each time, and at last the result. */
export type FromFold = number | PackedJournal;

const LOSS = { of: "the reading of the journal", remedy: "Run the same command again." };

/** Folds a journal in a thread that runs `module`, while its next records are read. */
export function foldInThread(module: URL, question: FoldQuestion): Folding {
  const thread = new Worker(module, { workerData: question });
  /** How many times records were sent, and how many times before those of the buffer that is read. */
  let [sent, sentBefore, taken] = [0, 0, 0];
  let buffer: ArrayBufferLike | undefined;
  let result: PackedJournal | undefined;
  let lost: Error | undefined;
  let wake = (): void => undefined;

  thread.on("message", (message: FromFold) => {
    if (typeof message === "number") taken = message;
    else result = message;
    wake();
  });
  whenLost(thread, LOSS, (error) => {
    lost ??= error;
    wake();
  });
  const send = (message: ToFold): void => thread.postMessage(message);
  const until = async (isSo: () => boolean): Promise<void> => {
    while (lost === undefined && !isSo()) await new Promise<void>((resolve) => (wake = resolve));
    if (lost !== undefined) throw lost;
  };

  return {
    async take(records) {
      if (records.bytes.buffer !== buffer) {
        const before = sentBefore;
        [buffer, sentBefore] = [records.bytes.buffer, sent];
        // Then the thread is at most one buffer behind. Values that it has not copied are in the two before that one.
        await until(() => taken >= before);
      }
      send(records);
      sent += 1;
    },
    async folded() {
      send("end");
      await until(() => result !== undefined);
      const packed = result as PackedJournal;
      return { ...packed, chunks: unpackedChunks(packed.chunks) };
    },
    async close() {
      await thread.terminate();
    },
  };
}
