import type { LargestTransaction } from "../../core/facts/connector/task-metrics.ts";
import type {
  InDatabase,
  JournaledPart,
  ListedTransaction,
  TransactionAge,
  TransactionsSeen,
} from "../../core/transactions/inspect.ts";
import { counted, showBytes, showCount } from "../../core/values/amounts.ts";
import { type Advice, lineOf } from "../../core/values/remedy.ts";
import type { ConnectorStatus, Unknown } from "../../schemas/generated/facts.ts";
import type { Tone } from "./colour.ts";
import { documentOf, published } from "./json-text.ts";
import { showMillis, trunc } from "./layout.ts";
import {
  code,
  END,
  type Field,
  field,
  notice,
  type Outcome,
  RANK,
  type Report,
  section,
  type Table,
  tableOf,
} from "./report/model.ts";

/** Open transactions, and the sentences shared by every format of the listing. */

export interface TransactionsView {
  readonly seen: TransactionsSeen;
  readonly transactions: readonly ListedTransaction[];
}

/** Maximum number of transactions listed by the task's MBean (specification, "Limits"). */
const MOST_LISTED = 20;

type SourceName = "buffered" | "journaled" | "GV$TRANSACTION" | "SCN_TO_TIMESTAMP";

interface SourceSentence {
  readonly name: SourceName;
  readonly looked: "whole" | "in part" | "not asked" | "failed";
  readonly sentence: string;
  readonly remedies: readonly Advice[];
}

/** The outcome of every source, including those without findings. */
function sourceSentences({ seen, transactions }: TransactionsView): readonly SourceSentence[] {
  const database = databaseSentences({ seen, transactions });
  return [bufferedSentence(seen), journaledSentence(seen), ...database];
}

/** Whether every requested source was read completely; otherwise exit 1. */
export function isComplete(shown: TransactionsView): boolean {
  return sourceSentences(shown).every(({ looked }) => looked === "whole" || looked === "not asked");
}

function bufferedSentence({ buffered, status }: TransactionsSeen): SourceSentence {
  const name = "buffered";
  const where = whereItRuns(status.known ? status.value : undefined);
  if (buffered === undefined) {
    const setting = "--jmx-url service:jmx:rmi:///jndi/rmi://HOST:PORT/jmxrmi";
    const isTaskless = status.known && status.value?.tasks.length === 0;
    const remedies = isTaskless ? [] : [{ text: "Pass the JMX URL of that worker", setting }];
    return { name, looked: "not asked", sentence: `not read; ${where}`, remedies };
  }
  const { address, transactions, remarks } = buffered;
  if (!transactions.known) {
    const { sentence, remedies, ...rest } = failed(name, transactions);
    return { ...rest, sentence: `${sentence}; ${where}`, remedies: [...remedies, ...remarks] };
  }
  const count = transactions.value.length;
  const more = count >= MOST_LISTED ? `: the ${MOST_LISTED} largest by bytes, and there may be more` : "";
  const sentence = `${counted(count, "transaction")} in the task at ${address}${more}`;
  return { name, looked: "whole", sentence, remedies: remarks };
}

/** Where the task runs, as reported by Connect. A worker's id is the address of its REST API, not of its JMX port. */
function whereItRuns(status: ConnectorStatus | undefined): string {
  if (status === undefined) return "the worker that runs the task is unknown";
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
  const none = `topic ${topic} does not exist: nothing was ever journaled`;
  if (!exists) return { name, looked: "whole", sentence: none, remedies: [] };
  const sentence = `${counted(parts.length, "transaction")} in ${topic}`;
  if (unreadable === 0) return { name, looked: "whole", sentence, remedies: [] };
  return {
    name,
    looked: "in part",
    sentence: `${sentence}; ${counted(unreadable, "record")} cannot be read, and their content is missing here`,
    remedies: [{ text: "To inspect them, and how the task handles them", command: "cdcctl admin journal inspect" }],
  };
}

function databaseSentences({ seen: { database, times }, transactions }: TransactionsView): readonly SourceSentence[] {
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
              : `partially visible: ${hidden.why}`,
          remedies: hidden === undefined ? [] : [hidden.remedy],
        },
    // Each reason is stated once.
    ...(times.known || !ages || (!database.known && database.why === times.why)
      ? []
      : [failed("SCN_TO_TIMESTAMP", times)]),
  ];
}

function failed(name: SourceName, { why, remedies = [] }: Pick<Unknown, "why" | "remedies">): SourceSentence {
  return { name, looked: "failed", sentence: `could not be read: ${why}`, remedies };
}

function ageText(age: TransactionAge): string {
  return age.known ? showMillis(age.millis) : "unknown";
}

function holderText({ buffered, journaled }: ListedTransaction): string {
  if (buffered === undefined) return "journaled";
  if (journaled !== undefined) return "buffered and journaled";
  return buffered.journaled ? "buffered; the task has journaled part of it" : "buffered";
}

/** User and client, shown after the figures. */
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
const ENDED = "no: the transaction has ended and its COMMIT or ROLLBACK is not mined yet, or it is an orphan.";

/** The report of `admin transactions`: one table of both sources, then the outcome of each source. */
export function transactionsReport(shown: TransactionsView): Report {
  const { seen, transactions } = shown;
  const sources = sourceSentences(shown);
  const whole = isComplete(shown);
  const ended = transactions.some(({ inDatabase }) => inDatabase.still === "no");
  // Finding nothing is not a result unless everything was read.
  const nothing = sources.every(({ looked }) => looked === "whole") ? "none" : "none seen";
  return {
    heading: {
      title: `open transactions of ${trunc(seen.connector)}, oldest first`,
      outcome: whole ? outcomeOf(transactions) : { word: "incomplete", mark: "bad" },
    },
    sections: [
      ...section(RANK.refusals, [transactions.length === 0 ? notice(nothing) : table(transactions)]),
      ...section(RANK.outcome, [{ is: "fields", rows: sources.map(sourceField) }]),
      ...section(RANK.subject, ended ? [notice(ENDED)] : [], { flush: true }),
    ],
  };
}

function outcomeOf([oldest, ...others]: readonly ListedTransaction[]): Outcome {
  if (oldest === undefined) return { word: "none is open", mark: "good" };
  const age = oldest.age.known ? `, the oldest for ${ageText(oldest.age)}` : "";
  return { word: `${counted(others.length + 1, "transaction")}${age}`, mark: "nothing" };
}

function sourceField({ name, looked, sentence, remedies }: SourceSentence): Field {
  const bad = looked === "failed" || looked === "in part";
  return { ...field(name, trunc(sentence, 1000)), remedies, ...(bad ? { mark: "!" } : {}) };
}

/** Longest valid id: USN.SLOT.SQN with its container. */
const LONGEST_ID = 40;

const TONES: { readonly [S in ListedTransaction["inDatabase"]["still"]]: Tone } = {
  yes: "good",
  no: "caution",
  unknown: "quiet",
};

function table(transactions: readonly ListedTransaction[]): Table {
  return tableOf("The oldest first", transactions, { what: "transaction" }, [
    ["transaction", ({ id }) => code(trunc(id, LONGEST_ID))],
    ["age", ({ age }) => ageText(age), END],
    ["changes", ({ changes }) => showCount(changes), END],
    ["size", ({ bytes }) => showBytes(bytes), END],
    ["first SCN", ({ firstScn }) => code(`${firstScn}`), END],
    ["GV$TRANSACTION", ({ inDatabase: { still } }) => ({ text: still, tone: TONES[still] })],
    ["who", (one) => trunc(whoSentence(one), 600), { below: true }],
  ]);
}

/** `admin transactions --format json` (`schemas/transactions.schema.json`). Printed with `printJson`. */
export function transactionsDocument(shown: TransactionsView) {
  const { seen, transactions } = shown;
  const { status } = seen;
  return {
    ...documentOf("Transactions"),
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
    ...published({ changes, bytes, user, clientId, firstScn }),
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

function bufferedOf(part: LargestTransaction) {
  const { events: changes, heapBytes, spilledBytes, ageMillis: ageMs, firstScn, journaled } = part;
  return published({ changes, heapBytes, spilledBytes, ageMs, firstScn, journaled });
}

function journaledOf({ chunks, changes, bytes, firstScn }: JournaledPart) {
  return published({ chunks, changes, bytes, firstScn });
}
