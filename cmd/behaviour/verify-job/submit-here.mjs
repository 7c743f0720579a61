/**
 * Stands in for `spark-submit` where there is no Spark: `node submit-here.mjs verify_spark.py JOB_DIR --worker COMMAND`
 * has the same workers carry the job out, and says what the script says. With `hold` beside that folder it waits
 * before each unit but the first until that is gone; a unit that is finished is not read again.
 */
import { appendFileSync, existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { jobIn } from "../../../examples/verify-on-kubernetes/drive.mjs";

const [, folder, , command] = process.argv.slice(2);
const say = (what) => process.stdout.write(`cdcctl ${JSON.stringify(what)}\n`);
say({ is: "started", application: "here-1", version: "0", web: null });
const job = await jobIn(folder, command);
try {
  await job.check();
  const read = readdirSync(join(folder, "tuples"));
  const units = job.units();
  for (const [at, unit] of units.entries()) {
    while (existsSync(join(folder, "..", "hold")) && at > 0) await pause(20);
    if (read.includes(String(at))) continue;
    appendFileSync(join(folder, "..", "reads.log"), `${unit}\n`);
    await job.read(unit);
    say({ is: "progress", table: "the table", units: at + 1, of: units.length, records: 0 });
  }
  await job.gather({ name: "spark", version: "stand-in" });
  for (const slot of job.slots()) await job.join(slot);
  say({ is: "done" });
} catch (error) {
  const [, code = "", message = ""] = /^(\S+): (.*)/s.exec(error.message) ?? [];
  say({ is: "failed", code, message, remedy: [], retriable: false });
  process.exitCode = 1;
} finally {
  job.end();
}
