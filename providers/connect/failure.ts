import { CallFailed, type Failure } from "../../core/errors.ts";
import { redactUserInfo } from "../../core/redaction/redact.ts";
import { jsonObjectIn } from "../../core/values/json.ts";
import { anyOf } from "../../core/values/regexp.ts";
import { type Endpoint, outsideText } from "./endpoint.ts";
import type { Answered, Broken, Call, Exchange } from "./exchange.ts";

/** The error body of a Connect worker: `{"error_code":N,"message":"…"}`. */
interface ConnectError {
  readonly status: number;
  readonly message: string;
  /** The path or method itself is unknown to this worker: it is too old, or the URL points elsewhere. */
  readonly unknownPath: boolean;
}

/** @returns undefined if the answer is not Connect's own JSON: from a gateway or a proxy, or plain text */
export function connectError({ status, text }: Answered): ConnectError | undefined {
  const { error_code: code, message } = jsonObjectIn(text) ?? {};
  if (typeof code !== "bigint" || Number(code) !== status || typeof message !== "string") return undefined;
  return { status, message, unknownPath: /^HTTP 40[45] /.test(message) };
}

/**
 * Whether the answer comes from a worker that is starting or stopping, and so has carried out nothing: its REST port is
 * open from the first moment, but only Jetty is behind it. `404` with `{"message":"Not Found","url":…,"status":"404"}`
 * for GET and POST, without a body for the others.
 *
 * Seen with every path of 3.9.2 and 4.3.1, polled every 20 ms through restarts, for 1 to 5 s after connections are
 * accepted again and now and then in the last moment before a stop. Connect's own `HTTP 404 Not Found` was not seen
 * before `GET /` answered 200, so it is taken as an answer.
 */
export function isWithoutApi(seen: Answered): boolean {
  if (seen.status !== 404 || seen.byProxy) return false;
  if (seen.text === "") return seen.server.startsWith("Jetty(");
  const body = jsonObjectIn(seen.text);
  return body?.["message"] === "Not Found" && body["status"] === "404" && "url" in body;
}

/** The answer of `DistributedHerder.halt` to requests that are still queued: they are no longer carried out. */
export const SHUTTING_DOWN = /^Worker is shutting down$/;

/**
 * Whether a retry may help: a rebalance, a leader that is being replaced, a worker that starts or stops, a broken
 * connection, a gateway without its worker.
 */
export function isPassing(seen: Exchange): boolean {
  if (!seen.answered) {
    if (seen.by === "timeout" || seen.by === "cut") return true;
    return seen.by === "error" && PASSING_CODES.has(seen.code);
  }
  if (seen.byProxy) return false;
  if (isWithoutApi(seen) || seen.status === 409 || (seen.status >= 502 && seen.status <= 504)) return true;
  if (seen.status !== 500) return false;
  // A worker that stops answers the requests in progress with Jetty's own 500.
  const own = connectError(seen);
  return own === undefined || PASSING_MESSAGES.some((message) => message.test(own.message));
}

/**
 * A worker that is about to rebalance answers some calls with a 500 instead of a 409: seen with `GET
 * /connectors/{name}` of 3.9.2.
 */
export const REBALANCE = /^Request cannot be completed because a rebalance is expected/;

const PASSING_MESSAGES = [/^IO Error/, /^Request timed out/, REBALANCE, SHUTTING_DOWN];

const PASSING_CODES = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "ECONNABORTED",
  "EPIPE",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "EAI_AGAIN",
]);

/** Redacts text from outside before it is truncated, so that no part of a secret is left. */
export type Redact = (text: string) => string;

/** Describes a failed exchange for the operator. */
export function callFailed(endpoint: Endpoint, call: Call, seen: Exchange, redact: Redact, tried = ""): CallFailed {
  const failure = seen.answered ? whyAnswered(endpoint, seen, redact) : whyBroken(endpoint, seen);
  return new CallFailed("connect", failure.kind, {
    code: seen.answered ? `HTTP ${seen.status}` : seen.code,
    ...failure,
    message: `${outsideText(`${call.method} ${endpoint.shown}${call.path}`)}: ${failure.message}${tried}`,
  });
}

/** An answer that the same workers contradicted, up to the last attempt. */
export function contradicted(
  endpoint: Endpoint,
  call: Call,
  { status }: Answered,
  why: string,
  tried: string,
): CallFailed {
  return new CallFailed("connect", "rejected", {
    code: `HTTP ${status}`,
    message: `${outsideText(`${call.method} ${endpoint.shown}${call.path}`)}: ${why}${tried}`,
    remedy:
      "Wait until the workers have started and joined their group; a worker reports this at GET /health (from 3.9 on).",
  });
}

export function protocolFailure(endpoint: Endpoint, call: Call, what: string): CallFailed {
  return new CallFailed("connect", "protocol", {
    message: `${outsideText(`${call.method} ${endpoint.shown}${call.path}`)}: ${what}`,
    remedy: "Check that the URL is that of a Kafka Connect worker, or of a gateway that passes its answers unchanged.",
  });
}

type Why = Omit<Failure, "system">;

function whyAnswered(endpoint: Endpoint, seen: Answered, redact: Redact): Why {
  const { status } = seen;
  const code = `HTTP ${status}`;
  const own = connectError(seen);
  const detail = own === undefined ? excerpt(seen, redact) : outsideText(redact(own.message));
  if (seen.byProxy)
    return {
      kind: "unreachable",
      message: `the HTTP proxy did not open a connection to ${endpoint.hostname}:${endpoint.port} (${code})`,
      remedy: "Check the proxy and its credentials, or add the host to NO_PROXY.",
    };
  if (isWithoutApi(seen))
    return {
      kind: "unreachable",
      message: `the worker is starting or stopping: its REST API is not available (${code})`,
      remedy: "Wait until the worker has started. If this persists, check host and port of the Connect URL.",
    };
  if (status === 401)
    return {
      kind: "unauthorized",
      message: `the worker did not accept the credentials (401${detail})`,
      remedy: "Set connect.auth (basic or bearer), or a client certificate, for this URL in the contexts file.",
    };
  if (status === 403)
    return {
      kind: "forbidden",
      message:
        own === undefined
          ? `not allowed (403${detail}; the answer is from a gateway, not from Connect)`
          : `not allowed (403: ${detail})`,
      remedy: "Request permission to make this call.",
    };
  if (status >= 300 && status < 400)
    return {
      kind: "protocol",
      message:
        `answered with a redirect to ${outsideText(redact(redactUserInfo(seen.location ?? "nowhere")), 200)}; it is ` +
        "not followed, because credentials would go with it",
      remedy: "Use the URL that it points to, if that is the Connect REST API.",
    };
  if (own?.unknownPath)
    return {
      kind: "unsupported",
      message: `the worker does not know this call (${code})`,
      remedy:
        "Check the URL; offsets and stop need Kafka Connect 3.5, changing offsets 3.6 (Confluent Platform 7.5 " +
        "and 7.6).",
    };
  if (own !== undefined && status === 404) return { kind: "missing", message: detail };
  if (own !== undefined) return { kind: "rejected", message: `${status}: ${detail}` };
  if (/plain HTTP request was sent to HTTPS port|HTTP request to an HTTPS|requires TLS/i.test(seen.text))
    return TLS_NEEDED;
  return {
    kind: "protocol",
    message: `${status} without a JSON body of Connect${detail}: a gateway or another service answered`,
    remedy: "Check host, port and path prefix of the Connect URL, and that the gateway allows GET, PUT and PATCH.",
  };
}

function excerpt({ text, contentType }: Answered, redact: Redact): string {
  if (text.trim() === "") return ", empty";
  if (isHtml(text, contentType)) {
    const title = /<title>([^<]*)<\/title>/i.exec(text)?.[1] ?? "";
    return `, HTML${title === "" ? "" : ` "${outsideText(redact(title.trim()), 100)}"`}`;
  }
  return `, "${outsideText(redact(text.trim()), 100)}"`;
}

export function isHtml(text: string, contentType: string): boolean {
  return /html/i.test(contentType) || /^\s*<(!doctype|html)/i.test(text);
}

const TLS_NEEDED: Why = {
  kind: "unreachable",
  message: "this port speaks TLS, but the URL says http://",
  remedy: "Write the Connect URL with https://.",
};

const BROKER_PORT =
  "Check that this is the REST port of a Connect worker (8083 by default) and not a Kafka broker's (9092).";

function whyBroken({ hostname, port, secure }: Endpoint, seen: Broken): Why {
  const { code } = seen;
  const host = `${hostname}:${port}`;
  switch (seen.by) {
    case "timeout":
      return {
        kind: "timeout",
        code: undefined,
        message: seen.sent ? `${seen.detail}` : `no connection to ${host} in time`,
        remedy: "Check the worker, and the network and firewalls in between.",
      };
    case "cut":
      return {
        kind: "lost",
        message: "the answer ended prematurely",
        remedy: "Retry; if the error persists, check the proxy or gateway in between.",
      };
    case "large":
      return { kind: "protocol", code: undefined, message: `the answer is too large: ${seen.detail}` };
    case "closed":
      return { kind: "lost", code: undefined, message: "cdcctl closed the connection before the answer" };
    case "error":
  }
  if (code === "ENOTFOUND" || code === "EAI_AGAIN")
    return {
      kind: "unreachable",
      message: `the host name ${hostname} can't be resolved`,
      remedy: "Check the name, and DNS on the machine that runs cdcctl.",
    };
  if (code === "ECONNREFUSED")
    return {
      kind: "unreachable",
      message: `connection refused by ${host}`,
      remedy: "Check that the worker runs and listens there (8083 by default).",
    };
  if (WITHOUT_TLS.test(`${code} ${seen.detail}`))
    return {
      kind: "unreachable",
      message: `${host} does not speak TLS, but the URL says https://`,
      remedy: "Use the TLS port; if the worker has none, write the Connect URL with http://.",
    };
  const certificate = CERTIFICATES[code];
  if (certificate !== undefined) return certificate;
  if (/certificate|ALERT|handshake/i.test(`${code} ${seen.detail}`))
    return {
      kind: "unreachable",
      message: `the TLS handshake with ${host} failed (${outsideText(code, 80)})`,
      remedy:
        "If the worker requires a client certificate, set clientCertificate and clientKey in the contexts file; " +
        "otherwise check its TLS versions and ciphers.",
    };
  if (code.startsWith("HPE_")) {
    if (seen.raw?.[0] === 0x15 || seen.raw?.[0] === 0x16) return TLS_NEEDED;
    return { kind: "protocol", message: `${host} does not speak HTTP`, remedy: BROKER_PORT };
  }
  if (code === "EHOSTUNREACH" || code === "ENETUNREACH" || (code === "ETIMEDOUT" && !seen.sent))
    return {
      kind: "unreachable",
      message: `no route to ${host} (${code})`,
      remedy: "Check the network and firewalls in between.",
    };
  if (!seen.sent)
    return {
      kind: "unreachable",
      message: `no connection to ${host} (${outsideText(code, 60)})`,
      remedy: secure ? `Check host and port, and that the port speaks TLS. ${BROKER_PORT}` : BROKER_PORT,
    };
  return {
    kind: "lost",
    message: `${host} closed the connection without an answer (${outsideText(code, 60)})`,
    remedy: secure ? BROKER_PORT : `${BROKER_PORT} If the port speaks TLS, write the URL with https://.`,
  };
}

const WITHOUT_TLS = anyOf(
  [
    /WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|wrong version number|packet length too long/,
    /HTTP_REQUEST|UNKNOWN_PROTOCOL/,
  ],
  "i",
);

const UNTRUSTED: Why = {
  kind: "unreachable",
  message: "the worker's certificate is signed by an untrusted authority (self-signed, or a private CA)",
  remedy: "Set ca in the contexts file to the PEM file of the authority that signed it.",
};

const CERTIFICATES: Readonly<Record<string, Why>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: UNTRUSTED,
  SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED,
  CERT_HAS_EXPIRED: {
    kind: "unreachable",
    message: "the worker's certificate has expired",
    remedy: "Renew the worker's certificate; check this machine's clock.",
  },
  CERT_NOT_YET_VALID: {
    kind: "unreachable",
    message: "the worker's certificate is not valid yet",
    remedy: "Check this machine's clock.",
  },
  ERR_TLS_CERT_ALTNAME_INVALID: {
    kind: "unreachable",
    message: "the worker's certificate is for another host name",
    remedy: "Use the host name in the certificate in the Connect URL.",
  },
};
