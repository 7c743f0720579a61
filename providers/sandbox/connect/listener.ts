import { createServer, type RequestListener } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";

/** PEM texts. `clientCa`: a client certificate signed by it is required. */
export interface ListenerTls {
  readonly key: string;
  readonly cert: string;
  readonly clientCa?: string;
}

/** A port of 127.0.0.1 that can be closed and reopened. */
export interface Listener {
  readonly port: number;
  /** Connections accepted so far. */
  readonly connections: () => number;
  /** Ends every connection; further ones are refused. May be called again. */
  close(): Promise<void>;
  /** Listens on the same port again. */
  reopen(): Promise<void>;
}

/** @param port 0: any free one */
export async function listen(port: number, tls: ListenerTls | undefined, listener: RequestListener): Promise<Listener> {
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = tls
    ? createTlsServer(
        {
          key: tls.key,
          cert: tls.cert,
          ...(tls.clientCa === undefined ? {} : { ca: tls.clientCa, requestCert: true, rejectUnauthorized: true }),
        },
        listener,
      )
    : createServer(listener);
  server.on("connection", (socket: Socket) => {
    connections++;
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  const open = (at: number): Promise<void> =>
    new Promise((resolve, reject) => {
      server.once("error", reject);
      server.listen(at, "127.0.0.1", () => {
        server.off("error", reject);
        resolve();
      });
    });
  await open(port);
  const taken = (server.address() as AddressInfo).port;
  return {
    port: taken,
    connections: () => connections,
    reopen: () => open(taken),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
