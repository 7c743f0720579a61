import { connect as connectPlain, isIP, type Socket } from "node:net";
import { type ConnectionOptions, connect as connectTls } from "node:tls";
import { byteQueue } from "./byte-queue.ts";
import type { Pull } from "./read-graph.ts";
import {
  CLIENT_ENDPOINT,
  callBytes,
  HELLO,
  type Method,
  type Returned,
  readAcknowledgement,
  readReturn,
} from "./remote-call.ts";
import type { ObjectId } from "./remote-reference.ts";
import type { Argument } from "./write-graph.ts";

export interface Address {
  readonly host: string;
  readonly port: number;
}

/** One connection to a JVM; one call at a time. After any failure it is closed. */
export interface Channel {
  readonly at: Address;
  readonly alive: boolean;
  /** @throws Broken, GraphProblem, SenderAborted */
  call(target: ObjectId, method: Method, args: readonly Argument[], millis: number): Promise<Returned>;
  close(): void;
}

/**
 * The connection ended or stayed silent. `established`: the connection, including a TLS handshake, had been
 * established.
 */
export class Broken extends Error {
  override readonly name = "Broken";
  readonly by: "timeout" | "close" | "error";
  readonly code: string;
  readonly established: boolean;

  constructor(by: Broken["by"], established: boolean, cause?: unknown) {
    super(cause instanceof Error ? cause.message : `broken by ${by}`, { cause });
    this.by = by;
    this.code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
    this.established = established;
  }
}

export function printAddress({ host, port }: Address): string {
  return `${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/**
 * Connects and completes the handshake.
 *
 * @param tls undefined: without. @param millis for all of it
 * @throws Broken, NotJrmp
 */
export async function openChannel(at: Address, tls: ConnectionOptions | undefined, millis: number): Promise<Channel> {
  const servername = isIP(at.host) === 0 ? { servername: at.host } : {};
  const socket = tls === undefined ? connectPlain(at) : connectTls({ ...tls, ...at, ...servername });
  const exchange = exchangeOver(socket, tls === undefined ? "connect" : "secureConnect");
  await exchange.read(millis, (queue) => {
    exchange.send(HELLO);
    return readAcknowledgement(queue);
  });
  exchange.send(CLIENT_ENDPOINT);
  return {
    at,
    get alive() {
      return exchange.alive();
    },
    call(target, method, args, callMillis) {
      return exchange.read(callMillis, (queue) => {
        exchange.send(callBytes(target, method, args));
        return readReturn(queue, method);
      });
    },
    close: exchange.close,
  };
}

type Queue = ReturnType<typeof byteQueue>;

function exchangeOver(socket: Socket, ready: "connect" | "secureConnect") {
  const queue = byteQueue();
  let ended: Broken | undefined;
  let established = false;
  let reading: { advance(): void; fail(error: Error): void } | undefined;

  const end = (by: Broken["by"], cause?: unknown): void => {
    ended ??= new Broken(by, established, cause);
    socket.destroy();
    reading?.fail(ended);
  };
  socket.setNoDelay(true);
  // Nothing is read from the network unless requested, so an unsolicited flood is not buffered.
  socket.pause();
  socket.once(ready, () => {
    established = true;
    reading?.advance();
  });
  socket.on("data", (bytes: Buffer) => {
    queue.push(bytes);
    reading?.advance();
  });
  socket.once("error", (error) => end("error", error));
  socket.once("close", () => end("close"));

  return {
    alive: () => ended === undefined,
    close: () => end("close"),
    send: (bytes: Buffer) => void socket.write(bytes),
    /** Starts when the connection is established. */
    read<T>(millis: number, begin: (queue: Queue) => Pull<T>): Promise<T> {
      return new Promise<T>((resolve, reject) => {
        let pull: Pull<T> | undefined;
        const done = (settle: () => void): void => {
          clearTimeout(timer);
          reading = undefined;
          socket.pause();
          settle();
        };
        const fail = (error: unknown): void =>
          done(() => {
            ended ??= new Broken("close", established, error);
            socket.destroy();
            reject(error);
          });
        const timer = setTimeout(() => end("timeout"), millis);
        reading = {
          fail,
          advance() {
            if (!established) return;
            try {
              pull ??= begin(queue);
              const { done: finished, value } = pull.next();
              if (finished) done(() => resolve(value));
            } catch (error) {
              fail(error);
            }
          },
        };
        if (ended !== undefined) return fail(ended);
        reading.advance();
        socket.resume();
      });
    },
  };
}
