import { CONNECTOR_ERRORS } from "../../core/connector-errors.ts";
import type { ConnectorShown } from "../../core/plan/plan.ts";
import { showCount } from "../../core/values/amounts.ts";
import { printDuration } from "../../core/values/duration.ts";
import type { Instant } from "../../core/values/instant.ts";
import { trunc } from "./layout.ts";

/** `2026-11-20 19:02:11Z`, without fractions of a second. */
export function showInstant(instant: Instant): string {
  return instant.replace(/^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}:\d{2})(?:\.\d+)?Z$/, "$1 $2Z");
}

export function showMillis(millis: bigint | number): string {
  return printDuration(Number(millis));
}

/** `sequence 118`, `sequences 118 to 121`. */
export function showRange(name: string, first: bigint, last: bigint): string {
  return first === last ? `${name} ${first}` : `${name}s ${first} to ${last}`;
}

/** Whether a database server's zone shows the same clock as UTC. */
export function isUtc(zone: string): boolean {
  return /^(?:Z|UTC|GMT|[+-]00:00)$/i.test(zone.trim());
}

/**
 * The error that a task has stopped with, in a few words, and where it is explained.
 *
 * @returns undefined for no code, or that of a later connector
 */
export function shownStop(code: string | undefined): { readonly text: string; readonly next: string } | undefined {
  const error = CONNECTOR_ERRORS.find((one) => one.code === code);
  return error && { text: `${error.code}: ${error.title}`, next: `cdcctl explain ${error.code}` };
}

const MOST_TASKS = 8;

/** `RUNNING, task 0 RUNNING on worker-2:8083`. Not escaped. */
export function statusOf({ state, tasks }: Pick<ConnectorShown, "state" | "tasks">): string {
  const shown = tasks.slice(0, MOST_TASKS).map(({ id, state: at, worker }) => `task ${id} ${at} on ${worker}`);
  const more = tasks.length - shown.length;
  return trunc([state, ...shown, ...(more > 0 ? [`${showCount(more)} more tasks`] : [])].join(", "), 600);
}
