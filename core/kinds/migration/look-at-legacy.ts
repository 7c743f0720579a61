import type { ConnectorSettings } from "../../facts/connector/settings.ts";
import type { LegacyFacts } from "../../facts/legacy-facts.ts";
import { allOrFirst, observerAt } from "../../facts/observer.ts";
import type { MiningSettings } from "../../facts/redo/from.ts";
import { readOffsets } from "../../legacy/stored-offsets.ts";
import type { OraclePort } from "../../ports/oracle.ts";
import type { World } from "../../ports/world.ts";
import type { Scn } from "../../values/scn.ts";
import { inspectRedo } from "../connector/inspect-redo.ts";
import { noConnector } from "../connector/no-connector.ts";
import { lookAtDeployed } from "./look-at-deployed.ts";

/** Of the facts, what the workers show. */
type LegacyConnectorFacts = Pick<LegacyFacts, "at" | "worker" | "legacy">;

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
  const { examined: _, ...inspected } = await inspectRedo(
    oracle,
    settings,
    {
      lowest: async () => from ?? 0n,
      position: ({ database }) => ({
        from: from !== undefined && from > database.resetlogsScn ? from : undefined,
        shown: [...(stored?.partitions.flatMap(({ scn, commitScn }) => [scn, commitScn]) ?? []), ...alsoTimesOf],
      }),
    },
    observerAt(clock),
  );
  return inspected;
}
