import {
  type JournalProblem,
  type JudgedChunk,
  type JudgedTransaction,
  restoredOf,
} from "../../core/journal/read-journal.ts";
import type { RedoPlace } from "../../core/journal/redo-order.ts";
import { lineOf } from "../../core/values/remedy.ts";
import { printXid } from "../../core/values/xid.ts";
import { holdingOf, type JournalView, journalRemedies, taskReport, VERDICTS } from "./journal.ts";
import { documentOf } from "./json-text.ts";

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
    chunks: each(transaction.chunks, chunkOf),
  };
}

function chunkOf(judged: JudgedChunk) {
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
