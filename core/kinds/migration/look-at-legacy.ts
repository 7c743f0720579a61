import type { ConnectorSettings } from "../../facts/connector/settings.ts";
import { probeApplies } from "../../facts/database/database.ts";
import type { LegacyFacts } from "../../facts/legacy-facts.ts";
import { allOrFirst, observerAt } from "../../facts/observer.ts";
import { logsToProbe } from "../../facts/redo/examination.ts";
import { readOffsets } from "../../legacy/stored-offsets.ts";
import { type MiningSettings, redoQuestionFrom } from "../../legacy/takeover.ts";
import type { OraclePort } from "../../ports/oracle.ts";
import type { World } from "../../ports/world.ts";
import type { Scn } from "../../values/scn.ts";
import { lookAtRedo, timesOf } from "../connector/look-at-redo.ts";
import { noConnector } from "../connector/no-connector.ts";
import { lookAtDeployed } from "./look-at-deployed.ts";

/** Of the facts, what the workers show. */
export type LegacyConnectorFacts = Pick<LegacyFacts, "at" | "worker" | "legacy">;

/**
 * The legacy connector as its workers show it. A takeover looks at it first, so that no SCN of its offsets can be later
 * than the database's own.
 *
 * @throws CallFailed also where they have none of that name
 */
export async function lookAtLegacyConnector(
  name: string,
  { connect, clock }: Pick<World, "connect" | "clock">,
): Promise<LegacyConnectorFacts> {
  const at = clock.now();
  const [worker, legacy] = await allOrFirst(connect.worker(), lookAtDeployed(name, connect));
  if (legacy === undefined) throw noConnector(name, connect.url);
  return { at, worker: { url: connect.url, version: worker.version, clusterId: worker.clusterId }, legacy };
}

/**
 * The database from the lowest SCN of the stored offsets on; of offsets that are no position only the database itself.
 *
 * @param oracle the database as the new connector will mine it
 */
export async function lookAtItsRedo(
  { legacy: { offsets } }: Pick<LegacyConnectorFacts, "legacy">,
  {
    leaveOut,
    settings,
    alsoTimesOf = [],
  }: {
    readonly leaveOut: readonly string[];
    readonly settings: MiningSettings & Pick<ConnectorSettings, "tables">;
    readonly alsoTimesOf?: readonly (Scn | undefined)[];
  },
  { clock }: Pick<World, "clock">,
  oracle: OraclePort,
): Promise<Omit<LegacyFacts, keyof LegacyConnectorFacts>> {
  const read = readOffsets(offsets, leaveOut);
  const stored = read.ok ? read.offsets : undefined;
  const from = stored?.startScn;
  const observe = observerAt(clock);
  const { database, redo, transactions } = await lookAtRedo(
    oracle,
    settings.tables.pdbs,
    async () => from ?? 0n,
    observe,
  );
  const applies = probeApplies({ connector: settings, database });
  const [probes, times] = await allOrFirst(
    observe("DBMS_LOGMNR.ADD_LOGFILE", async () => ({
      applies,
      files:
        applies && redo.known && from !== undefined && from > database.resetlogsScn && from <= database.currentScn
          ? await oracle.probeLogs(logsToProbe(redo.value, redoQuestionFrom(from, database, settings)))
          : [],
    })),
    observe("SCN_TO_TIMESTAMP", () =>
      timesOf(oracle, [
        ...(stored?.partitions.flatMap(({ scn, commitScn }) => [scn, commitScn]) ?? []),
        ...alsoTimesOf,
        database.currentScn,
      ]),
    ),
  );
  return { database, redo, probes, transactions, times };
}
