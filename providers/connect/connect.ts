import { setMaxListeners } from "node:events";
import { CallFailed, UsageError } from "../../core/errors.ts";
import { type ConnectorDescription, connectVersion, isAtLeast } from "../../core/facts/connector/connector.ts";
import { hasTrace, withRedactedTraces } from "../../core/facts/connector/traces.ts";
import type { OffsetEntry } from "../../core/facts/offset/stored-offset.ts";
import type { Clock } from "../../core/ports/clock.ts";
import type { ConnectPort } from "../../core/ports/connect.ts";
import { urlPart } from "../../core/values/escape.ts";
import { type Json, parseJson, printJson } from "../../core/values/json.ts";
import type { ConnectorStatus } from "../../schemas/generated/facts.ts";
import { CONNECT_LIMITS, type ConnectLimits } from "../limits.ts";
import {
  connectorDescription,
  connectorNames,
  connectorStatus,
  isOfUnknownType,
  NotAsExpected,
  offsetEntries,
  pluginList,
  settingProblems,
  workerInfo,
  workersClock,
} from "./answers.ts";
import { asking, changeAnswer, creating, deleting, OFFSETS_CALL, patchAnswer, restarting } from "./change-answer.ts";
import {
  authorizationOf,
  type ConnectAuth,
  type Endpoint,
  outsideText,
  readEndpoint,
  type TlsMaterial,
  tlsOptions,
} from "./endpoint.ts";
import { type Answered, type Call, type Exchange, exchange, type Line } from "./exchange.ts";
import {
  callFailed,
  connectError,
  contradicted,
  isHtml,
  isPassing,
  isWithoutApi,
  protocolFailure,
  type Redact,
} from "./failure.ts";
import { type Agents, type Environment, openAgents, type ProxyChoice, proxyFor } from "./proxy.ts";
import { answerRedaction } from "./redact-answers.ts";

export interface ConnectOptions extends TlsMaterial, Pick<ConnectPort, "context"> {
  /** `https://gateway/kafka-connect/`: without credentials. */
  readonly url: string;
  /** Further workers of the same cluster, likewise: asked in turn while one does not answer. */
  readonly otherUrls?: readonly string[];
  readonly auth?: ConnectAuth;
  /** Default: from the environment. */
  readonly proxy?: ProxyChoice | "none";
  /** Default: the process's. */
  readonly environment?: Environment;
  readonly limits?: ConnectLimits;
  /** Redacts the secrets that the caller knows, in addition to those in the workers' configurations. Default: none. */
  readonly redact?: Redact;
  readonly clock: Clock;
  /** Called after each HTTP request. */
  readonly requested?: (seen: RequestSeen) => void;
}

/** One HTTP request of a call, without bodies, headers and the host. */
export interface RequestSeen {
  readonly method: Call["method"];
  /** The path below the URL's, encoded. */
  readonly path: string;
  /** The time from connecting to the end of the answer. */
  readonly millis: number;
  /** The status, `timeout`, `cut`, `large`, `closed`, or the code of a connection error. */
  readonly outcome: string;
}

/**
 * Opens the REST API of a Connect cluster over node:http(s). No connection is made before the first call.
 *
 * @throws UsageError for a URL with credentials, a URL that is not http(s), and unusable certificates or credentials
 */
export function openConnect(options: ConnectOptions): ConnectPort {
  const limits = { ...CONNECT_LIMITS, ...options.limits };
  const { workers, answers, ask, read, get, find, refused, attempt } = converse(options, limits);
  const { endpoint, others, once } = workers;

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
   * A worker answers `/status` before it has read the status topic and its configuration: `No status found` of a
   * connector that runs, then a status that may be an old one, with the type `unknown` (for up to 2 s on 3.9.2 and
   * 4.3.1; as long as a broker is silent). `GET /connectors/{name}` is answered by the herder's thread, once the worker
   * has read everything and joined its group.
   */
  const doubtOfStatus = (name: string): Doubt => {
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
  };

  /**
   * Traces repeat values of the configuration: if there is a trace, the configuration is read as well, and the trace is
   * redacted here.
   */
  const statusOf = async (name: string): Promise<ConnectorStatus | undefined> => {
    const status = await find(`${pathOf(name)}/status`, connectorStatus, doubtOfStatus(name));
    if (status === undefined || !hasTrace(status)) return status;
    const description = await describe(name).catch((failure: unknown) =>
      failure instanceof CallFailed ? undefined : Promise.reject(failure),
    );
    return withRedactedTraces(status, description?.config);
  };

  const change = async (call: Call, says: Parameters<typeof changeAnswer>[3], millis?: number) =>
    changeAnswer(...(await attempt(call, millis)), says);

  return {
    url: endpoint.shown,
    ...(others.length === 0 ? {} : { otherUrls: others }),
    context: options.context,
    time: workers.time,
    worker: () => get("/", workerInfo),
    async connectors() {
      // A worker that has not read its topics answers with none or only some connectors; it answers this call only
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
    stop: async (name) =>
      change({ method: "PUT", path: `${pathOf(name)}/stop` }, asking(name, "STOPPED"), limits.orderMillis),
    async resume(name) {
      const call: Call = { method: "PUT", path: `${pathOf(name)}/resume` };
      const [seen, why, redact] = await attempt(call, limits.orderMillis);
      const answer = changeAnswer(seen, why, redact, asking(name, "RUNNING"));
      if (answer.answer !== "rejected" || !seen.answered || !reportsMissing(seen)) return answer;
      // The only changing call that the herder's thread does not answer: to a worker that has not read its topics,
      // every connector is unknown.
      const described = await once({ method: "GET", path: pathOf(name) }, limits.callMillis);
      if (described.answered && reportsMissing(described)) return answer;
      return { answer: "rejected", status: 0, message: `nothing was done, the worker is starting: ${answer.message}` };
    },
    async restart(name, onlyFailed) {
      const path = `${pathOf(name)}/restart?includeTasks=true&onlyFailed=${onlyFailed}`;
      return change({ method: "POST", path }, restarting(name), limits.orderMillis);
    },
    async patchOffsets(name, entries, patience = limits.patchMillis) {
      const call: Call = { method: "PATCH", path: `${pathOf(name)}/offsets`, body: patchBody(entries) };
      return patchAnswer(...(await attempt(call, Math.min(patience, limits.patchMillis))));
    },
    async create(name, config, initialState) {
      answers.sent(config);
      const state = initialState === undefined ? {} : { initial_state: initialState };
      const body = printJson({ name, config: { ...config, name }, ...state }, 0);
      return change({ method: "POST", path: "/connectors", body }, creating(name));
    },
    deleteOffsets: async (name) => change({ method: "DELETE", path: `${pathOf(name)}/offsets` }, OFFSETS_CALL),
    deleteConnector: async (name) => change({ method: "DELETE", path: pathOf(name) }, deleting(name)),
    close: workers.close,
  };
}

/** What is asked of a cluster and answered, whatever it is about: repeated, read, redacted, or a failure. */
function converse(options: ConnectOptions, limits: Limits) {
  const { clock } = options;
  const workers = reachWorkers(options, limits);
  const { endpoint, closing, once } = workers;

  const answers = answerRedaction({
    auth: options.auth,
    redact: options.redact,
    fetchConnector: (name) => once({ method: "GET", path: pathOf(name) }, limits.callMillis),
  });

  /**
   * Repeats a request until the answer is final.
   *
   * @param doubt returns a reason to distrust an answer; the request is then repeated, too
   * @throws CallFailed with the number of attempts and the time spent
   */
  const ask = async (call: Call, doubt: Doubt = noDoubt): Promise<Answered> => {
    const began = clock.elapsed();
    for (let attempt = 1; ; attempt++) {
      const seen = await once(call, limits.callMillis);
      let why: string | undefined;
      if (!isPassing(seen)) {
        if (!seen.answered) throw await failed(call, seen);
        why = await doubt(seen);
        if (why === undefined) return seen;
      }
      const spent = clock.elapsed() - began;
      const pause = Math.min(4000, 200 * 2 ** (attempt - 1)) * (0.5 + clock.random() / 2);
      const usual = workers.hadContact() ? limits.retryMillis : Math.min(limits.firstContactMillis, limits.retryMillis);
      const limit = seen.answered && isWithoutApi(seen) ? Math.max(usual, limits.startingMillis) : usual;
      if (closing.aborted || spent + pause > limit) {
        const tried = ` (tried ${attempt} ${attempt === 1 ? "time" : "times"} in ${(spent / 1000).toFixed(1)} s)`;
        if (why !== undefined && seen.answered) throw contradicted(workers.endpointOf(seen), call, seen, why, tried);
        throw await failed(call, seen, tried);
      }
      if (seen.answered && isWithoutApi(seen)) workers.turn();
      await clock.sleep(pause, closing);
    }
  };

  const failed = async (call: Call, seen: Exchange, tried = ""): Promise<CallFailed> =>
    callFailed(workers.endpointOf(seen), call, seen, await answers.redactorFor(call, seen), tried);

  const read = <T>(call: Call, seen: Answered, reading: (json: Json) => T): T => {
    const html = isHtml(seen.text, seen.contentType);
    try {
      if (!html) return reading(parseJson(seen.text));
    } catch (error) {
      if (error instanceof NotAsExpected)
        throw protocolFailure(
          endpoint,
          call,
          `answered JSON that is not Connect's: ${outsideText(error.message, 200)}`,
        );
      if (!(error instanceof SyntaxError)) throw error;
    }
    const what = html ? "HTML (a proxy, a gateway or another service)" : "incomplete JSON";
    throw protocolFailure(endpoint, call, `answered ${seen.status} with ${what}`);
  };

  const get = async <T>(path: string, reading: (json: Json) => T): Promise<T> => {
    const call: Call = { method: "GET", path };
    const seen = await ask(call);
    if (seen.status !== 200) throw await refused(call, seen);
    return read(call, seen, reading);
  };

  /** Reads a resource; undefined only for Connect's own "no such connector". */
  const find = async <T>(path: string, reading: (json: Json) => T, doubt?: Doubt): Promise<T | undefined> => {
    const call: Call = { method: "GET", path };
    const seen = await ask(call, doubt);
    if (seen.status === 200) return read(call, seen, reading);
    if (reportsMissing(seen)) return undefined;
    throw await refused(call, seen);
  };

  /** A path that the worker does not know: reports the required version and, if known, the running one. */
  const refused = async (call: Call, seen: Answered): Promise<CallFailed> => {
    const needed =
      /\/(stop|offsets)$/.exec(call.path) === null
        ? undefined
        : call.method === "PATCH" || call.method === "DELETE"
          ? 6
          : 5;
    if (needed === undefined || connectError(seen)?.unknownPath !== true) return failed(call, seen);
    const version = await once({ method: "GET", path: "/" }, limits.callMillis)
      .then((root) => (root.answered && root.status === 200 ? workerInfo(parseJson(root.text)).version : undefined))
      .catch(() => undefined);
    const known = version === undefined ? undefined : connectVersion(version);
    if (known !== undefined && isAtLeast(known, 3, needed)) return failed(call, seen);
    return new CallFailed("connect", "unsupported", {
      code: `HTTP ${seen.status}`,
      message:
        `${outsideText(`${call.method} ${endpoint.shown}${call.path}`)}: this needs Kafka Connect 3.${needed} ` +
        `(Confluent Platform 7.${needed}) or later; the worker ` +
        `${version === undefined ? "does not know the call" : `is ${outsideText(version, 60)}`}`,
      remedy: `Upgrade the workers to 3.${needed} or later.`,
    });
  };

  /** One attempt of a changing call, and its description as a failure. */
  const attempt = async (
    call: Call,
    millis = limits.patchMillis,
  ): Promise<[seen: Exchange, why: string, redact: Redact]> => {
    const seen = await once(call, millis);
    const redact = await answers.redactorFor(call, seen);
    const failure =
      seen.answered && connectError(seen)?.unknownPath
        ? await refused(call, seen)
        : callFailed(workers.endpointOf(seen), call, seen, redact);
    return [seen, failure.message, redact];
  };

  return { workers, answers, ask, read, get, find, refused, attempt };
}

/** The workers of a cluster, of which one is asked at a time. */
function reachWorkers(options: ConnectOptions, { answerBytes }: Limits) {
  const { clock } = options;
  const routeTo = (url: string): Route => {
    const endpoint = readEndpoint(url);
    const tls = endpoint.secure ? tlsOptions(options) : {};
    return { endpoint, tls, proxy: proxyFor(endpoint, options.proxy, options.environment ?? process.env) };
  };
  const first = routeTo(options.url);
  const routes = [first, ...(options.otherUrls ?? []).map(routeTo)];
  const agentsOf = new Map<Route, Promise<Agents>>();
  /** The worker that is asked next. */
  let next = 0;
  const turn = (): void => {
    next = (next + 1) % routes.length;
  };
  const askedOf = new WeakMap<Exchange, Endpoint>();
  const authorization = authorizationOf(options.auth);
  const closing = new AbortController();
  // Each call under way listens to it, as many as there are connectors.
  setMaxListeners(0, closing.signal);
  const theirClock = workersClock(clock);
  let contact = false;

  const askOne = async (route: Route, call: Call, millis: number): Promise<Exchange> => {
    const began = clock.elapsed();
    const { endpoint: to, tls, proxy } = route;
    const agents = agentsOf.get(route) ?? openAgents(to.secure, proxy);
    agentsOf.set(route, agents);
    const line: Line = { endpoint: to, agents: await agents, authorization, tls, answerBytes, closing: closing.signal };
    const seen = await exchange(line, call, millis);
    askedOf.set(seen, to);
    const outcome = seen.answered ? String(seen.status) : seen.by === "error" ? seen.code : seen.by;
    options.requested?.({ method: call.method, path: call.path, millis: clock.elapsed() - began, outcome });
    if (seen.answered && !seen.byProxy) contact = true;
    theirClock.observe(seen);
    return seen;
  };

  /**
   * One request. A worker that does not answer is left for the next one; this request is sent there only if it is a
   * read, or certainly was not sent: an unanswered change may still take effect.
   */
  const once = async (call: Call, millis: number): Promise<Exchange> => {
    for (let tried = 1; ; tried++) {
      const route = routes[next] ?? first;
      const seen = await askOne(route, call, millis);
      if (seen.answered || seen.by === "closed" || seen.by === "large") return seen;
      if (routes[next] === route) turn();
      if (tried >= routes.length || (seen.sent && call.method !== "GET")) return seen;
    }
  };

  return {
    endpoint: first.endpoint,
    others: routes.slice(1).map((route) => route.endpoint.shown),
    time: theirClock.time,
    closing: closing.signal,
    once,
    turn,
    hadContact: () => contact,
    endpointOf: (seen: Exchange): Endpoint => askedOf.get(seen) ?? first.endpoint,
    async close() {
      closing.abort();
      for (const agents of agentsOf.values()) {
        const open = await agents.catch(() => undefined);
        open?.kept.destroy();
        open?.fresh.destroy();
      }
    },
  };
}

type Limits = Required<ConnectLimits>;

/** How one worker is reached. */
interface Route {
  readonly endpoint: Endpoint;
  readonly tls: object;
  readonly proxy: URL | undefined;
}

/** A reason to distrust an answer; undefined: none. */
type Doubt = (seen: Answered) => Promise<string | undefined>;

const noDoubt: Doubt = async () => undefined;

/** Connect's own 404, of a path that it knows. */
function reportsMissing(seen: Answered): boolean {
  const own = connectError(seen);
  return own !== undefined && own.status === 404 && !own.unknownPath;
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
