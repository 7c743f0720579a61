import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { type Checksums, checksumThread } from "../../providers/kafka/checksum-thread.ts";

/** Starts checksum threads. @returns undefined when there is one processor, or no built thread to start */
export function openChecksums(): Checksums | undefined {
  const module = new URL("./checksum-thread.js", import.meta.url);
  return availableParallelism() < 2 || !existsSync(module) ? undefined : checksumThread(module);
}
