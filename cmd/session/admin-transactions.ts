import { withRedactedTraces } from "../../core/facts/connector/traces.ts";
import { noConnector } from "../../core/kinds/connector/observe.ts";
import { readTransactions } from "../../core/transactions/inspect.ts";
import { listTransactions } from "../../core/transactions/listing.ts";
import { EXIT } from "../command.ts";
import type { Host } from "../host.ts";
import type { transactionsOptions } from "../options/admin.ts";
import type { Flags } from "../options/common.ts";
import { isComplete, type TransactionsView, transactionsDocument, transactionsReport } from "../views/transactions.ts";
import { heartbeat } from "./heartbeat.ts";
import { openWorld, typedTarget } from "./open-world.ts";
import { readingOf } from "./reading-journals.ts";
import { inForm, type Reported, reported } from "./report-forms.ts";

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
  const description = await connect.connector(name);
  if (description === undefined) throw noConnector(name, connect.url);
  const settings = await world.settingsOf(description);
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
  host.stdout.write(inForm(flags.format, formsOf(shown), host));
  return isComplete(shown) ? EXIT.done : EXIT.refused;
}

function formsOf(shown: TransactionsView): Reported {
  return reported(
    () => transactionsReport(shown),
    () => transactionsDocument(shown),
  );
}
