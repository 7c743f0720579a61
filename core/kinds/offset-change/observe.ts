import type { ConnectorSeen, OffsetChangeFacts } from "../../../schemas/generated/facts.ts";
import type { OffsetChangeIntent } from "../../document/intent.ts";
import { minesInRange } from "../../facts/database/database.ts";
import { allOrFirst, type Observer, observerAt } from "../../facts/observer.ts";
import { lastApplied } from "../../facts/offset/last-recorded.ts";
import { directionBetween } from "../../facts/offset/move.ts";
import { decodeOffset, resumeScnIn, type StoredOffset } from "../../facts/offset/stored-offset.ts";
import { carriedOffset } from "../../facts/ops/ops-event.ts";
import { examineSeen, redoSeenFrom } from "../../facts/redo/from.ts";
import type { OraclePort } from "../../ports/oracle.ts";
import type { World } from "../../ports/world.ts";
import { drawnFrom } from "../../timeline/timeline.ts";
import { lowest } from "../../values/lists.ts";
import type { Scn } from "../../values/scn.ts";
import { inspectDdl } from "../connector/inspect-ddl.ts";
import { inspectJournal, inspectKafka } from "../connector/inspect-kafka.ts";
import { inspectRedo, timesOfMore } from "../connector/inspect-position.ts";
import { inspectSignals } from "../connector/inspect-signals.ts";
import { inspectConnector, type Observation } from "../connector/observe.ts";
import type { Sources } from "../kind.ts";

/**
 * Reads everything an offset change is decided by, and changes nothing. Independent reads run at the same time. A
 * missing permission leaves a fact unknown; any other failure ends the observation.
 *
 * @throws CallFailed, UsageError, or Refusal `CON301` for a connector of another kind
 */
export async function observeOffsetChange(
  intent: OffsetChangeIntent,
  world: World,
  { settingsOf }: Pick<Sources, "settingsOf">,
  { pinned }: { readonly pinned?: Scn | undefined } = {},
): Promise<Observation<OffsetChangeFacts>> {
  const { seen, stored, settings, kafka, oracle } = await inspectConnector(intent.target.connector, world, settingsOf);
  const observer = observerAt(world.clock);
  const { name: connector, prefix } = seen.connector;
  const addressed = { topic: settings.signalsTopic, connector, prefix };
  const reading = inspectKafka(kafka, settings, observer, world);
  const [fromKafka, signals, fromOracle] = await allOrFirst(
    reading,
    // A first offset has no signal offset: the task reads the topic from its beginning.
    stored === undefined
      ? observer(settings.signalsTopic, () => inspectSignals(kafka, addressed, undefined))
      : Promise.resolve(undefined),
    aimOf(intent, seen.connector, reading, pinned).then((aim) =>
      inspectOracle(oracle, intent, seen.connector, stored, observer, aim),
    ),
  );
  const { to, ...database } = fromOracle;
  const direction = to === undefined ? undefined : directionBetween(stored?.resumeScn, to);
  const journaled =
    direction === "forward" || direction === "initial" || intent.deliverAgain === true
      ? await inspectJournal(kafka, settings, observer, world.clock)
      : await observer(settings.journalTopic, async () => []);
  const backwardByRange = direction === "backward" && minesInRange(database.database, seen.connector);
  const skips = direction === "forward" && intent.position.to !== "restore";
  const asked = { ...settings, tables: { ...settings.tables, stated: intent.capturedTables } };
  const ddl = skips || backwardByRange ? await inspectDdl({ oracle, kafka }, asked, observer) : undefined;
  const times = await timesOfMore(database.times, oracle, journaled.known ? drawnFrom(journaled.value) : [], observer);
  return {
    facts: {
      kind: "OffsetChange",
      ...seen,
      ...database,
      times,
      journaled,
      ...fromKafka,
      signals,
      ddl,
    },
    settings,
    kafka,
    oracle,
  };
}

/**
 * Reads the database, its redo from the lower of stored offset and target on, each of its files, open transactions, and
 * the times of the SCNs that are shown.
 *
 * @returns the facts, and the SCN that the position resolves to, if it does
 */
export async function inspectOracle(
  oracle: OraclePort,
  { position }: OffsetChangeIntent,
  connector: ConnectorSeen,
  stored: StoredOffset | undefined,
  observe: Observer,
  pinned: Scn | undefined,
): Promise<
  Pick<OffsetChangeFacts, "database" | "target" | "redo" | "probes" | "transactions" | "times"> & {
    readonly to: Scn | undefined;
  }
> {
  const aim =
    pinned ??
    (position.to === "scn" ? position.scn : position.to === "restore" ? restoredScn(position.offset) : undefined);
  const scn = position.to === "timestamp" && pinned === undefined ? await oracle.scnAt(position.timestamp) : undefined;
  let to = aim ?? scn;
  const { examined: _, ...inspected } = await inspectRedo(
    oracle,
    connector,
    {
      lowest: async () => lowest([to ?? 0n, stored?.resumeScn]) ?? 0n,
      position(seen) {
        const isEarliest = to === undefined && position.to === "earliestAvailable";
        const whole = isEarliest ? examineSeen(redoSeenFrom(0n, seen, connector)) : undefined;
        if (whole?.known) to = whole.value.earliest;
        // Every file has to be opened to know whether an SCN is the earliest.
        const from = isEarliest && to !== undefined ? 0n : to;
        return { from, shown: [to, stored?.resumeScn, stored?.lastCommit?.scn] };
      },
    },
    observe,
  );
  return {
    ...inspected,
    target: position.to === "timestamp" ? { by: "timestamp", scn: pinned ?? scn } : { by: position.to },
    to,
  };
}

/** The SCN that is known before the database is read. Where the ops topic was left is only known once it is read. */
async function aimOf(
  { position }: OffsetChangeIntent,
  connector: ConnectorSeen,
  reading: ReturnType<typeof inspectKafka>,
  pinned: Scn | undefined,
): Promise<Scn | undefined> {
  if (position.to !== "lastRecorded") return pinned;
  const { opsHistory } = await reading;
  if (!opsHistory.known) return undefined;
  const last = lastApplied(opsHistory.value.events, connector);
  return resumeScnIn(carriedOffset(last?.details.new_offset) ?? null);
}

function restoredScn(offset: Parameters<typeof decodeOffset>[0]): Scn | undefined {
  const decoded = decodeOffset(offset);
  return decoded.ok ? decoded.offset.resumeScn : undefined;
}
