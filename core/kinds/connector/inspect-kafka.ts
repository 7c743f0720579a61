import type { OpsHistory } from "../../../schemas/generated/facts.ts";
import { CallFailed } from "../../errors.ts";
import type { ConnectorSettings } from "../../facts/connector/settings.ts";
import type { ConnectorFacts } from "../../facts/connector-facts.ts";
import type { Observed } from "../../facts/observed.ts";
import type { Observer } from "../../facts/observer.ts";
import { decodeRecordedEvent, inLogOrder } from "../../facts/ops/ops-event.ts";
import { decodeSignalAck } from "../../facts/ops/signal.ts";
import { byTransaction } from "../../journal/at-start.ts";
import { journalForm } from "../../journal/journal-form.ts";
import { type JournalBounds, readRecordsWithin } from "../../journal/read-journal.ts";
import type { Clock } from "../../ports/clock.ts";
import type { KafkaPort } from "../../ports/kafka.ts";
import type { World } from "../../ports/world.ts";
import { counted, showBytes } from "../../values/amounts.ts";
import { printDuration } from "../../values/duration.ts";
import { ascending } from "../../values/lists.ts";
import { truncate } from "../../values/truncate.ts";
import { printXid } from "../../values/xid.ts";

/** How far the ops topic is read back. */
const HISTORY_READ = { from: "tail", records: 20_000, millis: 10_000 } as const;

/** Reads the brokers, the ops topic, and this connector's changes recorded in it. */
export async function inspectKafka(
  kafka: KafkaPort,
  { opsTopic }: ConnectorSettings,
  observe: Observer,
  { redact, connect }: Pick<World, "redact" | "connect">,
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
        ...(topic.known
          ? { value: { events: [], answers: [], whole: true, readTo: [], clusterNow: connect.time() } }
          : {}),
      } as Observed<OpsHistory>,
    };
  }
  const opsHistory = await observe(opsTopic, async (): Promise<OpsHistory> => {
    const { records, whole, reachedEnd, readTo } = await kafka.read(opsTopic, HISTORY_READ);
    return {
      events: inLogOrder(records).flatMap((record) => decodeRecordedEvent(record, redact) ?? []),
      answers: records.flatMap(({ value }) => decodeSignalAck(value, redact) ?? []),
      whole: whole && reachedEnd,
      readTo: readTo.map(({ partition, offset }) => ({ partition: BigInt(partition), offset })),
      clusterNow: connect.time(),
    };
  });
  return { brokers, opsTopic: topic, opsHistory };
}

/**
 * How much of the journal is read to name its transactions. `admin journal inspect` reads all of it, however long that
 * takes.
 */
export const JOURNAL_BOUNDS: JournalBounds = { bytes: 4 * 2 ** 30, millis: 30_000 };

/**
 * Reads the transactions with chunks in the journal, with the lowest first SCN of each; unknown if the journal can't be
 * read completely. What the next start does with them depends on where it starts: see `heldAfter`.
 */
export async function inspectJournal(
  kafka: KafkaPort,
  { journalTopic, journalConverter, prefix }: ConnectorSettings,
  observe: Observer,
  clock: Pick<Clock, "elapsed">,
  bounds = JOURNAL_BOUNDS,
): Promise<ConnectorFacts["journaled"]> {
  return observe(journalTopic, async () => {
    if ((await kafka.topic(journalTopic)) === undefined) return [];
    const form = journalForm(journalConverter);
    if (form === undefined) throw otherConverter(journalTopic, journalConverter.name ?? "");
    const question = { topic: journalTopic, server: prefix, form };
    const journal = await readRecordsWithin(kafka, question, { bounds, clock });
    if ("tooLong" in journal) throw tooLong(journalTopic, journal.tooLong.records, bounds);
    const { unreadable } = journal.counts;
    if (unreadable > 0) throw notReadable(journalTopic, unreadable);
    return byTransaction(journal.chunks).flatMap(({ xid, chunks }) => {
      const [first] = chunks.toSorted(ascending(({ first: { scn } }) => scn));
      if (first === undefined) return [];
      const { user, clientId } = first;
      const id = printXid({ ...xid, container: undefined });
      const held = chunks.map(({ key, ...of }) => ({
        generation: key.generation,
        firstScn: of.first.scn,
        lastScn: of.last.scn,
      }));
      return [{ xid: id, container: xid.container, firstScn: first.first.scn, user, clientId, chunks: held }];
    });
  });
}

function tooLong(topic: string, records: number, { bytes, millis }: JournalBounds): CallFailed {
  return notHere(
    `${topic} is too long to be read here: the limit of ${printDuration(millis)} or ${showBytes(bytes)} was ` +
      `reached after ${counted(records, "record")}`,
    "To read all of it and list its transactions, run cdcctl admin journal inspect.",
  );
}

function otherConverter(topic: string, converter: string): CallFailed {
  const format = truncate(converter, 200);
  return notHere(
    `${topic} is read with ${format} (cdc.journal.converter), but only JSON can be read here`,
    "Only the database's own list of open transactions is available.",
  );
}

function notReadable(topic: string, records: number): CallFailed {
  return notHere(
    `${counted(records, "record")} of ${topic} can't be read`,
    "To list them with their effect on the task, run cdcctl admin journal inspect.",
  );
}

/** It leaves the fact unknown. */
function notHere(message: string, remedy: string): CallFailed {
  return new CallFailed("kafka", "unsupported", { message, remedy });
}
