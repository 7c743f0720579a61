import type { OpsFormat } from "../../../schemas/generated/shared.ts";
import type { RunReport } from "../../apply/context.ts";
import { isShown, Refusal, UsageError } from "../../errors.ts";
import { encodeEvent, eventOf, opsFormat } from "../../facts/ops/ops-event.ts";
import type { RunStarted } from "../../run/journal.ts";
import { controlOf } from "../../run/subject.ts";
import type { Instant } from "../../values/instant.ts";
import { parseRunId } from "../../values/run-id.ts";
import type { Caller, ChangeWorld } from "../run-context.ts";

/**
 * That an operator stopped a connector, as the ops topic records it. It is an event of its own type: whoever reads
 * changes skips it, as every event that is not `offsets-set`.
 */
export interface ConnectorStop {
  readonly at: Instant;
  readonly connector: string;
  /** The operator that the environment names; empty if the record has none. */
  readonly operator: string;
  readonly reason: string;
  readonly ticket?: string | undefined;
  readonly run?: string | undefined;
}

/** The connector itself writes `stop`, when its task fails. */
export const CONNECTOR_STOPPED = "connector-stopped";

/** @param server topic prefix of the connector, whose events share a partition */
export function encodeConnectorStop({ at, ...details }: ConnectorStop, server: string, format: OpsFormat) {
  return encodeEvent(CONNECTOR_STOPPED, { at, server, details }, undefined, format);
}

/**
 * Reads a record of the ops topic; undefined for any other than a stop by an operator.
 *
 * @param redact removes secrets from what people wrote
 */
export function decodeConnectorStop(
  value: Uint8Array | null,
  redact: (text: string) => string,
): ConnectorStop | undefined {
  const record = eventOf(CONNECTOR_STOPPED, value);
  const text = (name: string): string | undefined => {
    const detail = record?.details[name];
    return typeof detail === "string" ? detail : undefined;
  };
  const [connector, ticket, run] = [text("connector"), text("ticket"), parseRunId(text("run"))];
  if (record === undefined || connector === undefined) return undefined;
  return {
    at: record.at,
    connector,
    operator: redact(text("operator") ?? ""),
    reason: redact(text("reason") ?? ""),
    ...(ticket === undefined ? {} : { ticket: redact(ticket) }),
    ...(run === undefined ? {} : { run }),
  };
}

/**
 * Records in the ops topic who stopped a connector, and why, for everybody on another machine. The connector is stopped
 * already, whether this succeeds or not: what could not be recorded is said.
 *
 * @param report of the run; of another than a stop that succeeded there is nothing to record
 */
export async function recordStop(
  { outcome }: RunReport,
  { operator, run, subject }: Pick<RunStarted, "operator" | "run" | "subject">,
  { world, caller }: { readonly world: ChangeWorld; readonly caller: Caller },
): Promise<void> {
  if (outcome !== "succeeded" || controlOf(subject) !== "stop") return;
  const { connector, reason, ticket } = subject;
  try {
    const description = await world.connect.connector(connector);
    if (description === undefined) return;
    const settings = await world.sources.settingsOf(description);
    const format = opsFormat(undefined, settings);
    if (format === undefined)
      throw new UsageError("its value.converter is not JSON, so no event is written to its ops topic");
    const at = world.connect.time() ?? world.clock.now();
    const record = encodeConnectorStop({ at, connector, operator, reason, ticket, run }, settings.prefix, format);
    await world.kafka(settings).append(settings.opsTopic, record);
  } catch (failure) {
    if (!isShown(failure)) throw failure;
    // A connector of another class has no ops topic.
    if (failure instanceof Refusal && failure.code === "CON301") return;
    caller.warn(`${connector} is stopped, but other machines cannot see who stopped it and why: ${failure.message}`);
  }
}
