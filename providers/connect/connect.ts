import { CallFailed } from "../../core/errors.ts";
import { connectVersion, isAtLeast } from "../../core/facts/connect-version.ts";
import type { ConnectorDescription, ConnectorStatus } from "../../core/facts/connector.ts";
import { hasTrace, withMaskedTraces } from "../../core/facts/connector-traces.ts";
import type { OffsetEntry } from "../../core/facts/offset.ts";
import type { Clock } from "../../core/ports/clock.ts";
import type { ConnectPort } from "../../core/ports/connect.ts";
import { type Json, parseJson, printJson } from "../../core/values/json.ts";
import {
  connectorDescription,
  connectorNames,
  connectorStatus,
  NotAsExpected,
  offsetEntries,
  pluginList,
  settingProblems,
  workerInfo,
} from "./answers.ts";
import { changeAnswer, createdIn, deletedIn, messageOf, patchAnswer } from "./change-answer.ts";
import { authorizationOf, type ConnectAuth, readEndpoint, type TlsMaterial, tlsOptions } from "./endpoint.ts";
import { type Answered, type Call, type Exchange, exchange, type Line } from "./exchange.ts";
import { callFailed, connectError, isHtml, isPassing, protocolFailure, type Told } from "./failure.ts";
import { outsideText } from "./outside-text.ts";
import { type Agents, type Environment, openAgents, type ProxyChoice, proxyFor } from "./proxy.ts";
import { saidByWorkers } from "./said-by-workers.ts";

export interface ConnectLimits {
  /** One attempt of a read, a stop or a resume. Default 15,000 ms. */
  readonly callMillis?: number;
  /** A PATCH, POST or DELETE. Default 100,000 ms: the worker's own timer is 90 s. */
  readonly patchMillis?: number;
  /** All attempts of one call together. Default 30,000 ms. */
  readonly retryMillis?: number;
  /** The same as long as nothing ever answered under this URL, so that a wrong one is told soon. Default 5,000 ms. */
  readonly firstContactMillis?: number;
  /** Largest answer. Default 64 MiB. */
  readonly answerBytes?: number;
}

export interface ConnectOptions extends TlsMaterial {
  /** `https://gateway/kafka-connect/`: without credentials. */
  readonly url: string;
  readonly auth?: ConnectAuth;
  /** Default: what the environment says. */
  readonly proxy?: ProxyChoice | "none";
  /** Default: the process's. */
  readonly environment?: Environment;
  readonly limits?: ConnectLimits;
  /** What may be shown of a text as far as the caller knows secrets, besides those that the workers show here. Default: all of it. */
  readonly told?: Told;
  readonly clock: Clock;
}

/**
 * A connect cluster's REST API over node:http(s). Opens no connection before the first call.
 *
 * @throws UsageError for a URL with credentials, one that is no http(s) URL, and unusable certificates or credentials
 */
export function openConnect(options: ConnectOptions): ConnectPort {
  const { clock } = options;
  const limits = {
    callMillis: 15_000,
    patchMillis: 100_000,
    retryMillis: 30_000,
    firstContactMillis: 5000,
    answerBytes: 64 * 1024 * 1024,
    ...options.limits,
  };
  const endpoint = readEndpoint(options.url);
  const authorization = authorizationOf(options.auth);
  const tls = endpoint.secure ? tlsOptions(options) : {};
  const proxy = proxyFor(endpoint, options.proxy, options.environment ?? process.env);
  const closing = new AbortController();
  let agents: Promise<Agents> | undefined;
  let contact = false;

  const line = async (): Promise<Line> => {
    agents ??= openAgents(endpoint.secure, proxy);
    return {
      endpoint,
      agents: await agents,
      authorization,
      tls,
      answerBytes: limits.answerBytes,
      closing: closing.signal,
    };
  };

  const once = async (call: Call, millis: number): Promise<Exchange> => {
    const seen = await exchange(await line(), call, millis);
    if (seen.answered && !seen.byProxy) contact = true;
    return seen;
  };

  const said = saidByWorkers({
    auth: options.auth,
    told: options.told,
    look: (name) => once({ method: "GET", path: pathOf(name) }, limits.callMillis),
  });

  /** Asks until there is an answer that asking again would not change. @throws CallFailed saying how often and how long. */
  const ask = async (call: Call): Promise<Answered> => {
    const began = clock.elapsed();
    for (let attempt = 1; ; attempt++) {
      const seen = await once(call, limits.callMillis);
      if (!isPassing(seen)) {
        if (seen.answered) return seen;
        throw await failed(call, seen);
      }
      const spent = clock.elapsed() - began;
      const pause = Math.min(4000, 200 * 2 ** (attempt - 1)) * (0.5 + clock.random() / 2);
      const limit = contact ? limits.retryMillis : Math.min(limits.firstContactMillis, limits.retryMillis);
      if (closing.signal.aborted || spent + pause > limit)
        throw await failed(
          call,
          seen,
          ` (tried ${attempt} ${attempt === 1 ? "time" : "times"} in ${(spent / 1000).toFixed(1)} s)`,
        );
      await clock.sleep(pause, closing.signal);
    }
  };

  const describe = async (name: string): Promise<ConnectorDescription | undefined> => {
    const description = await find(pathOf(name), connectorDescription);
    if (description !== undefined) said.seen(name, description.config);
    return description;
  };

  const failed = async (call: Call, seen: Exchange, tried = ""): Promise<CallFailed> =>
    callFailed(endpoint, call, seen, await said.told(call, seen), tried);

  const read = <T>(call: Call, seen: Answered, reading: (json: Json) => T): T => {
    const html = isHtml(seen.text, seen.contentType);
    try {
      if (!html) return reading(parseJson(seen.text));
    } catch (error) {
      if (error instanceof NotAsExpected)
        throw protocolFailure(
          endpoint,
          call,
          `answered JSON, but not as Connect does: ${outsideText(error.message, 200)}`,
        );
      if (!(error instanceof SyntaxError)) throw error;
    }
    const what = html ? "HTML (a proxy, a gateway or another service)" : "text that is no whole JSON";
    throw protocolFailure(endpoint, call, `answered ${seen.status} with ${what}`);
  };

  const get = async <T>(path: string, reading: (json: Json) => T): Promise<T> => {
    const call: Call = { method: "GET", path };
    const seen = await ask(call);
    if (seen.status !== 200) throw await refused(call, seen);
    return read(call, seen, reading);
  };

  /** Undefined only for Connect's own "no such connector". */
  const find = async <T>(path: string, reading: (json: Json) => T): Promise<T | undefined> => {
    const call: Call = { method: "GET", path };
    const seen = await ask(call);
    if (seen.status === 200) return read(call, seen, reading);
    const own = connectError(seen);
    if (own !== undefined && own.status === 404 && !own.unknownPath) return undefined;
    throw await refused(call, seen);
  };

  /** Traces repeat values of the configuration: where there is one, it is asked for as well, and no trace gets further than here unmasked. */
  const statusOf = async (name: string): Promise<ConnectorStatus | undefined> => {
    const status = await find(`${pathOf(name)}/status`, connectorStatus);
    if (status === undefined || !hasTrace(status)) return status;
    const description = await describe(name).catch((failure: unknown) =>
      failure instanceof CallFailed ? undefined : Promise.reject(failure),
    );
    return withMaskedTraces(status, description?.config);
  };

  const order = async (name: string, what: "stop" | "resume"): Promise<void> => {
    const call: Call = { method: "PUT", path: `${pathOf(name)}/${what}` };
    const seen = await ask(call);
    if (seen.status === 204 || seen.status === 202) return;
    if (seen.status === 200 && !isHtml(seen.text, seen.contentType)) return;
    throw seen.status === 200
      ? protocolFailure(endpoint, call, "answered 200 with HTML (a proxy, a gateway or another service)")
      : await refused(call, seen);
  };

  /** A path that the worker does not know: says which version is needed and, where the worker tells, which one runs. */
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
    return new CallFailed({
      system: "connect",
      kind: "unsupported",
      code: `HTTP ${seen.status}`,
      message: `${outsideText(`${call.method} ${endpoint.shown}${call.path}`)}: this needs Kafka Connect 3.${needed} (Confluent Platform 7.${needed}) or later; the worker ${version === undefined ? "does not know the call" : `is ${outsideText(version, 60)}`}`,
      remedy: `Upgrade the workers to 3.${needed} or later.`,
    });
  };

  /** One attempt of a call that changes something, and the same told as a failure. */
  const attempt = async (call: Call): Promise<[seen: Exchange, why: string, told: Told]> => {
    const seen = await once(call, limits.patchMillis);
    const told = await said.told(call, seen);
    const failure =
      seen.answered && connectError(seen)?.unknownPath
        ? await refused(call, seen)
        : callFailed(endpoint, call, seen, told);
    return [seen, failure.message, told];
  };

  return {
    url: endpoint.shown,
    worker: () => get("/", workerInfo),
    connectors: () => get("/connectors", connectorNames),
    plugins: () => get("/connector-plugins", pluginList),
    async validate(className, config) {
      said.sent(config);
      const path = `/connector-plugins/${encodeURIComponent(className)}/config/validate`;
      const call: Call = { method: "PUT", path, body: printJson({ ...config, "connector.class": className }, 0) };
      const seen = await ask(call);
      if (seen.status !== 200) throw await refused(call, seen);
      const problems = read(call, seen, settingProblems);
      const told = await said.told(call, seen);
      return problems.map(({ setting, errors }) => ({ setting, errors: errors.map(told) }));
    },
    connector: describe,
    status: statusOf,
    offsets: (name) => get(`${pathOf(name)}/offsets`, offsetEntries),
    stop: (name) => order(name, "stop"),
    resume: (name) => order(name, "resume"),
    async patchOffsets(name, entries) {
      return patchAnswer(
        ...(await attempt({ method: "PATCH", path: `${pathOf(name)}/offsets`, body: patchBody(entries) })),
      );
    },
    async create(name, config, initialState) {
      said.sent(config);
      const state = initialState === undefined ? {} : { initial_state: initialState };
      const body = printJson({ name, config: { ...config, name }, ...state }, 0);
      return changeAnswer(...(await attempt({ method: "POST", path: "/connectors", body })), createdIn(name));
    },
    async deleteOffsets(name) {
      return changeAnswer(...(await attempt({ method: "DELETE", path: `${pathOf(name)}/offsets` })), messageOf);
    },
    async deleteConnector(name) {
      return changeAnswer(...(await attempt({ method: "DELETE", path: pathOf(name) })), deletedIn(name));
    },
    time: () => undefined,
    async close() {
      closing.abort();
      const open = await agents?.catch(() => undefined);
      open?.kept.destroy();
      open?.fresh.destroy();
    },
  };
}

const pathOf = (name: string): string => `/connectors/${encodeURIComponent(name)}`;

function patchBody(entries: readonly OffsetEntry[]): string {
  return printJson({ offsets: entries.map(({ partition, offset }) => ({ partition, offset })) }, 0);
}
