import { UsageError } from "../../core/errors.ts";
import { type Secret, secret } from "../../core/values/secret.ts";

/** The options that JDBC connection properties and URL parameters request, if thin mode has an equivalent. */
export interface RequestedOptions {
  readonly connectMillis?: number;
  readonly callMillis?: number;
  readonly tnsAdmin?: string;
  readonly walletLocation?: string;
  readonly walletPassword?: Secret;
  readonly truststoreLocation?: string;
  readonly truststoreType?: string;
  readonly truststorePassword?: Secret;
  readonly keystoreLocation?: string;
  readonly keystoreType?: string;
  readonly keystorePassword?: Secret;
  readonly certificateLogin?: boolean;
  readonly tokenKind?: "OAUTH" | "OCI_TOKEN";
  /** Path of a token's file or folder. */
  readonly tokenLocation?: string;
  readonly accessToken?: Secret;
  readonly matchServerName?: boolean;
  readonly serverDn?: string;
  readonly retryCount?: number;
  /** Seconds. */
  readonly retryDelay?: number;
}

type Property = readonly [name: string, value: string];

/** @returns undefined for a value that can't be used */
type Reading = (value: string) => RequestedOptions | undefined;

const limit =
  (name: "connectMillis" | "callMillis", unit = 1): Reading =>
  (value) => {
    const millis = duration(value, unit);
    return millis === undefined || millis === 0 ? undefined : { [name]: millis };
  };

const tnsAdmin: Reading = (value) => (value === "" ? undefined : { tnsAdmin: value });

const wallet: Reading = (value) => {
  const path = directory(value);
  return path === undefined ? undefined : { walletLocation: path };
};

const matchName: Reading = (value) =>
  /^(?:true|yes|on|1|false|no|off|0)$/i.test(value)
    ? { matchServerName: /^(?:true|yes|on|1)$/i.test(value) }
    : undefined;

/** `(TCPS)`; Kerberos and RADIUS have been refused already. */
const services: Reading = (value) => (/\btcps\b/i.test(value) ? { certificateLogin: true } : undefined);

const tokenKind: Reading = (value) => {
  const kind = value.trim().toUpperCase();
  return kind === "OAUTH" || kind === "OCI_TOKEN" ? { tokenKind: kind } : undefined;
};

const serverDn: Reading = (value) => ({ serverDn: value });

/** Properties by lower-case name: Oracle's JDBC properties, the JVM's, and Easy Connect Plus parameters. */
const SUPPORTED: Readonly<Record<string, Reading>> = {
  "oracle.net.connect_timeout": limit("connectMillis"),
  "oracle.net.outbound_connect_timeout": limit("connectMillis"),
  connect_timeout: limit("connectMillis", 1000),
  "oracle.jdbc.readtimeout": limit("callMillis"),
  "oracle.net.read_timeout": limit("callMillis"),
  "oracle.net.tns_admin": tnsAdmin,
  tns_admin: tnsAdmin,
  "oracle.net.wallet_location": wallet,
  wallet_location: wallet,
  my_wallet_directory: wallet,
  "oracle.net.wallet_password": (value) => ({ walletPassword: secret(value) }),
  "javax.net.ssl.truststore": (value) => (value === "" ? undefined : { truststoreLocation: value }),
  "javax.net.ssl.truststoretype": (value) => ({ truststoreType: value }),
  "javax.net.ssl.truststorepassword": (value) => ({ truststorePassword: secret(value) }),
  "javax.net.ssl.keystore": (value) => (value === "" ? undefined : { keystoreLocation: value }),
  "javax.net.ssl.keystoretype": (value) => ({ keystoreType: value }),
  "javax.net.ssl.keystorepassword": (value) => ({ keystorePassword: secret(value) }),
  "oracle.net.authentication_services": services,
  "oracle.jdbc.tokenauthentication": tokenKind,
  token_auth: tokenKind,
  "oracle.jdbc.tokenlocation": (value) => (value === "" ? undefined : { tokenLocation: value }),
  token_location: (value) => (value === "" ? undefined : { tokenLocation: value.replace(/^"|"$/g, "") }),
  "oracle.jdbc.accesstoken": (value) => (value === "" ? undefined : { accessToken: secret(value) }),
  "oracle.net.ssl_server_dn_match": matchName,
  ssl_server_dn_match: matchName,
  "oracle.net.ssl_server_cert_dn": serverDn,
  ssl_server_cert_dn: serverDn,
  // When probes begin on an idle connection; connections of cdcctl last for one command only.
  "oracle.net.tcp_keepidle": (value) => (/^\d+$/.test(value.trim()) ? {} : undefined),
  retry_count: (value) => (/^\d{1,3}$/.test(value) ? { retryCount: Number(value) } : undefined),
  retry_delay: (value) => (/^\d{1,3}$/.test(value) ? { retryDelay: Number(value) } : undefined),
};

/**
 * Kinds of login that thin mode does not support. Without this check the login would fail later, for an obscure reason.
 */
const REFUSED: readonly (readonly [name: RegExp, value: RegExp, what: string])[] = [
  [/^oracle\.net\.authentication_services$/i, /kerberos/i, "Kerberos"],
  [/^oracle\.net\.kerberos5_/i, /./, "Kerberos"],
  [/^oracle\.net\.authentication_services$/i, /radius/i, "RADIUS"],
  [
    /^(?:oracle\.jdbc\.tokenAuthentication|token_auth)$/i,
    /^(?!\s*(?:OAUTH|OCI_TOKEN)\s*$)/i,
    "a token that is asked of a cloud's own service",
  ],
];

/** Reads `k=v;k=v`, the form of `cdc.database.connection.properties`. */
export function splitProperties(setting: string): Property[] {
  return setting
    .split(";")
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .map((part) => {
      const at = part.indexOf("=");
      return at < 0 ? [part, ""] : [part.slice(0, at).trim(), part.slice(at + 1).trim()];
    });
}

/**
 * Reads the supported properties, and notes those without an equivalent.
 *
 * @param setting where they were given, for messages
 * @returns `notes`: one line for each property that is not applied; never a value
 * @throws UsageError for a login that thin mode does not have, and for a login among the properties
 */
export function readProperties(
  properties: readonly Property[],
  setting: string,
): { requested: RequestedOptions; notes: string[] } {
  let requested: RequestedOptions = {};
  const notes: string[] = [];
  for (const [name, value] of properties) {
    refuseLogin(name, value, setting);
    const read = SUPPORTED[name.toLowerCase()];
    const option = read?.(value);
    if (option !== undefined) requested = { ...requested, ...option };
    else
      notes.push(
        read === undefined
          ? `${setting}: ${name} has no equivalent in thin mode and is not applied`
          : `${setting}: ${name} has a value that can't be used and is not applied`,
      );
  }
  return { requested, notes };
}

function refuseLogin(name: string, value: string, setting: string): void {
  if (/^(?:user|password)$/i.test(name))
    throw new UsageError(
      `${setting} contains a login (${name})`,
      "Remove it: it belongs in cdc.database.user and cdc.database.password.",
    );
  for (const [names, values, what] of REFUSED)
    if (names.test(name) && values.test(value))
      throw new UsageError(
        `${setting}: ${what} (${name}) is not supported in thin mode, which cdcctl uses`,
        "Pass a configuration with --config that logs in with cdc.database.user and cdc.database.password, with " +
          "a client certificate over TCPS, or with a token from a file (oracle.jdbc.tokenAuthentication=OAUTH or " +
          "OCI_TOKEN).",
      );
}

/** @param unit milliseconds of a number without a unit */
function duration(value: string, unit: number): number | undefined {
  const match = /^(\d{1,9})\s*(ms|sec|s|min|hr)?$/i.exec(value.trim());
  if (match === null) return undefined;
  const factor = { ms: 1, s: 1000, sec: 1000, min: 60_000, hr: 3_600_000 }[match[2]?.toLowerCase() ?? ""] ?? unit;
  return Number(match[1]) * factor;
}

/**
 * `(SOURCE=(METHOD=FILE)(METHOD_DATA=(DIRECTORY=/wallet)))`, `file:/wallet` and `/wallet`; undefined for a store that
 * is not a directory.
 */
function directory(value: string): string | undefined {
  if (value.startsWith("(")) return /\(\s*DIRECTORY\s*=\s*"?([^)"]+)"?\s*\)/i.exec(value)?.[1]?.trim();
  if (/^data:/i.test(value)) return undefined;
  return value.replace(/^file:(?:\/\/(?=\/))?/i, "");
}
