import { CallFailed } from "../../core/errors.ts";
import type { KafkaPort } from "../../core/ports/kafka.ts";

/**
 * Shares a few clients of the same brokers between concurrent observations. Each client makes one call at a time, and
 * identical reads at the same time are made once. The first call is made alone, so that a refused login is tried only
 * once.
 *
 * @param most maximum number of clients
 * @param begin no call is made before it resolves: an answer must not be older than what an observation has read before
 * it
 */
export function sharedBrokers(open: () => KafkaPort, most: number, begin: Promise<void>): KafkaPort {
  const first = open();
  const clients = [first];
  const idle = [first];
  const waiting: ((client: KafkaPort) => void)[] = [];
  let login: Promise<unknown> | undefined;
  const loggedIn = (): Promise<unknown> => {
    login ??= begin.then(() => first.clusterId()).catch(unlessAnswered);
    return login;
  };

  const client = (): Promise<KafkaPort> => {
    const free = idle.pop();
    if (free !== undefined) return Promise.resolve(free);
    if (clients.length < most) {
      const more = open();
      clients.push(more);
      return Promise.resolve(more);
    }
    return new Promise((resolve) => {
      waiting.push(resolve);
    });
  };
  const release = (one: KafkaPort): void => {
    const next = waiting.shift();
    if (next === undefined) idle.push(one);
    else next(one);
  };
  const call = async <T>(read: (one: KafkaPort) => Promise<T>): Promise<T> => {
    await loggedIn();
    const one = await client();
    try {
      return await read(one);
    } finally {
      release(one);
    }
  };

  const reading = new Map<string, Promise<unknown>>();
  const shared = <T>(what: readonly unknown[], read: (one: KafkaPort) => Promise<T>): Promise<T> => {
    const key = JSON.stringify(what, (_, value) => (typeof value === "bigint" ? String(value) : value));
    const known = reading.get(key) as Promise<T> | undefined;
    if (known !== undefined) return known;
    const own = call(read).finally(() => reading.delete(key));
    reading.set(key, own);
    return own;
  };

  return {
    brokers: first.brokers,
    clusterId: () => shared(["clusterId"], (one) => one.clusterId()),
    topics: () => shared(["topics"], (one) => one.topics()),
    mayCreateTopics: () => shared(["mayCreateTopics"], (one) => one.mayCreateTopics()),
    maxTransactionMillis: () => shared(["maxTransactionMillis"], (one) => one.maxTransactionMillis()),
    topic: (name) => shared(["topic", name], (one) => one.topic(name)),
    append: (topic, records) => call((one) => one.append(topic, records)),
    endOffsets: (topic) => shared(["endOffsets", topic], (one) => one.endOffsets(topic)),
    read: (topic, bounds) => shared(["read", topic, bounds], (one) => one.read(topic, bounds)),
    createTopic: (...of) => call((one) => one.createTopic(...of)),
    deleteTopic: (name) => call((one) => one.deleteTopic(name)),
    consumersOf: (topics) => shared(["consumersOf", topics], (one) => one.consumersOf(topics)),
    extents: (topic) => shared(["extents", topic], (one) => one.extents(topic)),
    // Several partitions may be read at the same time, each waiting for the others, so none of them waits for a client.
    async *records(topic, range) {
      await loggedIn();
      yield* first.records(topic, range);
    },
    async *recordsInPlace(topic, range, alone) {
      await loggedIn();
      yield* first.recordsInPlace(topic, range, alone);
    },
    async close() {
      await Promise.all(clients.map((one) => one.close()));
    },
  };
}

/** Ignores a failure that is an answer: brokers that answer have accepted the login. */
function unlessAnswered(error: unknown): void {
  if (!(error instanceof CallFailed) || (error.kind !== "forbidden" && error.kind !== "unsupported")) throw error;
}
