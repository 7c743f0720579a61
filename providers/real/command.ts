import { execFile } from "node:child_process";

/**
 * Runs a command to its end.
 * @returns what it wrote to standard output. @throws Error with the end of its output.
 */
export function run(command: string, args: readonly string[], folder?: string): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(command, args, { cwd: folder, maxBuffer: 1 << 26 }, (error, stdout, stderr) => {
      if (error === null) resolve(stdout);
      else reject(new Error(`${command} ${args[0] ?? ""} failed (${error.code}): ${(stdout + stderr).slice(-2000)}`));
    });
  });
}
