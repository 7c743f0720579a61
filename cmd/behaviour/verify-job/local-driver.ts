/**
 * A minimal driver of `migrate verify-worker`: one worker after the other, in this process, with slots in memory. Like
 * Spark, it repeats unfinished units, and stops at errors that are not retriable.
 */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { FRAME, type Frame, frameHead, framesIn, textFrame } from "../../../core/verification/job/frames.ts";
import { type FinishedHere, runHere } from "../run-command.ts";

/** The parts of a job that a driver reads. */
export interface DrivenJob {
  readonly digest: string;
  readonly units: readonly { readonly unit: string; readonly table: number; readonly side: string }[];
  readonly tables: readonly { readonly slots: number; readonly firstSlot: number }[];
}

export interface DriverOptions {
  readonly env: Readonly<Record<string, string>>;
  /** Arguments after `migrate verify-worker --job …`. */
  readonly words?: readonly string[];
  /** Whether to kill the worker after this total number of frames. */
  readonly dies?: (frames: number) => boolean;
  /** Called before a retry. */
  readonly again?: () => void;
}

/** `error` of the worker: the driver ends with it. */
export class WorkerError extends Error {
  readonly said: { readonly code: string; readonly retriable: boolean; readonly remedy: readonly string[] };

  constructor(text: string) {
    super(text);
    this.said = JSON.parse(text);
  }
}

class WorkerDied extends Error {}

const MOST_ATTEMPTS = 4;

/** The results of a job's workers, and how often one died. */
export interface Driven {
  readonly frames: number;
  readonly deaths: number;
}

/** Runs a job, and writes its results for `--finish`. */
export async function drive(folder: string, options: DriverOptions): Promise<Driven> {
  const file = join(folder, "job.json");
  const job = JSON.parse(await readFile(file, "utf8")) as DrivenJob;
  const seen = { frames: 0, deaths: 0 };
  let worker: Worker | undefined;

  const attempted = async (request: (attempt: number) => object, more: readonly Frame[], wanted: number) => {
    for (let attempt = 0; ; attempt++) {
      try {
        worker ??= await startWorker(file, options, seen);
        return await worker.ask(request(attempt), more, wanted);
      } catch (error) {
        await worker?.end();
        worker = undefined;
        const again = error instanceof WorkerDied || (error instanceof WorkerError && error.said.retriable);
        if (!again || attempt + 1 === MOST_ATTEMPTS) throw error;
        seen.deaths += 1;
        options.again?.();
      }
    }
  };

  const results = join(folder, "results");
  await mkdir(results, { mode: 0o700 });
  try {
    await attempted(() => ({ is: "check" }), [], FRAME.ready);
    for (const [index, table] of job.tables.entries()) {
      const bySlot = new Map<number, Frame[]>();
      const lines: string[] = [];
      for (const { unit } of job.units.filter((one) => one.table === index)) {
        const frames = await attempted((attempt) => ({ is: "read", unit, attempt }), [], FRAME.result);
        const result = frames.pop() as Frame;
        lines.push(text(result));
        for (const frame of frames) bySlot.set(frame.slot, [...(bySlot.get(frame.slot) ?? []), frame]);
      }
      if (lines.length === 0) continue;
      const units = lines.map((line) => textFrame(FRAME.result, 0, line));
      const [rules] = await attempted(() => ({ is: "gather", table: index }), units, FRAME.rules);
      for (let slot = table.firstSlot; slot < table.firstSlot + table.slots; slot++) {
        const more = [rules as Frame, ...(bySlot.get(slot) ?? [])];
        const [result] = await attempted((attempt) => ({ is: "join", slot, attempt }), more, FRAME.result);
        lines.push(text(result as Frame));
      }
      await writeFile(join(results, `table-${index}.jsonl`), `${lines.join("\n")}\n`, { mode: 0o600 });
    }
    await writeFile(join(results, "engine.json"), '{"name":"a test","version":"1"}\n', { mode: 0o600 });
    return seen;
  } finally {
    await worker?.end();
  }
}

const text = ({ payload }: Frame): string => Buffer.from(payload).toString("utf8");

export interface Worker {
  /** @returns the frames up to the one that is wanted */
  ask(request: object, more: readonly Frame[], wanted: number): Promise<Frame[]>;
  /** Closes its standard input, and waits for it. */
  end(): Promise<FinishedHere>;
}

/** Starts a worker in this process. @throws WorkerDied when it ends before its hello */
export async function startWorker(
  job: string,
  { env, words = [], dies = () => false }: DriverOptions,
  seen: { frames: number } = { frames: 0 },
): Promise<Worker> {
  const input = line();
  const output = line();
  const finished = runHere(["migrate", "verify-worker", "--job", job, ...words], {
    env,
    bytes: {
      input: input.read(),
      write: async (bytes) => {
        if (output.isClosed()) throw new Error("EPIPE");
        output.write(bytes);
      },
    },
  });
  let last: FinishedHere | undefined;
  const whole = finished.then((one) => {
    last = one;
    output.close();
    return one;
  });
  const frames = framesIn(output.read());
  const next = async (): Promise<Frame> => {
    const one = await frames.next().catch(() => ({ done: true, value: undefined }) as const);
    if (one.done === true) throw new WorkerDied(`the worker ended: ${last?.output}`);
    seen.frames += 1;
    if (dies(seen.frames)) {
      // Nothing is read or written any more, as after a kill.
      output.close();
      input.close();
      throw new WorkerDied("killed");
    }
    if (one.value.kind === FRAME.error) throw new WorkerError(text(one.value));
    return one.value;
  };
  const hello = await next();
  if (hello.kind !== FRAME.hello) throw new WorkerDied("no hello");
  return {
    async ask(request, more, wanted) {
      const asked = textFrame(FRAME.request, 0, JSON.stringify(request));
      const taken = ["gather", "join"].includes((request as { is: string }).is);
      const end = taken ? [textFrame(FRAME.end, 0, "")] : [];
      for (const frame of [asked, ...more, ...end]) {
        input.write(frameHead(frame));
        input.write(frame.payload);
      }
      const frames: Frame[] = [];
      do frames.push(await next());
      while (frames.at(-1)?.kind !== wanted);
      return frames;
    },
    async end() {
      input.close();
      return whole;
    },
  };
}

/** Bytes from one side to the other, copied as a pipe does. */
function line() {
  const waiting: Uint8Array[] = [];
  let closed = false;
  let wake = (): void => undefined;
  return {
    isClosed: () => closed,
    write(bytes: Uint8Array): void {
      waiting.push(bytes.slice());
      wake();
    },
    close(): void {
      closed = true;
      wake();
    },
    async *read(): AsyncGenerator<Uint8Array> {
      for (;;) {
        const bytes = waiting.shift();
        if (bytes !== undefined) yield bytes;
        else if (closed) return;
        else
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
      }
    },
  };
}
