import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer as createHttp } from "node:http";
import { type AddressInfo, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { UsageError } from "../../core/errors.ts";
import type { ConnectPort } from "../../core/ports/connect.ts";
import { linesOf } from "../../core/values/remedy.ts";
import { secret } from "../../core/values/secret.ts";
import { type SandboxConnect, type StartConnectOptions, startConnect } from "../sandbox/connect/start-connect.ts";
import { type ConnectOptions, openConnect } from "./connect.ts";
import { failureOf } from "./contract.ts";
import { quickClock } from "./testing/test-clock.ts";

const client = suite("Connect client");

type Settings = Partial<Omit<ConnectOptions, "clock">>;
const open = (url: string, settings: Settings = {}): ConnectPort =>
  openConnect({ url, clock: quickClock(), ...settings });

const ORDERS: StartConnectOptions = {
  commitInterval: 5,
  statusLag: 0,
  connectors: [
    {
      name: "orders",
      config: { "cdc.topic.prefix": "CDC" },
      state: "STOPPED",
      offsets: [{ partition: { server: "CDC" }, offset: { resume_scn: 7n } }],
    },
  ],
};

async function against(
  options: StartConnectOptions,
  settings: Settings,
  body: (connect: ConnectPort, sandbox: SandboxConnect) => Promise<void>,
): Promise<void> {
  const sandbox = await startConnect({ ...ORDERS, ...options });
  const connect = open(sandbox.url, settings);
  try {
    await body(connect, sandbox);
  } finally {
    await connect.close();
    await sandbox.close();
  }
}

async function listening(server: Server, body: (port: number) => Promise<void>): Promise<void> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    await body((server.address() as AddressInfo).port);
  } finally {
    server.close();
  }
}

const answering = (status: number, text: string, headers: Record<string, string> = {}) =>
  createHttp((_, response) => response.writeHead(status, headers).end(text));

const MOVE = [{ partition: { server: "CDC" }, offset: { resume_scn: 9n } }];

client("takes no other connector's configuration for the one that it asked for", () =>
  listening(answering(200, '{"name":"billing","config":{},"tasks":[],"type":"source"}'), async (port) => {
    const connect = open(`http://127.0.0.1:${port}`);
    const failure = await failureOf(connect.connector("orders"));
    assert.is(failure.kind, "protocol");
    assert.match(failure.message, "was asked for the connector orders, and answered with billing");
    await connect.close();
  }),
);

client("a stored setting that is null is not set", () => {
  const config = { name: "orders", "errors.tolerance": null, "tasks.max": "1" };
  return listening(
    answering(200, JSON.stringify({ name: "orders", config, tasks: [], type: "source" })),
    async (port) => {
      const connect = open(`http://127.0.0.1:${port}`);
      assert.equal((await connect.connector("orders"))?.config, { name: "orders", "tasks.max": "1" });
      await connect.close();
    },
  );
});

client("a validation that says nothing of a setting has no error of it", () => {
  const wrong = { name: "b", value: null, recommended_values: [], errors: ["not a number"], visible: true };
  const configs = [
    { definition: null, value: null },
    { definition: null, value: wrong },
  ];
  return listening(answering(200, JSON.stringify({ name: "C", error_count: 1, groups: [], configs })), async (port) => {
    const connect = open(`http://127.0.0.1:${port}`);
    assert.equal(await connect.validate("C", {}), [{ setting: "b", errors: ["not a number"] }]);
    await connect.close();
  });
});

client("asks for no connector whose name a URL takes for a folder", () =>
  against({}, {}, async (connect, sandbox) => {
    for (const name of ["", ".", ".."])
      for (const call of [
        async () => connect.connector(name),
        async () => connect.offsets(name),
        async () => connect.stop(name),
      ])
        assert.instance(await call().catch((error: unknown) => error), UsageError, name);
    assert.equal(sandbox.requests, []);
  }),
);

client("refuses credentials in the URL without repeating them", () => {
  try {
    open("http://admin:canary@connect:8083");
    assert.unreachable();
  } catch (error) {
    assert.instance(error, UsageError);
    assert.not.match(String(error), "canary");
  }
  for (const url of ["connect:8083", "ftp://connect", "http://connect/?a=1", "", "http://"])
    assert.throws(
      () => open(url),
      (error: unknown) => error instanceof UsageError,
      url,
    );
});

client("reads are retried on 409, broken connections and a missing leader", async () => {
  for (const fault of ["409", "500", "disconnect-before", "disconnect-after", "half"] as const)
    await against({ faults: ({ n }) => (n < 3 ? fault : undefined) }, {}, async (connect, sandbox) => {
      assert.is((await connect.offsets("orders")).length, 1, fault);
      assert.is(sandbox.requests.length, 3, fault);
    });
});

client("a 500 that reports a rebalance is retried as well", async () => {
  let asked = 0;
  const worker = createHttp((_, response) => {
    const message = "Request cannot be completed because a rebalance is expected";
    const json = { "content-type": "application/json" };
    if (++asked < 3) response.writeHead(500, json).end(JSON.stringify({ error_code: 500, message }));
    else response.writeHead(200, json).end('{"offsets":[]}');
  });
  await listening(worker, async (port) => {
    const connect = open(`http://127.0.0.1:${port}`);
    assert.equal(await connect.offsets("orders"), []);
    assert.is(asked, 3);
    await connect.close();
  });
});

client("gives up at the limit, and reports how often and how long it tried", async () => {
  await against({ faults: () => "409" }, {}, async (connect, sandbox) => {
    const failure = await failureOf(connect.worker());
    assert.is(failure.code, "HTTP 409");
    assert.match(failure.message, /tried \d+ times in \d+\.\d s/);
    assert.ok(sandbox.requests.length > 5);
  });
});

client("other refusals are not retried", async () => {
  await against({ auth: { user: "a", password: "b" } }, {}, async (connect, sandbox) => {
    assert.is((await failureOf(connect.worker())).kind, "unauthorized");
    assert.is(sandbox.requests.length, 1);
  });
});

client("basic and bearer credentials are accepted, and appear in no message", async () => {
  const right = { kind: "basic", user: "ops", password: secret("canary") } as const;
  await against({ auth: { user: "ops", password: "canary" } }, { auth: right }, async (connect) => {
    assert.is((await connect.worker()).version, "3.9.2");
  });
  await against(
    { auth: { token: "other" } },
    { auth: { kind: "bearer", token: secret("canary") } },
    async (connect) => {
      const failure = await failureOf(connect.worker());
      assert.not.match(`${failure.message} ${linesOf(failure.remedies)}`, "canary");
    },
  );
});

client("the prefix of a gateway is kept, and names are encoded", async () => {
  const name = "a/b ü?#";
  await against(
    { prefix: "/kafka-connect", connectors: [{ name, config: { "cdc.topic.prefix": "X" }, state: "STOPPED" }] },
    {},
    async (connect) => {
      assert.is((await connect.connector(name))?.name, name);
      assert.match(connect.url, /\/kafka-connect$/);
    },
  );
});

client("several reads one after the other share a connection", async () => {
  await against({}, {}, async (connect, sandbox) => {
    await connect.worker();
    await connect.status("orders");
    await connect.offsets("orders");
    assert.is(sandbox.connections(), 1);
  });
});

client(
  "a worker before 3.5 is distinguished from an unknown connector, with the required and the running version",
  async () => {
    await against({ version: "3.4.0" }, {}, async (connect) => {
      const failure = await failureOf(connect.offsets("orders"));
      assert.is(failure.kind, "unsupported");
      const stopped = await connect.stop("orders");
      assert.is(stopped.answer === "rejected" && stopped.status, 404);
      for (const text of [failure.message, stopped.answer === "rejected" ? stopped.message : ""]) {
        assert.match(text, "3.5");
        assert.match(text, "3.4.0");
      }
    });
    await against({ version: "3.5.1" }, {}, async (connect) => {
      const patched = await connect.patchOffsets("orders", MOVE);
      assert.is(patched.answer === "rejected" && patched.status, 405);
      assert.match(patched.answer === "rejected" ? patched.message : "", "needs Kafka Connect 3.6");
    });
  },
);

const gateways: readonly (readonly [string, number, string, string, string])[] = [
  ["a gateway's 404", 404, "not here", "protocol", "gateway"],
  ["a gateway's 405", 405, "", "protocol", "gateway"],
  ["a gateway's 403", 403, "<html><title>Denied</title></html>", "forbidden", "gateway"],
  ["HTML with 200", 200, "<html>login</html>", "protocol", "HTML"],
  ["JSON of another service", 200, '{"status":"ok"}', "protocol", "version"],
  ["truncated JSON", 200, '{"version":"3.9', "protocol", "incomplete JSON"],
  ["a redirect", 302, "", "protocol", "redirect to https://u"],
];
for (const [title, status, text, kind, words] of gateways)
  client(`${title} is identified in the message`, async () => {
    const server = answering(status, text, status === 302 ? { location: "https://user:canary@login" } : {});
    await listening(server, async (port) => {
      const connect = open(`http://127.0.0.1:${port}`);
      const failure = await failureOf(connect.worker());
      assert.is(failure.kind, kind);
      assert.match(failure.message, words.replace("https://u", ""));
      assert.not.match(failure.message, "canary");
      const patched = await connect.patchOffsets("orders", MOVE);
      assert.is(patched.answer, status === 403 ? "rejected" : "unanswered");
      await connect.close();
    });
  });

client("offsets in another shape, and an answer above the limit, are protocol failures", async () => {
  for (const text of [
    "[]",
    '{"offsets":{}}',
    '{"offsets":[{"partition":"x","offset":{}}]}',
    '{"offsets":[{"partition":{}}]}',
  ])
    await listening(answering(200, text), async (port) => {
      const connect = open(`http://127.0.0.1:${port}`);
      assert.is((await failureOf(connect.offsets("orders"))).kind, "protocol", text);
      await connect.close();
    });
  await listening(answering(200, `"${"x".repeat(5000)}"`), async (port) => {
    const connect = open(`http://127.0.0.1:${port}`, { limits: { answerBytes: 1000 } });
    assert.match((await failureOf(connect.worker())).message, "too large");
    await connect.close();
  });
});

client("many calls at once make Node.js warn of nothing", async () => {
  const warned: string[] = [];
  const hear = ({ message }: Error): void => void warned.push(message);
  process.on("warning", hear);
  await against({}, {}, async (connect) => {
    await Promise.all(Array.from({ length: 40 }, () => connect.status("orders")));
  });
  await new Promise((resolve) => setImmediate(resolve));
  process.off("warning", hear);
  assert.equal(warned, []);
});

client("a port that closes at once, as a broker's does, leads to a hint about the port", async () => {
  await listening(
    createServer((socket) => socket.once("data", () => socket.destroy())),
    async (port) => {
      const connect = open(`http://127.0.0.1:${port}`);
      const failure = await failureOf(connect.worker());
      assert.is(failure.kind, "lost");
      assert.match(linesOf(failure.remedies), "broker");
      assert.is((await connect.patchOffsets("orders", MOVE)).answer, "unanswered");
      await connect.close();
    },
  );
});

client("a timeout is a timeout for a read and unanswered for a PATCH", async () => {
  const limits = { callMillis: 50, patchMillis: 50, retryMillis: 100 };
  await against({ faults: () => "timeout-applied" }, { limits }, async (connect, sandbox) => {
    assert.is((await failureOf(connect.worker())).kind, "timeout");
    assert.is((await connect.patchOffsets("orders", MOVE)).answer, "unanswered");
    assert.equal(sandbox.stored("orders")[0]?.offset, { resume_scn: 9n });
  });
});

client("a PATCH is tried once, whatever happens", async () => {
  for (const fault of ["409", "500", "500-applied", "disconnect-before", "disconnect-after", "html", "half"] as const)
    await against({ faults: () => fault }, {}, async (connect, sandbox) => {
      assert.is((await connect.patchOffsets("orders", MOVE)).answer, "unanswered", fault);
      assert.is(sandbox.requests.filter(({ method }) => method === "PATCH").length, 1, fault);
    });
});

client("a PATCH that was never sent is rejected: connection refused, unknown host", async () => {
  let free = 0;
  await listening(createServer(), async (port) => {
    free = port;
  });
  for (const url of [`http://127.0.0.1:${free}`, "http://no-such-host.invalid:8083"]) {
    const connect = open(url);
    const patched = await connect.patchOffsets("orders", MOVE);
    assert.is(patched.answer === "rejected" && patched.status, 0, url);
    assert.is((await failureOf(connect.worker())).kind, "unreachable", url);
    await connect.close();
  }
});

client("what the connector class rejects is rejected, what it does not check is applied unchecked", async () => {
  await against({ alterOffsets: () => "resume_scn 9 is before the redo" }, {}, async (connect) => {
    assert.equal(await connect.patchOffsets("orders", MOVE), {
      answer: "rejected",
      status: 500,
      message: "resume_scn 9 is before the redo",
    });
  });
  await against({ alterOffsets: () => false }, {}, async (connect) => {
    const patched = await connect.patchOffsets("orders", MOVE);
    assert.is(patched.answer === "applied" && patched.checked, false);
  });
});

client("control characters from outside are escaped and long text is truncated", async () => {
  await against({ alterOffsets: () => `\u001b[31mred${"x".repeat(5000)}` }, {}, async (connect) => {
    const patched = await connect.patchOffsets("orders", MOVE);
    const message = patched.answer === "rejected" ? patched.message : "";
    assert.match(message, "\\x1b[31mred");
    assert.ok(message.length < 500);
  });
});

client("TLS: a private authority, a client certificate, plain against TLS and the reverse", async () => {
  const folder = mkdtempSync(join(tmpdir(), "connect-tls-"));
  const made = (name: string): string => readFileSync(join(folder, name), "utf8");
  try {
    execFileSync(
      "openssl",
      [
        "req",
        "-x509",
        "-newkey",
        "rsa:2048",
        "-nodes",
        "-keyout",
        "key.pem",
        "-out",
        "cert.pem",
        "-days",
        "2",
        "-subj",
        "/CN=localhost",
        "-addext",
        "subjectAltName=IP:127.0.0.1",
      ],
      { cwd: folder, stdio: "ignore" },
    );
    const [cert, key] = [made("cert.pem"), made("key.pem")];
    await against(
      { tls: { cert, key, clientCa: cert } },
      { ca: cert, cert, key: secret(key) },
      async (connect, { port, url }) => {
        assert.is((await connect.worker()).version, "3.9.2");
        assert.is((await connect.patchOffsets("orders", MOVE)).answer, "applied");

        const stranger = open(url);
        const untrusted = await failureOf(stranger.worker());
        assert.match(linesOf(untrusted.remedies), "ca in the contexts file");
        const unsent = await stranger.patchOffsets("orders", MOVE);
        assert.is(unsent.answer === "rejected" && unsent.status, 0);
        await stranger.close();

        const unknown = open(url, { ca: cert });
        assert.match(linesOf((await failureOf(unknown.worker())).remedies), "client certificate");
        await unknown.close();

        const plain = open(`http://127.0.0.1:${port}`);
        assert.match(linesOf((await failureOf(plain.worker())).remedies), "https://");
        await plain.close();
      },
    );
    await against({}, {}, async (_, { port }) => {
      const tls = open(`https://127.0.0.1:${port}`);
      assert.match((await failureOf(tls.worker())).message, "does not speak TLS");
      await tls.close();
    });
    assert.throws(
      () => open("https://x", { ca: "nonsense", cert: "a", key: secret("canary") }),
      (error: unknown) => error instanceof UsageError && !error.message.includes("canary"),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
});

client("uses a configured proxy, and never reaches a loopback host through the environment's proxy", async () => {
  let asked = 0;
  const proxy = createHttp((_, response) => {
    asked++;
    response.writeHead(200, { "content-type": "application/json" }).end('{"version":"4.0.0","kafka_cluster_id":"p"}');
  });
  await listening(proxy, async (port) => {
    const environment = { HTTP_PROXY: `http://127.0.0.1:${port}` };
    const far = open("http://connect.invalid:8083", { environment });
    assert.is((await far.worker()).version, "4.0.0");
    await far.close();
    assert.is(asked, 1);
    const excepted = open("http://connect.invalid:8083", { environment: { ...environment, NO_PROXY: ".invalid" } });
    assert.is((await failureOf(excepted.worker())).kind, "unreachable");
    await excepted.close();
    await against({}, { environment }, async (near) => {
      assert.is((await near.worker()).version, "3.9.2");
    });
    assert.is(asked, 1);
  });
});

client("close ends calls in progress", async () => {
  await against({ faults: () => "timeout" }, {}, async (connect) => {
    const pending = failureOf(connect.worker());
    await connect.close();
    assert.is((await pending).kind, "lost");
  });
});

client("a trace is shown without the connector's secrets, or not at all", async () => {
  const [orders] = ORDERS.connectors ?? [];
  if (orders === undefined) throw new Error("no connector");
  const connectors = [{ ...orders, config: { ...orders.config, "cdc.database.password": "hunter22" } }];
  await against({ connectors }, {}, async (connect, sandbox) => {
    sandbox.show("orders", { state: "FAILED", trace: "CDC-1001 no login with hunter22", tasks: [] });
    assert.match(
      (await connect.status("orders"))?.trace ?? "",
      /^CDC-1001: this line is redacted, because it repeats a secret/,
    );
    sandbox.show("orders", { state: "FAILED", trace: "CDC-2002 purged", tasks: [] });
    assert.is((await connect.status("orders"))?.trace, "CDC-2002 purged");
  });
});

client.run();
