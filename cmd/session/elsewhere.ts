import { type LatestEvents, latestEvents, notBegunHere } from "../../core/change/ops-topics.ts";
import type { StoredRun, StoredRuns } from "../../core/change/stored-runs.ts";
import { unknownBecause } from "../../core/facts/observer.ts";
import { noConnector } from "../../core/kinds/connector/observe.ts";
import { kindOfClass } from "../../core/legacy/connector-class.ts";
import type { Elsewhere } from "../views/connectors.ts";
import { typedTarget, type WorldFlags } from "./open-world.ts";
import { namesWorkers, type Opened, ownPlaceOf, type Place } from "./places.ts";

/** What was found, and where; `changes` where the ops topic was read. */
export type LookedAt = Elsewhere & { readonly place?: Place; readonly changes?: LatestEvents["changes"] };

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
): Promise<readonly LookedAt[] | undefined> {
  if (latest.length === 0 && !namesWorkers(flags)) return undefined;
  let looked: LookedAt[] = [];
  const places: Place[] = latest.map((run) => ownPlaceOf(run, flags));
  if (namesWorkers(flags))
    try {
      const { connect } = await opened.world({ target: typedTarget("", flags), flags });
      const [{ clusterId }, all] = await Promise.all([connect.worker(), connect.connectors()]);
      const names = all.filter((name) => name === (flags.connector ?? name));
      if (names.length === 0 && latest.length === 0 && flags.connector !== undefined)
        throw await noConnector(flags.connector, connect);
      for (const name of names)
        if (!latest.some(({ key }) => key.clusterId === clusterId && key.connector === name))
          places.push({ target: typedTarget(name, flags), flags });
    } catch (error) {
      if (latest.length === 0) throw error;
      looked.push({ connector: undefined, at: {}, inFlight: unknownBecause(error, "workers") });
    }
  for (const place of places) looked = looked.concat(await inFlightAt(place, stored, opened));
  return looked;
}

async function inFlightAt(place: Place, stored: StoredRuns, opened: Opened): Promise<readonly LookedAt[]> {
  const { target, flags } = place;
  const { connector } = target;
  const workers = { context: flags.context ?? target.context, connectUrl: flags["connect-url"] ?? target.connectUrl };
  try {
    const world = await opened.world(place);
    const description = await world.connect.connector(connector);
    if (description === undefined || kindOfClass(description.config, world.connectorClass) !== "cdc") return [];
    const settings = await world.settingsOf(description);
    const { stopped: last, inFlight, changes } = await latestEvents(connector, settings, world, opened.brokers);
    const stopped = last && (await world.connect.status(connector))?.state === "STOPPED" ? last : undefined;
    return [{ connector, at: workers, inFlight: notBegunHere(inFlight, stored), stopped, place, changes }];
  } catch (error) {
    return [{ connector, at: workers, inFlight: unknownBecause(error, "ops topic"), place }];
  }
}
