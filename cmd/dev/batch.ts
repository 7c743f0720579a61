/**
 * Runs files of tests one after the other in this process, so that what they share is loaded once. After the output of
 * each comes a line with the exit code that the file alone would have ended with; `test.ts` reads it.
 *
 *   node --import tsx cmd/dev/batch.ts FILE...
 */
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** Where uvu keeps the suites to run. `UVU_DEFER` leaves their start to whoever has loaded the files. */
const uvu = globalThis as unknown as { UVU_DEFER: 1; UVU_QUEUE: unknown[][] };
uvu.UVU_DEFER = 1;
const { exec } = await import("uvu");

for (const file of process.argv.slice(2)) {
  uvu.UVU_QUEUE.splice(0, uvu.UVU_QUEUE.length, [null]);
  await import(join(ROOT, file));
  await exec();
  process.stdout.write(`\nEND OF ${file}, exit ${process.exitCode}\n`);
}
