import { createServer as createHttp } from "node:http";
import { type AddressInfo, createServer } from "node:net";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { ChangeAnswer, PatchAnswer } from "../../core/ports/answers.ts";
import type { ConnectPort } from "../../core/ports/connect.ts";
import type { Fault } from "../sandbox/connect/fault.ts";
import { type SandboxConnect, startConnect } from "../sandbox/connect/start-connect.ts";
import { openConnect } from "./connect.ts";
import { until } from "./contract.ts";
import { quickClock } from "./testing/test-clock.ts";

const calls = suite("Connect client: the outcome of a changing call");

const CLASS = "sh.oso.connect.oracle.OracleCdcSourceConnector";
const OFFSET = { resume_scn: 7n };

/** Each call, and a check whether it was carried out. */
const CALLS: Readonly<
  Record<
    string,
    {
      readonly path: string;
      readonly send: (connect: ConnectPort) => Promise<ChangeAnswer | PatchAnswer>;
      readonly done: (sandbox: SandboxConnect) => boolean;
      /** Connect's success answer without a body. */
      readonly empty?: readonly number[];
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
    empty: [204],
  },
  "a PATCH of offsets": {
    path: "/connectors/orders/offsets",
    send: (connect) => connect.patchOffsets("orders", [{ partition: { server: "CDC" }, offset: { resume_scn: 9n } }]),
    done: (sandbox) => sandbox.stored("orders")[0]?.offset?.["resume_scn"] === 9n,
  },
  "a stop": {
    path: "/connectors/runs/stop",
    send: (connect) => connect.stop("runs"),
    done: ({ cluster }) => cluster.connectors.get("runs")?.target === "STOPPED",
    empty: [202, 204],
  },
  "a resume": {
    path: "/connectors/orders/resume",
    send: (connect) => connect.resume("orders"),
    done: ({ cluster }) => cluster.connectors.get("orders")?.target === "RUNNING",
    empty: [202, 204],
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
      { name: "runs", config: { "cdc.topic.prefix": "RUNS" } },
    ],
  });
  const connect = openConnect({
    url: sandbox.url,
    clock: quickClock(),
    limits: { patchMillis: 300, orderMillis: 300 },
  });
  try {
    await body(connect, sandbox);
  } finally {
    await connect.close();
    await sandbox.close();
  }
}

/** Faults after which the answer does not show whether the call was carried out, and whether it was. */
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

for (const [what, { path, send, done, empty = [] }] of Object.entries(CALLS)) {
  calls(`${what} that is answered was carried out`, async () => {
    await against(undefined, async (connect, sandbox) => {
      assert.is((await send(connect)).answer, "applied");
      assert.ok(done(sandbox));
    });
  });

  calls(`${what} is tried once, and a lost answer leaves the outcome unknown`, async () => {
    for (const [fault, carriedOut] of UNANSWERED)
      await against(fault, async (connect, sandbox) => {
        assert.is((await send(connect)).answer, "unanswered", String(fault));
        assert.is(done(sandbox), carriedOut, String(fault));
        assert.is(sandbox.requests.filter((request) => request.path === path).length, 1, String(fault));
      });
  });

  calls(`${what} may be carried out after it was answered`, async () => {
    let thaw = (): void => undefined;
    const thawed = new Promise<void>((resolve) => {
      thaw = resolve;
    });
    await against({ "500-applied-later": thawed }, async (connect, sandbox) => {
      assert.is((await send(connect)).answer, "unanswered");
      assert.not.ok(done(sandbox));
      thaw();
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

  calls(`${what} that a gateway answers instead of Connect proves nothing, except 401 and 403`, async () => {
    for (const [status, text, answer] of [
      [200, "", "unanswered"],
      [200, '{"status":"ok"}', "unanswered"],
      [201, '{"name":"another"}', "unanswered"],
      [202, "", empty.includes(202) ? "applied" : "unanswered"],
      [202, "queued", "unanswered"],
      [204, "", empty.includes(204) ? "applied" : "unanswered"],
      [302, "", "unanswered"],
      [401, "", "rejected"],
      [403, "<html>", "rejected"],
      [404, "<html>", "unanswered"],
      [405, "", "unanswered"],
      [409, "", "unanswered"],
      [500, "<html>", "unanswered"],
      [503, '{"message":"Service Unavailable","url":"/","status":"503"}', "unanswered"],
      [504, "", "unanswered"],
    ] as const)
      await answering(status, text, {}, async (connect) => {
        assert.is((await send(connect)).answer, answer, `${status} ${text}`);
      });
  });

  calls(`${what}: the answers of Connect itself`, async () => {
    // A stop writes twice, and involves no connector code.
    const refuses = /\/(stop|resume)$/.test(path) ? "unanswered" : "rejected";
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
      [500, "Error writing target state to Kafka", "unanswered"],
      [500, "Error writing connector configuration to Kafka", "unanswered"],
      [500, "Error removing connector configuration from Kafka", "unanswered"],
      [500, "Failed to write to config topic; this may be due to a transient error", "unanswered"],
      [500, "Timed out while attempting to modify offsets for source connector orders", "unanswered"],
      [500, "Failed to modify offsets for source connector orders", "unanswered"],
      [500, "Failed to modify offsets for connector orders because it doesn't support it", refuses],
      [500, "Timed out while calling the 'alterOffsets' method for source connector orders", refuses],
      [500, "Failed to find any class", refuses],
    ] as const)
      await answering(status, JSON.stringify({ error_code: status, message }), {}, async (connect) => {
        const seen = await send(connect);
        assert.is(seen.answer, answer, message);
        if (seen.answer === "rejected") assert.is(seen.status, status);
      });
  });

  calls(`${what} that a starting or stopping worker refuses was not carried out`, async () => {
    for (const [status, text, headers] of [
      [404, "", JETTY],
      [404, '{ "message":"Not Found", "url":"/connectors", "status":"404" }', JETTY],
      [500, '{"error_code":500,"message":"Worker is shutting down"}', {}],
    ] as const)
      await answering(status, text, headers, async (connect) => {
        const seen = await send(connect);
        assert.is(seen.answer === "rejected" && seen.status, 0, text);
      });
  });
}

calls("a connector that is not STOPPED is distinguished from a wrong request", async () => {
  const message =
    "Connectors must be in the STOPPED state before their offsets can be modified. This can be done for the " +
    "specified connector by issuing a 'PUT' request";
  for (const [text, reason] of [
    [message, "not stopped"],
    ["Partitions and offsets are missing", undefined],
  ] as const)
    await answering(400, JSON.stringify({ error_code: 400, message: text }), {}, async (connect) => {
      for (const answer of [await connect.patchOffsets("orders", []), await connect.deleteOffsets("orders")])
        assert.is(answer.answer === "rejected" ? answer.reason : answer.answer, reason);
    });
});

calls("a changing call never reuses a connection", async () => {
  for (const [what, { send }] of Object.entries(CALLS))
    await against(undefined, async (connect, sandbox) => {
      await connect.connector("orders");
      await connect.connector("runs");
      const before = sandbox.connections();
      await send(connect);
      assert.is(sandbox.connections(), before + 1, what);
    });
});

calls("a worker before 3.6 is distinguished from an unknown connector when offsets are to be deleted", async () => {
  const sandbox = await startConnect({ version: "3.5.1", connectors: [{ name: "orders", config: {} }] });
  const connect = openConnect({ url: sandbox.url, clock: quickClock() });
  const answer = await connect.deleteOffsets("orders");
  assert.is(answer.answer === "rejected" && answer.status, 405);
  assert.match(answer.answer === "rejected" ? answer.message : "", "needs Kafka Connect 3.6");
  await connect.close();
  await sandbox.close();
});

const JETTY = { server: "Jetty(9.4.57.v20241219)" };

async function answering(
  status: number,
  text: string,
  headers: Readonly<Record<string, string>>,
  body: (connect: ConnectPort) => Promise<void>,
): Promise<void> {
  const server = createHttp((request, response) => {
    request.resume().on("end", () => {
      response.writeHead(status, {
        ...(text.startsWith("{") ? { "content-type": "application/json" } : {}),
        ...headers,
      });
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
