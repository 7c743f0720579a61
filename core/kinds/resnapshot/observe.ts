import type { ConnectorSeen, ResnapshotFacts, RowScn } from "../../../schemas/generated/facts.ts";
import type { ResnapshotIntent } from "../../document/intent.ts";
import { allOrFirst, type Observer, observerAt } from "../../facts/observer.ts";
import type { StoredOffset } from "../../facts/offset/stored-offset.ts";
import { NOT_INSPECTED } from "../../facts/tables/evidence.ts";
import { unlistedTables } from "../../facts/tables/named-tables.ts";
import { capturedTables } from "../../facts/tables/tables.ts";
import type { OraclePort } from "../../ports/oracle.ts";
import type { World } from "../../ports/world.ts";
import { drawnFrom } from "../../timeline/timeline.ts";
import { inspectDdl } from "../connector/inspect-ddl.ts";
import { inspectJournal, inspectKafka } from "../connector/inspect-kafka.ts";
import { inspectRedo, timesOfMore } from "../connector/inspect-position.ts";
import { inspectSignals } from "../connector/inspect-signals.ts";
import { inspectConnector, type Observation } from "../connector/observe.ts";
import type { Sources } from "../kind.ts";

/**
 * Reads everything a resnapshot is decided by, and changes nothing. Evidence about tables that would lose changes is
 * read only if redo is missing.
 *
 * @param evidence false: evidence is not read, because nothing depends on it (it may take long)
 * @throws CallFailed, UsageError, or Refusal `CON301` for a connector of another kind
 */
export async function observeResnapshot(
  intent: ResnapshotIntent,
  world: World,
  { settingsOf }: Pick<Sources, "settingsOf">,
  { evidence }: { readonly evidence: boolean },
): Promise<Observation<ResnapshotFacts>> {
  const { seen, stored, settings, kafka, oracle } = await inspectConnector(intent.target.connector, world, settingsOf);
  const observe = observerAt(world.clock);
  const { name: connector, prefix } = seen.connector;
  const addressed = { topic: settings.signalsTopic, connector, prefix };
  const [fromKafka, signalsTopic, signals, fromOracle] = await allOrFirst(
    inspectKafka(kafka, settings, observe, world),
    observe(settings.signalsTopic, async () => (await kafka.topic(settings.signalsTopic)) ?? ("missing" as const)),
    observe(settings.signalsTopic, () => inspectSignals(kafka, addressed, stored?.signalOffset)),
    inspectOracle(oracle, seen.connector, stored, observe),
  );
  const { gap, ...database } = fromOracle;
  const [journaled, changes] = await allOrFirst(
    gap ? inspectJournal(kafka, settings, observe, world.clock) : observe(settings.journalTopic, async () => []),
    gap && evidence
      ? inspectEvidence(oracle, intent, seen.connector, database.dictionary, observe)
      : Promise.resolve(NOT_LOOKED_UP),
  );
  // It decides, so that it is read where evidence is not.
  const read = { dictionary: database.dictionary, activity: changes.activity };
  const asked = { ...settings, tables: { ...settings.tables, stated: intent.capturedTables } };
  const ddl = gap ? await inspectDdl({ oracle, kafka }, asked, observe, read) : undefined;
  const times = await timesOfMore(database.times, oracle, journaled.known ? drawnFrom(journaled.value) : [], observe);
  return {
    facts: {
      kind: "Resnapshot",
      ...seen,
      ...database,
      times,
      journaled,
      ...fromKafka,
      signalsTopic,
      signals,
      ...changes,
      ddl,
    },
    settings,
    kafka,
    oracle,
  };
}

/** Inspects the database. @returns the facts, and whether redo is missing from the stored position on */
async function inspectOracle(
  oracle: OraclePort,
  connector: ConnectorSeen,
  stored: StoredOffset | undefined,
  observe: Observer,
): Promise<
  Pick<ResnapshotFacts, "database" | "redo" | "probes" | "transactions" | "times" | "dictionary"> & {
    readonly gap: boolean;
  }
> {
  const from = stored?.resumeScn;
  const [{ examined, ...inspected }, dictionary] = await allOrFirst(
    inspectRedo(
      oracle,
      connector,
      { lowest: async () => from ?? 0n, position: () => ({ from, shown: [from, stored?.lastCommit?.scn] }) },
      observe,
    ),
    observe("CDB_TABLES", () => oracle.dictionary(connector.tables.pdbs)),
  );
  return { ...inspected, dictionary, gap: examined?.known === true && !examined.value.complete };
}

async function inspectEvidence(
  oracle: OraclePort,
  intent: ResnapshotIntent,
  { tables }: ConnectorSeen,
  dictionary: ResnapshotFacts["dictionary"],
  observe: Observer,
): Promise<Pick<ResnapshotFacts, "activity" | "rowScns">> {
  const [activity, rowScns] = await allOrFirst(
    observe("CDB_OBJECTS, CDB_TAB_MODIFICATIONS", () => oracle.activity(tables.pdbs)),
    observe("ORA_ROWSCN", async (): Promise<readonly RowScn[]> => {
      if (!intent.readRowScns || !dictionary.known) return [];
      const captured = capturedTables({ ...tables, stated: intent.capturedTables }, dictionary.value);
      return captured.known ? oracle.rowScns(unlistedTables(intent, captured.tables)) : [];
    }),
  );
  return { activity, rowScns };
}

/** Evidence that was not read, which differs from evidence that shows nothing. */
const NOT_LOOKED_UP: Pick<ResnapshotFacts, "activity" | "rowScns"> = {
  activity: { known: false, why: NOT_INSPECTED, source: "CDB_OBJECTS, CDB_TAB_MODIFICATIONS" },
  rowScns: { known: false, why: NOT_INSPECTED, source: "ORA_ROWSCN" },
};
