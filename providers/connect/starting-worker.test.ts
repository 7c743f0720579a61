import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { ConnectPort } from "../../core/ports/connect.ts";
import type { ConnectLimits } from "../limits.ts";
import { openConnect } from "./connect.ts";
import { failureOf } from "./contract.ts";
import { quickClock } from "./testing/test-clock.ts";

const starting = suite("Connect client: a worker that is starting");

type Answer = readonly [status: number, body: unknown, headers?: Readonly<Record<string, string>>];
/** Answers by path. A list is answered in order, its last entry repeatedly. */
type Worker = Readonly<Record<string, readonly Answer[]>>;

/** Jetty's answer to a GET before the worker has its REST API, as in 3.9.2; 4.3.1 adds the whole URL and a `Date`. */
const NO_API: Answer = [404, { message: "Not Found", url: "/", status: "404" }, { server: "Jetty(9.4.57.v20241219)" }];
const error = (code: number, message: string): Answer => [code, { error_code: code, message }];
const status = (state: string, tasks: readonly string[], type = "source"): Answer => [
  200,
  {
    name: "orders",
    connector: { state, worker_id: "w:1" },
    tasks: tasks.map((one, id) => ({ id, state: one, worker_id: "w:1" })),
    type,
  },
];

const ROOT: Answer = [200, { version: "4.3.1", commit: "c", kafka_cluster_id: "k" }];
const ORDERS: Answer = [200, { name: "orders", config: { name: "orders" }, tasks: [], type: "source" }];
const NO_STATUS = error(404, "No status found for connector orders");
const NOT_FOUND = error(404, "Connector orders not found");
const RUNNING = status("RUNNING", ["RUNNING"]);
/** An old status, from a worker that has not read its topics to the end. */
const OLD = status("STOPPED", [], "unknown");

async function against(
  worker: Worker,
  body: (connect: ConnectPort, asked: readonly string[]) => Promise<void>,
  limits: ConnectLimits = {},
): Promise<void> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const { url = "" } = request;
    asked.push(url);
    const answers = worker[url] ?? [error(404, `Connector ${url.split("/")[2]} not found`)];
    const n = asked.filter((one) => one === url).length;
    const [code, body, headers = {}] = answers[Math.min(n, answers.length) - 1] ?? NO_API;
    request.resume().on("end", () => {
      response.writeHead(code, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const connect = openConnect({
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    clock: quickClock(),
    limits,
  });
  try {
    await body(connect, asked);
  } finally {
    await connect.close();
    server.closeAllConnections();
    server.close();
  }
}

/** Longer than the limit for a URL that never answered: 200 ms, 400 ms, … */
const FOR_LONG = Array.from({ length: 6 }, () => NO_API);
const READS: readonly (readonly [path: string, good: Answer, read: (connect: ConnectPort) => Promise<unknown>])[] = [
  ["/", ROOT, (connect) => connect.worker()],
  ["/connectors", [200, ["orders"]], (connect) => connect.connectors()],
  ["/connector-plugins", [200, []], (connect) => connect.plugins()],
  ["/connectors/orders", ORDERS, (connect) => connect.connector("orders")],
  ["/connectors/orders/status", RUNNING, (connect) => connect.status("orders")],
  ["/connectors/orders/offsets", [200, { offsets: [] }], (connect) => connect.offsets("orders")],
  ["/connector-plugins/C/config/validate", [200, { configs: [] }], (connect) => connect.validate("C", {})],
];
for (const [path, good, read] of READS) {
  starting(`${path} is retried, also at first contact, until the REST API is available`, async () => {
    const worker = { "/connectors/-": [...FOR_LONG, NOT_FOUND], [path]: [...FOR_LONG, good] };
    await against(worker, async (connect, asked) => {
      assert.ok((await read(connect)) !== undefined);
      assert.is(asked.filter((one) => one === path).length, FOR_LONG.length + 1);
    });
  });

  starting(`${path} is retried when the worker stops before it has answered`, async () => {
    for (const stopping of [
      [500, { message: "Internal Server Error", url: path, status: "500" }],
      error(500, "Worker is shutting down"),
    ] as const)
      await against({ [path]: [stopping, good], "/connectors/orders": [ORDERS] }, async (connect) => {
        assert.ok((await read(connect)) !== undefined);
      });
  });
}

starting("a worker whose REST API never becomes available is reported as such", async () => {
  await against({ "/": [NO_API] }, async (connect, asked) => {
    const failure = await failureOf(connect.worker());
    assert.is(failure.kind, "unreachable");
    assert.match(failure.message, /the worker is starting or stopping.*tried \d+ times/);
    assert.ok(asked.length > 5);
  });
});

starting("a starting worker is awaited for the duration of a restart, if the caller requests it", async () => {
  // Pauses of up to 4 s: more than 30 s of them, and less than 120.
  const worker = { "/": [...Array.from({ length: 20 }, () => NO_API), ROOT] };
  await against(worker, async (connect) => assert.is((await failureOf(connect.worker())).kind, "unreachable"));
  await against(worker, async (connect) => assert.is((await connect.worker()).version, "4.3.1"), {
    startingMillis: 120_000,
  });
  await against(
    { "/": [NO_API] },
    async (connect) => assert.match((await failureOf(connect.worker())).message, /1[01]\d\.\d s\)/),
    {
      startingMillis: 120_000,
    },
  );
});

starting("Connect's own 404 for a path is an answer: it is not retried", async () => {
  await against({ "/connectors/orders": [error(404, "HTTP 404 Not Found")] }, async (connect, asked) => {
    assert.is((await failureOf(connect.connector("orders"))).kind, "unsupported");
    assert.equal(asked, ["/connectors/orders"]);
  });
});

/** The worker's answers about the status and the connector, and the expected result. */
const STATUSES: readonly (readonly [
  title: string,
  statuses: readonly Answer[],
  connector: Answer,
  state: string | undefined,
])[] = [
  ["no status of a connector that does not exist", [NO_STATUS], NOT_FOUND, undefined],
  ["no status yet of a connector that exists", [NO_STATUS, NO_STATUS, RUNNING], ORDERS, "RUNNING"],
  ["an old status, before the configuration is read", [OLD, RUNNING], ORDERS, "RUNNING"],
  ["no status, an old one, the real one", [NO_STATUS, OLD, RUNNING], ORDERS, "RUNNING"],
  ["a status of a class that the worker does not have", [OLD], ORDERS, "STOPPED"],
  ["a remaining status of a deleted connector", [OLD], NOT_FOUND, "STOPPED"],
  ["the status of a connector that is deleted meanwhile", [OLD, NO_STATUS], NOT_FOUND, undefined],
];
for (const [title, statuses, connector, state] of STATUSES)
  starting(`status: ${title}`, async () => {
    await against({ "/connectors/orders/status": statuses, "/connectors/orders": [connector] }, async (connect) => {
      assert.is((await connect.status("orders"))?.state, state);
    });
  });

starting("a missing status of an existing connector is never read as a missing connector", async () => {
  await against({ "/connectors/orders/status": [NO_STATUS], "/connectors/orders": [ORDERS] }, async (connect) => {
    const failure = await failureOf(connect.status("orders"));
    assert.is(failure.kind, "rejected");
    assert.match(failure.message, /no status of a connector that exists \(tried \d+ times/);
  });
});

starting("the connectors are listed once the worker has read them", async () => {
  await against({ "/connectors": [[200, ["orders"]]] }, async (connect, asked) => {
    assert.equal(await connect.connectors(), ["orders"]);
    assert.equal(asked, ["/connectors/-", "/connectors"]);
  });
});

/** A resume that finds no connector: its outcome, by the worker's answer about the connector. */
const UNKNOWN_CONNECTOR: readonly (readonly [title: string, connector: Answer, status: number])[] = [
  ["does not exist", NOT_FOUND, 404],
  ["is there", ORDERS, 0],
  ["may exist", error(409, "Cannot complete request because of a conflicting operation"), 0],
];
for (const [title, connector, code] of UNKNOWN_CONNECTOR)
  starting(`resume: an unknown connector that ${title}`, async () => {
    await against(
      { "/connectors/orders/resume": [error(404, "Unknown connector orders")], "/connectors/orders": [connector] },
      async (connect, asked) => {
        const answer = await connect.resume("orders");
        assert.is(answer.answer === "rejected" && answer.status, code);
        assert.is(asked.filter((one) => one.endsWith("/resume")).length, 1);
      },
    );
  });

starting.run();
