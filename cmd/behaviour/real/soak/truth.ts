import { Kafka, logLevel } from "kafkajs";
import { isObject, type Json, type JsonObject, parseJson } from "../../../../core/values/json.ts";
import { connected } from "../../../../providers/real/kafka-clients.ts";
import { waitFor } from "../../../../providers/real/wait.ts";

/**
 * The history of a connector, record by record, from the workers' state topics and the ops topic: never through cdcctl
 * or REST.
 */
export type Fact = {
  /** When the broker appended it, or read it from the log, in ms since the epoch. */
  readonly at: number;
  /** The ops topic whose records carry their writer's clock gives only when we saw one. */
  readonly exact: boolean;
  /** The earliest it can have been appended, where that is not `at`: when the fetch before began. */
  readonly since?: number;
} & (StoredFact | EventFact | TargetFact);

/** An offset was stored, by a task or by a PATCH. */
export interface StoredFact {
  readonly fact: "stored";
  readonly offset: JsonObject | null;
}

/** An event of the ops topic. */
export interface EventFact {
  readonly fact: "event";
  readonly position: bigint;
  readonly run: string;
  readonly outcome: string;
  readonly operator: string;
  /** Its `ts_ms`. */
  readonly time: bigint;
  readonly details: JsonObject;
}

/** A target state of the connector. */
export interface TargetFact {
  readonly fact: "target";
  readonly state: "STARTED" | "PAUSED" | "STOPPED" | "GONE";
}

export interface Truth {
  /** The facts of one connector, ordered by time. */
  facts(connector: string): readonly Fact[];
  /** Waits until everything that is in the topics by now has been read. */
  caughtUp(): Promise<void>;
  stop(): Promise<void>;
}

export const OFFSETS_TOPIC = "connect-offsets";
export const CONFIGS_TOPIC = "connect-configs";
/** Two ops topics: in one the broker stamps the records, in the other, as is the default, who writes them. */
export const OPS_TOPICS = { broker: "soak.ops.broker-time", writer: "soak.ops.writer-time" } as const;
const TOPICS = [OFFSETS_TOPIC, CONFIGS_TOPIC, ...Object.values(OPS_TOPICS)];

/** Follows the topics from their beginning. They exist. */
export async function followTruth(bootstrap: string): Promise<Truth> {
  const kafka = new Kafka({
    clientId: "soak-truth",
    brokers: [bootstrap],
    logLevel: logLevel.NOTHING,
    retry: { retries: 60, maxRetryTime: 1000 },
  });
  const facts = new Map<string, Fact[]>();
  const next = new Map<string, bigint>();
  const add = (connector: string, fact: Fact): void => {
    const known = facts.get(connector) ?? [];
    if (known.length === 0) facts.set(connector, known);
    const after = known.findLastIndex(({ at }) => at <= fact.at);
    known.splice(after + 1, 0, fact);
  };
  const consumer = kafka.consumer({ groupId: `soak-${process.pid}-${performance.now()}`, maxWaitTimeInMs: 50 });
  await consumer.connect();
  await consumer.subscribe({ topics: TOPICS, fromBeginning: true });
  // The fetch before would have returned a record that was there.
  let fetches: readonly number[] = [0, 0];
  consumer.on(consumer.events.FETCH_START, () => {
    fetches = [fetches[1] ?? 0, Date.now()];
  });
  await consumer.run({
    eachMessage: async ({ topic, partition, message }) => {
      const exact = topic !== OPS_TOPICS.writer;
      const at = exact ? Number(message.timestamp) : Date.now();
      const read = factOf(topic, BigInt(message.offset), text(message.key), text(message.value));
      if (read !== undefined)
        add(read.connector, { at, exact, ...(exact ? {} : { since: fetches[0] ?? 0 }), ...read.fact });
      next.set(`${topic}-${partition}`, BigInt(message.offset) + 1n);
    },
  });
  return {
    facts: (connector) => [...(facts.get(connector) ?? [])],
    async caughtUp() {
      const ends = await waitFor("the ends of the topics", () => Promise.race([endsOf(kafka), tooLate()]), 120_000);
      const behind = (): readonly string[] =>
        [...ends].filter(([partition, end]) => (next.get(partition) ?? 0n) < end).map(([partition]) => partition);
      await waitFor("the truth to be read", () => {
        if (behind().length > 0) throw new Error(`not yet of ${behind().join(", ")}.`);
        return true;
      });
    },
    stop: () => consumer.disconnect(),
  };
}

/** A client of its own each time: the broker may have been killed meanwhile. */
async function endsOf(kafka: Kafka): Promise<ReadonlyMap<string, bigint>> {
  await using admin = await connected(kafka.admin());
  const ends = new Map<string, bigint>();
  for (const topic of TOPICS)
    for (const { partition, high } of await admin.fetchTopicOffsets(topic))
      ends.set(`${topic}-${partition}`, BigInt(high));
  return ends;
}

function tooLate(): Promise<never> {
  return new Promise((_, reject) => setTimeout(() => reject(new Error("no answer in 10 s")), 10_000).unref());
}

function factOf(
  topic: string,
  position: bigint,
  key: string | null,
  value: string | null,
): { readonly connector: string; readonly fact: StoredFact | EventFact | TargetFact } | undefined {
  if (key === null) return undefined;
  if (topic === OFFSETS_TOPIC) {
    const parsed = parseJson(key);
    const [connector, partition] = Array.isArray(parsed) ? (parsed as readonly Json[]) : [];
    if (typeof connector !== "string" || !isObject(partition)) return undefined;
    const offset = value === null ? null : parseJson(value);
    return { connector, fact: { fact: "stored", offset: isObject(offset) ? offset : null } };
  }
  if (topic === CONFIGS_TOPIC) {
    if (key.startsWith("connector-") && value === null)
      return { connector: key.slice("connector-".length), fact: { fact: "target", state: "GONE" } };
    const parsed = value === null || !key.startsWith("target-state-") ? null : parseJson(value);
    if (!isObject(parsed)) return undefined;
    const state = String(parsed["state.v2"] ?? parsed["state"]) as TargetFact["state"];
    return { connector: key.slice("target-state-".length), fact: { fact: "target", state } };
  }
  return eventOf(position, value);
}

/** A record of an ops topic; undefined if it is of something else than an offset. */
export function eventOf(
  position: bigint,
  value: string | null,
): { readonly connector: string; readonly fact: EventFact } | undefined {
  const event = value === null ? null : parseJson(value);
  const payload = isObject(event) && isObject(event["payload"]) ? event["payload"] : event;
  const details = isObject(payload) ? payload["details"] : undefined;
  if (!isObject(payload) || payload["type"] !== "offsets-set" || !isObject(details)) return undefined;
  const [run, outcome, operator] = ["run", "outcome", "operator"].map((name) => String(details[name] ?? "")) as [
    string,
    string,
    string,
  ];
  return {
    connector: String(payload["server"]),
    fact: { fact: "event", position, run, outcome, operator, time: payload["ts_ms"] as bigint, details },
  };
}

const text = (bytes: Buffer | null): string | null => bytes?.toString("utf8") ?? null;
