import { preflightSettings } from "../../core/doctor/settings.ts";
import { readSizes } from "../../core/doctor/sizing.ts";
import { connectorSettings } from "../../core/document/connector-settings.ts";
import { UsageError } from "../../core/errors.ts";
import { epochMillis } from "../../core/values/instant.ts";
import { openOracle } from "../../providers/oracle/oracle-port.ts";
import { EXIT } from "../command.ts";
import type { Host } from "../host.ts";
import type { Flags } from "../options/common.ts";
import type { sizingOptions } from "../options/doctor.ts";
import { writeLine } from "../screen.ts";
import { sizingDocument, sizingReport } from "../views/sizing.ts";
import { systemClock } from "./clock.ts";
import { namedConfiguration } from "./config-file.ts";
import { databaseLogin } from "./database-login.ts";
import { nothingNamed } from "./doctor-check.ts";
import { closing } from "./holding.ts";
import { reported, writeInForm } from "./report-forms.ts";
import { refuseUnsafeEnvironment } from "./safe-environment.ts";
import { traced } from "./tracing.ts";
import { durationOf } from "./typed-values.ts";

/** Runs `doctor sizing`, which is read-only. @returns 0 */
export async function printSizing(flags: Flags<typeof sizingOptions>, host: Host): Promise<number> {
  refuseUnsafeEnvironment(host.env);
  const days = daysOf(flags.days);
  const maxDowntime = durationOf("max-downtime", flags["max-downtime"]);
  const read = await namedConfiguration(flags, host);
  if (read === undefined) throw nothingNamed("meant");
  const { config } = await read.resolved();
  const settings = connectorSettings(config, read.origin);
  const { journalThreshold } = preflightSettings(settings, config, maxDowntime);
  const login = databaseLogin({ ...flags, "db-user": undefined }, settings.database, read, host);
  await using oracle = closing(traced(host, "oracle", openOracle(login)));
  for (const note of oracle.notes) writeLine(host.stderr, `note: ${note}`);
  const question = { days, maxDowntime, journalThreshold, destination: settings.archiveDestination };
  const sizing = await readSizes(question, oracle, epochMillis(systemClock.now()));
  writeInForm(flags.format, reported(sizingReport, sizingDocument, sizing), host);
  return EXIT.done;
}

const MOST_DAYS = 3650;

function daysOf(text: string): number {
  const days = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (days < 1 || days > MOST_DAYS)
    throw new UsageError(`--days ${text} is not a number of days`, `Write a whole number from 1 to ${MOST_DAYS}.`);
  return days;
}
