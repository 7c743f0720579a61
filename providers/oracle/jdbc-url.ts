import { UsageError } from "../../core/errors.ts";

type Protocol = "TCP" | "TCPS";

interface Address {
  readonly host: string;
  readonly port: string;
}

/** The location of a database: addresses, a complete descriptor, or a name that is defined in `tnsnames.ora`. */
export type Place =
  | {
      readonly form: "addresses";
      readonly protocol: Protocol;
      readonly addresses: readonly Address[];
      readonly within: Within;
    }
  | { readonly form: "descriptor"; readonly text: string }
  | { readonly form: "alias"; readonly name: string };

type Within =
  | { readonly service: string; readonly server?: string | undefined; readonly instance?: string | undefined }
  | { readonly sid: string };

interface JdbcUrl {
  readonly place: Place;
  /** The parameters after `?`, with names as written. */
  readonly parameters: readonly (readonly [name: string, value: string])[];
}

const SETTING = "cdc.database.url";
const FORMS = "jdbc:oracle:thin:@//host:port/service, @host:port:sid, @tcps://host:port/service or @(DESCRIPTION=…)";
const DEFAULT_PORT = "1521";

/**
 * Reads `cdc.database.url` in the forms of Oracle's JDBC thin driver (Oracle JDBC Developer's Guide, "Database URLs").
 *
 * @throws UsageError for a form that thin mode does not support (OCI, LDAP), a login in the URL, or text that is not
 * such a URL
 */
export function parseJdbcUrl(url: string): JdbcUrl {
  const [, driver = "", login = "", rest = ""] = /^jdbc:oracle:([a-z0-9]+):([^@(]*)@(.*)$/is.exec(url.trim()) ?? [];
  if (driver === "" && /^jdbc:(?:oracle:kprb|default:connection)/i.test(url.trim()))
    throw unsupported("jdbc:oracle:kprb");
  if (driver === "") throw unreadable();
  if (driver.toLowerCase() !== "thin") throw unsupported(`jdbc:oracle:${driver.toLowerCase()}`);
  if (login.trim() !== "") throw loginInside();
  if (rest.startsWith("(")) return { place: { form: "descriptor", text: descriptor(rest) }, parameters: [] };
  const mark = rest.indexOf("?");
  const target = (mark < 0 ? rest : rest.slice(0, mark)).trim();
  return { place: placeOf(target), parameters: mark < 0 ? [] : parametersOf(rest.slice(mark + 1)) };
}

function placeOf(target: string): Place {
  const [, scheme, afterScheme = target] = /^(?:([a-z]+):)?\/\/(.*)$/is.exec(target) ?? [];
  if (scheme !== undefined && !/^tcps?$/i.test(scheme)) throw unsupported(`${scheme.toLowerCase()}:`);
  if (/^(?:ldaps?|oci|config-[a-z]+):/i.test(target)) throw unsupported(target.slice(0, target.indexOf(":") + 1));
  if (afterScheme.includes("@")) throw loginInside();
  const withScheme = afterScheme !== target;
  if (!withScheme && /^[\w$#.-]+$/.test(target)) return { form: "alias", name: target };
  const slash = afterScheme.indexOf("/");
  const hosts = slash < 0 ? afterScheme : afterScheme.slice(0, slash);
  const protocol: Protocol = scheme?.toLowerCase() === "tcps" ? "TCPS" : "TCP";
  if (slash < 0) {
    const [, host = "", port = "", sid = ""] = /^(\[[^\]]+\]|[^:[\]]+):(\d+):([\w$#.-]+)$/.exec(hosts) ?? [];
    if (host === "") throw unreadable();
    return { form: "addresses", protocol, addresses: [{ host: bare(host), port }], within: { sid } };
  }
  const within = /^([\w$#.-]+)(?::(\w+))?(?:\/([\w$#.-]+))?$/.exec(afterScheme.slice(slash + 1));
  if (within === null) throw unreadable();
  const [, service = "", server, instance] = within;
  return { form: "addresses", protocol, addresses: addressesOf(hosts), within: { service, server, instance } };
}

/** `db1:1521,db2` */
function addressesOf(hosts: string): Address[] {
  const addresses: Address[] = [];
  for (const one of hosts.split(",")) {
    const match = /^(\[[0-9a-f:.]+(?:%\w+)?\]|[\w.-]+)(?::(\d{1,5}))?$/i.exec(one.trim());
    if (match === null) throw unreadable();
    addresses.push({ host: bare(match[1] ?? ""), port: match[2] ?? "" });
  }
  // Easy Connect Plus: a port also applies to preceding hosts without one.
  return addresses.map(({ host, port }, at) => ({
    host,
    port: port || (addresses.slice(at).find((later) => later.port !== "")?.port ?? DEFAULT_PORT),
  }));
}

function bare(host: string): string {
  return host.replace(/^\[|\]$/g, "");
}

function parametersOf(query: string): [string, string][] {
  return query
    .split("&")
    .filter((part) => part !== "")
    .map((part) => {
      const at = part.indexOf("=");
      return at < 0 ? [part, ""] : [part.slice(0, at), decoded(part.slice(at + 1))];
    });
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * @throws UsageError when the brackets don't match, or the descriptor contains a password or an option that thin mode
 * does not support
 */
function descriptor(text: string): string {
  let depth = 0;
  for (const char of text) {
    if (char === "(") depth += 1;
    if (char === ")") depth -= 1;
    if (depth < 0) break;
  }
  if (depth !== 0 || !/^\(\s*DESCRIPTION(?:_LIST)?\s*=/i.test(text)) throw unreadable();
  if (/\(\s*(?:PASSWORD|USER)\s*=/i.test(text)) throw loginInside();
  const protocol = /\(\s*PROTOCOL\s*=\s*"?(\w+)/gi;
  for (const [, name = ""] of text.matchAll(protocol))
    if (!/^tcps?$/i.test(name)) throw unsupported(`PROTOCOL=${name}`);
  return text.trim();
}

function loginInside(): UsageError {
  return new UsageError(
    `${SETTING} contains a login`,
    "Remove the user and the password from the URL: they belong in cdc.database.user and cdc.database.password.",
  );
}

function unsupported(form: string): UsageError {
  return new UsageError(
    `${SETTING}: ${form} requires Oracle Client or a directory service; cdcctl connects in thin mode and has neither`,
    `Use the address itself, with --config: ${FORMS}.`,
  );
}

function unreadable(): UsageError {
  return new UsageError(
    `${SETTING} is not a supported JDBC URL`,
    `Correct it, or give another with --config: ${FORMS}.`,
  );
}
