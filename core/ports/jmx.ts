import type { AttributeSeen } from "../facts/connector/task-metrics.ts";

/** The MBeans of the worker that runs the task. It only reads. Connects on the first call. */
export interface JmxPort {
  /** `host:port` of the RMI registry, as shown to people. */
  readonly address: string;
  /**
   * What the operator should fix although the call succeeded: the address that the JVM advertises is unreachable from
   * here. Empty before the first call.
   */
  readonly remarks: readonly string[];
  /**
   * Attributes of the MBean of the task whose topics have this prefix, read together. An attribute that is missing or
   * unreadable carries the reason. If none can be read, or the MBean does not exist, the call fails and lists the tasks
   * that the JVM runs.
   */
  taskAttributes(prefix: string, names: readonly string[]): Promise<ReadonlyMap<string, AttributeSeen>>;
  close(): Promise<void>;
}
