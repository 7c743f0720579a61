import { UsageError } from "../../core/errors.ts";
import type { Bound, DatabaseSettings } from "../../core/facts/connector/settings.ts";
import { secret } from "../../core/values/secret.ts";
import { bindCredentials, hostsOf, type Source } from "../../providers/contexts/trust.ts";
import { logsInWithoutPassword } from "../../providers/oracle/connect-descriptor.ts";
import type { Host } from "../host.ts";
import type { Flags, loginOptions } from "../options/common.ts";

type LoginFlags = Flags<typeof loginOptions>;

const DSN = /^(\[[0-9a-f:.%]+\]|[\w.-]+)(?::(\d{1,5}))?\/([\w$#.-]+)$/i;

/**
 * The database login: flags take precedence over the settings of a configuration. A value that is masked, or that only
 * a worker could resolve, counts as missing.
 *
 * @param origin of the configuration, for messages; `from`: its owner
 * @throws UsageError naming what is missing and its flag; also for a login by flags to a host that a worker names
 */
export function databaseLogin(
  flags: LoginFlags,
  settings: DatabaseSettings,
  { origin, from }: { readonly origin: string; readonly from: Source },
  { env }: Pick<Host, "env">,
): Bound<DatabaseSettings> {
  const place = flags["db-dsn"] === undefined ? undefined : placeOf(flags["db-dsn"]);
  const variable = flags["db-password-env"];
  const password = variable === undefined ? settings.password : secret(passwordIn(variable, env));
  const login: DatabaseSettings = {
    ...settings,
    ...(place === undefined ? {} : { ...place, sid: undefined, url: undefined }),
    user: flags["db-user"] ?? settings.user,
    password,
  };
  if (!logsInWithoutPassword(login)) {
    demand("cdc.database.user", login.user, origin, "Give --db-user.");
    demand("cdc.database.password", password?.open(), origin, "Pass --db-password-env with the name of a variable.");
  }
  if (login.url === undefined) {
    demand("cdc.database.host", login.host, origin, "Give --db-dsn.");
    demand("cdc.database.service", login.service ?? login.sid, origin, "Give --db-dsn.");
  } else demand("cdc.database.url", login.url, origin, "Give --db-dsn.");
  if (login.truststorePassword !== undefined)
    demand(
      "cdc.database.tls.truststore.password",
      login.truststorePassword.open(),
      origin,
      // biome-ignore lint/suspicious/noTemplateCurlyInString: a reference in the notation of Connect
      "Set it there, preferably by a reference such as ${file:/path:key}.",
    );
  return bindCredentials(login, {
    to: { hosts: hostsOf(login), namedBy: place === undefined ? from : "the command line" },
    credential: variable === undefined ? from : "a flag for the database",
  });
}

function placeOf(dsn: string): Pick<DatabaseSettings, "host" | "port" | "service"> {
  const [, host, port = "1521", service] = DSN.exec(dsn.trim()) ?? [];
  // A malformed value may hold a login, so it is not shown.
  if (host === undefined || service === undefined)
    throw new UsageError("--db-dsn is not of the form host:port/service", {
      text: "For example",
      setting: "--db-dsn db.prod:1521/ORCLCDB",
    });
  return { host, port, service };
}

function passwordIn(variable: string, env: Host["env"]): string {
  const value = env[variable];
  if (value !== undefined && value !== "") return value;
  const named = /^[A-Za-z_][A-Za-z0-9_]*$/.test(variable);
  throw new UsageError(
    named
      ? `environment variable ${variable} is not set`
      : "--db-password-env takes the name of a variable, not a password",
    named
      ? { text: "Set it", command: `export ${variable}=…` }
      : { text: "For example", setting: "--db-password-env DB_PASSWORD" },
  );
}

function demand(setting: string, value: string | undefined, origin: string, remedy: string): void {
  if (value === undefined || value.trim() === "")
    throw new UsageError({ file: origin, message: `${setting} is not set`, remedy });
  if (value.includes("********"))
    throw new UsageError({ file: origin, message: `${setting} is masked (********)`, remedy });
  if (/\$\{[^}]*\}/.test(value))
    throw new UsageError({
      file: origin,
      message: `${setting} is a reference that could not be resolved here`,
      remedy,
    });
}
