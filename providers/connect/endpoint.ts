import { type ConnectionOptions, createSecureContext } from "node:tls";
import { UsageError } from "../../core/errors.ts";
import { redactUserInfo } from "../../core/redaction/redact.ts";
import { escapeTerminal } from "../../core/values/escape.ts";
import type { Secret } from "../../core/values/secret.ts";
import { truncate } from "../../core/values/truncate.ts";

export type ConnectAuth =
  | { readonly kind: "basic"; readonly user: string; readonly password: Secret }
  | { readonly kind: "bearer"; readonly token: Secret };

/** PEM texts. `ca` replaces the system's authorities for this host. */
export interface TlsMaterial {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: Secret;
  readonly passphrase?: Secret;
}

/** The address of a connect cluster's REST API: everything before `/connectors`. */
export interface Endpoint {
  readonly secure: boolean;
  readonly hostname: string;
  readonly port: number;
  /** Path prefix of a gateway, without a trailing slash; usually empty. */
  readonly prefix: string;
  readonly shown: string;
}

/**
 * Services that run connectors behind an API of their own, by the host of that API: they offer no Kafka Connect REST
 * API that could stop a connector or change its offsets.
 *
 * Source: AWS General Reference, "Amazon MSK Connect endpoints and quotas"; Google Cloud, "Kafka Connect overview" of
 * Managed Service for Apache Kafka; Confluent Cloud, "Connect API".
 */
const WITHOUT_CONNECT_API: readonly (readonly [host: RegExp, service: string])[] = [
  [/(?:^|\.)kafkaconnect(?:-fips)?\.[a-z0-9-]+\.(?:amazonaws\.com(?:\.cn)?|api\.aws)$/, "Amazon MSK Connect"],
  [/(?:^|\.)managedkafka(?:\.[a-z0-9-]+)*\.googleapis\.com$/, "Google Cloud Managed Service for Apache Kafka"],
  [/(?:^|\.)confluent\.cloud$/, "Confluent Cloud"],
];

/** How messages describe a URL. */
export interface UrlWords {
  readonly of: string;
  readonly short: string;
  readonly example: string;
  /** Where the login belongs instead. */
  readonly login: string;
}

const CONNECT_URL: UrlWords = {
  of: "a Connect worker",
  short: "the Connect URL",
  example: "http://connect.example.com:8083",
  login: "Take them out of the URL and put them into the contexts file (connect.auth).",
};

/** @throws UsageError as `readHttpUrl`, and for a managed service without Connect's REST API, by its name */
export function readEndpoint(text: string): Endpoint {
  const endpoint = readHttpUrl(text, CONNECT_URL);
  const { host, hostname } = new URL(text);
  const service = WITHOUT_CONNECT_API.find(([pattern]) => pattern.test(hostname))?.[1];
  if (service !== undefined)
    throw new UsageError(
      `${outsideText(host, 200)} is ${service}, which does not offer Kafka Connect's REST API`,
      "cdcctl stops connectors and changes offsets only through that API. Use the console or API of the service, " +
        "or run the connector on workers with a reachable REST API.",
    );
  return endpoint;
}

/**
 * @throws UsageError for a URL that is not plain http(s)://host[:port][/path]. Credentials in a URL end up in shell
 * histories, process lists and logs, so they are refused.
 */
export function readHttpUrl(text: string, words: UrlWords): Endpoint {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw new UsageError(
      `"${outsideText(redactUserInfo(text), 200)}" is not a URL of ${words.of}`,
      `Write it like ${words.example} (with http:// or https://).`,
    );
  }
  if (url.username !== "" || url.password !== "")
    throw new UsageError(`${words.short} for ${outsideText(url.host, 200)} contains a user or a password`, words.login);
  if (url.protocol !== "http:" && url.protocol !== "https:")
    throw new UsageError(
      `${words.short} ${outsideText(text, 200)} is neither http:// nor https://`,
      `Write it like ${words.example}.`,
    );
  if (url.search !== "" || url.hash !== "")
    throw new UsageError(
      `${words.short} ${outsideText(`${url.protocol}//${url.host}${url.pathname}`, 200)} has a query or a fragment`,
      "Give only scheme, host, port and the path prefix of a gateway.",
    );
  const secure = url.protocol === "https:";
  const prefix = url.pathname.replace(/\/+$/, "");
  return {
    secure,
    hostname: url.hostname.replace(/^\[|\]$/g, ""),
    port: url.port === "" ? (secure ? 443 : 80) : Number(url.port),
    prefix,
    shown: outsideText(`${url.protocol}//${url.host}${prefix}`, 300),
  };
}

/** @throws UsageError when a credential can't be sent in a header; the credential itself is never shown. */
export function authorizationOf(auth: ConnectAuth | undefined): string | undefined {
  if (auth === undefined) return undefined;
  if (auth.kind === "bearer") {
    const token = auth.token.open();
    if (!/^[\x21-\x7e]+$/.test(token))
      throw new UsageError(
        "the bearer token for Connect is empty or contains blanks, line breaks or characters outside ASCII",
        "Check the file or variable that it is read from.",
      );
    return `Bearer ${token}`;
  }
  return basicAuthorization(auth, "the user name for Connect");
}

/** @param what the user name, for messages. @throws UsageError for one that can't be sent */
export function basicAuthorization(
  { user, password }: { readonly user: string; readonly password: Secret },
  what: string,
): string {
  if (user.includes(":"))
    throw new UsageError(
      `${what} contains a colon, which basic authentication does not allow`,
      "Use a user name without a colon.",
    );
  return `Basic ${Buffer.from(`${user}:${password.open()}`, "utf8").toString("base64")}`;
}

/** @throws UsageError for material that OpenSSL can't read. */
export function tlsOptions(tls: TlsMaterial): ConnectionOptions {
  if ((tls.cert === undefined) !== (tls.key === undefined))
    throw new UsageError(
      "a client certificate for Connect requires both parts: " +
        `the ${tls.cert === undefined ? "certificate" : "key"} is missing`,
      "Set clientCertificate and clientKey together in the contexts file.",
    );
  const options = {
    ...(tls.ca === undefined ? {} : { ca: tls.ca }),
    ...(tls.cert === undefined ? {} : { cert: tls.cert }),
    ...(tls.key === undefined ? {} : { key: tls.key.open() }),
    ...(tls.passphrase === undefined ? {} : { passphrase: tls.passphrase.open() }),
  };
  if (Object.keys(options).length > 0) {
    try {
      createSecureContext(options);
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? "unreadable";
      throw new UsageError(
        `the certificate, key or authority given for Connect can't be used (${code})`,
        "They must be in PEM format (-----BEGIN …), the key must belong to the certificate and its passphrase must " +
          "be right.",
      );
    }
  }
  // Set explicitly: otherwise an environment variable decides.
  return { ...options, rejectUnauthorized: true };
}

/**
 * Text from a worker or a gateway for a message: on one line, truncated, and without control characters and others that
 * reorder or hide text on a terminal.
 */
export function outsideText(text: string, longest = 400): string {
  return escapeTerminal(truncate(text, longest).replace(/[\n\r\t]/g, " "));
}
