import { createServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer, type TlsOptions } from "node:tls";
import type { KafkaRecord } from "../../../core/ports/kafka.ts";
import { recordsOf } from "../../kafka/record-batch.ts";
import { WireReader, WireWriter } from "../../kafka/wire.ts";
import { apiVersions, createTopics, deleteTopics, describeConfigs, metadata } from "./admin-apis.ts";
import type { Api, BrokerContext, ExpressedFault, ProduceFault, Session } from "./api.ts";
import { type BrokerState, brokerState, type NewTopic, type Operation } from "./broker-state.ts";
import { committedRecords } from "./committed-records.ts";
import { fetch, listOffsets, produce } from "./data-apis.ts";
import { deleteRecords } from "./delete-records.ts";
import type { BatchAttributes, NewRecord } from "./encode-batch.ts";
import { describeGroups, listGroups, offsetFetch, type SandboxGroup } from "./group-apis.ts";
import { saslAuthenticate, saslHandshake } from "./login-apis.ts";
import { addPartitionsToTxn, endTxn, findCoordinator, initProducerId } from "./transaction-apis.ts";

const APIS: readonly Api[] = [
  produce,
  fetch,
  listOffsets,
  deleteRecords,
  metadata,
  offsetFetch,
  findCoordinator,
  describeGroups,
  listGroups,
  saslHandshake,
  apiVersions,
  createTopics,
  deleteTopics,
  initProducerId,
  addPartitionsToTxn,
  endTxn,
  describeConfigs,
  saslAuthenticate,
];

/** A request as a fault rule sees it. */
export interface RequestSeen {
  /** Kafka's name: `Produce`, `Metadata`, … */
  readonly api: string;
  readonly topic?: string;
  /** How many requests of this API have come so far, this one included. */
  readonly n: number;
}

/**
 * A fault of a request. `disconnect-before`: the connection breaks and nothing was done; `disconnect-after`: it was
 * done and the connection breaks instead of an answer; `timeout`: it was done and no answer ever comes; `deny`: the
 * login may not use the topic; `not-enough-replicas`: Produce is refused for lack of replicas; `moved`: DeleteTopics is
 * refused, another broker is the controller; `hold`: done and answered once the promise is kept; `produce`: Produce is
 * answered with this error code, after the records were written or without.
 */
export type Fault =
  | "disconnect-before"
  | "disconnect-after"
  | "timeout"
  | "deny"
  | "not-enough-replicas"
  | "moved"
  | { readonly hold: Promise<void> }
  | ProduceFault;

export interface BrokerOptions {
  readonly clusterId: string;
  /** Default: 0, a free port. */
  readonly port?: number;
  readonly topics?: Readonly<Record<string, NewTopic>>;
  readonly groups?: Readonly<Record<string, SandboxGroup>>;
  /** Logins, with the mechanisms that they support. Default: no login. */
  readonly auth?: {
    readonly mechanisms: readonly ("PLAIN" | "SCRAM-SHA-256" | "SCRAM-SHA-512")[];
    readonly users: Readonly<Record<string, string>>;
  };
  /** Certificate and key of the listener; `ca`, `requestCert` and `rejectUnauthorized` for client certificates. */
  readonly tls?: TlsOptions;
  /** Whether a login is authorized. Default: everything is allowed. */
  readonly acls?: (user: string | undefined, operation: Operation, topic: string) => boolean;
  readonly faults?: (request: RequestSeen) => Fault | undefined;
  /** Changes the bytes of a response before they are sent, without the length before them. */
  readonly alters?: (api: string, response: Buffer) => Buffer;
  /** Lower highest versions, as an older broker has them: `{ Metadata: 7 }`. */
  readonly highest?: Readonly<Record<string, number>>;
  /** Whether a metadata request may create a topic, as Kafka allows by default. */
  readonly autoCreate?: boolean;
  readonly reportsOperations?: boolean;
  /** Its own settings, over Kafka's defaults. */
  readonly configs?: Readonly<Record<string, string>>;
  /** Its clock, milliseconds since the epoch. Default: this machine's. */
  readonly now?: () => number;
}

/** A single in-memory broker on loopback with Kafka's protocol. */
export interface SandboxBroker {
  readonly port: number;
  /** `127.0.0.1:PORT` */
  readonly address: string;
  readonly clusterId: string;
  /** Every request answered or not, in order of arrival. */
  readonly requests: readonly (RequestSeen & { readonly version: number })[];
  readonly state: BrokerState;
  /** Connections open now. */
  readonly connections: number;
  createTopic(name: string, topic?: NewTopic): void;
  /** Appends records as one batch, as a producer in another process would. @returns the offset of the first */
  append(
    topic: string,
    records: NewRecord | readonly NewRecord[],
    to?: BatchAttributes & { partition?: number },
  ): bigint;
  /** All records, aborted ones included, control records not. */
  records(topic: string): Promise<readonly KafkaRecord[]>;
  /** The records of one partition as a `read_committed` consumer sees them now; none without the topic. */
  committed(topic: string, partition?: number): readonly KafkaRecord[];
  /** Breaks every connection. */
  disconnectAll(): void;
  close(): Promise<void>;
}

/** Starts a broker on 127.0.0.1. */
export async function startBroker(options: BrokerOptions): Promise<SandboxBroker> {
  const state = brokerState(options.now);
  for (const [name, topic] of Object.entries(options.topics ?? {})) state.create(name, topic);
  for (const [name, group] of Object.entries(options.groups ?? {})) state.groups.set(name, group);
  const sockets = new Set<Socket>();
  const requests: (RequestSeen & { version: number })[] = [];
  const apis = APIS.map((api) => {
    const highest = options.highest?.[api.name];
    return highest === undefined ? api : { ...api, versions: [api.versions[0], highest] as const };
  });

  let port = 0;
  const context: BrokerContext = {
    state,
    clusterId: options.clusterId,
    host: "127.0.0.1",
    get port() {
      return port;
    },
    apis,
    mechanisms: options.auth?.mechanisms ?? [],
    users: options.auth?.users ?? {},
    autoCreate: options.autoCreate ?? true,
    reportsOperations: options.reportsOperations ?? true,
    configs: { "transaction.max.timeout.ms": "900000", ...options.configs },
    allows: options.acls ?? (() => true),
  };
  const counts = new Map<string, number>();
  const seen = (api: Api, version: number, topic: string | undefined): Fault | undefined => {
    const n = (counts.get(api.name) ?? 0) + 1;
    counts.set(api.name, n);
    const request = { api: api.name, n, ...(topic === undefined ? {} : { topic }) };
    requests.push({ ...request, version });
    return options.faults?.(request);
  };

  const accept = (socket: Socket) => {
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => socket.destroy());
    serve(socket, context, seen, options.alters);
  };
  const server: Server = options.tls === undefined ? createServer(accept) : createTlsServer(options.tls, accept);
  const raw = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    raw.add(socket);
    socket.on("close", () => raw.delete(socket));
  });
  server.on("tlsClientError", (_: Error, socket: Socket) => socket.destroy());
  port = await listen(server, options.port ?? 0);

  return {
    port,
    address: `127.0.0.1:${port}`,
    clusterId: options.clusterId,
    requests,
    state,
    get connections() {
      return sockets.size;
    },
    createTopic(name, topic) {
      state.create(name, topic);
    },
    append(topic, records, { partition = 0, ...attributes } = {}) {
      return state.appendRecords(
        topic,
        partition,
        Array.isArray(records) ? records : [records as NewRecord],
        attributes,
      );
    },
    async records(topic) {
      const partitions = state.topics.get(topic)?.partitions ?? [];
      const found = await Promise.all(
        partitions.map(async (log, partition) => {
          const batches = log.batches().filter((batch) => !batch.control);
          return (await Promise.all(batches.map((batch) => recordsOf(batch, partition)))).flat();
        }),
      );
      return found.flat();
    },
    committed(topic, partition = 0) {
      const log = state.topics.get(topic)?.partitions[partition];
      return log === undefined ? [] : committedRecords(log, partition);
    },
    disconnectAll() {
      for (const socket of raw) socket.destroy();
    },
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of raw) socket.destroy();
      await closed;
    },
  };
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => {
      const address = server.address();
      resolve(address !== null && typeof address === "object" ? address.port : port);
    });
  });
}

/** Kafka's own limit (`socket.request.max.bytes`): other protocols are disconnected here. */
const MAX_REQUEST = 104857600;

/** Answers one connection's requests one after the other, as a broker does. */
function serve(
  socket: Socket,
  broker: BrokerContext,
  seen: (api: Api, version: number, topic: string | undefined) => Fault | undefined,
  alters: BrokerOptions["alters"],
): void {
  const session: Session = {
    user: undefined,
    loggedIn: broker.mechanisms.length === 0,
    sasl: undefined,
    closing: false,
  };
  let buffered = Buffer.alloc(0);
  let turn = Promise.resolve();

  socket.on("data", (chunk) => {
    buffered = Buffer.concat([buffered, chunk]);
    while (buffered.length >= 4) {
      const length = buffered.readInt32BE(0);
      if (length < 8 || length > MAX_REQUEST) {
        socket.destroy();
        return;
      }
      if (buffered.length < 4 + length) return;
      const message = buffered.subarray(4, 4 + length);
      buffered = buffered.subarray(4 + length);
      turn = turn.then(() => answer(message)).catch(() => void socket.destroy());
    }
  });

  const answer = async (message: Buffer): Promise<void> => {
    const header = new WireReader(message);
    const key = header.int16();
    const version = header.int16();
    const correlation = header.int32();
    header.nullableString();
    const body = message.subarray(message.length - header.left);
    const api = broker.apis.find((one) => one.key === key);
    const understood = api !== undefined && (key === 18 || (version >= api.versions[0] && version <= api.versions[1]));
    const loginApi = key === 17 || key === 18 || key === 36;
    if (!understood || (!session.loggedIn && !loginApi)) {
      socket.destroy();
      return;
    }
    const fault = seen(api, version, api.topic?.(version, new WireReader(body)));
    if (fault === "disconnect-before") {
      socket.destroy();
      return;
    }
    if (typeof fault === "object" && "hold" in fault) await fault.hold;
    const writer = new WireWriter().int32(correlation);
    await api.handle(
      {
        version,
        body: new WireReader(body),
        session,
        broker,
        fault: expressed(fault),
      },
      writer,
    );
    if (fault === "disconnect-after") {
      socket.destroy();
      return;
    }
    if (fault === "timeout" || socket.destroyed) return;
    const response = alters?.(api.name, writer.toBuffer()) ?? writer.toBuffer();
    socket.write(new WireWriter().int32(response.length).bytes(response).toBuffer());
    if (session.closing) socket.end();
  };
}

function expressed(fault: Fault | undefined): ExpressedFault | undefined {
  if (typeof fault === "object") return "produce" in fault ? fault : undefined;
  return fault === "deny" || fault === "not-enough-replicas" || fault === "moved" ? fault : undefined;
}
