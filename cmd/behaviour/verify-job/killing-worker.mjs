/**
 * Stands before a worker, and kills once: `node killing-worker.mjs MARK WHO WHEN WORKER…`. WHO is `node` (the worker),
 * `python` (who started it) or `executor` (the JVM above), or `nobody`: then the worker waits for ever. WHEN is `read`
 * (tuples were sent) or `join` (a slot is to be joined).
 */
import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";

const [mark, who, when, ...worker] = process.argv.slice(2);
const child = spawn(worker[0], worker.slice(1), { stdio: ["pipe", "pipe", "inherit"] });
child.on("exit", (code) => process.exit(code ?? 1));
child.stdin.on("error", () => undefined);

function kill() {
  try {
    writeFileSync(mark, who, { flag: "wx" });
  } catch {
    return;
  }
  if (who === "nobody") {
    child.kill("SIGSTOP");
    return;
  }
  child.kill("SIGKILL");
  if (who === "python") process.kill(process.ppid, "SIGKILL");
  if (who === "executor") process.kill(jvm(process.ppid), "SIGKILL");
  process.exit(1);
}

/** The nearest ancestor that is a JVM. */
function jvm(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  if (stat.includes("(java)")) return pid;
  return jvm(Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]));
}

let sent = 0;
child.stdout.on("data", (bytes) => {
  sent += bytes.length;
  // The greeting has been read by then.
  if (when === "read" && sent > 1500) kill();
  process.stdout.write(bytes);
});
process.stdin.on("data", (bytes) => {
  if (when === "join" && bytes.includes('"is": "join"')) kill();
  child.stdin.write(bytes);
});
process.stdin.on("end", () => child.stdin.end());
