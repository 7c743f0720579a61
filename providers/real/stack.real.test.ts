import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { isObject, parseJson } from "../../core/values/json.ts";
import { isAlive, stackFolder } from "./folder.ts";
import { startStack } from "./stack.ts";
import { waitFor } from "./wait.ts";

const stack = suite("a real broker and a real worker");

for (const [kafka, version] of [
  ["3", "3.9.2"],
  ["4", "4.3.1"],
] as const) {
  stack(`come up as Kafka ${version}, run the stand-in connector and go away`, async () => {
    const real = await startStack({ kafka });
    const pids = [real.broker.pid, ...real.workers.map((worker) => worker.process.pid)];
    try {
      const root = parseJson((await real.call("GET", "/")).text);
      assert.ok(isObject(root));
      assert.is(root["version"], version);
      assert.is(root["kafka_cluster_id"], real.clusterId);
      assert.is(await real.leader(), 0);

      await real.createConnector("orders", { "cdc.start.scn": "2204500", "standin.released.xids": "1:4.9.771" });
      const offset = await waitFor("the offset to advance", async () => {
        const stored = await real.storedOffset("orders");
        return (stored?.["resume_scn"] as bigint) > 2204500n && stored;
      });
      assert.is(offset["v"], 1n);
      assert.is(offset["journal_generation"], 1n);
      assert.is(offset["last_commit_scn"], (offset["resume_scn"] as bigint) - 5n);
      assert.match(offset["resume_rs_id"] as string, /^0x[0-9a-f]{6}\.[0-9a-f]{8}\.[0-9a-f]{4}$/);
      assert.is(offset["released_xids"], "1:4.9.771");
    } finally {
      await real.stop();
    }
    assert.equal(pids.filter(isAlive), []);
    assert.not(existsSync(real.folder));
  });
}

stack("shows the failure that the task was configured with", async () => {
  const real = await startStack({ kafka: "4" });
  try {
    const failing = real.createConnector("orders", { "standin.fail.message": "CDC-2002 log purged: sequence 42" });
    const error = await failing.then(
      () => undefined,
      (reason: unknown) => reason as Error,
    );
    assert.match(error?.message ?? "", "CDC-2002 log purged: sequence 42");
    await real.untilState("orders", "FAILED");
  } finally {
    await real.stop();
  }
});

stack("starts a killed worker again, which joins", async () => {
  const real = await startStack({ kafka: "4", workers: 2 });
  try {
    const leader = await real.leader();
    await real.kill(leader);
    assert.is(await real.leader(), 1 - leader);
    await real.restart(leader);
    assert.is((await real.call("GET", "/health", undefined, { worker: leader })).status, 200);
  } finally {
    await real.stop();
  }
});

stack("leaves nothing running, however the test that started it ends", async () => {
  for (const end of ["SIGKILL", "SIGTERM", "throw"] as const) {
    const child = spawn(
      process.execPath,
      ["--import", "tsx", join(import.meta.dirname, "testdata", "abandon.ts"), end],
      {
        stdio: ["ignore", "pipe", "ignore"],
      },
    );
    try {
      const [pid, folder] = JSON.parse(await firstLine(child)) as [number, string];
      if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
      await waitFor(`the broker to end after ${end}`, () => !isAlive(pid), 10_000);
      // A test that was killed outright can clear nothing away: the next one does.
      if (end === "SIGKILL") await (await stackFolder(false)).remove();
      assert.not(existsSync(folder), `the folder is gone after ${end}`);
    } finally {
      child.kill("SIGKILL");
    }
  }
});

async function firstLine(child: ChildProcess): Promise<string> {
  let text = "";
  for await (const chunk of child.stdout ?? []) {
    text += chunk;
    if (text.includes("\n")) return text;
  }
  throw new Error("it ended without a word");
}

stack.run();
