import { createServer } from "node:net";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { changeAt, journalRecord } from "../../core/journal/testing/build-journal.ts";
import { parseJson } from "../../core/values/json.ts";
import type { JavaValue } from "../../providers/jmx/java-graph.ts";
import { arrayOf, attributeList, boxedLong, composite, objectOf } from "../../providers/sandbox/jmx/build-graph.ts";
import { answer, type Reply, startLoopbackJvm } from "../../providers/sandbox/jmx/loopback-jvm.ts";
import { CONNECTOR, type Sandbox, type SandboxOptions, startSandbox } from "../../providers/sandbox/sandbox.ts";
import { scenarioNamed } from "../../providers/sandbox/scenarios.ts";
import { type Finished, runHere } from "../behaviour/run-command.ts";

const list = suite("admin transactions, over the wire");

const SCENARIO = scenarioNamed("transactions").options;
const LOGIN = { CDCCTL_JMX_USER: "monitor", CDCCTL_JMX_PASSWORD: "jmx-secret" };
const TOPIC = "orders.cdc.txjournal";

type Look = (...more: readonly string[]) => Promise<Finished>;

/** The world of the scenario; its JVM is asked, with the login of the environment, unless said otherwise. */
function inWorld(
  name: string,
  options: SandboxOptions,
  act: (look: Look, sandbox: Sandbox) => Promise<void>,
  env: Readonly<Record<string, string>> = LOGIN,
): void {
  list(name, async () => {
    const sandbox = await startSandbox({ ...SCENARIO, ...options });
    const usual = [
      ["--connect-url", sandbox.connect.url],
      ["--name", CONNECTOR],
      ["--jmx-url", sandbox.jvm?.url ?? ""],
    ] as const;
    try {
      await act(
        (...more) =>
          runHere(["admin", "transactions", ...usual.filter(([option]) => !more.includes(option)).flat(), ...more], {
            env: { HOME: "/nonexistent", ...env },
            patience: {
              kafka: { connectMillis: 8_000, requestMillis: 8_000 },
              jmx: { connectMillis: 4_000, callMillis: 4_000 },
            },
          }),
        sandbox,
      );
    } finally {
      await sandbox.close();
    }
  });
}

interface Document {
  readonly sources: readonly { readonly source: string; readonly looked: string; readonly says: string }[];
  readonly transactions: readonly Readonly<Record<string, unknown>>[];
}

async function document(run: Look, ...more: readonly string[]): Promise<Document & Pick<Finished, "exit">> {
  const { exit, output } = await run("--format", "json", ...more);
  return { exit, ...(parseJson(output) as unknown as Document) };
}
const states = ({ sources }: Document) => Object.fromEntries(sources.map(({ source, looked: how }) => [source, how]));
const ids = ({ transactions }: Document) => transactions.map(({ transaction }) => transaction);

inWorld("both sources form one table, and nothing is written anywhere", {}, async (run, { broker, connect }) => {
  const before = await broker.records(TOPIC);
  const seen = await document(run);
  assert.is(seen.exit, 0);
  assert.equal(ids(seen), ["3:2.30.918", "3:8.14.2207", "5.21.4410", "3:9.4.1207"]);
  assert.equal(
    seen.transactions.map((one) => one["in_gv_transaction"]),
    [false, true, false, true],
  );
  assert.is((await broker.records(TOPIC)).length, before.length);
  assert.equal([...new Set(connect.requests.map(({ method }) => method))], ["GET"]);
});

inWorld(
  "without brokers the buffered transactions are shown, with the reason why the others are not",
  {},
  async (run) => {
    const seen = await document(run, "--bootstrap-servers", "127.0.0.1:1");
    assert.is(seen.exit, 1);
    assert.equal(states(seen), { buffered: "whole", journaled: "failed", GV$TRANSACTION: "whole" });
    assert.is(seen.transactions.length, 3);
  },
);

inWorld(
  "without a database no transaction is reported as ended",
  { config: { "cdc.database.port": "1" } },
  async (run) => {
    const seen = await document(run);
    assert.is(seen.exit, 1);
    assert.equal(states(seen), { buffered: "whole", journaled: "whole", GV$TRANSACTION: "failed" });
    assert.is(seen.transactions.length, 4);
    for (const one of seen.transactions) assert.is(one["in_gv_transaction"], null);
  },
);

inWorld(
  "a database login that only the worker can resolve affects only the database",
  // biome-ignore lint/suspicious/noTemplateCurlyInString: references are written like this
  { config: { "cdc.database.password": "${vault:db:password}" } },
  async (run) => {
    const seen = await document(run);
    assert.is(seen.exit, 1);
    assert.is(states(seen)["GV$TRANSACTION"], "failed");
    assert.is(seen.transactions.length, 4);
  },
);

const without = (view: string): SandboxOptions => ({
  oracle(world) {
    SCENARIO.oracle?.(world);
    world.denied.add(view);
  },
});

inWorld(
  "without a grant on GV$TRANSACTION the GRANT is named, and ages are known",
  without("GV$TRANSACTION"),
  async (run) => {
    const { exit, output } = await run();
    assert.is(exit, 1);
    assert.match(output, "GRANT SELECT ON GV_$TRANSACTION TO C##CDC CONTAINER=ALL;");
    assert.match(output, "43 min 20 s");
  },
);

inWorld(
  "while a captured PDB is hidden from the login, a transaction that is not listed is unknown",
  {
    oracle(world) {
      SCENARIO.oracle?.(world);
      world.containerData = false;
    },
  },
  async (run) => {
    const seen = await document(run);
    assert.is(seen.exit, 1);
    assert.is(states(seen)["GV$TRANSACTION"], "in part");
    for (const one of seen.transactions) assert.is(one["in_gv_transaction"], null);
  },
);

inWorld(
  "inside a PDB other than the captured one, nothing is reported as ended",
  {
    oracle(world) {
      SCENARIO.oracle?.(world);
      for (const [service, to] of Object.entries(world.services))
        if (to === "CDB$ROOT") world.services[service] = "SALESPDB";
    },
  },
  async (run) => {
    const seen = await document(run);
    assert.is(seen.exit, 1);
    assert.is(states(seen)["GV$TRANSACTION"], "in part");
    assert.ok(seen.transactions.length > 0);
    for (const one of seen.transactions) assert.is(one["in_gv_transaction"], null);
  },
);

inWorld(
  "a journal that is not JSON is refused by name, and the buffered transactions are shown",
  { config: { "cdc.journal.converter": "io.confluent.connect.avro.AvroConverter" } },
  async (run) => {
    const seen = await document(run);
    assert.is(seen.exit, 1);
    assert.match(seen.sources[1]?.says ?? "", /AvroConverter \(cdc\.journal\.converter\) \(TRX510\)/);
    assert.is(seen.transactions.length, 3);
  },
);

inWorld("an unreadable record of the journal is counted, the others are shown", {}, async (run, { broker }) => {
  broker.append(TOPIC, [journalRecord({ key: "garbage" })]);
  const seen = await document(run);
  assert.is(seen.exit, 1);
  assert.is(states(seen)["journaled"], "in part");
  assert.is(seen.transactions.length, 4);
});

inWorld("a journaled transaction that has ended meanwhile is omitted", {}, async (run, { broker }) => {
  const key = { con_id: 3, xid: "2.30.918", chunk: 0, generation: 7 };
  broker.append(TOPIC, [journalRecord({ key, value: null })]);
  assert.not(ids(await document(run)).includes("3:2.30.918"));
});

inWorld("an SCN above the range of a double is printed with every digit", {}, async (run, { broker }) => {
  const first_scn = 9_007_199_254_740_993n;
  const frames = [{ change: changeAt({ scn: first_scn }) }];
  broker.append(TOPIC, [
    journalRecord({ key: { xid: "1.1.1" }, value: { first_scn, first_captured_scn: first_scn }, frames }),
  ]);
  assert.is((await document(run)).transactions.at(-1)?.["first_scn"], first_scn);
});

inWorld(
  "the JVM of another worker is distinguished from this one, and the task's worker is named",
  { jmx: { values: () => ({}), prefix: "billing" } },
  async (run, { connect }) => {
    const { exit, output } = await run();
    assert.is(exit, 1);
    const printed = output.replace(/\n +/g, " ");
    assert.match(
      printed,
      /runs no task for the topic prefix orders; it runs tasks for billing; task 0 is RUNNING on the worker/,
    );
    assert.match(printed, `127.0.0.1:${connect.port} (its REST address)`);
    assert.match(printed, "3:8.14.2207");
  },
);

inWorld("a stopped connector has nothing buffered", { state: "STOPPED" }, async (run) => {
  const { output } = await run("--jmx-url", "service:jmx:rmi:///jndi/rmi://127.0.0.1:1/jmxrmi");
  assert.match(output.replace(/\n +/g, " "), "connection refused by 127.0.0.1:1");
  assert.match(output.replace(/\n +/g, " "), "the connector is STOPPED and has no task, so nothing is buffered");
});

inWorld(
  "a missing login and a rejected login are distinguished, and no login is shown",
  {},
  async (run) => {
    const { exit, output } = await run();
    assert.is(exit, 1);
    assert.match(output.replace(/\n +/g, " "), "did not accept the user or the password");
    assert.not.match(output, "hunter2");
  },
  { CDCCTL_JMX_USER: "monitor", CDCCTL_JMX_PASSWORD: "hunter2" },
);
inWorld(
  "a JVM that requires a login is reported",
  {},
  async (run) => {
    const { output } = await run();
    assert.match(output.replace(/\n +/g, " "), "requires a user and a password");
    assert.match(output.replace(/\n +/g, " "), "Set CDCCTL_JMX_USER and CDCCTL_JMX_PASSWORD");
  },
  {},
);

const MANY = Array.from({ length: 21 }, (_, at) => ({
  ...{ xid: `5.${at}.4410`, user: "APP", clientId: undefined, ageMillis: 60_000n, firstScn: 2_019_000n + BigInt(at) },
  ...{ events: 1n, heapBytes: 100n + BigInt(at), spilledBytes: 0n, journaled: false },
}));

inWorld(
  "the task shows its 20 largest transactions, and there may be more",
  { jmx: { values: () => ({ largest: MANY }) } },
  async (run) => {
    const seen = await document(run);
    assert.equal(states(seen)["buffered"], "whole", JSON.stringify(seen.sources));
    const listed = ids(seen).filter((id) => String(id).startsWith("5."));
    assert.equal(
      listed,
      MANY.slice(1).map(({ xid }) => xid),
    );
    assert.match(
      seen.sources.find(({ source }) => source === "buffered")?.says ?? "",
      /^20 transactions in the task at .*: the 20 largest by bytes, and there may be more$/,
    );
  },
  {},
);

const passedOver = { ...SCENARIO.jmx, values: () => ({ largest: [] }), host: "worker-1.internal.invalid" };
inWorld(
  "an unreachable address that the JVM gives is skipped, with a remedy",
  { jmx: { values: passedOver.values, host: passedOver.host } },
  async (run) => {
    const { exit, output } = await run();
    assert.is(exit, 0);
    const printed = output.replace(/\n +/g, " ");
    assert.match(printed, /buffered +0 transactions/);
    assert.match(printed, /advertises worker-1\.internal\.invalid:\d+, which is unreachable from here/);
    assert.match(printed, "-Djava.rmi.server.hostname=127.0.0.1");
  },
  {},
);

inWorld(
  "a login is not sent to an address that the JVM gives for itself, and the setting that allows it is named",
  { jmx: passedOver },
  async (run) => {
    const { exit, output } = await run();
    assert.is(exit, 0);
    const printed = output.replace(/\n +/g, " ");
    assert.match(printed, /buffered +0 transactions/);
    assert.match(printed, /advertises worker-1\.internal\.invalid:\d+, where the login was not sent/);
    assert.match(printed, /127\.0\.0\.1:\d+ was used instead.*add it to jmx\.hosts/s);
  },
);

inWorld(
  "an older connector without the attribute is named",
  { jmx: { values: () => ({ lag: { Steps: 1n } }) } },
  async (run) => {
    const seen = await document(run);
    assert.is(seen.exit, 1);
    assert.match(seen.sources[0]?.says ?? "", /no attribute LargestTransactions/);
    assert.is(seen.transactions.length, 2);
  },
);

const HOSTILE: readonly (readonly [string, Buffer, RegExp])[] = [
  ["an HTTP server", Buffer.from("HTTP/1.1 400 Bad Request\r\n\r\n"), /is an HTTP server, not a JMX port/],
  ["half of an answer", Buffer.from([0x4e, 0, 9]), /could not be read/],
  ["a flood", Buffer.alloc(4 << 20, 0x4e), /could not be read/],
];
for (const [what, bytes, says] of HOSTILE)
  inWorld(`${what} at the JMX port is a clear error, and the journal is shown`, {}, async (run) => {
    const server = createServer((socket) => {
      socket.on("error", () => undefined);
      socket.once("data", () => socket.end(bytes));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    try {
      const { port } = server.address() as { port: number };
      const { exit, output } = await run("--jmx-url", `service:jmx:rmi:///jndi/rmi://127.0.0.1:${port}/jmxrmi`);
      assert.is(exit, 1);
      assert.match(output.replace(/\n +/g, " "), says);
      assert.match(output, "3:8.14.2207");
    } finally {
      server.close();
    }
  });

const largest = (value: JavaValue): Reply => ({ value: attributeList({ LargestTransactions: value }) });
const rows = (...items: readonly JavaValue[]): Reply =>
  largest(arrayOf("[Ljavax.management.openmbean.CompositeData;", items));
const ODD: readonly (readonly [string, Reply, RegExp])[] = [
  [
    "an unknown class",
    largest(objectOf("com.example.Gadget")),
    /holds a com\.example\.Gadget, a class that cdcctl does not read/,
  ],
  ["rows without required members", rows(composite({ xid: "1.1.1" })), /its row 1 is malformed: username is missing/],
  ["an invalid SCN", rows(composite({ xid: "1.1.1", firstScn: boxedLong(-1n) })), /firstScn is negative/],
  [
    "half of an answer",
    { bytes: answer({ value: arrayOf("[J", []) }, "getAttributes").subarray(0, 30) },
    /the connection broke during the answer/,
  ],
  [
    "an endless answer",
    { bytes: answer({ value: arrayOf("[J", []) }, "getAttributes").subarray(0, 30), end: false },
    /no answer in time/,
  ],
];
for (const [what, reply, says] of ODD)
  inWorld(`${what} from the JVM is a clear error, and the journal is shown`, {}, async (run) => {
    const jvm = await startLoopbackJvm((call) => (call.startsWith("getAttribute") ? reply : undefined));
    try {
      const { exit, output } = await run("--jmx-url", jvm.url);
      assert.is(exit, 1);
      assert.match(output.replace(/\n +/g, " "), says);
      assert.match(output, "3:8.14.2207");
    } finally {
      await jvm.stop();
    }
  });

inWorld("a connector that does not exist has no listing", {}, async (run) => {
  const { exit, output } = await run("--name", "orders-cdk");
  assert.is(exit, 1);
  assert.match(output, "have no connector orders-cdk");
  assert.not.match(output, "open transactions");
});

list.run();
