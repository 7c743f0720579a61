import type { ConnectorStatus } from "../../../schemas/generated/facts.ts";
import { redactTrace } from "../../redaction/redactor.ts";
import type { Config } from "../../values/config.ts";
import { firstLine, truncate } from "../../values/truncate.ts";

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
  const masked = <T extends { readonly trace?: string | undefined }>(one: T): T =>
    one.trace === undefined ? one : { ...one, trace: config === undefined ? UNREAD : redactTrace(one.trace, config) };
  return { ...masked(status), tasks: status.tasks.map(masked) };
}

const UNREAD =
  "its trace is redacted, because it may repeat a secret of the configuration, which could not be read: see the " +
  "worker's log";

/** Why the connector's task stopped, by its own code. */
export interface ConnectorStop {
  readonly code: string;
  /** What happened, on one line; empty if the error says nothing else. */
  readonly happened: string;
}

/**
 * Reads the error of a trace: `[CDC-nnnn] what happened Operator action: … Runbook: …`, where the message of Oracle
 * may have several lines. Rule: reference: connector codes.
 *
 * @returns undefined without a code of the connector
 */
export function stopIn(trace: string | undefined): ConnectorStop | undefined {
  const text = trace ?? "";
  const found = /\[?\b(CDC-\d{4})\b\]?:?/.exec(messageOf(text)) ?? /\[(CDC-\d{4})\]/.exec(text);
  if (found?.[1] === undefined) return undefined;
  const message = messageOf(text.slice(text.indexOf(found[0]) + found[0].length)).replace(/\s+/g, " ");
  const [happened = ""] = message.split(/ ?(?:Operator action|Runbook): /, 1);
  return { code: found[1], happened: happened.trim() };
}

/** What comes before the frames and causes. */
function messageOf(text: string): string {
  return text.split(/\n\s+at |\nCaused by: /, 1)[0] ?? "";
}

/** The error of a trace, on one line: its code and what happened, or its first line. */
export function errorLine(trace: string | undefined, longest?: number): string {
  const stop = stopIn(trace);
  return stop === undefined
    ? firstLine(trace, longest)
    : truncate(`${stop.code} ${stop.happened}`.trim(), longest ?? 500);
}
