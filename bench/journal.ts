import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { startBrokerAlone } from "../providers/real/broker-alone.ts";
import { missingForRealStack } from "../providers/real/jars.ts";
import { createTopic } from "../providers/real/kafka-clients.ts";
import { bundled } from "./bundled.ts";
import { type Built, measuredRun, type Used } from "./command.ts";
import { journalRecords, TOPIC } from "./journal/records.ts";
import { median, type Result } from "./result.ts";
import { connected } from "./verify/load-topics.ts";
import { megabytes } from "./verify/measuring.ts";

/**
 * Measures `admin journal inspect` as a user runs it: the built command in a separate process, over a journal on a real
 * broker. The peers, measured in turn, are kafkajs consumers of the same topic that only count records: the plain one
 * message by message, the other one by batches. All are measured from start to end of their process.
 *
 * Set `CDCCTL_BENCH_RECORDS` to make it smaller.
 */
const RECORDS = 1_000_000;
const OPEN = 1_000;
/** Measures memory only: a fifth of the records, with ten times as many open transactions. */
const SIZES = [
  { part: 1, open: OPEN },
  { part: 5, open: 10 * OPEN },
] as const;
/** Records per open transaction: four chunks, plus those of ended transactions. */
const FEWEST = 20;
const ROUNDS = 2;
/** Bars against each peer. */
const AS_FAST = { messages: 2, batches: 1.3 };
/**
 * What the command may use without open transactions: Node and the client, which need 110 MiB to count; small values,
 * 16 MiB of them in use at a time; six fetches of 4 MiB; and garbage that is not collected yet.
 */
const BASE_MEMORY = 160 * 2 ** 20;
/** What it may use for each chunk of an open transaction: its header, its verdict, and garbage of its printing. */
const CHUNK_MEMORY = 6 * 2 ** 10;
const CHUNKS = 4;

export async function benchJournal(built: Built): Promise<readonly Result[]> {
  const records = Number(process.env["CDCCTL_BENCH_RECORDS"] ?? RECORDS);
  const missing = missingForRealStack();
  if (missing !== undefined) return [{ what: "journal inspect", input: "", measured: `not measured: ${missing}` }];
  const folder = await mkdtemp(join(tmpdir(), "cdcctl-bench-"));
  const broker = await startBrokerAlone("4");
  try {
    await bundled(folder, ["journal/sandbox", "journal/count"]);
    const sandbox = await startSandbox(folder, broker.bootstrap);
    try {
      const results: Result[] = [];
      for (const { part, open } of SIZES) {
        const size = { records: Math.floor(records / part), open: Math.min(open, Math.floor(records / part / FEWEST)) };
        results.push(...(await compared(built, folder, { ...sandbox, brokers: broker.bootstrap }, size)));
      }
      return results;
    } finally {
      await sandbox.close();
    }
  } finally {
    await broker.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

interface Places {
  readonly connectUrl: string;
  readonly brokers: string;
}

async function compared(
  built: Built,
  folder: string,
  { connectUrl, brokers }: Places,
  size: { readonly records: number; readonly open: number },
): Promise<readonly Result[]> {
  const topic = `${TOPIC}.${size.open}`;
  let bytes = 0;
  await createTopic(brokers, topic, { "cleanup.policy": "compact" });
  await connected(brokers, (load) =>
    load(
      topic,
      0,
      weighed(journalRecords(size), (more) => (bytes += more)),
    ),
  );
  const config = join(folder, `${size.open}.json`);
  await writeFile(config, JSON.stringify(await configured(connectUrl, topic)));
  const { CDCCTL_CONTEXTS: _contexts, ...env } = built.env;
  const inspect = () =>
    measuredRun(
      [
        ...[built.program, "admin", "journal", "inspect", "--connect-url", connectUrl, "--name", "orders-cdc"],
        ...["--config", config, "--format", "json"],
      ],
      { ...built, env },
    );
  const count = (by: "messages" | "batches") =>
    measuredRun([join(folder, "count.js"), brokers, topic, `${size.records}`, by], built);
  const load = loadavg()[0] ?? 0;
  const [ours, plain, batches]: [Used[], Used[], Used[]] = [[], [], []];
  for (let round = 0; round < ROUNDS; round++) {
    plain.push(await count("messages"));
    ours.push(await inspect());
    batches.push(await count("batches"));
  }
  return results(size, bytes, { ours, plain, batches, load });
}

interface Runs {
  readonly ours: readonly Used[];
  /** What kafkajs used, message by message. */
  readonly plain: readonly Used[];
  readonly batches: readonly Used[];
  readonly load: number;
}

function results(
  { records, open }: { readonly records: number; readonly open: number },
  bytes: number,
  { ours, plain, batches, load }: Runs,
): readonly Result[] {
  const what = "journal inspect";
  const input = `${records} records, ${megabytes(bytes)}, ${open} open transactions; Kafka 4`;
  const wall = (all: readonly Used[]): number => median(all.map(({ millis }) => millis));
  const text = (all: readonly Used[]): string =>
    `${(wall(all) / 1000).toFixed(2)} s ` +
    `(${(median(all.map(({ processorMillis }) => processorMillis)) / 1000).toFixed(2)} s of processor time)`;
  const ratio = (theirs: readonly Used[]): number => wall(theirs) / wall(ours);
  // The smaller topic measures memory only.
  const bar = (peer: keyof typeof AS_FAST, reached: number) =>
    open === OPEN ? { bar: { text: `${AS_FAST[peer]} x`, holds: reached >= AS_FAST[peer] } } : {};
  const memory = Math.max(...ours.map((one) => one.memory));
  const most = BASE_MEMORY + open * CHUNKS * CHUNK_MEMORY;
  return [
    {
      what,
      input,
      measured: `${text(ours)}; load ${load.toFixed(1)}`,
      peer: `kafkajs, counting messages: ${text(plain)}`,
      ratio: `${ratio(plain).toFixed(2)} x`,
      ...bar("messages", ratio(plain)),
    },
    {
      what,
      input,
      measured: `${text(ours)}; load ${load.toFixed(1)}`,
      peer: `kafkajs, counting batches: ${text(batches)}`,
      ratio: `${ratio(batches).toFixed(2)} x`,
      ...bar("batches", ratio(batches)),
    },
    {
      what,
      input,
      measured: `${megabytes(memory)} at most`,
      peer: `kafkajs, counting: ${megabytes(Math.max(...plain.map((one) => one.memory)))}`,
      bar: { text: megabytes(most), holds: memory <= most },
    },
  ];
}

type Batch = readonly { readonly key: Uint8Array | null; readonly value: Uint8Array | null }[];

function* weighed<B extends Batch>(batches: Iterable<B>, weigh: (bytes: number) => void): Generator<B> {
  for (const batch of batches) {
    for (const { key, value } of batch) weigh((key?.length ?? 0) + (value?.length ?? 0));
    yield batch;
  }
}

/** The connector's configuration, with another name for the journal. */
async function configured(connectUrl: string, topic: string): Promise<object> {
  const config = (await (await fetch(`${connectUrl}/connectors/orders-cdc/config`)).json()) as object;
  return { ...config, "cdc.txjournal.topic": topic };
}

async function startSandbox(
  folder: string,
  brokers: string,
): Promise<{ readonly connectUrl: string; close(): Promise<void> }> {
  const child = spawn(process.execPath, [join(folder, "sandbox.js"), brokers], { stdio: ["pipe", "pipe", "inherit"] });
  const ended = once(child, "close");
  const { value, done } = await createInterface({ input: child.stdout })[Symbol.asyncIterator]().next();
  if (done === true) throw new Error("the loopback world has ended");
  return {
    ...(JSON.parse(value as string) as { readonly connectUrl: string }),
    async close() {
      child.stdin.end();
      await ended;
    },
  };
}
