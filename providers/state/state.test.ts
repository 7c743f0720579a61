import { spawnSync } from "node:child_process";
import {
  appendFile,
  chmod,
  type FileHandle,
  lstat,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  truncate,
  utimes,
  writeFile,
} from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { CallFailed, Refusal } from "../../core/errors.ts";
import { buildRun } from "../../core/plan/testing/build-run.ts";
import { backward } from "../../core/plan/testing/example-plans.ts";
import type { Lock, RunKey, StatePort } from "../../core/ports/state.ts";
import type { JournalEntry, RunStarted } from "../../core/run/journal.ts";
import { parseJson, printJson } from "../../core/values/json.ts";
import { lineOf, linesOf } from "../../core/values/remedy.ts";
import { journalWriter } from "./journal-file.ts";
import { stateDirectory } from "./state-directory.ts";

const key = { clusterId: "c-1", connector: "orders/cdc ../x", run: "2026-11-21T09-15-40Z-7f3a" };
const STARTED = buildRun(backward, []).entries[0] as JournalEntry & RunStarted;
const started = (of: RunKey): JournalEntry => ({
  ...STARTED,
  run: of.run,
  subject: { ...STARTED.subject, clusterId: of.clusterId, connector: of.connector } as RunStarted["subject"],
});
const entry = (seq: bigint, of = key): JournalEntry =>
  seq === 0n ? started(of) : { seq, at: "2026-11-21T09:15:40Z", type: "step-started", step: "recheck" };
/** An entry as it is read: undefined members are not written. */
const read = (seq: bigint, of = key) => parseJson(printJson(entry(seq, of))) as unknown as JournalEntry;

/** What has no end takes longer, on any machine. */
const ENDLESS_MILLIS = 60_000;

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

const inNamespace = (...argv: readonly string[]) => spawnSync("unshare", ["-rm", ...argv], { encoding: "utf8" });
/** Adds a test, or says why it is not run. */
const where = (obstacle: string | undefined, name: string, test: Parameters<typeof state>[1]): void => {
  if (obstacle === undefined) return void state(name, test);
  process.stdout.write(`NOT RUN  ${name}: ${obstacle}\n`);
  state.skip(name, test);
};

const NO_NAMESPACE = inNamespace("true").status === 0 ? undefined : "a mount namespace is not allowed here";
where(NO_NAMESPACE, "a read-only file system is named as one, with the way to another directory", async ({ place }) => {
  const tries = `import { makeFolder } from "./providers/state/on-disk.ts";
    await makeFolder(process.argv[1]).catch(({ message, remedies }) => console.log(message, remedies.join()));`;
  const mount = 'mount -t tmpfs -o ro,size=4k none "$0" && exec "$@"';
  const node = [process.execPath, "--import", "tsx", "--input-type=module", "-e", tries, join(place, "state/orders")];
  const { stdout } = inNamespace("sh", "-c", mount, place, ...node);
  assert.match(stdout, /can't be used: EROFS Choose a directory that can be written to with --state/);
});

state("reads back what was appended, whatever the connector's name", async ({ place }) => {
  await write(place, 3);
  const port = stateDirectory(place);
  assert.equal(await port.read(key), [read(0n), read(1n), read(2n)]);
  assert.equal(await port.list(), [key]);
  assert.equal(await port.list({ connector: "other" }), []);
});

state("finds the runs of a connector whose name is too long for a file", async ({ place }) => {
  const long = { ...key, connector: `orders ${"ä".repeat(200)}` };
  const journal = await stateDirectory(place).create(long);
  await journal.append(entry(0n, long));
  await journal.close();
  assert.equal(await stateDirectory(place).list({ connector: long.connector }), [long]);
  assert.equal(await stateDirectory(place).read(long), [read(0n, long)]);
});

state("is not accessible to others: directories 0700, files 0600", async ({ place }) => {
  await write(place, 1);
  const file = await journalFile(place);
  assert.is((await stat(file)).mode & 0o777, 0o600);
  assert.is((await stat(join(file, ".."))).mode & 0o777, 0o700);
});

state("truncates an incomplete last line, wherever it ends, and continues after it", async ({ place }) => {
  await write(place, 2);
  const file = await journalFile(place);
  const whole = await readFile(file, "utf8");
  const end = whole.indexOf("\n") + 1;
  for (let cut = end; cut < whole.length; cut += 7) {
    await writeFile(file, whole.slice(0, cut));
    assert.equal(await stateDirectory(place).read(key), [read(0n)]);
    const journal = await stateDirectory(place).open(key);
    await journal.append(entry(1n));
    await journal.close();
    assert.equal(await stateDirectory(place).read(key), [read(0n), read(1n)]);
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

state("a journal exists with its first entry, or not at all, and never replaces another", async ({ place }) => {
  const port = stateDirectory(place);
  const [one, other] = [await port.create(key), await port.create(key)];
  assert.equal(await port.list(), []);
  await one.append(entry(0n));
  assert.equal(await port.read(key), [read(0n)]);
  assert.instance(await other.append(entry(0n)).catch((error: unknown) => error), CallFailed);
  await one.append(entry(1n));
  await Promise.all([one.close(), other.close()]);
  assert.equal(await port.read(key), [read(0n), read(1n)]);
  const files = (await readdir(place, { recursive: true })).filter((name) => name.includes("journal"));
  assert.is(files.length, 1, "a draft is left");
});

state("lets one process hold a connector, and names the holder to others", async ({ place }) => {
  const port = stateDirectory(place);
  const lock = await port.lock(key, "apply");
  const refusal = await port.lock(key, "apply").catch((error: unknown) => error);
  assert.instance(refusal, Refusal);
  assert.match((refusal as Refusal).message, new RegExp(`pid ${process.pid}, apply\\) since`));
  await lock.release();
  await (await port.lock(key, "recover")).release();
});

state("takes over a lock left by a dead process of this host, and none of another host", async ({ place }) => {
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
  await write(place, 1);
  return join(await journalFile(place), "..");
}

state("the command that removes a lock quotes its path", async ({ place }) => {
  const port = stateDirectory(join(place, "o'brien; x"));
  const lock = await port.lock(key, "apply");
  const came = await port.lock(key, "apply").catch((error: unknown) => error);
  assert.instance(came, Refusal);
  assert.match((came as Refusal).remedies.map(lineOf).join("\n"), "rm '");
  assert.match((came as Refusal).remedies.map(lineOf).join("\n"), "o'\\''brien; x/");
  await lock.release();
});

/**
 * An incomplete or damaged lock: [what, its text, how many seconds old by the file system's clock, whether it is taken
 * over].
 */
const LEFT: readonly (readonly [string, string, number, boolean])[] = [
  ["empty", "", 60, true],
  ["empty, with a time in the future", "", -3600, true],
  ["torn", `{"host":"elsewhere","us`, 60, true],
  ["zeros", "\0\0\0\0", 60, true],
  ["empty and just made", "", 0, false],
  ["complete and damaged", `{"host":"elsewhe~e,"user":"ann"}`, 3600, false],
];

for (const [what, text, seconds, taken] of LEFT) {
  state(`a lock file that is ${what} is ${taken ? "taken over" : "left untouched"}`, async ({ place }) => {
    const port = stateDirectory(place);
    const file = join(await journalFolder(place), "lock");
    await writeFile(file, text);
    const then = new Date(Date.now() - seconds * 1000);
    await utimes(file, then, then);
    const came = await port.lock(key, "apply").catch((error: unknown) => error);
    if (taken) {
      await (came as Lock).release();
      assert.equal(await leftovers(file), []);
    } else {
      assert.instance(came, Refusal);
      assert.is((came as Refusal).code, "STA701");
      assert.is(await readFile(file, "utf8"), text);
    }
  });
}

state("a lock is never seen incomplete, and leaves nothing beside it", async ({ place }) => {
  const port = stateDirectory(place);
  const file = join(await journalFolder(place), "lock");
  let done = false;
  const seen: string[] = [];
  const watch = (async () => {
    while (!done) {
      const text = await readFile(file, "utf8").catch(() => undefined);
      if (text !== undefined && !text.endsWith("}")) seen.push(text);
    }
  })();
  for (let times = 0; times < 50; times++) await (await port.lock(key, "apply")).release();
  done = true;
  await watch;
  assert.equal(seen, []);
  assert.equal(await leftovers(file), []);
});

state("of many that find the same stale lock, one at a time holds it", async ({ place }) => {
  const port = stateDirectory(place);
  const file = join(await journalFolder(place), "lock");
  const { pid = 0 } = spawnSync(process.execPath, ["-e", "0"]);
  for (let times = 0; times < 20; times++) {
    const holder = { host: hostname(), user: "ann", pid, started: "", command: "apply", at: "2026-11-21T00:00:00Z" };
    await writeFile(file, JSON.stringify(holder));
    const came = await Promise.allSettled(Array.from({ length: 8 }, () => port.lock(key, "apply")));
    const held = came.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
    assert.is(held.length, 1, String(came.flatMap((one) => (one.status === "rejected" ? [one.reason] : []))));
    for (const lock of held) await lock.release();
    assert.equal(await leftovers(file), []);
  }
});

state(
  "a lock that was removed manually and taken by another process is not released by the first",
  async ({ place }) => {
    const port = stateDirectory(place);
    const first = await port.lock(key, "apply");
    await rm(join(await journalFolder(place), "lock"));
    const second = await port.lock(key, "recover");
    await first.release();
    assert.instance(await port.lock(key, "apply").catch((error: unknown) => error), Refusal);
    await second.release();
  },
);

async function leftovers(lockFile: string): Promise<readonly string[]> {
  return (await readdir(join(lockFile, ".."))).filter((name) => name.startsWith("lock"));
}

state("the part of a line that a full disk took is truncated before the next", async ({ place }) => {
  await write(place, 1);
  const path = await journalFile(place);
  const file = await open(path, "a");
  let room = true;
  const full = Object.assign(new Error("no space"), { code: "ENOSPC" });
  const disk = {
    async appendFile(text: string) {
      await file.appendFile(room ? text : text.slice(0, 20));
      if (!room) throw full;
    },
    datasync: () => file.datasync(),
    truncate: (bytes?: number) => file.truncate(bytes),
    close: () => file.close(),
  };
  const journal = journalWriter(path, disk as unknown as FileHandle, (await stat(path)).size);
  await journal.append(entry(1n));
  room = false;
  const failure = await journal.append(entry(2n)).catch((error: unknown) => error);
  assert.instance(failure, CallFailed);
  assert.match(linesOf((failure as CallFailed).remedies), new RegExp(`^Free space on the file system of ${path}`));
  assert.equal(await stateDirectory(place).read(key), [read(0n), read(1n)]);
  await journal.demandOwn();
  room = true;
  await journal.append(entry(2n));
  assert.equal(await stateDirectory(place).read(key), [read(0n), read(1n), read(2n)]);
  room = false;
  await journal.append(entry(3n)).catch(() => undefined);
  room = true;
  const other = await stateDirectory(place).open(key);
  await other.append({ ...entry(3n), type: "recovery-started", operator: "ben" });
  const cutOff = await journal.append(entry(3n)).catch((error: unknown) => error);
  assert.match((cutOff as CallFailed).message, "ben has recovered or abandoned", "its entry is not cut off");
  assert.is((await stateDirectory(place).read(key)).length, 4);
  await other.close();
  await journal.close();
});

state("a journal that another process has continued takes no entry, and says who it was", async ({ place }) => {
  const port = stateDirectory(place);
  const asleep = await port.create(key);
  await asleep.append(entry(0n));
  await asleep.demandOwn();
  const other = await port.open(key);
  await other.append({ ...entry(1n), type: "recovery-started", operator: "ben" });
  for (const work of [() => asleep.demandOwn(), () => asleep.append(entry(1n))]) {
    const failure = await work().catch((error: unknown) => error);
    assert.instance(failure, CallFailed);
    assert.match((failure as CallFailed).message, /another process has continued .*: ben has recovered or abandoned/);
  }
  await other.append(entry(2n));
  assert.is((await port.read(key)).length, 3);
  await asleep.close();
  await other.close();
});

state("a journal that cannot be read affects its own run only", async ({ place }) => {
  await write(place, 3);
  const port = stateDirectory(place);
  const other = { ...key, connector: "other" };
  const damaged = await journalFile(place);
  const journal = await port.create(other);
  await journal.append(entry(0n, other));
  await journal.close();
  await writeFile(damaged, "garbage\n");
  const { journals, folders } = await port.inspect();
  assert.equal(folders, []);
  assert.equal(
    journals.map((found) => [
      found.key.connector,
      "unreadable" in found ? found.unreadable.line : found.entries.length,
    ]),
    [
      [key.connector, 1],
      ["other", 1],
    ],
  );
});

state("files that are not cdcctl's are ignored, wherever they are", async ({ place }) => {
  await write(place, 1);
  const run = await journalFile(place);
  const connector = join(run, "..");
  const cluster = join(connector, "..");
  for (const folder of [place, cluster, connector]) {
    for (const name of [
      ".DS_Store",
      "notes.txt",
      "orders.yaml~",
      "#lock#",
      `${key.run} copy.journal.jsonl`,
      "%E0%A4%A",
    ])
      await writeFile(join(folder, name), "x");
    await mkdir(join(folder, "lost+found"), { mode: 0o000 });
  }
  await writeFile(join(connector, `${key.run}.journal.jsonl~`), "x");
  await mkdir(join(connector, "folder.journal.jsonl"));
  await symlink(join(place, "nowhere"), join(place, "dangling"));
  const port = stateDirectory(place);
  assert.equal(await port.list(), [key]);
  const { journals, folders } = await port.inspect();
  assert.equal([journals.length, folders], [1, []]);
  for (const folder of [place, cluster, connector]) await chmod(join(folder, "lost+found"), 0o700);
});

state("a folder that cannot be read is reported, and affects only itself", async ({ place }) => {
  await write(place, 1);
  const cluster = join(await journalFile(place), "..", "..");
  const looped = join(cluster, "orders");
  await symlink(looped, looped);
  const hashed = join(cluster, `%sha256-${"0".repeat(64)}`);
  await mkdir(hashed);
  const port = stateDirectory(place);
  assert.equal((await port.inspect()).folders, []);
  await writeFile(join(hashed, `${key.run}.journal.jsonl`), "");
  assert.equal((await port.inspect()).folders, [
    { path: hashed, why: "cannot be read: its file connector-name is missing or damaged" },
  ]);
  assert.equal(await port.list(), [key]);
  const own = await port.list({ clusterId: key.clusterId, connector: "orders" }).catch((error: unknown) => error);
  assert.instance(own, CallFailed);
  assert.match((own as CallFailed).message, /orders can't be used: ELOOP/);
});

state("a journal that is set aside is kept, and replaced atomically", async ({ place }) => {
  await write(place, 2);
  const path = await journalFile(place);
  await writeFile(path, "garbage\n");
  const port = stateDirectory(place);
  const first = await port.setAside(key, [entry(0n)]);
  assert.match(first, /\.journal\.jsonl\.set-aside-\d{4}-\d\d-\d\dT[\d-]+Z$/);
  assert.is(await readFile(first, "utf8"), "garbage\n");
  assert.equal(await port.read(key), [read(0n)]);
  const second = await port.setAside(key, []);
  assert.is.not(second, first);
  assert.is(await readFile(first, "utf8"), "garbage\n");
  assert.equal(await port.list(), []);
  assert.equal(
    (await readdir(join(path, ".."))).filter((name) => name.endsWith(".new")),
    [],
  );
});

/** What stands in a journal's place: [what, made by, named as]. */
const IN_PLACE: readonly (readonly [what: string, make: (path: string) => unknown, named: RegExp])[] = [
  ["a pipe", (path) => spawnSync("mkfifo", [path]), /: it is a pipe, not a regular file/],
  ["a link to a device", (path) => symlink("/dev/zero", path), /: it is a symbolic link, not a regular file/],
  ["a link to another journal", (path) => symlink(`${path}.real`, path), /: it is a symbolic link, not a regular file/],
  ["a device", (path) => spawnSync("mknod", [path, "c", "1", "5"]), /: it is a device, not a regular file/],
  ["a socket", (path) => listening(path), /: it is a socket, not a regular file/],
  ["a file of 1 GB", (path) => sparse(path, 1_000_000_000), /: it is larger than 64 MB/],
];

async function listening(path: string): Promise<void> {
  // A path of a socket has 107 bytes at most.
  const short = join(tmpdir(), `s${process.pid}`);
  const script = `require("net").createServer().listen(${JSON.stringify(short)}, () => process.exit(0))`;
  spawnSync(process.execPath, ["-e", `${script}; process.on("exit", () => process.kill(process.pid, "SIGKILL"))`]);
  await rename(short, path);
}

async function sparse(path: string, bytes: number): Promise<void> {
  await writeFile(path, "");
  await truncate(path, bytes);
}

const made = await mkdtemp(join(tmpdir(), "cdcctl-made-"));
state.after(() => rm(made, { recursive: true, force: true }));
for (const [at, [what, make, named]] of IN_PLACE.entries()) {
  await make(join(made, String(at)));
  const obstacle = (await isThere(join(made, String(at)))) ? undefined : "it can't be made here";
  where(obstacle, `${what} in a journal's place is named at once, and affects its own run only`, async ({ place }) => {
    const path = join(await journalFolder(place), `${key.run}.journal.jsonl`);
    const port = stateDirectory(place);
    const other = { ...key, connector: "other" };
    const journal = await port.create(other);
    await journal.append(entry(0n, other));
    await journal.close();
    await rename(path, `${path}.real`);
    await make(path);
    const began = Date.now();
    const { journals } = await port.inspect();
    assert.ok(Date.now() - began < ENDLESS_MILLIS, `${Date.now() - began} ms`);
    const found = journals.map((one) => ("unreadable" in one ? one.unreadable.why : one.key.connector));
    assert.is(found.length, 2);
    assert.ok(found.includes("other"), found.join());
    assert.match(`: ${found.join(": ")}`, named);
    const failure = await port.read(key).catch((error: unknown) => error);
    assert.instance(failure, CallFailed);
    assert.match((failure as CallFailed).message, named);
    assert.ok((failure as CallFailed).message.includes(path));
  });
}

for (const [name, use] of [
  ["lock", (port: StatePort) => port.holder(key)],
  ["connector-name", (port: StatePort) => port.inspect()],
] as const) {
  state(`a pipe or a link in the place of ${name} is not waited for`, async ({ place }) => {
    const folder = await journalFolder(place);
    const port = stateDirectory(place);
    const hashed = join(folder, "..", `%sha256-${"0".repeat(64)}`);
    await mkdir(hashed);
    const path = join(name === "lock" ? folder : hashed, name);
    for (const make of [() => spawnSync("mkfifo", [path]), () => symlink("/dev/zero", path)]) {
      await make();
      const began = Date.now();
      await use(port);
      assert.ok(Date.now() - began < ENDLESS_MILLIS, `${Date.now() - began} ms`);
      await rm(path);
    }
  });
}

/** Where a whole journal was copied to: each differs in one part of the key. */
const ELSEWHERE: readonly RunKey[] = [
  { ...key, connector: "billing-cdc" },
  { ...key, clusterId: "c-2" },
  { ...key, run: "2026-11-21T09-15-40Z-0000" },
];

for (const there of ELSEWHERE) {
  state(
    `a journal that was copied to ${there.clusterId} ${there.connector} ${there.run} is not read`,
    async ({ place }) => {
      await write(place, 2);
      const port = stateDirectory(place);
      const journal = await port.create(there);
      await journal.append(entry(0n, there));
      await journal.close();
      const copies = (await readdir(place, { recursive: true })).filter((name) => name.endsWith(".jsonl"));
      const original = join(place, copies.find((name) => isOf(name, key)) ?? "");
      const copy = join(place, copies.find((name) => isOf(name, there)) ?? "");
      await writeFile(copy, await readFile(original));
      const failure = await port.read(there).catch((error: unknown) => error);
      assert.instance(failure, CallFailed);
      assert.match(
        (failure as CallFailed).message,
        /is not of this place: it is the journal of run .*-7f3a of orders\/cdc/,
      );
      assert.is((await port.read(key)).length, 2);
      assert.instance(await port.open(there).catch((error: unknown) => error), CallFailed);
    },
  );
}

function isOf(name: string, { clusterId, connector, run }: RunKey): boolean {
  const folder = encodeURIComponent(connector);
  return name === join(clusterId, folder, `${run}.journal.jsonl`);
}

async function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

if (process.platform === "linux")
  state("a state directory that can't be created is named, with what to do about it", async () => {
    const failure = await stateDirectory("/proc/cdcctl/state")
      .lock(key, "apply")
      .catch((error: unknown) => error);
    assert.instance(failure, CallFailed);
    assert.match((failure as CallFailed).message, "/proc/cdcctl/state");
    assert.match((failure as CallFailed).remedies.join(), /with --state/);
  });

state.run();
