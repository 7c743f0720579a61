import { suite } from "uvu";
import * as assert from "uvu/assert";
import { changeAt, journalRecord, type RecordParts } from "../../core/journal/testing/build-journal.ts";
import { parseJson } from "../../core/values/json.ts";
import { GZIP } from "../../providers/sandbox/kafka/encode-batch.ts";
import { CONNECTOR, type Sandbox, type SandboxOptions, startSandbox } from "../../providers/sandbox/sandbox.ts";
import { type Finished, runHere } from "../behaviour/run-command.ts";
import { cdcctl } from "../commands/catalogue.ts";
import { run } from "../main.ts";

const inspect = suite("admin journal inspect, over the wire");

const TOPIC = "orders.cdc.txjournal";

function inWorld(
  name: string,
  options: SandboxOptions,
  act: (sandbox: Sandbox, look: (...more: readonly string[]) => Promise<Finished>) => Promise<void>,
): void {
  inspect(name, async () => {
    const sandbox = await startSandbox({ state: "STOPPED", ...options });
    try {
      await act(sandbox, (...more) =>
        runHere(["admin", "journal", "inspect", "--connect-url", sandbox.connect.url, "--name", CONNECTOR, ...more], {
          env: { HOME: "/nonexistent" },
          patience: { kafka: { connectMillis: 8_000, requestMillis: 8_000 } },
        }),
      );
    } finally {
      await sandbox.close();
    }
  });
}

const records = (...parts: readonly RecordParts[]) => parts.map(journalRecord);
const xid = (sqn: number) => ({ key: { xid: `1.0.${sqn}` } });
const counts = ({ output }: Finished) =>
  (parseJson(output) as unknown as { readonly records: Readonly<Record<string, bigint>> }).records;

inWorld("a large journal, compressed and in envelopes, over several partitions", {}, async ({ broker }, command) => {
  broker.createTopic(TOPIC, { partitions: 2, configs: { "cleanup.policy": "compact" } });
  const bulk = Array.from({ length: 300 }, (_, sqn) => ({ ...xid(sqn), enveloped: true }));
  for (let times = 0; times < 20; times++)
    broker.append(TOPIC, records(...bulk), { compression: GZIP, partition: times % 2 });
  for (const partition of [0, 1])
    broker.append(TOPIC, records(...bulk.slice(1).map((one) => ({ ...one, value: null }))), { partition });
  const seen = await command("--format", "json");
  assert.is(seen.exit, 0);
  assert.equal(counts(seen), { records: 6598n, tombstones: 598n, foreign: 0n, nameless: 0n, unreadable: 0n });
  assert.match(seen.output, '"verdict": "restored"');
  assert.is(seen.output.match(/"transaction"/g)?.length, 1);
});

inWorld("records of an aborted transaction are not counted", {}, async ({ broker }, command) => {
  const producer = broker.state.producer("task");
  const { id: producerId, epoch: producerEpoch } = producer;
  broker.state.touch(producerId, TOPIC, 0);
  broker.append(TOPIC, records(xid(1)), { producerId, producerEpoch, transactional: true });
  broker.state.endTransaction(producerId, "abort");
  broker.append(TOPIC, records(xid(2)));
  const seen = await command();
  assert.match(seen.output, "1 record: 0 tombstones");
  assert.match(seen.output, "3:1.0.2");
  assert.not.match(seen.output, "3:1.0.1");
});

inWorld("a long read shows its progress on a terminal, and erases it at its end", {}, async (sandbox) => {
  const { broker } = sandbox;
  const { id: producerId, epoch: producerEpoch } = broker.state.producer("task");
  broker.append(TOPIC, records(xid(1), xid(2)));
  broker.state.touch(producerId, TOPIC, 0);
  broker.append(TOPIC, records(xid(3)), { producerId, producerEpoch, transactional: true });
  // It takes as long as this transaction is open, and that is until something is told.
  const reported: string[] = [];
  const out: string[] = [];
  const stderr = {
    write(text: string) {
      if (reported.push(text) === 1) broker.state.endTransaction(producerId, "commit");
    },
    colour: false,
    columns: 80,
  };
  const exit = await run(cdcctl, {
    argv: ["admin", "journal", "inspect", "--connect-url", sandbox.connect.url, "--name", CONNECTOR],
    env: { HOME: "/nonexistent" },
    stdout: { write: (text) => void out.push(text), colour: false, columns: undefined },
    stderr,
    interactive: false,
    ask: () => Promise.reject(new Error("nobody can be asked")),
    operator: "tester",
    interrupt: new AbortController().signal,
    patience: { kafka: { connectMillis: 8_000, requestMillis: 8_000 } },
  });
  assert.is(exit, 0);
  assert.match(out.join(""), "3 records: 0 tombstones");
  assert.match(reported[0] ?? "", /orders\.cdc\.txjournal: 2 records, 66 % of the topic/);
  assert.is(reported.at(-1), "\r\u001b[K");
});

inWorld(
  "a transaction that stays open on the topic is named, and what follows it is not guessed",
  {},
  async ({ broker }, command) => {
    const { id: producerId, epoch: producerEpoch } = broker.state.producer("task");
    broker.append(TOPIC, records(xid(1)));
    broker.state.touch(producerId, TOPIC, 0);
    broker.append(TOPIC, records(xid(2)), { producerId, producerEpoch, transactional: true });
    const seen = await command();
    assert.is(seen.exit, 1);
    assert.match(seen.output, "a transaction is open on orders.cdc.txjournal, partition 0: what follows offset 1");
  },
);

inWorld("only the payloads of chunks that may be restored are read again", {}, async ({ broker }, command) => {
  const large = { change: changeAt({ scn: 100n }, [[5, new Uint8Array([0, 0, 0, 0])]]) };
  broker.append(
    TOPIC,
    records(
      ...Array.from({ length: 50 }, (_, sqn) => ({ key: { xid: `1.0.${sqn}`, generation: 9 }, frames: [large] })),
    ),
  );
  const seen = await command();
  assert.is(seen.output.match(/dropped because stale/g)?.length, 50);
  assert.is(broker.requests.filter(({ api }) => api === "Fetch").length, 1);
});

inWorld(
  "a damaged journal ends with 1, in every format, with the document on stdout",
  {},
  async ({ broker }, command) => {
    broker.append(TOPIC, records({ key: "garbage" }));
    for (const format of ["text", "json", "markdown"]) {
      const seen = await command("--format", format);
      assert.is(seen.exit, 1, format);
      assert.match(seen.output, /CDC-4002/);
    }
  },
);

inWorld(
  "without a stored offset the task reads the journal with generation 1",
  { offset: null },
  async (of, command) => {
    of.broker.append(
      TOPIC,
      records({ key: { xid: "1.0.1", generation: 1 } }, { key: { xid: "1.0.2", generation: 2 } }),
    );
    const seen = await command();
    assert.is(seen.exit, 0);
    assert.match(seen.output, "none is stored");
    assert.match(seen.output, /3:1\.0\.1 +restored[\s\S]*3:1\.0\.2 +dropped because stale/);
    of.broker.append(TOPIC, records({ key: "garbage" }));
    assert.is((await command()).exit, 1, "an unreadable record stops the first start as well");
  },
);

inWorld(
  "an offset of a later version is not interpreted",
  { offset: { v: 2n, resume_scn: 5n } },
  async (_, command) => {
    const seen = await command();
    assert.is(seen.exit, 1);
    assert.match(seen.output, /CDC-3002[\s\S]*OFF104/);
  },
);

inWorld(
  "a missing topic means that nothing was ever journaled",
  { state: "STOPPED", broker: { topics: {} } },
  async (_, command) => {
    const seen = await command();
    assert.is(seen.exit, 0);
    assert.match(seen.output, "no such topic");
  },
);

inWorld(
  "a topic without read permission, and unreachable brokers, are failures",
  { broker: { acls: (_user, operation, topic) => !(topic === TOPIC && operation === "read") } },
  async ({ broker }, command) => {
    broker.append(TOPIC, records(xid(1)));
    const denied = await command();
    assert.is(denied.exit, 1);
    assert.match(denied.output, /^failed: .*orders\.cdc\.txjournal/s);
    const gone = await command("--bootstrap-servers", "127.0.0.1:1");
    assert.is(gone.exit, 1);
    assert.match(gone.output, "127.0.0.1:1");
  },
);

inWorld("a connector that does not exist is named", {}, async (sandbox) => {
  const argv = ["admin", "journal", "inspect", "--connect-url", sandbox.connect.url, "--name", "other"];
  const seen = await runHere(argv, { env: { HOME: "/nonexistent" } });
  assert.is(seen.exit, 1);
  assert.match(seen.output, /no connector other/);
});

inWorld("it changes nothing, and writes nothing", {}, async (sandbox, command) => {
  sandbox.broker.append(TOPIC, records(xid(1)));
  const before = sandbox.stored();
  await command();
  assert.equal(sandbox.stored(), before);
  assert.is(sandbox.broker.requests.filter(({ api }) => /Produce|CreateTopics|InitProducerId/.test(api)).length, 0);
});

inspect.run();
