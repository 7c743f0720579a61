import { fstatSync, writeSync } from "node:fs";

/** An output stream of the process that reports incomplete writes at the end. */
export interface ProcessOutput {
  readonly write: (text: string) => void;
  /**
   * Waits until everything is written. @returns the reason of a failure; undefined also when only the reader went away
   * (`| head`)
   */
  readonly failure: () => Promise<NodeJS.ErrnoException | undefined>;
}

/**
 * Wraps a stream. A failed write does not interrupt the command; the failure is kept until its end.
 *
 * @param stream of the file descriptor `fd`
 */
export function processOutput(stream: NodeJS.WritableStream, fd: 1 | 2): ProcessOutput {
  let failed: NodeJS.ErrnoException | undefined;
  stream.on("error", (error: NodeJS.ErrnoException) => {
    failed ??= error;
  });
  // Node.js ignores partial writes (`SyncWriteStream`), the first sign of a full disk.
  const whole = isFile(fd);
  return {
    write(text) {
      if (!whole) {
        stream.write(text);
        return;
      }
      if (failed !== undefined) return;
      try {
        writeAll(fd, Buffer.from(text, "utf8"));
      } catch (error) {
        failed = error as NodeJS.ErrnoException;
      }
    },
    async failure() {
      await new Promise((resolve) => stream.write("", resolve));
      return failed?.code === "EPIPE" ? undefined : failed;
    },
  };
}

/**
 * Waits for pending writes, and reports failed ones on stderr.
 *
 * @param exit of the command. A failed or unfinished command keeps its code; a successful one fails without its output
 * @returns the exit code of the process
 */
export async function exitAfterOutput(
  exit: number,
  outputs: { readonly stdout: ProcessOutput; readonly stderr: ProcessOutput },
): Promise<number> {
  let worst = exit;
  for (const name of ["stdout", "stderr"] as const) {
    const failed = await outputs[name].failure();
    if (failed === undefined) continue;
    if (exit === 0 || exit === 2) worst = 1;
    outputs.stderr.write(
      `failed: cannot write to ${name}: ${reasonOf(failed)}\n  The output is incomplete. The command itself ` +
        `finished with exit code ${exit}.\n`,
    );
  }
  return worst;
}

/** `ENOSPC: no space left on device`, without the system call. */
export function reasonOf({ message }: Error): string {
  return message.split(",")[0] ?? message;
}

function isFile(fd: number): boolean {
  try {
    return fstatSync(fd).isFile();
  } catch {
    return false;
  }
}

function writeAll(fd: number, bytes: Uint8Array): void {
  let at = 0;
  while (at < bytes.length) at += writeSync(fd, bytes, at);
}
