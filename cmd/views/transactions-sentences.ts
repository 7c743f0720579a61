import type { ConnectorStatus } from "../../core/facts/connector/connector.ts";
import type { ListedTransaction, TransactionAge } from "../../core/transactions/listing.ts";
import type { TransactionsSeen } from "../../core/transactions/look.ts";
import { remediesOf } from "../../core/values/remedies.ts";
import { counted, showMillis } from "./quantities.ts";

/** What is said of open transactions, in words that every form of the listing shares. */

export interface TransactionsShown {
  readonly seen: TransactionsSeen;
  readonly transactions: readonly ListedTransaction[];
}

/** The most that the task's MBean lists (specification, "Limits"). */
const MOST_LISTED = 20;

export type SourceName = "buffered" | "journaled" | "GV$TRANSACTION" | "SCN_TO_TIMESTAMP";

/** How it went with one source. */
export interface SourceSentence {
  readonly name: SourceName;
  readonly looked: "whole" | "in part" | "not asked" | "failed";
  readonly sentence: string;
  /** One a line. */
  readonly remedies: readonly string[];
}

/** Every source, those that went without trouble and nothing to say among them. */
export function sourceSentences({ seen, transactions }: TransactionsShown): readonly SourceSentence[] {
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
        : ["Give the JMX URL of that worker:  --jmx-url service:jmx:rmi:///jndi/rmi://HOST:PORT/jmxrmi"],
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
    remedies: ["See which, and what the task makes of it:  cdcctl admin journal inspect"],
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

function failed(name: SourceName, { why, remedy }: { readonly why: string; readonly remedy?: string }): SourceSentence {
  return {
    name,
    looked: "failed",
    sentence: `could not be looked at: ${why}`,
    remedies: remediesOf(remedy),
  };
}

export function ageText(age: TransactionAge): string {
  return age.known ? showMillis(age.millis) : "unknown";
}

export function holderText({ buffered, journaled }: ListedTransaction): string {
  if (buffered === undefined) return "journaled";
  if (journaled !== undefined) return "buffered and journaled";
  return buffered.journaled ? "buffered; the task has journaled part of it" : "buffered";
}

/** Who and where, behind the figures. */
export function whoSentence(one: ListedTransaction): string {
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
export const ENDED = "no: the transaction has ended, and its COMMIT or ROLLBACK is not mined yet, or it is an orphan.";
