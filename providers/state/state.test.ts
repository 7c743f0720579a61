import { spawnSync } from "node:child_process";
import { appendFile, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { CallFailed, Refusal } from "../../core/errors.ts";
import type { JournalEntry } from "../../core/run/journal.ts";
import { stateDirectory } from "./state-directory.ts";

const key = { clusterId: "c-1", connector: "orders/cdc ../x", run: "2026-11-21T09-15-40Z-7f3a" };
const entry = (seq: bigint): JournalEntry => ({
  seq,
  at: "2026-11-21T09:15:40Z",
  type: "step-started",
  step: "recheck",
});

const state = suite<{ place: string }>("state on disk");
state.before.each(async (context) => {
  context.place = await mkdtemp(join(tmpdir(), "cdcctl-state-"));
});
state.after.each(async ({ place }) => rm(place, { recursive: true, force: true }));

const write = async (place: string, count: number) => {
  const journal = await stateDirectory(place).create(key);
  for (let seq = 0; seq < count; seq++) await journal.append(entry(BigInt(seq)));
  await journal.close();
};
const journalFile = async (place: string) => {
  const [file = ""] = (await readdir(place, { recursive: true })).filter((name) => name.endsWith(".jsonl"));
  return join(place, file);
};

state("reads back what was appended, under whatever name the connector has", async ({ place }) => {
  await write(place, 3);
  const port = stateDirectory(place);
  assert.equal(await port.read(key), [entry(0n), entry(1n), entry(2n)]);
  assert.equal(await port.list(), [key]);
  assert.equal(await port.list({ connector: "other" }), []);
});

state("finds the runs of a connector whose name is too long for a file", async ({ place }) => {
  const long = { ...key, connector: `orders ${"ä".repeat(200)}` };
  const journal = await stateDirectory(place).create(long);
  await journal.append(entry(0n));
  await journal.close();
  assert.equal(await stateDirectory(place).list({ connector: long.connector }), [long]);
  assert.equal(await stateDirectory(place).read(long), [entry(0n)]);
});

state("keeps others out: directories 0700, files 0600", async ({ place }) => {
  await write(place, 1);
  const file = await journalFile(place);
  assert.is((await stat(file)).mode & 0o777, 0o600);
  assert.is((await stat(join(file, ".."))).mode & 0o777, 0o700);
});

state("cuts a torn last line wherever it was torn, and goes on after it", async ({ place }) => {
  await write(place, 2);
  const file = await journalFile(place);
  const whole = await readFile(file, "utf8");
  const end = whole.indexOf("\n") + 1;
  for (let cut = end; cut < whole.length; cut += 7) {
    await writeFile(file, whole.slice(0, cut));
    assert.equal(await stateDirectory(place).read(key), [entry(0n)]);
    const journal = await stateDirectory(place).open(key);
    await journal.append(entry(1n));
    await journal.close();
    assert.equal(await stateDirectory(place).read(key), [entry(0n), entry(1n)]);
  }
});

state("refuses a journal that was edited before its end", async ({ place }) => {
  await write(place, 3);
  const file = await journalFile(place);
  await writeFile(file, (await readFile(file, "utf8")).replace("recheck", "recheek"));
  const failure = await stateDirectory(place)
    .read(key)
    .catch((error: unknown) => error);
  assert.instance(failure, CallFailed);
  assert.match((failure as CallFailed).message, /:1 is damaged/);
});

state("refuses a journal with a line missing in the middle", async ({ place }) => {
  await write(place, 3);
  const file = await journalFile(place);
  const lines = (await readFile(file, "utf8")).split("\n");
  await writeFile(file, [lines[0], ...lines.slice(2)].join("\n"));
  await appendFile(file, `${lines[2]}\n`);
  assert.instance(
    await stateDirectory(place)
      .read(key)
      .catch((error: unknown) => error),
    CallFailed,
  );
});

state("lets one hold a connector, and names the holder to the others", async ({ place }) => {
  const port = stateDirectory(place);
  const lock = await port.lock(key, "apply");
  const refusal = await port.lock(key, "apply").catch((error: unknown) => error);
  assert.instance(refusal, Refusal);
  assert.match((refusal as Refusal).message, new RegExp(`pid ${process.pid}, apply\\) since`));
  await lock.release();
  await (await port.lock(key, "recover")).release();
});

state("takes over what a dead process of this host left, and nothing of another host", async ({ place }) => {
  const port = stateDirectory(place);
  await (await port.lock(key, "apply")).release();
  const folder = join(await journalFolder(place), "lock");
  const { pid = 0 } = spawnSync(process.execPath, ["-e", "0"]);
  const holder = { host: hostname(), user: "ann", pid, started: "", command: "apply", at: "2026-11-21T00:00:00Z" };
  await writeFile(folder, JSON.stringify(holder));
  await (await port.lock(key, "recover")).release();
  await writeFile(folder, JSON.stringify({ ...holder, host: "elsewhere" }));
  assert.match(String(await port.lock(key, "recover").catch((error: unknown) => error)), /ann on elsewhere/);
});

async function journalFolder(place: string): Promise<string> {
  const port = stateDirectory(place);
  await (await port.create(key)).close();
  return join(await journalFile(place), "..");
}

state.run();
