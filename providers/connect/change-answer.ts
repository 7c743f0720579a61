import type { ChangeAnswer, PatchAnswer } from "../../core/ports/answers.ts";
import { isObject, parseJson } from "../../core/values/json.ts";
import type { Answered, Exchange } from "./exchange.ts";
import { connectError, REBALANCE, type Told } from "./failure.ts";
import { outsideText } from "./outside-text.ts";

/** @returns what Connect says when a call was carried out; undefined where a gateway may have answered instead */
type Success = (seen: Answered) => string | undefined;

/**
 * What one changing call came to. Only what proves that nothing happened is `rejected`; see `PatchAnswer` and the reference, "Errors".
 *
 * @param why the same exchange told as a failure, for the operator
 * @param told what is shown of the worker's own words
 * @param success what this call answers when it was carried out
 */
export function changeAnswer(seen: Exchange, why: string, told: Told, success: Success): ChangeAnswer {
  if (!seen.answered)
    return seen.sent
      ? { answer: "unanswered", why }
      : { answer: "rejected", status: 0, message: `nothing was sent: ${why}` };
  if (seen.byProxy) return { answer: "rejected", status: 0, message: `nothing was sent: ${why}` };
  const { status } = seen;
  if (status >= 200 && status < 300) {
    const message = success(seen);
    return message === undefined
      ? { answer: "unanswered", why: `${status}, but without Connect's message: a gateway may have answered` }
      : { answer: "applied", message: outsideText(told(message)) };
  }
  const own = connectError(seen);
  const message = own === undefined || own.unknownPath ? why : outsideText(told(own.message));
  if (status === 401 || status === 403) return { answer: "rejected", status, message };
  if (own === undefined) return { answer: "unanswered", why };
  if (status === 400 || status === 404 || status === 405) return { answer: "rejected", status, message };
  if (status === 409 && EXISTS.test(own.message)) return { answer: "rejected", status, message };
  if (status === 500 && !IN_DOUBT.test(own.message) && !REBALANCE.test(own.message))
    return { answer: "rejected", status, message };
  return { answer: "unanswered", why };
}

/** The other 409, of a rebalance or a stale configuration, passes. */
const EXISTS = /^Connector .* already exists$/s;

/**
 * The worker itself does not know what became of it, or gave up waiting after it had sent what it was to write: `KafkaConfigBackingStore` (`Error
 * writing`, `Error removing`), `DistributedHerder` (`Failed to write`) and `Worker` (`modify offsets`) of Kafka Connect 3.6 to 4.3.
 */
const IN_DOUBT = new RegExp(
  [
    "^IO Error",
    "^Request timed out",
    "^Error (writing|removing) connector configuration",
    "^Failed to write to config topic",
    "^Failed to modify offsets for source connector",
    "^(Timed out|Unexpectedly interrupted) while attempting to modify offsets",
  ].join("|"),
);

const CHECKED = "The offsets for this connector have been altered successfully";

/** What one PATCH of the offsets came to. */
export function patchAnswer(seen: Exchange, why: string, told: Told): PatchAnswer {
  const answer = changeAnswer(seen, why, told, messageOf);
  return answer.answer === "applied" ? { ...answer, checked: answer.message.startsWith(CHECKED) } : answer;
}

/** 200 with `{"message":"…"}`: PATCH and DELETE of the offsets. */
export function messageOf({ status, text }: Answered): string | undefined {
  const message = status === 200 ? member(text, "message") : undefined;
  return typeof message === "string" ? message : undefined;
}

/** 201 with the connector's description: POST of a connector. */
export function createdIn(name: string): Success {
  return ({ status, text }) => (status === 201 && member(text, "name") === name ? `${name} was created` : undefined);
}

/** 204 and nothing else: DELETE of a connector. */
export function deletedIn(name: string): Success {
  return ({ status, text }) => (status === 204 && text === "" ? `${name} was deleted` : undefined);
}

function member(text: string, name: string): unknown {
  try {
    const body = parseJson(text);
    return isObject(body) ? body[name] : undefined;
  } catch {
    return undefined;
  }
}
