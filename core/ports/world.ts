import type { BoundSettings } from "../facts/connector/settings.ts";
import type { Clock } from "./clock.ts";
import type { ConnectPort } from "./connect.ts";
import type { JmxPort } from "./jmx.ts";
import type { KafkaPort } from "./kafka.ts";
import type { OraclePort } from "./oracle.ts";
import type { StatePort } from "./state.ts";

/**
 * What core needs from outside systems: one port per file. Providers implement them; the commands join them. Every port
 * throws `CallFailed` (or `UsageError` for a setting that can't be used) and nothing else; messages never hold a
 * credential.
 */
export interface World {
  readonly connect: ConnectPort;
  /** The brokers that hold the connector's ops, signals and journal topics. Connects on the first call. */
  kafka(settings: Pick<BoundSettings, "brokers" | "origin">): KafkaPort;
  /** The source database, with the connector's own login. Connects on the first call. */
  oracle(settings: Pick<BoundSettings, "database">): OraclePort;
  /**
   * The worker's MBeans, with the operator's login where they typed this very URL; any other URL gets none. Connects on
   * the first call.
   *
   * @throws UsageError for what is not a JMX service URL
   */
  jmx(url: string): JmxPort;
  /**
   * Redacts a record of the connector's topics: removes the secrets of the configurations used so far. The ports redact
   * their own failures and answers the same way.
   */
  redact(text: string): string;
  readonly state: StatePort;
  readonly clock: Clock;
  close(): Promise<void>;
}
