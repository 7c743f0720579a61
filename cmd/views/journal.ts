import type { Observed } from "../../core/facts/observed.ts";
import type { ChunkKey, RedoPlace } from "../../core/journal/chunk-record.ts";
import type { JournalForm } from "../../core/journal/journal-form.ts";
import {
  firstScnOf,
  type JournalProblem,
  type JournalProgress,
  type JournalReading,
  type JudgedChunk,
  type JudgedTransaction,
  restoredOf,
  sumOf,
  type Verdict,
} from "../../core/journal/read-journal.ts";
import { counted, showBytes, showCount } from "../../core/values/amounts.ts";
import { type Advice, lineOf } from "../../core/values/remedy.ts";
import { shellOption, workersFlag } from "../../core/values/shell-word.ts";
import { printXid } from "../../core/values/xid.ts";
import type { Tone } from "./colour.ts";
import { documentOf } from "./json-text.ts";
import { trunc } from "./layout.ts";
import {
  field,
  items,
  type List,
  notice,
  RANK,
  type Report,
  type Section,
  section,
  type Table,
  tableOf,
} from "./report/model.ts";

/** `admin journal inspect --format json` (`schemas/journal.schema.json`). Printed with `printJson` or `writeJson`. */
export function journalDocument(shown: JournalView) {
  const { connector, topic, cleanupPolicy, form, state, reading } = shown;
  const { stored, counts, problems, transactions } = reading;
  return {
    ...documentOf("Journal"),
    connector,
    state,
    topic,
    exists: cleanupPolicy !== undefined,
    cleanup_policy: cleanupPolicy?.known === true ? cleanupPolicy.value : null,
    read_as: form,
    offset:
      stored === undefined
        ? null
        : {
            resume_scn: stored.resumeScn,
            redo_address:
              stored.redoAddress === undefined
                ? null
                : { rs_id: stored.redoAddress.rsId, ssn: stored.redoAddress.ssn ?? null },
            journal_generation: stored.journalGeneration ?? null,
          },
    records: { ...counts },
    consistent: problems.length === 0,
    problems: problems.map((problem) => problemOf(problem, topic)),
    remedies: journalRemedies(shown).map(lineOf),
    transactions: each(transactions, transactionOf),
  };
}

/** Built one at a time while printing, because there may be tens of thousands. */
function each<From, To>(all: readonly From[], make: (one: From) => To): Iterable<To> {
  return {
    *[Symbol.iterator]() {
      for (const one of all) yield make(one);
    },
  };
}

function transactionOf(transaction: JudgedTransaction) {
  const { generations, changes, undos, bytes, firstScn, lastScn, user, clientId } = holdingOf(transaction);
  return {
    transaction: printXid(transaction.xid),
    verdict: VERDICTS[transaction.verdict],
    generations,
    changes,
    undos,
    bytes,
    first_scn: firstScn,
    last_scn: lastScn,
    user: user ?? null,
    client_id: clientId ?? null,
    restored: transaction.verdict === "restored" ? restoredOf(transaction.chunks) : null,
    chunks: each(transaction.chunks, chunkJson),
  };
}

function chunkJson(judged: JudgedChunk) {
  const { key, partition, offset, first, last, changes, undos } = judged.chunk;
  return {
    chunk: key.chunk,
    generation: key.generation,
    partition,
    offset,
    first: place(first),
    last: place(last),
    changes,
    undos,
    fate: judged.fate,
    restored: judged.fate === "restored" ? judged.kept : null,
  };
}

function place({ scn, rsId, ssn }: RedoPlace) {
  return { scn, rs_id: rsId ?? null, ssn };
}

function problemOf(problem: JournalProblem, topic: string) {
  const base = { code: "CDC-4002", what: problem.what, says: taskReport(problem, topic) };
  if (problem.what === "missing chunk")
    return { ...base, transaction: printXid(problem.xid), missing: problem.missing, next: problem.next };
  const { partition, offset, key } = problem;
  const transaction = key && printXid(key.xid);
  return { ...base, partition, offset, transaction, chunk: key?.chunk, generation: key?.generation };
}

/** The reading of a journal, and the sentences shared by every format of the report. */

export interface JournalView {
  readonly connector: string;
  readonly connectUrl: string;
  readonly context?: string | undefined;
  readonly topic: string;
  /** Undefined if the topic does not exist: nothing was ever journaled. */
  readonly cleanupPolicy: Observed<string> | undefined;
  readonly form: JournalForm;
  /** The state that Connect reports: `RUNNING`, `STOPPED`. */
  readonly state: string;
  readonly reading: JournalReading;
}

/** The specification's words for the three verdicts it defines. */
export const VERDICTS: { readonly [V in Verdict]: string } = {
  restored: "restored",
  stale: "dropped because stale",
  "mined again": "dropped because it will be mined again",
  stops: "CDC-4002",
};

const FORMS: { readonly [F in JournalForm]: string } = {
  plain: "JSON without the schema envelope",
  enveloped: "JSON with the schema envelope",
  either: "JSON with or without the schema envelope",
};

function recordsSentence({ counts }: JournalReading): string {
  const { records, tombstones, foreign, nameless, unreadable } = counts;
  const among = nameless === 0 ? "" : ` (${showCount(nameless)} name none)`;
  const others = `${showCount(foreign)} of other connectors${among}`;
  return (
    `${counted(records, "record")}: ${counted(tombstones, "tombstone")}, ${others}, ${showCount(unreadable)} ` +
    "unreadable"
  );
}

function offsetSentence({ reading: { stored }, state }: JournalView): string {
  if (stored === undefined)
    return "none is stored; the task restores chunks of generation 0 and 1 that begin below its start SCN";
  const address =
    stored.redoAddress === undefined ? "" : ` at ${stored.redoAddress.rsId} / ${stored.redoAddress.ssn ?? 0n}`;
  const running = state === "RUNNING" ? "; the connector is RUNNING, so its next start will find later ones" : "";
  return `resume SCN ${stored.resumeScn}${address}, journal generation ${stored.journalGeneration ?? 0n}${running}`;
}

/** `restored: 2 of 3 chunks, 41 of 60 changes, 1 undo record`. */
function verdictSentence({ verdict, chunks }: JudgedTransaction): string {
  if (verdict !== "restored") return VERDICTS[verdict];
  const all = sumOf(chunks);
  const { chunks: kept, changes, undos, unplaced } = restoredOf(chunks);
  const of = (some: number, total: bigint, one: string) =>
    BigInt(some) === total ? counted(some, one) : `${showCount(some)} of ${counted(total, one)}`;
  const unknown = unplaced === 0 ? "" : `; ${counted(unplaced, "more change")} undetermined`;
  return (
    `restored: ${of(kept, BigInt(chunks.length), "chunk")}, ${of(changes, all.changes, "change")}, ` +
    `${of(undos, all.undos, "undo record")}${unknown}`
  );
}

/** The content of the journal for a transaction. */
function holdingOf({ chunks }: JudgedTransaction) {
  const { changes, undos, bytes } = sumOf(chunks);
  const [first] = chunks;
  return {
    chunks: chunks.length,
    generations: [...new Set(chunks.map(({ chunk }) => chunk.key.generation))].sort((a, b) => (a < b ? -1 : 1)),
    changes,
    undos,
    bytes,
    firstScn: firstScnOf(chunks.map(({ chunk }) => chunk)),
    lastScn: chunks.reduce((last, { chunk }) => (chunk.last.scn > last ? chunk.last.scn : last), 0n),
    user: first?.chunk.user,
    clientId: first?.chunk.clientId,
  };
}

function holdingSentence(transaction: JudgedTransaction): string {
  const { chunks, generations, changes, undos, bytes, firstScn, lastScn, user, clientId } = holdingOf(transaction);
  return [
    `${counted(chunks, "chunk")} of ${generations.length === 1 ? "generation" : "generations"} ` +
      `${generations.join(", ")}`,
    `${counted(changes, "change")}, ${counted(undos, "undo record")}, ${showBytes(bytes)}`,
    `SCN ${firstScn} to ${lastScn}`,
    user === undefined ? "user unknown" : `user ${user}`,
    ...(clientId === undefined ? [] : [`client ${clientId}`]),
  ].join("; ");
}

/** How the task reacts to any problem. */
const STOPS =
  "CDC-4002: the task would stop at its start and restore nothing. It does not retry; its offset stays unchanged.";

function taskReport(problem: JournalProblem, topic: string): string {
  switch (problem.what) {
    case "missing chunk":
      return (
        `the journal of transaction ${printXid(problem.xid)} is missing chunk ${problem.missing} (the next one ` +
        `there is ${problem.next})`
      );
    case "unreadable key":
      return `the record ${placeOf(problem, topic)} has an unreadable key: ${problem.why}`;
    case "unreadable value":
      return (
        `${problem.key === undefined ? "the record" : chunkOf(problem.key)} ${placeOf(problem, topic)} can't be ` +
        `read: ${problem.why}`
      );
    case "unreadable payload":
      return `the payload of ${chunkOf(problem.key)} ${placeOf(problem, topic)} can't be read: ${problem.why}`;
  }
}

function chunkOf({ xid, chunk, generation }: ChunkKey): string {
  return `chunk ${chunk} of transaction ${printXid(xid)}, generation ${generation},`;
}

function placeOf(
  { partition, offset }: { readonly partition: number; readonly offset: bigint },
  topic: string,
): string {
  return `at offset ${offset} of ${topic}${partition === 0 ? "" : `, partition ${partition}`}`;
}

/** Remedies for the operator, one per line; empty without problems. */
function journalRemedies(shown: JournalView): readonly Advice[] {
  const { problems } = shown.reading;
  const records = problems.filter(({ what }) => what === "unreadable key" || what === "unreadable value");
  const chunks = problems.flatMap((one) => ("firstScn" in one ? [one.firstScn] : []));
  return [
    ...(records.length === 0
      ? []
      : [
          "cdc.journal.converter (and cdc.journal.converter.*) must be the converter that the worker writes " +
            "with: compare key.converter and value.converter.",
          "If it is, a record is damaged and must be removed from the topic: find out what else writes there.",
        ]),
    ...(chunks.length === 0
      ? []
      : [
          ...policyRemedy(shown),
          {
            text:
              "To mine the whole transaction again, move the offset to before its first change, if the redo is " +
              "still present",
            command: moveCommand(shown, chunks),
          },
          { text: "If that redo is missing, snapshot the tables again", command: "cdcctl init resnapshot" },
        ]),
  ];
}

function policyRemedy({ topic, cleanupPolicy }: JournalView): readonly string[] {
  if (cleanupPolicy === undefined) return [];
  if (!cleanupPolicy.known) return [`First check that cleanup.policy of ${topic} is exactly compact.`];
  return cleanupPolicy.value === "compact"
    ? []
    : [`First set cleanup.policy of ${topic} to compact (it is ${cleanupPolicy.value}), or it loses chunks again.`];
}

function moveCommand({ connector, connectUrl, context }: JournalView, scns: readonly bigint[]): string {
  const scn = scns.reduce((lowest, one) => (one < lowest ? one : lowest));
  return (
    `cdcctl admin offsets set ${workersFlag({ context, connectUrl })} ${shellOption("--name", connector)} ` +
    `--scn ${scn} --reason "…"`
  );
}

export function progressSentence(topic: string, { records, at, end }: JournalProgress): string {
  return `reading ${topic}: ${counted(records, "record")}, ${(at * 100n) / (end > 0n ? end : 1n)} % of the topic`;
}

const TONES: { readonly [V in Verdict]: Tone } = {
  restored: "good",
  stale: "quiet",
  "mined again": "quiet",
  stops: "bad",
};

/** Maximum number of unreadable records named; more are only counted. */
const MOST_NAMED = 100;

/**
 * The report of `admin journal inspect`: the content of the topic, and what the next start does with each transaction.
 */
export function journalReport(shown: JournalView): Report {
  const { connector, topic, reading, cleanupPolicy, form } = shown;
  const { transactions, problems } = reading;
  const heading = {
    title: `transaction journal of ${trunc(connector)}: ${trunc(topic)}`,
    outcome:
      cleanupPolicy === undefined
        ? ({ word: "nothing is journaled", mark: "nothing" } as const)
        : problems.length === 0
          ? ({ word: "consistent", mark: "good" } as const)
          : ({ word: "the task would stop (CDC-4002)", mark: "bad" } as const),
  };
  if (cleanupPolicy === undefined) {
    const none = [notice("no such topic: nothing is journaled")];
    return { heading, sections: section(RANK.outcome, none, { close: true }) };
  }
  const rows = [
    field("records", recordsSentence(reading)),
    field("stored offset", offsetSentence(shown)),
    field("read as", FORMS[form]),
  ];
  return {
    heading,
    lead: [{ is: "fields", rows }],
    sections: [
      ...section(RANK.consequences, [
        transactions.length === 0 ? notice("no transaction is journaled") : table(transactions),
      ]),
      ...problemSections(shown),
    ],
  };
}

function table(transactions: readonly JudgedTransaction[]): Table {
  return tableOf("What the next start does with each", transactions, { what: "transaction", bare: true }, [
    ["Transaction", ({ xid }) => printXid(xid)],
    ["At the next start", (one) => ({ text: verdictSentence(one), tone: TONES[one.verdict] }), { wraps: true }],
    ["Holds", (one) => trunc(holdingSentence(one), 600), { below: true }],
  ]);
}

function problemSections(shown: JournalView): readonly Section[] {
  const { problems, counts } = shown.reading;
  if (problems.length === 0) return [];
  const named = items(problems, "problem", (one) => trunc(taskReport(one, shown.topic), 1000));
  const list: List = {
    is: "list",
    sign: "!",
    items: { ...named, count: problems.length + Math.max(0, counts.unreadable - MOST_NAMED) },
  };
  return [
    ...section(RANK.refusals, [notice(STOPS, "bad")], { flush: true }),
    ...section(RANK.refusals, [list, { is: "remedies", items: journalRemedies(shown) }], { close: true }),
  ];
}
