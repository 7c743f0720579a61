import { CallFailed, type Failure, type FailureKind } from "../../core/errors.ts";
import {
  type Grantee,
  grantOf,
  grantOfFlashback,
  grantOfLogMiner,
  grantOfLogMining,
  grantOfSetContainer,
  grantOfTables,
  viewsBlamed,
} from "./grants.ts";

/** What was being done when it failed. */
export interface Doing extends Grantee {
  /** `host:port/service` */
  readonly address: string;
  /** Undefined while connecting. */
  readonly sql?: string;
}

interface Rule {
  readonly kind: FailureKind;
  /** The message for the operator, without the address that precedes it. */
  readonly message: string;
  readonly remedy?: string;
  /** Whether the driver's own message is appended: never if it could contain what the user typed. */
  readonly quote?: boolean;
}

const GONE: Rule = { kind: "lost", message: "the connection broke", quote: true };
/** A TLS port closes connections without TLS, and a server that can't continue a logon closes them as well. */
const HUNG_UP: Rule = {
  kind: "unreachable",
  message: "the server closed the connection during the login",
  remedy: "check the port; a TLS port needs a jdbc:oracle:thin:@tcps:// URL, a trust store or a wallet",
  quote: true,
};
/** The task tries again, and stops with CDC-1002 after more than 20 failures in a row. */
const LOG_SWITCHED: Rule = {
  kind: "rejected",
  message: "a log was switched, reused or not yet visible while it was read",
  remedy: "run the command again",
  quote: true,
};
const NOT_OPEN = "wait until the database is open, or ask its administrators";
const THICK_ONLY =
  "let the database allow connections without it, or connect over TLS (a jdbc:oracle:thin:@tcps:// URL)";
const TRUST =
  "check that the port is the TLS port, and that cdc.database.tls.truststore.location or " +
  "cdc.database.wallet.location holds the server's authority";

/** By the code of the server (ORA) or the thin driver (NJS). */
const RULES: Readonly<Record<string, Rule>> = {
  "ORA-01017": {
    kind: "unauthorized",
    message: "user name or password is wrong",
    remedy: "check cdc.database.user and cdc.database.password",
  },
  "ORA-28000": {
    kind: "unauthorized",
    message: "the account is locked",
    remedy: "have it unlocked (ALTER USER … ACCOUNT UNLOCK), and find out what keeps trying a wrong password",
  },
  "ORA-28001": { kind: "unauthorized", message: "the password has expired", remedy: "have a new password set" },
  "ORA-01045": { kind: "unauthorized", message: "the user may not log in", remedy: "GRANT CREATE SESSION" },
  "ORA-01005": { kind: "unauthorized", message: "the password is empty", remedy: "check cdc.database.password" },
  "NJS-087": {
    kind: "unauthorized",
    message: "the database token has expired",
    remedy: "get a new one (for OCI: oci iam db-token get)",
  },
  "NJS-116": {
    kind: "unsupported",
    message: "the account has only an old password verifier (10G), which thin mode does not support",
    remedy: "have the password set again, so that the account gets a newer verifier",
  },
  "NJS-138": {
    kind: "unsupported",
    message: "the database is older than 12.1",
    remedy: "cdcctl needs Oracle 12.1 or later",
  },
  "NJS-531": { kind: "unsupported", message: "native network encryption could not be negotiated", remedy: THICK_ONLY },
  "NJS-532": { kind: "unsupported", message: "native network encryption could not be negotiated", remedy: THICK_ONLY },
  "NJS-533": {
    kind: "unsupported",
    message: "the database requires native network encryption or integrity that thin mode does not support",
    remedy: THICK_ONLY,
    quote: true,
  },
  "NJS-518": {
    kind: "unreachable",
    message: "the listener answers, but does not know the service",
    remedy: "check cdc.database.service (lsnrctl services), and whether the database is up",
  },
  "NJS-519": {
    kind: "unreachable",
    message: "the listener answers, but does not know the SID",
    remedy: "check cdc.database.sid (lsnrctl services), and whether the database is up",
  },
  "NJS-511": { kind: "unreachable", message: "the listener refused the connection", quote: true },
  "NJS-503": {
    kind: "unreachable",
    message: "the connection was refused",
    remedy: "check host and port, and that the listener runs",
    quote: true,
  },
  "NJS-510": {
    kind: "timeout",
    message: "no answer in time while connecting",
    remedy: "check host, port and firewalls",
  },
  "NJS-530": { kind: "unreachable", message: "the host name can't be resolved", remedy: "check cdc.database.host" },
  "NJS-504": { kind: "unreachable", message: "the web proxy rejected the connection" },
  "NJS-505": { kind: "unreachable", message: "TLS could not be set up with this wallet or trust store", quote: true },
  "NJS-506": { kind: "unreachable", message: "the TLS handshake failed", remedy: TRUST, quote: true },
  "NJS-507": {
    kind: "unreachable",
    message: "the server's certificate is for another name (DN)",
    remedy: "set oracle.net.ssl_server_cert_dn to the subject of the server's certificate",
  },
  "NJS-508": {
    kind: "unreachable",
    message: "the server's certificate is for another host",
    remedy: "connect by the name in the certificate, or set oracle.net.ssl_server_cert_dn to its subject",
  },
  "NJS-509": {
    kind: "protocol",
    message: "the server does not speak Oracle's protocol",
    remedy: "check the port; a TLS port needs a jdbc:oracle:thin:@tcps:// URL",
  },
  // The server returned an invalid error number, which the driver looked up in its own table.
  "NJS-068": {
    kind: "protocol",
    message: "the server's answer is damaged",
    remedy: "check the port, and the network to the database (proxies, firewalls that inspect traffic)",
  },
  "NJS-173": {
    kind: "protocol",
    message: "the server does not speak Oracle's protocol",
    remedy: "check the port",
  },
  "NJS-529": {
    kind: "unsupported",
    message: "this kind of wallet is not supported",
    remedy: "export it as ewallet.pem",
  },
  "NJS-517": { kind: "unreachable", message: "the name is not in tnsnames.ora", remedy: "check cdc.database.url" },
  "NJS-516": { kind: "unreachable", message: "tnsnames.ora not found", remedy: "check TNS_ADMIN in cdc.database.url" },
  "NJS-520": { kind: "unreachable", message: "tnsnames.ora not found", remedy: "check TNS_ADMIN in cdc.database.url" },
  "NJS-500": GONE,
  "NJS-501": GONE,
  "NJS-513": GONE,
  "NJS-521": GONE,
  "NJS-003": GONE,
  "ORA-03113": GONE,
  "ORA-03114": GONE,
  "ORA-03135": GONE,
  "ORA-00028": GONE,
  "ORA-02396": GONE,
  "ORA-01012": GONE,
  "NJS-123": { kind: "timeout", message: "no answer in time", remedy: "check whether the database is overloaded" },
  "ORA-01013": {
    kind: "timeout",
    message: "the call was cancelled",
    remedy: "check whether the database is overloaded",
  },
  "ORA-12170": { kind: "timeout", message: "no answer in time while connecting" },
  "ORA-12541": { kind: "unreachable", message: "no listener at this address", remedy: "check host and port" },
  "ORA-12545": { kind: "unreachable", message: "the host name can't be resolved", remedy: "check cdc.database.host" },
  "ORA-12514": {
    kind: "unreachable",
    message: "the listener does not know the service",
    remedy: "check cdc.database.service",
  },
  "ORA-12505": { kind: "unreachable", message: "the listener does not know the SID", remedy: "check cdc.database.sid" },
  "ORA-12520": {
    kind: "unreachable",
    message: "the listener has no free handler",
    remedy: "check whether PROCESSES is exhausted",
  },
  "ORA-12516": {
    kind: "unreachable",
    message: "the listener has no free handler",
    remedy: "check whether PROCESSES is exhausted",
  },
  "ORA-00020": { kind: "unreachable", message: "the database has no process left for a session" },
  "ORA-00018": { kind: "unreachable", message: "the database has no session left" },
  "ORA-12526": { kind: "unreachable", message: "the database is in restricted mode", remedy: NOT_OPEN },
  "ORA-12528": { kind: "unreachable", message: "the database is starting", remedy: NOT_OPEN },
  "ORA-01033": { kind: "unreachable", message: "the database is starting or shutting down", remedy: NOT_OPEN },
  "ORA-01034": { kind: "unreachable", message: "the database is down", remedy: NOT_OPEN },
  "ORA-01089": { kind: "unreachable", message: "the database is shutting down", remedy: NOT_OPEN },
  "ORA-01035": { kind: "unreachable", message: "the database is in restricted mode", remedy: NOT_OPEN },
  "ORA-01109": { kind: "unreachable", message: "the database is not open", remedy: NOT_OPEN },
  "ORA-01219": { kind: "unreachable", message: "the database is not open", remedy: NOT_OPEN },
  "ORA-01555": {
    kind: "rejected",
    message: "undo no longer reaches back to the SCN",
    remedy: "use a later SCN, or a longer UNDO_RETENTION",
    quote: true,
  },
  "ORA-22924": {
    kind: "rejected",
    message: "the earlier value of a large object is gone",
    remedy: "use a later SCN, or a longer RETENTION (PCTVERSION) of the LOB",
    quote: true,
  },
  "ORA-08181": {
    kind: "rejected",
    message: "the database does not know the SCN",
    remedy: "use a later SCN",
    quote: true,
  },
  "ORA-01466": {
    kind: "rejected",
    message: "the table definition changed after the SCN",
    remedy: "use a later SCN",
    quote: true,
  },
  "ORA-00310": LOG_SWITCHED,
  "ORA-00334": LOG_SWITCHED,
  "ORA-01289": LOG_SWITCHED,
  "ORA-01291": LOG_SWITCHED,
  "ORA-01368": LOG_SWITCHED,
  "ORA-16331": {
    kind: "rejected",
    message: "a PDB with changes in the redo is not open",
    remedy: "open the PDB and save its state, then run the command again",
    quote: true,
  },
  "ORA-65040": {
    kind: "unsupported",
    message: "LogMiner does not accept log files inside a pluggable database",
    remedy: "connect to the root's service (cdc.database.service)",
  },
};

const DENIED: readonly string[] = ["ORA-00942", "ORA-01031", "ORA-41900"];

/** "error occurred at recursive SQL level …" */
const RECURSIVE = "ORA-00604";

/** The compiler's error for a package that the user may not see. */
const NOT_DECLARED = /PLS-(?:00201|00904)/;

/**
 * Returns the code in an error: `ORA-01017`, `NJS-503`. An error of recursive SQL is judged by the one that it wraps.
 *
 * Rule: reference: connector rules, "Where the database may be mined".
 */
export function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const found = error.message.match(/\b(?:ORA|NJS|PLS|TNS)-\d{3,5}\b/g) ?? [];
  const unwrapped = found[0] === RECURSIVE ? found.filter((code) => code !== RECURSIVE) : found;
  const codes = unwrapped.length === 0 ? found : unwrapped;
  // The thin driver wraps some of the server's codes: NJS-511 … ORA-12541.
  const wrapped =
    codes[0] === "NJS-511" || codes[0] === "NJS-513"
      ? codes.find((code) => code in RULES && code !== codes[0])
      : undefined;
  return wrapped ?? codes[0];
}

/** @param code SQLCODE, which is negative: -942 is `ORA-00942` */
export function oraCode(code: number): string {
  return `ORA-${String(-code).padStart(5, "0")}`;
}

/** Whether a read may be repeated over a new connection: the old one was lost, and a read changes nothing. */
export function isLost(error: unknown): boolean {
  const code = codeOf(error);
  return code !== undefined && RULES[code] === GONE;
}

/** Whether a statement failed for lack of a privilege. */
export function isDenial(error: unknown): boolean {
  const code = codeOf(error);
  if (code === "ORA-06550") return error instanceof Error && NOT_DECLARED.test(error.message);
  return code !== undefined && DENIED.includes(code);
}

/**
 * Describes a failed call for the operator. An error that is not from the driver or the database is a bug, and is
 * returned unchanged.
 */
export function translate(error: unknown, doing: Doing): unknown {
  if (error instanceof CallFailed) return error;
  const code = codeOf(error);
  if (code === undefined || !(error instanceof Error)) return error;
  const { address, user, sql } = doing;
  if (sql !== undefined && isDenial(error))
    return code === "ORA-06550" ? logMinerDenied(doing, code) : denied(error, code, { ...doing, sql });
  const known = RULES[code];
  const rule = known === GONE && sql === undefined ? HUNG_UP : known;
  const failure: Omit<Failure, "system"> =
    rule === undefined
      ? { kind: sql === undefined ? "unreachable" : "rejected", message: `${address}: ${summary(error)}`, code }
      : {
          kind: rule.kind,
          message:
            `${address}: ${rule.message}` +
            (rule.kind === "unauthorized" ? `, user ${user}` : "") +
            (rule.quote ? ` (${summary(error)})` : ""),
          code,
          ...(rule.remedy === undefined ? {} : { remedy: rule.remedy }),
        };
  return new CallFailed("oracle", failure.kind, failure);
}

function denied(error: Error, code: string, doing: Doing & { readonly sql: string }): CallFailed {
  const { address, user, sql } = doing;
  const offset = "offset" in error && typeof error.offset === "number" ? error.offset : undefined;
  const container = /^ALTER SESSION SET CONTAINER = (\S+)$/.exec(sql)?.[1];
  if (container !== undefined)
    return new CallFailed("oracle", "forbidden", {
      message: `${address}: ${user} may not go into ${container}`,
      code,
      remedy: grantOfSetContainer(doing),
    });
  const table = /\bFROM ("[^"]+"\."[^"]+") AS OF SCN\b/.exec(sql)?.[1];
  if (table !== undefined)
    return new CallFailed("oracle", "forbidden", {
      message: `${address}: ${user} may not read ${table} as it was, or it is not there`,
      code,
      remedy: `${grantOfTables(doing)} ${grantOfFlashback(doing)}`,
    });
  const views = viewsBlamed(sql, offset);
  if (views.length === 0) return logMinerDenied(doing, code);
  return new CallFailed("oracle", "forbidden", {
    message: `${address}: ${user} may not read ${views.join(" or ")}`,
    code,
    remedy: [...new Set(views.map((view) => grantOf(view, doing)))].join(" "),
  });
}

/** EXECUTE on the package is missing, or a privilege that it requires. */
export function logMinerDenied(doing: Doing, code: string): CallFailed {
  return new CallFailed("oracle", "forbidden", {
    message: `${doing.address}: ${doing.user} may not use DBMS_LOGMNR`,
    code,
    remedy: `${grantOfLogMiner(doing)} ${grantOfLogMining(doing)}`,
  });
}

/** The first line, without the driver's help link and connection id. */
function summary(error: Error): string {
  const lines = error.message.split("\n").filter((line) => line !== "" && !/^(?:Help|https?):/i.test(line));
  return lines
    .slice(0, 2)
    .join(": ")
    .replace(/\s*\(CONNECTION_ID=[^)]*\)/g, "");
}
