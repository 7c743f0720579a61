import { appendFile, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { CallFailed, Refusal } from "../../core/errors.ts";
import type { Json } from "../../core/values/json.ts";
import { linesOf } from "../../core/values/remedy.ts";
import { verifyTable } from "../../core/verification/engine/verify-table.ts";
import { memorySpool } from "../../core/verification/testing/memory-spool.ts";
import { inputsOf } from "../../core/verification/testing/scene.ts";
import { work } from "../../core/verification/testing/work.ts";
import { spoolDirectory } from "./spool-directory.ts";

const spools = suite<{ place: string }>("spools on disk");
spools.before.each(async (context) => {
  context.place = await mkdtemp(join(tmpdir(), "cdcctl-spool-"));
});
spools.after.each(async ({ place }) => rm(place, { recursive: true, force: true }));

const NAME = "PDB.SALES.ORDERS/..";
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const folderIn = async (place: string) => join(place, (await readdir(place))[0] ?? "");
const read = async (place: string): Promise<readonly Json[]> => {
  const spool = await spoolDirectory(place).open(NAME);
  const notes = await spool.notes();
  await spool.close();
  return notes;
};

spools("returns what was written, from any position", async ({ place }) => {
  const spool = await spoolDirectory(place).open(NAME);
  const file = await spool.create("new-0.0");
  await file.write([bytes("one "), bytes("two "), bytes("")]);
  await file.write([bytes("three")]);
  assert.equal(file.written(), { bytes: 13, checksum: crc32("one two three") });
  await file.close();
  const into = new Uint8Array(5);
  await spool.read("new-0.0", { starts: [8], lengths: [into.length] }, into);
  assert.equal(into, bytes("three"));
  try {
    await spool.read("new-0.0", { starts: [9], lengths: [into.length] }, into);
    assert.unreachable();
  } catch (error) {
    assert.instance(error, CallFailed);
    assert.match((error as Error).message, /shorter/);
  }
  await spool.close();
});

spools("continues after what was noted, and truncates what was written after it", async ({ place }) => {
  const first = await spoolDirectory(place).open(NAME);
  const file = await first.create("new-0.0");
  await file.write([bytes("kept")]);
  const kept = file.written();
  await first.note({ at: 1n });
  await file.write([bytes("torn")]);
  await file.close();
  await first.close();

  const again = await spoolDirectory(place).open(NAME);
  assert.ok(await again.holds("new-0.0", kept));
  const opened = await again.goOn("new-0.0", kept);
  await opened?.write([bytes(" on")]);
  assert.equal(opened?.written(), { bytes: 7, checksum: crc32("kept on") });
  await opened?.close();
  assert.is(await readFile(join(await folderIn(place), "new-0.0"), "utf8"), "kept on");
  await again.close();
});

spools("does not accept files that were damaged, truncated or lost", async ({ place }) => {
  const spool = await spoolDirectory(place).open(NAME);
  const file = await spool.create("new-0.0");
  await file.write([bytes("whole")]);
  const whole = file.written();
  await file.close();
  const path = join(await folderIn(place), "new-0.0");
  await writeFile(path, "whale and more");
  assert.not.ok(await spool.holds("new-0.0", whole));
  assert.is(await spool.goOn("new-0.0", whole), undefined);
  await writeFile(path, "whole and more");
  assert.ok(await spool.holds("new-0.0", whole));
  await truncate(path, 4);
  assert.not.ok(await spool.holds("new-0.0", whole));
  await rm(path);
  assert.not.ok(await spool.holds("new-0.0", whole));
  await spool.close();
});

spools("keeps notes in order, without an incomplete or damaged end", async ({ place }) => {
  const spool = await spoolDirectory(place).open(NAME);
  await spool.note({ scn: 9007199254740993n });
  await spool.note(["two"]);
  await spool.close();
  const both = [{ scn: 9007199254740993n }, ["two"]];
  assert.equal(await read(place), both);
  const path = join(await folderIn(place), "notes.jsonl");
  await appendFile(path, '{"checksum":"sha256:');
  assert.equal(await read(place), both);
  await appendFile(path, '{"checksum":"sha256:00","note":3}\n');
  assert.equal(await read(place), both);
  const text = await readFile(path, "utf8");
  await writeFile(path, text.replace("two", "2wo"));
  assert.equal(await read(place), both.slice(0, 1));
});

spools("is not accessible to others: directories 0700, files 0600", async ({ place }) => {
  const spool = await spoolDirectory(join(place, "deeper")).open(NAME);
  await (await spool.create("table-0.0")).close();
  await spool.note(1n);
  const folder = await folderIn(join(place, "deeper"));
  assert.is((await stat(folder)).mode & 0o777, 0o700);
  assert.is((await stat(join(place, "deeper"))).mode & 0o777, 0o700);
  for (const file of await readdir(folder)) assert.is((await stat(join(folder, file))).mode & 0o777, 0o600, file);
  await spool.close();
});

spools("belongs to one process at a time", async ({ place }) => {
  const port = spoolDirectory(place);
  const spool = await port.open(NAME);
  try {
    await port.open(NAME);
    assert.unreachable();
  } catch (error) {
    assert.instance(error, Refusal);
    assert.match((error as Error).message, /the verification of PDB\.SALES\.ORDERS/);
  }
  await (await port.open("OTHER")).close();
  await spool.close();
  await (await port.open(NAME)).close();
});

spools("leaves nothing behind if it is empty, and everything if it is not", async ({ place }) => {
  const port = spoolDirectory(place);
  const spool = await port.open(NAME);
  await (await spool.create("new-0.0")).close();
  await spool.note(1n);
  await spool.close();
  assert.equal((await readdir(await folderIn(place))).sort(), ["new-0.0", "notes.jsonl"]);
  const again = await port.open(NAME);
  await again.clear();
  await again.close();
  assert.equal(await readdir(place), []);
});

spools("accepts a name of any length, and distinguishes two long ones", async ({ place }) => {
  const port = spoolDirectory(place);
  const long = "Ä".repeat(300);
  const [one, other] = [await port.open(`${long}1`), await port.open(`${long}2`)];
  await one.note(1n);
  assert.equal(await other.notes(), []);
  await one.close();
  await other.close();
});

spools("reports the free space, and which directory cannot be used", async ({ place }) => {
  assert.ok(((await spoolDirectory(join(place, "new")).free()) ?? 0n) > 0n);
  await writeFile(join(place, "file"), "");
  try {
    await spoolDirectory(join(place, "file")).open(NAME);
    assert.unreachable();
  } catch (error) {
    assert.instance(error, CallFailed);
    assert.match(linesOf((error as CallFailed).remedies), /--work-dir/);
  }
});

spools("serves a verification as the one in memory does, killed in the middle too", async ({ place }) => {
  const row = (id: number) => [id, `name ${id}`] as const;
  const scene = {
    rows: Array.from({ length: 300 }, (_, id) => row(id)),
    records: Array.from({ length: 900 }, (_, at) => ({ op: "u" as const, row: row(at % 300), partition: at % 2 })),
  };
  const options = {
    work,
    clock: { elapsed: () => 0 },
    memory: 100_000,
    ranges: 2,
    partitions: 2,
    first: 100,
    disk: { place, free: undefined },
  };
  const expected = await verifyTable(inputsOf(scene), memorySpool(), options);
  const port = spoolDirectory(place);
  let batches = 0;
  const dies = () => {
    if (++batches === 250) throw new Error("killed");
  };
  const spool = await port.open(NAME);
  const killed = await verifyTable(inputsOf(scene, { before: dies }), spool, options).catch((error: Error) => error);
  assert.match((killed as Error).message, "killed");
  await spool.close();
  const again = await port.open(NAME);
  assert.ok((await again.notes()).length > 1);
  assert.equal(await verifyTable(inputsOf(scene), again, options), expected);
  await again.close();
  assert.equal(await readdir(place), []);
});

spools.run();
