import { fstatSync, writeSync } from "node:fs";

/** A stream of the process: what is written to it arrives whole, or it is known in the end that it did not. */
export interface ProcessOutput {
  readonly write: (text: string) => void;
  /**
   * Waits until everything is written. @returns why it could not be; undefined too where only the reader went away (`|
   * head`)
   */
  readonly failure: () => Promise<NodeJS.ErrnoException | undefined>;
}

/**
 * A failed write ends nothing half-way: it is kept, for the end of the command.
 *
 * @param stream of the file descriptor `fd`
 */
export function processOutput(stream: NodeJS.WritableStream, fd: 1 | 2): ProcessOutput {
  let failed: NodeJS.ErrnoException | undefined;
  stream.on("error", (error: NodeJS.ErrnoException) => {
    failed ??= error;
  });
  // Node.js passes over a write that was cut short (`SyncWriteStream`), which is how a disk that runs full begins.
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
 * Waits for what was written, and reports on stderr what could not be.
 *
 * @param exit of the command. What failed or is unfinished keeps its code; everything else is no success without its
 * output
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
