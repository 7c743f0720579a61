import type { ConnectorStatus, OpenTransaction, ScnTime } from "../../schemas/generated/facts.ts";
import type { ConnectorSettings } from "../facts/connector/settings.ts";
import { LARGEST_TRANSACTIONS, type LargestTransaction, readTaskMetrics } from "../facts/connector/task-metrics.ts";
import { type HiddenPdb, hiddenPdb, isInsideAPdb, mayHidePdbs } from "../facts/database/database.ts";
import { mapObserved, type Observed } from "../facts/observed.ts";
import { lenientObserverAt, type Observer } from "../facts/observer.ts";
import { byTransaction } from "../journal/at-start.ts";
import type { Chunk } from "../journal/fold-records.ts";
import { readableForm } from "../journal/journal-form.ts";
import { firstScnOf, type ReadingOptions, readRecords } from "../journal/read-journal.ts";
import type { Clock } from "../ports/clock.ts";
import type { JmxPort } from "../ports/jmx.ts";
import type { KafkaPort } from "../ports/kafka.ts";
import type { OraclePort } from "../ports/oracle.ts";
import { type Instant, millisBetween } from "../values/instant.ts";
import { grouped, lowest } from "../values/lists.ts";
import type { Scn } from "../values/scn.ts";
import { parseXid, printXid, printXidAlone, sameXid, type Xid } from "../values/xid.ts";

/** One open transaction (specification, "Open transaction listing row"). */
export interface ListedTransaction {
  /** The id with its container where that is known; as the task writes it where it can't be read. */
  readonly id: string;
  readonly buffered: LargestTransaction | undefined;
  readonly journaled: JournaledPart | undefined;
  readonly age: TransactionAge;
  /**
   * The task's number where it holds the transaction in its buffer, which has all of it; else what is journaled so far.
   */
  readonly changes: bigint;
  readonly bytes: bigint;
  /** The user that the sources report, or else the session that still has it. */
  readonly user: string | undefined;
  readonly clientId: string | undefined;
  /** The lowest that the sources report. */
  readonly firstScn: Scn;
  readonly inDatabase: InDatabase;
}

export type TransactionAge =
  | { readonly known: true; readonly millis: bigint; readonly by: "first SCN" | "task" }
  | { readonly known: false; readonly why: string; readonly about: "transaction" | "source" };

/** What was seen as one table, oldest first SCN first: what is on top keeps the resume SCN back. */
export function listTransactions(seen: TransactionsSeen): readonly ListedTransaction[] {
  const { buffered, journaled } = seen;
  const found = pairs(
    buffered?.transactions.known ? buffered.transactions.value : [],
    journaled.known ? journaled.value.parts : [],
  );
  return found
    .map((pair) => listed(pair, seen))
    .sort((a, b) => (a.firstScn === b.firstScn ? (a.id < b.id ? -1 : 1) : a.firstScn < b.firstScn ? -1 : 1));
}

function listed(pair: Pair, seen: TransactionsSeen): ListedTransaction {
  const { buffered, journaled } = pair;
  const firstScn = lowest([buffered?.firstScn, journaled?.firstScn]) as Scn;
  const xid = journaled?.xid ?? parseXid(buffered?.xid ?? "");
  const found = lookedUp(xid, firstScn, seen);
  const open = found.still === "yes" ? found.open : undefined;
  return {
    id: idOf(xid, open?.xid) ?? buffered?.xid ?? "",
    buffered,
    journaled,
    age: ageOf(firstScn, pair, seen),
    changes: buffered?.events ?? journaled?.changes ?? 0n,
    bytes: buffered === undefined ? (journaled?.bytes ?? 0n) : buffered.heapBytes + buffered.spilledBytes,
    user: buffered?.user ?? journaled?.user ?? open?.user,
    clientId: buffered?.clientId ?? journaled?.clientId ?? open?.clientId,
    firstScn,
    inDatabase: found,
  };
}

/** The database tells the container where the sources do not. */
function idOf(xid: Xid | undefined, open: Xid | undefined): string | undefined {
  if (xid === undefined) return undefined;
  return printXid({ ...xid, container: xid.container ?? open?.container });
}

function lookedUp(xid: Xid | undefined, firstScn: Scn, { database }: TransactionsSeen): InDatabase {
  if (database?.known) return inDatabase(xid, firstScn, database.value);
  return { still: "unknown", why: database?.why ?? "it was not looked up", about: "source" };
}

/**
 * The age of a journaled one by the time of its first SCN, which the database forgets after some days; of others as the
 * task reports it.
 */
function ageOf(firstScn: Scn, { buffered, journaled }: Pair, { times }: TransactionsSeen): TransactionAge {
  if (journaled !== undefined && times?.known) {
    const { now, times: known } = times.value;
    const began = known.find(({ scn }) => scn === firstScn)?.at;
    if (began !== undefined && now !== undefined)
      return { known: true, millis: BigInt(Math.max(0, millisBetween(began, now))), by: "first SCN" };
  }
  if (buffered?.ageMillis !== undefined) return { known: true, millis: buffered.ageMillis, by: "task" };
  if (journaled === undefined)
    return { known: false, why: "the task does not know when it began", about: "transaction" };
  if (times?.known === false) return { known: false, why: times.why, about: "source" };
  return times?.known && times.value.now === undefined
    ? {
        known: false,
        why: "the database does not report its time (SCN_TO_TIMESTAMP of the current SCN)",
        about: "transaction",
      }
    : { known: false, why: "Oracle no longer knows when its first SCN was current", about: "transaction" };
}

/** One transaction as its sources show it: at least one of the two is there. */
export interface Pair {
  readonly buffered: LargestTransaction | undefined;
  readonly journaled: JournaledPart | undefined;
}

/**
 * Finds what is one transaction in both sources. The task's MBean leaves the container out, and each PDB has ids of its
 * own, so that an id alone may stand for several: among equal ids those that begin at the same SCN belong together, and
 * then the one that the task calls journaled with the one that is left. Where they cannot be matched, both stay.
 */
export function pairs(buffered: readonly LargestTransaction[], journaled: readonly JournaledPart[]): readonly Pair[] {
  const waiting = grouped(journaled, ({ xid }) => printXidAlone(xid));
  const found: Pair[] = [];
  for (const [id, own] of grouped(buffered, bareId)) {
    const others = new Set(waiting.get(id));
    const rest = own.filter((one) => {
      const same = [...others].find(({ begins }) => begins.includes(one.firstScn));
      if (same === undefined) return true;
      others.delete(same);
      found.push({ buffered: one, journaled: same });
      return false;
    });
    const claims = rest.filter((one) => one.journaled);
    const [claim] = claims;
    const [last] = others;
    const paired = claims.length === 1 && others.size === 1 ? claim : undefined;
    for (const one of rest) found.push({ buffered: one, journaled: one === paired ? last : undefined });
    if (paired !== undefined) others.clear();
    waiting.set(id, [...others]);
  }
  return [...found, ...[...waiting.values()].flat().map((part) => ({ buffered: undefined, journaled: part }))];
}

/** A text that is not an id stands for itself. */
function bareId({ xid: text }: LargestTransaction): string {
  const xid = parseXid(text);
  return xid === undefined ? text : printXidAlone(xid);
}

/** Open transactions as they were seen, source by source; none takes another with it. */
export interface TransactionsSeen {
  /** When the observation began. */
  readonly at: Instant;
  readonly connector: string;
  /** Undefined where Connect knows of no state. */
  readonly status: Observed<ConnectorStatus | undefined>;
  /** Undefined if no JVM was given. */
  readonly buffered: BufferInspection | undefined;
  readonly journaled: Observed<JournalInspection>;
  /** Undefined where there was no transaction to look up. */
  readonly database: Observed<DatabaseInspection> | undefined;
  /** When the first SCNs and the present one were current; undefined as `database`. */
  readonly times: Observed<TimesInspection> | undefined;
}

interface BufferInspection {
  /** `host:port` of the RMI registry. */
  readonly address: string;
  readonly transactions: Observed<readonly LargestTransaction[]>;
  /** What should be fixed although the call succeeded. */
  readonly remarks: readonly string[];
}

interface JournalInspection {
  readonly topic: string;
  /** False: the brokers know no such topic, and nothing was ever journaled. */
  readonly exists: boolean;
  readonly parts: readonly JournaledPart[];
  /** Records that can't be read: what they hold is missing here. */
  readonly unreadable: number;
}

interface TimesInspection {
  /** The time by the database's clock; undefined if it reports none: this machine's clock may differ. */
  readonly now: Instant | undefined;
  readonly times: readonly ScnTime[];
}

/** The sources to read. A port that can't be created because a setting is missing is a source that can't be read. */
interface TransactionsQuestion {
  readonly connector: string;
  readonly settings: ConnectorSettings;
  readonly status: () => Promise<ConnectorStatus | undefined>;
  readonly jmx: JmxPort | undefined;
  readonly kafka: () => KafkaPort;
  readonly oracle: () => OraclePort;
  readonly clock: Clock;
  readonly reading?: ReadingOptions;
}

/**
 * Only reads. The database is asked after the others: what it no longer lists then has ended, and has not just begun.
 */
export async function readTransactions(question: TransactionsQuestion): Promise<TransactionsSeen> {
  const { connector, settings, jmx, clock } = question;
  const observe = lenientObserverAt(clock);
  const observedAt = clock.now();
  const [status, buffered, journaled] = await Promise.all([
    observe(`GET /connectors/${connector}/status`, question.status),
    jmx === undefined ? undefined : inspectBuffer(jmx, settings.prefix, clock),
    observe(settings.journalTopic, () => inspectJournal(question)),
  ]);
  const scns = [
    ...(buffered?.transactions.known ? buffered.transactions.value.map(({ firstScn }) => firstScn) : []),
    ...(journaled.known ? journaled.value.parts.map(({ firstScn }) => firstScn) : []),
  ];
  const asked = scns.length === 0 ? undefined : await inspectDatabase(question, scns, observe);
  return { at: observedAt, connector, status, buffered, journaled, database: asked?.database, times: asked?.times };
}

async function inspectBuffer(jmx: JmxPort, prefix: string, clock: Clock): Promise<BufferInspection> {
  const attributes = await lenientObserverAt(clock)(`JMX of ${jmx.address}`, () =>
    jmx.taskAttributes(prefix, [LARGEST_TRANSACTIONS]),
  );
  const metrics = mapObserved(attributes, (read) => readTaskMetrics(read, attributes.source, clock.now()));
  const transactions = metrics.known ? metrics.value.largestTransactions : metrics;
  return { address: jmx.address, transactions, remarks: jmx.remarks };
}

async function inspectJournal({ settings, kafka, reading }: TransactionsQuestion): Promise<JournalInspection> {
  const { journalTopic: topic, journalConverter, prefix: server } = settings;
  const form = readableForm(journalConverter, topic);
  const port = kafka();
  if ((await port.topic(topic)) === undefined) return { topic, exists: false, parts: [], unreadable: 0 };
  const { chunks, counts } = await readRecords(port, { topic, server, form }, reading);
  return { topic, exists: true, parts: journaledParts(chunks), unreadable: counts.unreadable };
}

async function inspectDatabase(
  { settings, oracle }: TransactionsQuestion,
  scns: readonly Scn[],
  observe: Observer,
): Promise<{ readonly database: Observed<DatabaseInspection>; readonly times: Observed<TimesInspection> }> {
  const port = await observe("cdc.database.*", async () => oracle());
  if (!port.known) return { database: port, times: port };
  const own = await observe("V$DATABASE", () => port.value.database());
  if (!own.known) return { database: own, times: own };
  const { container, currentScn } = own.value;
  const fromRoot = container && !isInsideAPdb(own.value);
  const { pdbs } = settings.tables;
  const [database, times] = await Promise.all([
    observe("GV$TRANSACTION", async () => ({
      open: await port.value.openTransactions(),
      fromRoot,
      // Inside a PDB the view has that one's alone: a login inside another one sees nothing of those that are captured.
      hidden: mayHidePdbs(pdbs, own.value) ? hiddenPdb(pdbs, await port.value.containers()) : undefined,
    })),
    observe("SCN_TO_TIMESTAMP", async () => {
      const seen = await port.value.timesOf([...new Set([...scns, currentScn])]);
      return { now: seen.find(({ scn }) => scn === currentScn)?.at, times: seen };
    }),
  ]);
  return { database, times };
}

/** `GV$TRANSACTION`, and how far this login sees in it. */
export interface DatabaseInspection {
  readonly open: readonly OpenTransaction[];
  /** Whether transactions are those of every container that this login sees, which the root shows, or those of one. */
  readonly fromRoot: boolean;
  /** A captured PDB whose transactions the view silently omits. */
  readonly hidden: HiddenPdb | undefined;
}

/**
 * Whether the database still lists a transaction. `no`: it has ended, and its COMMIT or ROLLBACK is not mined yet, or
 * it is an orphan (specification, "transactions").
 */
export type InDatabase = { readonly still: "yes"; readonly open: OpenTransaction } | { readonly still: "no" } | Unknown;

/** `about`: the reason concerns this transaction, or everything that the same source was asked for. */
interface Unknown {
  readonly still: "unknown";
  readonly why: string;
  readonly about: "transaction" | "source";
}

/**
 * Looks a transaction up. Where its container is not known, it has to have begun by its first SCN: an id is unique
 * within its container only. That the view does not list it means nothing while a captured PDB is hidden from this
 * login.
 *
 * @param xid undefined where the id can't be read
 */
export function inDatabase(
  xid: Xid | undefined,
  firstScn: Scn,
  { open, fromRoot, hidden }: DatabaseInspection,
): InDatabase {
  if (xid === undefined) return ofOne("its id can't be read");
  // Inside another PDB than the captured one, what is listed under the id is another's.
  if (!fromRoot && hidden !== undefined) return { still: "unknown", why: hidden.why, about: "source" };
  // The number of a container tells nothing within one, and it is not the same in every view.
  const asked = fromRoot ? xid : { ...xid, container: undefined };
  const [found, another] = open.filter(
    (one) => sameXid(asked, one.xid) && (asked.container !== undefined || one.startScn <= firstScn),
  );
  if (another !== undefined) return ofOne("several containers have an open transaction with this id");
  if (found !== undefined) return { still: "yes", open: found };
  return hidden === undefined ? { still: "no" } : { still: "unknown", why: hidden.why, about: "source" };
}

function ofOne(why: string): Unknown {
  return { still: "unknown", why, about: "transaction" };
}

/** What the transaction journal holds of a transaction that has not ended. */
export interface JournaledPart {
  /** The id with its container. */
  readonly xid: Xid;
  readonly chunks: number;
  readonly changes: bigint;
  /** The size of the payloads. */
  readonly bytes: bigint;
  readonly firstScn: Scn;
  /**
   * Every SCN that the chunks give for its beginning: of its start, its first captured change, its first redo record.
   */
  readonly begins: readonly Scn[];
  readonly user: string | undefined;
  readonly clientId: string | undefined;
}

/**
 * Whole transactions, in order of their ids. A chunk that was written again after a restart of the task counts once, as
 * it was written last; what the next start would make of them is another question (`admin journal inspect`).
 */
export function journaledParts(chunks: Iterable<Chunk>): readonly JournaledPart[] {
  return byTransaction(chunks).map(({ xid, chunks: all }) => {
    // They are in order of generation within a number: the last one stays.
    const newest = [...new Map(all.map((chunk) => [chunk.key.chunk, chunk])).values()];
    const sum = (of: (chunk: Chunk) => number) => newest.reduce((total, chunk) => total + BigInt(of(chunk)), 0n);
    const begins = newest.flatMap(({ first, firstCapturedScn, startScn }) => [first.scn, firstCapturedScn, startScn]);
    return {
      xid,
      chunks: newest.length,
      changes: sum(({ changes }) => changes),
      bytes: sum(({ payloadSize }) => Math.floor((payloadSize * 3) / 4)),
      firstScn: firstScnOf(newest),
      begins: [...new Set(begins)].filter((scn) => scn > 0n),
      user: newest.find(({ user }) => user !== undefined)?.user,
      clientId: newest.find(({ clientId }) => clientId !== undefined)?.clientId,
    };
  });
}
