import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { latestEvents } from "../../core/change/ops-topics.ts";
import { CallFailed, Refusal, UsageError } from "../../core/errors.ts";
import type { ConnectorDescription } from "../../core/facts/connector/connector.ts";
import type { BoundSettings, ConnectorSettings } from "../../core/facts/connector/settings.ts";
import { withRedactedTraces } from "../../core/facts/connector/traces.ts";
import type { Observed } from "../../core/facts/observed.ts";
import { observerAt, unknownBecause } from "../../core/facts/observer.ts";
import { type Misplaced, misplaced } from "../../core/facts/offset/origin.ts";
import {
  decodeOffset,
  isEmptyOffset,
  type OffsetEntry,
  ownOffset,
  type StoredOffset,
} from "../../core/facts/offset/stored-offset.ts";
import { availableFrom, redoSeenFrom } from "../../core/facts/redo/from.ts";
import type { RedoExamination } from "../../core/facts/redo/redo.ts";
import { foldHere, type OpenFolding } from "../../core/journal/fold-records.ts";
import { readableForm } from "../../core/journal/journal-form.ts";
import {
  type JournalQuestion,
  type JournalReading,
  type ReadingOptions,
  readJournal,
} from "../../core/journal/read-journal.ts";
import { inspectRedo } from "../../core/kinds/connector/inspect-position.ts";
import { connectorNamed, noConnector, offsetsIfAny } from "../../core/kinds/connector/observe.ts";
import { refuseOther } from "../../core/legacy/legacy-kind.ts";
import type { Clock } from "../../core/ports/clock.ts";
import type { KafkaPort } from "../../core/ports/kafka.ts";
import type { OraclePort } from "../../core/ports/oracle.ts";
import { type Position, timelineOf } from "../../core/timeline/timeline.ts";
import { listTransactions, readTransactions } from "../../core/transactions/inspect.ts";
import { lineOf } from "../../core/values/remedy.ts";
import { parseScn, type Scn } from "../../core/values/scn.ts";
import { firstLine } from "../../core/values/truncate.ts";
import { foldInThread } from "../../providers/threads/fold-in-thread.ts";
import type { ScnTime, Unknown } from "../../schemas/generated/facts.ts";
import { EXIT } from "../command.ts";
import type { Host } from "../host.ts";
import type { journalInspectOptions, offsetsShowOptions, transactionsOptions } from "../options/admin.ts";
import type { Flags } from "../options/common.ts";
import { writeLine } from "../screen.ts";
import { journalDocument, journalReport, progressSentence } from "../views/journal.ts";
import { offsetsDocument, problemIn } from "../views/offset.ts";
import { type OffsetView, offsetReports } from "../views/position.ts";
import { isComplete, transactionsDocument, transactionsReport } from "../views/transactions.ts";
import { type Heartbeat, heartbeat } from "./heartbeat.ts";
import { type OpenWorld, openWorld, typedTarget } from "./open-world.ts";
import { inForm, reported, writeInForm } from "./report-forms.ts";

type OffsetShowFlags = Flags<typeof offsetsShowOptions>;

/**
 * Runs `admin offsets show`. @returns 1 when `--check-redo` finds redo missing
 *
 * @throws Refusal, after the report, when `--check-redo` finds that the offset does not belong to the connected
 * database
 */
export async function showOffsets(flags: OffsetShowFlags, host: Host): Promise<number> {
  await using world = await openWorld(typedTarget(flags.name, flags), flags, host);
  const [description, entries] = await Promise.all([
    world.connect.connector(flags.name),
    offsetsIfAny(flags.name, world.connect),
  ]);
  if (description === undefined) throw await noConnector(flags.name, world.connect);
  refuseOther(flags.name, description.config, entries);
  const stored = entries.filter(({ offset }) => !isEmptyOffset(offset));
  const { settings, oracle, absent } = await databaseOf(description, world, flags);
  if (absent !== undefined)
    noteMissing(
      `${settings === undefined ? WITHOUT_SETTINGS : WITHOUT_DATABASE}${flags["check-redo"] ? ", redo unknown" : ""}`,
      absent.why,
      host,
    );
  const changing = settings === undefined ? undefined : latestEvents(flags.name, settings, world);
  const reports: OffsetView[] = [];
  let elsewhere: Misplaced | undefined;
  for (const { partition, offset } of stored) {
    const decoded = offset === null ? undefined : decodeOffset(offset);
    const sound = decoded?.ok ? decoded.offset : undefined;
    const problem = problemIn(offset);
    if (flags["check-redo"] && problem !== undefined)
      throw new Refusal(problem.code, `${problem.seen}, so its redo cannot be checked`);
    const checked =
      flags["check-redo"] && sound && settings && oracle
        ? await checkRedo(sound, flags.name, settings, oracle, world.clock)
        : undefined;
    const timed =
      checked !== undefined
        ? checked.timed
        : sound && oracle
          ? await timesOf(sound, oracle, flags.name, (why) => noteMissing(WITHOUT_DATABASE, why, host))
          : NO_TIMES;
    // Redo that could not be inspected counts as not complete.
    const redo = checked?.redo ?? (flags["check-redo"] && sound ? absent : undefined);
    elsewhere ??= checked?.misplaced;
    reports.push({
      entry: { partition, offset },
      connector: flags.name,
      times: timed.times,
      zone: timed.zone,
      redo,
      timeline:
        sound === undefined || timed.currentScn === undefined
          ? undefined
          : timelineOf(
              positionOfStored(sound, timed.times, timed.currentScn, checked, clockOf(timed.zone, world.clock)),
            ),
    });
  }
  const last = (await changing)?.changes;
  if (last?.known === false) noteMissing("the last change and its reason", last.why, host);
  const change = last?.known === true ? last.value.at(-1) : undefined;
  const shown = {
    reports: () => offsetReports(flags.name, reports, change),
    json: () => offsetsDocument(flags.name, reports, change),
  };
  host.stdout.write(inForm(flags.format, shown, host));
  if (elsewhere !== undefined) throw new Refusal(elsewhere.code, elsewhere.seen, elsewhere.remedies);
  return reports.every(({ redo }) => redo === undefined || (redo.known && redo.value.complete))
    ? EXIT.done
    : EXIT.refused;
}

const WITHOUT_SETTINGS = "times, timeline and the last change";
const WITHOUT_DATABASE = "times and timeline";

/** Prints one line about what is left out because a system cannot be reached. */
function noteMissing(what: string, why: string, host: Host): void {
  writeLine(host.stderr, `note: without ${what}: ${firstLine(why)}`);
}

/**
 * Opens the database, which is optional: the offset itself comes over REST, and redo that cannot be inspected is
 * unknown. Problems with a file that the operator named are errors.
 *
 * @returns `absent`: why there is no database, or no settings at all, and which options to pass instead
 * @throws UsageError for an unusable `--config`
 */
async function databaseOf(
  description: ConnectorDescription,
  world: OpenWorld,
  flags: OffsetShowFlags,
): Promise<{
  readonly settings: BoundSettings | undefined;
  readonly oracle: OraclePort | undefined;
  readonly absent: Unknown | undefined;
}> {
  let settings: BoundSettings | undefined;
  try {
    settings = await world.settingsOf(description);
    return { settings, oracle: world.oracle(settings), absent: undefined };
  } catch (error) {
    const needed = settings === undefined && flags.config !== undefined;
    const isForeign = error instanceof Refusal && error.code === "CON301";
    if (needed || !(error instanceof UsageError || isForeign)) throw error;
    return { settings, oracle: undefined, absent: unknownBecause(error, "database") };
  }
}

/**
 * Reads the times of the SCNs, which are optional: they are left out without the database, or when the SCNs belong to
 * another one.
 *
 * @param absent called with the reason when the database could not be asked
 */
async function timesOf(
  stored: StoredOffset,
  oracle: OraclePort,
  connector: string,
  absent: (why: string) => void,
): Promise<Timed> {
  try {
    const database = await oracle.database();
    const { zone, currentScn } = database;
    if (misplaced(stored, database, connector) !== undefined) return NO_TIMES;
    const scns = [stored.resumeScn, stored.lastCommit?.scn, currentScn].filter((scn) => scn !== undefined);
    return { times: await oracle.timesOf([...new Set(scns)]), zone, currentScn };
  } catch (failure) {
    if (!(failure instanceof CallFailed || failure instanceof UsageError)) throw failure;
    absent(failure.message);
    return NO_TIMES;
  }
}

interface Timed {
  readonly times: readonly ScnTime[];
  readonly zone: string | undefined;
  readonly currentScn: Scn | undefined;
}

const NO_TIMES: Timed = { times: [], zone: undefined, currentScn: undefined };

interface RedoChecked {
  /** The offset does not belong to the database: its redo is not reported. */
  readonly misplaced?: Misplaced;
  readonly redo: Observed<RedoExamination>;
  readonly seen: Position["redo"];
  readonly transactions: Position["transactions"];
  readonly timed: Timed;
}

/**
 * Runs the connector's own continuity checks: every log from the resume SCN onwards is opened. Open transactions are
 * read for the timeline.
 */
async function checkRedo(
  stored: StoredOffset,
  connector: string,
  settings: ConnectorSettings,
  oracle: OraclePort,
  clock: Clock,
): Promise<RedoChecked> {
  const { resumeScn, lastCommit } = stored;
  const inspected = await inspectRedo(
    oracle,
    settings,
    {
      lowest: async () => resumeScn,
      position: ({ database }) =>
        misplaced(stored, database, connector) === undefined
          ? { from: resumeScn, shown: [resumeScn, lastCommit?.scn] }
          : { from: undefined, shown: [] },
    },
    observerAt(clock),
  );
  const { database, probes, transactions, times, examined = NOT_ASKED } = inspected;
  const problem = misplaced(stored, database, connector);
  if (problem === undefined)
    return {
      // A file that cannot be opened does not count as present.
      redo: probes.known ? examined : probes,
      seen: redoSeenFrom(resumeScn, inspected, settings),
      transactions,
      timed: { times: times.known ? times.value : [], zone: database.zone, currentScn: database.currentScn },
    };
  const unknown = {
    known: false,
    why: `${problem.seen} (${problem.code})`,
    source: "V$DATABASE",
    remedy: lineOf(problem.remedies[0] ?? ""),
  } as const;
  return { misplaced: problem, redo: unknown, seen: unknown, transactions: unknown, timed: NO_TIMES };
}

const NOT_ASKED = { known: false, why: "pass --check-redo to inspect it", source: "V$ARCHIVED_LOG" } as const;

/** The data of the timeline. Without `--check-redo` only the times are read. */
function positionOfStored(
  stored: StoredOffset,
  times: readonly ScnTime[],
  currentScn: Scn,
  checked: RedoChecked | undefined,
  clock: Position["clock"],
): Position {
  return {
    stored,
    target: undefined,
    firstAvailable: availableFrom(checked?.redo),
    currentScn,
    redo: checked?.seen ?? NOT_ASKED,
    transactions: checked?.transactions ?? { ...NOT_ASKED, why: "pass --check-redo to inspect them" },
    journaled: { ...NOT_ASKED, why: "admin journal inspect reads them" },
    times: { known: true, value: times, source: "SCN_TO_TIMESTAMP", at: "" },
    clock,
  };
}

function clockOf(zone: string | undefined, clock: Clock): Position["clock"] {
  return zone === undefined ? undefined : { zone, now: clock.now() };
}

type TransactionsFlags = Flags<typeof transactionsOptions>;

/**
 * Runs `admin transactions`, which is read-only. @returns 1 when a source could not be read; the other sources are
 * still printed
 */
export async function showTransactions(flags: TransactionsFlags, host: Host): Promise<number> {
  const { name, "jmx-url": jmxUrl } = flags;
  await using world = await openWorld(typedTarget(name, flags), flags, host);
  const { connect, clock } = world;
  const jmx = jmxUrl === undefined ? undefined : world.jmx(jmxUrl);
  const settings = await world.settingsOf(await connectorNamed(name, connect));
  const beat = heartbeat(host);
  const seen = await readTransactions({
    connector: name,
    settings,
    status: async () => {
      const status = await connect.status(name);
      return status === undefined ? undefined : withRedactedTraces(status, settings.config);
    },
    jmx,
    kafka: () => world.kafka(settings),
    oracle: () => world.oracle(settings),
    clock,
    reading: readingOf(settings.journalTopic, beat),
  }).finally(beat.end);
  const shown = { seen, transactions: listTransactions(seen) };
  writeInForm(flags.format, reported(transactionsReport, transactionsDocument, shown), host);
  return isComplete(shown) ? EXIT.done : EXIT.refused;
}

type JournalFlags = Flags<typeof journalInspectOptions>;

/** Runs `admin journal inspect`, which is read-only. @returns 1 when the journal would stop the task (CDC-4002) */
export async function inspectJournal(flags: JournalFlags, host: Host): Promise<number> {
  const { name } = flags;
  await using world = await openWorld(typedTarget(name, flags), flags, host);
  const { connect } = world;
  // Read the offset before the journal, as the task does: what is journaled in between belongs to a later offset.
  const [description, status, entries] = await Promise.all([
    connect.connector(name),
    connect.status(name),
    offsetsIfAny(name, connect),
  ]);
  if (description === undefined) throw await noConnector(name, connect);
  const settings = await world.settingsOf(description);
  const { journalTopic: topic, prefix: server } = settings;
  const form = readableForm(settings.journalConverter, topic);
  const kafka = world.kafka(settings);
  const startScn = parseScn(settings.startScn ?? "");
  const question = { topic, server, form, stored: storedOf(entries, server), startScn };
  const cleanupPolicy = (await kafka.topic(topic))?.cleanupPolicy;
  const reading = cleanupPolicy === undefined ? nothingIn(question) : await read(kafka, question, host);
  const state = status?.state ?? "unknown";
  const at = { connectUrl: connect.url, context: flags.context };
  const shown = { connector: name, ...at, topic, cleanupPolicy, form, state, reading };
  writeInForm(flags.format, reported(journalReport, journalDocument, shown), host);
  return reading.problems.length === 0 ? EXIT.done : EXIT.refused;
}

function storedOf(entries: readonly OffsetEntry[], server: string): StoredOffset | undefined {
  const own = ownOffset(entries, server);
  if (own.is === "unreadable") throw new Refusal(own.code, `${own.why}, so nothing can be compared with it`);
  return own.is === "stored" ? own.offset : undefined;
}

/** The reading of a topic that does not exist. */
function nothingIn({ stored }: JournalQuestion): JournalReading {
  const counts = { records: 0, tombstones: 0, foreign: 0, nameless: 0, unreadable: 0 };
  return { counts, stored, transactions: [], problems: [] };
}

async function read(kafka: KafkaPort, question: JournalQuestion, host: Host): Promise<JournalReading> {
  using beat = heartbeat(host);
  beat.note(`reading ${question.topic}`);
  return await readJournal(kafka, question, readingOf(question.topic, beat));
}

/** Shorter journals are read before a thread has started. */
const LONG = 100_000n;

/** How a command reads a journal: it shows its progress, and folds a long one in another thread. */
function readingOf(topic: string, beat: Heartbeat): ReadingOptions {
  return { onProgress: (progress) => beat.note(progressSentence(topic, progress)), openFolding };
}

/** Folds in this thread if there is one processor, or no built thread to start. */
const openFolding: OpenFolding = (question, records) => {
  const module = new URL("./fold-thread.js", import.meta.url);
  if (records < LONG || availableParallelism() < 2 || !existsSync(module)) return foldHere(question, records);
  return foldInThread(module, question);
};
