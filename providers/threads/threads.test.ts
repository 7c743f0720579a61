import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { CallFailed } from "../../core/errors.ts";
import type { Json } from "../../core/values/json.ts";
import { linesOf } from "../../core/values/remedy.ts";
import { type VerifyOptions, verifyTable } from "../../core/verification/engine/verify-table.ts";
import { memorySpool } from "../../core/verification/testing/memory-spool.ts";
import { inputsOf, type Row, type Scene, type SceneRecord } from "../../core/verification/testing/scene.ts";
import type { TableVerified } from "../../core/verification/verdict.ts";
import { nodeBytes } from "../spool/node-bytes.ts";
import { spoolDirectory } from "../spool/spool-directory.ts";
import { runInThreads } from "./run-in-threads.ts";
import type { ThreadScene } from "./testing/thread.ts";

const threads = suite<{ place: string }>("a verification in threads");

const built = await mkdtemp(join(tmpdir(), "cdcctl-thread-"));
/** The thread in plain JavaScript, as in an installed program. */
const THREAD = join(built, "thread.mjs");
await build({
  entryPoints: [fileURLToPath(new URL("./testing/thread.ts", import.meta.url))],
  outfile: THREAD,
  bundle: true,
  format: "esm",
  platform: "node",
  target: "node20",
  logLevel: "error",
});
threads.after(async () => rm(built, { recursive: true, force: true }));
threads.before.each(async (context) => {
  context.place = await mkdtemp(join(tmpdir(), "cdcctl-threads-"));
});
threads.after.each(async ({ place }) => rm(place, { recursive: true, force: true }));

const row = (id: number): Row => [id, id % 7 === 0 ? null : `name ${id}`];
const record = (id: number, parts: Partial<SceneRecord> = {}): SceneRecord => ({
  op: "u",
  row: row(id),
  partition: id % 3,
  ...parts,
});
/** 200 rows: one is lost, one is stale, one is left over, and one record cannot be read. */
const SCENE: Scene = {
  rows: Array.from({ length: 200 }, (_, id) => row(id)),
  records: [
    ...Array.from({ length: 400 }, (_, at) => record(at % 190)),
    record(5, { row: [5, "stale"] }),
    record(900, { partition: 0 }),
    { op: "junk", row: [1, "x"], partition: 1 },
  ],
  legacy: Array.from({ length: 199 }, (_, id) => record(id, { op: "c" })),
};
const CUT = { ranges: 3, batch: 20 };

const OPTIONS: VerifyOptions = {
  work: nodeBytes,
  clock: { elapsed: () => 0 },
  memory: 400_000,
  ranges: 3,
  partitions: 3,
  first: 100,
  disk: { place: "here", free: undefined },
};

async function inThreads(
  place: string,
  parts: Partial<VerifyOptions> = {},
  fails?: ThreadScene["fails"],
): Promise<TableVerified> {
  const spool = await spoolDirectory(place).open("T");
  const data: ThreadScene = { place, scene: SCENE, cut: CUT, ...(fails === undefined ? {} : { fails }) };
  const runner = runInThreads(pathToFileURL(THREAD), data, 2);
  try {
    return await verifyTable(inputsOf(SCENE, CUT), spool, { ...OPTIONS, runner, ...parts });
  } finally {
    await runner.close();
    await spool.close();
  }
}

const caught = (work: Promise<unknown>): Promise<Error> =>
  work.then(
    () => assert.unreachable() as never,
    (error: Error) => error,
  );

threads("gives the findings of one thread, reports its progress, and leaves nothing behind", async ({ place }) => {
  const expected = await verifyTable(inputsOf(SCENE), memorySpool(), OPTIONS);
  let rows = 0;
  let records = 0;
  const progress: VerifyOptions["progress"] = (seen) => {
    rows = Math.max(rows, seen.rows);
    records = Math.max(records, seen.newRecords);
  };
  assert.equal(await inThreads(place, { progress }), expected);
  assert.equal([rows, records], [200, 403]);
  assert.equal(await readdir(place), []);
});

threads("stops on request, and resumes from there, in several threads or in one", async ({ place }) => {
  const expected = await verifyTable(inputsOf(SCENE), memorySpool(), OPTIONS);
  const stop = new AbortController();
  const progress: VerifyOptions["progress"] = ({ newRecords }) => {
    if (newRecords > 0) stop.abort();
  };
  const first = await inThreads(place, { stop: stop.signal, progress });
  assert.is(first.is, "interrupted");
  assert.ok((await readdir(place)).length > 0);
  const spool = await spoolDirectory(place).open("T");
  const resumed: boolean[] = [];
  const found = await verifyTable(inputsOf(SCENE, CUT), spool, {
    ...OPTIONS,
    notice: ({ is }) => resumed.push(is === "resumed"),
  });
  await spool.close();
  assert.equal(found, expected);
  assert.ok(resumed.includes(true));
});

threads("passes on failures of calls and bugs", async ({ place }) => {
  const error = await caught(inThreads(place, {}, "call"));
  assert.instance(error, CallFailed);
  const { system, kind, message, code, remedies } = error as CallFailed;
  assert.equal([system, kind, message, code, ...remedies], ["kafka", "lost", "the broker went away", "X", "again"]);
  const bug = await caught(inThreads(place, {}, "bug"));
  assert.match(bug.message, "a bug");
  assert.not.instance(bug, CallFailed);
});

threads("ends with the reason if a note cannot be written", async ({ place }) => {
  const full = new CallFailed("state", "rejected", { message: "no space left" });
  const spool = await spoolDirectory(place).open("T");
  let notes = 0;
  const data: ThreadScene = { place, scene: SCENE, cut: CUT };
  const runner = runInThreads(pathToFileURL(THREAD), data, 2);
  try {
    const failing = {
      ...spool,
      note: async (note: Json) => {
        notes += 1;
        if (notes > 1) throw full;
        await spool.note(note);
      },
    };
    const error = await caught(verifyTable(inputsOf(SCENE, CUT), failing, { ...OPTIONS, runner }));
    assert.is(error, full);
  } finally {
    await runner.close();
    await spool.close();
  }
});

threads("does not wait for a thread that has died", async ({ place }) => {
  for (const [fails, how] of [
    ["dies", "ended unexpectedly (7)"],
    ["memory", "ran out of memory"],
  ] as const) {
    const error = await caught(inThreads(place, {}, fails));
    assert.instance(error, CallFailed);
    assert.match(error.message, how);
    assert.match(linesOf((error as CallFailed).remedies), "Run the same command again to resume");
  }
});

threads.run();
