import { CallFailed } from "../../core/errors.ts";
import { shellWord } from "../../core/values/shell-word.ts";
import { type BrokerConnection, connectBroker, type Limits, type Security } from "./broker-connection.ts";
import { BROKER_NOT_AVAILABLE, errorName, LEADER_NOT_AVAILABLE, UNKNOWN_TOPIC_OR_PARTITION } from "./error-codes.ts";
import { BrokerRefused, hasMoved, isConnectionLost, translate } from "./kafka-failure.ts";
import { type Metadata, metadata, type TopicMetadata } from "./metadata-request.ts";

export interface Address {
  readonly host: string;
  readonly port: number;
}

/** The brokers of one cluster, connected to when they are first needed. */
export interface BrokerCluster {
  /** The bootstrap servers, for display. */
  readonly brokers: string;
  /** Metadata of the brokers, or of one topic. A topic that does not exist is returned with its error code. */
  metadata(topic?: string): Promise<Metadata>;
  /** Metadata of all topics that this login may describe. */
  everything(): Promise<Metadata>;
  /** @throws CallFailed `missing`, `forbidden` */
  topic(name: string): Promise<{ readonly topic: TopicMetadata; readonly metadata: Metadata }>;
  /** A session with the broker that leads a partition. */
  leader(metadata: Metadata, topic: string, partition: number): Promise<BrokerConnection>;
  broker(metadata: Metadata, id: number): Promise<BrokerConnection>;
  any(): Promise<BrokerConnection>;
  /** Drops a session, so that the next use reconnects. */
  forget(connection: BrokerConnection): void;
  close(): void;
}

export function brokerCluster(bootstrap: readonly Address[], security: Security, limits: Limits): BrokerCluster {
  const sessions = new Map<string, Promise<BrokerConnection>>();
  let closed = false;

  const connect = async ({ host, port }: Address): Promise<BrokerConnection> => {
    const address = `${host}:${port}`;
    const known = sessions.get(address);
    if (known !== undefined) {
      const session = await known;
      if (session.isOpen()) return session;
      cluster.forget(session);
    }
    if (closed) throw new CallFailed("kafka", "lost", { message: `cdcctl closed the connection to ${address}` });
    const session = connectBroker(host, port, security, limits);
    sessions.set(address, session);
    session.catch(() => {
      if (sessions.get(address) === session) sessions.delete(address);
    });
    return session;
  };

  const ask = (doing: string, topics: readonly string[] | "all") =>
    retrying(doing, async () => {
      const session = await cluster.any();
      return readAt(cluster, session, doing, () => metadata(session, topics));
    });

  const cluster: BrokerCluster = {
    brokers: addresses(bootstrap),
    async any() {
      for (const session of sessions.values()) {
        const open = await session.catch(() => undefined);
        if (open?.isOpen()) return open;
      }
      const failures: CallFailed[] = [];
      for (const address of bootstrap) {
        try {
          return await connect(address);
        } catch (error) {
          if (!(error instanceof CallFailed)) throw error;
          failures.push(error);
          // A login that one broker refuses is refused by all, and every attempt may count towards locking it.
          if (error.kind === "unauthorized") break;
        }
      }
      throw allFailed(failures);
    },
    metadata: (topic) =>
      topic === undefined ? ask("ask for the cluster", []) : ask(`ask for the topic ${topic}`, [topic]),
    everything: () => ask("ask for all topics", "all"),
    async topic(name) {
      return retrying(`find the leaders of ${name}`, async () => {
        const seen = await cluster.metadata(name);
        const topic = seen.topics.find((one) => one.name === name);
        const error = topic === undefined ? UNKNOWN_TOPIC_OR_PARTITION : topic.error;
        if (topic === undefined || (error !== 0 && error !== LEADER_NOT_AVAILABLE))
          throw topicFailure(error, name, addresses(bootstrap));
        if (topic.partitions.some((partition) => partition.leader < 0)) throw new BrokerRefused(LEADER_NOT_AVAILABLE);
        if (topic.partitions.length === 0)
          throw new CallFailed("kafka", "protocol", {
            message: `could not find the leaders of ${name}: ${addresses(bootstrap)} lists no partitions for it`,
            remedy:
              `Describe the topic (kafka-topics --describe --topic ${shellWord(name)}), and check the network ` +
              "between this host and the brokers.",
          });
        return { topic, metadata: seen };
      });
    },
    async leader(seen, topic, partition) {
      const leader = seen.topics.find((one) => one.name === topic)?.partitions.find((one) => one.index === partition);
      const address = leader && seen.brokers.get(leader.leader);
      if (address === undefined) throw new BrokerRefused(LEADER_NOT_AVAILABLE);
      return connect(address).catch((error: unknown) => {
        throw advertised(error, `the leader of ${topic}, partition ${partition}`);
      });
    },
    async broker(seen, id) {
      const address = seen.brokers.get(id);
      if (address === undefined) throw new BrokerRefused(BROKER_NOT_AVAILABLE);
      return connect(address).catch((error: unknown) => {
        throw advertised(error, `broker ${id}`);
      });
    },
    forget(connection) {
      sessions.delete(connection.address);
      connection.destroy();
    },
    close() {
      closed = true;
      for (const session of sessions.values())
        session.then(
          (open) => open.destroy(),
          () => undefined,
        );
      sessions.clear();
    },
  };
  return cluster;
}

/**
 * One read at one broker, inside `retrying`: a broken connection is dropped and the read may be retried, since reading
 * twice is harmless.
 */
export async function readAt<T>(
  cluster: BrokerCluster,
  session: BrokerConnection,
  doing: string,
  read: () => Promise<T>,
): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (hasMoved(error)) throw error;
    if (isConnectionLost(error)) cluster.forget(session);
    const failure = translate(error, `${doing} at ${session.address}`);
    throw failure.kind === "lost" ? new Passing(failure) : failure;
  }
}

function addresses(bootstrap: readonly Address[]): string {
  return bootstrap.map(({ host, port }) => `${host}:${port}`).join(",");
}

function topicFailure(error: number, name: string, brokers: string): CallFailed {
  const failure = translate(new BrokerRefused(error), `find the topic ${name} at ${brokers}`);
  if (failure.kind !== "missing") return failure;
  return new CallFailed("kafka", failure.kind, {
    message: failure.message,
    code: errorName(error),
    remedy:
      `Create the topic ${name}, or name the right one in the connector's configuration, or other brokers ` +
      "(--bootstrap-servers).",
  });
}

/**
 * The usual cause is a listener advertised for another network: the given address works, the advertised one does not.
 */
function advertised(error: unknown, what: string): unknown {
  if (!(error instanceof CallFailed) || error.kind !== "unreachable") return error;
  return new CallFailed("kafka", error.kind, {
    message: `${error.message}; the cluster names this address as ${what}`,
    remedy: "Check that the brokers' advertised.listeners are reachable from here.",
    code: error.code,
    cause: error,
  });
}

function allFailed(failures: readonly CallFailed[]): CallFailed {
  const [first] = failures;
  const unauthorized = failures.find((failure) => failure.kind === "unauthorized");
  if (unauthorized !== undefined) return unauthorized;
  if (first === undefined) return new CallFailed("kafka", "unreachable", { message: "no broker is given" });
  if (failures.length === 1) return first;
  return new CallFailed("kafka", first.kind, {
    message: `none of ${failures.length} brokers can be used: ${failures.map((failure) => failure.message).join("; ")}`,
    remedy: first.remedies,
    cause: first,
  });
}

/** A failure that another attempt may resolve; carries the failure to report if none does. */
export class Passing extends Error {
  override readonly name = "Passing";
  readonly failure: CallFailed;

  constructor(failure: CallFailed) {
    super(failure.message);
    this.failure = failure;
  }
}

const ATTEMPTS = 4;
const FIRST_PAUSE_MILLIS = 100;

/**
 * Repeats an attempt that may be repeated: after an answer that another broker now leads the partition (nothing was
 * done), and after `Passing`. Four attempts with 0.7 s of pauses in all.
 *
 * @throws CallFailed only
 */
export async function retrying<T>(doing: string, attempt: () => Promise<T>): Promise<T> {
  for (let count = 1; ; count++) {
    try {
      return await attempt();
    } catch (error) {
      const last = count === ATTEMPTS;
      if (error instanceof Passing) {
        if (last) throw error.failure;
      } else if (error instanceof CallFailed || last || !hasMoved(error)) throw translate(error, doing);
      await new Promise((resolve) => setTimeout(resolve, FIRST_PAUSE_MILLIS * 2 ** (count - 1)));
    }
  }
}
