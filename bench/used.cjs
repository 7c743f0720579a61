// Preloaded into a command that is measured: at its end it tells the processor time it took, in milliseconds, and its peak memory, in bytes.
const { readFileSync, writeSync } = require("node:fs");
const { isMainThread } = require("node:worker_threads");

// Its threads are in the process's figures.
if (isMainThread)
  process.on("exit", () => {
    const { user, system } = process.cpuUsage();
    writeSync(3, JSON.stringify({ processorMillis: (user + system) / 1000, memory: peakMemory() }));
  });

// On Linux a process that was forked begins with its parent's size as `maxRSS`.
function peakMemory() {
  try {
    return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync("/proc/self/status", "utf8"))[1]) * 1024;
  } catch {
    return process.resourceUsage().maxRSS * 1024;
  }
}
