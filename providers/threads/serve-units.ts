import type { MessagePort } from "node:worker_threads";
import type { SpoolFiles } from "../../core/ports/spool.ts";
import type { ByteWork } from "../../core/verification/byte-work.ts";
import type { TableInputs } from "../../core/verification/engine/inputs.ts";
import { runHere, type UnitRunner } from "../../core/verification/engine/unit-runner.ts";
import { type FromThread, failedOf, type ToThread } from "./messages.ts";

/** Inputs and files that a thread opens for itself: threads share nothing. */
interface ThreadInputs {
  readonly inputs: TableInputs;
  readonly files: SpoolFiles;
  readonly work: ByteWork;
  close(): Promise<void>;
}

/**
 * Carries out the units of work in this thread that are requested through `port`, until it receives `end`.
 *
 * @param open receives a function that reports a call to a system to the main thread
 */
export async function serveUnits(
  port: MessagePort,
  open: (report: (line: string) => void) => Promise<ThreadInputs>,
): Promise<void> {
  const send = (message: FromThread): void => port.postMessage(message);
  const stopped = new Set<number>();
  const opened = open((line) => send({ is: "call", line }));
  const runner = opened.then(({ inputs, files, work }) => runHere(inputs, files, work));
  // The requester of the unit is notified.
  runner.catch(() => undefined);

  port.on("message", (message: ToThread) => {
    if (message.is === "stop") stopped.add(message.id);
    else if (message.is === "end") end().catch(() => port.close());
    else
      carryOut(message).catch((error: unknown) => {
        try {
          send({ is: "failed", id: message.id, failure: failedOf(error) });
        } catch {
          // An error that contains values that cannot be sent.
          send({ is: "failed", id: message.id, failure: { is: "bug", error: new Error(String(error)) } });
        }
      });
  });

  async function carryOut(message: Extract<ToThread, { is: "read" | "join" }>): Promise<void> {
    const { id } = message;
    const here: UnitRunner = await runner;
    if (message.is === "join") {
      send({ is: "joined", id, verdict: await here.join(message.join) });
      return;
    }
    const { unit, left, partitions, checkScn, segment } = message;
    const result = await here.read(unit, left, partitions, {
      checkScn,
      segment,
      stopped: () => stopped.has(id),
      seen: ({ count, foreign, bytes }) => send({ is: "seen", id, count, foreign, bytes }),
      note: async (done) => send({ is: "note", id, done }),
    });
    send({ is: "read", id, result });
  }

  async function end(): Promise<void> {
    await (await opened).close();
    port.close();
  }
}
