/** What Connect's REST API says of workers and connectors (reference: Kafka Connect). */

export interface WorkerInfo {
  /** As the worker says it: `3.9.2`, `7.6.1-ccs`. */
  readonly version: string;
  readonly commit: string;
  readonly clusterId: string;
}

export interface PluginDescription {
  readonly className: string;
  readonly type: string;
  readonly version: string | undefined;
}

/** What a worker says against one setting. */
export interface SettingProblem {
  readonly setting: string;
  readonly errors: readonly string[];
}

export interface ConnectorDescription {
  readonly name: string;
  /** As the worker stores it: literal passwords included. Never a fact, never printed: see `redactSecrets`. */
  readonly config: Readonly<Record<string, string>>;
  readonly taskIds: readonly number[];
  readonly type: string;
}

/**
 * `RUNNING`, `PAUSED`, `FAILED`, `UNASSIGNED`, `RESTARTING`, `STOPPED` (connector only), or what a later Connect may
 * say.
 */
export type ConnectorState = string;

export interface ConnectorStatus {
  readonly state: ConnectorState;
  readonly worker: string;
  readonly trace?: string;
  readonly tasks: readonly TaskStatus[];
}

export interface TaskStatus {
  readonly id: bigint;
  readonly state: ConnectorState;
  readonly worker: string;
  readonly trace?: string;
}

/** The framework's own test for "stopped": state STOPPED and no task configurations. */
export function isStopped(status: ConnectorStatus): boolean {
  return status.state === "STOPPED" && status.tasks.length === 0;
}

/** Connector and tasks: a connector that is RUNNING over a task that has failed, or over none, reads nothing. */
export function isRunning({ state, tasks }: ConnectorStatus): boolean {
  return state === "RUNNING" && tasks.length > 0 && tasks.every((task) => task.state === "RUNNING");
}

/**
 * Whether the connector or a task of it has failed: a resume leaves it so, only one that was stopped before starts
 * anew.
 */
export function hasFailed({ state, tasks }: ConnectorStatus): boolean {
  return state === "FAILED" || tasks.some((task) => task.state === "FAILED");
}
