import type { ConnectorsFound, RecordedEvent } from "../../../schemas/generated/facts.ts";
import { CallFailed } from "../../errors.ts";
import { decodeRecordedEvent, inLogOrder } from "../../facts/ops/ops-event.ts";
import type { KafkaPort } from "../../ports/kafka.ts";
import type { World } from "../../ports/world.ts";
import { inspectDeployed } from "../migration/observe.ts";

/** The record limit: far more than a connector and its operators write between a verification and a retirement. */
const MOST_RECORDS = 100_000;
const LONGEST_READ_MILLIS = 30_000;

/**
 * Reads the two connectors as a verification finds them, before it reads anything else. The ops topic's ends are read
 * first, so that later events are recorded after them.
 *
 * @returns undefined if the workers have no new connector of that name
 */
export async function connectorsFound(
  { connector, legacy, opsTopic }: { readonly connector: string; readonly legacy: string; readonly opsTopic: string },
  { connect, kafka }: Pick<World, "connect"> & { readonly kafka: KafkaPort },
): Promise<ConnectorsFound | undefined> {
  const opsTopicEnds = await readableEnds(opsTopic, kafka);
  const next = await inspectDeployed(connector, connect);
  const old = await inspectDeployed(legacy, connect);
  if (next === undefined) return undefined;
  return {
    configuration: next.config,
    offsets: next.offsets,
    ...(old === undefined ? {} : { legacyOffsets: old.offsets }),
    opsTopic,
    opsTopicEnds,
  };
}

async function readableEnds(topic: string, kafka: KafkaPort): Promise<ConnectorsFound["opsTopicEnds"]> {
  if ((await kafka.topic(topic)) === undefined) return [];
  return (await kafka.extents(topic)).map(({ partition, to }) => ({ partition: BigInt(partition), offset: to }));
}

/**
 * The changes of a connector recorded after a verification began. The order in the log decides, not a clock.
 *
 * @throws CallFailed if later records are gone, or the topic can't be read to its end: an empty result would prove
 * nothing
 */
export async function recordedSince(
  { opsTopic, opsTopicEnds }: Pick<ConnectorsFound, "opsTopic" | "opsTopicEnds">,
  connector: string,
  kafka: KafkaPort,
  redact: World["redact"],
): Promise<readonly RecordedEvent[]> {
  const endOf = (partition: number) => opsTopicEnds.find((end) => end.partition === BigInt(partition))?.offset ?? 0n;
  const extents = (await kafka.topic(opsTopic)) === undefined ? [] : await kafka.extents(opsTopic);
  const isShorter = opsTopicEnds.some(
    ({ partition, offset }) => (extents.find((one) => BigInt(one.partition) === partition)?.to ?? 0n) < offset,
  );
  if (isShorter)
    throw unprovable(
      `${opsTopic} holds fewer records than when the connector was verified: it was deleted or recreated`,
    );
  if (extents.some(({ partition, from }) => from > endOf(partition)))
    throw unprovable(`${opsTopic} no longer holds every record that was written since the connector was verified`);
  if (extents.length === 0) return [];
  const { records, reachedEnd } = await kafka.read(opsTopic, {
    from: extents.map(({ partition }) => ({ partition, offset: endOf(partition) })),
    records: MOST_RECORDS,
    millis: LONGEST_READ_MILLIS,
  });
  if (!reachedEnd) throw unprovable(`${opsTopic} could not be read to its end`);
  return inLogOrder(records)
    .flatMap((record) => decodeRecordedEvent(record, redact) ?? [])
    .filter(({ details }) => details.connector === connector);
}

function unprovable(message: string): CallFailed {
  return new CallFailed("kafka", "unsupported", {
    message,
    remedy: { text: "Verify again", setting: "spec.phase: verify" },
  });
}
