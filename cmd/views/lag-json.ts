import type { LagCause } from "../../core/doctor/lag/explain-lag.ts";
import { type Age, isExact, type LagSample } from "../../core/doctor/lag/lag-facts.ts";
import { oldestOf } from "../../core/doctor/lag/long-transaction.ts";
import { LAG_ATTRIBUTES, type LargestTransaction, type TaskMetrics } from "../../core/facts/connector/task-metrics.ts";
import type { Observed } from "../../core/facts/observed.ts";
import type { Json } from "../../core/values/json.ts";
import { lineOf } from "../../core/values/remedy.ts";
import { printXid } from "../../core/values/xid.ts";
import { documentOf } from "./json-text.ts";
import { answerSentence, type LagView, lagRemedies } from "./lag.ts";

/** `doctor explain-lag --format json` (`schemas/lag.schema.json`). Printed with `printJson`. */
export function lagDocument(shown: LagView) {
  const { explanation, looked } = shown;
  const { answer, also, ruledOut, unseen, remarks, reading } = explanation;
  const { facts } = reading;
  return {
    ...documentOf("LagExplanation"),
    connector: facts.connector.name,
    looked,
    answer: answer.is,
    says: `${facts.connector.name}: ${answerSentence(shown)}`,
    cause: answer.is === "cause" ? causeOf(answer) : null,
    remedies: lagRemedies(shown).map(lineOf),
    besides: also.map(causeOf),
    ruled_out: ruledOut.map(({ rule, because }) => ({ cause: rule.cause, because })),
    not_known: unseen.map(({ rule, why }) => ({ cause: rule.cause, why })),
    remarks,
    seen: {
      current_scn: fact(facts.second.currentScn, (scn) => scn),
      resume_scn: fact(reading.resume, (scn) => scn),
      resume_age: fact(reading.resumeAge, ageOf),
      behind_scns: fact(reading.behind, (scns) => scns),
      last_commit_scn: fact(reading.lastCommit, (scn) => scn),
      last_commit_age: fact(reading.lastCommitAge, ageOf),
      behind_commit_scns: fact(reading.behindCommit, (scns) => scns),
      pace: fact(reading.pace, ({ by, mined, written, left, catchUp }) => ({
        by,
        mined_scns: mined,
        written_scns: written,
        left_scns: left,
        catch_up_ms: catchUp ?? null,
      })),
      redo: fact(reading.redo, ({ complete, faults, used }) => ({
        complete,
        files_opened: false,
        faults: faults.map(({ code, message }) => ({ code, message })),
        threads: used.map(({ thread, archivedLogs, bytes, onlineSequences }) => ({
          thread,
          archived_logs: archivedLogs,
          archived_bytes: bytes,
          online_sequences: [...onlineSequences],
        })),
      })),
      redo_written: fact(reading.recent, (rates) =>
        rates.map(({ bytesPerHour, ...rate }) => ({ ...rate, bytes_per_hour: bytesPerHour })),
      ),
      open_transactions: fact(facts.transactions, (all) => {
        const oldest = oldestOf(all);
        return {
          count: BigInt(all.length),
          oldest:
            oldest === undefined
              ? null
              : {
                  transaction: printXid(oldest.xid),
                  start_scn: oldest.startScn,
                  started_at: oldest.startedAt ?? null,
                  user: oldest.user ?? null,
                  client_id: oldest.clientId ?? null,
                },
        };
      }),
    },
    between_ms: facts.between,
    samples: [facts.first, facts.second].map(sampleOf),
  };
}

function causeOf({ rule, title, evidence }: LagCause) {
  return { cause: rule.cause, title, evidence: [...evidence] };
}

/** The value, or `null` and the reason. */
function fact<T>(seen: Observed<T>, show: (value: T) => Json) {
  return seen.known
    ? { value: show(seen.value), source: seen.source }
    : { value: null, unknown: seen.why, source: seen.source };
}

function ageOf(age: Age) {
  return { at: age.at, millis: age.millis, exact: isExact(age) };
}

function sampleOf({ at, status, stored, currentScn, metrics }: LagSample) {
  return {
    at,
    state: status.state,
    trace: status.trace ?? null,
    tasks: status.tasks.map(({ id, state, worker, trace }) => ({ id, state, worker, trace: trace ?? null })),
    offset: fact(stored, ({ raw }) => raw),
    current_scn: fact(currentScn, (scn) => scn),
    metrics: fact(metrics, metricsOf),
  };
}

/** Keyed by the names of the MBean's attributes; missing ones are omitted. */
function metricsOf({ lag, largestTransactions }: TaskMetrics): Json {
  const known = LAG_ATTRIBUTES.flatMap((name) => {
    const seen = lag[name];
    return seen.known ? [[name, seen.value] as const] : [];
  });
  const largest = (one: LargestTransaction) => {
    const { ageMillis = null, user = null, clientId = null } = one;
    return { ...one, ageMillis, user, clientId };
  };
  const transactions = largestTransactions.known ? { LargestTransactions: largestTransactions.value.map(largest) } : {};
  return { ...Object.fromEntries(known), ...transactions };
}
