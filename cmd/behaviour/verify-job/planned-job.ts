/** A job that is carried out by a driver that is not part of cdcctl. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as assert from "uvu/assert";
import { afterCutover, type Verifying } from "./after-cutover.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
export const EXAMPLE = join(ROOT, "examples/verify-on-kubernetes");
const WORKER = `${process.execPath} ${join(ROOT, "dist/cdcctl.js")} migrate verify-worker`;

export interface PlannedJob extends Pick<Verifying, "sandbox" | "dir" | "contexts" | "env"> {
  readonly folder: string;
  readonly worker: string;
  /** Finishes the job, whose findings must be those of a local run. */
  finishedAsHere(): Promise<void>;
}

export const withPlannedJob = (body: (job: PlannedJob) => Promise<void>): Promise<void> =>
  afterCutover(["lost-row", "stale-value", "legacy-only-row"], async ({ local, plan, finish, ...rest }) => {
    const { folder } = await plan();
    await body({
      ...{ ...rest, folder, worker: WORKER },
      async finishedAsHere() {
        const [here, there] = [await local(), await finish(folder)];
        assert.is(there["outcome"], "fail");
        assert.is(there["findings"], here["findings"]);
      },
    });
  });
