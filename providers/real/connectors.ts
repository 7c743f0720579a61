import { CONNECTOR_CLASS, DEBEZIUM_CLASS, LEGACY_CLASS } from "../../core/legacy/connector-class.ts";
import { isObject, type Json, type JsonObject, parseJson, printJson } from "../../core/values/json.ts";
import { callRest, type RestAccess, type RestAnswer, type RestCall } from "./rest.ts";
import { GaveUp, waitFor } from "./wait.ts";

/** Calls a path of a worker. Default: worker 0. */
export type CallWorker = (
  method: RestCall["method"],
  path: string,
  body?: Json,
  options?: { readonly worker?: number; readonly millis?: number },
) => Promise<RestAnswer>;

/** Calls of the workers at these URLs, by their index. */
export function callsTo(url: (worker: number) => string, access: RestAccess): CallWorker {
  return (method, path, body, { worker = 0, millis } = {}) =>
    callRest(
      {
        method,
        url: url(worker) + path,
        ...(body === undefined ? {} : { body: printJson(body, 0) }),
        ...(millis === undefined ? {} : { millis }),
      },
      access,
    );
}

export interface SeenStatus {
  readonly state: string;
  readonly tasks: readonly { readonly state: string; readonly trace: string }[];
}

export interface StoredEntry {
  readonly partition: JsonObject;
  readonly offset: JsonObject;
}

/** Direct access of tests to connectors, without the product's own client. */
export interface Connectors {
  /**
   * Creates (or reconfigures) a stand-in connector and waits until it runs and has stored an offset.
   * @param settings are laid over: one task, prefix = name, and the stand-in's class. `standin.*`: see
   * `plugin/Settings.java`.
   * @throws with the task's trace when it fails.
   */
  createConnector(name: string, settings?: Readonly<Record<string, string>>): Promise<void>;
  /**
   * Creates a stand-in of Confluent's connector, or of Debezium's by its class, and waits until it runs and has stored
   * offsets of all its forms.
   * @param settings are laid over: a container database. `standin.*`: see `plugin/legacy` and `plugin/debezium`.
   */
  createLegacy(name: string, settings?: Readonly<Record<string, string>>): Promise<void>;
  /** All offsets stored under a name, read from worker 0, without partitions that have none. */
  storedEntries(name: string): Promise<readonly StoredEntry[]>;
  /** Creates a connector that has never run and stays STOPPED, with the given offset, if any. */
  createStopped(name: string, settings?: Readonly<Record<string, string>>, offset?: JsonObject): Promise<void>;
  status(name: string): Promise<SeenStatus | undefined>;
  /**
   * Waits for a state of the connector: STOPPED means without tasks, RUNNING with every task running, FAILED with a
   * task failed.
   */
  untilState(name: string, state: "RUNNING" | "STOPPED" | "FAILED", millis?: number): Promise<void>;
  stopConnector(name: string): Promise<void>;
  /** @param until FAILED: its task is expected to fail */
  resumeConnector(name: string, until?: "RUNNING" | "FAILED"): Promise<void>;
  /** The offset of the partition `{"server": prefix}`, by default with prefix = name, read from worker 0. */
  storedOffset(
    name: string,
    of?: { readonly prefix?: string; readonly worker?: number },
  ): Promise<JsonObject | undefined>;
  /** Sends one PATCH of that partition; the connector must be stopped. */
  patchOffset(
    name: string,
    offset: JsonObject | null,
    of?: { readonly prefix?: string; readonly worker?: number },
  ): Promise<RestAnswer>;
}

export function connectorsOf(call: CallWorker): Connectors {
  const path = (name: string, rest = "") => `/connectors/${encodeURIComponent(name)}${rest}`;
  const configOf = (name: string, settings: Readonly<Record<string, string>>) => ({
    "connector.class": CONNECTOR_CLASS,
    "tasks.max": "1",
    "cdc.topic.prefix": name,
    ...settings,
  });
  /** Repeats calls that fail during a rebalance (409) or because of a concurrent change. */
  const insist = (method: RestCall["method"], at: string, body?: Json) =>
    waitFor(`${method} ${at} to be taken`, async () => {
      const answer = await call(method, at, body);
      if (answer.status < 300) return answer;
      const refused = new Error(`${answer.status} ${answer.text}`);
      throw answer.status === 409 ? refused : new GaveUp(`${method} ${at}: ${refused.message}`);
    });

  const status: Connectors["status"] = async (name) => {
    const answer = await call("GET", path(name, "/status"));
    if (answer.status === 404) return undefined;
    return statusFrom(parseJson(answer.text));
  };
  const untilState: Connectors["untilState"] = async (name, state, millis) => {
    await waitFor(
      `${name} to be ${state}`,
      async () => {
        const seen = await status(name);
        if (seen !== undefined && isIn(seen, state)) return seen;
        if (state === "RUNNING") giveUpOnFailure(name, seen);
        throw new Error(JSON.stringify(seen));
      },
      millis,
    );
  };
  const storedEntries = async (name: string, worker = 0): Promise<readonly StoredEntry[]> => {
    const answer = await call("GET", path(name, "/offsets"), undefined, { worker });
    const body = parseJson(answer.text);
    const offsets = isObject(body) ? body["offsets"] : undefined;
    if (!Array.isArray(offsets)) throw new Error(`${answer.status} ${answer.text}`);
    return (offsets as readonly Json[]).flatMap((entry) => {
      if (!isObject(entry) || !isObject(entry["partition"]) || !isObject(entry["offset"])) return [];
      return [{ partition: entry["partition"], offset: entry["offset"] }];
    });
  };
  const storedOffset: Connectors["storedOffset"] = async (name, { prefix = name, worker = 0 } = {}) =>
    (await storedEntries(name, worker)).find(({ partition }) => partition["server"] === prefix)?.offset;
  const start = async (name: string, config: JsonObject, isStored: (entries: readonly StoredEntry[]) => boolean) => {
    await insist("PUT", path(name, "/config"), config);
    await untilState(name, "RUNNING");
    // A task that is about to fail can be RUNNING before.
    await waitFor(`the offsets of ${name}`, async () => {
      giveUpOnFailure(name, await status(name));
      return isStored(await storedEntries(name));
    });
  };
  const patchOffset: Connectors["patchOffset"] = (name, offset, { prefix = name, worker = 0 } = {}) =>
    call("PATCH", path(name, "/offsets"), { offsets: [{ partition: { server: prefix }, offset }] }, { worker });

  return {
    status,
    untilState,
    storedOffset,
    storedEntries: (name) => storedEntries(name),
    patchOffset,
    async createLegacy(name, settings = {}) {
      const isDebezium = settings["connector.class"] === DEBEZIUM_CLASS;
      const database = { "oracle.server": "db.prod", "oracle.sid": "ORCLCDB", "oracle.pdb.name": "ORCLPDB1" };
      const defaults = { "connector.class": LEGACY_CLASS, "tasks.max": "1", ...(isDebezium ? {} : database) };
      const forms = isDebezium ? ["server"] : ["sidPdb", "table"];
      await start(name, { ...defaults, ...settings }, (entries) =>
        forms.every((key) => entries.some(({ partition }) => key in partition)),
      );
    },
    async createConnector(name, settings = {}) {
      const config = configOf(name, settings);
      const prefix = config["cdc.topic.prefix"];
      await start(name, config, (entries) => entries.some(({ partition }) => partition["server"] === prefix));
    },
    async createStopped(name, settings = {}, offset) {
      const config = configOf(name, settings);
      await insist("POST", "/connectors", { name, config, initial_state: "STOPPED" });
      await untilState(name, "STOPPED");
      if (offset === undefined) return;
      const answer = await patchOffset(name, offset, { prefix: config["cdc.topic.prefix"] });
      if (answer.status !== 200) throw new Error(`PATCH of ${name}: ${answer.status} ${answer.text}`);
    },
    async stopConnector(name) {
      await insist("PUT", path(name, "/stop"));
      await untilState(name, "STOPPED");
    },
    async resumeConnector(name, until = "RUNNING") {
      await insist("PUT", path(name, "/resume"));
      await untilState(name, until);
    },
  };
}

function giveUpOnFailure(name: string, seen: SeenStatus | undefined): void {
  const failed = seen?.tasks.find((task) => task.state === "FAILED");
  if (failed !== undefined) throw new GaveUp(`the task of ${name} failed: ${failed.trace}`);
}

function isIn({ state, tasks }: SeenStatus, wanted: "RUNNING" | "STOPPED" | "FAILED"): boolean {
  if (wanted === "STOPPED") return state === "STOPPED" && tasks.length === 0;
  if (wanted === "FAILED") return state === "FAILED" || tasks.some((task) => task.state === "FAILED");
  return state === "RUNNING" && tasks.length > 0 && tasks.every((task) => task.state === "RUNNING");
}

function statusFrom(body: Json): SeenStatus {
  if (!isObject(body) || !isObject(body["connector"]) || !Array.isArray(body["tasks"]))
    throw new Error(`no status: ${printJson(body, 0)}`);
  const tasks = (body["tasks"] as readonly JsonObject[]).map((task) => ({
    state: String(task["state"]),
    trace: String(task["trace"] ?? ""),
  }));
  return { state: String(body["connector"]["state"]), tasks };
}
