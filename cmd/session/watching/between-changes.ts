import { type LatestEvents, latestEvents, notBegunHere } from "../../../core/change/ops-topics.ts";
import type { CurrentState } from "../../../core/change/standing.ts";
import type { StoredRun, StoredRuns } from "../../../core/change/stored-runs.ts";
import { lastChangeUndone } from "../../../core/checks/earlier-changes.ts";
import { UsageError } from "../../../core/errors.ts";
import type { LentSettings } from "../../../core/facts/connector/settings.ts";
import { mapObserved, type Observed } from "../../../core/facts/observed.ts";
import { lenientObserverAt, unknownBecause } from "../../../core/facts/observer.ts";
import { type StoredReading, sameOffset } from "../../../core/facts/offset/stored-offset.ts";
import { archivedLogsOf, destinationOf } from "../../../core/facts/redo/logs.ts";
import { readStored } from "../../../core/kinds/connector/reading.ts";
import type { OraclePort } from "../../../core/ports/oracle.ts";
import { type ChangeSeen, needsRepair } from "../../../core/run/after.ts";
import type { Instant } from "../../../core/values/instant.ts";
import {
  type Judged,
  judge,
  nothingKnown,
  parseConditions,
  type Watched,
  type Watching,
} from "../../../core/watching/conditions.ts";
import { type RedoLeft, redoLeft } from "../../../core/watching/redo-left.ts";
import type { Flags } from "../../options/common.ts";
import type { statusOptions } from "../../options/reports.ts";
import { metricsText } from "../../views/watching/metrics.ts";
import { type Databases, databaseOf, lagOf } from "../connectors.ts";
import { type CdcConnector, cdcConnectorAt, placesOf } from "../elsewhere.ts";
import { DOCUMENTS, refuseOther, writeDocument } from "../files.ts";
import { typedTarget } from "../open-world.ts";
import { type Opened, ownPlaceOf, type Place } from "../places.ts";

type WatchFlags = Flags<typeof statusOptions>;

/** What `status` knows already: its runs, and the workers' account of the latest of each connector. */
interface Known {
  readonly stored: StoredRuns;
  readonly latest: readonly Pick<StoredRun, "key" | "state">[];
  readonly seen: ReadonlyMap<string, CurrentState>;
  readonly opened: Opened;
}

/** A collector of metrics runs as another user. */
const METRICS_MODE = 0o644;

/** What `--fail-on` and `--metrics-file` ask for. */
export interface Watch {
  /** Reads each connector, writes the file, and judges the conditions; undefined without `--fail-on`. */
  carryOut(known: Known): Promise<readonly Judged[] | undefined>;
}

/** @throws UsageError for conditions that cannot be read, and for a file that cannot be written */
export async function watchFor(flags: WatchFlags): Promise<Watch> {
  const { "fail-on": failOn, "metrics-file": file, check } = flags;
  if (!check) throw new UsageError("--no-check reads no system, so that nothing can be judged", "Omit --no-check.");
  const conditions = failOn === undefined ? undefined : parseConditions(failOn);
  if (file !== undefined) await refuseOther(file, DOCUMENTS.metrics);
  return {
    async carryOut(known) {
      const watching = { unsettled: unsettledOf(known.stored, flags), connectors: await watched(known, flags) };
      if (file !== undefined) await writeDocument(file, metricsText(watching), DOCUMENTS.metrics, METRICS_MODE);
      return conditions?.map((condition) => judge(condition, watching));
    },
  };
}

function unsettledOf({ runs, unreadable }: StoredRuns, flags: WatchFlags): Watching["unsettled"] {
  return [
    ...runs.flatMap((run) =>
      run.state.ended === undefined
        ? [{ ...nameOf(ownPlaceOf(run, flags)), what: `run ${run.key.run} is not settled` }]
        : [],
    ),
    ...unreadable.runs.map(({ key: { connector, run } }) => ({
      connector,
      context: flags.context,
      what: `run ${run} is in doubt: its journal cannot be read`,
    })),
    ...unreadable.folders.map(({ path, why }) => ({
      connector: undefined,
      context: undefined,
      what: `${path} cannot be read: ${why}`,
    })),
  ];
}

/** A connector by its context; where none is named, by the URL of its workers. */
function nameOf({ target, flags }: Place): Pick<Watched, "connector" | "context"> {
  const { connector, context, connectUrl } = target;
  return { connector, context: flags.context ?? context ?? flags["connect-url"] ?? connectUrl };
}

/** Every CDC connector once, in the place where its latest run was made, or that the command line names. */
async function watched({ stored, latest, seen, opened }: Known, flags: WatchFlags): Promise<readonly Watched[]> {
  const { places, unlisted } = await placesOf(latest, flags, opened);
  const all = new Map<string, Watched>();
  const databases: Databases = new Map();
  for (const [at, place] of places.entries()) {
    const name = nameOf(place);
    const own = seen.get(latest[at]?.key.run ?? "")?.change;
    try {
      const found = await cdcConnectorAt(place, opened);
      const facts = found && (await factsOf(found, own, opened, databases));
      if (facts !== undefined)
        all.set(JSON.stringify(name), { ...name, ...facts, inFlight: notBegunHere(facts.inFlight, stored) });
    } catch (error) {
      all.set(JSON.stringify(name), { ...name, ...nothingKnown(unknownBecause(error, "workers")) });
    }
  }
  if (unlisted === undefined) return [...all.values()];
  const { context } = nameOf({ target: typedTarget("", flags), flags });
  return [
    ...all.values(),
    { connector: "other connectors", context, ...nothingKnown(unknownBecause(unlisted, "workers")) },
  ];
}

async function factsOf(
  { world, description }: CdcConnector,
  own: ChangeSeen | undefined,
  { brokers }: Opened,
  databases: Databases,
): Promise<Omit<Watched, "connector" | "context">> {
  const { name } = description;
  const settings = await world.settingsOf(description);
  const { change, changes, inFlight } = await latestEvents(name, settings, world, brokers);
  const observe = lenientObserverAt(world.clock);
  const stored = await observe(`GET /connectors/${name}/offsets`, async () => {
    const all = await world.connect.offsets(name);
    const offsets = all.filter(({ partition }) => sameOffset(partition, { server: settings.prefix }));
    const reading = readStored({ connector: { offsets, prefix: settings.prefix } });
    if (reading.state !== "stored") throw new UsageError(`${name} has no readable stored offset: ${reading.state}`);
    return reading;
  });
  const ops = { inFlight, change, undone: undoneBy(own, changes, stored) };
  if (!stored.known) return { ...nothingKnown(stored), ...ops };
  const { offset } = stored.value;
  const lag = await observe("SCN_TO_TIMESTAMP", async () => {
    const read = await lagOf(name, offset, settings, databases, world);
    if (!read.known) throw new UsageError(read.why);
    const { at, millis } = read.value;
    if (at !== undefined && millis !== undefined) return { at, millis };
    throw new UsageError(`the database no longer knows when SCN ${offset.resumeScn} was current`);
  });
  const redo = await observe("V$ARCHIVED_LOG", async () => {
    if (!lag.known) throw new UsageError(lag.why);
    return readRedoLeft(lag.value.at, settings, databaseOf(settings, databases, world).oracle);
  });
  return {
    ...ops,
    resumeScn: mapObserved(stored, () => offset.resumeScn),
    lag: mapObserved(lag, ({ millis }) => millis),
    redo,
  };
}

/** By the run of this machine, otherwise by what the ops topic records of any. */
function undoneBy(
  own: ChangeSeen | undefined,
  changes: LatestEvents["changes"],
  stored: Observed<StoredReading>,
): Watched["undone"] {
  const source = "the latest change";
  if (own?.is === "unknown") return { known: false, why: own.why, source };
  if (!changes.known) return changes;
  if (needsRepair(own)) return { ...changes, value: "the latest run's change no longer stands" };
  return mapObserved(stored, (reading) => {
    const verdict = lastChangeUndone.run(undefined, { changes, stored: reading });
    return verdict.verdict === "fail" ? verdict.seen : undefined;
  });
}

/** @throws UsageError where the archived logs do not show it */
async function readRedoLeft(
  resumeAt: Instant,
  { archiveDestination }: LentSettings,
  oracle: OraclePort,
): Promise<RedoLeft> {
  const [{ resetlogsScn }, threads, destinations, archived] = await Promise.all([
    oracle.database(),
    oracle.threads(),
    oracle.destinations(),
    oracle.archivedLogs(0n),
  ]);
  const destination = destinationOf(destinations, archiveDestination);
  if (destination === undefined) throw new UsageError("no archive destination is usable");
  const enabled = threads.flatMap((one) => (one.enabled === "DISABLED" ? [] : [one.thread]));
  const logs = archivedLogsOf(archived, destination.id, resetlogsScn);
  const left = redoLeft(resumeAt, new Map([...logs].filter(([thread]) => enabled.includes(thread))));
  if (left === undefined) throw new UsageError("no archived log exists to show how long redo is kept");
  return left;
}
