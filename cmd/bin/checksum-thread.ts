/** A thread that checks what is fetched from a long topic (`providers/kafka/checksum-thread.ts`). */
import { parentPort } from "node:worker_threads";
import { serveChecksums } from "../../providers/kafka/serve-checksums.ts";

if (parentPort === null) throw new Error("this runs in a thread");
serveChecksums(parentPort);
