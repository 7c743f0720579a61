import { closing } from "../../core/change/holding.ts";
import type { DatabaseForm } from "../../core/doctor/database-form.ts";
import {
  type CapturedName,
  capturedName,
  isCommonName,
  namedByPatterns,
  type Setup,
  setupSql,
  writable,
} from "../../core/doctor/setup-sql.ts";
import { connectorSettings } from "../../core/document/connector-settings.ts";
import { UsageError } from "../../core/errors.ts";
import type { ConnectorSettings } from "../../core/facts/connector/settings.ts";
import { capturedTables } from "../../core/facts/tables/tables.ts";
import { unresolved } from "../../core/values/config.ts";
import { lineOf } from "../../core/values/remedy.ts";
import { bindCredentials, hostsOf, type Source } from "../../providers/contexts/trust.ts";
import { openOracle } from "../../providers/oracle/oracle-port.ts";
import { EXIT } from "../command.ts";
import type { Host } from "../host.ts";
import type { Flags } from "../options/common.ts";
import type { setupSqlOptions } from "../options/doctor.ts";
import { writeLine } from "../screen.ts";
import { documentText } from "../views/rendered.ts";
import { namedConfiguration } from "./config-file.ts";
import { refuseExisting, writeNewFile } from "./files.ts";
import { refuseUnsafeEnvironment } from "./safe-environment.ts";
import { traced } from "./tracing.ts";

type SetupSqlFlags = Flags<typeof setupSqlOptions>;

/**
 * Runs `doctor setup-sql`. Flags take precedence over the configuration. @returns 0. @throws UsageError for a name that
 * no script could hold
 */
export async function printSetupSql(flags: SetupSqlFlags, host: Host): Promise<number> {
  if (flags["ask-database"]) refuseUnsafeEnvironment(host.env);
  await refuseExisting([flags.output]);
  const settings = await settingsNamed(flags, host);
  const form = flags.database ?? (settings === undefined ? "container" : formOf(settings));
  const script = setupSql({
    form,
    user: userOf(flags, settings, form),
    ...(await tablesOf(flags, settings, form, host)),
  });
  if (flags.output === undefined) host.stdout.write(documentText(script));
  else {
    await writeNewFile(flags.output, script);
    writeLine(host.stderr, `wrote ${flags.output}`);
  }
  return EXIT.done;
}

/** Settings of a configuration named by the flags. References are resolved only where the login is used. */
interface SettingsNamed extends ConnectorSettings {
  readonly from: Source;
}

async function settingsNamed(flags: SetupSqlFlags, host: Host): Promise<SettingsNamed | undefined> {
  const named = await namedConfiguration(flags, host);
  if (named === undefined) return undefined;
  const { config } = flags["ask-database"] ? await named.resolved() : named.written;
  return { ...connectorSettings(config, named.origin), from: named.from };
}

function formOf({ miningMode, tables }: ConnectorSettings): DatabaseForm {
  if (miningMode === "range") return "pdb";
  return tables.pdbs.length > 0 ? "container" : "non-container";
}

function userOf({ user }: SetupSqlFlags, settings: ConnectorSettings | undefined, form: DatabaseForm): string {
  const written = user ?? configured(settings);
  if (written === undefined) return form === "container" ? "C##CDC" : "CDC";
  const name = /^"[^"]*"$/.test(written) ? written.slice(1, -1) : written.toUpperCase();
  if (!writable(name))
    throw new UsageError(`${JSON.stringify(written)} is not a valid user name`, "Pass another one with --user.");
  if (form === "container" && !isCommonName(name))
    throw new UsageError(
      `${name} cannot be the capture user of a container database: a common user is required`,
      `Pass one with --user, such as C##${name}; or pass --database non-container, pdb or rds.`,
    );
  if (form !== "container" && form !== "pdb" && isCommonName(name))
    throw new UsageError(
      `${name} is a common user's name, which only a container database has`,
      "Pass another one with --user, or pass --database container or pdb.",
    );
  return name;
}

function configured(settings: ConnectorSettings | undefined): string | undefined {
  const user = settings?.database.user;
  if (user === undefined || unresolved({ user }).length === 0) return user;
  throw new UsageError({
    ...(settings === undefined ? {} : { file: settings.origin }),
    message: "cdc.database.user is a reference that only the worker resolves",
    remedy: "Pass the user with --user.",
  });
}

async function tablesOf(
  flags: SetupSqlFlags,
  settings: SettingsNamed | undefined,
  form: DatabaseForm,
  host: Host,
): Promise<Pick<Setup, "tables" | "patterns">> {
  const given = (flags.table ?? []).map((text) => named(text, form));
  if (settings === undefined && flags["ask-database"])
    throw new UsageError(
      "--ask-database requires the login of a configuration",
      "Pass it with --config, or with --context and --connector.",
    );
  if (settings === undefined) return { tables: given, patterns: [] };
  if (flags["ask-database"])
    return { tables: unique([...given, ...(await askedFor(settings, form, host))]), patterns: [] };
  const { tables, patterns } = namedByPatterns(settings.tables, form);
  return { tables: unique([...given, ...tables]), patterns: given.length > 0 ? [] : patterns };
}

function named(text: string, form: DatabaseForm): CapturedName {
  const name = capturedName(text, form);
  if (name !== undefined) return name;
  throw new UsageError(
    `${JSON.stringify(text)} is not a valid table name`,
    `${FORM_OF_NAMES[form]}; a part in double quotes is taken literally.`,
  );
}

const FORM_OF_NAMES: Readonly<Record<DatabaseForm, string>> = {
  container: "In a container database, use PDB.OWNER.TABLE",
  "non-container": "Use OWNER.TABLE",
  pdb: "Use OWNER.TABLE, or PDB.OWNER.TABLE",
  rds: "Use OWNER.TABLE",
};

async function askedFor(settings: SettingsNamed, form: DatabaseForm, host: Host): Promise<readonly CapturedName[]> {
  const { database } = settings;
  const named = { hosts: hostsOf(database), namedBy: settings.from } as const;
  await using oracle = closing(
    traced(host, "oracle", openOracle(bindCredentials(database, { to: named, credential: named.namedBy }))),
  );
  const captured = capturedTables(settings.tables, await oracle.dictionary(settings.tables.pdbs));
  if (!captured.known)
    throw new UsageError(
      `cannot determine which tables are captured: ${captured.why}`,
      captured.remedies.map(lineOf).join(" "),
    );
  return captured.tables.map(({ container, owner, name }) => ({
    pdb: form === "container" ? container : undefined,
    owner,
    table: name,
  }));
}

function unique(tables: readonly CapturedName[]): readonly CapturedName[] {
  return [...new Map(tables.map((one) => [JSON.stringify([one.pdb, one.owner, one.table]), one])).values()];
}
