import { createServer as createHttp } from "node:http";
import { type AddressInfo, createServer } from "node:net";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { ChangeAnswer } from "../../core/ports/answers.ts";
import type { ConnectPort } from "../../core/ports/connect.ts";
import type { Fault } from "../sandbox/connect/fault.ts";
import { type SandboxConnect, startConnect } from "../sandbox/connect/start-connect.ts";
import { openConnect } from "./connect.ts";
import { until } from "./contract.ts";
import { quickClock } from "./test-clock.ts";

const calls = suite("Connect client: what a POST or DELETE came to");

const CLASS = "sh.oso.connect.oracle.OracleCdcSourceConnector";
const OFFSET = { resume_scn: 7n };

/** Each call on its own, and whether it was carried out. */
const CALLS: Readonly<
  Record<
    string,
    {
      readonly path: string;
      readonly send: (connect: ConnectPort) => Promise<ChangeAnswer>;
      readonly done: (sandbox: SandboxConnect) => boolean;
    }
  >
> = {
  "a POST of a connector": {
    path: "/connectors",
    send: (connect) => connect.create("new", { "connector.class": CLASS, "cdc.topic.prefix": "NEW" }, "STOPPED"),
    done: ({ cluster }) => cluster.connectors.get("new")?.target === "STOPPED",
  },
  "a DELETE of offsets": {
    path: "/connectors/orders/offsets",
    send: (connect) => connect.deleteOffsets("orders"),
    done: (sandbox) => sandbox.stored("orders").length === 0,
  },
  "a DELETE of a connector": {
    path: "/connectors/orders",
    send: (connect) => connect.deleteConnector("orders"),
    done: ({ cluster }) => !cluster.connectors.has("orders"),
  },
};

async function against(
  fault: Fault | undefined,
  body: (connect: ConnectPort, sandbox: SandboxConnect) => Promise<void>,
): Promise<void> {
  const sandbox = await startConnect({
    commitInterval: 5,
    statusLag: 0,
    ...(fault === undefined ? {} : { faults: ({ method }) => (method === "GET" ? undefined : fault) }),
    connectors: [
      {
        name: "orders",
        config: { "cdc.topic.prefix": "CDC" },
        state: "STOPPED",
        offsets: [{ partition: { server: "CDC" }, offset: OFFSET }],
      },
    ],
  });
  const connect = openConnect({ url: sandbox.url, clock: quickClock(), limits: { patchMillis: 300 } });
  try {
    await body(connect, sandbox);
  } finally {
    await connect.close();
    await sandbox.close();
  }
}

/** Whether the call was carried out, for each fault: the answer never tells. */
const UNANSWERED: readonly (readonly [Fault, boolean])[] = [
  ["409", false],
  ["500", false],
  ["500-applied", true],
  ["timeout", false],
  ["timeout-applied", true],
  ["disconnect-before", false],
  ["disconnect-after", true],
  ["html", false],
  ["half", true],
];

for (const [what, { path, send, done }] of Object.entries(CALLS)) {
  calls(`${what} that is answered was carried out`, async () => {
    await against(undefined, async (connect, sandbox) => {
      assert.is((await send(connect)).answer, "applied");
      assert.ok(done(sandbox));
    });
  });

  calls(`${what} is tried once, and where the answer is lost nothing is known`, async () => {
    for (const [fault, carriedOut] of UNANSWERED)
      await against(fault, async (connect, sandbox) => {
        assert.is((await send(connect)).answer, "unanswered", String(fault));
        assert.is(done(sandbox), carriedOut, String(fault));
        assert.is(sandbox.requests.filter((request) => request.path === path).length, 1, String(fault));
      });
  });

  calls(`${what} may be carried out after it was answered`, async () => {
    await against({ "500-applied-later": 30 }, async (connect, sandbox) => {
      assert.is((await send(connect)).answer, "unanswered");
      assert.not.ok(done(sandbox));
      await until("it is carried out", async () => done(sandbox));
    });
  });

  calls(`${what} that never left is rejected`, async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    const connect = openConnect({ url: `http://127.0.0.1:${port}`, clock: quickClock() });
    const answer = await send(connect);
    assert.is(answer.answer === "rejected" && answer.status, 0);
    await connect.close();
  });

  calls(`${what} that a gateway answers in Connect's place proves nothing, but for its 401 and 403`, async () => {
    for (const [status, text, answer] of [
      [200, "", "unanswered"],
      [200, '{"status":"ok"}', "unanswered"],
      [201, '{"name":"another"}', "unanswered"],
      [202, "", "unanswered"],
      [204, "", path === "/connectors/orders" ? "applied" : "unanswered"],
      [302, "", "unanswered"],
      [401, "", "rejected"],
      [403, "<html>", "rejected"],
      [404, "<html>", "unanswered"],
      [405, "", "unanswered"],
      [500, "<html>", "unanswered"],
      [504, "", "unanswered"],
    ] as const)
      await answering(status, text, async (connect) => {
        assert.is((await send(connect)).answer, answer, `${status} ${text}`);
      });
  });

  calls(`${what}: what Connect itself says about it`, async () => {
    for (const [status, message, answer] of [
      [400, "bad", "rejected"],
      [404, "Connector orders not found", "rejected"],
      [404, "HTTP 404 Not Found", "rejected"],
      [409, "Connector new already exists", "rejected"],
      [409, "Cannot complete request because of a conflicting operation (e.g. worker rebalance)", "unanswered"],
      [409, "Cannot complete request momentarily due to stale configuration", "unanswered"],
      [500, "IO Error trying to forward REST request: java.net.ConnectException", "unanswered"],
      [500, "Request timed out. The worker is currently polling the group coordinator", "unanswered"],
      [500, "Request cannot be completed because a rebalance is expected", "unanswered"],
      [500, "Error writing connector configuration to Kafka", "unanswered"],
      [500, "Error removing connector configuration from Kafka", "unanswered"],
      [500, "Failed to write to config topic; this may be due to a transient error", "unanswered"],
      [500, "Timed out while attempting to modify offsets for source connector orders", "unanswered"],
      [500, "Failed to modify offsets for source connector orders", "unanswered"],
      [500, "Failed to modify offsets for connector orders because it doesn't support it", "rejected"],
      [500, "Timed out while calling the 'alterOffsets' method for source connector orders", "rejected"],
      [500, "Failed to find any class", "rejected"],
    ] as const)
      await answering(status, JSON.stringify({ error_code: status, message }), async (connect) => {
        const seen = await send(connect);
        assert.is(seen.answer, answer, message);
        if (seen.answer === "rejected") assert.is(seen.status, status);
      });
  });
}

calls("a worker before 3.6 is told from an unknown connector when offsets are to be deleted", async () => {
  const sandbox = await startConnect({ version: "3.5.1", connectors: [{ name: "orders", config: {} }] });
  const connect = openConnect({ url: sandbox.url, clock: quickClock() });
  const answer = await connect.deleteOffsets("orders");
  assert.is(answer.answer === "rejected" && answer.status, 405);
  assert.match(answer.answer === "rejected" ? answer.message : "", "needs Kafka Connect 3.6");
  await connect.close();
  await sandbox.close();
});

async function answering(status: number, text: string, body: (connect: ConnectPort) => Promise<void>): Promise<void> {
  const server = createHttp((request, response) => {
    request.resume().on("end", () => {
      response.writeHead(status, text.startsWith("{") ? { "content-type": "application/json" } : {});
      response.end(status === 204 ? undefined : text);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const connect = openConnect({
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    clock: quickClock(),
  });
  try {
    await body(connect);
  } finally {
    await connect.close();
    server.close();
  }
}

calls.run();
