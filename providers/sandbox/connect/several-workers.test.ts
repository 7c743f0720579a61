import { suite } from "uvu";
import * as assert from "uvu/assert";
import { isObject, type JsonObject, parseJson, printJson } from "../../../core/values/json.ts";
import { until } from "../../connect/contract.ts";
import { callRest, type RestCall } from "../../real/rest.ts";
import { type SandboxWorker, type StartConnectOptions, startConnect } from "./start-connect.ts";
import { gate } from "./test-gate.ts";

/** Sequences seen on clusters of two and three real workers, 3.9.2 and 4.3.1, polled every 12 ms. */
const several = suite("sandbox Connect: several workers");

const CONNECTOR = { name: "orders", config: { "cdc.topic.prefix": "CDC" } };
const OFFSETS = [{ partition: { server: "CDC" }, offset: { resume_scn: 500n } }];

async function cluster(options: StartConnectOptions) {
  const sandbox = await startConnect({
    workers: 2,
    commitInterval: 600_000,
    statusLag: 0,
    position: () => 1000n,
    connectors: [{ ...CONNECTOR, offsets: OFFSETS }],
    ...options,
  });
  const call = (
    method: RestCall["method"],
    path: string,
    { worker = 0, body }: { worker?: number; body?: JsonObject } = {},
  ) => {
    const url = `${sandbox.workers[worker]?.url}${path}`;
    return callRest({ method, url, millis: 10_000, ...(body === undefined ? {} : { body: printJson(body, 0) }) }, {});
  };
  /** `STOPPED [UNASSIGNED]` */
  const status = async (worker = 0): Promise<string> =>
    brief((await call("GET", "/connectors/orders/status", { worker })).text);
  return {
    sandbox,
    call,
    status,
    stored: () => sandbox.stored("orders")[0]?.offset?.["resume_scn"],
    shows: (wanted: string, worker = 0) => until(wanted, async () => (await status(worker)) === wanted),
  };
}

function brief(text: string): string {
  const body = parseJson(text);
  if (!isObject(body) || !isObject(body["connector"]) || !Array.isArray(body["tasks"])) return text;
  const tasks = (body["tasks"] as readonly JsonObject[]).map(({ state }) => state);
  return `${body["connector"]["state"]} [${tasks.join(", ")}]`;
}

const LEADER = 0;
const FOLLOWER = 1;
for (const { place, stopping, ended } of [
  { place: { connector: LEADER, task: LEADER }, stopping: "STOPPED [RUNNING]", ended: "STOPPED []" },
  { place: { connector: LEADER, task: FOLLOWER }, stopping: "STOPPED []", ended: "STOPPED [UNASSIGNED]" },
  { place: { connector: FOLLOWER, task: FOLLOWER }, stopping: "RUNNING []", ended: "RUNNING [UNASSIGNED]" },
  { place: { connector: FOLLOWER, task: LEADER }, stopping: "RUNNING [RUNNING]", ended: "RUNNING []" },
])
  several(
    `a stop shows ${stopping}, ${ended}, STOPPED [] with the connector on worker ${place.connector} and its task ` +
      `on ${place.task}`,
    async () => {
      const [task, rebalance] = [gate(), gate()];
      const { sandbox, call, shows, stored } = await cluster({
        place,
        hang: task.opened,
        nextRebalance: rebalance.opened,
      });
      try {
        assert.is((await call("PUT", "/connectors/orders/stop", { worker: 1 })).status, 204);
        await shows(stopping);
        assert.is(stored(), 500n);
        task.open();
        await shows(ended);
        assert.ok((stored() as bigint) > 500n, "a task ends after its last commit");
        rebalance.open();
        await shows("STOPPED []");
      } finally {
        await sandbox.close();
      }
    },
  );

several("a follower's abandoned task is never UNASSIGNED, and commits when its hang ends", async () => {
  const task = gate();
  const place = { connector: FOLLOWER, task: FOLLOWER };
  const { sandbox, call, shows, status, stored } = await cluster({
    place,
    hang: task.opened,
    graceful: 20,
    nextRebalance: 0,
  });
  try {
    await call("PUT", "/connectors/orders/stop");
    await shows("STOPPED []");
    assert.is(stored(), 500n);
    task.open();
    await until("the late commit", async () => stored() !== 500n);
    assert.is(await status(), "STOPPED []");
    const statuses =
      sandbox.cluster.connectors.get("orders")?.statusLog.flatMap(({ status: { tasks } }) => tasks) ?? [];
    assert.ok(statuses.length > 0);
    assert.equal(
      statuses.filter(({ state }) => state === "UNASSIGNED"),
      [],
    );
  } finally {
    await sandbox.close();
  }
});

several(
  "a worker that lags behind the status topic shows the previous status, and a load balancer uses it in turn",
  async () => {
    const { sandbox, call, shows, status } = await cluster({ balanced: true });
    try {
      const [, second] = sandbox.workers;
      if (second === undefined) throw new Error("there is no second worker");
      second.behind = 600_000;
      await call("PUT", "/connectors/orders/stop");
      await shows("STOPPED []");
      assert.is(await status(1), "RUNNING [RUNNING]");
      const balanced: string[] = [];
      for (let n = 0; n < 4; n++)
        balanced.push(
          brief((await callRest({ method: "GET", url: `${sandbox.url}/connectors/orders/status` }, {})).text),
        );
      assert.equal(balanced.sort(), ["RUNNING [RUNNING]", "RUNNING [RUNNING]", "STOPPED []", "STOPPED []"]);
      second.behind = 0;
      assert.is(await status(1), "STOPPED []");
    } finally {
      await sandbox.close();
    }
  },
);

for (const state of ["UNASSIGNED", "RESTARTING"] as const)
  several(`a rebalance shows ${state}, refuses changes with 409 and accepts a stop`, async () => {
    const { sandbox, call, status } = await cluster({});
    try {
      const end = sandbox.rebalance(state);
      assert.is(await status(), `${state} [${state}]`);
      const refused = await call("PATCH", "/connectors/orders/offsets", { body: { offsets: [] } });
      assert.is(refused.status, 409);
      assert.match(refused.text, "Cannot complete request because of a conflicting operation (e.g. worker rebalance)");
      const read = await call("GET", "/connectors/orders");
      assert.is(read.status, 500);
      assert.match(read.text, "Request cannot be completed because a rebalance is expected");
      end();
      assert.is(await status(), "RUNNING [RUNNING]");
      const again = sandbox.rebalance(state);
      assert.is((await call("PUT", "/connectors/orders/stop")).status, 204);
      again();
      assert.is(await status(), "STOPPED []");
    } finally {
      await sandbox.close();
    }
  });

several(
  "a worker that is started again refuses connections, then every path, then has no status, then answers",
  async () => {
    const [starting, joining] = [gate(), gate()];
    const { sandbox, call, status } = await cluster({});
    const second = sandbox.workers[1] as SandboxWorker;
    const asked = async (path: string): Promise<string> => {
      const { status: code, text } = await call("GET", path, { worker: 1 });
      return `${code} ${text}`;
    };
    try {
      await second.kill();
      const refused = await asked("/").catch((error: NodeJS.ErrnoException) => error.code);
      assert.is(refused, "ECONNREFUSED");
      const ready = second.start({ starting: starting.opened, joining: joining.opened });
      await until("its web server", () =>
        asked("/").then(
          () => true,
          () => false,
        ),
      );
      for (const path of ["/", "/health", "/connectors", "/connectors/orders", "/connectors/orders/status"])
        assert.match(await asked(path), /^404 <html>[\s\S]*HTTP ERROR 404 Not Found/);
      assert.equal(await call("PUT", "/connectors/orders/stop", { worker: 1 }), { status: 404, text: "" });
      const forJson = await fetch(`${second.url}/connectors`, { headers: { accept: "application/json" } });
      assert.match(forJson.headers.get("server") ?? "", /^Jetty\(/);
      assert.equal(await forJson.json(), { message: "Not Found", url: "/connectors", status: "404" });
      starting.open();
      await until("that it joins", async () => (await asked("/")).startsWith("200"));
      assert.is(await asked("/connectors"), "200 []");
      assert.match(await asked("/connectors/orders/status"), /^404 .*No status found for connector orders/);
      const waiting = asked("/connectors/orders");
      const stop = call("PUT", "/connectors/orders/stop", { worker: 1 });
      assert.is(await status(), "RUNNING [RUNNING]");
      joining.open();
      await ready;
      assert.match(await waiting, /^200 .*"orders"/);
      assert.is((await stop).status, 204);
      assert.is(await status(1), "STOPPED []");
    } finally {
      await sandbox.close();
    }
  },
);

several("a killed worker is removed from the load balancer, named by a follower, and replaced", async () => {
  const { sandbox, call } = await cluster({ balanced: true, idleTimeout: 600_000 });
  try {
    const connector = sandbox.cluster.connectors.get("orders");
    const task = connector?.running?.task;
    await sandbox.workers[0]?.kill();
    for (let n = 0; n < 3; n++)
      assert.is((await callRest({ method: "GET", url: `${sandbox.url}/connectors`, millis: 5000 }, {})).status, 200);
    const stop = await call("PUT", "/connectors/orders/stop", { worker: 1 });
    assert.is(stop.status, 500);
    assert.match(stop.text, "IO Error trying to forward REST request: java.net.ConnectException: Connection refused");
    sandbox.elect(1);
    await until("another task", async () => connector?.running !== undefined);
    assert.is.not(connector?.running?.task, task);
    assert.equal(connector?.place, { connector: 1, task: 1 });
  } finally {
    await sandbox.close();
  }
});

several("a worker that is not replaced starts its tasks again", async () => {
  const { sandbox } = await cluster({ workers: 1 });
  try {
    const connector = sandbox.cluster.connectors.get("orders");
    await sandbox.workers[0]?.kill();
    assert.is(connector?.running, undefined);
    await sandbox.workers[0]?.start();
    await until("its task", async () => connector?.running !== undefined);
  } finally {
    await sandbox.close();
  }
});

several.run();
