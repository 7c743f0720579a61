import { availableParallelism } from "node:os";
import { type Checksums, checksumThread } from "../../providers/kafka/checksum-thread.ts";

/** Starts checksum threads. @returns undefined when there is one processor, or no built thread to start */
export function openChecksums(): Checksums | undefined {
  if (availableParallelism() < 2 || process.env["CDCCTL_VERSION"] === undefined) return undefined;
  return checksumThread(new URL("./checksum-thread.js", import.meta.url));
}
