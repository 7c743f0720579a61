import { latestEvents, notBegunHere, type SharedBrokers } from "../../core/change/ops-topics.ts";
import type { StoredRun, StoredRuns } from "../../core/change/stored-runs.ts";
import type { Target } from "../../core/document/intent.ts";
import { isShown } from "../../core/errors.ts";
import { noConnector } from "../../core/kinds/connector/observe.ts";
import { kindOfClass } from "../../core/legacy/connector-class.ts";
import type { Host } from "../host.ts";
import type { Elsewhere } from "../views/connectors.ts";
import { nothingOpened } from "./connectors.ts";
import { type OpenWorld, openWorld, typedTarget, type WorldFlags } from "./open-world.ts";
import { namesWorkers, ownPlaceOf } from "./places.ts";

/** Where the ops topic of a connector is looked up. */
interface Place {
  readonly connector: string;
  readonly target: Target;
  readonly flags: WorldFlags;
}

/**
 * Looks for changes of other machines: of the connectors that have runs here, and of every CDC connector of the workers
 * that the command line names. What cannot be read concerns only its connector.
 *
 * @param latest a run of each connector
 * @returns undefined where no workers are known
 */
export async function changesElsewhere(
  stored: StoredRuns,
  latest: readonly StoredRun[],
  flags: WorldFlags & { readonly connector?: string | undefined },
  host: Host,
): Promise<readonly Elsewhere[] | undefined> {
  if (latest.length === 0 && !namesWorkers(flags)) return undefined;
  await using opened = nothingOpened();
  const open = async ({ target, flags: own }: Omit<Place, "connector">): Promise<OpenWorld> => {
    const world = await openWorld(target, own, host);
    opened.worlds.push(world);
    return world;
  };
  const looked: Elsewhere[] = [];
  const places: Place[] = latest.map((run) => ({ connector: run.key.connector, ...ownPlaceOf(run, flags) }));
  if (namesWorkers(flags))
    try {
      const { connect } = await open({ target: typedTarget("", flags), flags });
      const [{ clusterId }, all] = await Promise.all([connect.worker(), connect.connectors()]);
      const names = all.filter((name) => name === (flags.connector ?? name));
      if (names.length === 0 && latest.length === 0 && flags.connector !== undefined)
        throw await noConnector(flags.connector, connect);
      for (const name of names)
        if (!latest.some(({ key }) => key.clusterId === clusterId && key.connector === name))
          places.push({ connector: name, target: typedTarget(name, flags), flags });
    } catch (error) {
      if (latest.length === 0 || !isShown(error)) throw error;
      looked.push({ connector: undefined, at: {}, inFlight: { known: false, why: error.message, source: "workers" } });
    }
  for (const place of places) for (const one of await inFlightAt(place, stored, open, opened.brokers)) looked.push(one);
  return looked;
}

async function inFlightAt(
  place: Place,
  stored: StoredRuns,
  open: (place: Place) => Promise<OpenWorld>,
  brokers: SharedBrokers,
): Promise<readonly Elsewhere[]> {
  const { connector, target, flags } = place;
  const at = { context: flags.context ?? target.context, connectUrl: flags["connect-url"] ?? target.connectUrl };
  try {
    const world = await open(place);
    const description = await world.connect.connector(connector);
    if (description === undefined || kindOfClass(description.config, world.connectorClass) !== "cdc") return [];
    const { inFlight } = await latestEvents(connector, await world.settingsOf(description), world, brokers);
    return [{ connector, at, inFlight: notBegunHere(inFlight, stored) }];
  } catch (error) {
    if (!isShown(error)) throw error;
    return [{ connector, at, inFlight: { known: false, why: error.message, source: "ops topic" } }];
  }
}
