import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { JsonObject } from "../../core/values/json.ts";
import { type RealStack, startStack } from "./stack.ts";
import { waitFor } from "./wait.ts";

const flow = suite("moving a stored offset on real workers");

const resumeScn = (offset: JsonObject | undefined) => offset?.["resume_scn"] as bigint;

/** What is stored, with another position and the redo address that no longer fits taken away. */
function movedTo(scn: bigint, stored: JsonObject | undefined): JsonObject {
  const { resume_rs_id: _address, resume_ssn: _ssn, ...kept } = stored ?? {};
  return { ...kept, resume_scn: scn };
}

/** A task that hangs in poll() with a record sent and its offset not yet committed; `let go` ends the hang. */
async function hungConnector(real: RealStack): Promise<{ readonly letGo: () => void }> {
  const file = join(real.folder, "hang");
  await real.createConnector("orders", { "cdc.start.scn": "2204500", "standin.hang.while.file": file });
  writeFileSync(file, "");
  await waitFor("the task to hang", () => real.logged("STANDIN poll hangs"));
  return { letGo: () => rmSync(file) };
}

for (const kafka of ["3", "4"] as const) {
  flow(`Kafka ${kafka}: stop, patch, read back, resume: the task starts at the new position`, async () => {
    const real = await startStack({ kafka });
    try {
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
    } finally {
      await real.stop();
    }
  });

  flow(`Kafka ${kafka}: after a move back the last commit stays where it was`, async () => {
    const real = await startStack({ kafka });
    try {
      await real.createStopped(
        "orders",
        {},
        { v: 1n, resume_scn: 500n, last_commit_scn: 2204498n, journal_generation: 7n },
      );
      await real.resumeConnector("orders");
      const advanced = await waitFor("the position to advance", async () => {
        const now = await real.storedOffset("orders");
        return resumeScn(now) > 500n && now;
      });
      assert.is(advanced["last_commit_scn"], 2204498n);
      assert.is(advanced["journal_generation"], 8n);
    } finally {
      await real.stop();
    }
  });

  flow(`Kafka ${kafka}: a task that hangs while it is stopped undoes a PATCH that was read back`, async () => {
    const real = await startStack({ kafka, worker: { "task.shutdown.graceful.timeout.ms": "1000" } });
    try {
      const { letGo } = await hungConnector(real);
      await real.stopConnector("orders");
      const before = await real.storedOffset("orders");
      const wanted = movedTo(5000n, before);
      assert.is((await real.patchOffset("orders", wanted)).status, 200);
      assert.equal(await real.storedOffset("orders"), wanted);

      letGo();
      const after = await waitFor("the late commit", async () => {
        const now = await real.storedOffset("orders");
        return resumeScn(now) !== 5000n && now;
      });
      assert.ok(resumeScn(after) >= resumeScn(before));
      assert.equal((await real.status("orders"))?.state, "STOPPED");
    } finally {
      await real.stop();
    }
  });

  flow(`Kafka ${kafka}: with exactly-once support the PATCH stands, whatever the hung task does`, async () => {
    const real = await startStack({ kafka, eos: true, worker: { "task.shutdown.graceful.timeout.ms": "1000" } });
    try {
      const { letGo } = await hungConnector(real);
      await real.stopConnector("orders");
      const wanted = movedTo(5000n, await real.storedOffset("orders"));
      assert.is((await real.patchOffset("orders", wanted)).status, 200);

      letGo();
      await waitFor("the hung poll to return and its task to end", () => real.logged("STANDIN stop at"));
      // What the fenced task had left to commit has failed once a round trip through the offsets topic shows the patched value.
      assert.equal(await real.storedOffset("orders"), wanted);
      await real.resumeConnector("orders");
      const advanced = await waitFor("the first commit after the resume", async () => {
        const now = await real.storedOffset("orders");
        return resumeScn(now) !== 5000n && now;
      });
      assert.ok(resumeScn(advanced) < 10_000n, `resumed from ${resumeScn(advanced)}`);
    } finally {
      await real.stop();
    }
  });
}

flow("a task told to hang when it is stopped needs no file, and commits late as well", async () => {
  const real = await startStack({ kafka: "4", worker: { "task.shutdown.graceful.timeout.ms": "1000" } });
  try {
    await real.createConnector("orders", { "cdc.start.scn": "2204500", "standin.hang.when.stopped.ms": "6000" });
    await real.stopConnector("orders");
    assert.is((await real.patchOffset("orders", { v: 1n, resume_scn: 5000n })).status, 200);
    assert.is(resumeScn(await real.storedOffset("orders")), 5000n);
    await waitFor("the late commit", async () => resumeScn(await real.storedOffset("orders")) >= 2204500n, 15_000);
  } finally {
    await real.stop();
  }
});

flow("the class refuses an offset with its own words, and nothing changes", async () => {
  const real = await startStack({ kafka: "4" });
  try {
    const refusing = { "standin.alter.refuse": "resume_scn 5 is before the redo" };
    await real.createStopped("orders", refusing);
    const refused = await real.patchOffset("orders", { v: 1n, resume_scn: 5n });
    assert.is(refused.status, 500);
    assert.match(refused.text, "resume_scn 5 is before the redo");
    assert.is(await real.storedOffset("orders"), undefined);
  } finally {
    await real.stop();
  }
});

flow.run();
