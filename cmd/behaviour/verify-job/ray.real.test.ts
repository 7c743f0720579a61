/** The example's driver for Ray, on Ray as PyPI has it. */
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { pythonPackages } from "../../../providers/real/python-packages.ts";
import { LOGIN } from "../../../providers/sandbox/sandbox.ts";
import { EXAMPLE, type PlannedJob, withPlannedJob } from "./planned-job.ts";
import { filesIn, LIMIT_MILLIS, watchedProcesses } from "./spark-runs.ts";

const ray = suite("a verification on Ray");
const installed = await pythonPackages("ray==2.60.0");
// biome-ignore lint/suspicious/noConsole: the harness names what was not run
if (typeof installed !== "string") console.log(`NOT RUN  ${installed.why}`);

interface Driven {
  readonly exit: number | string | null;
  readonly output: string;
}

function driven(packages: string, { dir, folder, worker, env }: PlannedJob): Promise<Driven> {
  const own = {
    ...{ PYTHONPATH: packages, PYTHONDONTWRITEBYTECODE: "1" },
    ...{ RAY_TMPDIR: dir, RAY_USAGE_STATS_ENABLED: "0", RAY_OVERRIDE_RESOURCES: '{"CPU": 2}' },
  };
  const words = [join(EXAMPLE, "drive_ray.py"), folder, "--worker", worker];
  const drive = ["--drive", `${process.execPath} ${join(EXAMPLE, "drive.mjs")}`];
  const options = { env: { ...process.env, ...env, ...own }, cwd: dir, timeout: LIMIT_MILLIS };
  return new Promise((resolve) => {
    execFile("python3", [...words, ...drive], options, (error, stdout, stderr) =>
      resolve({ exit: error === null ? 0 : (error.code ?? null), output: stdout + stderr }),
    );
  });
}

if (typeof installed === "string")
  ray("gives the same findings as a local run; a wrong password is tried once", () =>
    withPlannedJob(async (job) => {
      const watched = watchedProcesses([LOGIN.password]);
      try {
        const { exit, output } = await driven(installed, job);
        assert.is(exit, 0, output);
        await job.finishedAsHere();
        const { samples, seen } = watched.end();
        assert.ok(samples > 0);
        assert.equal(seen, []);
        const written = await filesIn(job.dir);
        assert.ok(written.some((path) => path.includes("/ray/session_")));
        for (const path of written) assert.not.ok((await readFile(path)).includes(LOGIN.password), path);

        job.sandbox.oracle.users[LOGIN.user] = { password: "changed since" };
        const before = job.sandbox.oracle.logons;
        const refused = await driven(installed, job);
        assert.is(refused.exit, 1, refused.output);
        assert.match(refused.output, "ORA-01017");
        assert.is(job.sandbox.oracle.logons, before + 1);
      } finally {
        watched.end();
      }
    }),
  );

ray.run();
