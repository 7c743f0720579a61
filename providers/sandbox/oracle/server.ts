import { createServer, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { type Connection, serveConnection } from "./connection.ts";
import type { OracleServerOptions } from "./options.ts";

export interface OracleServer {
  readonly port: number;
  /** Connections open at the moment. */
  connections(): number;
  close(): Promise<void>;
}

/**
 * A database server that speaks Oracle Net (TNS and TTC) on 127.0.0.1, well enough for the thin drivers of Oracle 12.1
 * to 23ai. The handler answers statements; the options define logins and services.
 */
export function startOracleServer(options: OracleServerOptions): Promise<OracleServer> {
  const connections = new Map<number, Connection>();
  /** Includes those in a TLS handshake, which would otherwise keep the server from closing. */
  const sockets = new Set<Socket>();
  let nextId = 1;
  const accept = (socket: Socket) => {
    const id = nextId++;
    connections.set(
      id,
      serveConnection(socket, options, id, () => connections.delete(id)),
    );
  };
  const server = options.tls === undefined ? createServer(accept) : createTlsServer(options.tls, accept);
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  server.on("tlsClientError", () => {}); // a client that does not trust the certificate
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port ?? 0, "127.0.0.1", () => {
      const address = server.address();
      resolve({
        port: typeof address === "object" && address !== null ? address.port : 0,
        connections: () => connections.size,
        close: () =>
          new Promise((closed) => {
            server.close(() => closed());
            for (const connection of connections.values()) connection.destroy();
            for (const socket of sockets) socket.destroy();
          }),
      });
    });
  });
}
