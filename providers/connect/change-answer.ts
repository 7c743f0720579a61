import type { ChangeAnswer, PatchAnswer } from "../../core/ports/answers.ts";
import { jsonObjectIn } from "../../core/values/json.ts";
import { outsideText } from "./endpoint.ts";
import type { Answered, Exchange } from "./exchange.ts";
import { connectError, isWithoutApi, REBALANCE, type Redact, SHUTTING_DOWN } from "./failure.ts";

/** What the answers of one kind of call mean. */
interface CallMeaning {
  /** @returns Connect's message if the call was carried out; undefined if a gateway may have answered instead */
  readonly success: (seen: Answered) => string | undefined;
  /** Connect's 500s that leave the outcome of the call open. */
  readonly inDoubt: RegExp;
}

/**
 * Determines the outcome of a changing call. Only an answer that proves that nothing happened is `rejected`; see
 * `PatchAnswer` and the reference, "Errors".
 *
 * @param why the same exchange described as a failure, for the operator
 * @param redact removes secrets from the worker's message
 */
export function changeAnswer(
  seen: Exchange,
  why: string,
  redact: Redact,
  { success, inDoubt }: CallMeaning,
): ChangeAnswer {
  if (!seen.answered)
    return seen.sent
      ? { answer: "unanswered", why }
      : { answer: "rejected", status: 0, message: `nothing was sent: ${why}` };
  if (seen.byProxy) return { answer: "rejected", status: 0, message: `nothing was sent: ${why}` };
  if (isWithoutApi(seen)) return { answer: "rejected", status: 0, message: `nothing was done: ${why}` };
  const { status } = seen;
  if (status >= 200 && status < 300) {
    const message = success(seen);
    return message === undefined
      ? { answer: "unanswered", why: `${status}, but without Connect's message: a gateway may have answered` }
      : { answer: "applied", message: outsideText(redact(message)) };
  }
  const own = connectError(seen);
  const message = own === undefined || own.unknownPath ? why : outsideText(redact(own.message));
  if (status === 401 || status === 403) return { answer: "rejected", status, message };
  if (own === undefined) return { answer: "unanswered", why };
  if (status === 400 && NOT_STOPPED.test(own.message))
    return { answer: "rejected", status, message, reason: "not stopped" };
  if (status === 400 || status === 404 || status === 405) return { answer: "rejected", status, message };
  if (status === 500 && SHUTTING_DOWN.test(own.message))
    return { answer: "rejected", status: 0, message: `nothing was done: ${message}` };
  if (status === 409 && EXISTS.test(own.message)) return { answer: "rejected", status, message };
  if (status === 500 && !inDoubt.test(own.message) && !REBALANCE.test(own.message))
    return { answer: "rejected", status, message };
  return { answer: "unanswered", why };
}

/** `modifyConnectorOffsetsChecks` of both herders, Kafka Connect 3.6 to 4.3. */
const NOT_STOPPED = /^Connectors must be in the STOPPED state before their offsets can be modified/;

/** The other 409s, for a rebalance or a stale configuration, are temporary. */
const EXISTS = /^Connector .* already exists$/s;

/**
 * The worker itself does not know the outcome, or timed out after sending the write: `KafkaConfigBackingStore` (`Error
 * writing`, `Error removing`), `DistributedHerder` (`Failed to write`) and `Worker` (`modify offsets`) of Kafka Connect
 * 3.6 to 4.3.
 */
const IN_DOUBT = new RegExp(
  [
    "^IO Error",
    "^Request timed out",
    "^Error (writing|removing) (connector configuration|target state)",
    "^Failed to write to config topic",
    "^Failed to modify offsets for source connector",
    "^(Timed out|Unexpectedly interrupted) while attempting to modify offsets",
  ].join("|"),
);

const CHECKED = "The offsets for this connector have been altered successfully";

/** The outcome of a PATCH of the offsets. */
export function patchAnswer(seen: Exchange, why: string, redact: Redact): PatchAnswer {
  const answer = changeAnswer(seen, why, redact, OFFSETS_CALL);
  return answer.answer === "applied" ? { ...answer, checked: answer.message.startsWith(CHECKED) } : answer;
}

/** 200 with `{"message":"…"}`: PATCH and DELETE of the offsets. */
export const OFFSETS_CALL: CallMeaning = {
  success({ status, text }) {
    const message = status === 200 ? member(text, "message") : undefined;
    return typeof message === "string" ? message : undefined;
  },
  inDoubt: IN_DOUBT,
};

/** 201 with the connector's description: POST of a connector. */
export function creating(name: string): CallMeaning {
  return {
    success: ({ status, text }) =>
      status === 201 && member(text, "name") === name ? `${name} was created` : undefined,
    inDoubt: IN_DOUBT,
  };
}

/** 204 and nothing else: DELETE of a connector. */
export function deleting(name: string): CallMeaning {
  return {
    success: ({ status, text }) => (status === 204 && text === "" ? `${name} was deleted` : undefined),
    inDoubt: IN_DOUBT,
  };
}

/**
 * 204 (stop) or 202 (resume) and nothing else. No 500 proves that nothing happened: a stop writes the tasks'
 * configurations and then the state, and the second may fail after the first.
 *
 * @param asked the requested target state: `STOPPED`
 */
export function asking(name: string, asked: "STOPPED" | "RUNNING"): CallMeaning {
  return {
    success: ({ status, text }) =>
      (status === 204 || status === 202) && text === "" ? `${name} was asked to be ${asked}` : undefined,
    inDoubt: /^/,
  };
}

/**
 * 202 with the connector's status, RESTARTING: POST of a restart with its tasks, or with what has failed (KIP-745,
 * Kafka Connect 3.0).
 */
export function restarting(name: string): CallMeaning {
  return {
    success: ({ status, text }) =>
      status === 202 && member(text, "name") === name ? `${name} was asked to restart` : undefined,
    inDoubt: /^/,
  };
}

function member(text: string, name: string): unknown {
  return jsonObjectIn(text)?.[name];
}
