/** A man in the middle between cdcctl and a system, who changes the system's answers. */
import { createServer as createHttpServer, request } from "node:http";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";

export interface Between {
  readonly port: number;
  close(): Promise<void>;
}

/**
 * Forwards bytes in both directions.
 *
 * @param port where the system listens; read at each connection @param changes transforms each chunk that the system
 * sends
 */
export async function betweenBytes(port: () => number, changes: (chunk: Buffer) => Buffer): Promise<Between> {
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const system = connect(port(), "127.0.0.1");
    for (const [one, other] of [
      [client, system],
      [system, client],
    ] as const) {
      sockets.add(one);
      one.setNoDelay(true);
      one.on("error", () => other.destroy());
      one.on("close", () => {
        sockets.delete(one);
        other.destroy();
      });
    }
    client.on("data", (chunk) => system.write(chunk));
    system.on("data", (chunk) => client.write(changes(chunk)));
  });
  return listening(server, sockets);
}

/**
 * Forwards HTTP requests, and their answers with another body and the correct length. @param changes transforms the
 * body; `path` is that of the request
 */
export async function betweenHttp(port: number, changes: (path: string, body: Buffer) => Buffer): Promise<Between> {
  const sockets = new Set<Socket>();
  const server = createHttpServer((asked, answered) => {
    const { method, url, headers } = asked;
    const onward = request({ host: "127.0.0.1", port, method, path: url, headers, agent: false }, (response) => {
      const pieces: Buffer[] = [];
      response.on("data", (piece: Buffer) => pieces.push(piece));
      response.on("error", () => answered.destroy());
      response.on("end", () => {
        const body = changes(url ?? "/", Buffer.concat(pieces));
        const { "content-length": _, "transfer-encoding": __, ...others } = response.headers;
        answered.writeHead(response.statusCode ?? 502, { ...others, "content-length": body.length });
        answered.end(body);
      });
    });
    onward.on("error", () => answered.destroy());
    asked.pipe(onward);
  });
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  return listening(server, sockets);
}

async function listening(server: Server, sockets: ReadonlySet<Socket>): Promise<Between> {
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
