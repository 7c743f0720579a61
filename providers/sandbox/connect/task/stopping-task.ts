import type { JsonObject } from "../../../../core/values/json.ts";
import type { OracleWorld } from "../../oracle/world.ts";
import type { SandboxTask, TaskedConnector } from "../task.ts";
import { type ErrorCode, stopWith } from "./stopped-task.ts";

/** What a condition that stops the task can see at its start. */
export interface StartSeen {
  readonly oracle: OracleWorld;
  readonly config: Readonly<Record<string, string>>;
  /** The stored offset of this connector. */
  readonly offset: JsonObject;
}

/** @returns what happened, and what the connector advises; undefined where the task may start */
export type StopCondition = (seen: StartSeen) => readonly [happened: string, action: string] | undefined;

/** A task that stops with a code at each of its starts, for as long as the condition holds. */
export function stoppingTask(
  mining: SandboxTask,
  { config }: TaskedConnector,
  oracle: OracleWorld,
  stops: Readonly<Partial<Record<ErrorCode, StopCondition>>>,
): SandboxTask {
  return {
    ...mining,
    start(stored, restored) {
      const offset = stored.find(({ partition }) => partition["server"] === config["cdc.topic.prefix"])?.offset ?? {};
      for (const [code, condition] of Object.entries(stops)) {
        const stop = condition({ oracle, config, offset });
        if (stop !== undefined) throw stopWith(code as ErrorCode, ...stop);
      }
      return mining.start(stored, restored);
    },
  };
}
