import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { CallFailed } from "../../core/errors.ts";
import { type SandboxBroker, startBroker } from "../sandbox/kafka/broker.ts";
import { encodeBatch } from "../sandbox/kafka/encode-batch.ts";
import { type Checksums, checksumThread } from "./checksum-thread.ts";
import { openKafka } from "./open-kafka.ts";

const folder = await mkdtemp(join(tmpdir(), "cdcctl-checksums-"));
/** Plain JavaScript, as in an installed program. */
const BUILT = pathToFileURL(join(folder, "checksum-thread.mjs"));
await build({
  entryPoints: [fileURLToPath(new URL("../../cmd/bin/checksum-thread.ts", import.meta.url))],
  outfile: fileURLToPath(BUILT),
  bundle: true,
  format: "esm",
  platform: "node",
  target: "node20",
  logLevel: "error",
});

const BATCHES = 100;
const EACH = 1000;
const RECORDS = BATCHES * EACH;
const VALUE = Buffer.alloc(100, "x");

let broker: SandboxBroker;
const thread = suite("checksums in a separate thread");

thread.before.each(async () => {
  broker = await startBroker({ clusterId: "sandbox", topics: { long: {} } });
  const batch = encodeBatch(Array.from({ length: EACH }, (_, at) => ({ key: Buffer.from(`${at}`), value: VALUE })));
  for (let at = 0; at < BATCHES; at++) log().append(batch);
});
thread.after.each(async () => broker.close());
thread.after(async () => rm(folder, { recursive: true, force: true }));

const log = () => {
  const partition = broker.state.topics.get("long")?.partitions[0];
  if (partition === undefined) throw new Error("the topic has a partition");
  return partition;
};

/** @returns the number of records, and whether large answers were in memory that the thread can read */
async function counted(openChecksums: () => Checksums): Promise<{ readonly count: number; readonly shared: boolean }> {
  const kafka = openKafka({ bootstrapServers: broker.address, properties: {} }, { openChecksums });
  try {
    let [count, shared] = [0, false];
    const range = { partition: 0, from: 0n, to: BigInt(RECORDS) };
    for await (const records of kafka.recordsInPlace("long", range, true)) {
      count += records.count;
      shared ||= records.bytes.buffer instanceof SharedArrayBuffer;
    }
    return { count, shared };
  } finally {
    await kafka.close();
  }
}

/** Counts the calls of a checksum thread. */
function watched(module: URL) {
  const checksums = checksumThread(module);
  const asked = { times: 0 };
  const open = (): Checksums => ({
    ...checksums,
    damageOf(batches) {
      asked.times += 1;
      return checksums.damageOf(batches);
    },
  });
  return { asked, open };
}

thread("accept a whole topic, requested once per fetch", async () => {
  const { asked, open } = watched(BUILT);
  assert.equal(await counted(open), { count: RECORDS, shared: true });
  assert.ok(asked.times > 1);
});

for (const [where, index] of [
  ["first", 0],
  ["last", BATCHES - 1],
] as const)
  thread(`find the damage in the ${where} batch, although its records were delivered before`, async () => {
    const { bytes } = log().batches()[index] ?? {};
    if (bytes !== undefined) bytes[bytes.length - 5] = 0x79;
    const error = await counted(watched(BUILT).open).catch((thrown: unknown) => thrown);
    assert.instance(error, CallFailed);
    assert.match(String(error), new RegExp(`the record batch at offset ${index * EACH} is damaged \\(checksum\\)`));
  });

thread("report a damaged batch even if it is unreadable for that reason", async () => {
  const { bytes } = log().batches()[3] ?? {};
  bytes?.fill(0xff, 61, 200);
  const error = await counted(watched(BUILT).open).catch((thrown: unknown) => thrown);
  assert.match(String(error), /the record batch at offset 3000 is damaged \(checksum\)/);
});

thread("are computed in this thread when the other one ends", async () => {
  const dying = join(folder, "dying.mjs");
  await writeFile(
    dying,
    'import { parentPort } from "node:worker_threads"; parentPort.on("message", () => process.exit(7));',
  );
  assert.is((await counted(watched(pathToFileURL(dying)).open)).count, RECORDS);
  const { bytes } = log().batches()[50] ?? {};
  if (bytes !== undefined) bytes[bytes.length - 5] = 0x79;
  const error = await counted(watched(pathToFileURL(dying)).open).catch((thrown: unknown) => thrown);
  assert.match(String(error), /offset 50000 is damaged \(checksum\)/);
});

thread.run();
