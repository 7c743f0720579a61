import type { LargestTransaction } from "../../core/facts/connector/task-metrics.ts";
import type { InDatabase } from "../../core/transactions/in-database.ts";
import type { JournaledPart } from "../../core/transactions/journaled-part.ts";
import type { ListedTransaction, TransactionAge } from "../../core/transactions/listing.ts";
import { sourceSentences, type TransactionsShown } from "./transactions.ts";

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
      remedies,
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
