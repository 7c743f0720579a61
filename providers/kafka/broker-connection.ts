import { isIP, connect as netConnect } from "node:net";
import { type ConnectionOptions, connect as tlsConnect } from "node:tls";
import type { ISocketFactory, Logger, SASLOptions } from "kafkajs";
import type Broker from "kafkajs/src/broker/index.js";
import type ConnectionPool from "kafkajs/src/network/connectionPool.js";
import { within } from "../within.ts";
import { connectFailure } from "./connect-failure.ts";
import { isConnectionLost } from "./kafka-failure.ts";
import { calmIdleTimers, forgetEmptyRests } from "./kafkajs-repairs.ts";
import { type AnswerMemory, answerMemory } from "./receive-answers.ts";
import { WireReader } from "./wire.ts";

export interface Security {
  /** Undefined: without TLS. */
  readonly tls: ConnectionOptions | undefined;
  /** Undefined: without a login. */
  readonly login: SASLOptions | undefined;
}

export interface Limits {
  readonly clientId: string;
  /** TCP, TLS, versions and login together, milliseconds. */
  readonly connectMillis: number;
  /** One request, milliseconds. */
  readonly requestMillis: number;
  /** Whether large answers are stored in memory that other threads can read. Default: no. */
  readonly isShared?: () => boolean;
}

/** A request that kafkajs does not implement, or not in the required version. */
export interface OwnRequest<T> {
  readonly apiKey: number;
  readonly apiName: string;
  readonly version: number;
  encode(): Buffer;
  decode(body: WireReader): T;
}

/** A session with one broker: connected, versions known, logged in. */
export interface BrokerConnection {
  readonly address: string;
  readonly broker: Broker;
  /** The highest version of an API that the broker supports; -1 if none. */
  highest(apiKey: number): number;
  send<T>(request: OwnRequest<T>): Promise<T>;
  /** Releases the memory of an answer to a fetch, which must not be read any more. @param part any of its bytes */
  release(part: Buffer): void;
  isOpen(): boolean;
  /** Closes it at once; requests in progress fail. */
  destroy(): void;
}

const SILENT: Logger = {
  info: () => undefined,
  error: () => undefined,
  warn: () => undefined,
  debug: () => undefined,
  namespace: () => SILENT,
  setLogLevel: () => undefined,
};

const KEEP_ALIVE_MILLIS = 60_000;

/**
 * Connects to one broker over kafkajs's own connection.
 *
 * @throws CallFailed stating what was found at the address
 */
export async function connectBroker(
  host: string,
  port: number,
  security: Security,
  limits: Limits,
): Promise<BrokerConnection> {
  const [{ default: Pool }, { default: KafkaBroker }] = await Promise.all([
    import("kafkajs/src/network/connectionPool.js"),
    import("kafkajs/src/broker/index.js"),
  ]);
  const received: Received = { secured: false };
  const memory = answerMemory(limits.isShared);
  const pool: ConnectionPool = new Pool({
    host,
    port,
    logger: SILENT,
    socketFactory: recordingSockets(received, memory, () => forgetEmptyRests(pool)),
    clientId: limits.clientId,
    connectionTimeout: limits.connectMillis,
    requestTimeout: limits.requestMillis,
    enforceRequestTimeout: true,
    ssl: security.tls ?? null,
    sasl: security.login ?? null,
  });
  calmIdleTimers(pool);
  const broker = new KafkaBroker({ connectionPool: pool, logger: SILENT, allowAutoTopicCreation: false });
  const address = `${host}:${port}`;

  let timedOutAfter: number | undefined;
  const attempt = () => ({
    address,
    tls: security.tls !== undefined,
    login: security.login !== undefined,
    secured: received.secured,
    received: received.first,
    timedOutAfter,
  });
  try {
    await within(limits.connectMillis, broker.connect(), () => {
      timedOutAfter = limits.connectMillis;
      throw new Error("no answer in time");
    });
  } catch (error) {
    destroy(pool);
    throw connectFailure(error, attempt());
  }

  const readyToFetch = oneAtATime(async () => {
    await pool.getConnection(FETCHING);
  });
  let answered = false;
  const send = async <T>(request: OwnRequest<T>): Promise<T> => {
    try {
      if (request.apiKey === FETCH && !pool.pool[FETCHING]?.isConnected()) await readyToFetch();
      const answer = await pool.send(protocol(request));
      answered = true;
      return answer;
    } catch (error) {
      // A listener that requires a login answers ApiVersions without one, and closes the connection at the first other
      // request.
      const requiresLogin =
        !answered && security.login === undefined && isConnectionLost(error) && !broker.isConnected();
      throw requiresLogin ? connectFailure(error, { ...attempt(), received: undefined }) : error;
    }
  };

  return {
    address,
    broker,
    highest: (apiKey) => broker.versions?.[apiKey]?.maxVersion ?? -1,
    send,
    release: memory.release,
    isOpen: () => broker.isConnected(),
    destroy: () => destroy(pool),
  };
}

/** kafkajs 2.2.4 sends Fetch requests over a second connection, which it opens at the first of them. */
const FETCH = 1;
const FETCHING = 1;

/**
 * Shares one run between concurrent callers. Otherwise several first fetches at the same time would each open the
 * connection; nothing could close any socket but the last, and the others would keep the process alive.
 */
function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  return () => {
    running ??= work().finally(() => {
      running = undefined;
    });
    return running;
  };
}

function protocol<T>(request: OwnRequest<T>): ConnectionPool.Protocol<T> {
  return {
    request: {
      apiKey: request.apiKey,
      apiVersion: request.version,
      apiName: request.apiName,
      encode: async () => {
        const buffer = request.encode();
        return { buf: buffer, buffer };
      },
    },
    response: { decode: async (payload) => request.decode(new WireReader(payload)), parse: async (data) => data },
  };
}

interface Received {
  first?: Uint8Array;
  secured: boolean;
}

/** Opens sockets as kafkajs does and keeps the first bytes received, which show what listens at a wrong port. */
function recordingSockets(received: Received, memory: AnswerMemory, beforeAnswer: () => void): ISocketFactory {
  return ({ host, port, ssl, onConnect }) => {
    let heard = false;
    const socket = memory.receive(
      (onread) => {
        const address = { host, port, onread };
        return ssl
          ? tlsConnect({ ...address, ...(isIP(host) === 0 ? { servername: host } : {}), ...ssl }, onConnect)
          : netConnect(address, onConnect);
      },
      (piece) => {
        if (ssl || heard) return;
        heard = true;
        received.first ??= Uint8Array.from(piece.subarray(0, 16));
        // An HTTP server may keep the connection open, while kafkajs waits for the gigabyte that "HTTP" announces.
        if (piece.toString("latin1", 0, 5) === "HTTP/") socket.destroy(new Error("an HTTP server answered"));
      },
    );
    socket.setKeepAlive(true, KEEP_ALIVE_MILLIS);
    socket.setNoDelay(true);
    socket.once("secureConnect", () => {
      received.secured = true;
    });
    socket.on("data", beforeAnswer);
    return socket;
  };
}

class ClosedHere extends Error {
  override readonly name = "KafkaJSConnectionClosedError";
}

function destroy(pool: ConnectionPool): void {
  for (const connection of pool.pool) {
    // Otherwise kafkajs would wait for the answers to requests in progress.
    connection.rejectRequests(new ClosedHere("it was closed by cdcctl"));
    connection.disconnect().catch(() => undefined);
    connection.socket?.destroy();
  }
}
