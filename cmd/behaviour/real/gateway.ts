import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gate } from "../gate.ts";

/**
 * A gateway before a worker, which can keep a call waiting: on its way there, or with the worker's answer on its way
 * back.
 */
export interface Gateway {
  readonly url: string;
  /** Keeps the next call of this method; of all paths, unless one's end is given. */
  hold(method: string, where: "there" | "back", path?: string): Held;
  close(): Promise<void>;
}

export interface Held {
  readonly reached: Promise<void>;
  release(): void;
  drop(): void;
  /**
   * Answers in the worker's place.
   *
   * @param strays the call reaches the worker when this is kept; left out, it never does
   */
  answer(status: number, strays?: Promise<void>): void;
}

/** A call that changes something, as the gateway saw it. */
export interface PassedCall {
  readonly method: string;
  readonly path: string;
  readonly body: string;
  /** What the client was answered; undefined: nothing. */
  readonly status: number | undefined;
  /** When it came, in ms since the epoch. */
  readonly at: number;
}

type Fate = "goes" | "dropped" | { readonly status: number; readonly strays: Promise<void> | undefined };

interface Holding {
  readonly method: string;
  readonly where: "there" | "back";
  readonly path: string;
  readonly pass: () => Promise<Fate>;
}

/**
 * @param worker its URL, plain HTTP
 * @param options.patience ms until it answers 504 in the worker's place; default: forever
 * @param options.hear called after every call except GET
 */
export async function startGateway(
  worker: string,
  options: { readonly patience?: number | undefined; readonly hear?: (call: PassedCall) => void } = {},
): Promise<Gateway> {
  const holding: Holding[] = [];
  const fateOf = async ({ method, url }: IncomingMessage, where: "there" | "back"): Promise<Fate> => {
    const index = holding.findIndex(
      (one) => one.method === method && one.where === where && url?.endsWith(one.path) === true,
    );
    const [held] = index < 0 ? [] : holding.splice(index, 1);
    return held?.pass() ?? "goes";
  };
  /** @returns the status that the client is answered, if any */
  const handle = async (
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    body: Buffer,
  ): Promise<number | undefined> => {
    const fate = await fateOf(incoming, "there");
    if (fate === "dropped") return void incoming.socket.destroy();
    if (typeof fate === "object") {
      fate.strays?.then(() => forwarded(worker, incoming, body, undefined)).then(drain, () => undefined);
      return instead(outgoing, fate.status);
    }
    const answer = await forwarded(worker, incoming, body, options.patience);
    if (answer === "late") return instead(outgoing, 504);
    const text = await all(answer);
    const back = await fateOf(incoming, "back");
    if (back === "dropped") return void incoming.socket.destroy();
    if (typeof back === "object") return instead(outgoing, back.status);
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers).end(text);
    return answer.statusCode;
  };
  const server = createServer(async (incoming, outgoing) => {
    const { method = "", url: path = "" } = incoming;
    const at = Date.now();
    const body = await all(incoming).catch(() => Buffer.alloc(0));
    const status = await handle(incoming, outgoing, body).catch(() => void incoming.socket.destroy());
    if (method !== "GET")
      options.hear?.({ method, path, body: body.toString("utf8"), status: status ?? undefined, at });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    hold(method, where, path = "") {
      const { opened: decided, open: decide } = gate<Fate>();
      const reached = gate();
      const pass = () => {
        reached.open();
        return decided;
      };
      holding.push({ method, where, path, pass });
      return {
        reached: reached.opened,
        release: () => decide("goes"),
        drop: () => decide("dropped"),
        answer: (status, strays) => decide({ status, strays }),
      };
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function instead(outgoing: ServerResponse, status: number): number {
  outgoing.writeHead(status, { "content-type": "text/html" }).end(`<h1>${status} of the gateway</h1>`);
  return status;
}

function drain(answer: IncomingMessage | "late"): void {
  if (answer !== "late") answer.resume();
}

/** @returns the worker's answer, or that it came too late: the worker may still act on the call */
function forwarded(
  worker: string,
  { method, url, headers }: IncomingMessage,
  body: Buffer,
  patience: number | undefined,
): Promise<IncomingMessage | "late"> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(worker);
    const { host: _host, connection: _connection, ...kept } = headers;
    const options = { hostname, port, method, path: url, headers: kept, agent: false as const };
    const request = httpRequest(options, resolve).once("error", reject);
    if (patience !== undefined) request.setTimeout(patience, () => resolve("late"));
    request.end(body);
  });
}

async function all(stream: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
