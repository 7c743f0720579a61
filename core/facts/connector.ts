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

export interface ConnectorDescription {
  readonly name: string;
  /** As the worker stores it: literal passwords included. Never a fact, never printed: see `maskConfiguration`. */
  readonly config: Readonly<Record<string, string>>;
  readonly taskIds: readonly number[];
  readonly type: string;
}

/** `RUNNING`, `PAUSED`, `FAILED`, `UNASSIGNED`, `RESTARTING`, `STOPPED` (connector only), or what a later Connect may say. */
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
