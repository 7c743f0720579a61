import type { AttributeSeen } from "../facts/connector/task-metrics.ts";

/** The MBeans of the worker that runs the task. It only reads. Connects on the first call. */
export interface JmxPort {
  /** `host:port` of the RMI registry, as shown to people. */
  readonly address: string;
  /**
   * What the operator should mend although it went well: the address that the JVM gives out for itself leads nowhere
   * from here. Empty before the first call.
   */
  readonly remarks: readonly string[];
  /**
   * Attributes of the MBean of the task whose topics have this prefix, read together. One that the MBean does not have,
   * or that can't be read, says why. When none can be read, or the MBean is not there, the call fails and says which
   * tasks the JVM runs.
   */
  taskAttributes(prefix: string, names: readonly string[]): Promise<ReadonlyMap<string, AttributeSeen>>;
  close(): Promise<void>;
}
