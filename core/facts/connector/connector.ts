import type { ConnectorStatus, WorkerSeen } from "../../../schemas/generated/facts.ts";
import { showCount } from "../../values/amounts.ts";
import { truncate } from "../../values/truncate.ts";

/** What Connect's REST API reports about a worker (reference: Kafka Connect). */
export interface WorkerInfo {
  /** The version that the worker reports: `3.9.2`, `7.6.1-ccs`. */
  readonly version: string;
  readonly clusterId: string;
}

/** A worker as a fact, with the URLs by which it is asked. */
export function workerSeen(
  { url, otherUrls }: Pick<WorkerSeen, "url" | "otherUrls">,
  { version, clusterId }: WorkerInfo,
): WorkerSeen {
  return { url, ...(otherUrls === undefined ? {} : { otherUrls }), version, clusterId };
}

export interface PluginDescription {
  readonly className: string;
  readonly version: string | undefined;
}

export interface ConnectorDescription {
  readonly name: string;
  /**
   * The configuration as the worker stores it, including literal passwords. Never a fact, never printed: see
   * `redactSecrets`.
   */
  readonly config: Readonly<Record<string, string>>;
  readonly taskIds: readonly number[];
  readonly type: string;
}

/** The framework's own test for "stopped": state STOPPED and no task configurations. */
export function isStopped(status: ConnectorStatus): boolean {
  return status.state === "STOPPED" && status.tasks.length === 0;
}

/**
 * Whether connector and tasks run: a connector that is RUNNING over a task that has failed, or over none, reads
 * nothing.
 */
export function isRunning({ state, tasks }: ConnectorStatus): boolean {
  return state === "RUNNING" && tasks.length > 0 && tasks.every((task) => task.state === "RUNNING");
}

/**
 * Whether the connector or a task of it has failed: a resume does not change that, only a stop followed by a start
 * does.
 */
export function hasFailed({ state, tasks }: ConnectorStatus): boolean {
  return state === "FAILED" || tasks.some((task) => task.state === "FAILED");
}

const MOST_TASKS = 8;

/** `RUNNING, task 0 RUNNING on worker-2:8083`. Not escaped. */
export function statusOf({ state, tasks }: Pick<ConnectorStatus, "state" | "tasks">): string {
  const shown = tasks.slice(0, MOST_TASKS).map(({ id, state: at, worker }) => `task ${id} ${at} on ${worker}`);
  const more = tasks.length - shown.length;
  return truncate([state, ...shown, ...(more > 0 ? [`${showCount(more)} more tasks`] : [])].join(", "), 600);
}

/** The Apache Kafka version that a Connect worker's code corresponds to. */
export interface ConnectVersion {
  readonly major: number;
  readonly minor: number;
}

/**
 * Parses the version in `GET /`: `3.9.2`, `4.0.0-rc1`, and Confluent's `7.6.1-ccs`, `8.0.0-ce`: 7.N is Apache 3.N, 8.N
 * is 4.N (reference: Kafka Connect, "Seen on real workers").
 *
 * @returns undefined for a text that is not a version, and for a numbering that is not known to follow Apache's
 */
export function connectVersion(text: string): ConnectVersion | undefined {
  const match = /^(\d{1,4})\.(\d{1,4})(?:[.-][0-9A-Za-z.+-]*)?$/.exec(text.trim());
  if (match === null) return undefined;
  const major = Number(match[1]);
  const minor = Number(match[2]);
  if (major === 7 || major === 8) return { major: major - 4, minor };
  return major < 7 ? { major, minor } : undefined;
}

export function isAtLeast(version: ConnectVersion, major: number, minor: number): boolean {
  return version.major > major || (version.major === major && version.minor >= minor);
}
