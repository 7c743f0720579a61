import { suite } from "uvu";
import * as assert from "uvu/assert";
import { parseJson } from "../../core/values/json.ts";
import { journaledChunk } from "../../providers/sandbox/journal-records.ts";
import {
  CONNECTOR,
  LOGIN,
  PREFIX,
  type Sandbox,
  type SandboxOptions,
  startSandbox,
} from "../../providers/sandbox/sandbox.ts";
import { scenarioNamed } from "../../providers/sandbox/scenarios.ts";
import { captured } from "../../providers/sandbox/tables.ts";
import { type Finished, runHere, type Surroundings } from "../behaviour/run-command.ts";

const lag = suite("doctor explain-lag, over the wire");

type Look = (words?: readonly string[], more?: Partial<Surroundings>) => Promise<Finished>;

function inWorld(name: string, options: SandboxOptions, act: (sandbox: Sandbox, look: Look) => Promise<void>): void {
  lag(name, async () => {
    const sandbox = await startSandbox(options);
    try {
      await act(sandbox, (words = [], more = {}) =>
        runHere(
          [
            ...["doctor", "explain-lag", "--connect-url", sandbox.connect.url],
            ...["--name", CONNECTOR],
            ...(words.includes("--interval") ? [] : QUICK),
            ...words,
          ],
          { env: { HOME: "/nonexistent" }, ...more },
        ),
      );
    } finally {
      await sandbox.close();
    }
  });
}

const CHUNK = { xid: "2.30.918", chunk: 0, generation: 7n, from: 2_025_000n, to: 2_031_000n, user: "APP" };
const QUICK = ["--interval", "1ms"];
const causeIn = ({ output }: Finished) =>
  (parseJson(output) as unknown as { readonly cause: { readonly cause: string } | null }).cause?.cause;
const jmx = ({ jvm }: Sandbox) => ["--jmx-url", jvm?.url ?? ""];
const { options: slowBrokers } = scenarioNamed("lag-kafka");
const { options: longTransaction } = scenarioNamed("lag-transaction");

inWorld("only reads from Connect, the database and JMX", slowBrokers, async (sandbox, run) => {
  const before = sandbox.stored();
  assert.is(causeIn(await run([...jmx(sandbox), "--format", "json"])), "kafka");
  assert.equal(sandbox.stored(), before);
  assert.equal(
    sandbox.connect.requests.filter(({ method }) => method !== "GET"),
    [],
  );
  assert.equal(
    sandbox.oracle.seen.filter((sql) => !/^\s*(SELECT|WITH|ALTER SESSION SET)\b|SCN_TO_TIMESTAMP/i.test(sql)),
    [],
  );
  const reads = /^(ApiVersions|Metadata|DescribeConfigs|ListOffsets|Fetch)$/;
  assert.equal(
    sandbox.broker.requests.filter(({ api }) => !reads.test(api)),
    [],
  );
});

inWorld("samples twice, at the given interval", slowBrokers, async (sandbox, run) => {
  const { output } = await run([...jmx(sandbox), "--format", "json", "--interval", "300ms"]);
  const { between_ms: between } = parseJson(output) as unknown as { readonly between_ms: bigint };
  assert.ok(between >= 299n, `${between} ms`);
  assert.is(sandbox.connect.requests.filter(({ path }) => path.endsWith("/status")).length, 2);
  assert.is(sandbox.connect.requests.filter(({ path }) => path.endsWith("/offsets")).length, 2);
  assert.is(sandbox.jvm?.calls.filter((call) => call === "getAttributes").length, 2);
});

inWorld("sends as many queries, however many tables are captured", slowBrokers, async (sandbox, run) => {
  const asked = async () => {
    const before = sandbox.oracle.roundTrips;
    await run(jmx(sandbox));
    return sandbox.oracle.roundTrips - before;
  };
  const few = await asked();
  sandbox.oracle.tables.push(...Array.from({ length: 2_000 }, (_, at) => captured(sandbox.oracle, `TABLE_${at}`)));
  assert.is(await asked(), few);
});

inWorld(
  "a view without a grant leaves its facts unknown, and the rest is reported",
  longTransaction,
  async (sandbox, run) => {
    sandbox.oracle.denied.add("V$ARCHIVED_LOG");
    const seen = await run();
    assert.is(seen.exit, 0);
    assert.match(seen.output, "a long-running transaction may hold the resume SCN back");
    assert.match(seen.output, /redo to mine +unknown: .*V\$ARCHIVED_LOG/);
    assert.match(seen.output, /\? missing redo unknown: .*V\$ARCHIVED_LOG/);
    sandbox.oracle.denied.add("GV$TRANSACTION");
    const less = await run();
    assert.is(less.exit, 0);
    assert.match(less.output, "orders-cdc: unclear");
    assert.not.match(less.output, "no transaction is open");
  },
);

inWorld(
  "an unreachable database: a failed task is explained, a running one is not",
  { connect: { statusLag: 0 } },
  async (sandbox, run) => {
    const elsewhere = ["--config", "/dev/null"];
    assert.is((await run(elsewhere)).exit, 64);
    sandbox.oracle.users = {};
    const blind = await run();
    assert.is(blind.exit, 1);
    assert.match(blind.output, "not enough data to diagnose the lag");
    assert.match(blind.output, "user name or password is wrong");
    sandbox.connect.show(CONNECTOR, {
      state: "RUNNING",
      tasks: [{ id: 0, state: "FAILED", trace: "ConnectException: CDC-1001 gave up" }],
    });
    const failed = await run();
    assert.is(failed.exit, 0, failed.output);
    assert.match(failed.output, "CDC-1001 gave up");
  },
);

inWorld(
  "a trace that contains the password is shown without it, in every format and by every command",
  { connect: { statusLag: 0 } },
  async (sandbox, run) => {
    const { password } = LOGIN;
    sandbox.connect.show(CONNECTOR, {
      state: "RUNNING",
      tasks: [{ id: 0, state: "FAILED", trace: `ConnectException: CDC-1001 no login with ${password}\n\tat A.java:7` }],
    });
    const admin = ["--connect-url", sandbox.connect.url, "--name", CONNECTOR];
    const here = { env: { HOME: "/nonexistent" } };
    for (const finished of [
      await run(),
      await run(["--format", "json"]),
      await run(["--format", "markdown"]),
      await runHere(["admin", "offsets", "show", ...admin], here),
      await runHere(["admin", "transactions", ...admin], here),
    ])
      assert.not.match(finished.output, password);
    assert.match(
      (await run()).output.replaceAll(/\s+/g, " "),
      "CDC-1001 this line is redacted, because it repeats a secret of the configuration",
    );
  },
);

inWorld("a JVM that does not answer counts as a missing answer where it was requested", slowBrokers, async (_, run) => {
  const gone = await run(["--jmx-url", "service:jmx:rmi:///jndi/rmi://127.0.0.1:1/jmxrmi"]);
  assert.is(gone.exit, 1);
  assert.match(gone.output, /task metrics +unknown: .*127\.0\.0\.1:1/s);
  assert.is((await run()).exit, 0);
  assert.is((await run(["--jmx-url", "worker-2:9999"])).exit, 64);
});

inWorld("the JMX exporter's page gives the same causes, except for a table", slowBrokers, async (sandbox, run) => {
  const words = ["--metrics-url", sandbox.exporter?.url ?? ""];
  const seen = await run(words);
  assert.is(seen.exit, 0, seen.output);
  assert.match(seen.output, "Kafka takes the records more slowly than the task mines them");
  assert.match(seen.output, "held 7,911 and 7,911 of 8,000 records");
  assert.match(seen.output, "mined to SCN 2012000");
  assert.match(seen.output, /LargestTransactions is a table/);
  assert.is(sandbox.jvm?.calls.length, 0);
  assert.is(sandbox.exporter?.requests.length, 2);
  const both = await run([...words, ...jmx(sandbox)]);
  assert.is(both.exit, 64);
  assert.match(both.output, "are mutually exclusive");
});

inWorld("an exporter's login comes from the environment, and is never shown", slowBrokers, async (sandbox, run) => {
  const url = sandbox.exporter?.url ?? "";
  sandbox.exporter?.answer((request, response, page) => {
    const isKnown = request.headers.authorization === `Basic ${Buffer.from("prom:canary-77").toString("base64")}`;
    response.writeHead(isKnown ? 200 : 401).end(isKnown ? page : `canary-77 is wrong`);
  });
  const env = (CDCCTL_METRICS_PASSWORD: string) => ({
    env: { HOME: "/nonexistent", CDCCTL_METRICS_USER: "prom", CDCCTL_METRICS_PASSWORD },
  });
  const known = await run(["--metrics-url", url], env("canary-77"));
  assert.is(known.exit, 0, known.output);
  const wrong = await run(["--metrics-url", url], env("canary-78"));
  assert.is(wrong.exit, 1);
  assert.match(wrong.output.replace(/\s+/g, " "), "HTTP 401");
  const typed = await run(["--metrics-url", url.replace("http://", "http://prom:canary-79@")]);
  assert.is(typed.exit, 64);
  assert.match(typed.output.replace(/\s+/g, " "), "set CDCCTL_METRICS_USER and CDCCTL_METRICS_PASSWORD");
  const half = await run(["--metrics-url", url], { env: { HOME: "/nonexistent", CDCCTL_METRICS_USER: "prom" } });
  assert.is(half.exit, 64);
  for (const { output } of [known, wrong, typed]) assert.not.match(output, "canary");
});

inWorld(
  "the journal's content is in the picture, with its time",
  { journal: { records: [journaledChunk(PREFIX, CHUNK)] } },
  async (_, run) => {
    const { output } = await run();
    assert.match(output, /journaled 3:2\.30\.918 +2025000 +\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ/);
    assert.not.match(output, "not seen");
  },
);

inWorld(
  "unreachable brokers affect nothing else",
  { config: { "cdc.stream.bootstrap.servers": "127.0.0.1:1" } },
  async (_, run) => {
    const { exit, output } = await run();
    assert.is(exit, 0);
    assert.match(output, /journaled transactions unknown: no connection to 127\.0\.0\.1:1/);
  },
);

inWorld(
  "silent brokers are not waited for longer than the time limit",
  { journal: { records: [journaledChunk(PREFIX, CHUNK)] } },
  async (sandbox, run) => {
    sandbox.failBroker(({ api }) => (api === "Fetch" ? "timeout" : undefined));
    const began = Date.now();
    const { exit, output } = await run();
    assert.is(exit, 0);
    assert.match(output, /journaled transactions unknown: the brokers took too long/);
    assert.ok(Date.now() - began < 55_000);
  },
);

inWorld("an attribute that the MBean does not have affects no other attribute", slowBrokers, async (sandbox, run) => {
  const values = slowBrokers.jmx?.values(sandbox.oracle);
  const { QueueDepth: _queue, ...lag } = values?.lag ?? {};
  const other = await startSandbox({ ...slowBrokers, jmx: { values: () => ({ ...values, lag }) } });
  try {
    const seen = await run(jmx(other));
    assert.is(seen.exit, 0);
    assert.match(seen.output, /\? Kafka unknown: .*QueueDepth/);
    assert.match(seen.output, "mined to SCN 2012000");
  } finally {
    await other.close();
  }
});

inWorld("Ctrl-C ends the wait, with nothing on stdout", slowBrokers, async (sandbox, run) => {
  const stop = new AbortController();
  const looking = run(["--interval", "5m"], { interrupt: stop.signal });
  const end = Date.now() + 60_000;
  while (!sandbox.oracle.seen.some((sql) => sql.includes("GV$TRANSACTION")) && Date.now() < end)
    await new Promise((soon) => setImmediate(soon));
  stop.abort();
  const { exit, output } = await looking;
  assert.is(exit, 1);
  assert.is(output, "Interrupted between the two samples: nothing was changed.\n");
});

inWorld(
  "where everything was inspected and the connector advances, nothing delays it",
  scenarioNamed("lag-none").options,
  async (sandbox, run) => {
    const { output } = await run([...jmx(sandbox), "--interval", "50ms"]);
    assert.match(output, "orders-cdc: nothing delays it, and it is catching up");
    assert.not.match(output, /^ +\? /m);
  },
);

inWorld(
  "a connector that is half a minute old is not behind",
  scenarioNamed("lag-not-behind").options,
  async (_, run) => {
    assert.is(causeIn(await run(["--format", "json"])), "not behind");
  },
);

inWorld(
  "a missing offset is unknown, not 0",
  { offset: null, connect: { task: () => ({ start: () => undefined, tick: () => [] }) } },
  async (_, run) => {
    const seen = await run();
    assert.is(seen.exit, 1);
    assert.match(seen.output, "no offset is stored for orders");
  },
);

lag("an impossible value is a usage error", async () => {
  const bare = { env: { HOME: "/nonexistent" } };
  const run = (...words: readonly string[]) => runHere(["doctor", "explain-lag", "--name", CONNECTOR, ...words], bare);
  assert.is((await run()).exit, 64);
  assert.match((await run()).output, "Give --context NAME");
  assert.is((await run("--connect-url", "http://127.0.0.1:1", "--interval", "soon")).exit, 64);
});

lag.run();
