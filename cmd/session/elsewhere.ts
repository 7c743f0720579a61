import { latestEvents, notBegunHere } from "../../core/change/ops-topics.ts";
import type { StoredRun, StoredRuns } from "../../core/change/stored-runs.ts";
import type { ConnectorDescription } from "../../core/facts/connector/connector.ts";
import { unknownBecause } from "../../core/facts/observer.ts";
import { noConnector } from "../../core/kinds/connector/observe.ts";
import { kindOfClass } from "../../core/legacy/connector-class.ts";
import type { Elsewhere } from "../views/connectors.ts";
import { type OpenWorld, typedTarget, type WorldFlags } from "./open-world.ts";
import { namesWorkers, type Opened, ownPlaceOf, type Place } from "./places.ts";

/** Where the latest runs were made, and each other connector of the workers that the command line names. */
export async function placesOf(
  latest: readonly Pick<StoredRun, "key" | "state">[],
  flags: WorldFlags & { readonly connector?: string | undefined },
  opened: Opened,
): Promise<{ readonly places: readonly Place[]; readonly unlisted?: unknown }> {
  const places: Place[] = latest.map((run) => ownPlaceOf(run, flags));
  if (!namesWorkers(flags)) return { places };
  try {
    const { connect } = await opened.world({ target: typedTarget("", flags), flags });
    const [{ clusterId }, all] = await Promise.all([connect.worker(), connect.connectors()]);
    const names = all.filter((name) => name === (flags.connector ?? name));
    if (names.length === 0 && latest.length === 0 && flags.connector !== undefined)
      throw await noConnector(flags.connector, connect);
    for (const name of names)
      if (!latest.some(({ key }) => key.clusterId === clusterId && key.connector === name))
        places.push({ target: typedTarget(name, flags), flags });
    return { places };
  } catch (unlisted) {
    return { places, unlisted };
  }
}

/**
 * Looks for runs on other machines: of the connectors that have runs here, and of every CDC connector of the workers
 * that the command line names. What cannot be read concerns only its connector.
 *
 * @param latest a run of each connector
 * @returns undefined where no workers are known
 */
export async function changesElsewhere(
  stored: StoredRuns,
  latest: readonly Pick<StoredRun, "key" | "state">[],
  flags: WorldFlags & { readonly connector?: string | undefined },
  opened: Opened,
): Promise<readonly Elsewhere[] | undefined> {
  const { places, unlisted } = await placesOf(latest, flags, opened);
  if (places.length === 0 && unlisted !== undefined) throw unlisted;
  if (latest.length === 0 && !namesWorkers(flags)) return undefined;
  let looked: Elsewhere[] =
    unlisted === undefined ? [] : [{ connector: undefined, at: {}, inFlight: unknownBecause(unlisted, "workers") }];
  for (const place of places) looked = looked.concat(await inFlightAt(place, stored, opened));
  return looked;
}

/** A CDC connector, and the systems that it is reached by. */
export interface CdcConnector {
  readonly world: OpenWorld;
  readonly description: ConnectorDescription;
}

/** @returns undefined for a connector that is gone, or of another class */
export async function cdcConnectorAt(place: Place, opened: Opened): Promise<CdcConnector | undefined> {
  const world = await opened.world(place);
  const description = await world.connect.connector(place.target.connector);
  const isCdc = description !== undefined && kindOfClass(description.config, world.connectorClass) === "cdc";
  return isCdc ? { world, description } : undefined;
}

async function inFlightAt(place: Place, stored: StoredRuns, opened: Opened): Promise<readonly Elsewhere[]> {
  const { target, flags } = place;
  const { connector } = target;
  const at = { context: flags.context ?? target.context, connectUrl: flags["connect-url"] ?? target.connectUrl };
  try {
    const found = await cdcConnectorAt(place, opened);
    if (found === undefined) return [];
    const { world, description } = found;
    const { inFlight } = await latestEvents(connector, await world.settingsOf(description), world, opened.brokers);
    return [{ connector, at, inFlight: notBegunHere(inFlight, stored) }];
  } catch (error) {
    return [{ connector, at, inFlight: unknownBecause(error, "ops topic") }];
  }
}
