import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { CallFailed } from "../../core/errors.ts";
import { type FoldedJournal, type Folding, type FoldQuestion, foldJournal } from "../../core/journal/fold-records.ts";
import { atOffsets, type RecordParts, SERVER } from "../../core/journal/testing/build-journal.ts";
import { LASTING_BUFFERS, type RecordsInPlace } from "../../core/ports/kafka.ts";
import { inPlace } from "../../core/ports/testing/records-in-place.ts";
import { foldInThread } from "./fold-in-thread.ts";

const folder = await mkdtemp(join(tmpdir(), "cdcctl-fold-"));
/** Plain JavaScript, as in an installed program. */
const BUILT = pathToFileURL(join(folder, "fold-thread.mjs"));
await build({
  entryPoints: [fileURLToPath(new URL("../../cmd/bin/fold-thread.ts", import.meta.url))],
  outfile: fileURLToPath(BUILT),
  bundle: true,
  format: "esm",
  platform: "node",
  target: "node20",
  logLevel: "error",
});

const thread = suite("a journal folded in another thread");
thread.after(async () => rm(folder, { recursive: true, force: true }));

const QUESTION: FoldQuestion = { server: SERVER, form: "either", resume: { scn: 6060n, rsId: undefined, ssn: 0n } };
const TRANSACTIONS = 60;
const BATCH_BYTES = 60_000;

/** Written, removed and written again in turn; a few are another connector's, unreadable, or large. */
const RECORDS = atOffsets(
  Array.from({ length: 6000 }, (_, at): RecordParts => {
    const key = { xid: `1.2.${(at * 7) % TRANSACTIONS}`, server: at % 50 === 3 ? "billing" : SERVER };
    if (at % 1000 === 999) return { key, value: { payload: "not base64!" } };
    if (at % 3 === 2) return { key, value: null };
    const rsId = at % 4 === 0 ? null : "0x00002a.00000f1c.0010";
    const value = {
      ...{ first_scn: 100 + at, first_rs_id: rsId, last_scn: 101 + at, last_ssn: at, events: at },
      ...{ username: at % 5 === 0 ? null : `APP${at}`, client_id: `batch-${at}`, start_scn: at % 7 === 0 ? null : at },
      start_ssn: 0,
    };
    if (at % 11 === 0) return { key, value: { ...value, payload: btoa("\x00\x00\x00\x01\x09") } };
    return { key, value, frames: [{ undo: { scn: BigInt(100 + at) } }, { change: new Uint8Array(40 + (at % 900)) }] };
  }),
);

/**
 * The records in batches of twenty, in shared memory that is reused as soon as the port allows.
 *
 * @param each number of batches in a buffer
 */
function* read(each: number): Generator<RecordsInPlace> {
  const buffers = Array.from({ length: LASTING_BUFFERS + 1 }, () => new SharedArrayBuffer(each * BATCH_BYTES));
  for (let batch = 0; batch * 20 < RECORDS.length; batch++) {
    const buffer = buffers[Math.floor(batch / each) % buffers.length] as SharedArrayBuffer;
    if (batch % each === 0) new Uint8Array(buffer).fill(0xff);
    const one = inPlace(RECORDS.slice(batch * 20, batch * 20 + 20));
    const bytes = new Uint8Array(buffer, (batch % each) * BATCH_BYTES, one.bytes.length);
    bytes.set(one.bytes);
    yield { ...one, bytes };
  }
}

async function folded(folding: Folding, each: number): Promise<FoldedJournal> {
  try {
    for (const records of read(each)) await folding.take(records);
    return await folding.folded();
  } finally {
    await folding.close();
  }
}

for (const each of [1, 3])
  thread(`gives the same as in this one, ${each} batches in a buffer that is reused`, async () => {
    const here = foldJournal(QUESTION);
    for (let at = 0; at < RECORDS.length; at += 20) here.take(inPlace(RECORDS.slice(at, at + 20)));
    const expected = here.folded();
    assert.equal(await folded(foldInThread(BUILT, QUESTION), each), expected);
    assert.ok(expected.chunks.length > 20 && expected.unreadable.length === 6);
    const fates = new Set(expected.chunks.map(({ payload }) => payload?.fate));
    assert.equal([...fates].sort(), ["mined again", "restored", "unreadable"]);
  });

thread("gives no verdict of payloads that are not asked for", async () => {
  const folding = foldInThread(BUILT, { ...QUESTION, resume: undefined });
  const [chunk] = (await folded(folding, 1)).chunks;
  assert.ok(chunk !== undefined && chunk.payload === undefined);
});

thread("copies what is not in shared memory", async () => {
  const folding = foldInThread(BUILT, QUESTION);
  await folding.take(inPlace(RECORDS.slice(0, 2)));
  assert.is((await folding.folded()).chunks.length, 2);
  await folding.close();
});

for (const [how, code, expected] of [
  ["ends", "process.exit(7)", /^a thread of the reading of the journal ended unexpectedly \(7\)$/],
  ["fails", 'throw new TypeError("a bug")', /a bug/],
] as const)
  thread(`fails when the thread ${how}`, async () => {
    const module = join(folder, `${how}.mjs`);
    const listen = `import { parentPort } from "node:worker_threads"; parentPort.on("message", () => { ${code}; });`;
    await writeFile(module, listen);
    const error: unknown = await folded(foldInThread(pathToFileURL(module), QUESTION), 1).catch((thrown) => thrown);
    assert.match((error as Error).message, expected);
    assert.is(error instanceof CallFailed, how === "ends");
  });

thread.run();
