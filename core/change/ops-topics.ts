import type { RecordedEvent } from "../../schemas/generated/facts.ts";

import { CallFailed, type FailureKind, orUndefined } from "../errors.ts";
import { type BoundSettings, type BrokerSettings, sameSettings } from "../facts/connector/settings.ts";

import { mapObserved, type Observed } from "../facts/observed.ts";
import { lenientObserverAt } from "../facts/observer.ts";
import {
  changeUnderWay,
  decodeRecordedEvent,
  decodeStop,
  eventOf,
  inLogOrder,
  type RecordedChange,
  recordedChanges,
  type StopEvent,
} from "../facts/ops/ops-event.ts";
import type { KafkaPort, ReadBounds, TopicRead } from "../ports/kafka.ts";
import type { World } from "../ports/world.ts";
import { showCount } from "../values/amounts.ts";
import type { StoredRuns } from "./stored-runs.ts";
import { CONNECTOR_STOPPED, type ConnectorStop, decodeConnectorStop } from "./watching/connector-stop.ts";

/** How far commands that show what an ops topic records read it back. */
const SHOWN = { from: "tail", records: 20_000, millis: 10_000 } as const;

export interface OpsTopicRead {
  readonly name: string;
  /** Changes of offsets, in the order of their log. */
  readonly events: readonly RecordedEvent[];
  /** Stops of tasks, likewise. */
  readonly stops: readonly StopEvent[];
  /** Stops of connectors by operators, likewise. */
  readonly stopped: readonly ConnectorStop[];
  readonly reachedEnd: boolean;
  /** Why a change may have been missed; undefined if everything in the topic was read. */
  readonly cut: string | undefined;
}

/**
 * Brokers that a command has read ops topics from: one login for all connectors that share them, one read of a topic
 * that they share, and no second attempt where they do not answer.
 */
export type SharedBrokers = {
  readonly settings: BrokerSettings;
  readonly kafka: KafkaPort;
  readonly topics: Map<string, Promise<TopicRead>>;
  failure?: CallFailed;
}[];

/** Reads the ops topic of a connector back, for everybody who is not in the middle of a run. */
export async function readOpsTopic(
  settings: BoundSettings,
  world: World,
  bounds: ReadBounds,
  shared: SharedBrokers = [],
): Promise<OpsTopicRead> {
  const { brokers, opsTopic: topic } = settings;
  let known = shared.find((one) => sameSettings(one.settings, brokers));
  if (known === undefined) {
    known = { settings: brokers, kafka: world.kafka(settings), topics: new Map() };
    shared.push(known);
  }
  const reading = known.topics.get(topic) ?? eventsIn(topic, bounds, known);
  known.topics.set(topic, reading);
  const { records, reachedEnd, whole } = await reading;
  return {
    name: topic,
    events: records.flatMap((record) => decodeRecordedEvent(record, world.redact) ?? []),
    stops: records.flatMap(({ value }) => decodeStop(value, world.redact) ?? []),
    stopped: records.flatMap(({ value }) => decodeConnectorStop(value, world.redact) ?? []),
    reachedEnd,
    cut: reachedEnd
      ? whole
        ? undefined
        : `only the latest ${showCount(bounds.records)} records of ${topic} were read`
      : `${topic} could not be read back to its end in time`,
  };
}

const SHOWN_TYPES = ["offsets-set", "stop", CONNECTOR_STOPPED];
const ABOUT_ONE_TOPIC: readonly FailureKind[] = ["missing", "forbidden"];

/**
 * The events without the records that no command shows, so that many connectors of one topic do not decode all of it
 * again.
 */
async function eventsIn(topic: string, bounds: ReadBounds, brokers: SharedBrokers[number]): Promise<TopicRead> {
  if (brokers.failure !== undefined) throw brokers.failure;
  try {
    const read = await brokers.kafka.read(topic, bounds);
    const shown = read.records.filter(({ value }) => SHOWN_TYPES.some((type) => eventOf(type, value)));
    return { ...read, records: inLogOrder(shown) };
  } catch (failure) {
    if (failure instanceof CallFailed && !ABOUT_ONE_TOPIC.includes(failure.kind)) brokers.failure = failure;
    throw failure;
  }
}

/** A change in flight by the ops topic: an `applying` without its outcome. */
export type InFlight = Observed<RecordedChange<RecordedEvent> | undefined>;

/** A change in flight without those of this machine, which are shown as its unsettled runs. */
export function notBegunHere(inFlight: InFlight, { runs, unreadable }: StoredRuns): InFlight {
  const open = [...runs.filter(({ state }) => state.ended === undefined), ...unreadable.runs].map(({ key }) => key.run);
  return mapObserved(inFlight, (change) => (open.includes(change?.event.details.run ?? "") ? undefined : change));
}

/** What the ops topic records of one connector. */
export interface LatestEvents {
  readonly changes: Observed<readonly RecordedChange<RecordedEvent>[]>;
  /** The change whose outcome is not recorded; unknown where none was found in a topic that was not read whole. */
  readonly inFlight: InFlight;
  /** Undefined also where the topic could not be read. */
  readonly stop: StopEvent | undefined;
  /** Likewise: who stopped it last. */
  readonly stopped: ConnectorStop | undefined;
}

/** The latest changes of a connector's offset by the ops topic, and the latest stop of its task. Never an error. */
export async function latestEvents(
  connector: string,
  settings: BoundSettings,
  world: World,
  shared?: SharedBrokers,
): Promise<LatestEvents> {
  const observed = await lenientObserverAt(world.clock)(settings.opsTopic, async () => {
    // A topic that is not there has no events.
    const read = await orUndefined(readOpsTopic(settings, world, SHOWN, shared), "missing");
    const stop = read?.stops.findLast(({ server }) => server === settings.prefix);
    const stopped = read?.stopped.findLast((one) => one.connector === connector);
    return { changes: recordedChanges(read?.events ?? [], connector), cut: read?.cut, stop, stopped };
  });
  const inFlight = mapObserved(observed, ({ changes }) => changeUnderWay(changes));
  const cut = observed.known ? observed.value.cut : undefined;
  return {
    changes: mapObserved(observed, ({ changes }) => changes),
    inFlight:
      cut !== undefined && inFlight.known && inFlight.value === undefined
        ? { known: false, why: cut, source: settings.opsTopic }
        : inFlight,
    stop: observed.known ? observed.value.stop : undefined,
    stopped: observed.known ? observed.value.stopped : undefined,
  };
}
