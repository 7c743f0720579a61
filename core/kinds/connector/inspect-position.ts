import type { ContainerSeen, OpenTransaction, RedoCatalogue, ScnTime } from "../../../schemas/generated/facts.ts";
import type { ConnectorSettings } from "../../facts/connector/settings.ts";
import type { ConnectorFacts } from "../../facts/connector-facts.ts";
import { type DatabaseSeen, hiddenPdb, isNamed, mayHidePdbs, probeApplies } from "../../facts/database/database.ts";
import { mapObserved, type Observed } from "../../facts/observed.ts";
import { allOrFirst, type Observer, observerAt } from "../../facts/observer.ts";
import { type Misplaced, misplaced } from "../../facts/offset/origin.ts";
import type { StoredReading } from "../../facts/offset/stored-offset.ts";
import { availableFrom, examineSeen, type MiningSettings, redoQuestion, redoSeenFrom } from "../../facts/redo/from.ts";
import { logsToProbe, type RedoExamination } from "../../facts/redo/redo.ts";
import type { OraclePort } from "../../ports/oracle.ts";
import type { World } from "../../ports/world.ts";
import { drawnFrom, type Timeline, timelineOf } from "../../timeline/timeline.ts";
import type { Scn } from "../../values/scn.ts";
import type { Xid } from "../../values/xid.ts";
import { inspectJournal } from "./inspect-kafka.ts";
import { inspectConnector, type SettingsOf } from "./observe.ts";
import { readStored } from "./reading.ts";

/**
 * Reads the database, its redo from an SCN on, and its open transactions, at the same time.
 *
 * @param pdbs those configured, whose open transactions must be seen
 */
export async function readRedo(
  oracle: OraclePort,
  pdbs: readonly string[],
  lowest: RedoWanted["lowest"],
  observe: Observer,
): Promise<Pick<ConnectorFacts, "database" | "redo" | "transactions">> {
  const database = oracle.database();
  const open = readTransactions(oracle, pdbs, database, observe);
  const from = lowest(open);
  // They are read before the archived logs: a log that is archived in between is then in both lists, not in neither.
  const online = observe("V$LOG, V$LOGFILE", async () => oracle.onlineLogs((await database).currentScn));
  const [, seen, threads, destinations, groups, archived, transactions] = await allOrFirst(
    from,
    database,
    observe("V$THREAD", () => oracle.threads()),
    observe("V$ARCHIVE_DEST_STATUS", () => oracle.destinations()),
    online,
    observe("V$ARCHIVED_LOG", async () => {
      await online.catch(() => undefined);
      return oracle.archivedLogs(await from);
    }),
    open,
  );
  return {
    database: { ...seen, address: oracle.address },
    redo: catalogueOf(threads, destinations, archived, groups),
    transactions,
  };
}

/** The open transactions in the configured PDBs; unknown if this login does not see all of them. */
export async function readTransactions(
  oracle: OraclePort,
  pdbs: readonly string[],
  database: Promise<DatabaseSeen>,
  observe: Observer,
): Promise<ConnectorFacts["transactions"]> {
  const [transactions, containers] = await allOrFirst(
    observe("GV$TRANSACTION, GV$SESSION", () => oracle.openTransactions()),
    // Also outside the root: a login inside one PDB sees nothing of the others.
    database.then(async (seen) =>
      mayHidePdbs(pdbs, seen) ? observe("V$CONTAINERS", () => oracle.containers()) : undefined,
    ),
  );
  return containers === undefined ? transactions : ofSeenPdbs(transactions, pdbs, containers);
}

/** `GV$TRANSACTION` silently omits what the login does not see: an empty result does not prove that none is open. */
function ofSeenPdbs(
  transactions: Observed<readonly OpenTransaction[]>,
  pdbs: readonly string[],
  containers: Observed<readonly ContainerSeen[]>,
): Observed<readonly OpenTransaction[]> {
  if (!transactions.known) return transactions;
  if (!containers.known) return { ...containers, source: `${transactions.source}, ${containers.source}` };
  const hidden = hiddenPdb(pdbs, containers.value);
  if (hidden !== undefined)
    return { known: false, why: hidden.why, remedies: [hidden.remedy], source: transactions.source };
  const captured = containers.value.filter(({ name }) => pdbs.some((pdb) => isNamed(name, pdb)));
  return mapObserved(transactions, (all) => all.filter(({ xid }) => mayBeIn(captured, xid)));
}

/** Transactions open in another PDB do not concern this connector. Container 0 is the whole database. */
function mayBeIn(captured: readonly ContainerSeen[], { container }: Xid): boolean {
  if (container === undefined || container === 0n) return true;
  return captured.some(({ id }) => id === undefined || id === container);
}

/** What to inspect in the redo for a position from which mining would begin. */
export interface RedoWanted {
  /** The lowest SCN to query archived logs for, inclusive; queried once. @param open the open transactions */
  lowest(open: Promise<ConnectorFacts["transactions"]>): Promise<Scn>;
  position(seen: Pick<ConnectorFacts, "database" | "redo" | "transactions">): {
    /** Where mining would begin; undefined: nowhere in this database, so no file is opened. */
    readonly from: Scn | undefined;
    /** SCNs whose times are shown, besides the current SCN and the end of a gap. */
    readonly shown: readonly (Scn | undefined)[];
  };
}

/** The database, its redo, its open transactions, and what mining from a position would find. */
export interface RedoInspected extends Pick<ConnectorFacts, "database" | "redo" | "probes" | "transactions" | "times"> {
  /** What exists, what mining it costs and what is missing; undefined without a position. */
  readonly examined: Observed<RedoExamination> | undefined;
}

/** Inspects the redo from a position to now: the catalogue, each of its files, open transactions, and the times. */
export async function inspectRedo(
  oracle: OraclePort,
  mining: MiningSettings & Pick<ConnectorSettings, "tables">,
  { lowest, position }: RedoWanted,
  observe: Observer,
): Promise<RedoInspected> {
  const seen = await readRedo(oracle, mining.tables.pdbs, lowest, observe);
  const { database, redo } = seen;
  const { from, shown } = position(seen);
  const applies = probeApplies({ connector: mining, database });
  const [probes, known] = await allOrFirst(
    observe("DBMS_LOGMNR.ADD_LOGFILE", async () => ({
      applies,
      files:
        !applies || !redo.known || from === undefined || from > database.currentScn
          ? []
          : await oracle.probeLogs(logsToProbe(redo.value, redoQuestion(from, database, mining))),
    })),
    observe("SCN_TO_TIMESTAMP", () => timesOf(oracle, [...shown, database.currentScn])),
  );
  const examined = from === undefined ? undefined : examineSeen(redoSeenFrom(from, { database, redo, probes }, mining));
  const times = await timesOfMore(known, oracle, [availableFrom(examined)], observe);
  return { ...seen, probes, times, examined };
}

/** Reads when SCNs were current, in one round trip, or none without SCNs. */
export async function timesOf(oracle: OraclePort, scns: readonly (Scn | undefined)[]): Promise<readonly ScnTime[]> {
  const asked = [...new Set(scns)].filter((scn) => scn !== undefined);
  return asked.length === 0 ? [] : oracle.timesOf(asked);
}

/** Adds the times of SCNs that came up later to the known ones: one more round trip, or none without new SCNs. */
export async function timesOfMore(
  times: Observed<readonly ScnTime[]>,
  oracle: OraclePort,
  scns: readonly (Scn | undefined)[],
  observe: Observer,
): Promise<Observed<readonly ScnTime[]>> {
  if (!times.known) return times;
  const asked = scns.filter((scn) => !times.value.some((one) => one.scn === scn));
  const more = await observe("SCN_TO_TIMESTAMP", () => timesOf(oracle, asked));
  return more.known ? { ...times, value: [...times.value, ...more.value] } : times;
}

/** The catalogue is known when all four views are; otherwise it is unknown for the first reason. */
function catalogueOf(
  threads: Observed<RedoCatalogue["threads"]>,
  destinations: Observed<RedoCatalogue["destinations"]>,
  archived: Observed<RedoCatalogue["archived"]>,
  online: Observed<RedoCatalogue["online"]>,
): Observed<RedoCatalogue> {
  if (threads.known && destinations.known && archived.known && online.known) {
    return {
      ...archived,
      value: {
        threads: threads.value,
        destinations: destinations.value,
        archived: archived.value,
        online: online.value,
      },
    };
  }
  const missing = [threads, destinations, archived, online].flatMap((one) => (one.known ? [] : [one]));
  const remedies = missing.flatMap(({ remedies: ways }) => ways ?? []);
  return {
    known: false,
    why: missing.map(({ why }) => why).join("; "),
    ...(remedies.length === 0 ? {} : { remedies }),
    source: missing.map(({ source }) => source).join(", "),
  };
}

/** The position of a connector, as observed at one moment. A plain value without secrets. */
export interface PositionSeen extends Pick<ConnectorFacts, "at" | "worker" | "connector" | "database"> {
  readonly stored: StoredReading;
  /** Why the offset does not belong to this database, in which case its redo is not inspected. */
  readonly misplaced: Misplaced | undefined;
  /** The redo from the resume SCN to now; undefined without a stored SCN that can be read. */
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
