import type { CurrentState } from "../../../core/change/current-state.ts";
import { type LatestEvents, latestEvents } from "../../../core/change/ops-topics.ts";
import type { StoredRun, StoredRuns } from "../../../core/change/stored-runs.ts";
import { lastChangeUndone } from "../../../core/checks/earlier-changes.ts";
import { UsageError } from "../../../core/errors.ts";
import type { BoundSettings } from "../../../core/facts/connector/settings.ts";
import { mapObserved, type Observed } from "../../../core/facts/observed.ts";
import { lenientObserverAt, unknownBecause } from "../../../core/facts/observer.ts";
import { type StoredReading, sameOffset } from "../../../core/facts/offset/stored-offset.ts";
import { beganAt, type RecordedChange } from "../../../core/facts/ops/ops-event.ts";
import { archivedLogsOf, destinationOf } from "../../../core/facts/redo/logs.ts";
import { noConnector } from "../../../core/kinds/connector/observe.ts";
import { readStored } from "../../../core/kinds/connector/reading.ts";
import type { OraclePort } from "../../../core/ports/oracle.ts";
import { type ChangeSeen, needsRepair } from "../../../core/run/after.ts";
import { epochMillis, type Instant } from "../../../core/values/instant.ts";
import { ascending } from "../../../core/values/lists.ts";
import {
  type Judged,
  judge,
  nothingKnown,
  parseConditions,
  type RedoLeft,
  redoLeft,
  type Watched,
  type Watching,
} from "../../../core/watching/conditions.ts";
import type { RecordedEvent } from "../../../schemas/generated/facts.ts";
import { EXIT } from "../../command.ts";
import type { Host } from "../../host.ts";
import type { Flags } from "../../options/common.ts";
import type { historyOptions, statusOptions } from "../../options/reports.ts";
import { metricsText } from "../../views/watching/metrics.ts";
import { opsHistoryDocument, opsHistoryReport, type RecordedOf } from "../../views/watching/reports.ts";
import { type Databases, databaseOf, lagOf } from "../connectors.ts";
import { changesElsewhere, type LookedAt } from "../elsewhere.ts";
import { DOCUMENTS, refuseOther, replaceFile } from "../files.ts";
import { typedTarget } from "../open-world.ts";
import { type Opened, openings, ownPlaceOf, type Place } from "../places.ts";
import { inForm, reported } from "../report-forms.ts";
import type { Refresh } from "../watching.ts";

type WatchFlags = Flags<typeof statusOptions>;

/** What `status` knows already: its runs, and the workers' account of the latest of each connector. */
interface Known {
  readonly stored: StoredRuns;
  readonly latest: readonly Pick<StoredRun, "key" | "state">[];
  readonly seen: ReadonlyMap<string, CurrentState>;
  readonly opened: Opened;
  /** Every CDC connector there is to watch; rejects where the workers cannot list them. */
  readonly looked: Promise<readonly LookedAt[] | undefined> | undefined;
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
      if (file !== undefined) await replaceFile(file, metricsText(watching), METRICS_MODE);
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
async function watched(known: Known, flags: WatchFlags): Promise<readonly Watched[]> {
  const { latest, seen, opened, looked } = known;
  const others = { ...nameOf({ target: typedTarget("", flags), flags }), connector: "other connectors" };
  const unlisted = (error: unknown): Watched => ({ ...others, ...nothingKnown(unknownBecause(error, "workers")) });
  const databases: Databases = new Map();
  const all = new Map<string, Watched>();
  const elsewhere = await looked?.catch((error: unknown) => unlisted(error));
  if (elsewhere === undefined) return [];
  if ("undone" in elsewhere) return [elsewhere];
  for (const { place, inFlight } of elsewhere) {
    const name = place === undefined ? others : nameOf(place);
    const run = latest.find((one) => JSON.stringify(ownPlaceOf(one, flags)) === JSON.stringify(place));
    const own = seen.get(run?.key.run ?? "")?.change;
    const facts =
      place === undefined
        ? nothingKnown({ known: false, why: "the workers could not list their connectors", source: "workers" })
        : await factsOf(place, own, opened, databases).catch((error) => nothingKnown(unknownBecause(error, "workers")));
    all.set(JSON.stringify(name), { ...name, ...facts, inFlight });
  }
  return [...all.values()];
}

async function factsOf(
  place: Place,
  own: ChangeSeen | undefined,
  opened: Opened,
  databases: Databases,
): Promise<ReturnType<typeof nothingKnown>> {
  const world = await opened.world(place);
  const name = place.target.connector;
  const description = await world.connect.connector(name);
  if (description === undefined) throw await noConnector(name, world.connect);
  const settings = await world.settingsOf(description);
  const { changes, inFlight } = await latestEvents(name, settings, world, opened.brokers);
  const observe = lenientObserverAt(world.clock);
  const stored = await observe(`GET /connectors/${name}/offsets`, async () => {
    const all = await world.connect.offsets(name);
    const offsets = all.filter(({ partition }) => sameOffset(partition, { server: settings.prefix }));
    const reading = readStored({ connector: { offsets, prefix: settings.prefix } });
    if (reading.state !== "stored") throw new UsageError(`${name} has no readable stored offset: ${reading.state}`);
    return reading;
  });
  const ops = { inFlight, change: mapObserved(changes, (all) => all.at(-1)), undone: undoneBy(own, changes, stored) };
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

/** Who undid it, by the run of this machine, otherwise by what the ops topic records. */
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
  { archiveDestination }: BoundSettings,
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

/** No run of this machine is left out of what the topics record. */
const NO_RUNS: StoredRuns = { runs: [], unreadable: { runs: [], folders: [] } };

/**
 * `history --ops`: the changes that the ops topics of these workers record, of every machine, oldest first.
 *
 * @param since milliseconds since the epoch
 * @returns exit code 1 where a topic could not be read whole: changes may be missing
 * @throws UsageError without workers
 */
export async function opsHistory(
  flags: Flags<typeof historyOptions>,
  since: number | undefined,
  host: Host,
): Promise<Refresh> {
  await using opened = openings(host);
  const looked = await changesElsewhere(NO_RUNS, [], flags, opened);
  if (looked === undefined)
    throw new UsageError("--ops reads the ops topics of workers, and none are named", "Add --context CONTEXT.");
  const isAsked = ({ event }: RecordedChange<RecordedEvent>): boolean =>
    (flags.ticket === undefined || event.details.ticket === flags.ticket) &&
    (since === undefined || epochMillis(beganAt(event)) >= since);
  const changes = looked.flatMap(({ connector = "", changes: read }): readonly RecordedOf[] =>
    read?.known ? read.value.filter(isAsked).map((change) => ({ connector, change })) : [],
  );
  const shown = changes.toSorted(ascending(({ change }) => beganAt(change.event)));
  const unread = looked.flatMap(({ connector = "other connectors", inFlight }) =>
    inFlight.known ? [] : [{ connector, why: inFlight.why }],
  );
  const forms = reported(opsHistoryReport, opsHistoryDocument, { shown, unread });
  return { text: inForm(flags.format, forms, host), exit: unread.length === 0 ? EXIT.done : EXIT.refused };
}
