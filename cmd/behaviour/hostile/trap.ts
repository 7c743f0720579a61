import { createServer, type Socket } from "node:net";

/** A server that must never be contacted: it accepts any protocol and records every byte. */
export interface Trap {
  /** `HOST:PORT` */
  readonly address: string;
  readonly port: number;
  /** Connections so far, and all that they sent. */
  readonly calls: number;
  received(): Buffer;
  close(): Promise<void>;
}

/**
 * @param answer what it sends back to each piece that arrives; nothing when left out
 * @param host another address of loopback, for a host that is not the one it is named beside
 * @param wantedPort its port, for a host that is named without one; a free one when left out
 */
export async function openTrap(
  answer?: (piece: Buffer) => Buffer | string | undefined,
  host = "127.0.0.1",
  wantedPort = 0,
): Promise<Trap> {
  const pieces: Buffer[] = [];
  const sockets = new Set<Socket>();
  let calls = 0;
  const server = createServer((socket) => {
    calls++;
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => socket.destroy());
    socket.on("data", (piece) => {
      pieces.push(piece);
      const reply = answer?.(piece);
      if (reply !== undefined) socket.write(reply);
    });
  });
  await new Promise<void>((ready, failed) => server.once("error", failed).listen(wantedPort, host, ready));
  const bound = server.address();
  if (bound === null || typeof bound === "string") throw new Error("a trap without a port");
  const { port } = bound;
  return {
    address: `${host}:${port}`,
    port,
    get calls() {
      return calls;
    },
    received: () => Buffer.concat(pieces),
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** The forms in which a secret may leak: as is, and as encoded by protocols and formats. */
export function formsOf(secret: string): readonly string[] {
  const bytes = Buffer.from(secret, "utf8");
  // A secret in the middle of other bytes begins at any of three places in Base64.
  const inBase64 = [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
    return text.slice(before === 0 ? 0 : before + 1, Math.floor(((before + bytes.length) * 4) / 3) - 1);
  });
  return [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1), bytes.toString("hex"), ...inBase64];
}

/** @returns where secrets are found, as `form of SECRET in PLACE`; empty where none is */
export function leaks(
  secrets: readonly string[],
  places: Readonly<Record<string, string | Buffer>>,
): readonly string[] {
  return Object.entries(places).flatMap(([place, content]) => {
    const text = typeof content === "string" ? content : content.toString("latin1");
    const wide = typeof content === "string" ? "" : content.toString("utf16le");
    return secrets.flatMap((secret) =>
      formsOf(secret).some((form) => text.includes(form) || wide.includes(form)) ? [`${secret} in ${place}`] : [],
    );
  });
}
