import type { CallFailed } from "../../core/errors.ts";
import { printDuration } from "../../core/values/duration.ts";
import { errorName } from "./error-codes.ts";
import { brokerCode, kafkaFailure } from "./kafka-failure.ts";

/** What is known about an attempt to connect that failed. */
interface Attempt {
  /** `host:port` */
  readonly address: string;
  readonly tls: boolean;
  readonly login: boolean;
  /** Whether the TLS hand-shake was done. */
  readonly secured: boolean;
  /** The first bytes that came back, without TLS only. */
  readonly heard: Uint8Array | undefined;
  /** Milliseconds after which it was given up; undefined when it failed by itself. */
  readonly gaveUpAfter: number | undefined;
}

const TLS_ALERT = 0x15;

/** Says what is at an address where no Kafka session came about, and what to change. */
export function connectFailure(error: unknown, attempt: Attempt): CallFailed {
  const { address, tls, secured, heard } = attempt;
  const unreachable = (message: string, remedy: string) =>
    kafkaFailure({ kind: "unreachable", message, remedy, cause: error });

  if (heard !== undefined && Buffer.from(heard).toString("latin1", 0, 5) === "HTTP/")
    return unreachable(
      `${address} is an HTTP server, not a Kafka broker`,
      "name the brokers' own addresses; the Connect REST API is something else",
    );
  if (heard?.[0] === TLS_ALERT)
    return unreachable(
      `${address} speaks TLS, the broker settings say it does not`,
      "set security.protocol=SSL, or SASL_SSL with a login",
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
  const said = code === undefined ? error.message : errorName(code);
  return kafkaFailure({
    kind: "unauthorized",
    message: `${address} did not accept the login: ${said}`,
    ...(code === undefined ? {} : { code: errorName(code) }),
    remedy:
      code === 34
        ? "this listener takes no login: name the listener that does, or set security.protocol=SSL (PLAINTEXT " +
          "without TLS)"
        : "check sasl.mechanism and the user and password in sasl.jaas.config",
    cause: error,
  });
}

const CERTIFICATE_CODES =
  /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_|CERT_|ERR_TLS_CERT_ALTNAME|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH)/;

function certificateFailure(error: unknown, { address }: Attempt): CallFailed | undefined {
  const code = errorCode(error);
  if (CERTIFICATE_CODES.test(code))
    return kafkaFailure({
      kind: "unreachable",
      message: `the TLS certificate of ${address} is not accepted: ${plainMessage(error)}`,
      code,
      remedy:
        code === "ERR_TLS_CERT_ALTNAME_INVALID"
          ? "name the broker by a host that its certificate is for, or have the certificate issued for this host"
          : "give the certificate authority in ssl.truststore.location",
      cause: error,
    });
  if (/ALERT/.test(code))
    return kafkaFailure({
      kind: "unauthorized",
      message: `${address} refused the TLS handshake: ${plainMessage(error)}`,
      code,
      remedy: "give the client certificate that the broker expects in ssl.keystore.location",
      cause: error,
    });
  return undefined;
}

function tlsFailure(error: unknown, { address, gaveUpAfter }: Attempt): CallFailed | undefined {
  const code = errorCode(error);
  const mismatch = gaveUpAfter !== undefined || /^(EPROTO|ECONNRESET|ERR_SSL_)/.test(code) || code === "";
  if (!mismatch) return undefined;
  return kafkaFailure({
    kind: "unreachable",
    message:
      `no TLS session with ${address}: ${gaveUpAfter === undefined ? plainMessage(error) : "no answer"}; it is ` +
      "probably a listener without TLS, an HTTP server, or no Kafka broker at all",
    remedy:
      "check the port: the listener with TLS has another one; a listener without TLS needs " +
      "security.protocol=PLAINTEXT or SASL_PLAINTEXT, and passwords can be read on the way then",
    ...(code === "" ? {} : { code }),
    cause: error,
  });
}

function networkFailure(error: unknown, { address, login, tls, gaveUpAfter }: Attempt): CallFailed {
  const code = errorCode(error);
  if (gaveUpAfter !== undefined)
    return kafkaFailure({
      kind: "unreachable",
      message:
        `${address} did not answer within ${printDuration(gaveUpAfter)}; a firewall drops the connection, or it ` +
        "is no Kafka broker",
      remedy: "check host and port",
      cause: error,
    });
  if (/^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|EADDRNOTAVAIL)$/.test(code))
    return kafkaFailure({
      kind: "unreachable",
      message: `no connection to ${address}: ${plainMessage(error)}`,
      code,
      remedy: "check that the broker runs, and host and port",
      cause: error,
    });
  const expects = [
    tls ? "a client certificate (ssl.keystore.location)" : "TLS (security.protocol=SSL)",
    login ? "" : `a login (security.protocol=${tls ? "SASL_SSL" : "SASL_PLAINTEXT"})`,
  ];
  return kafkaFailure({
    kind: "unreachable",
    message: `${address} closed the connection without an answer`,
    remedy:
      "check that it is a Kafka broker's port; perhaps it expects " +
      `${expects.filter((one) => one !== "").join(" or ")}`,
    cause: error,
  });
}

function errorCode(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}

function plainMessage(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  // OpenSSL's errors carry a pointer and the place in its source.
  const openSsl = /:SSL routines:[^:]*:([^:]+):/.exec(message)?.[1];
  if (openSsl !== undefined) return openSsl;
  return message.replace(/^(Connection error|Failed to connect): /, "").split("\n")[0] ?? "";
}
