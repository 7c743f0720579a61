import type { DecidedOffsetChange } from "../../../schemas/generated/plan.ts";
import type { ConnectorReading, NamedRecords, SchemasRemoved, TornTransaction } from "../../checks/readings.ts";
import type { OffsetChangeIntent, OpsFormat, ResnapshotIntent } from "../../document/intent.ts";
import type { ConnectorFacts } from "../../facts/connector-facts.ts";
import { mapObserved, type Observed } from "../../facts/observed.ts";
import { directionBetween, type Move } from "../../facts/offset/move.ts";
import { decodeOffset, isEmptyOffset, type StoredReading, sameOffset } from "../../facts/offset/stored-offset.ts";
import { opsFormat, recordedChanges } from "../../facts/ops/ops-event.ts";
import { examineSeen, redoSeenFrom } from "../../facts/redo/from.ts";
import type { RedoExamination } from "../../facts/redo/redo.ts";
import { heldAfter } from "../../journal/held-back.ts";
import { ascending } from "../../values/lists.ts";
import type { Scn } from "../../values/scn.ts";
import { parseXid, printXid, sameXid } from "../../values/xid.ts";

/** Derives what follows from the facts and the requested move. */
export function readConnector(
  facts: ConnectorFacts,
  {
    move,
    tears,
    asked,
  }: { readonly move: Move | undefined; readonly tears: boolean; readonly asked: OpsFormat | undefined },
): Pick<ConnectorReading, "move" | "tears" | "torn" | "held" | "changes" | "opsFormat"> {
  const tearing = tears ? move : undefined;
  return {
    move,
    tears,
    torn: mapObserved(facts.transactions, () => (tearing === undefined ? [] : tornBy(tearing, facts))),
    held: mapObserved(facts.journaled, (journaled) =>
      tearing === undefined ? [] : heldAfter(journaled, tearing.to, generationIn(facts)),
    ),
    changes: mapObserved(facts.opsHistory, ({ events }) => recordedChanges(events, facts.connector.name)),
    opsFormat: opsFormat(asked, facts.connector),
  };
}

export function readStored(facts: {
  readonly connector: Pick<ConnectorFacts["connector"], "offsets" | "prefix">;
}): StoredReading {
  const entries = facts.connector.offsets.filter(({ offset }) => !isEmptyOffset(offset));
  const [entry] = entries;
  if (entry === undefined) return { state: "none" };
  if (entries.length > 1) return { state: "several", partitions: entries.map(({ partition }) => partition) };
  if (!sameOffset(entry.partition, { server: facts.connector.prefix }))
    return { state: "foreign", partition: entry.partition };
  const decoded = decodeOffset(entry.offset ?? {});
  if (decoded.ok) return { state: "stored", entry, offset: decoded.offset };
  return decoded.reason === "later version"
    ? { state: "later version", version: decoded.version }
    : { state: "unreadable", problem: decoded.problem };
}

function generationIn(facts: Pick<ConnectorFacts, "connector">): bigint {
  const stored = readStored(facts);
  return (stored.state === "stored" ? stored.offset.journalGeneration : undefined) ?? 0n;
}

/** The move from the stored offset to an SCN; undefined if the stored offset can't be read. */
export function moveTo(to: Scn, stored: StoredReading): Move | undefined {
  if (stored.state !== "none" && stored.state !== "stored") return undefined;
  return moveFrom(stored.state === "stored" ? stored.offset.resumeScn : undefined, to);
}

/** The move between two SCNs. @param from undefined: none is stored, or it can't be read */
export function moveFrom(from: Scn | undefined, to: Scn): Move {
  const distance = from === undefined ? 0n : to < from ? from - to : to - from;
  return { direction: directionBetween(from, to), from, to, distance };
}

/** Whether a move leads past the connector's position: only that can tear transactions. */
export function leadsAhead(move: Move | undefined): boolean {
  return move?.direction === "forward" || move?.direction === "initial";
}

/** Redo from an SCN to now, from the catalogue and from opening its files. */
export function examine(facts: ConnectorFacts, from: Scn): Observed<RedoExamination> {
  return examineSeen(redoSeenFrom(from, facts, facts.connector));
}

function tornBy(move: Move, { transactions, journaled }: ConnectorFacts): readonly TornTransaction[] {
  const open = (transactions.known ? transactions.value : [])
    .filter(({ startScn }) => startScn < move.to)
    .map((transaction) => ({ ...transaction, key: transaction.xid, xid: printXid(transaction.xid) }));
  const chunks = (journaled.known ? journaled.value : []).filter(({ firstScn }) => firstScn < move.to);
  const inJournal = (xid: (typeof open)[number]["key"]) =>
    chunks.some((chunk) => {
      const other = parseXid(chunk.xid);
      return other !== undefined && sameXid(xid, { ...other, container: chunk.container ?? other.container });
    });
  const onlyJournaled = chunks.filter((chunk) => {
    const other = parseXid(chunk.xid);
    return (
      other === undefined ||
      !open.some(({ key }) => sameXid(key, { ...other, container: chunk.container ?? other.container }))
    );
  });
  return [
    ...open.map(
      ({ key, ...open }): TornTransaction => ({ ...open, seenIn: inJournal(key) ? "both" : "GV$TRANSACTION" }),
    ),
    ...onlyJournaled.map(
      ({ xid, container, firstScn: startScn, user, clientId }): TornTransaction => ({
        xid: container === undefined || xid.includes(":") ? xid : `${container}:${xid}`,
        ...{ startScn, user, clientId },
        seenIn: "journal",
      }),
    ),
  ].sort(ascending(({ startScn }) => startScn));
}

/** The records to remove before a move, if the plan file requests it: those of the held transactions alone. */
export function removedFromJournal(
  { removeJournaledTransactions }: Pick<OffsetChangeIntent, "removeJournaledTransactions">,
  { held }: Pick<ConnectorReading, "held">,
): readonly NamedRecords[] {
  if (removeJournaledTransactions !== true || !held.known || held.value.length === 0) return [];
  return [{ topic: held.source, of: "journal", only: held.value.map(({ xid }) => xid).sort() }];
}

/** The same as part of the decision. */
export function removedTransactions(
  intent: Pick<OffsetChangeIntent, "removeJournaledTransactions">,
  reading: Pick<ConnectorReading, "held">,
): { readonly removedTransactions?: readonly string[] } {
  if (intent.removeJournaledTransactions !== true) return {};
  return { removedTransactions: removedFromJournal(intent, reading).flatMap(({ only }) => only) };
}

type Asks = Pick<OffsetChangeIntent | ResnapshotIntent, "removeTableSchemas">;

/** @param altered of a move that skips them */
export function schemasRemoved(
  { removeTableSchemas }: Asks,
  { ddl }: Pick<ConnectorFacts, "ddl">,
  altered: SchemasRemoved["altered"],
): SchemasRemoved {
  if (removeTableSchemas !== true || ddl?.known !== true || altered?.known !== true || altered.value.length === 0)
    return { altered, removed: [] };
  const only = altered.value.map(({ layout }) => layout);
  return { altered, removed: [{ topic: ddl.value.schemaTopic, of: "schema", only }] };
}

/**
 * The part of a decision about layouts that are removed; empty unless the plan file asks for it.
 *
 * @param reading omitted: what follows from the intent alone
 */
export function removalDecided(
  { removeTableSchemas }: Asks,
  reading?: SchemasRemoved,
): Partial<Pick<DecidedOffsetChange, "removeTableSchemas" | "removedSchemas">> {
  const tables = reading?.removed.flatMap(({ only }) => only) ?? [];
  return {
    removeTableSchemas,
    ...(tables.length === 0 ? {} : { removedSchemas: tables }),
  };
}
