import type { ConnectorStatus } from "../../core/facts/connector/connector.ts";
import type { LargestTransaction } from "../../core/facts/connector/task-metrics.ts";
import type { Unknown } from "../../core/facts/observed.ts";
import type { InDatabase } from "../../core/transactions/in-database.ts";
import type { JournaledPart } from "../../core/transactions/journaled-part.ts";
import type { ListedTransaction, TransactionAge } from "../../core/transactions/listing.ts";
import type { TransactionsSeen } from "../../core/transactions/look.ts";
import { counted, showBytes, showCount } from "../../core/values/amounts.ts";
import { type Advice, lineOf } from "../../core/values/remedy.ts";
import type { Tone } from "./colour.ts";
import { clip } from "./layout.ts";
import { showMillis } from "./quantities.ts";
import {
  code,
  type Field,
  field,
  figures,
  items,
  notice,
  type Outcome,
  RANK,
  type Report,
  type Row,
  section,
  type Table,
} from "./report/model.ts";

/** What is said of open transactions, in words that every form of the listing shares. */

export interface TransactionsShown {
  readonly seen: TransactionsSeen;
  readonly transactions: readonly ListedTransaction[];
}

/** The most that the task's MBean lists (specification, "Limits"). */
const MOST_LISTED = 20;

type SourceName = "buffered" | "journaled" | "GV$TRANSACTION" | "SCN_TO_TIMESTAMP";

/** How it went with one source. */
interface SourceSentence {
  readonly name: SourceName;
  readonly looked: "whole" | "in part" | "not asked" | "failed";
  readonly sentence: string;
  /** One a line. */
  readonly remedies: readonly Advice[];
}

/** Every source, those that went without trouble and nothing to say among them. */
function sourceSentences({ seen, transactions }: TransactionsShown): readonly SourceSentence[] {
  const database = databaseSentences({ seen, transactions });
  return [bufferedSentence(seen), journaledSentence(seen), ...database];
}

/** Whether a source that was to be looked at was not, or not wholly: exit 1. */
export function lookedAtAll(shown: TransactionsShown): boolean {
  return sourceSentences(shown).every(({ looked }) => looked === "whole" || looked === "not asked");
}

function bufferedSentence({ buffered, status }: TransactionsSeen): SourceSentence {
  const name = "buffered";
  const where = whereItRuns(status.known ? status.value : undefined);
  if (buffered === undefined)
    return {
      name,
      looked: "not asked",
      sentence: `not looked at; ${where}`,
      remedies: isTaskless(status)
        ? []
        : [
            {
              text: "Give the JMX URL of that worker",
              setting: "--jmx-url service:jmx:rmi:///jndi/rmi://HOST:PORT/jmxrmi",
            },
          ],
    };
  const { address, transactions, remarks } = buffered;
  if (!transactions.known) {
    const { looked, sentence, remedies } = failed(name, transactions);
    return { name, looked, sentence: `${sentence}; ${where}`, remedies: [...remedies, ...remarks] };
  }
  const count = transactions.value.length;
  const more = count >= MOST_LISTED ? `: the ${MOST_LISTED} largest by bytes, and there may be more` : "";
  return {
    name,
    looked: "whole",
    sentence: `${counted(count, "transaction")} in the task at ${address}${more}`,
    remedies: remarks,
  };
}

function isTaskless(status: TransactionsSeen["status"]): boolean {
  return status.known && status.value?.tasks.length === 0;
}

/** Where the task runs, as Connect says it. A worker's id is the address of its REST API, not that of its JMX port. */
function whereItRuns(status: ConnectorStatus | undefined): string {
  if (status === undefined) return "which worker runs the task could not be seen";
  const { tasks, state } = status;
  const running = tasks.map(
    ({ id, worker, state: own }) => `task ${id} is ${own} on the worker ${worker} (its REST address)`,
  );
  return running.length === 0
    ? `the connector is ${state} and has no task, so nothing is buffered`
    : running.slice(0, 3).join(", ");
}

function journaledSentence({ journaled }: TransactionsSeen): SourceSentence {
  const name = "journaled";
  if (!journaled.known) return failed(name, journaled);
  const { topic, exists, parts, unreadable } = journaled.value;
  if (!exists)
    return { name, looked: "whole", sentence: `there is no topic ${topic}: nothing was ever journaled`, remedies: [] };
  const sentence = `${counted(parts.length, "transaction")} in ${topic}`;
  if (unreadable === 0) return { name, looked: "whole", sentence, remedies: [] };
  return {
    name,
    looked: "in part",
    sentence: `${sentence}; ${counted(unreadable, "record")} can't be read, and what they hold is missing here`,
    remedies: [{ text: "See which, and what the task makes of it", command: "cdcctl admin journal inspect" }],
  };
}

function databaseSentences({ seen: { database, times }, transactions }: TransactionsShown): readonly SourceSentence[] {
  if (database === undefined || times === undefined) return [];
  const hidden = database.known ? database.value.hidden : undefined;
  const ages = transactions.some(({ journaled }) => journaled !== undefined);
  return [
    !database.known
      ? failed("GV$TRANSACTION", database)
      : {
          name: "GV$TRANSACTION",
          looked: hidden === undefined ? "whole" : "in part",
          sentence:
            hidden === undefined
              ? `${counted(database.value.open.length, "open transaction")} in the database`
              : `seen in part: ${hidden.why}`,
          remedies: hidden === undefined ? [] : [hidden.remedy],
        },
    // The same reason is not said twice.
    ...(times.known || !ages || (!database.known && database.why === times.why)
      ? []
      : [failed("SCN_TO_TIMESTAMP", times)]),
  ];
}

function failed(name: SourceName, { why, remedies = [] }: Pick<Unknown, "why" | "remedies">): SourceSentence {
  return {
    name,
    looked: "failed",
    sentence: `could not be looked at: ${why}`,
    remedies,
  };
}

function ageText(age: TransactionAge): string {
  return age.known ? showMillis(age.millis) : "unknown";
}

function holderText({ buffered, journaled }: ListedTransaction): string {
  if (buffered === undefined) return "journaled";
  if (journaled !== undefined) return "buffered and journaled";
  return buffered.journaled ? "buffered; the task has journaled part of it" : "buffered";
}

/** Who and where, behind the figures. */
function whoSentence(one: ListedTransaction): string {
  const { user, clientId, age, inDatabase } = one;
  return [
    holderText(one),
    user === undefined ? "user unknown" : `user ${user}`,
    ...(clientId === undefined ? [] : [`client ${clientId}`]),
    ...(age.known || age.about === "source" ? [] : [`age unknown: ${age.why}`]),
    ...(inDatabase.still === "unknown" && inDatabase.about === "transaction"
      ? [`GV$TRANSACTION: ${inDatabase.why}`]
      : []),
  ].join("; ");
}

/** What `no` in the column means. */
const ENDED = "no: the transaction has ended, and its COMMIT or ROLLBACK is not mined yet, or it is an orphan.";

/** `admin transactions`: one table of both sources, then how it went with each source. */
export function transactionsReport(shown: TransactionsShown): Report {
  const { seen, transactions } = shown;
  const sources = sourceSentences(shown);
  const whole = lookedAtAll(shown);
  const ended = transactions.some(({ inDatabase }) => inDatabase.still === "no");
  // That nothing was found is no news where nothing, or not everything, was looked at.
  const nothing = sources.every(({ looked }) => looked === "whole") ? "none" : "none was seen";
  return {
    heading: {
      title: `open transactions of ${clip(seen.connector)}, oldest first`,
      outcome: whole ? outcomeOf(transactions) : { word: "not everything was seen", mark: "bad" },
    },
    lead: [],
    sections: [
      ...section(RANK.refusals, [transactions.length === 0 ? notice(nothing) : table(transactions)]),
      ...section(RANK.outcome, [{ is: "fields", rows: sources.map(sourceField) }]),
      ...section(RANK.subject, ended ? [notice(ENDED)] : [], { flush: true }),
    ],
    next: [],
  };
}

function outcomeOf([oldest, ...others]: readonly ListedTransaction[]): Outcome {
  if (oldest === undefined) return { word: "none is open", mark: "good" };
  const age = oldest.age.known ? `, the oldest for ${ageText(oldest.age)}` : "";
  return { word: `${counted(others.length + 1, "transaction")}${age}`, mark: "nothing" };
}

function sourceField({ name, looked, sentence, remedies }: SourceSentence): Field {
  const bad = looked === "failed" || looked === "in part";
  return { ...field(name, clip(sentence, 1000)), remedies, ...(bad ? { mark: "!" } : {}) };
}

/** An id is USN.SLOT.SQN with its container; what is longer is none. */
const LONGEST_ID = 40;

const TONES: { readonly [S in ListedTransaction["inDatabase"]["still"]]: Tone } = {
  yes: "good",
  no: "caution",
  unknown: "quiet",
};

function table(transactions: readonly ListedTransaction[]): Table {
  const rows = items(
    transactions,
    "transaction",
    (one): Row => ({
      cells: [
        code(clip(one.id, LONGEST_ID)),
        ...[ageText(one.age), showCount(one.changes), showBytes(one.bytes)],
        code(`${one.firstScn}`),
        { text: one.inDatabase.still, tone: TONES[one.inDatabase.still] },
        clip(whoSentence(one), 600),
      ],
    }),
    "all",
  );
  return {
    is: "table",
    caption: "The oldest first",
    columns: [
      { title: "transaction" },
      ...figures("age", "changes", "size", "first SCN"),
      { title: "GV$TRANSACTION" },
      { title: "who", below: true },
    ],
    rows,
  };
}

/** `admin transactions --format json` (`schemas/transactions.schema.json`). Printed with `printJson`. */
export function transactionsDocument(shown: TransactionsShown) {
  const { seen, transactions } = shown;
  const { status } = seen;
  return {
    apiVersion: "cdcctl/v1",
    kind: "Transactions",
    formatVersion: 1n,
    connector: seen.connector,
    at: seen.at,
    tasks: status.known ? (status.value?.tasks ?? []).map(({ id, state, worker }) => ({ id, state, worker })) : null,
    sources: sourceSentences(shown).map(({ name, looked, sentence, remedies }) => ({
      source: name,
      looked,
      says: sentence,
      remedies: remedies.map(lineOf),
    })),
    transactions: transactions.map(transactionOf),
  };
}

function transactionOf(one: ListedTransaction) {
  const { id, age, changes, bytes, user, clientId, firstScn, inDatabase, buffered, journaled } = one;
  return {
    transaction: id,
    ...ageOf(age),
    changes,
    bytes,
    user: user ?? null,
    client_id: clientId ?? null,
    first_scn: firstScn,
    ...listedOf(inDatabase),
    buffered: buffered === undefined ? null : bufferedOf(buffered),
    journaled: journaled === undefined ? null : journaledOf(journaled),
  };
}

function ageOf(age: TransactionAge) {
  return age.known
    ? { age_ms: age.millis, age_by: age.by, age_unknown: null }
    : { age_ms: null, age_by: null, age_unknown: age.why };
}

/** Null is neither yes nor no. */
function listedOf(found: InDatabase) {
  return found.still === "unknown"
    ? { in_gv_transaction: null, in_gv_transaction_unknown: found.why }
    : { in_gv_transaction: found.still === "yes", in_gv_transaction_unknown: null };
}

function bufferedOf({ events, heapBytes, spilledBytes, ageMillis, firstScn, journaled }: LargestTransaction) {
  return {
    changes: events,
    heap_bytes: heapBytes,
    spilled_bytes: spilledBytes,
    age_ms: ageMillis,
    first_scn: firstScn,
    journaled,
  };
}

function journaledOf({ chunks, changes, bytes, firstScn }: JournaledPart) {
  return { chunks, changes, bytes, first_scn: firstScn };
}
