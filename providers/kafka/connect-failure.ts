import { CallFailed } from "../../core/errors.ts";
import { printDuration } from "../../core/values/duration.ts";
import { anyOf } from "../../core/values/regexp.ts";
import { errorName } from "./error-codes.ts";
import { brokerCode } from "./kafka-failure.ts";

interface Attempt {
  /** `host:port` */
  readonly address: string;
  readonly tls: boolean;
  readonly login: boolean;
  /** Whether the TLS handshake was completed. */
  readonly secured: boolean;
  /** The first bytes received; only without TLS. */
  readonly received: Uint8Array | undefined;
  /** Milliseconds after which it timed out; undefined if it failed by itself. */
  readonly timedOutAfter: number | undefined;
}

const TLS_ALERT = 0x15;

/** Describes an address where no Kafka session could be established, and what to change. */
export function connectFailure(error: unknown, attempt: Attempt): CallFailed {
  const { address, tls, secured, received } = attempt;
  const unreachable = (message: string, remedy: string) =>
    new CallFailed("kafka", "unreachable", { message, remedy, cause: error });

  if (received !== undefined && Buffer.from(received).toString("latin1", 0, 5) === "HTTP/")
    return unreachable(
      `${address} is an HTTP server, not a Kafka broker`,
      "Use the addresses of the brokers; the Connect REST API is a different service.",
    );
  if (received?.[0] === TLS_ALERT)
    return unreachable(
      `${address} speaks TLS, but the broker settings do not use TLS`,
      "Set security.protocol=SSL, or SASL_SSL with a login.",
    );
  return (
    loginFailure(error, attempt) ??
    certificateFailure(error, attempt) ??
    (tls && !secured ? tlsFailure(error, attempt) : undefined) ??
    networkFailure(error, attempt)
  );
}

function loginFailure(error: unknown, { address }: Attempt): CallFailed | undefined {
  if (!(error instanceof Error)) return undefined;
  const code = brokerCode(error);
  if (error.name !== "KafkaJSSASLAuthenticationError" && code !== 33 && code !== 34 && code !== 58) return undefined;
  const reason = code === undefined ? error.message : errorName(code);
  return new CallFailed("kafka", "unauthorized", {
    message: `${address} did not accept the login: ${reason}`,
    code: code === undefined ? undefined : errorName(code),
    remedy:
      code === 34
        ? "Use the listener that accepts a login, or set security.protocol=SSL (PLAINTEXT without TLS)."
        : "Check sasl.mechanism and the user and password in sasl.jaas.config.",
    cause: error,
  });
}

const CERTIFICATE_CODES = anyOf([
  /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_|CERT_|ERR_TLS_CERT_ALTNAME)/,
  /^(INVALID_CA|INVALID_PURPOSE|PATH_LENGTH)/,
]);

function certificateFailure(error: unknown, { address }: Attempt): CallFailed | undefined {
  const code = errorCode(error);
  if (CERTIFICATE_CODES.test(code))
    return new CallFailed("kafka", "unreachable", {
      message: `the TLS certificate of ${address} is not accepted: ${plainMessage(error)}`,
      code,
      remedy:
        code === "ERR_TLS_CERT_ALTNAME_INVALID"
          ? "Use a host name in the broker's certificate, or have the certificate issued for this host."
          : "Set the certificate authority in ssl.truststore.location.",
      cause: error,
    });
  if (/ALERT/.test(code))
    return new CallFailed("kafka", "unauthorized", {
      message: `${address} refused the TLS handshake: ${plainMessage(error)}`,
      code,
      remedy: "Set the client certificate that the broker requires in ssl.keystore.location.",
      cause: error,
    });
  return undefined;
}

function tlsFailure(error: unknown, { address, timedOutAfter }: Attempt): CallFailed | undefined {
  const code = errorCode(error);
  const mismatch = timedOutAfter !== undefined || /^(EPROTO|ECONNRESET|ERR_SSL_)/.test(code) || code === "";
  if (!mismatch) return undefined;
  return new CallFailed("kafka", "unreachable", {
    message:
      `no TLS session with ${address}: ${timedOutAfter === undefined ? plainMessage(error) : "no answer"}; it is ` +
      "probably a listener without TLS, an HTTP server, or not a Kafka broker",
    remedy:
      "Check the port: the TLS listener has a different one; a listener without TLS requires " +
      "security.protocol=PLAINTEXT or SASL_PLAINTEXT, which sends passwords in clear text.",
    code: code || undefined,
    cause: error,
  });
}

function networkFailure(error: unknown, { address, login, tls, timedOutAfter }: Attempt): CallFailed {
  const code = errorCode(error);
  if (timedOutAfter !== undefined)
    return new CallFailed("kafka", "unreachable", {
      message:
        `${address} did not answer within ${printDuration(timedOutAfter)}; a firewall drops the connection, or it ` +
        "is not a Kafka broker",
      remedy: "Check host and port.",
      cause: error,
    });
  if (/^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|EADDRNOTAVAIL)$/.test(code))
    return new CallFailed("kafka", "unreachable", {
      message: `no connection to ${address}: ${plainMessage(error)}`,
      code,
      remedy: "Check that the broker runs, and host and port.",
      cause: error,
    });
  const expects = [
    tls ? "a client certificate (ssl.keystore.location)" : "TLS (security.protocol=SSL)",
    ...(login ? [] : [`a login (security.protocol=${tls ? "SASL_SSL" : "SASL_PLAINTEXT"})`]),
  ].join(" or ");
  return new CallFailed("kafka", "unreachable", {
    message: `${address} closed the connection without an answer`,
    remedy: `Check that it is a Kafka broker's port; it may expect ${expects}.`,
    cause: error,
  });
}

function errorCode(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}

function plainMessage(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  // OpenSSL's errors contain a pointer and a source location.
  const openSsl = /:SSL routines:[^:]*:([^:]+):/.exec(message)?.[1];
  if (openSsl !== undefined) return openSsl;
  return message.replace(/^(Connection error|Failed to connect): /, "").split("\n")[0] ?? "";
}
