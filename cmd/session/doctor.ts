import { inspectBeforeStart } from "../../core/doctor/inspect.ts";
import { explainLag, hasEnoughData } from "../../core/doctor/lag/explain-lag.ts";
import { observeLag, type Wait } from "../../core/doctor/lag/observe-lag.ts";
import { isReady, type PreflightFinding, preflight } from "../../core/doctor/preflight.ts";
import {
  type MinedSample,
  profileOf,
  type RedoSample,
  readRedoRates,
  readSizes,
  SMALL_SAMPLE,
} from "../../core/doctor/redo-profile.ts";
import { preflightSettings } from "../../core/doctor/settings.ts";
import { connectorSettings, withBrokers } from "../../core/document/connector-settings.ts";
import { UsageError } from "../../core/errors.ts";
import type { ConnectorSettings } from "../../core/facts/connector/settings.ts";
import { lenientObserverAt } from "../../core/facts/observer.ts";
import { readPreflight } from "../../core/facts/preflight.ts";
import { capturedIn } from "../../core/facts/tables/tables.ts";
import { CONNECTOR_CLASS, checkConnectorClass } from "../../core/legacy/connector-class.ts";
import type { KafkaPort } from "../../core/ports/kafka.ts";
import type { OraclePort } from "../../core/ports/oracle.ts";
import { redactSetting } from "../../core/redaction/redact.ts";
import { counted, showBytes } from "../../core/values/amounts.ts";
import type { Config } from "../../core/values/config.ts";
import { showMillis } from "../../core/values/duration.ts";
import { epochMillis } from "../../core/values/instant.ts";
import { readClientProperties } from "../../providers/contexts/connector-config.ts";
import { bindCredentials, type Source } from "../../providers/contexts/trust.ts";
import { openKafka } from "../../providers/kafka/open-kafka.ts";
import { openOracle } from "../../providers/oracle/oracle-port.ts";
import type { TableSelection } from "../../schemas/generated/facts.ts";
import { EXIT } from "../command.ts";
import type { Host } from "../host.ts";
import type { Flags } from "../options/common.ts";
import type { checkOptions, explainLagOptions, redoProfileOptions, sizingOptions } from "../options/doctor.ts";
import { warningsTo, writeLine } from "../screen.ts";
import { judgedPreflight } from "../views/forges/findings.ts";
import { lagReport } from "../views/lag.ts";
import { lagDocument } from "../views/lag-json.ts";
import { preflightDocument, preflightReport } from "../views/preflight.ts";
import { redoProfileDocument, redoProfileReport } from "../views/redo-profile.ts";
import { sizingDocument, sizingReport } from "../views/sizing.ts";
import { systemClock } from "./clock.ts";
import { namedConfiguration } from "./config-file.ts";
import { databaseLogin } from "./database-login.ts";
import { type Judging, judging, textOf } from "./forges/judging.ts";
import { type Heartbeat, heartbeat } from "./heartbeat.ts";
import { type OpenWorld, openWorld, typedTarget } from "./open-world.ts";
import { reported, writeInForm } from "./report-forms.ts";
import { refuseUnsafeEnvironment } from "./safe-environment.ts";
import { timeLimits } from "./time-limits.ts";
import { traced } from "./tracing.ts";
import { countOf, durationOf } from "./typed-values.ts";

type CheckFlags = Flags<typeof checkOptions>;

/**
 * Runs `doctor check`, which is read-only. @returns 1 when something blocks or is unknown; with `--fail-on warn` also
 * for a warning
 */
export function checkConfiguration(flags: CheckFlags, host: Host): Promise<number> {
  return judging("doctor check", flags, host, (show) => checkNamed(flags, host, show));
}

async function checkNamed(flags: CheckFlags, host: Host, show: Judging): Promise<number> {
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
    await show({
      judged: async () => judgedPreflight(findings, connector ?? file, file, await textOf(file)),
      report: (format) => writeInForm(format, reported(preflightReport, preflightDocument, shown), host),
    });
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
  const bound = bindCredentials(brokers, { to: { hosts, namedBy }, credential });
  return traced(host, "kafka", openKafka(bound, timeLimits(undefined, host.patience, false).kafka));
}

/** The workers that the flags name. @returns undefined without such a flag */
async function workersOf(name: string | undefined, flags: CheckFlags, host: Host): Promise<OpenWorld | undefined> {
  if (flags.context === undefined && flags["connect-url"] === undefined) return undefined;
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

/**
 * Runs `doctor redo-profile`. Prints the cost of the sample first, and asks for confirmation when it is not small.
 *
 * @returns 1 when the operator declines the sample
 */
export async function printRedoProfile(flags: Flags<typeof redoProfileOptions>, host: Host): Promise<number> {
  refuseUnsafeEnvironment(host.env);
  const logs = countOf("sample-logs", flags["sample-logs"], MOST_LOGS, 0);
  const window = durationOf("window", flags.window);
  const millis = durationOf("query-timeout", flags["query-timeout"]);
  if (millis < 1) throw new UsageError("--query-timeout must be longer than 0", "Write it as 30s, 10m or 1h30m.");
  await using named = await openNamed(flags, host);
  const { settings, oracle } = named;
  const question = { window, logs, destination: settings.archiveDestination };
  const rates = await readRedoRates(question, oracle, epochMillis(systemClock.now()));
  const { sample } = rates;
  if (sample !== undefined && !(await agreed(sample, millis, flags.yes, host))) {
    writeLine(host.stderr, "Nothing was mined.");
    return EXIT.refused;
  }
  const mined = sample === undefined ? undefined : await mine(sample, millis, settings.tables, oracle, host);
  writeInForm(flags.format, reported(redoProfileReport, redoProfileDocument, rates, mined), host);
  return EXIT.done;
}

const MOST_LOGS = 100;

/** Asks for confirmation of a large sample. @throws UsageError when the operator cannot be asked */
async function agreed(sample: RedoSample, millis: number, yes: boolean, host: Host): Promise<boolean> {
  const cost = `${counted(sample.logs.length, "archived log")}, ${showBytes(sample.bytes)}`;
  writeLine(
    host.stderr,
    `LogMiner will read and decode ${cost}, in one process of the database, for up to ${showMillis(millis)}.`,
  );
  if (yes || sample.bytes <= SMALL_SAMPLE) return true;
  if (!host.interactive)
    throw new UsageError(
      `the sample is larger than ${showBytes(SMALL_SAMPLE)}; cannot ask for confirmation: stdin is not a terminal`,
      "Pass --yes to mine it, or a smaller --sample-logs; 0 gives the rates alone.",
    );
  return (await host.ask('Mine this sample? Type "yes" to continue: ')).trim() === "yes";
}

async function mine(
  sample: RedoSample,
  millis: number,
  selection: TableSelection,
  oracle: OraclePort,
  host: Host,
): Promise<MinedSample> {
  using beat = heartbeat(host);
  beat.note(`LogMiner reads ${showBytes(sample.bytes)}`);
  const rows = await oracle.mineRows(sample, millis);
  const dictionary = await lenientObserverAt(systemClock)("CDB_TABLES", () => oracle.dictionary(selection.pdbs));
  return profileOf(sample, rows, capturedIn(selection, dictionary), selection.pdbs);
}

const MOST_DAYS = 3650;

/** Runs `doctor sizing`, which is read-only. @returns 0 */
export async function printSizing(flags: Flags<typeof sizingOptions>, host: Host): Promise<number> {
  refuseUnsafeEnvironment(host.env);
  const days = countOf("days", flags.days, MOST_DAYS);
  const maxDowntime = durationOf("max-downtime", flags["max-downtime"]);
  await using named = await openNamed(flags, host);
  const { settings, config, oracle } = named;
  const { journalThreshold } = preflightSettings(settings, config, maxDowntime);
  const question = { days, maxDowntime, journalThreshold, destination: settings.archiveDestination };
  const sizing = await readSizes(question, oracle, epochMillis(systemClock.now()));
  writeInForm(flags.format, reported(sizingReport, sizingDocument, sizing), host);
  return EXIT.done;
}

/** The configuration that the flags name, and its database, which is closed with it. */
async function openNamed(flags: Flags<typeof sizingOptions | typeof redoProfileOptions>, host: Host) {
  const read = await namedConfiguration(flags, host);
  if (read === undefined) throw nothingNamed("meant");
  const { config } = await read.resolved();
  const settings = connectorSettings(config, read.origin);
  const login = databaseLogin({ ...flags, "db-user": undefined }, settings.database, read, host);
  const oracle = traced(host, "oracle", openOracle(login));
  for (const note of oracle.notes) writeLine(host.stderr, `note: ${note}`);
  return { config, settings, oracle, [Symbol.asyncDispose]: () => oracle.close() };
}

export type ExplainLagFlags = Flags<typeof explainLagOptions>;

/** How often the remaining wait is printed. */
const REPORT_MILLIS = 1000;

/** Runs `doctor explain-lag`, which is read-only. @returns 1 without enough data, or when interrupted */
export async function explainLagOf(flags: ExplainLagFlags, host: Host): Promise<number> {
  const { name } = flags;
  const interval = durationOf("interval", flags.interval);
  if (flags["jmx-url"] !== undefined && flags["metrics-url"] !== undefined)
    throw new UsageError("--jmx-url and --metrics-url are mutually exclusive", "Pass one of them.");
  await using world = await openWorld(typedTarget(name, flags), flags, host);
  const beat = heartbeat(host);
  beat.note("first sample");
  const { "jmx-url": jmxUrl, "metrics-url": metricsUrl } = flags;
  const jmx =
    jmxUrl !== undefined ? world.jmx(jmxUrl) : metricsUrl !== undefined ? world.metrics(metricsUrl) : undefined;
  const question = { name, context: flags.context, interval, jmx };
  const facts = await observeLag(question, world, world.settingsOf, waiting(beat, host)).finally(() => beat.end());
  if (facts === undefined) {
    writeLine(host.stderr, "Interrupted between the two samples: nothing was changed.");
    return EXIT.refused;
  }
  const explanation = explainLag(facts);
  const enoughData = hasEnoughData(explanation, jmx !== undefined);
  const shown = {
    explanation: { ...explanation, remarks: [...explanation.remarks, ...(jmx?.remarks ?? [])] },
    looked: enoughData,
  };
  writeInForm(flags.format, reported(lagReport, lagDocument, shown), host);
  return enoughData ? EXIT.done : EXIT.refused;
}

/**
 * Waits, prints the remaining time, and stops at once when interrupted. Before the wait, Ctrl-C ends the process:
 * nothing is held.
 */
function waiting(beat: Heartbeat, host: Host): Wait {
  return async (millis) => {
    const { interrupt } = host;
    const end = systemClock.elapsed() + millis;
    for (let left = millis; left > 0 && !interrupt.aborted; left = end - systemClock.elapsed()) {
      beat.note(`second sample in ${showMillis(Math.ceil(left / 1000) * 1000)}`);
      await systemClock.sleep(Math.min(left, REPORT_MILLIS), interrupt);
    }
    beat.note("second sample");
    return !interrupt.aborted;
  };
}
