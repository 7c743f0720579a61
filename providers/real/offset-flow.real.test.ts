import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { supportsExactlyOnce } from "../../core/doctor/inspect.ts";
import { CONNECTOR_CLASS } from "../../core/legacy/connector-class.ts";
import type { JsonObject } from "../../core/values/json.ts";
import { openConnect } from "../connect/connect.ts";
import { quickClock } from "../connect/testing/test-clock.ts";
import { type RealStack, startStack } from "./stack.ts";
import { waitFor } from "./wait.ts";

const resumeScn = (offset: JsonObject | undefined) => offset?.["resume_scn"] as bigint;

/** What is stored, with another position and the redo address that no longer fits taken away. */
function movedTo(scn: bigint, stored: JsonObject | undefined): JsonObject {
  const { resume_rs_id: _address, resume_ssn: _ssn, ...kept } = stored ?? {};
  return { ...kept, resume_scn: scn };
}

/** A task that hangs in poll() with a record sent and its offset not yet committed; `let go` ends the hang. */
async function hungConnector(real: RealStack, name: string): Promise<{ readonly release: () => void }> {
  const file = join(real.folder, `hang-${name}`);
  await real.createConnector(name, { "cdc.start.scn": "2204500", "standin.hang.while.file": file });
  writeFileSync(file, "");
  await waitFor("the task to hang", () => real.logged("STANDIN poll hangs"));
  return { release: () => rmSync(file) };
}

/** Asks the first worker as `doctor check` does. */
async function exactlyOnceOf({ connectUrl: url }: RealStack): Promise<boolean> {
  const connect = openConnect({ url, clock: quickClock(), proxy: "none" });
  try {
    return await supportsExactlyOnce(connect, CONNECTOR_CLASS);
  } finally {
    await connect.close();
  }
}

for (const kafka of ["3", "4"] as const) {
  const flow = suite(`moving a stored offset on real workers of Kafka ${kafka}`);
  let real: RealStack;
  flow.before(async () => {
    real = await startStack({ kafka, worker: { "task.shutdown.graceful.timeout.ms": "1000" } });
  });
  flow.after(() => real.stop());

  flow("stop, patch, read back, resume: the task starts at the new position", async () => {
    await real.createConnector("orders", { "cdc.start.scn": "2204500" });
    const early = await real.patchOffset("orders", { resume_scn: 1n });
    assert.is(early.status, 400);
    assert.match(early.text, "Connectors must be in the STOPPED state");

    await real.stopConnector("orders");
    const stored = await real.storedOffset("orders");
    const wanted = movedTo(9_007_199_254_740_993n, stored);
    const patched = await real.patchOffset("orders", wanted);
    assert.is(patched.status, 200);
    assert.match(patched.text, "have been altered successfully");
    assert.equal(await real.storedOffset("orders"), wanted);

    await real.resumeConnector("orders");
    const advanced = await waitFor("the first commit after the resume", async () => {
      const now = await real.storedOffset("orders");
      return resumeScn(now) > 9_007_199_254_740_993n && now;
    });
    assert.is(advanced["journal_generation"], (stored?.["journal_generation"] as bigint) + 1n);
    assert.is(advanced["dbid"], stored?.["dbid"]);
  });

  flow("after a backward move the last commit stays unchanged", async () => {
    const database = { dbid: 2_873_049_183n, resetlogs_scn: 1n };
    const commit = { last_commit_scn: 2204498n, last_commit_xid: "3:7.22.1180", event_index: 1n };
    const offset = { v: 1n, ...database, ...commit, resume_scn: 500n, journal_generation: 7n };
    await real.createStopped("moved", {}, offset);
    await real.resumeConnector("moved");
    const advanced = await waitFor("the position to advance", async () => {
      const now = await real.storedOffset("moved");
      return resumeScn(now) > 500n && now;
    });
    assert.is(advanced["last_commit_scn"], 2204498n);
    assert.is(advanced["journal_generation"], 8n);
  });

  flow("a task that hangs while it is stopped undoes a PATCH that was read back", async () => {
    const { release } = await hungConnector(real, "hung");
    await real.stopConnector("hung");
    const before = await real.storedOffset("hung");
    const wanted = movedTo(5000n, before);
    assert.is((await real.patchOffset("hung", wanted)).status, 200);
    assert.equal(await real.storedOffset("hung"), wanted);

    release();
    const after = await waitFor("the late commit", async () => {
      const now = await real.storedOffset("hung");
      return resumeScn(now) !== 5000n && now;
    });
    assert.ok(resumeScn(after) >= resumeScn(before));
    assert.equal((await real.status("hung"))?.state, "STOPPED");
  });

  flow("a task configured to hang when it is stopped needs no file, and commits late as well", async () => {
    await real.createConnector("slow", {
      "cdc.start.scn": "2204500",
      "standin.hang.when.stopped.ms": "6000",
      // Connect stops a task before or after its connector: a poll that returns in between would not hang.
      "standin.wait.to.hang": "true",
    });
    await waitFor("its last poll", () => real.logged("STANDIN poll waits to hang"));
    const before = resumeScn(await real.storedOffset("slow"));
    await real.stopConnector("slow");
    assert.is((await real.patchOffset("slow", { v: 1n, resume_scn: 5000n })).status, 200);
    assert.is(resumeScn(await real.storedOffset("slow")), 5000n);
    await waitFor("the late commit", async () => resumeScn(await real.storedOffset("slow")) > before, 15_000);
  });

  flow("the class refuses an offset with its own message, and nothing changes", async () => {
    await real.createStopped("refusing", { "standin.alter.refuse": "resume_scn 5 is before the redo" });
    const refused = await real.patchOffset("refusing", { v: 1n, resume_scn: 5n });
    assert.is(refused.status, 500);
    assert.match(refused.text, "resume_scn 5 is before the redo");
    assert.is(await real.storedOffset("refusing"), undefined);
  });

  flow.run();

  const fenced = suite(`exactly-once support of Kafka ${kafka}`);
  fenced("keeps the PATCH, whatever the hung task does", async () => {
    const eos = await startStack({ kafka, eos: true, worker: { "task.shutdown.graceful.timeout.ms": "1000" } });
    try {
      assert.is(await exactlyOnceOf(eos), true);
      const { release } = await hungConnector(eos, "orders");
      await eos.stopConnector("orders");
      const wanted = movedTo(5000n, await eos.storedOffset("orders"));
      assert.is((await eos.patchOffset("orders", wanted)).status, 200);

      release();
      await waitFor("the hung poll to return and its task to end", () => eos.logged("STANDIN stop at"));
      // What the fenced task had left to commit has failed once a round trip through the offsets topic shows the
      // patched value.
      assert.equal(await eos.storedOffset("orders"), wanted);
      await eos.resumeConnector("orders");
      const advanced = await waitFor("the first commit after the resume", async () => {
        const now = await eos.storedOffset("orders");
        return resumeScn(now) !== 5000n && now;
      });
      assert.ok(resumeScn(advanced) < 10_000n, `resumed from ${resumeScn(advanced)}`);
    } finally {
      await eos.stop();
    }
  });
  fenced.run();
}
