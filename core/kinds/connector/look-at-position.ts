import type { ConnectorFacts } from "../../facts/connector-facts.ts";
import { probeApplies } from "../../facts/database/database.ts";
import { mapObserved, type Observed } from "../../facts/observed.ts";
import { allOrFirst, observerAt } from "../../facts/observer.ts";
import { type Misplaced, misplaced } from "../../facts/offset/origin.ts";
import type { StoredReading } from "../../facts/offset/stored-offset.ts";
import { logsToProbe } from "../../facts/redo/examination.ts";
import { redoFrom } from "../../facts/redo/from.ts";
import type { RedoExamination } from "../../facts/redo/redo.ts";
import type { World } from "../../ports/world.ts";
import { drawnFrom } from "../../timeline/drawn-from.ts";
import { timelineOf } from "../../timeline/position.ts";
import type { Timeline } from "../../timeline/timeline.ts";
import { lookAtJournal } from "./look-at-kafka.ts";
import { lookAtRedo, timesOf } from "./look-at-redo.ts";
import { lookAtConnector, type SettingsOf } from "./observe.ts";
import { readStored, redoQuestion } from "./reading.ts";

/** Where a connector stands, as it was seen at one moment. A plain value without secrets. */
export interface PositionSeen extends Pick<ConnectorFacts, "at" | "worker" | "connector" | "database"> {
  readonly stored: StoredReading;
  /** The offset has no place in this database: nothing is said of its redo. */
  readonly misplaced: Misplaced | undefined;
  /** From the resume SCN to now; undefined where none is stored that can be read. */
  readonly redo: Observed<RedoExamination> | undefined;
  readonly times: ConnectorFacts["times"];
  readonly timeline: Timeline;
}

/**
 * Looks at a connector, its stored offset, the redo from there to now and the transactions that are not over, and
 * changes nothing. As many round trips as a plan takes. What a right is missing for is unknown.
 *
 * @throws CallFailed, UsageError, or Refusal `CON301` for a connector of another kind
 */
export async function lookAtPosition(name: string, world: World, settingsOf: SettingsOf): Promise<PositionSeen> {
  const { seen, stored, settings, kafka, oracle } = await lookAtConnector(name, world, settingsOf);
  const observe = observerAt(world.clock);
  const resume = stored?.resumeScn;
  const [{ database, redo: catalogue, transactions }, journaled] = await allOrFirst(
    lookAtRedo(oracle, seen.connector.tables.pdbs, async () => resume ?? 0n, observe),
    lookAtJournal(kafka, settings, observe, world.clock),
  );
  const problem = stored === undefined ? undefined : misplaced(stored, database, name);
  const from = problem === undefined ? resume : undefined;
  const question = { ...redoQuestion({ database, connector: seen.connector }), from: from ?? 0n };
  const applies = probeApplies({ connector: seen.connector, database });
  const probes = await observe("DBMS_LOGMNR.ADD_LOGFILE", async () =>
    applies && catalogue.known && from !== undefined
      ? await oracle.probeLogs(logsToProbe(catalogue.value, question))
      : undefined,
  );
  const tried = probes.known ? probes.value : undefined;
  const unplaced: Observed<never> | undefined =
    problem === undefined
      ? undefined
      : { known: false, why: `${problem.seen} (${problem.code})`, source: "V$DATABASE" };
  const redo =
    unplaced ?? (from === undefined ? undefined : mapObserved(catalogue, (all) => redoFrom(all, question, tried)));
  const firstAvailable = redo?.known && !redo.value.complete ? redo.value.firstAvailable : undefined;
  const times = await observe("SCN_TO_TIMESTAMP", () =>
    timesOf(oracle, [
      from,
      problem === undefined ? stored?.lastCommit?.scn : undefined,
      database.currentScn,
      firstAvailable,
      ...(problem === undefined && journaled.known ? drawnFrom(journaled.value) : []),
    ]),
  );
  return {
    ...seen,
    database,
    stored: readStored(seen),
    misplaced: problem,
    redo,
    times,
    timeline: timelineOf({
      stored,
      target: undefined,
      firstAvailable,
      currentScn: database.currentScn,
      redo: unplaced ?? mapObserved(catalogue, (all) => ({ catalogue: all, question, probes: tried })),
      transactions,
      journaled,
      times,
      clock: { zone: database.zone, now: world.clock.now() },
    }),
  };
}
