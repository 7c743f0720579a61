import { type Problem, UsageError } from "../../core/errors.ts";
import type { DatabaseSettings } from "../../core/facts/connector/settings.ts";
import type { Secret } from "../../core/values/secret.ts";
import { type RequestedOptions, readProperties, splitProperties } from "./connection-properties.ts";
import { type Place, parseJdbcUrl } from "./jdbc-url.ts";
import type { Login } from "./login.ts";

/**
 * Everything that is needed to log in, derived from the settings alone: no file has been read and no host contacted.
 */
export interface ConnectionDescription {
  /** `host:port/service`, for messages. */
  readonly address: string;
  readonly connectString: string;
  /** Where `tnsnames.ora` is, for a connect string that is a name. */
  readonly tnsAdmin: string | undefined;
  /** The user, for messages and grants; for a login by certificate or token, what the settings contain, if anything. */
  readonly user: string;
  readonly login: Login;
  readonly trust: Trust;
  /** Undefined: in the wallet, or not needed. */
  readonly ownKey: OwnKey | undefined;
  /** Undefined: as the connect string requires; by default it must match. */
  readonly matchServerName: boolean | undefined;
  readonly connectMillis: number;
  readonly callMillis: number;
  /** Settings that thin mode can't apply, one sentence each. */
  readonly notes: readonly string[];
}

/** The authorities that are trusted to sign the server's certificate; `system`: those that Node.js knows. */
export type Trust =
  | { readonly kind: "system" }
  | { readonly kind: "wallet"; readonly directory: string; readonly password: Secret | undefined }
  | ({ readonly kind: "store" } & OwnKey);

/** The store of the client's own key and certificate, if the login needs one and no wallet contains it. */
export interface OwnKey {
  readonly path: string;
  readonly type: string | undefined;
  readonly password: Secret | undefined;
}

export interface OracleLimits {
  /** The limit until the session is established. Default 10 s. */
  readonly connectMillis?: number;
  /** The limit for one call. Default 60 s. */
  readonly callMillis?: number;
  /**
   * The limit for the call that divides a table into ranges: it reads an index from beginning to end. Default 15 min.
   */
  readonly divideMillis?: number;
}

const CONFIG =
  "Use your own copy of the configuration: connectors.NAME.config of the context, or --config; a value there may be " +
  // biome-ignore lint/suspicious/noTemplateCurlyInString: references are written like this
  "a reference to the environment, ${env:VARIABLE}.";
const REFERENCE = /\$\{[^}]*\}/;

/**
 * Derives the login from the connector's settings: `url` takes precedence over `service`, and `service` over `sid`.
 * Connection properties apply if thin mode has an equivalent.
 *
 * @throws UsageError naming every setting that is missing, still a `${…}` reference, or impossible in thin mode
 */
export function describeConnection(settings: DatabaseSettings, limits: OracleLimits = {}): ConnectionDescription {
  requireSettings(settings, { password: !logsInWithoutPassword(settings) });
  const asked = splitProperties(settings.connectionProperties ?? "");
  const url = settings.url === undefined ? undefined : parseJdbcUrl(settings.url);
  const inUrl = readProperties(url?.parameters ?? [], "cdc.database.url");
  const inProperties = readProperties(asked, "cdc.database.connection.properties");
  const requested: RequestedOptions = { ...inProperties.requested, ...inUrl.requested };
  const place = url?.place ?? placeOf(settings);
  if (place.form === "alias" && requested.tnsAdmin === undefined)
    throw new UsageError(
      `cdc.database.url names ${place.name}, which requires a tnsnames.ora`,
      `Add its directory (?TNS_ADMIN=/path), or set host, port and service with --config.`,
    );
  const connect = connectString(place, requested);
  if (isExternal(requested) && place.form !== "alias" && !/PROTOCOL\s*=\s*TCPS\b/i.test(connect))
    throw new UsageError(
      `a login by ${requested.certificateLogin ? "client certificate" : "token"} needs TCPS, and the connection is ` +
        "made over TCP",
      "Give a jdbc:oracle:thin:@tcps:// URL, cdc.database.wallet.location or cdc.database.tls.truststore.location.",
    );
  return {
    address: addressOf(place),
    connectString: connect,
    tnsAdmin: place.form === "alias" ? requested.tnsAdmin : undefined,
    user: settings.user ?? "",
    login: loginOf(settings, requested),
    trust: trustOf(settings, requested),
    ownKey:
      requested.keystoreLocation === undefined
        ? undefined
        : { path: requested.keystoreLocation, type: requested.keystoreType, password: requested.keystorePassword },
    matchServerName: requested.matchServerName,
    // The limits in a worker's copy may be shorter, never longer.
    connectMillis: Math.min(requested.connectMillis ?? 10_000, limits.connectMillis ?? 60_000),
    callMillis: Math.min(requested.callMillis ?? Number.POSITIVE_INFINITY, limits.callMillis ?? 60_000),
    notes: [...inProperties.notes, ...inUrl.notes],
  };
}

/** Reports all missing and unresolved settings at once, so that they can be fixed in one edit. */
function requireSettings(settings: DatabaseSettings, needed: { readonly password: boolean }): void {
  const { user, password, url, host, port, service, sid } = settings;
  const used: readonly (readonly [setting: string, value: string | undefined])[] = [
    ["cdc.database.user", user],
    ["cdc.database.password", password?.open()],
    ["cdc.database.url", url],
    ...(url === undefined
      ? ([
          ["cdc.database.host", host],
          ["cdc.database.port", port],
          ["cdc.database.service", service],
          ["cdc.database.sid", service === undefined ? sid : undefined],
        ] as const)
      : []),
    ["cdc.database.wallet.location", settings.walletLocation],
    ["cdc.database.tls.truststore.location", settings.truststoreLocation],
    ["cdc.database.tls.truststore.password", settings.truststorePassword?.open()],
    ["cdc.database.tls.truststore.type", settings.truststoreType],
    ["cdc.database.connection.properties", settings.connectionProperties],
  ];
  const problems: Problem[] = used
    .filter(([, value]) => value !== undefined && REFERENCE.test(value))
    .map(([setting]) => ({ message: `${setting} is a reference that only the worker resolves`, remedy: CONFIG }));
  const missing = [
    ...(needed.password && blank(user) ? ["cdc.database.user"] : []),
    ...(needed.password && blank(password?.open()) ? ["cdc.database.password"] : []),
    ...(url === undefined && blank(host) ? ["cdc.database.host"] : []),
    ...(url === undefined && blank(service) && blank(sid) ? ["cdc.database.service"] : []),
  ];
  const are = missing.length === 1 ? "is" : "are";
  if (missing.length > 0)
    problems.push({ message: `${missing.join(", ")} ${are} not set: the database can't be reached`, remedy: CONFIG });
  if (problems.length > 0) throw new UsageError(problems);
}

function isExternal({ certificateLogin, tokenKind, accessToken }: RequestedOptions): boolean {
  return certificateLogin === true || tokenKind !== undefined || accessToken !== undefined;
}

/**
 * Whether the settings log in by a client certificate or a database token, so that neither user nor password is
 * required. False if a setting is still a `${…}` reference, or masked.
 *
 * @throws UsageError as `describeConnection` does for properties that can't be used
 */
export function logsInWithoutPassword({ url, connectionProperties }: DatabaseSettings): boolean {
  if ([url, connectionProperties].some((text) => text !== undefined && (REFERENCE.test(text) || text.includes("****"))))
    return false;
  const inUrl = readProperties(url === undefined ? [] : parseJdbcUrl(url).parameters, "cdc.database.url").requested;
  const properties = splitProperties(connectionProperties ?? "");
  return isExternal({ ...readProperties(properties, "cdc.database.connection.properties").requested, ...inUrl });
}

/**
 * A user in the form `name[other]` or `[other]` is a proxy that acts for the other; with a certificate or token, only
 * the other is given.
 */
function loginOf(settings: DatabaseSettings, requested: RequestedOptions): Login {
  const { user = "", password } = settings;
  const proxied = /^[^[\]]*\[([^[\]]+)\]$/.exec(user.trim())?.[1];
  if (requested.certificateLogin) return { by: "certificate", proxied };
  const { accessToken: token, tokenKind, tokenLocation: location } = requested;
  if (token === undefined && tokenKind === "OAUTH" && location === undefined)
    throw new UsageError(
      "oracle.jdbc.tokenAuthentication=OAUTH is set without a token",
      "Set oracle.jdbc.tokenLocation to the token's file.",
    );
  if (isExternal(requested)) return { by: "token", kind: tokenKind ?? "OAUTH", location, token, proxied };
  if (password === undefined) throw new Error("a login by password without one");
  return { by: "password", user, password };
}

function blank(value: string | undefined): boolean {
  return value === undefined || value.trim() === "";
}

function placeOf({ host = "", port, service, sid = "", ...tls }: DatabaseSettings): Place {
  const number = port ?? "1521";
  if (!/^\d{1,5}$/.test(number) || Number(number) < 1 || Number(number) > 65535)
    throw new UsageError("cdc.database.port is not a port number", "Set a number from 1 to 65535, with --config.");
  const name = host.trim().replace(/^\[|\]$/g, "");
  plain("cdc.database.host", name, /^[\w.:%-]+$/);
  const within = blank(service) ? { sid: sid.trim() } : { service: (service ?? "").trim() };
  plain(blank(service) ? "cdc.database.sid" : "cdc.database.service", Object.values(within).join(), /^[\w$#.-]+$/);
  const secured = tls.walletLocation !== undefined || tls.truststoreLocation !== undefined;
  return { form: "addresses", protocol: secured ? "TCPS" : "TCP", addresses: [{ host: name, port: number }], within };
}

/** A bracket in a name would end up as part of the descriptor. */
function plain(setting: string, value: string, form: RegExp): void {
  if (!form.test(value)) throw new UsageError(`${setting} is not a valid name`, `Correct ${setting}.`);
}

function connectString(place: Place, requested: RequestedOptions): string {
  switch (place.form) {
    case "alias":
      return place.name;
    case "descriptor":
      return place.text;
    case "addresses": {
      const { protocol, addresses, within } = place;
      const list = addresses.map(({ host, port }) => `(ADDRESS=(PROTOCOL=${protocol})(HOST=${host})(PORT=${port}))`);
      const data =
        "sid" in within
          ? `(SID=${within.sid})`
          : `(SERVICE_NAME=${within.service})${part("SERVER", within.server)}${part("INSTANCE_NAME", within.instance)}`;
      const security =
        requested.serverDn === undefined ? "" : `(SECURITY=(SSL_SERVER_CERT_DN="${quoted(requested.serverDn)}"))`;
      const retries = part("RETRY_COUNT", requested.retryCount) + part("RETRY_DELAY", requested.retryDelay);
      return `(DESCRIPTION=${retries}(ADDRESS_LIST=${list.join("")})(CONNECT_DATA=${data})${security})`;
    }
  }
}

function part(name: string, value: string | number | undefined): string {
  return value === undefined ? "" : `(${name}=${value})`;
}

function quoted(dn: string): string {
  return dn.replace(/["()]/g, "");
}

function addressOf(place: Place): string {
  switch (place.form) {
    case "alias":
      return place.name;
    case "descriptor": {
      const value = (name: string): string | undefined =>
        new RegExp(`\\(\\s*${name}\\s*=\\s*"?([^()"\\s]+)`, "i").exec(place.text)?.[1];
      const name = value("SERVICE_NAME") ?? value("SID") ?? "";
      return `${printHost(value("HOST") ?? "?")}:${value("PORT") ?? "1521"}/${name}`;
    }
    case "addresses": {
      const { addresses, within } = place;
      const name = "sid" in within ? within.sid : within.service;
      return `${addresses.map(({ host, port }) => `${printHost(host)}:${port}`).join(",")}/${name}`;
    }
  }
}

function printHost(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}

function trustOf(settings: DatabaseSettings, requested: RequestedOptions): Trust {
  const directory = settings.walletLocation ?? requested.walletLocation;
  if (directory !== undefined) return { kind: "wallet", directory, password: requested.walletPassword };
  const path = settings.truststoreLocation ?? requested.truststoreLocation;
  if (path === undefined) return { kind: "system" };
  return {
    kind: "store",
    path,
    type: settings.truststoreLocation === undefined ? requested.truststoreType : settings.truststoreType,
    password: settings.truststoreLocation === undefined ? requested.truststorePassword : settings.truststorePassword,
  };
}
