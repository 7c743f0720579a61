import { CallFailed, type FailureKind } from "../../core/errors.ts";
import { type Grantee, granted, grantOf, viewsBlamed } from "./grants.ts";

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
  readonly remedy: string | undefined;
  /** Whether the driver's own message is appended: never if it could contain what the user typed. */
  readonly quote: boolean;
}

type ByCode<Row> = Readonly<Record<string, Row>>;

const rulesOf =
  ({ quote }: Pick<Rule, "quote">) =>
  (kind: FailureKind, rows: ByCode<readonly [message: string, remedy?: string]>): ByCode<Rule> =>
    Object.fromEntries(
      Object.entries(rows).map(([code, [message, remedy]]) => [code, { kind, message, remedy, quote }]),
    );
const rules = rulesOf({ quote: false });
const quoting = rulesOf({ quote: true });

const GONE = ["the connection broke"] as const;
/** A TLS port closes connections without TLS, and a server that can't continue a logon closes them as well. */
const HUNG_UP: Rule = {
  kind: "unreachable",
  message: "the server closed the connection during the login",
  remedy: "Check the port; a TLS port needs a jdbc:oracle:thin:@tcps:// URL, a trust store or a wallet.",
  quote: true,
};
/** The task tries again, and stops with CDC-1002 after more than 20 failures in a row. */
const LOG_SWITCHED = [
  "a log was switched, reused or not yet visible while it was read",
  "Run the command again.",
] as const;
const NOT_OPEN = "Wait until the database is open, or ask its administrators.";
const NOT_ENCRYPTED = [
  "native network encryption could not be negotiated",
  "Let the database allow connections without it, or connect over TLS (a jdbc:oracle:thin:@tcps:// URL).",
] as const;
const TRUST =
  "Check that the port is the TLS port, and that cdc.database.tls.truststore.location or " +
  "cdc.database.wallet.location holds the server's authority.";
const OVERLOADED = "Check whether the database is overloaded.";
const NO_HANDLER = ["the listener has no free handler", "Check whether PROCESSES is exhausted."] as const;
const NO_TNSNAMES = ["tnsnames.ora not found", "Check TNS_ADMIN in cdc.database.url."] as const;

/** Rules by the code of the server (ORA) or the thin driver (NJS). */
const RULES: ByCode<Rule> = {
  ...rules("unauthorized", {
    "ORA-01017": ["user name or password is wrong", "Check cdc.database.user and cdc.database.password."],
    "ORA-28000": [
      "the account is locked",
      "have it unlocked (ALTER USER … ACCOUNT UNLOCK), and find out what keeps trying a wrong password",
    ],
    "ORA-28001": ["the password has expired", "have a new password set"],
    "ORA-01045": ["the user may not log in", "GRANT CREATE SESSION"],
    "ORA-01005": ["the password is empty", "Check cdc.database.password."],
    "NJS-087": ["the database token has expired", "Get a new one (for OCI: oci iam db-token get)."],
  }),
  ...rules("unsupported", {
    "NJS-116": [
      "the account has only an old password verifier (10G), which thin mode does not support",
      "have the password set again, so that the account gets a newer verifier",
    ],
    "NJS-138": ["the database is older than 12.1", "cdcctl needs Oracle 12.1 or later"],
    "NJS-531": NOT_ENCRYPTED,
    "NJS-532": NOT_ENCRYPTED,
    "NJS-529": ["this kind of wallet is not supported", "Export it as ewallet.pem."],
    "ORA-65040": [
      "LogMiner does not accept log files inside a pluggable database",
      "Connect to the root's service (cdc.database.service).",
    ],
  }),
  ...quoting("unsupported", {
    "NJS-533": [
      "the database requires native network encryption or integrity that thin mode does not support",
      NOT_ENCRYPTED[1],
    ],
  }),
  ...rules("unreachable", {
    "NJS-518": [
      "the listener answers, but does not know the service",
      "Check cdc.database.service (lsnrctl services), and whether the database is up.",
    ],
    "NJS-519": [
      "the listener answers, but does not know the SID",
      "Check cdc.database.sid (lsnrctl services), and whether the database is up.",
    ],
    "NJS-530": ["the host name can't be resolved", "Check cdc.database.host."],
    "NJS-504": ["the web proxy rejected the connection"],
    "NJS-507": [
      "the server's certificate is for another name (DN)",
      "Set oracle.net.ssl_server_cert_dn to the subject of the server's certificate.",
    ],
    "NJS-508": [
      "the server's certificate is for another host",
      "connect by the name in the certificate, or set oracle.net.ssl_server_cert_dn to its subject",
    ],
    "NJS-517": ["the name is not in tnsnames.ora", "Check cdc.database.url."],
    "NJS-516": NO_TNSNAMES,
    "NJS-520": NO_TNSNAMES,
    "ORA-12541": ["no listener at this address", "Check host and port."],
    "ORA-12545": ["the host name can't be resolved", "Check cdc.database.host."],
    "ORA-12514": ["the listener does not know the service", "Check cdc.database.service."],
    "ORA-12505": ["the listener does not know the SID", "Check cdc.database.sid."],
    "ORA-12520": NO_HANDLER,
    "ORA-12516": NO_HANDLER,
    "ORA-00020": ["the database has no process left for a session"],
    "ORA-00018": ["the database has no session left"],
    "ORA-12526": ["the database is in restricted mode", NOT_OPEN],
    "ORA-12528": ["the database is starting", NOT_OPEN],
    "ORA-01033": ["the database is starting or shutting down", NOT_OPEN],
    "ORA-01034": ["the database is down", NOT_OPEN],
    "ORA-01089": ["the database is shutting down", NOT_OPEN],
    "ORA-01035": ["the database is in restricted mode", NOT_OPEN],
    "ORA-01109": ["the database is not open", NOT_OPEN],
    "ORA-01219": ["the database is not open", NOT_OPEN],
  }),
  ...quoting("unreachable", {
    "NJS-511": ["the listener refused the connection"],
    "NJS-503": ["the connection was refused", "Check host and port, and that the listener runs."],
    "NJS-505": ["TLS could not be set up with this wallet or trust store"],
    "NJS-506": ["the TLS handshake failed", TRUST],
  }),
  ...rules("protocol", {
    "NJS-509": [
      "the server does not speak Oracle's protocol",
      "Check the port; a TLS port needs a jdbc:oracle:thin:@tcps:// URL.",
    ],
    // The server returned an invalid error number, which the driver looked up in its own table.
    "NJS-068": [
      "the server's answer is damaged",
      "Check the port, and the network to the database (proxies, firewalls that inspect traffic).",
    ],
    "NJS-173": ["the server does not speak Oracle's protocol", "Check the port."],
  }),
  ...rules("timeout", {
    "NJS-510": ["no answer in time while connecting", "Check host, port and firewalls."],
    "NJS-123": ["no answer in time", OVERLOADED],
    "ORA-01013": ["the call was cancelled", OVERLOADED],
    "ORA-12170": ["no answer in time while connecting"],
  }),
  ...quoting("lost", {
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
  }),
  ...quoting("rejected", {
    "ORA-01555": ["undo no longer reaches back to the SCN", "Use a later SCN, or a longer UNDO_RETENTION."],
    "ORA-22924": [
      "the earlier value of a large object is gone",
      "Use a later SCN, or a longer RETENTION (PCTVERSION) of the LOB.",
    ],
    "ORA-08181": ["the database does not know the SCN", "Use a later SCN."],
    "ORA-01466": ["the table definition changed after the SCN", "Use a later SCN."],
    "ORA-00310": LOG_SWITCHED,
    "ORA-00334": LOG_SWITCHED,
    "ORA-01289": LOG_SWITCHED,
    "ORA-01291": LOG_SWITCHED,
    "ORA-01368": LOG_SWITCHED,
    "ORA-16331": [
      "a PDB with changes in the redo is not open",
      "Open the PDB and save its state, then run the command again.",
    ],
  }),
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
  return code !== undefined && RULES[code]?.kind === "lost";
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
  const { sql } = doing;
  if (sql !== undefined && isDenial(error))
    return code === "ORA-06550" ? logMinerDenied(doing, code) : denied(error, code, { ...doing, sql });
  const known = RULES[code];
  const rule = known?.kind === "lost" && sql === undefined ? HUNG_UP : known;
  const user = rule?.kind === "unauthorized" ? `, user ${doing.user}` : "";
  const said = rule?.quote ? ` (${summary(error)})` : "";
  return new CallFailed("oracle", rule?.kind ?? (sql === undefined ? "unreachable" : "rejected"), {
    message: `${doing.address}: ${rule === undefined ? summary(error) : rule.message + user + said}`,
    code,
    remedy: rule?.remedy,
  });
}

function denied(error: Error, code: string, doing: Doing & { readonly sql: string }): CallFailed {
  const { sql } = doing;
  const offset = "offset" in error && typeof error.offset === "number" ? error.offset : undefined;
  const container = /^ALTER SESSION SET CONTAINER = (\S+)$/.exec(sql)?.[1];
  if (container !== undefined) return forbidden(doing, code, `go into ${container}`, [granted("SET CONTAINER", doing)]);
  const table = /\bFROM ("[^"]+"\."[^"]+") AS OF SCN\b/.exec(sql)?.[1];
  if (table !== undefined) {
    const grants = ["SELECT ANY TABLE", "FLASHBACK ANY TABLE"].map((what) => granted(what, doing));
    return forbidden(doing, code, `read ${table} as it was, or it is not there`, grants);
  }
  const views = viewsBlamed(sql, offset);
  if (views.length === 0) return logMinerDenied(doing, code);
  const grants = new Set(views.map((view) => grantOf(view, doing)));
  return forbidden(doing, code, `read ${views.join(" or ")}`, [...grants]);
}

/** EXECUTE on the package is missing, or a privilege that LogMiner itself requires in addition. */
export function logMinerDenied(doing: Doing, code: string): CallFailed {
  const grants = ["EXECUTE ON DBMS_LOGMNR", "LOGMINING, EXECUTE_CATALOG_ROLE"].map((what) => granted(what, doing));
  return forbidden(doing, code, "use DBMS_LOGMNR", grants);
}

function forbidden({ address, user }: Doing, code: string, what: string, grants: readonly string[]): CallFailed {
  const message = `${address}: ${user} may not ${what}`;
  return new CallFailed("oracle", "forbidden", { message, code, remedy: grants.join(" ") });
}

/** The first line, without the driver's help link and connection id. */
function summary(error: Error): string {
  const lines = error.message.split("\n").filter((line) => line !== "" && !/^(?:Help|https?):/i.test(line));
  return lines
    .slice(0, 2)
    .join(": ")
    .replace(/\s*\(CONNECTION_ID=[^)]*\)/g, "");
}
