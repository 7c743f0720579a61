import type { CallFailed, Failure } from "../../core/errors.ts";
import { readExportedMetrics } from "../../core/facts/connector/exported-metrics.ts";
import type { JmxPort } from "../../core/ports/jmx.ts";
import { redactUserInfo } from "../../core/redaction/redact.ts";
import type { Secret } from "../../core/values/secret.ts";
import { basicAuthorization, outsideText, readHttpUrl } from "../connect/endpoint.ts";
import { type Answered, type Broken, exchange, type Line } from "../connect/exchange.ts";
import { type Environment, openAgents, proxyFor } from "../connect/proxy.ts";
import { JMX_LIMITS, type JmxLimits } from "../limits.ts";
import { jmxFailure } from "./jmx-failure.ts";

export interface ExporterOptions extends JmxLimits {
  /** `http://worker-2:9404/metrics`; without a path `/metrics`. */
  readonly url: string;
  /** The login of HTTP's basic authentication. */
  readonly login?: { readonly user: string; readonly password: Secret };
  /** The variables that may name a proxy. */
  readonly environment: Environment;
}

/** The page of a worker with all its MBeans has some megabytes. */
const LARGEST_PAGE = 16 * 1024 * 1024;
const ASKED = { method: "GET", path: "", accept: "text/plain;version=0.0.4" } as const;

const METRICS_URL = {
  of: "a JMX exporter",
  short: "the metrics URL",
  example: "http://worker-2.example.com:9404/metrics",
  login: "Remove them from the URL, and set CDCCTL_METRICS_USER and CDCCTL_METRICS_PASSWORD.",
};

/**
 * Reads the task's MBean from Prometheus' JMX exporter over HTTP: numbers only. Redirects are not followed, so that no
 * other host gets the request or the login. It does not connect before the first call.
 *
 * @throws UsageError for a URL or a login that can't be used
 */
export function openExporter(options: ExporterOptions): JmxPort {
  const { login, environment, connectMillis, callMillis } = { ...JMX_LIMITS, ...options };
  const read = readHttpUrl(options.url, METRICS_URL);
  const endpoint = read.prefix === "" ? { ...read, prefix: "/metrics", shown: `${read.shown}/metrics` } : read;
  const authorization = login && basicAuthorization(login, "CDCCTL_METRICS_USER");
  const closing = new AbortController();
  let line: Promise<Line> | undefined;
  const open = async (): Promise<Line> => ({
    endpoint,
    agents: await openAgents(endpoint.secure, proxyFor(endpoint, undefined, environment)),
    authorization,
    tls: { rejectUnauthorized: true },
    answerBytes: LARGEST_PAGE,
    closing: closing.signal,
  });
  const fails = (failure: Omit<Failure, "system">): CallFailed =>
    jmxFailure({ ...failure, message: `GET ${endpoint.shown}: ${failure.message}` });
  return {
    address: endpoint.shown,
    remarks: [],
    async taskAttributes(prefix, names) {
      line ??= open();
      const seen = await exchange(await line, ASKED, connectMillis + callMillis);
      if (!seen.answered) throw fails(broken(seen));
      if (seen.status !== 200) throw fails(refused(seen, login !== undefined));
      const metrics = readExportedMetrics(seen.text, prefix, names);
      if (metrics.is === "read") return metrics.attributes;
      if (metrics.is === "malformed")
        throw fails({
          kind: "protocol",
          message: `line ${metrics.at.line} of the answer is not in Prometheus' text format: ${metrics.at.why}`,
          remedy: "Check that this is the URL of the worker's JMX exporter, without a proxy that changes its answers.",
        });
      throw fails(noTask(prefix, metrics.others));
    },
    async close() {
      closing.abort();
      const { agents } = (await line?.catch(() => undefined)) ?? {};
      agents?.kept.destroy();
      agents?.fresh.destroy();
    },
  };
}

type Why = Omit<Failure, "system">;

function broken({ by, code, detail }: Broken): Why {
  const remedy = "Check host and port, that the exporter runs as an agent of the worker, and firewalls in between.";
  switch (by) {
    case "timeout":
      return { kind: "timeout", message: detail, remedy };
    case "cut":
    case "closed":
      return { kind: "lost", message: "the connection broke during the answer", remedy: "Ask again." };
    case "large":
      return {
        kind: "protocol",
        message: `the answer has ${detail}`,
        remedy: "Narrow the exporter's rules (includeObjectNames) to the required MBeans.",
      };
    case "error":
      return { kind: "unreachable", message: `no answer (${code})`, code, remedy };
  }
}

function refused({ status, location, byProxy }: Answered, loggedIn: boolean): Why {
  const code = `HTTP ${status}`;
  const message = byProxy ? `${code} from the proxy` : code;
  if (status === 401 || status === 407) {
    const remedy = `${loggedIn ? "Check" : "Set"} CDCCTL_METRICS_USER and CDCCTL_METRICS_PASSWORD.`;
    return { kind: "unauthorized", code, message, remedy };
  }
  if (status === 403) return { kind: "forbidden", code, message };
  if (status === 404) return { kind: "missing", code, message, remedy: "Give the path at which the exporter answers." };
  if (status < 300 || status >= 400) return { kind: "rejected", code, message };
  const to = location === undefined ? "" : ` to ${outsideText(redactUserInfo(location), 200)}`;
  return {
    kind: "rejected",
    code,
    message: `${code}, a redirect${to}, which is not followed`,
    remedy: "Give the URL of the exporter itself.",
  };
}

const MOST_TASKS = 10;

function noTask(prefix: string, others: readonly string[]): Why {
  const shown = others.slice(0, MOST_TASKS).map((one) => outsideText(one, 100));
  const more = others.length > MOST_TASKS ? ` and ${others.length - MOST_TASKS} more` : "";
  return {
    kind: "missing",
    message:
      `it has no metrics of a task for the topic prefix ${outsideText(prefix, 100)}; ` +
      (others.length === 0 ? "nor of any other task" : `it has metrics for ${shown.join(", ")}${more}`),
    remedy:
      others.length === 0
        ? "Use the exporter's rules that come with the connector (ops/jmx-exporter), or its default format."
        : "Give the URL of the exporter of the worker that runs the task; the connector's status names it.",
  };
}
