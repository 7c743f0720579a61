import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { changeAt, type FrameParts, payloadOf } from "../../core/journal/testing/build-journal.ts";
import { base64Of } from "../../core/values/base64.ts";
import { type JsonObject, parseJson } from "../../core/values/json.ts";
import { openKafka } from "../../providers/kafka/open-kafka.ts";
import { fetchJars } from "../../providers/real/jars.ts";
import { type RealStack, startStack } from "../../providers/real/stack.ts";
import { waitFor } from "../../providers/real/wait.ts";
import { CONNECTOR, type Sandbox, startSandbox } from "../../providers/sandbox/sandbox.ts";
import { type Finished, startProcess } from "./run-command.ts";

const WRITER = fileURLToPath(new URL("../../providers/real/testdata/JournalWriter.java", import.meta.url));

interface Written {
  readonly server?: string;
  readonly xid: string;
  readonly chunk?: number;
  readonly generation?: number;
  /** Undefined: a tombstone. */
  readonly value?: {
    readonly scns: readonly [bigint, bigint];
    readonly frames: readonly FrameParts[];
    readonly user?: string;
    readonly client?: string;
  };
}

const at = (scn: bigint): FrameParts => ({ change: changeAt({ scn }) });
const undo = (scn: bigint): FrameParts => ({ undo: { scn } });
const LATE = 9_007_199_254_740_993n;

const OLD = { scns: [1000n, 1001n], frames: [at(1000n)], user: "OLD" } as const;
/** The journal for a resume SCN of 2000 and generation 7, so that the task restores those of generation 8 as well. */
const JOURNAL: readonly Written[] = [
  { xid: "4.9.771", generation: 6, value: OLD },
  { server: "billing", xid: "1.1.1", value: OLD },
  { xid: "5.1.2", value: OLD },
  { xid: "5.1.2", chunk: 1, value: OLD },
  {
    xid: "4.9.771",
    generation: 6,
    value: { scns: [1000n, 1100n], frames: [at(1000n), undo(1050n), at(1100n)], user: "APP", client: "nightly-läd" },
  },
  { xid: "5.1.2" },
  { xid: "5.1.2", chunk: 1 },
  {
    xid: "4.9.771",
    chunk: 1,
    value: { scns: [1101n, 2100n], frames: [at(1101n), at(1999n), at(2000n), undo(2100n)], user: "APP" },
  },
  { xid: "6.6.6", generation: 9, value: { scns: [1200n, 1300n], frames: [at(1200n), at(1300n)] } },
  { server: "billing", xid: "1.1.1" },
  { xid: "7.7.7", value: { scns: [LATE, LATE], frames: [at(LATE)], user: "LATE" } },
];
const STRANGE = '!\t{"id":1}\tgarbage';

const VERDICTS = [
  "3:4.9.771 restored 1000-2100 6,7 5/2 APP nightly-läd",
  "3:6.6.6 dropped because stale 1200-1300 9 2/0 null null",
  `3:7.7.7 dropped because it will be mined again ${LATE}-${LATE} 7 1/0 LATE null`,
];

function line({ server = "orders", xid, chunk = 0, generation = 7, value }: Written): string {
  const key = [server, 3, xid, chunk, generation];
  if (value === undefined) return key.join("\t");
  const { scns, frames, user = "-", client = "-" } = value;
  const undos = frames.filter((frame) => "undo" in frame).length;
  return [...key, ...scns, frames.length - undos, undos, user, client, base64Of(payloadOf(frames))].join("\t");
}

async function startWriter(real: RealStack, topic: string, compression: string, schemas: boolean) {
  const { classPath } = await fetchJars(real.kafka);
  const args = [WRITER, real.bootstrap, topic, compression, `${schemas}`];
  const child = spawn("java", ["-XX:TieredStopAtLevel=1", "-cp", classPath, ...args], {
    stdio: ["pipe", "pipe", "ignore"],
  });
  const ended = once(child, "exit");
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    async write(lines: readonly string[]): Promise<void> {
      child.stdin.write(`${[...lines, "flush"].join("\n")}\n`);
      const { done } = await answers.next();
      if (done === true) throw new Error("the writer has ended");
    },
    async end(): Promise<void> {
      child.stdin.end();
      await ended;
    },
    close(): void {
      child.kill();
    },
  };
}

interface Document {
  readonly records: Readonly<Record<string, bigint>>;
  readonly consistent: boolean;
  readonly transactions: readonly (JsonObject & { readonly restored: JsonObject | null })[];
}

const documentOf = ({ stdout }: Finished) => parseJson(stdout) as unknown as Document;
const verdicts = ({ transactions }: Document) =>
  transactions.map((one) =>
    [
      ...[one["transaction"], one["verdict"], `${one["first_scn"]}-${one["last_scn"]}`, one["generations"]],
      ...[`${one["changes"]}/${one["undos"]}`, `${one["user"]}`, `${one["client_id"]}`],
    ].join(" "),
  );

for (const kafka of ["3", "4"] as const) {
  const journal = suite(`admin journal inspect over a journal of Java's converter on Kafka ${kafka}`);
  let real: RealStack;
  let sandbox: Sandbox;
  let folder: string;
  const writers: { close(): void }[] = [];

  /** One JVM that writes a journal as it is told; it ends with the suite. */
  async function writerOf(topic: string, compression: string, schemas: boolean) {
    const writer = await startWriter(real, topic, compression, schemas);
    writers.push(writer);
    return writer;
  }

  journal.before(async () => {
    folder = await mkdtemp(join(tmpdir(), "cdcctl-journal-"));
    real = await startStack({ kafka, workers: 0, broker: { "log.cleaner.backoff.ms": "100" } });
    sandbox = await startSandbox({
      state: "STOPPED",
      offset: { v: 1n, resume_scn: 2000n, journal_generation: 7n },
      config: { "cdc.stream.bootstrap.servers": real.bootstrap },
    });
  });
  journal.after(async () => {
    for (const writer of writers) writer.close();
    await sandbox?.close();
    await real?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  async function inspected(topic: string, more: Readonly<Record<string, string>> = {}): Promise<Finished> {
    const url = sandbox.connect.url;
    const config = (await (await fetch(`${url}/connectors/${CONNECTOR}/config`)).json()) as object;
    const file = join(folder, "config.json");
    await writeFile(file, JSON.stringify({ ...config, "cdc.txjournal.topic": topic, ...more }), { mode: 0o600 });
    const options = ["--connect-url", url, "--name", CONNECTOR, "--config", file, "--format", "json"];
    return startProcess(["admin", "journal", "inspect", ...options], { env: { HOME: "/nonexistent" } }).finished;
  }

  for (const [compression, schemas] of [
    ["none", true],
    ["gzip", true],
    ["snappy", false],
    ["lz4", true],
    ["zstd", false],
  ] as const)
    journal(`compressed with ${compression}, ${schemas ? "with" : "without"} schemas`, async () => {
      const topic = `orders.${compression}`;
      await real.createTopic(topic, { "cleanup.policy": "compact" });
      const writer = await writerOf(topic, compression, schemas);
      await writer.write([...JOURNAL.map(line), STRANGE]);
      const converter = {
        "cdc.journal.converter": "org.apache.kafka.connect.json.JsonConverter",
        "cdc.journal.converter.schemas.enable": `${schemas}`,
      };
      const seen = await inspected(topic);
      assert.is(seen.exit, 0, seen.output);
      const document = documentOf(seen);
      assert.equal(document.records, { records: 12n, tombstones: 2n, foreign: 3n, nameless: 1n, unreadable: 0n });
      assert.equal(verdicts(document), VERDICTS);
      assert.equal(document.transactions[0]?.restored, { chunks: 2n, changes: 4n, undos: 1n, unplaced: 0n });
      const byConverter = documentOf(await inspected(topic, converter));
      assert.equal(byConverter.records["unreadable"], schemas ? 1n : 0n, "the strange key has no envelope");
      assert.equal(verdicts(byConverter), VERDICTS);

      await writer.write([line({ xid: "4.9.771", generation: 6 })]);
      await writer.end();
      const lost = await inspected(topic);
      assert.is(lost.exit, 1, lost.output);
      assert.match(lost.output, /CDC-4002/);
      assert.match(lost.output, /missing chunk 0/);
    });

  journal(
    "compacted meanwhile: overwritten and removed records are missing, and the verdicts stay the same",
    async () => {
      const topic = "orders.compacted";
      await real.createTopic(topic, {
        "cleanup.policy": "compact",
        "segment.ms": "100",
        "min.cleanable.dirty.ratio": "0.001",
        "delete.retention.ms": "0",
      });
      const writer = await writerOf(topic, "lz4", true);
      const client = openKafka({ bootstrapServers: real.bootstrap, properties: {} });
      try {
        await writer.write(JOURNAL.map(line));
        const offsets = await waitFor("the log cleaner", async () => {
          // The last segment is never compacted, and a new one begins only when something is written.
          await writer.write([line({ server: "billing", xid: "9.9.9" })]);
          const { records } = await client.read(topic, { from: "beginning", records: 100_000, millis: 10_000 });
          const left = records.map(({ offset }) => offset).filter((offset) => offset < BigInt(JOURNAL.length));
          return !left.includes(0n) && !left.includes(2n) && left;
        });
        await writer.end();
        assert.ok(offsets.length < JOURNAL.length);
        const document = documentOf(await inspected(topic));
        assert.equal(verdicts(document), VERDICTS);
        assert.is(document.consistent, true);
      } finally {
        await client.close();
      }
    },
  );

  journal.run();
}
