import { CallFailed, UsageError } from "../../core/errors.ts";
import type { ConnectorDescription } from "../../core/facts/connector/connector.ts";
import { hasTrace, withRedactedTraces } from "../../core/facts/connector/traces.ts";
import type { OffsetEntry } from "../../core/facts/offset/stored-offset.ts";
import type { ConnectPort } from "../../core/ports/connect.ts";
import { urlPart } from "../../core/values/escape.ts";
import { printJson } from "../../core/values/json.ts";
import type { ConnectorStatus } from "../../schemas/generated/facts.ts";
import { CONNECT_LIMITS, type ConnectLimits } from "../limits.ts";
import {
  connectorDescription,
  connectorNames,
  connectorStatus,
  isOfUnknownType,
  offsetEntries,
  pluginList,
  settingProblems,
  workerInfo,
} from "./answers.ts";
import { callsOf, type Doubt, reportsMissing } from "./calls.ts";
import { asking, changeAnswer, creating, deleting, OFFSETS_CALL, patchAnswer, restarting } from "./change-answer.ts";
import type { Call } from "./exchange.ts";
import { protocolFailure, type Redact } from "./failure.ts";
import { outsideText } from "./outside-text.ts";
import { answerRedaction } from "./redact-answers.ts";
import { openWorkers, type WorkersOptions } from "./workers.ts";

export interface ConnectOptions extends WorkersOptions {
  readonly limits?: ConnectLimits;
  /** Redacts the secrets that the caller knows, in addition to those in the workers' configurations. Default: none. */
  readonly redact?: Redact;
}

/**
 * Opens the REST API of a Connect cluster over node:http(s). No connection is made before the first call.
 *
 * @throws UsageError for a URL with credentials, a URL that is not http(s), and unusable certificates or credentials
 */
export function openConnect(options: ConnectOptions): ConnectPort {
  const limits = { ...CONNECT_LIMITS, ...options.limits };
  const workers = openWorkers({ ...options, limits });
  const { endpoint, otherUrls } = workers;
  const answers = answerRedaction({
    auth: options.auth,
    redact: options.redact,
    fetchConnector: (name) => workers.once({ method: "GET", path: pathOf(name) }, limits.callMillis),
  });
  const { ask, read, get, find, refused, attempt } = callsOf(workers, answers, options.clock, limits);

  const describe = async (name: string): Promise<ConnectorDescription | undefined> => {
    const description = await find(pathOf(name), connectorDescription);
    if (description === undefined) return undefined;
    if (description.name !== name)
      throw protocolFailure(
        endpoint,
        { method: "GET", path: pathOf(name) },
        `was asked for the connector ${name}, and answered with ${outsideText(description.name, 200)}`,
      );
    answers.seen(name, description.config);
    return description;
  };

  /**
   * Traces repeat values of the configuration: if there is a trace, the configuration is read as well, and the trace is
   * redacted here.
   */
  const statusOf = async (name: string): Promise<ConnectorStatus | undefined> => {
    const status = await find(`${pathOf(name)}/status`, connectorStatus, doubtOfStatus(name, describe));
    if (status === undefined || !hasTrace(status)) return status;
    const description = await describe(name).catch((failure: unknown) =>
      failure instanceof CallFailed ? undefined : Promise.reject(failure),
    );
    return withRedactedTraces(status, description?.config);
  };

  return {
    url: endpoint.shown,
    ...(otherUrls.length === 0 ? {} : { otherUrls }),
    time: workers.time,
    worker: () => get("/", workerInfo),
    async connectors() {
      // Until a worker has read its topics, it answers with none or only some connectors; it answers this call only
      // afterwards.
      await ask({ method: "GET", path: NO_CONNECTOR });
      return get("/connectors", connectorNames);
    },
    plugins: () => get("/connector-plugins", pluginList),
    async validate(className, config) {
      answers.sent(config);
      const path = `/connector-plugins/${urlPart(className)}/config/validate`;
      const call: Call = { method: "PUT", path, body: printJson({ ...config, "connector.class": className }, 0) };
      const seen = await ask(call);
      if (seen.status !== 200) throw await refused(call, seen);
      const problems = read(call, seen, settingProblems);
      const redact = await answers.redactorFor(call, seen);
      return problems.map(({ setting, errors }) => ({ setting, errors: errors.map(redact) }));
    },
    connector: describe,
    status: statusOf,
    offsets: (name) => get(`${pathOf(name)}/offsets`, offsetEntries),
    async stop(name) {
      const call: Call = { method: "PUT", path: `${pathOf(name)}/stop` };
      return changeAnswer(...(await attempt(call, limits.orderMillis)), asking(name, "STOPPED"));
    },
    async resume(name) {
      const call: Call = { method: "PUT", path: `${pathOf(name)}/resume` };
      const [seen, why, redact] = await attempt(call, limits.orderMillis);
      const answer = changeAnswer(seen, why, redact, asking(name, "RUNNING"));
      if (answer.answer !== "rejected" || !seen.answered || !reportsMissing(seen)) return answer;
      // The only changing call that the herder's thread does not answer: to a worker that has not read its topics,
      // every connector is unknown.
      const described = await workers.once({ method: "GET", path: pathOf(name) }, limits.callMillis);
      if (described.answered && reportsMissing(described)) return answer;
      return { answer: "rejected", status: 0, message: `nothing was done, the worker is starting: ${answer.message}` };
    },
    async restart(name, onlyFailed) {
      const call: Call = { method: "POST", path: `${pathOf(name)}/restart?includeTasks=true&onlyFailed=${onlyFailed}` };
      return changeAnswer(...(await attempt(call, limits.orderMillis)), restarting(name));
    },
    async patchOffsets(name, entries, patience = limits.patchMillis) {
      const call: Call = { method: "PATCH", path: `${pathOf(name)}/offsets`, body: patchBody(entries) };
      return patchAnswer(...(await attempt(call, Math.min(patience, limits.patchMillis))));
    },
    async create(name, config, initialState) {
      answers.sent(config);
      const state = initialState === undefined ? {} : { initial_state: initialState };
      const body = printJson({ name, config: { ...config, name }, ...state }, 0);
      return changeAnswer(...(await attempt({ method: "POST", path: "/connectors", body })), creating(name));
    },
    async deleteOffsets(name) {
      return changeAnswer(...(await attempt({ method: "DELETE", path: `${pathOf(name)}/offsets` })), OFFSETS_CALL);
    },
    async deleteConnector(name) {
      return changeAnswer(...(await attempt({ method: "DELETE", path: pathOf(name) })), deleting(name));
    },
    close: workers.close,
  };
}

/**
 * A worker answers `/status` before it has read the status topic and its configuration: `No status found` of a
 * connector that runs, then a status that may be an old one, with the type `unknown` (for up to 2 s on 3.9.2 and
 * 4.3.1; as long as a broker is silent). `GET /connectors/{name}` is answered by the herder's thread, once the worker
 * has read everything and joined its group.
 */
function doubtOfStatus(name: string, describe: ConnectPort["connector"]): Doubt {
  let joined = false;
  return async (seen) => {
    if (reportsMissing(seen))
      return (await describe(name)) === undefined ? undefined : "the worker has no status of a connector that exists";
    // A worker that has joined reports this for a class that it does not have.
    if (joined || !isOfUnknownType(seen)) return undefined;
    await describe(name);
    joined = true;
    return "the worker had not read the connector's configuration";
  };
}

/** A path that only the herder's thread answers. A connector of this name need not exist. */
const NO_CONNECTOR = "/connectors/-";

/** @throws UsageError for a name that a URL would take for another path */
function pathOf(name: string): string {
  if (/^\.{0,2}$/.test(name))
    throw new UsageError(`no call of Connect reaches a connector named ${JSON.stringify(name)}`, "Name the connector.");
  return `/connectors/${urlPart(name)}`;
}

function patchBody(entries: readonly OffsetEntry[]): string {
  return printJson({ offsets: entries.map(({ partition, offset }) => ({ partition, offset })) }, 0);
}
