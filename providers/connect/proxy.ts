import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import { isIPv4 } from "node:net";
import { UsageError } from "../../core/errors.ts";
import { urlPart } from "../../core/values/escape.ts";
import type { Secret } from "../../core/values/secret.ts";
import type { Endpoint } from "./endpoint.ts";

export interface ProxyChoice {
  readonly url: string;
  readonly user?: string;
  readonly password?: Secret;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Chooses the proxy: the requested one, none if requested, otherwise the environment's (`HTTPS_PROXY`, `HTTP_PROXY`,
 * `NO_PROXY`; the lower-case names win, as in curl). A loopback host never goes through an environment's proxy.
 */
export function proxyFor(
  { hostname, port, secure }: Pick<Endpoint, "hostname" | "port" | "secure">,
  asked: ProxyChoice | "none" | undefined,
  environment: Environment,
): URL | undefined {
  if (asked === "none") return undefined;
  if (asked !== undefined) return proxyUrl(asked.url, "the proxy for Connect", asked);
  if (isLoopback(hostname)) return undefined;
  const name = secure ? "HTTPS_PROXY" : "HTTP_PROXY";
  const set = environment[name.toLowerCase()] || environment[name];
  if (set === undefined || set === "") return undefined;
  const exceptions = environment["no_proxy"] || environment["NO_PROXY"] || "";
  return isExcepted(hostname, port, exceptions) ? undefined : proxyUrl(set, name);
}

function proxyUrl(text: string, whose: string, login: { user?: string; password?: Secret } = {}): URL {
  let url: URL;
  try {
    url = new URL(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`);
  } catch {
    throw new UsageError(`${whose} is not a URL`, "Write it like http://proxy.example.com:3128.");
  }
  if (url.protocol !== "http:" && url.protocol !== "https:")
    throw new UsageError(
      `${whose} is a ${url.protocol.slice(0, -1)} proxy; only http:// and https:// proxies are supported`,
      "Write it like http://proxy.example.com:3128, or add the worker's host to NO_PROXY.",
    );
  if (login.user !== undefined) {
    url.username = urlPart(login.user);
    url.password = urlPart(login.password?.open() ?? "");
  }
  return url;
}

function isLoopback(hostname: string): boolean {
  const name = hostname.toLowerCase();
  return (
    name === "localhost" || name.endsWith(".localhost") || name === "::1" || (isIPv4(name) && name.startsWith("127."))
  );
}

/** `*`, `host`, `.domain`, `domain` (and what is below it), each with an optional `:port`. */
function isExcepted(hostname: string, port: number, exceptions: string): boolean {
  const name = hostname.toLowerCase();
  return exceptions
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((entry) => entry !== "")
    .some((entry) => {
      if (entry === "*") return true;
      const [, domain = entry, onlyPort] = /^(.*?[^:]):(\d+)$/.exec(entry) ?? [];
      if (onlyPort !== undefined && Number(onlyPort) !== port) return false;
      const bare = domain.replace(/^\*?\./, "").replace(/^\[|\]$/g, "");
      return name === bare || name.endsWith(`.${bare}`);
    });
}

/**
 * The agents of one endpoint: `kept` shares its connections between reads, `fresh` opens one per request, for changing
 * calls.
 */
export interface Agents {
  readonly kept: HttpAgent;
  readonly fresh: HttpAgent;
}

/** The certificate of a proxy that is reached over TLS. */
const CHECKED = { rejectUnauthorized: true };

/** Loads the proxy packages only when a proxy is used. */
export async function openAgents(secure: boolean, proxy: URL | undefined): Promise<Agents> {
  const kept = { keepAlive: true, keepAliveMsecs: 5000, maxSockets: 16 };
  const fresh = { keepAlive: false };
  if (proxy === undefined)
    return secure
      ? { kept: new HttpsAgent(kept), fresh: new HttpsAgent(fresh) }
      : { kept: new HttpAgent(kept), fresh: new HttpAgent(fresh) };
  if (secure) {
    const { HttpsProxyAgent } = await import("https-proxy-agent");
    return {
      kept: new HttpsProxyAgent(proxy, { ...kept, ...CHECKED }),
      fresh: new HttpsProxyAgent(proxy, { ...fresh, ...CHECKED }),
    };
  }
  const { HttpProxyAgent } = await import("http-proxy-agent");
  return {
    kept: new HttpProxyAgent(proxy, { ...kept, ...CHECKED }),
    fresh: new HttpProxyAgent(proxy, { ...fresh, ...CHECKED }),
  };
}
