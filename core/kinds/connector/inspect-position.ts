import type { ConnectorFacts } from "../../facts/connector-facts.ts";
import type { DatabaseSeen } from "../../facts/database/database.ts";
import type { Observed } from "../../facts/observed.ts";
import { allOrFirst, observerAt } from "../../facts/observer.ts";
import { type Misplaced, misplaced } from "../../facts/offset/origin.ts";
import type { StoredReading } from "../../facts/offset/stored-offset.ts";
import { availableFrom, redoSeenFrom } from "../../facts/redo/from.ts";
import type { RedoExamination } from "../../facts/redo/redo.ts";
import type { World } from "../../ports/world.ts";
import { drawnFrom, timelineOf } from "../../timeline/position.ts";
import type { Timeline } from "../../timeline/timeline.ts";
import { inspectJournal } from "./inspect-kafka.ts";
import { inspectRedo, timesOfMore } from "./inspect-redo.ts";
import { inspectConnector, type SettingsOf } from "./observe.ts";
import { readStored } from "./reading.ts";

/** The position of a connector, as observed at one moment. A plain value without secrets. */
export interface PositionSeen extends Pick<ConnectorFacts, "at" | "worker" | "connector" | "database"> {
  readonly stored: StoredReading;
  /** Why the offset does not belong to this database, in which case its redo is not inspected. */
  readonly misplaced: Misplaced | undefined;
  /** From the resume SCN to now; undefined without a stored SCN that can be read. */
  readonly redo: Observed<RedoExamination> | undefined;
  readonly times: ConnectorFacts["times"];
  readonly timeline: Timeline;
}

/**
 * Inspects a connector, its stored offset, the redo from there to now and the transactions that are not over, and
 * changes nothing. Takes as many round trips as a plan. A fact is unknown if a permission for it is missing.
 *
 * @throws CallFailed, UsageError, or Refusal `CON301` for a connector of another kind
 */
export async function inspectPosition(name: string, world: World, settingsOf: SettingsOf): Promise<PositionSeen> {
  const { seen, stored, settings, kafka, oracle } = await inspectConnector(name, world, settingsOf);
  const observe = observerAt(world.clock);
  const resume = stored?.resumeScn;
  const problemIn = (database: DatabaseSeen) => (stored === undefined ? undefined : misplaced(stored, database, name));
  const [inspected, journaled] = await allOrFirst(
    inspectRedo(
      oracle,
      seen.connector,
      {
        lowest: async () => resume ?? 0n,
        position: ({ database }) =>
          problemIn(database) === undefined
            ? { from: resume, shown: [resume, stored?.lastCommit?.scn] }
            : { from: undefined, shown: [] },
      },
      observe,
    ),
    inspectJournal(kafka, settings, observe, world.clock),
  );
  const { database, transactions, examined } = inspected;
  const problem = problemIn(database);
  const unplaced: Observed<never> | undefined =
    problem === undefined
      ? undefined
      : { known: false, why: `${problem.seen} (${problem.code})`, source: "V$DATABASE" };
  const journaledScns = problem === undefined && journaled.known ? drawnFrom(journaled.value) : [];
  const times = await timesOfMore(inspected.times, oracle, journaledScns, observe);
  return {
    ...seen,
    database,
    stored: readStored(seen),
    misplaced: problem,
    redo: unplaced ?? examined,
    times,
    timeline: timelineOf({
      stored,
      target: undefined,
      firstAvailable: availableFrom(examined),
      currentScn: database.currentScn,
      redo: unplaced ?? redoSeenFrom(resume ?? 0n, inspected, seen.connector),
      transactions,
      journaled,
      times,
      clock: { zone: database.zone, now: world.clock.now() },
    }),
  };
}
