import { withRedactedTraces } from "../../core/facts/connector/traces.ts";
import { connectorNamed } from "../../core/kinds/connector/observe.ts";
import { readTransactions } from "../../core/transactions/inspect.ts";
import { listTransactions } from "../../core/transactions/listing.ts";
import { EXIT } from "../command.ts";
import type { Host } from "../host.ts";
import type { transactionsOptions } from "../options/admin.ts";
import type { Flags } from "../options/common.ts";
import { isComplete, transactionsDocument, transactionsReport } from "../views/transactions.ts";
import { heartbeat } from "./heartbeat.ts";
import { openWorld, typedTarget } from "./open-world.ts";
import { readingOf } from "./reading-journals.ts";
import { reported, writeInForm } from "./report-forms.ts";

type TransactionsFlags = Flags<typeof transactionsOptions>;

/**
 * Runs `admin transactions`, which is read-only. @returns 1 when a source could not be read; the other sources are
 * still printed
 */
export async function showTransactions(flags: TransactionsFlags, host: Host): Promise<number> {
  const { name, "jmx-url": jmxUrl } = flags;
  await using world = await openWorld(typedTarget(name, flags), flags, host);
  const { connect, clock } = world;
  const jmx = jmxUrl === undefined ? undefined : world.jmx(jmxUrl);
  const settings = await world.settingsOf(await connectorNamed(name, connect));
  const beat = heartbeat(host);
  const seen = await readTransactions({
    connector: name,
    settings,
    status: async () => {
      const status = await connect.status(name);
      return status === undefined ? undefined : withRedactedTraces(status, settings.config);
    },
    jmx,
    kafka: () => world.kafka(settings),
    oracle: () => world.oracle(settings),
    clock,
    reading: readingOf(settings.journalTopic, beat),
  }).finally(beat.end);
  const shown = { seen, transactions: listTransactions(seen) };
  writeInForm(flags.format, reported(transactionsReport, transactionsDocument, shown), host);
  return isComplete(shown) ? EXIT.done : EXIT.refused;
}
