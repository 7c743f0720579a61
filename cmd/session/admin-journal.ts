import { Refusal } from "../../core/errors.ts";
import { type OffsetEntry, ownOffset, type StoredOffset } from "../../core/facts/offset/stored-offset.ts";
import { readableForm } from "../../core/journal/journal-form.ts";
import { type JournalQuestion, readJournal } from "../../core/journal/read-journal.ts";
import type { JournalReading } from "../../core/journal/report.ts";
import { noConnector, offsetsIfAny } from "../../core/kinds/connector/observe.ts";
import type { KafkaPort } from "../../core/ports/kafka.ts";
import { parseScn } from "../../core/values/scn.ts";
import { EXIT } from "../command.ts";
import type { Host } from "../host.ts";
import type { journalInspectOptions } from "../options/admin.ts";
import type { Flags } from "../options/common.ts";
import { journalReport } from "../views/journal.ts";
import { journalDocument } from "../views/journal-json.ts";
import { heartbeat } from "./heartbeat.ts";
import { openWorld, typedTarget } from "./open-world.ts";
import { readingOf } from "./reading-journals.ts";
import { reported, writeInForm } from "./report-forms.ts";

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
  if (description === undefined) throw noConnector(name, connect.url);
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
