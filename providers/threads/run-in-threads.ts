import { Worker } from "node:worker_threads";
import { CallFailed } from "../../core/errors.ts";
import type { UnitContext } from "../../core/verification/engine/unit-result.ts";
import type { UnitRunner } from "../../core/verification/engine/unit-runner.ts";
import type { UnitFiles } from "../../core/verification/engine/units.ts";
import type { Verdict } from "../../schemas/generated/verification-result.ts";
import { errorOf, type FromThread, type ToThread } from "./messages.ts";

interface Waiting {
  readonly context: UnitContext | undefined;
  /** Handling of the notes received so far, in order. */
  noted: Promise<void>;
  stopAsked: boolean;
  readonly resolve: (value: UnitFiles | Verdict) => void;
  readonly reject: (error: unknown) => void;
}

/** Young generation of a thread's heap, in megabytes. Batches are short-lived; a larger one only takes memory. */
const YOUNG = 12;

/**
 * Carries out units of work in threads that share nothing: each runs `module`, which opens its own inputs and files
 * (`serveUnits`).
 *
 * @param data passed to each thread (`workerData`)
 * @param called receives the calls to systems that threads report, one line each
 */
export function runInThreads(
  module: URL,
  data: unknown,
  threads: number,
  called: (line: string) => void = () => undefined,
): UnitRunner & { close(): Promise<void> } {
  const all = Array.from({ length: threads }, () => threadOf(module, data, called));
  const idlest = () => all.reduce((one, other) => (other.busy() < one.busy() ? other : one));
  return {
    joins: threads,
    read: ({ name, range }, left, partitions, context) =>
      idlest().carryOut<UnitFiles>(
        (id) => ({
          is: "read",
          id,
          unit: { name, ...(range === undefined ? {} : { range }) },
          left,
          partitions,
          checkScn: context.checkScn,
          segment: context.segment,
        }),
        context,
      ),
    join: (join) => idlest().carryOut<Verdict>((id) => ({ is: "join", id, join }), undefined),
    close: async () => {
      await Promise.all(all.map((one) => one.end()));
    },
  };
}

/** Error code of Node.js for a thread that ran out of heap. */
const NO_MEMORY = "ERR_WORKER_OUT_OF_MEMORY";

/** What a thread does (`a thread of …`), and what to do when it is lost. */
interface Loss {
  readonly of: string;
  readonly remedy: string;
}

/** Reports when a thread ends by itself, or for lack of memory: then it will not answer any more. */
export function whenLost(thread: Worker, { of, remedy }: Loss, fail: (error: Error) => void): void {
  /** It was ended from outside, which is not a bug. */
  const lost = (how: string, then: string): CallFailed =>
    new CallFailed("state", "lost", { message: `a thread of ${of} ${how}`, remedy: then });
  thread.on("error", (error: NodeJS.ErrnoException) => {
    const memory = `${remedy} To allow Node.js more memory, set NODE_OPTIONS=--max-old-space-size=MEGABYTES.`;
    fail(error.code === NO_MEMORY ? lost(`ran out of memory (${error.message})`, memory) : error);
  });
  thread.on("messageerror", fail);
  thread.on("exit", (code) => fail(lost(`ended unexpectedly (${code})`, remedy)));
}

const LOSS: Loss = {
  of: "the verification",
  remedy: "What was read is kept. Run the same command again to resume.",
};

function threadOf(module: URL, data: unknown, called: (line: string) => void) {
  const worker = new Worker(module, { workerData: data, resourceLimits: { maxYoungGenerationSizeMb: YOUNG } });
  const waiting = new Map<number, Waiting>();
  let last = 0;
  let ended: Error | undefined;
  const send = (message: ToThread): void => worker.postMessage(message);

  worker.on("message", (message: FromThread) => {
    if (message.is === "call") return called(message.line);
    const unit = waiting.get(message.id);
    if (unit === undefined) return;
    if (message.is === "seen" || message.is === "note") onProgress(message, unit);
    else {
      waiting.delete(message.id);
      unit.noted.then(() => {
        if (message.is === "failed") unit.reject(errorOf(message.failure));
        else unit.resolve(message.is === "read" ? message.result : message.verdict);
      }, unit.reject);
    }
  });
  whenLost(worker, LOSS, fail);

  function onProgress(message: Extract<FromThread, { is: "seen" | "note" }>, unit: Waiting): void {
    const { context } = unit;
    if (context === undefined) return;
    if (message.is === "seen") context.seen(message);
    else {
      unit.noted = unit.noted.then(() => context.note(message.done));
      // The unit is rejected when it has ended; until then it is requested to stop reading.
      unit.noted.catch(() => stop(message.id, unit));
    }
    if (context.stopped()) stop(message.id, unit);
  }

  function stop(id: number, unit: Waiting): void {
    if (unit.stopAsked) return;
    unit.stopAsked = true;
    send({ is: "stop", id });
  }

  function fail(error: Error): void {
    ended ??= error;
    for (const { reject } of waiting.values()) reject(ended);
    waiting.clear();
  }

  return {
    busy: () => waiting.size,
    carryOut<Result extends UnitFiles | Verdict>(
      messageOf: (id: number) => ToThread,
      context: UnitContext | undefined,
    ): Promise<Result> {
      if (ended !== undefined) return Promise.reject(ended);
      const id = ++last;
      return new Promise<Result>((resolve, reject) => {
        waiting.set(id, {
          context,
          noted: Promise.resolve(),
          stopAsked: false,
          resolve: resolve as Waiting["resolve"],
          reject,
        });
        send(messageOf(id));
      });
    },
    async end(): Promise<void> {
      if (ended !== undefined) return;
      const exited = new Promise<void>((resolve) => worker.once("exit", () => resolve()));
      send({ is: "end" });
      await exited;
    },
  };
}
