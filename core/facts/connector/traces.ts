import { redactTrace } from "../../redaction/redactor.ts";
import type { ConnectorStatus } from "./connector.ts";

type Config = Readonly<Record<string, string>>;

/** Whether the state comes with a trace, the connector's or a task's. */
export function hasTrace({ trace, tasks }: ConnectorStatus): boolean {
  return trace !== undefined || tasks.some((task) => task.trace !== undefined);
}

/**
 * Redacts what a connector's traces repeat of its configuration.
 *
 * @param config undefined if it could not be read: then no trace is shown
 */
export function withRedactedTraces(status: ConnectorStatus, config: Config | undefined): ConnectorStatus {
  const masked = <T extends { readonly trace?: string }>(one: T): T =>
    one.trace === undefined ? one : { ...one, trace: config === undefined ? UNREAD : redactTrace(one.trace, config) };
  return { ...masked(status), tasks: status.tasks.map(masked) };
}

const UNREAD =
  "its trace is redacted, because it may repeat a secret of the configuration, which could not be read: see the " +
  "worker's log";
