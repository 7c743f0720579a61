import { hasFailed, isRunning } from "../../facts/connector/connector.ts";
import type { ConnectorSeen } from "../../facts/connector-facts.ts";
import type { PlannedStep } from "../../plan/steps.ts";

/**
 * The steps that start a connector whose offset stays. One that runs is left alone; one that has failed starts anew
 * only after a stop.
 */
export function startSteps({ name: connector, status }: ConnectorSeen): readonly PlannedStep[] {
  if (isRunning(status)) return [];
  return [
    ...(hasFailed(status) ? [{ step: "stop-connector", connector } as const] : []),
    { step: "start-connector", connector },
  ];
}
