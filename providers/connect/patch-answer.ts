import type { PatchAnswer } from "../../core/ports.ts";
import { isObject, parseJson } from "../../core/values/json.ts";
import type { Exchange } from "./exchange.ts";
import { connectError } from "./failure.ts";
import { outsideText } from "./outside-text.ts";

const CHECKED = "The offsets for this connector have been altered successfully";

/**
 * What one PATCH came to. Only what proves that nothing happened is `rejected`; see `PatchAnswer` and the reference, "Errors".
 *
 * @param why the same exchange told as a failure, for the operator
 */
export function patchAnswer(seen: Exchange, why: string): PatchAnswer {
  if (!seen.answered)
    return seen.sent
      ? { answer: "unanswered", why }
      : { answer: "rejected", status: 0, message: `nothing was sent: ${why}` };
  if (seen.byProxy) return { answer: "rejected", status: 0, message: `nothing was sent: ${why}` };
  const { status } = seen;
  if (status === 200) {
    const message = successMessage(seen.text);
    return message === undefined
      ? { answer: "unanswered", why: "200, but without Connect's message: a gateway may have answered" }
      : { answer: "applied", message: outsideText(message), checked: message.startsWith(CHECKED) };
  }
  const own = connectError(seen);
  const message = own === undefined || own.unknownPath ? why : outsideText(own.message);
  if (status === 401 || status === 403) return { answer: "rejected", status, message };
  if (own === undefined) return { answer: "unanswered", why };
  if (status === 400 || status === 404 || status === 405) return { answer: "rejected", status, message };
  if (status === 500 && !/^(IO Error|Request timed out)/.test(own.message))
    return { answer: "rejected", status, message };
  return { answer: "unanswered", why };
}

function successMessage(text: string): string | undefined {
  try {
    const body = parseJson(text);
    return isObject(body) && typeof body["message"] === "string" ? body["message"] : undefined;
  } catch {
    return undefined;
  }
}
