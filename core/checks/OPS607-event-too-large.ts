import type { ConnectorKind } from "../document/intent.ts";
import { type Check, type IntentFor, pass, type Readings } from "./check.ts";
import { fits, opsEventBytes, returnEventBytes } from "./record-size.ts";
import { settingsIn } from "./settings.ts";

/**
 * The event names every unlisted table, and carries the stored offset twice; that of a return to the legacy connector
 * the one that is removed. What the broker would refuse is found before the connector is stopped, and before a signal
 * is written that can't be taken back.
 *
 * Rule: specification, "Every change to the stored offset is recorded in an ops topic before it is made".
 */
export const eventTooLarge: Check<ConnectorKind | "Return"> = {
  code: "OPS607",
  title: "The ops event is larger than its topic takes",
  problem: "The broker would refuse the record after the connector was stopped, and no change is made without one.",
  remedy: "Raise max.message.bytes of the ops topic.",
  grade: "refusal",
  unknown: "advisory",

  run(intent, reading) {
    const bytes = eventBytes(intent, reading);
    if (bytes === undefined) return pass;
    return fits("the ops event", bytes, settingsIn(reading.facts).opsTopic, reading.facts.opsTopic, [
      ...("unlisted" in reading && reading.unlisted.length > 0
        ? [
            `Or capture fewer tables (cdc.tables.exclude): the event names all ${reading.unlisted.length} ` +
              "unlisted ones.",
          ]
        : []),
    ]);
  },
};

function eventBytes(
  intent: IntentFor<ConnectorKind | "Return">,
  reading: Readings[ConnectorKind | "Return"],
): number | undefined {
  if ("newTopics" in reading) return returnEventBytes(intent, reading);
  return intent.kind === "Migration" ? undefined : opsEventBytes(intent, reading);
}
