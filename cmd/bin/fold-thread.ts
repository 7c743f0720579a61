/** A thread that folds the records of a long journal (`providers/threads/fold-in-thread.ts`). */
import { parentPort, workerData } from "node:worker_threads";
import { type FoldQuestion, foldJournal } from "../../core/journal/fold-records.ts";
import type { FromFold, ToFold } from "../../providers/threads/fold-in-thread.ts";
import { packedChunks } from "../../providers/threads/packed-chunks.ts";

const fold = foldJournal(workerData as FoldQuestion);
const send = (message: FromFold): void => parentPort?.postMessage(message);
let taken = 0;
parentPort?.on("message", (message: ToFold) => {
  if (message === "end") {
    const folded = fold.folded();
    return send({ ...folded, chunks: packedChunks(folded.chunks) });
  }
  fold.take(message);
  send(++taken);
});
