import { setMaxListeners } from "node:events";
import type { Clock } from "../../core/ports/clock.ts";
import type { ConnectPort } from "../../core/ports/connect.ts";
import { type Instant, instantIfDate } from "../../core/values/instant.ts";
import type { ConnectLimits } from "../limits.ts";
import {
  authorizationOf,
  type ConnectAuth,
  type Endpoint,
  readEndpoint,
  type TlsMaterial,
  tlsOptions,
} from "./endpoint.ts";
import { type Call, type Exchange, exchange, type Line } from "./exchange.ts";
import { connectError, isHtml } from "./failure.ts";
import { type Agents, type Environment, openAgents, type ProxyChoice, proxyFor } from "./proxy.ts";

/** Where the workers of one cluster are, and how they are reached. */
export interface WorkersOptions extends TlsMaterial {
  /** `https://gateway/kafka-connect/`: without credentials. */
  readonly url: string;
  /** Further workers of the same cluster, likewise: asked in turn while one does not answer. */
  readonly otherUrls?: readonly string[];
  readonly auth?: ConnectAuth;
  /** Default: from the environment. */
  readonly proxy?: ProxyChoice | "none";
  /** Default: the process's. */
  readonly environment?: Environment;
  readonly clock: Clock;
  /** Called after each HTTP request. */
  readonly requested?: (seen: RequestSeen) => void;
}

/** One HTTP request of a call, without bodies, headers and the host. */
export interface RequestSeen {
  readonly method: Call["method"];
  /** Below the URL's path, encoded. */
  readonly path: string;
  /** From connecting to the end of the answer. */
  readonly millis: number;
  /** The status, `timeout`, `cut`, `large`, `closed`, or the code of a connection error. */
  readonly outcome: string;
}

/** The workers of one cluster: single requests to whichever of them answers. */
export interface Workers {
  /** Of the first worker, which is named where none has answered. */
  readonly endpoint: Endpoint;
  readonly otherUrls: readonly string[];
  readonly time: ConnectPort["time"];
  /** Aborted by `close`. */
  readonly closing: AbortSignal;
  /**
   * One request. A worker that does not answer is left for the next one; this request is sent there only if it is a
   * read, or certainly was not sent: an unanswered change may still take effect.
   */
  once(call: Call, millis: number): Promise<Exchange>;
  /** The worker of an exchange. */
  askedIn(seen: Exchange): Endpoint;
  /** Whether any of them has answered. */
  contact(): boolean;
  /** Asks the next one from now on. */
  leave(): void;
  close(): Promise<void>;
}

/** @throws UsageError for a URL with credentials or not of http(s), and unusable certificates or credentials */
export function openWorkers(options: WorkersOptions & { readonly limits: Required<ConnectLimits> }): Workers {
  const { clock } = options;
  const routeTo = (url: string): Route => {
    const endpoint = readEndpoint(url);
    const tls = endpoint.secure ? tlsOptions(options) : {};
    return { endpoint, tls, proxy: proxyFor(endpoint, options.proxy, options.environment ?? process.env) };
  };
  const first = routeTo(options.url);
  const { endpoint } = first;
  const routes = [first, ...(options.otherUrls ?? []).map(routeTo)];
  const agentsOf = new Map<Route, Promise<Agents>>();
  /** The worker that is asked next. */
  let next = 0;
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
    const { answerBytes } = options.limits;
    const line: Line = { endpoint: to, agents: await agents, authorization, tls, answerBytes, closing: closing.signal };
    const seen = await exchange(line, call, millis);
    askedOf.set(seen, to);
    const outcome = seen.answered ? String(seen.status) : seen.by === "error" ? seen.code : seen.by;
    options.requested?.({ method: call.method, path: call.path, millis: clock.elapsed() - began, outcome });
    if (seen.answered && !seen.byProxy) contact = true;
    theirClock.observe(seen);
    return seen;
  };

  const once = async (call: Call, millis: number): Promise<Exchange> => {
    for (let tried = 1; ; tried++) {
      const route = routes[next] ?? first;
      const seen = await askOne(route, call, millis);
      if (seen.answered || seen.by === "closed" || seen.by === "large") return seen;
      if (routes[next] === route) next = (next + 1) % routes.length;
      if (tried >= routes.length || (seen.sent && call.method !== "GET")) return seen;
    }
  };

  return {
    endpoint,
    otherUrls: routes.slice(1).map((route) => route.endpoint.shown),
    time: theirClock.time,
    closing: closing.signal,
    once,
    askedIn: (seen) => askedOf.get(seen) ?? endpoint,
    contact: () => contact,
    leave() {
      next = (next + 1) % routes.length;
    },
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

/** How one worker is reached. */
interface Route {
  readonly endpoint: Endpoint;
  readonly tls: object;
  readonly proxy: URL | undefined;
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
