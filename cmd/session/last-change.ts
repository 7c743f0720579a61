import type { LentSettings } from "../../core/facts/connector/settings.ts";
import type { Observed } from "../../core/facts/observed.ts";
import { lenientObserverAt } from "../../core/facts/observer.ts";
import {
  decodeRecordedEvent,
  decodeStop,
  inLogOrder,
  type RecordedChange,
  recordedChanges,
  type StopEvent,
} from "../../core/facts/ops/ops-event.ts";
import type { RecordedEvent } from "../../schemas/generated/facts.ts";
import type { OpenWorld } from "./open-world.ts";

/** Number of ops topic records read back for the latest change. */
const CHANGES_READ = { from: "tail", records: 20_000, millis: 10_000 } as const;

/** The latest change of a connector's offset by the ops topic, and the latest stop of its task. Never an error. */
export async function latestEvents(
  connector: string,
  settings: LentSettings,
  world: OpenWorld,
): Promise<Observed<{ change?: RecordedChange<RecordedEvent> | undefined; stop?: StopEvent | undefined }>> {
  return lenientObserverAt(world.clock)(settings.opsTopic, async () => {
    const kafka = world.kafka(settings);
    if ((await kafka.topic(settings.opsTopic)) === undefined) return {};
    const { records } = await kafka.read(settings.opsTopic, CHANGES_READ);
    const inOrder = inLogOrder(records);
    const events = inOrder.flatMap((record) => decodeRecordedEvent(record, world.redact) ?? []);
    const stops = inOrder.flatMap(({ value }) => decodeStop(value, world.redact) ?? []);
    return {
      change: recordedChanges(events, connector).at(-1),
      stop: stops.findLast(({ server }) => server === settings.prefix),
    };
  });
}
