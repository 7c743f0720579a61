import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A gateway before a worker, which can keep a call waiting: on its way there, or with the worker's answer on its way back. */
export interface Gateway {
  readonly url: string;
  /** Keeps the next call of this method; of all paths, unless one's end is given. */
  hold(method: string, where: "there" | "back", path?: string): Held;
  close(): Promise<void>;
}

export interface Held {
  readonly reached: Promise<void>;
  letGo(): void;
  /** It goes no further. */
  drop(): void;
}

/**
 * @param worker its URL, plain HTTP
 * @param options.patience ms until it answers 504 in the worker's place; for ever when left out
 */
export async function startGateway(
  worker: string,
  options: { readonly patience?: number | undefined } = {},
): Promise<Gateway> {
  let holding:
    | {
        readonly method: string;
        readonly where: "there" | "back";
        readonly path: string;
        readonly pass: () => Promise<boolean>;
      }
    | undefined;
  const passes = async ({ method, url }: IncomingMessage, where: "there" | "back"): Promise<boolean> => {
    if (holding?.method !== method || holding?.where !== where || url?.endsWith(holding.path) !== true) return true;
    const { pass } = holding;
    holding = undefined;
    return pass();
  };
  const handle = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const body = await all(incoming);
    if (!(await passes(incoming, "there"))) return void incoming.socket.destroy();
    const answer = await forwarded(worker, incoming, body, options.patience);
    if (answer === "late") {
      outgoing.writeHead(504, { "content-type": "text/html" }).end("<h1>504 Gateway Time-out</h1>");
      return;
    }
    const text = await all(answer);
    if (!(await passes(incoming, "back"))) return void incoming.socket.destroy();
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers).end(text);
  };
  const server = createServer((incoming, outgoing) => {
    handle(incoming, outgoing).catch(() => incoming.socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    hold(method, where, path = "") {
      let decide = (_goes: boolean): void => undefined;
      const decided = new Promise<boolean>((resolve) => {
        decide = resolve;
      });
      const reached = new Promise<void>((resolve) => {
        holding = {
          method,
          where,
          path,
          pass() {
            resolve();
            return decided;
          },
        };
      });
      return { reached, letGo: () => decide(true), drop: () => decide(false) };
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** @returns the worker's answer, or that it came too late: the worker may act on the call all the same */
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
