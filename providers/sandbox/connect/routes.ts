import { type ConnectVersion, isAtLeast } from "../../../core/facts/connector/connector.ts";
import type { OffsetEntry } from "../../../core/facts/offset/stored-offset.ts";
import { isObject, type Json, type JsonObject, parseJson } from "../../../core/values/json.ts";
import { type Cluster, type ReportedStatus, type SandboxConnector, statusBehind, type TargetState } from "./cluster.ts";
import { inHashMapOrder, notPrimitive } from "./java-json.ts";

export interface Answer {
  readonly status: number;
  readonly body?: Json;
  /** Jersey's own refusals carry no content type. */
  readonly untyped?: boolean;
  readonly location?: string;
  /** Page of the web server instead of a body. */
  readonly html?: string;
  /** The `Server` header of the web server's own answer. */
  readonly server?: string;
}

export interface Plugin {
  readonly class: string;
  readonly type: string;
  readonly version: string;
}

/**
 * The result of `alterOffsets` of the connector class: true, false (offsets are not checked), or the message of a
 * refusal.
 */
export type AlterOffsets = (connector: SandboxConnector, entries: readonly OffsetEntry[]) => boolean | string;

export interface Worker {
  readonly cluster: Cluster;
  readonly version: string;
  readonly release: ConnectVersion;
  readonly clusterId: string;
  /** `host:port` of a worker, by its number. */
  readonly idOf: (worker: number) => string;
  /** ms of the status topic that it has not read yet; undefined while it has read nothing. */
  readonly behind: () => number | undefined;
  readonly plugins: readonly Plugin[];
  readonly alterOffsets: AlterOffsets;
  /** `exactly.once.source.support=enabled` */
  readonly exactlyOnce: boolean;
  readonly validate: (className: string, config: Readonly<Record<string, string>>) => readonly ConfigError[];
}

export interface ConfigError {
  readonly name: string;
  readonly errors: readonly string[];
}

export interface RestRequest {
  readonly method: string;
  /** Decoded segments of the path. */
  readonly segments: readonly string[];
  readonly contentType: string;
  readonly accept: string;
  readonly body: string;
}

export const failed = (status: number, message: string): Answer => ({
  status,
  body: { error_code: BigInt(status), message },
});
export const forwardFailed = (why: string): Answer => failed(500, `IO Error trying to forward REST request: ${why}`);
/** The message of the 409 for a change during a rebalance. */
export const CONFLICTING_OPERATION =
  "Cannot complete request because of a conflicting operation (e.g. worker rebalance)";
const unknownPath: Answer = { ...failed(404, "HTTP 404 Not Found"), untyped: true };
const wrongMethod: Answer = { ...failed(405, "HTTP 405 Method Not Allowed"), untyped: true };
const wrongType: Answer = { ...failed(415, "HTTP 415 Unsupported Media Type"), untyped: true };
const notFound = (name: string): Answer => failed(404, `Connector ${name} not found`);

/** Answers as a Connect worker does; verbatim as 3.9.2 and 4.3.1 where that was seen. */
export async function answerTo(worker: Worker, request: RestRequest): Promise<Answer> {
  const { method, segments, body, contentType } = request;
  const [first, second, third, fourth] = segments;
  if (body !== "" && !/^application\/json\b/i.test(contentType)) return wrongType;
  if (first === undefined)
    return method === "GET"
      ? {
          status: 200,
          body: { version: worker.version, commit: "5e9866f43ab8e7e4", kafka_cluster_id: worker.clusterId },
        }
      : wrongMethod;
  if (first === "health" && second === undefined && isAtLeast(worker.release, 3, 9)) return health;
  if (first === "connector-plugins") return plugins(worker, method, segments, body);
  if (first !== "connectors" || fourth !== undefined) return unknownPath;
  if (second === undefined) return collection(worker, method, body);
  if (third === undefined) return single(worker, method, second);
  return below(worker, method, second, third, body);
}

const health: Answer = {
  status: 200,
  body: { status: "healthy", message: "Worker has completed startup and is ready to handle requests." },
};

function collection(worker: Worker, method: string, body: string): Answer {
  const { connectors } = worker.cluster;
  if (method === "GET") return { status: 200, body: [...connectors.keys()] };
  if (method !== "POST") return wrongMethod;
  const json = objectIn(body);
  if (typeof json === "string") return failed(500, json);
  const { name, config, initial_state: wanted } = json;
  if (typeof name !== "string" || !isObject(config)) return failed(400, "Connector name or configuration is missing");
  if (wanted !== undefined && wanted !== null && !isAtLeast(worker.release, 3, 7))
    return failed(
      500,
      'Unrecognized field "initial_state" (class ' +
        "org.apache.kafka.connect.runtime.rest.entities.CreateConnectorRequest), not marked as ignorable (2 known " +
        'properties: "config", "name"])',
    );
  const state = wanted ?? "RUNNING";
  if (state !== "RUNNING" && state !== "PAUSED" && state !== "STOPPED")
    return failed(
      500,
      "Cannot construct instance of " +
        `\`org.apache.kafka.connect.runtime.rest.entities.CreateConnectorRequest$InitialState\`, problem: No enum ` +
        "constant " +
        `org.apache.kafka.connect.runtime.rest.entities.CreateConnectorRequest.InitialState.${String(state)}`,
    );
  const settings = textsOf(config);
  const bad = invalid(worker, settings);
  if (bad !== undefined) return bad;
  if (connectors.has(name)) return failed(409, `Connector ${name} already exists`);
  worker.cluster.create(name, settings, state);
  return {
    status: 201,
    location: `/connectors/${encodeURIComponent(name)}`,
    body: { name, config: { ...settings, name }, tasks: [], type: "source" },
  };
}

function single({ cluster }: Worker, method: string, name: string): Answer {
  if (method !== "GET" && method !== "DELETE") return wrongMethod;
  const connector = cluster.connectors.get(name);
  if (connector === undefined) return notFound(name);
  if (method === "GET") return { status: 200, body: described(connector) };
  cluster.remove(connector);
  return { status: 204 };
}

async function below(worker: Worker, method: string, name: string, what: string, body: string): Promise<Answer> {
  const { cluster, release } = worker;
  const connector = cluster.connectors.get(name);
  const target = TARGETS[what];
  if (target !== undefined) {
    if (what === "stop" && !isAtLeast(release, 3, 5)) return unknownPath;
    if (method !== "PUT") return wrongMethod;
    if (connector === undefined) return failed(404, `Unknown connector ${name}`);
    cluster.aim(connector, target);
    return { status: what === "stop" ? 204 : 202 };
  }
  switch (what) {
    case "status": {
      if (method !== "GET") return wrongMethod;
      const status = connector && statusSeenBy(worker, connector);
      return connector === undefined || status === undefined
        ? failed(404, `No status found for connector ${name}`)
        : { status: 200, body: statusOf(worker, connector, status) };
    }
    case "config":
      return configuration(worker, method, name, connector, body);
    case "tasks": {
      if (method !== "GET") return wrongMethod;
      return connector === undefined
        ? notFound(name)
        : { status: 200, body: taskIds(connector).map((id) => ({ id, config: connector.config })) };
    }
    case "restart": {
      if (method !== "POST") return wrongMethod;
      if (connector === undefined) return failed(404, `Unknown connector ${name}`);
      cluster.restart(connector);
      const status = statusSeenBy(worker, connector);
      const { connector: own, ...rest } = statusOf(worker, connector, status) as { connector: JsonObject };
      return { status: 202, body: { name, connector: { ...own, state: "RESTARTING" }, ...rest } };
    }
    case "offsets":
      return isAtLeast(release, 3, 5) ? offsets(worker, method, name, connector, body) : unknownPath;
    default:
      return unknownPath;
  }
}

const TARGETS: Readonly<Record<string, TargetState>> = { stop: "STOPPED", pause: "PAUSED", resume: "RUNNING" };

async function offsets(
  worker: Worker,
  method: string,
  name: string,
  connector: SandboxConnector | undefined,
  body: string,
): Promise<Answer> {
  const { cluster, release } = worker;
  if (method === "GET")
    return connector === undefined
      ? notFound(name)
      : {
          status: 200,
          body: { offsets: cluster.offsets.of(name).map(({ partition, offset }) => ({ partition, offset })) },
        };
  if ((method !== "PATCH" && method !== "DELETE") || !isAtLeast(release, 3, 6)) return wrongMethod;
  const entries = method === "PATCH" ? offsetsIn(body) : [];
  if ("status" in entries) return entries;
  if (connector === undefined) return notFound(name);
  await connector.settled;
  if (connector.target !== "STOPPED")
    return failed(
      400,
      "Connectors must be in the STOPPED state before their offsets can be modified. This can be done for the " +
        `specified connector by issuing a 'PUT' request to the '/connectors/${name}/stop' endpoint`,
    );
  if (method === "DELETE") {
    cluster.alter(
      name,
      cluster.offsets.of(name).map(({ partition }) => ({ partition, offset: null })),
    );
    return { status: 200, body: { message: "The offsets for this connector have been reset successfully" } };
  }
  for (const { partition, offset } of entries)
    for (const [field, value] of [...Object.entries(partition), ...Object.entries(offset ?? {})]) {
      const type = notPrimitive(value);
      if (type !== undefined)
        return failed(500, `Offsets may only contain primitive types as values, but field ${field} contains ${type}`);
    }
  const verdict = worker.alterOffsets(connector, entries);
  if (typeof verdict === "string") return failed(500, verdict);
  cluster.alter(name, entries);
  return {
    status: 200,
    body: {
      message: verdict
        ? "The offsets for this connector have been altered successfully"
        : "The Connect framework-managed offsets for this connector have been altered successfully. However, if " +
          "this connector manages offsets externally, they will need to be manually altered in the system that the " +
          "connector uses.",
    },
  };
}

function offsetsIn(body: string): readonly OffsetEntry[] | Answer {
  if (body === "")
    return failed(
      500,
      'Cannot invoke "org.apache.kafka.connect.runtime.rest.entities.ConnectorOffsets.offsets()" because ' +
        '"offsets" is null',
    );
  const json = objectIn(body);
  if (typeof json === "string") return failed(500, json);
  const more = Object.keys(json).find((key) => key !== "offsets");
  if (more !== undefined)
    return failed(
      500,
      `Unrecognized field "${more}" (class org.apache.kafka.connect.runtime.rest.entities.ConnectorOffsets), not ` +
        `marked as ignorable (one known property: "offsets"])`,
    );
  const list = json["offsets"];
  if (!Array.isArray(list) || list.length === 0)
    return failed(400, "Partitions / offsets need to be provided for an alter offsets request");
  return (list as readonly Json[]).flatMap((entry) => {
    if (!isObject(entry) || !isObject(entry["partition"])) return [];
    return [{ partition: entry["partition"], offset: isObject(entry["offset"]) ? entry["offset"] : null }];
  });
}

function configuration(
  worker: Worker,
  method: string,
  name: string,
  connector: SandboxConnector | undefined,
  body: string,
): Answer {
  if (method === "GET")
    return connector === undefined ? notFound(name) : { status: 200, body: inHashMapOrder(connector.config) };
  const patching = method === "PATCH" && isAtLeast(worker.release, 3, 8);
  if (method !== "PUT" && !patching) return wrongMethod;
  const json = objectIn(body);
  if (typeof json === "string") return failed(500, json);
  if (patching && connector === undefined) return notFound(name);
  const config = { ...(patching ? connector?.config : {}), ...textsOf(json) };
  const bad = invalid(worker, config);
  if (bad !== undefined) return bad;
  if (connector === undefined) {
    worker.cluster.create(name, config, "RUNNING");
    return {
      status: 201,
      location: `/connectors/${encodeURIComponent(name)}`,
      body: { name, config: { ...config, name }, tasks: [], type: "source" },
    };
  }
  worker.cluster.reconfigure(connector, config);
  return { status: 200, body: described(connector) };
}

function plugins(worker: Worker, method: string, segments: readonly string[], body: string): Answer {
  const [, className, config, action] = segments;
  if (className === undefined)
    return method === "GET" ? { status: 200, body: worker.plugins.map((plugin) => ({ ...plugin })) } : wrongMethod;
  if (config !== "config" || action !== "validate" || segments.length > 4) return unknownPath;
  if (method !== "PUT") return wrongMethod;
  const json = objectIn(body);
  if (typeof json === "string") return failed(500, json);
  const settings = textsOf(json);
  const plugin = pluginNamed(worker, className);
  if (plugin === undefined)
    return failed(
      500,
      (isAtLeast(worker.release, 4, 0)
        ? "org.apache.kafka.connect.runtime.rest.errors.BadRequestException: "
        : "org.apache.kafka.connect.errors.ConnectException: ") + noSuchClass(worker, className),
    );
  if (pluginNamed(worker, settings["connector.class"] ?? "") !== plugin)
    return failed(
      400,
      `Included connector type ${settings["connector.class"]} does not match request type ${className}`,
    );
  const errors = [
    ...(settings["name"] === undefined ? [NAMELESS] : []),
    ...notExactlyOnce(worker, settings),
    ...worker.validate(plugin.class, settings),
  ];
  return {
    status: 200,
    body: {
      name: plugin.class,
      error_count: BigInt(errors.length),
      groups: [],
      configs: [
        ...Object.entries(settings)
          .filter(([name]) => !errors.some((one) => one.name === name))
          .map(([name, value]) => ({ name, value, errors: [] as readonly string[] })),
        ...errors.map((one) => ({ name: one.name, value: settings[one.name] ?? null, errors: one.errors })),
      ].map(({ name, value, errors: found }) => ({
        definition: { name, type: "STRING", required: false },
        value: { name, value, recommended_values: [], errors: found, visible: true },
      })),
    },
  };
}

/** The error for every connector; a POST adds the name itself. */
const NAMELESS: ConfigError = {
  name: "name",
  errors: ['Missing required configuration "name" which has no default value.'],
};

/**
 * The error of a distributed worker for a source connector that requires exactly-once support when the worker runs
 * without it; since 3.3.
 */
function notExactlyOnce(
  { exactlyOnce, release }: Worker,
  config: Readonly<Record<string, string>>,
): readonly ConfigError[] {
  const name = "exactly.once.support";
  return !exactlyOnce && isAtLeast(release, 3, 3) && config[name]?.toLowerCase() === "required"
    ? [{ name, errors: ["This worker does not have exactly-once source support enabled."] }]
    : [];
}

function pluginNamed({ plugins: known }: Worker, name: string): Plugin | undefined {
  return known.find(({ class: full }) => {
    const short = full.slice(full.lastIndexOf(".") + 1);
    return full === name || short === name || short === `${name}Connector`;
  });
}

const noSuchClass = ({ plugins: known }: Worker, name: string): string =>
  `Failed to find any class that implements Connector and which name matches ${name}, available connectors are: ` +
  known.map(showPlugin).join(", ");

const showPlugin = (plugin: Plugin): string =>
  `PluginDesc{klass=class ${plugin.class}, name='${plugin.class}', ` +
  `version='${plugin.version}', type=${plugin.type}}`;

function invalid(worker: Worker, config: Readonly<Record<string, string>>): Answer | undefined {
  const className = config["connector.class"] ?? "";
  const plugin = pluginNamed(worker, className);
  if (plugin === undefined)
    return isAtLeast(worker.release, 4, 0)
      ? failed(400, `org.apache.kafka.connect.errors.ConnectException: ${noSuchClass(worker, className)}`)
      : failed(500, noSuchClass(worker, className));
  const errors = [...notExactlyOnce(worker, config), ...worker.validate(plugin.class, config)].flatMap(
    (one) => one.errors,
  );
  if (errors.length === 0) return undefined;
  return failed(
    400,
    `Connector configuration is invalid and contains the following ${errors.length} ` +
      `error(s):\n${errors.join("\n")}\nYou can also find the above list of errors at the endpoint ` +
      `\`/connector-plugins/{connectorType}/config/validate\``,
  );
}

const taskIds = (connector: SandboxConnector): readonly JsonObject[] =>
  connector.target === "STOPPED" ? [] : [{ connector: connector.name, task: 0n }];

const described = (connector: SandboxConnector): JsonObject => ({
  name: connector.name,
  config: inHashMapOrder(connector.config),
  tasks: taskIds(connector),
  type: "source",
});

function statusSeenBy({ behind }: Worker, connector: SandboxConnector): ReportedStatus | undefined {
  const millis = behind();
  return millis === undefined ? undefined : statusBehind(connector, millis);
}

function statusOf(
  { idOf, release, plugins: known }: Worker,
  { name, place }: SandboxConnector,
  status: ReportedStatus | undefined,
): JsonObject {
  const on = (worker: number) => ({
    worker_id: idOf(worker),
    ...(isAtLeast(release, 4, 0) ? { version: known[0]?.version ?? "" } : {}),
  });
  const withTrace = (trace: string | undefined) => (trace === undefined ? {} : { trace });
  return {
    name,
    connector: { state: status?.state ?? "UNASSIGNED", ...on(place.connector), ...withTrace(status?.trace) },
    tasks: (status?.tasks ?? []).map((task) => ({
      id: BigInt(task.id),
      state: task.state,
      ...on(place.task),
      ...withTrace(task.trace),
    })),
    type: "source",
  };
}

function objectIn(body: string): JsonObject | string {
  try {
    const json = parseJson(body);
    return isObject(json) ? json : "Cannot deserialize value: an object is expected";
  } catch (failure) {
    return `Unexpected end-of-input or character: ${failure instanceof Error ? failure.message : ""}`;
  }
}

const textsOf = (json: JsonObject): Record<string, string> =>
  Object.fromEntries(Object.entries(json).flatMap(([key, value]) => (value === null ? [] : [[key, String(value)]])));
