import type { Observed } from "../../core/facts/observed.ts";
import type { RecordedChange } from "../../core/facts/ops/ops-event.ts";
import { fromOpsCommand, type Workers } from "../../core/values/shell-word.ts";
import { firstLine } from "../../core/values/truncate.ts";
import type { RecordedEvent } from "../../schemas/generated/facts.ts";
import { trunc } from "./layout.ts";
import { changeMembers, changeText } from "./offset.ts";
import { type Notice, notice } from "./report/model.ts";

/** A change in flight by the ops topic: an `applying` without its outcome. */
export type InFlight = Observed<RecordedChange<RecordedEvent> | undefined>;

/** Whether a connector has a change in flight that was not begun from here. */
export interface Elsewhere {
  /** Undefined for those of workers that could not list them. */
  readonly connector: string | undefined;
  readonly at: Workers;
  readonly inFlight: InFlight;
}

/** What of other machines is in flight. */
export function foundElsewhere(looked: readonly Elsewhere[]) {
  return looked.flatMap(({ connector, at, inFlight }) =>
    connector !== undefined && inFlight.known && inFlight.value !== undefined
      ? [{ connector, at, change: inFlight.value }]
      : [],
  );
}

/**
 * A line for each change in flight, and one for each reason why there may be others.
 *
 * @param looked undefined where nobody looked
 */
export function elsewhereNotices(looked: readonly Elsewhere[] | undefined): readonly Notice[] {
  if (looked === undefined) return [notice(NOT_LOOKED_FOR)];
  const found = foundElsewhere(looked).map(
    ({ connector, change }) => `${trunc(connector, 60)}: in flight, not begun from here: ${changeText(change)}`,
  );
  const unknown = new Map<string, string[]>();
  for (const { connector = "other connectors", inFlight } of looked)
    if (!inFlight.known) unknown.set(inFlight.why, [...(unknown.get(inFlight.why) ?? []), connector]);
  const lines = [...unknown].map(
    ([why, names]) => `${NOT_LOOKED_FOR} (${trunc(names.join(", "), 600)}): ${firstLine(why)}`,
  );
  return [...found, ...lines].map((line) => notice(trunc(line, 2000), "caution"));
}

const NOT_LOOKED_FOR = "changes of other machines were not looked for";

/** The next command for each change in flight. */
export function elsewhereNext(looked: readonly Elsewhere[]): readonly string[] {
  return foundElsewhere(looked).map(
    ({ connector, at }) => `${fromOpsCommand({ ...at, connector })}     # if no process is applying it; otherwise wait`,
  );
}

/** In JSON: what is in flight, and what could not be looked for. */
export function elsewhereDocuments(looked: readonly Elsewhere[]) {
  return looked.flatMap((one) => {
    const change = inFlightMembers(one.inFlight);
    return change === null ? [] : [{ connector: one.connector, change, next: elsewhereNext([one]) }];
  });
}

/** What is in flight, in JSON: null for nothing. */
export function inFlightMembers(inFlight: InFlight) {
  if (!inFlight.known) return { unknown: inFlight.why };
  return inFlight.value === undefined ? null : changeMembers(inFlight.value);
}
