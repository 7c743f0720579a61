#!/usr/bin/env node
/**
 * Drives the workers of `cdcctl migrate verify-worker` one stage at a time, for anything that starts processes: a shell
 * loop, GNU parallel, a Kubernetes Job with an index. Tuples go through files in the job's folder, which every process
 * must see; the protocol is described in docs/verification-at-scale.md.
 *
 *     drive.mjs check  JOB_DIR                  one login, before there are many
 *     drive.mjs units  JOB_DIR --side table     names of units, one a line; --side topic: the others
 *     drive.mjs read   JOB_DIR UNIT…            or --side table --part 2/8: every eighth, from the third on
 *     drive.mjs gather JOB_DIR                  when all units are read
 *     drive.mjs slots  JOB_DIR
 *     drive.mjs join   JOB_DIR SLOT…            or --part 2/8
 *
 * `--worker COMMAND` is how a worker is started. Exit code 75: another attempt may succeed. 1: none would.
 */
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdir, open, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";

const [HELLO, REQUEST, END, RESULT, RULES, READY, ERROR] = [1, 2, 3, 7, 8, 9, 10];
const PROTOCOL = 1;
const MOST_ATTEMPTS = 4;

/** What a worker said in place of an answer, or that it ended by itself. */
class WorkerFailed extends Error {
  constructor(code, message, remedy, retriable) {
    super([`${code}: ${message}`, ...remedy].join("\n  "));
    this.retriable = retriable;
  }
}

/** A worker process. */
class Worker {
  constructor(command, folder, digest) {
    this.child = spawn("sh", ["-c", `exec ${command} --job "$1"`, "worker", join(folder, "job.json")], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    this.child.stdin.on("error", () => undefined);
    this.ended = new Promise((resolve) => this.child.once("exit", resolve));
    this.frames = framesIn(this.child.stdout);
    this.digest = digest;
  }

  async greeted() {
    const { kind, payload } = await this.frame();
    const hello = kind === HELLO ? JSON.parse(payload) : {};
    if (hello.protocol !== PROTOCOL || hello.job !== this.digest)
      throw new WorkerFailed("worker-other", `another version, or another job: ${JSON.stringify(hello)}`, [], false);
    return this;
  }

  send(kind, slot = 0, payload = "") {
    const bytes = Buffer.from(payload);
    const head = Buffer.alloc(12);
    head.writeUInt32LE(bytes.length, 0);
    head.writeUInt32LE(slot, 4);
    head.writeUInt32LE(kind, 8);
    this.child.stdin.write(head);
    const room = this.child.stdin.write(bytes);
    if (!room) return new Promise((resolve) => this.child.stdin.once("drain", resolve).once("close", resolve));
  }

  async frame() {
    const { done, value } = await this.frames.next();
    if (done) {
      const exitCode = await this.ended;
      // What exits with 64 says what is wrong with the job; 126 and 127 are the shell's: no such program.
      throw new WorkerFailed("worker-ended", `the worker ended (${exitCode})`, [], ![64, 126, 127].includes(exitCode));
    }
    if (value.kind !== ERROR) return value;
    const { code, message, remedy, retriable } = JSON.parse(value.payload);
    throw new WorkerFailed(code, message, remedy, retriable);
  }

  async answer(wanted) {
    const one = await this.frame();
    if (one.kind !== wanted)
      throw new WorkerFailed("protocol", `a frame of kind ${one.kind}, not ${wanted}`, [], false);
    return one.payload.toString();
  }
}

async function* framesIn(stream) {
  let [waiting, length, wanted] = [[], 0, 12];
  for await (const chunk of stream) {
    waiting.push(chunk);
    length += chunk.length;
    if (length < wanted) continue;
    let bytes = Buffer.concat(waiting);
    for (wanted = 12; bytes.length >= wanted; wanted = 12) {
      wanted += bytes.readUInt32LE(0);
      if (bytes.length < wanted) break;
      yield { slot: bytes.readUInt32LE(4), kind: bytes.readUInt32LE(8), payload: bytes.subarray(12, wanted) };
      bytes = bytes.subarray(wanted);
    }
    [waiting, length] = [[bytes], bytes.length];
  }
}

/** A job, and the stages that carry it out. @param command how a worker is started */
export async function jobIn(folder, command = "cdcctl migrate verify-worker") {
  const job = JSON.parse(await readFile(join(folder, "job.json"), "utf8"));
  if (job.protocol !== PROTOCOL) throw new WorkerFailed("protocol", "the job is of another version", [], false);
  const [tuples, results] = [join(folder, "tuples"), join(folder, "results")];
  for (const place of [tuples, results]) await mkdir(place, { recursive: true, mode: 0o700 });
  const names = job.units.map(({ unit }) => unit);
  const tableOf = (slot) =>
    job.tables.findIndex(({ firstSlot, slots }) => slot >= firstSlot && slot < firstSlot + slots);
  let worker;

  /** Work with a worker of its own after each failure. */
  const attempted = async (work) => {
    for (let attempt = 0; ; attempt++)
      try {
        worker ??= await new Worker(command, folder, job.digest).greeted();
        return await work(worker, attempt);
      } catch (error) {
        worker?.child.kill("SIGKILL");
        worker = undefined;
        if (!error.retriable || attempt + 1 === MOST_ATTEMPTS) throw error;
      }
  };

  /** There whole or not at all; each unit and slot has a file of its own, so that none counts twice. */
  const written = async (path, text) => {
    const part = draftOf(path);
    await writeFile(part, text, { mode: 0o600 });
    await rename(part, path);
  };

  return {
    units: (side) =>
      job.units
        .filter((one) => side === undefined || (one.side === "table") === (side === "table"))
        .map(({ unit }) => unit),
    slots: () => job.tables.flatMap(({ firstSlot, slots }) => [...Array(slots).keys()].map((at) => firstSlot + at)),

    check: () =>
      attempted(async (one) => {
        await one.send(REQUEST, 0, JSON.stringify({ is: "check" }));
        await one.answer(READY);
      }),

    /** Tuples and, behind them, the result and where those of each slot are: one file, from one attempt. */
    read: (unit) =>
      attempted(async (one, attempt) => {
        const number = names.indexOf(unit);
        if (number < 0) throw new WorkerFailed("usage", `the job has no unit ${unit}`, [], false);
        const path = join(tuples, String(number));
        const part = draftOf(path);
        const file = await open(part, "wx", 0o600);
        const index = {};
        let at = 0;
        try {
          await one.send(REQUEST, 0, JSON.stringify({ is: "read", unit, attempt }));
          for (;;) {
            const { kind, slot, payload } = await one.frame();
            if (kind === RESULT) {
              const foot = Buffer.from(JSON.stringify({ result: payload.toString(), index }));
              const length = Buffer.alloc(4);
              length.writeUInt32LE(foot.length);
              await file.appendFile(Buffer.concat([foot, length]));
              await file.sync();
              return await rename(part, path);
            }
            index[slot] ??= [];
            index[slot].push([kind, at, payload.length]);
            await file.appendFile(payload);
            at += payload.length;
          }
        } finally {
          await file.close();
          await rm(part, { force: true });
        }
      }),

    async gather(engine = { name: "drive.mjs", version: "1" }) {
      for (const table of job.tables.keys()) {
        const numbers = job.units.flatMap((unit, number) => (unit.table === table ? [number] : []));
        if (numbers.length === 0) continue;
        const lines = [];
        for (const number of numbers) {
          const { result } = await footOf(join(tuples, String(number))).catch(() => {
            throw new WorkerFailed("unit-missing", `${names[number]} has not been read`, [], false);
          });
          await written(join(results, `unit-${number}.jsonl`), `${result}\n`);
          lines.push(result);
        }
        const rules = await attempted(async (one) => {
          await one.send(REQUEST, 0, JSON.stringify({ is: "gather", table }));
          for (const line of lines) await one.send(RESULT, 0, line);
          await one.send(END);
          return one.answer(RULES);
        });
        await written(join(tuples, `rules-${table}`), rules);
      }
      await written(join(results, "engine.json"), `${JSON.stringify(engine)}\n`);
    },

    join: (slot) =>
      attempted(async (one, attempt) => {
        const rules = await readFile(join(tuples, `rules-${tableOf(slot)}`));
        await one.send(REQUEST, 0, JSON.stringify({ is: "join", slot, attempt }));
        await one.send(RULES, 0, rules);
        for (const [number, { table }] of job.units.entries()) {
          if (table !== tableOf(slot)) continue;
          const gathered = await readFile(join(results, `unit-${number}.jsonl`), "utf8");
          for await (const [kind, payload] of tuplesOf(join(tuples, String(number)), slot, gathered.trimEnd()))
            await one.send(kind, slot, payload);
        }
        await one.send(END);
        await written(join(results, `slot-${slot}.jsonl`), `${await one.answer(RESULT)}\n`);
      }),

    end: () => worker?.child.stdin.end(),
  };
}

/** A name that no other process uses: pods that share the folder may have the same process id. */
const draftOf = (path) => `${path}.${randomUUID()}.part`;

const piece = async (file, at, length) => (await file.read(Buffer.alloc(length), 0, length, at)).buffer;

async function footIn(file) {
  const { size } = await file.stat();
  const length = (await piece(file, size - 4, 4)).readUInt32LE(0);
  return JSON.parse(await piece(file, size - 4 - length, length));
}

async function footOf(path) {
  const file = await open(path);
  try {
    return await footIn(file);
  } finally {
    await file.close();
  }
}

/** What one unit has for a slot. @param gathered the result that the rules were made from */
async function* tuplesOf(path, slot, gathered) {
  const file = await open(path);
  try {
    const { result, index } = await footIn(file);
    if (result !== gathered) {
      const what = "a unit was read again with another result since the results were gathered";
      throw new WorkerFailed("unit-changed", what, ["gather again, and join every slot again"], false);
    }
    for (const [kind, at, bytes] of index[slot] ?? []) yield [kind, await piece(file, at, bytes)];
  } finally {
    await file.close();
  }
}

async function main() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { worker: { type: "string" }, side: { type: "string" }, part: { type: "string" } },
  });
  const [stage, folder, ...named] = positionals;
  const job = await jobIn(folder, values.worker);
  const [part, parts] = (values.part ?? "0/1").split("/").map(Number);
  const mine = (all) => (named.length > 0 ? named : all.filter((_, at) => at % parts === part));
  try {
    if (stage === "check") await job.check();
    else if (stage === "units") process.stdout.write(`${job.units(values.side).join("\n")}\n`);
    else if (stage === "slots") process.stdout.write(`${job.slots().join("\n")}\n`);
    else if (stage === "read") for (const unit of mine(job.units(values.side))) await job.read(unit);
    else if (stage === "gather") await job.gather();
    else if (stage === "join") for (const slot of mine(job.slots())) await job.join(Number(slot));
    else throw new WorkerFailed("usage", "check, units, read, gather, slots or join", [], false);
  } finally {
    job.end();
  }
}

if (import.meta.url === pathToFileURL(process.argv[1]).href)
  main().catch((error) => {
    process.stderr.write(`${error.message}\n`);
    process.exit(error.retriable ? 75 : 1);
  });
