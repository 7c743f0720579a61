import type { ConnectorKind } from "../document/intent.ts";
import { type Check, pass } from "./check.ts";
import { fits, opsEventBytes } from "./record-size.ts";

/**
 * The event names every unlisted table, and carries the stored offset twice. What the broker would refuse is found before the connector is stopped,
 * and before a signal is written that can't be taken back.
 *
 * Rule: specification, "Every change to the stored offset is recorded in an ops topic before it is made".
 */
export const eventTooLarge: Check<ConnectorKind> = {
  code: "OPS607",
  title: "The ops event is larger than its topic takes",
  problem: "The broker would refuse the record after the connector was stopped, and no change is made without one.",
  remedy: "Raise max.message.bytes of the ops topic.",
  grade: "refusal",
  unknown: "advisory",

  run(intent, reading) {
    const bytes = opsEventBytes(intent, reading);
    if (bytes === undefined) return pass;
    const { opsTopic, connector } = reading.facts;
    return fits("the ops event", bytes, connector.opsTopic, opsTopic, [
      ...("unlisted" in reading && reading.unlisted.length > 0
        ? [
            `Or capture fewer tables (cdc.tables.exclude): the event names all ${reading.unlisted.length} unlisted ones.`,
          ]
        : []),
    ]);
  },
};
