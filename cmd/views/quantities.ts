import type { ConnectorShown } from "../../core/plan/plan.ts";
import { printDuration } from "../../core/values/duration.ts";
import type { Instant } from "../../core/values/instant.ts";
import { clip } from "./layout.ts";

/** `2026-11-20 19:02:11Z`; fractions of a second are left out. */
export function showInstant(instant: Instant): string {
  return instant.replace(/^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}:\d{2})(?:\.\d+)?Z$/, "$1 $2Z");
}

/** Decimal units, as storage is sold: `1.6 GB`. */
export function showBytes(bytes: bigint): string {
  const units = ["bytes", "kB", "MB", "GB", "TB", "PB"];
  let unit = 0;
  // In tenths, so that no digit comes from a double.
  let tenths = bytes * 10n;
  while (tenths >= 10_000n && unit < units.length - 1) {
    tenths = (tenths + 500n) / 1000n;
    unit++;
  }
  const whole = tenths / 10n;
  const tenth = tenths % 10n;
  return (
    `${grouped(whole)}${unit === 0 || whole >= 100n || tenth === 0n ? "" : `.${tenth}`} ` +
    `${unit === 0 && bytes === 1n ? "byte" : units[unit]}`
  );
}

export function showMillis(millis: bigint | number): string {
  return printDuration(Number(millis));
}

/** `1 archived log`, `4 archived logs`. */
export function counted(count: bigint | number, one: string, many = `${one}s`): string {
  return `${grouped(BigInt(count))} ${BigInt(count) === 1n ? one : many}`;
}

/** `99,990`. For counts; SCNs are printed as they are, to be copied. */
export function grouped(count: bigint): string {
  return count.toString().replace(/\B(?=(?:\d{3})+$)/g, ",");
}

/** `sequence 118`, `sequences 118 to 121`. */
export function showRange(name: string, first: bigint, last: bigint): string {
  return first === last ? `${name} ${first}` : `${name}s ${first} to ${last}`;
}

/** Whether a database server's zone shows the same clock as UTC. */
export function isUtc(zone: string): boolean {
  return /^(?:Z|UTC|GMT|[+-]00:00)$/i.test(zone.trim());
}

const MOST_TASKS = 8;

/** `RUNNING, task 0 RUNNING on worker-2:8083`. Not escaped. */
export function standingOf({ state, tasks }: Pick<ConnectorShown, "state" | "tasks">): string {
  const shown = tasks.slice(0, MOST_TASKS).map(({ id, state: at, worker }) => `task ${id} ${at} on ${worker}`);
  const more = tasks.length - shown.length;
  return clip([state, ...shown, ...(more > 0 ? [`${grouped(BigInt(more))} more tasks`] : [])].join(", "), 600);
}
