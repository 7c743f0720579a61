import type { ConnectorDescription, PluginDescription, WorkerInfo } from "../../core/facts/connector/connector.ts";
import type { OffsetEntry } from "../../core/facts/offset/stored-offset.ts";
import type { Clock } from "../../core/ports/clock.ts";
import { type Instant, instantIfDate } from "../../core/values/instant.ts";
import { isObject, type Json, type JsonObject, jsonObjectIn } from "../../core/values/json.ts";
import type { ConnectorStatus } from "../../schemas/generated/facts.ts";
import type { SettingProblem } from "../../schemas/generated/shared.ts";
import type { Exchange } from "./exchange.ts";
import { connectError, isHtml } from "./failure.ts";

/** Thrown by the readers below; the port turns it into a protocol failure that names the call. */
export class NotAsExpected extends Error {
  override readonly name = "NotAsExpected";
}

const no = (what: string): never => {
  throw new NotAsExpected(what);
};

const objectAt = (json: Json | undefined, where: string): JsonObject =>
  isObject(json) ? json : no(`${where} is not a JSON object`);
const listAt = (json: Json | undefined, where: string): readonly Json[] =>
  Array.isArray(json) ? (json as readonly Json[]) : no(`${where} is not a list`);
const textAt = (json: Json | undefined, where: string): string =>
  typeof json === "string" ? json : no(`${where} is not a string`);
const integerAt = (json: Json | undefined, where: string): bigint =>
  typeof json === "bigint" ? json : no(`${where} is not an integer`);

/** `GET /` */
export function workerInfo(json: Json): WorkerInfo {
  const root = objectAt(json, "the answer");
  return {
    version: textAt(root["version"], "version"),
    clusterId: textAt(root["kafka_cluster_id"], "kafka_cluster_id"),
  };
}

/** `GET /connectors` */
export function connectorNames(json: Json): readonly string[] {
  return listAt(json, "the answer").map((name, index) => textAt(name, `[${index}]`));
}

/** `GET /connector-plugins` */
export function pluginList(json: Json): readonly PluginDescription[] {
  return listAt(json, "the answer").map((item, index) => {
    const { class: className, version } = objectAt(item, `[${index}]`);
    return {
      className: textAt(className, `[${index}].class`),
      version: typeof version === "string" ? version : undefined,
    };
  });
}

/** `GET /connectors/{name}` */
export function connectorDescription(json: Json): ConnectorDescription {
  const root = objectAt(json, "the answer");
  return {
    name: textAt(root["name"], "name"),
    config: Object.fromEntries(
      Object.entries(objectAt(root["config"], "config")).flatMap(([key, value]) =>
        value === null ? [] : [[key, textAt(value, `config["${key}"]`)]],
      ),
    ),
    taskIds: listAt(root["tasks"], "tasks").map((task, index) =>
      Number(integerAt(objectAt(task, `tasks[${index}]`)["task"], `tasks[${index}].task`)),
    ),
    type: typeof root["type"] === "string" ? root["type"] : "",
  };
}

/** `PUT /connector-plugins/{class}/config/validate`: the settings that have errors. */
export function settingProblems(json: Json): readonly SettingProblem[] {
  return listAt(objectAt(json, "the answer")["configs"], "configs").flatMap((item, index) => {
    const found = objectAt(item, `configs[${index}]`)["value"];
    // Plugins answer so for a setting that they have nothing to say of.
    if (found === null) return [];
    const value = objectAt(found, `configs[${index}].value`);
    const errors = listAt(value["errors"], `configs[${index}].value.errors`).map((error) => textAt(error, "an error"));
    return errors.length === 0 ? [] : [{ setting: textAt(value["name"], `configs[${index}].value.name`), errors }];
  });
}

/** `GET /connectors/{name}/status` */
export function connectorStatus(json: Json): ConnectorStatus {
  const root = objectAt(json, "the answer");
  const connector = objectAt(root["connector"], "connector");
  return {
    ...stateAt(connector, "connector"),
    tasks: listAt(root["tasks"], "tasks").map((item, index) => {
      const task = objectAt(item, `tasks[${index}]`);
      return { id: integerAt(task["id"], `tasks[${index}].id`), ...stateAt(task, `tasks[${index}]`) };
    }),
  };
}

/** Whether the worker that reports this status does not know the connector's type. */
export function isOfUnknownType({ status, text }: { readonly status: number; readonly text: string }): boolean {
  return status === 200 && jsonObjectIn(text)?.["type"] === "unknown";
}

function stateAt(json: JsonObject, where: string): { state: string; worker: string; trace?: string } {
  return {
    state: textAt(json["state"], `${where}.state`),
    worker: typeof json["worker_id"] === "string" ? json["worker_id"] : "",
    ...(typeof json["trace"] === "string" ? { trace: json["trace"] } : {}),
  };
}

/** `GET /connectors/{name}/offsets`: partition and offset are returned exactly as read. */
export function offsetEntries(json: Json): readonly OffsetEntry[] {
  return listAt(objectAt(json, "the answer")["offsets"], "offsets").map((item, index) => {
    const entry = objectAt(item, `offsets[${index}]`);
    const offset = entry["offset"];
    return {
      partition: objectAt(entry["partition"], `offsets[${index}].partition`),
      offset: offset === null ? null : objectAt(offset, `offsets[${index}].offset`),
    };
  });
}

/** The workers' time, from their answers. */
interface WorkersClock {
  /**
   * Reads the time from an answer of Connect itself; answers of a proxy or a gateway carry their own time and are
   * ignored.
   */
  observe(seen: Exchange): void;
  /** See `ConnectPort.time`. */
  time(): Instant | undefined;
}

/**
 * The workers' time: the `Date` header of the latest answer plus the monotonic time since, independent of this
 * machine's clock. The header (RFC 9110, 6.6.1; every Jetty answer has it) is truncated to whole seconds, so the time
 * is up to 1 s plus the latency behind, and may go back by as much between answers. If the workers' clocks differ, it
 * is the clock of the latest one; behind a gateway that rewrites `Date`, the gateway's.
 */
export function workersClock(clock: Pick<Clock, "elapsed">): WorkersClock {
  let latest: { readonly epochMillis: number; readonly at: number } | undefined;
  return {
    observe(seen) {
      if (!seen.answered || seen.byProxy || seen.date === undefined) return;
      const ok = seen.status >= 200 && seen.status < 300 && !isHtml(seen.text, seen.contentType);
      if (!ok && connectError(seen) === undefined) return;
      const epochMillis = Date.parse(seen.date);
      if (!Number.isNaN(epochMillis)) latest = { epochMillis, at: clock.elapsed() };
    },
    time: () =>
      latest === undefined ? undefined : instantIfDate(Math.round(latest.epochMillis + clock.elapsed() - latest.at)),
  };
}
