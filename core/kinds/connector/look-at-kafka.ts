import { CallFailed } from "../../errors.ts";
import type { ConnectorFacts, OpsHistory } from "../../facts/connector-facts.ts";
import { JOURNAL_READ, journaledTransactions } from "../../facts/journal-headers.ts";
import type { Observed } from "../../facts/observed.ts";
import type { Observer } from "../../facts/observer.ts";
import { decodeOffsetsSet } from "../../facts/ops-event.ts";
import type { ConnectorSettings } from "../../facts/settings.ts";
import { decodeSignalAck } from "../../facts/signal.ts";
import type { KafkaPort } from "../../ports.ts";

/** How far the ops topic is read back. */
const HISTORY_READ = { from: "tail", records: 20_000, millis: 10_000 } as const;

/** The brokers, the ops topic, and what it tells of this connector's changes. */
export async function lookAtKafka(
  kafka: KafkaPort,
  { opsTopic }: ConnectorSettings,
  observe: Observer,
): Promise<Pick<ConnectorFacts, "brokers" | "opsTopic" | "opsHistory">> {
  const [brokers, topic] = await Promise.all([
    observe("Kafka metadata", async () => ({ address: kafka.brokers, clusterId: await kafka.clusterId() })),
    observe(opsTopic, async () => (await kafka.topic(opsTopic)) ?? ("missing" as const)),
  ]);
  if (!topic.known || topic.value === "missing") {
    return {
      brokers,
      opsTopic: topic,
      opsHistory: {
        ...topic,
        ...(topic.known ? { value: { events: [], answers: [], whole: true } } : {}),
      } as Observed<OpsHistory>,
    };
  }
  const opsHistory = await observe(opsTopic, async (): Promise<OpsHistory> => {
    const { records, whole, reachedEnd } = await kafka.read(opsTopic, HISTORY_READ);
    const events = [...records]
      .sort((a, b) => (a.timestamp < b.timestamp ? -1 : a.timestamp > b.timestamp ? 1 : a.offset < b.offset ? -1 : 1))
      .flatMap(({ value }) => decodeOffsetsSet(value) ?? []);
    const answers = records.flatMap(({ value }) => decodeSignalAck(value) ?? []);
    return { events, answers, whole: whole && reachedEnd };
  });
  return { brokers, opsTopic: topic, opsHistory };
}

/** The transactions of which the journal holds chunks; unknown where it can't be read whole. */
export async function lookAtJournal(
  kafka: KafkaPort,
  { journalTopic, prefix }: ConnectorSettings,
  observe: Observer,
): Promise<ConnectorFacts["journaled"]> {
  return observe(journalTopic, async () => {
    if ((await kafka.topic(journalTopic)) === undefined) return [];
    const { records, reachedEnd } = await kafka.read(journalTopic, JOURNAL_READ);
    if (!reachedEnd) throw tooLong(journalTopic);
    const { transactions, unreadable } = journaledTransactions(records, prefix);
    if (unreadable > 0) throw notReadable(journalTopic, unreadable);
    return transactions;
  });
}

function tooLong(topic: string): CallFailed {
  return new CallFailed({
    system: "kafka",
    kind: "unsupported",
    message: `${topic} holds more than ${JOURNAL_READ.records} records, or could not be read within ${JOURNAL_READ.millis / 1000} s`,
  });
}

function notReadable(topic: string, records: number): CallFailed {
  return new CallFailed({
    system: "kafka",
    kind: "unsupported",
    message: `${records} ${records === 1 ? "record" : "records"} of ${topic} can't be read: is cdc.journal.converter a JSON converter?`,
  });
}
