import { suite } from "uvu";
import * as assert from "uvu/assert";
import { isStopped } from "../../../core/facts/connector/connector.ts";
import { openConnect } from "../../connect/connect.ts";
import { until } from "../../connect/contract.ts";
import { quickClock } from "../../connect/testing/test-clock.ts";
import { type StartConnectOptions, startConnect } from "./start-connect.ts";
import { gate } from "./test-gate.ts";

const late = suite("sandbox Connect: timing and injected faults");

const partition = { server: "CDC" };
const offsetOf = (scn: bigint) => [{ partition, offset: { resume_scn: scn } }];

async function world(options: StartConnectOptions) {
  const sandbox = await startConnect({
    commitInterval: 5,
    statusLag: 5,
    position: () => 1000n,
    connectors: [{ name: "orders", config: { "cdc.topic.prefix": "CDC" }, offsets: offsetOf(1000n) }],
    ...options,
  });
  const connect = openConnect({ url: sandbox.url, clock: quickClock() });
  return {
    sandbox,
    connect,
    resumeScn: () => sandbox.stored("orders")[0]?.offset?.["resume_scn"],
    stop: async () => {
      await connect.stop("orders");
      await until("STOPPED", async () => {
        const status = await connect.status("orders");
        return status !== undefined && isStopped(status);
      });
    },
    close: async () => {
      await connect.close();
      await sandbox.close();
    },
  };
}

for (const exactlyOnce of [false, true])
  late(
    `a hung task's late commit ${exactlyOnce ? "is fenced with" : "undoes a PATCH without"} exactly-once support`,
    async () => {
      const hang = gate();
      const { connect, stop, resumeScn, close } = await world({ hang: hang.opened, graceful: 20, exactlyOnce });
      try {
        await stop();
        assert.is((await connect.patchOffsets("orders", offsetOf(5n))).answer, "applied");
        assert.is(resumeScn(), 5n);
        hang.open();
        await new Promise((resolve) => setImmediate(resolve));
        assert.is(resumeScn(), exactlyOnce ? 5n : 1000n);
      } finally {
        await close();
      }
    },
  );

late("a PATCH answered 500 can be applied later", async () => {
  const later = gate();
  const { connect, sandbox, stop, resumeScn, close } = await world({});
  try {
    await stop();
    sandbox.fail(({ method }) => (method === "PATCH" ? { "500-applied-later": later.opened } : undefined));
    assert.is((await connect.patchOffsets("orders", offsetOf(5n))).answer, "unanswered");
    assert.is(resumeScn(), 1000n);
    later.open();
    await until("the late PATCH", async () => resumeScn() === 5n);
  } finally {
    await close();
  }
});

late("an abandoned task commits while its successor runs", async () => {
  const hang = gate();
  const { connect, sandbox, stop, resumeScn, close } = await world({
    hang: hang.opened,
    graceful: 20,
    commitInterval: 600_000,
  });
  try {
    await stop();
    assert.is((await connect.patchOffsets("orders", offsetOf(5n))).answer, "applied");
    await connect.resume("orders");
    await until("its successor", async () => sandbox.cluster.connectors.get("orders")?.running !== undefined);
    assert.is(resumeScn(), 5n);
    hang.open();
    await until("the late commit", async () => resumeScn() === 1000n);
  } finally {
    await close();
  }
});

late("an operator resumes a stopped connector just before the PATCH, once", async () => {
  const { connect, stop, resumeScn, close } = await world({ operator: "before PATCH" });
  try {
    await stop();
    const refused = await connect.patchOffsets("orders", offsetOf(5n));
    assert.is(refused.answer, "rejected");
    assert.match(JSON.stringify(refused), "Connectors must be in the STOPPED state");
    await stop();
    assert.is((await connect.patchOffsets("orders", offsetOf(5n))).answer, "applied");
    assert.is(resumeScn(), 5n);
  } finally {
    await close();
  }
});

late("an operator flips a stopped connector back to RUNNING", async () => {
  const { connect, stop, close } = await world({ operator: 30 });
  try {
    await stop();
    await until(
      "RUNNING after another user's change",
      async () => (await connect.status("orders"))?.state === "RUNNING",
    );
  } finally {
    await close();
  }
});

late("a paused operator leaves a stopped connector untouched, until it reconciles again", async () => {
  const { sandbox, connect, stop, resumeScn, close } = await world({ operator: 1 });
  try {
    sandbox.operator.resumeMillis = undefined;
    await stop();
    for (const scn of [5n, 6n])
      assert.is((await connect.patchOffsets("orders", offsetOf(scn))).answer, "applied", "still STOPPED");
    assert.is(resumeScn(), 6n);
    sandbox.operator.resumeMillis = 1;
    await connect.stop("orders");
    await until("RUNNING again", async () => (await connect.status("orders"))?.state === "RUNNING");
  } finally {
    await close();
  }
});

late("workers are named as their operator advertises them", async () => {
  const pod = (worker: number): string => `my-connect-connect-${worker}.my-connect-connect.kafka.svc:8083`;
  const { sandbox, connect, close } = await world({ advertised: pod });
  try {
    assert.is((await connect.status("orders"))?.worker, pod(0));
    sandbox.operator.advertised = undefined;
    assert.match((await connect.status("orders"))?.worker ?? "", /^127\.0\.0\.1:\d+$/);
  } finally {
    await close();
  }
});

late("an operator resumes a connector each time that it is stopped", async () => {
  let started = 0;
  const task = () => ({ start: () => void started++, tick: () => [] });
  const { connect, close } = await world({ operator: 30, task });
  try {
    for (const starts of [2, 3]) {
      await connect.stop("orders");
      await until("another start", async () => started === starts);
    }
  } finally {
    await close();
  }
});

late("a task that fails shows its trace, and the connector can be stopped", async () => {
  const task = () => ({
    start: () => undefined,
    tick: () => {
      throw new Error("CDC-2002 log purged");
    },
  });
  const { connect, stop, close } = await world({ task });
  try {
    await until("FAILED", async () => (await connect.status("orders"))?.tasks[0]?.state === "FAILED");
    assert.match((await connect.status("orders"))?.tasks[0]?.trace ?? "", "CDC-2002");
    await stop();
  } finally {
    await close();
  }
});

late("after a resume the task starts at the stored offset with a higher journal generation", async () => {
  const { connect, stop, resumeScn, sandbox, close } = await world({});
  try {
    await stop();
    const generation = sandbox.stored("orders")[0]?.offset?.["journal_generation"];
    await connect.resume("orders");
    await until("its commit", async () => sandbox.stored("orders")[0]?.offset?.["journal_generation"] !== generation);
    assert.is(resumeScn(), 1000n);
  } finally {
    await close();
  }
});

late.run();
