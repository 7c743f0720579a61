import { createServer, type Server } from "node:net";

export const LOOPBACK = "127.0.0.1";
/**
 * The first port lies below the range that systems use for port 0 and for outgoing connections, so that no other
 * process takes one in the meantime.
 */
const FIRST = 20_000;
const LAST = 32_000;

/** Returns free ports for servers that must know their port before they start (a broker advertises its own). */
export async function freePorts(count: number): Promise<readonly number[]> {
  const held: Server[] = [];
  const ports: number[] = [];
  while (ports.length < count) {
    const port = FIRST + Math.floor(Math.random() * (LAST - FIRST));
    const server = await listen(port);
    if (server === undefined) continue;
    held.push(server);
    ports.push(port);
  }
  await Promise.all(held.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}

function listen(port: number): Promise<Server | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(undefined));
    server.listen(port, LOOPBACK, () => resolve(server));
  });
}
