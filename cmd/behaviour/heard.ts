import type { ChildProcess } from "node:child_process";

/** What a process has written so far. @param more called for more on standard output */
export function heardFrom(child: Pick<ChildProcess, "stdout" | "stderr">, more?: () => void) {
  const written = { output: "", stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const)
    child[name]?.setEncoding("utf8").on("data", (text: string) => {
      written.output += text;
      written[name] += text;
      if (name === "stdout") more?.();
    });
  return written;
}
