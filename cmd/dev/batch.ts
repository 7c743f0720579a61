/**
 * Runs files of tests one after the other in this process, so that what they share is loaded once. After the output of
 * each comes a line with the exit code that the file alone would have ended with, and the processor time that it and
 * the processes it started took; `test.ts` reads it.
 *
 *   node --import tsx cmd/dev/batch.ts FILE...      or, compiled, cmd/dev/batch.js, which runs compiled files
 */
import { readFileSync } from "node:fs";

/** Where uvu keeps the suites to run. `UVU_DEFER` leaves their start to whoever has loaded the files. */
const uvu = globalThis as unknown as { UVU_DEFER: 1; UVU_QUEUE: unknown[][] };
uvu.UVU_DEFER = 1;
const { exec } = await import("uvu");

const compiled = process.argv[1]?.endsWith(".js");
let before = 0;
for (const file of process.argv.slice(2)) {
  uvu.UVU_QUEUE.splice(0, uvu.UVU_QUEUE.length, [null]);
  const path = `../../${compiled ? file.replace(/\.ts$/, ".js") : file}`;
  await import(path);
  await exec();
  const used = usedSeconds();
  process.stdout.write(`\nEND OF ${file}, exit ${process.exitCode}, used ${(used - before).toFixed(1)} s\n`);
  before = used;
}

/**
 * The time used by this process and those that it has waited for; by this one alone where the system does not tell
 * theirs.
 */
function usedSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6 + secondsOfChildren();
}

function secondsOfChildren(): number {
  try {
    const [user, system] = readFileSync("/proc/self/stat", "utf8").split(") ")[1]?.split(" ").slice(13, 15) ?? [];
    return (Number(user) + Number(system)) / 100;
  } catch {
    return 0;
  }
}
