import { inspectBeforeStart } from "../../core/doctor/inspect.ts";
import { isReady, type PreflightFinding, preflight } from "../../core/doctor/preflight.ts";
import { preflightSettings } from "../../core/doctor/settings.ts";
import { connectorSettings, withBrokers } from "../../core/document/connector-settings.ts";
import { UsageError } from "../../core/errors.ts";
import type { ConnectorSettings } from "../../core/facts/connector/settings.ts";
import { readPreflight } from "../../core/facts/preflight-reading.ts";
import { CONNECTOR_CLASS, checkConnectorClass } from "../../core/legacy/connector-class.ts";
import type { KafkaPort } from "../../core/ports/kafka.ts";
import { redactSetting } from "../../core/redaction/redact.ts";
import { readClientProperties } from "../../providers/contexts/connector-config.ts";
import { lend, type Source } from "../../providers/contexts/trust.ts";
import { openKafka } from "../../providers/kafka/open-kafka.ts";
import { openOracle } from "../../providers/oracle/oracle-port.ts";
import { EXIT } from "../command.ts";
import type { Host } from "../host.ts";
import type { Flags } from "../options/common.ts";
import type { checkOptions } from "../options/doctor.ts";
import { warningsTo, writeLine } from "../screen.ts";
import { preflightDocument, preflightReport } from "../views/preflight.ts";
import { systemClock } from "./clock.ts";
import { namedConfiguration } from "./config-file.ts";
import { databaseLogin } from "./database-login.ts";
import type { OpenWorld } from "./open-world.ts";
import { reported, writeInForm } from "./report-forms.ts";
import { refuseUnsafeEnvironment } from "./safe-environment.ts";
import { timeLimits } from "./time-limits.ts";
import { traced } from "./tracing.ts";
import { durationOf } from "./typed-values.ts";

type CheckFlags = Flags<typeof checkOptions>;

/**
 * Runs `doctor check`, which is read-only. @returns 1 when something blocks or is unknown; with `--fail-on warn` also
 * for a warning
 */
export async function checkConfiguration(flags: CheckFlags, host: Host): Promise<number> {
  refuseUnsafeEnvironment(host.env);
  const read = await namedConfiguration(flags, host);
  if (read === undefined) throw nothingNamed("checked");
  const { origin: file } = read;
  const { config, name } = await read.resolved();
  const written = read.written.config;
  const settings = connectorSettings(config, file);
  const named = flags["connector-class"];
  const expected = named === undefined ? CONNECTOR_CLASS : checkConnectorClass(named);
  if (settings.connectorClass !== undefined && settings.connectorClass !== expected)
    writeLine(
      host.stderr,
      "warning: connector.class is " +
        `${redactSetting("connector.class", written["connector.class"] ?? settings.connectorClass)}, not ` +
        `${expected}`,
    );
  const judged = preflightSettings(settings, config, durationOf("max-downtime", flags["max-downtime"]));
  demandUser(settings.database.user, file);
  const login = databaseLogin({ ...flags, "db-user": undefined }, settings.database, read, host);
  const oracle = traced(host, "oracle", openOracle(login));
  const kafka = await brokersOf(settings, flags, read.from, host);
  const connector = name ?? written["name"];
  const workers = flags.rules === "all" ? await workersOf(connector, flags, host) : undefined;
  try {
    for (const note of oracle.notes) writeLine(host.stderr, `note: ${note}`);
    const { rules } = flags;
    const systems = { oracle, kafka, connect: workers?.connect, name: flags.connector ?? connector };
    const seen = readPreflight(await inspectBeforeStart(judged, systems, systemClock, rules));
    const findings = preflight(seen, rules, workers !== undefined).map((finding) =>
      showing(asWritten(written, config, JUDGED), finding),
    );
    const ready = isReady(findings, flags["fail-on"] === "warn");
    const reading = { ...seen, facts: { ...seen.facts, settings: { ...judged, user: written["cdc.database.user"] } } };
    const address = flags["db-dsn"] === undefined ? asWritten(written, config, PLACE)(oracle.address) : oracle.address;
    const shown = { file, connector, address, reading, findings, ready };
    writeInForm(flags.format, reported(preflightReport, preflightDocument, shown), host);
    return ready ? EXIT.done : EXIT.refused;
  } finally {
    await Promise.all([oracle.close(), kafka?.close(), workers?.close()]);
  }
}

/** @param done the participle for the message: `checked` */
export function nothingNamed(done: string): UsageError {
  return new UsageError(
    `no configuration to be ${done} is named`,
    "Pass --config FILE, or --context NAME with --connector NAME to use the context's configuration " +
      "(connectors.NAME.config) or the worker's copy. --contexts or CDCCTL_CONTEXTS name the contexts file.",
  );
}

/** @returns undefined when neither the configuration nor a flag names the brokers */
async function brokersOf(
  settings: ConnectorSettings,
  flags: CheckFlags,
  from: Source,
  host: Host,
): Promise<KafkaPort | undefined> {
  const given = flags["command-config"];
  const properties =
    given === undefined ? undefined : await readClientProperties(given, { env: host.env, warn: warningsTo(host) });
  const { brokers } = withBrokers(settings, { bootstrapServers: flags["bootstrap-servers"], properties });
  if ((brokers.bootstrapServers ?? brokers.properties["bootstrap.servers"]?.open() ?? "").trim() === "")
    return undefined;
  const namedBy = flags["bootstrap-servers"] === undefined ? from : "the command line";
  const credential = given === undefined ? from : "the command line";
  const hosts = brokers.bootstrapServers ?? "the brokers";
  const lent = lend(brokers, { to: { hosts, namedBy }, credential });
  return traced(host, "kafka", openKafka(lent, timeLimits(undefined, host.patience, false).kafka));
}

/** The workers that the flags name. @returns undefined without such a flag */
async function workersOf(
  name: string | undefined,
  flags: CheckFlags,
  host: Host,
): Promise<Pick<OpenWorld, "connect" | "close"> | undefined> {
  if (flags.context === undefined && flags["connect-url"] === undefined) return undefined;
  const { openWorld, typedTarget } = await import("./open-world.ts");
  return openWorld(typedTarget(flags.connector ?? name ?? "the connector", flags), flags, host);
}

/** The settings that findings are about, and those that name the database. */
const JUDGED = [
  "cdc.database.pdbs",
  "cdc.tables.include",
  "cdc.tables.exclude",
  "cdc.archive.destination",
  "cdc.key.columns",
] as const;
const PLACE = ["cdc.database.host", "cdc.database.port", "cdc.database.service", "cdc.database.sid"] as const;

/** Names and statements come from the database and stay unchanged. */
function showing(shown: (text: string) => string, finding: PreflightFinding): PreflightFinding {
  const items = finding.items.map((item) => (item.seen === undefined ? item : { ...item, seen: shown(item.seen) }));
  return { ...finding, seen: shown(finding.seen), items };
}

/** Grants belong to one user, so no flag overrides the user. */
function demandUser(user: string | undefined, file: string): void {
  if (user !== undefined && !/\$\{[^}]*\}|\*{8}/.test(user)) return;
  throw new UsageError({
    file,
    message:
      user === undefined
        ? "cdc.database.user is not set"
        : "cdc.database.user is masked, or a reference that could not be resolved here",
    remedy: "Set it there: cdcctl checks the grants of the user that the connector logs in as.",
  });
}

type Config = Readonly<Record<string, string>>;

/**
 * Replaces resolved values by their references in texts for people: resolved values are for internal use, never for
 * output.
 *
 * @param written the configuration as written; `resolved`: the same with its references resolved
 * @param settings those that the text could be about @returns a function that writes `${env:PDBS}` in place of the
 * reference's value or of an element of its list
 */
export function asWritten(written: Config, resolved: Config, settings: readonly string[]): (text: string) => string {
  const references = new Map<string, string>();
  for (const setting of settings) {
    const shown = written[setting];
    const value = resolved[setting];
    if (shown === undefined || value === undefined || shown === value) continue;
    const plain = new Set(elementsOf(shown));
    for (const element of [value.trim(), ...elementsOf(value)])
      if (element !== "" && !plain.has(element)) references.set(element.toUpperCase(), shown);
  }
  if (references.size === 0) return (text) => text;
  // Longest first, so that a list precedes its elements. A name within another name is not replaced.
  const held = [...references.keys()]
    .sort((a, b) => b.length - a.length)
    .map((one) => one.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"));
  const pattern = new RegExp(`(?<![\\w$#])(?:${held.join("|")})(?![\\w$#])`, "giu");
  return (text) => text.replace(pattern, (found) => references.get(found.toUpperCase()) ?? found);
}

/** Splits a list at commas; `cdc.key.columns` also uses semicolons and colons. */
function elementsOf(value: string): readonly string[] {
  return value.split(/[,;:]/).map((element) => element.trim());
}
