import type { IncomingMessage, ServerResponse } from "node:http";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { CallFailed, type FailureKind, UsageError } from "../../core/errors.ts";
import { LAG_ATTRIBUTES } from "../../core/facts/connector/task-metrics.ts";
import { linesOf } from "../../core/values/remedy.ts";
import { secret } from "../../core/values/secret.ts";
import { startTaskExporter, type TaskExporter } from "../sandbox/jmx/task-exporter.ts";
import { type ExporterOptions, openExporter } from "./open-exporter.ts";

const exporter = suite("the JMX exporter's page");

const LOGIN = { user: "prom", password: secret("hush-hush") };
type Rule = (request: IncomingMessage, response: ServerResponse, page: string) => void;

/** Reads once from an exporter that answers like this. */
async function readFrom<T>(
  rule: Rule | undefined,
  options: Partial<ExporterOptions>,
  act: (read: () => Promise<ReadonlyMap<string, unknown>>, of: TaskExporter) => Promise<T>,
  prefix = "orders",
): Promise<T> {
  const served = await startTaskExporter({ prefix: "orders", values: () => ({ lag: { MinedToScn: 20_450_000n } }) });
  served.answer(rule);
  const port = openExporter({ url: served.url, callMillis: 400, connectMillis: 100, environment: {}, ...options });
  try {
    return await act(() => port.taskAttributes(prefix, ["MinedToScn"]), served);
  } finally {
    await port.close();
    await served.close();
  }
}

exporter("a number is read in one request, exactly", async () => {
  await readFrom(undefined, { login: LOGIN }, async (read, { requests }) => {
    assert.equal([...(await read())], [["MinedToScn", { read: true, value: 20_450_000n }]]);
    assert.equal(requests, [
      { path: "/metrics", authorization: `Basic ${Buffer.from("prom:hush-hush").toString("base64")}` },
    ]);
  });
});

exporter("a URL without a path means /metrics", async () => {
  const served = await startTaskExporter({ prefix: "orders", values: () => ({ lag: { Steps: 1n } }) });
  const port = openExporter({ url: `http://127.0.0.1:${served.port}`, environment: {} });
  try {
    assert.equal([...(await port.taskAttributes("orders", ["Steps"]))], [["Steps", { read: true, value: 1n }]]);
    assert.equal(
      served.requests.map(({ path }) => path),
      ["/metrics"],
    );
  } finally {
    await port.close();
    await served.close();
  }
});

const answers =
  (status: number, text = "", headers: Readonly<Record<string, string>> = {}): Rule =>
  (_request, response) =>
    response.writeHead(status, headers).end(text);

/** It ends by itself: an endless page is neither awaited nor kept. */
const endless: Rule = (_request, response) => {
  const line = `up{a="${"x".repeat(60_000)}"} 1\n`;
  const more = (): void => {
    while (!response.destroyed && response.write(line));
    if (!response.destroyed) response.once("drain", more);
  };
  more();
};

const FAILS: readonly (readonly [what: string, rule: Rule, kind: FailureKind, message: RegExp])[] = [
  ["a wrong login", answers(401, "prom:hush-hush is wrong"), "unauthorized", /HTTP 401$/],
  ["a login without permission", answers(403), "forbidden", /HTTP 403$/],
  ["another path", answers(404), "missing", /HTTP 404$/],
  ["an error", answers(500, "hush-hush"), "rejected", /HTTP 500$/],
  [
    "a redirect",
    answers(302, "", { location: "http://prom:hush-hush@elsewhere.example.com/metrics" }),
    "rejected",
    /a redirect to http:\/\/\*{8}@elsewhere\.example\.com\/metrics, which is not followed$/,
  ],
  ["a page of another kind", answers(200, "<html>hush-hush</html>\n"), "protocol", /line 1 of the answer is not in/],
  ["a page cut off", answers(200, 'up 1\nup{a="hush'), "protocol", /line 2 .*ends in the middle/],
  ["an endless page", endless, "protocol", /more than 16\.8 MB/],
  ["silence", () => undefined, "timeout", /no answer within 0\.5 s/],
  [
    "an end in the middle",
    (_, response) => void response.writeHead(200, { "content-length": "100" }).write("up", () => response.destroy()),
    "lost",
    /broke during the answer/,
  ],
  ["a page without any task", answers(200, "up 1\n"), "missing", /nor of any other task/],
];

for (const [what, rule, kind, message] of FAILS)
  exporter(`${what}: reported with the URL, and without the login`, async () => {
    await readFrom(
      rule,
      { login: LOGIN, ...(what === "a page without end" ? { callMillis: 20_000 } : {}) },
      async (read) => {
        const error = await read().then(
          () => undefined,
          (failure: unknown) => failure,
        );
        assert.ok(error instanceof CallFailed);
        assert.is(error.kind, kind);
        assert.match(error.message, /^GET http:\/\/127\.0\.0\.1:\d+\/metrics: /);
        assert.match(error.message, message);
        assert.not.match(`${error.message} ${linesOf(error.remedies)}`, "hush-hush");
      },
    );
  });

exporter("a redirect is not followed to another host", async () => {
  const elsewhere = await startTaskExporter({ prefix: "orders", values: () => ({ lag: {} }) });
  try {
    await readFrom(answers(307, "", { location: elsewhere.url }), { login: LOGIN }, async (read) => {
      await read().catch(() => undefined);
    });
    assert.equal(elsewhere.requests, []);
  } finally {
    await elsewhere.close();
  }
});

exporter("another task's numbers are not this one's", async () => {
  await readFrom(
    undefined,
    {},
    async (read) => {
      const error: unknown = await read().catch((failure: unknown) => failure);
      assert.match(String(error), "no metrics of a task for the topic prefix sales; it has metrics for orders");
    },
    "sales",
  );
});

for (const [url, message] of [
  ["http://prom:hush-hush@worker:9404/metrics", "contains a user or a password"],
  ["http://worker:9404/metrics?token=hush-hush", "has a query or a fragment"],
  ["worker:9404/metrics", "neither http:// nor https://"],
  ["http://prom:hush-hush@worker:port/", "is not a URL of a JMX exporter"],
] as const)
  exporter(`${url} is rejected, and its login is not shown`, () => {
    assert.throws(
      () => openExporter({ url, environment: {} }),
      (error: unknown) =>
        error instanceof UsageError && error.message.includes(message) && !error.message.includes("hush"),
    );
  });

exporter("a user with a colon can't be sent", () => {
  assert.throws(() => openExporter({ url: "http://worker:9404", environment: {}, login: { ...LOGIN, user: "a:b" } }));
});

exporter("every attribute needed for a lag has a name in the page", async () => {
  const lag = Object.fromEntries(LAG_ATTRIBUTES.map((name, at) => [name, BigInt(at)]));
  const served = await startTaskExporter({ prefix: "orders", values: () => ({ lag }) });
  const port = openExporter({ url: served.url, environment: {} });
  try {
    const seen = await port.taskAttributes("orders", LAG_ATTRIBUTES);
    for (const [at, name] of LAG_ATTRIBUTES.entries()) assert.equal(seen.get(name), { read: true, value: BigInt(at) });
  } finally {
    await port.close();
    await served.close();
  }
});

exporter.run();
