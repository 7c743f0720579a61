import type { MessagePort } from "node:worker_threads";
import type { BatchesToCheck } from "./checksum-thread.ts";
import { damageOf } from "./record-batch.ts";

/** Checks the batches in the messages that it receives, one after the other. */
export function serveChecksums(port: MessagePort): void {
  port.on("message", ({ memory, start, length }: BatchesToCheck) =>
    port.postMessage(damageOf(Buffer.from(memory, start, length))),
  );
}
