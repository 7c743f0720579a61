import {
  type MinedSample,
  profileOf,
  type RedoSample,
  readRedoRates,
  SMALL_SAMPLE,
} from "../../core/doctor/redo-profile.ts";
import { preflightSettings } from "../../core/doctor/settings.ts";
import { readSizes } from "../../core/doctor/sizing.ts";
import { connectorSettings } from "../../core/document/connector-settings.ts";
import { UsageError } from "../../core/errors.ts";
import { lenientObserverAt } from "../../core/facts/observer.ts";
import { capturedIn } from "../../core/facts/tables/captured-tables.ts";
import type { OraclePort } from "../../core/ports/oracle.ts";
import { counted, showBytes } from "../../core/values/amounts.ts";
import { epochMillis } from "../../core/values/instant.ts";
import { openOracle } from "../../providers/oracle/oracle-port.ts";
import type { TableSelection } from "../../schemas/generated/facts.ts";
import { EXIT } from "../command.ts";
import type { Host } from "../host.ts";
import type { Flags } from "../options/common.ts";
import type { redoProfileOptions, sizingOptions } from "../options/doctor.ts";
import { writeLine } from "../screen.ts";
import { showMillis } from "../views/quantities.ts";
import { redoProfileDocument, redoProfileReport } from "../views/redo-profile.ts";
import { sizingDocument, sizingReport } from "../views/sizing.ts";
import { systemClock } from "./clock.ts";
import { namedConfiguration } from "./config-file.ts";
import { databaseLogin } from "./database-login.ts";
import { nothingNamed } from "./doctor-check.ts";
import { heartbeat } from "./heartbeat.ts";
import { reported, writeInForm } from "./report-forms.ts";
import { refuseUnsafeEnvironment } from "./safe-environment.ts";
import { traced } from "./tracing.ts";
import { durationOf } from "./typed-values.ts";

/**
 * Runs `doctor redo-profile`. Prints the cost of the sample first, and asks for confirmation when it is not small.
 *
 * @returns 1 when the operator declines the sample
 */
export async function printRedoProfile(flags: Flags<typeof redoProfileOptions>, host: Host): Promise<number> {
  refuseUnsafeEnvironment(host.env);
  const logs = logsOf(flags["sample-logs"]);
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

function logsOf(text: string): number {
  const logs = /^\d{1,3}$/.test(text) ? Number(text) : -1;
  if (logs >= 0 && logs <= MOST_LOGS) return logs;
  throw new UsageError(`--sample-logs ${text} is not a number of logs`, `Write a whole number from 0 to ${MOST_LOGS}.`);
}

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
  const days = daysOf(flags.days);
  const maxDowntime = durationOf("max-downtime", flags["max-downtime"]);
  await using named = await openNamed(flags, host);
  const { settings, config, oracle } = named;
  const { journalThreshold } = preflightSettings(settings, config, maxDowntime);
  const question = { days, maxDowntime, journalThreshold, destination: settings.archiveDestination };
  const sizing = await readSizes(question, oracle, epochMillis(systemClock.now()));
  writeInForm(flags.format, reported(sizingReport, sizingDocument, sizing), host);
  return EXIT.done;
}

function daysOf(text: string): number {
  const days = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (days < 1 || days > MOST_DAYS)
    throw new UsageError(`--days ${text} is not a number of days`, `Write a whole number from 1 to ${MOST_DAYS}.`);
  return days;
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
