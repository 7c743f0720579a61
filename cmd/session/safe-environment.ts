import { UsageError } from "../../core/errors.ts";
import type { Advice } from "../../core/values/remedy.ts";
import type { Host } from "../host.ts";

type Environment = Host["env"];

/**
 * Variables that make Node.js or a package weaken a connection: skip the check of certificates, or print what is sent.
 * Node.js reads them at start, so they cannot be reset here.
 */
const UNSAFE: readonly {
  readonly variable: string;
  readonly isUnsafe: (value: string) => boolean;
  readonly why: string;
  readonly remedy: Advice;
}[] = [
  {
    variable: "NODE_TLS_REJECT_UNAUTHORIZED",
    isUnsafe: (value) => value === "0",
    why: "makes Node.js accept any certificate, so that anyone on the network can read the logins",
    remedy: {
      text:
        "Name the authority that signed the certificate: connect.ca of the context, ssl.truststore.location for " +
        "the brokers, jmx.tls.trustStore.  Then",
      command: "unset NODE_TLS_REJECT_UNAUTHORIZED",
    },
  },
  {
    variable: "NODE_DEBUG",
    isUnsafe: (value) => names(value, ["http", "https", "http2", "tls", "net", "stream", "fetch", "undici"]),
    why: "makes Node.js print what is sent, passwords and tokens included",
    remedy: "Unset NODE_DEBUG.",
  },
  {
    variable: "NODE_OPTIONS",
    isUnsafe: (value) => /(?:^|[\s"'])--(?:tls[-_]keylog|trace[-_]tls)(?![\w-])/.test(value),
    why: "makes Node.js write down the keys of its TLS connections, or what they send: passwords and tokens included",
    remedy: "Unset NODE_OPTIONS, or take --tls-keylog and --trace-tls out of it.",
  },
  {
    variable: "DEBUG",
    isUnsafe: (value) =>
      names(value, ["agent-base", "http-proxy-agent", "https-proxy-agent", "https-proxy-agent:parse-proxy-response"]),
    why: "makes the proxy's client print its URL with the password, and what is sent",
    remedy: "Unset DEBUG.",
  },
  {
    variable: "NODE_ORACLEDB_DEBUG_PACKETS",
    isUnsafe: (value) => value !== "",
    why: "makes the Oracle driver print every packet, logins and tokens included",
    remedy: "Unset NODE_ORACLEDB_DEBUG_PACKETS.",
  },
];

/** Matches a list of names, `*` for any text, as Node.js and the package debug do. */
function names(list: string, secrets: readonly string[]): boolean {
  return list
    .split(/[\s,]+/)
    .filter((one) => one !== "")
    .some((one) => {
      const pattern = one
        .split("*")
        .map((part) => part.replace(/[.+?^${}()|[\]\\]/g, "\\$&"))
        .join(".*");
      return secrets.some((name) => new RegExp(`^${pattern}$`, "i").test(name));
    });
}

/**
 * Refuses variables that would expose a login. Every command that opens a connection calls it first.
 *
 * @throws UsageError naming each variable and what to do
 */
export function refuseUnsafeEnvironment(env: Environment): void {
  const found = UNSAFE.filter(({ variable, isUnsafe }) => isUnsafe(env[variable] ?? ""));
  if (found.length === 0) return;
  throw new UsageError(
    found.map(({ variable, why, remedy }) => ({ message: `the variable ${variable} ${why}`, remedy })),
  );
}
