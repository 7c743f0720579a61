import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { openConnect } from "./connect.ts";
import { quickClock } from "./testing/test-clock.ts";

const several = suite("Connect client: several workers of one cluster");

interface Worker {
  readonly url: string;
  readonly seen: string[];
  close(): Promise<void>;
}

const ROOT = JSON.stringify({ version: "3.9.2", commit: "c", kafka_cluster_id: "k" });

/** A worker that answers everything, or nothing. */
async function worker(answers: boolean): Promise<Worker> {
  const seen: string[] = [];
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    // What is read to redact an answer does not count.
    if (request.url !== "/connectors/orders") seen.push(`${request.method} ${request.url}`);
    if (!answers) return;
    response.setHeader("content-type", "application/json");
    if (request.method === "GET") response.end(ROOT);
    else if (request.method === "PUT") response.writeHead(202).end();
    else response.end('{"message":"The offsets for this connector have been altered successfully"}');
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => void server.close(resolve));
    },
  };
}

const BODY = [{ partition: { server: "orders" }, offset: { resume_scn: 7n } }];

async function withTwo(
  first: "down" | "frozen",
  act: (
    two: { readonly first: Worker; readonly second: Worker },
    open: (patchMillis?: number) => ReturnType<typeof openConnect>,
  ) => Promise<void>,
): Promise<void> {
  const two = { first: await worker(false), second: await worker(true) };
  if (first === "down") await two.first.close();
  const limits = { callMillis: 200, orderMillis: 200, retryMillis: 1000 };
  const connects: ReturnType<typeof openConnect>[] = [];
  try {
    await act(two, (patchMillis = 400) => {
      const { url } = two.first;
      const connect = openConnect({
        url,
        otherUrls: [two.second.url],
        limits: { ...limits, patchMillis },
        clock: quickClock(),
      });
      connects.push(connect);
      return connect;
    });
  } finally {
    for (const connect of connects) await connect.close();
    if (first === "frozen") await two.first.close();
    await two.second.close();
  }
}

several("a worker that is down costs a read and a change one try, which was certainly not sent", () =>
  withTwo("down", async ({ second }, open) => {
    const reading = open();
    assert.is((await reading.worker()).version, "3.9.2");
    assert.is((await reading.worker()).version, "3.9.2");
    for (const change of ["stop", "patch"] as const) {
      const connect = open();
      const answer = change === "stop" ? connect.stop("orders") : connect.patchOffsets("orders", BODY);
      assert.is((await answer).answer, "applied", change);
    }
    assert.equal(second.seen, ["GET /", "GET /", "PUT /connectors/orders/stop", "PATCH /connectors/orders/offsets"]);
    assert.ok(reading.url.startsWith("http://127.0.0.1:"));
  }),
);

several("a worker that is frozen costs a read one try, and stays left", () =>
  withTwo("frozen", async ({ first, second }, open) => {
    const connect = open();
    for (const _ of [1, 2, 3]) assert.is((await connect.worker()).version, "3.9.2");
    assert.equal([first.seen.length, second.seen.length], [1, 3]);
  }),
);

several("a change that a frozen worker may hold is unanswered, and only the next attempt goes to another worker", () =>
  withTwo("frozen", async ({ first, second }, open) => {
    const connect = open();
    assert.is((await connect.patchOffsets("orders", BODY)).answer, "unanswered");
    assert.equal([first.seen.length, second.seen.length], [1, 0]);
    assert.is((await connect.patchOffsets("orders", BODY)).answer, "applied");
    assert.equal([first.seen.length, second.seen.length], [1, 1]);
  }),
);

several("a PATCH is given up when its caller does not want to wait any longer, and is unanswered then", () =>
  withTwo("frozen", async (_two, open) => {
    const began = performance.now();
    const answer = await open(60_000).patchOffsets("orders", BODY, 50);
    assert.is(answer.answer, "unanswered");
    assert.ok(performance.now() - began < 30_000, "the provider's limit is a minute");
  }),
);

several("a second URL is held to the same rules as the first", () => {
  for (const [bad, why] of [
    ["ftp://w:1", /neither http/],
    ["http://me:pw@w:1", /contains a user or a password/],
  ] as const)
    assert.throws(() => openConnect({ url: "http://w:8083", otherUrls: [bad], clock: quickClock() }), why);
});

several.run();
