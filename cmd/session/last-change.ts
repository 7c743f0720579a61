import type { LentSettings } from "../../core/facts/connector/settings.ts";
import type { Observed } from "../../core/facts/observed.ts";
import { lenientObserverAt } from "../../core/facts/observer.ts";
import {
  decodeRecordedEvent,
  inLogOrder,
  type RecordedChange,
  type RecordedEvent,
  recordedChanges,
} from "../../core/facts/ops/ops-event.ts";
import type { OpenWorld } from "./open-world.ts";

/** Number of ops topic records read back for the latest change. */
const CHANGES_READ = { from: "tail", records: 20_000, millis: 10_000 } as const;

/** The latest change of the connector's offset in the ops topic. Optional: never an error. */
export async function lastChange(
  connector: string,
  settings: LentSettings,
  world: OpenWorld,
): Promise<Observed<RecordedChange<RecordedEvent> | undefined>> {
  return lenientObserverAt(world.clock)(settings.opsTopic, async () => {
    const kafka = world.kafka(settings);
    if ((await kafka.topic(settings.opsTopic)) === undefined) return undefined;
    const { records } = await kafka.read(settings.opsTopic, CHANGES_READ);
    const events = inLogOrder(records).flatMap((record) => decodeRecordedEvent(record, world.redact) ?? []);
    return recordedChanges(events, connector).at(-1);
  });
}
