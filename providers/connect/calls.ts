import { CallFailed } from "../../core/errors.ts";
import { connectVersion, isAtLeast } from "../../core/facts/connector/connect-version.ts";
import type { Clock } from "../../core/ports/clock.ts";
import { type Json, parseJson } from "../../core/values/json.ts";
import type { ConnectLimits } from "../limits.ts";
import { NotAsExpected, workerInfo } from "./answers.ts";
import type { Answered, Call, Exchange } from "./exchange.ts";
import {
  callFailed,
  connectError,
  contradicted,
  isHtml,
  isPassing,
  isWithoutApi,
  protocolFailure,
  type Redact,
} from "./failure.ts";
import { outsideText } from "./outside-text.ts";
import type { answerRedaction } from "./redact-answers.ts";
import type { Workers } from "./workers.ts";

/** A reason to distrust an answer; undefined: none. */
export type Doubt = (seen: Answered) => Promise<string | undefined>;

const noDoubt: Doubt = async () => undefined;

/**
 * The calls of Connect's API: a read is repeated until its answer is final, a change is sent once.
 *
 * @param answers redacts what is reported of them
 */
export function callsOf(
  workers: Workers,
  answers: ReturnType<typeof answerRedaction>,
  clock: Clock,
  limits: Required<ConnectLimits>,
) {
  const { endpoint } = workers;

  /**
   * Repeats a request until the answer is final.
   *
   * @param doubt returns a reason to distrust an answer; the request is then repeated, too
   * @throws CallFailed with the number of attempts and the time spent
   */
  const ask = async (call: Call, doubt: Doubt = noDoubt): Promise<Answered> => {
    const began = clock.elapsed();
    for (let attempt = 1; ; attempt++) {
      const seen = await workers.once(call, limits.callMillis);
      let why: string | undefined;
      if (!isPassing(seen)) {
        if (!seen.answered) throw await failed(call, seen);
        why = await doubt(seen);
        if (why === undefined) return seen;
      }
      const spent = clock.elapsed() - began;
      const pause = Math.min(4000, 200 * 2 ** (attempt - 1)) * (0.5 + clock.random() / 2);
      const usual = workers.contact() ? limits.retryMillis : Math.min(limits.firstContactMillis, limits.retryMillis);
      const limit = seen.answered && isWithoutApi(seen) ? Math.max(usual, limits.startingMillis) : usual;
      if (workers.closing.aborted || spent + pause > limit) {
        const tried = ` (tried ${attempt} ${attempt === 1 ? "time" : "times"} in ${(spent / 1000).toFixed(1)} s)`;
        if (why !== undefined && seen.answered) throw contradicted(workers.askedIn(seen), call, seen, why, tried);
        throw await failed(call, seen, tried);
      }
      if (seen.answered && isWithoutApi(seen)) workers.leave();
      await clock.sleep(pause, workers.closing);
    }
  };

  const failed = async (call: Call, seen: Exchange, tried = ""): Promise<CallFailed> =>
    callFailed(workers.askedIn(seen), call, seen, await answers.redactorFor(call, seen), tried);

  const read = <T>(call: Call, seen: Answered, reading: (json: Json) => T): T => {
    const html = isHtml(seen.text, seen.contentType);
    try {
      if (!html) return reading(parseJson(seen.text));
    } catch (error) {
      if (error instanceof NotAsExpected)
        throw protocolFailure(
          endpoint,
          call,
          `answered JSON that is not Connect's: ${outsideText(error.message, 200)}`,
        );
      if (!(error instanceof SyntaxError)) throw error;
    }
    const what = html ? "HTML (a proxy, a gateway or another service)" : "incomplete JSON";
    throw protocolFailure(endpoint, call, `answered ${seen.status} with ${what}`);
  };

  const get = async <T>(path: string, reading: (json: Json) => T): Promise<T> => {
    const call: Call = { method: "GET", path };
    const seen = await ask(call);
    if (seen.status !== 200) throw await refused(call, seen);
    return read(call, seen, reading);
  };

  /** Reads a resource; undefined only for Connect's own "no such connector". */
  const find = async <T>(path: string, reading: (json: Json) => T, doubt?: Doubt): Promise<T | undefined> => {
    const call: Call = { method: "GET", path };
    const seen = await ask(call, doubt);
    if (seen.status === 200) return read(call, seen, reading);
    if (reportsMissing(seen)) return undefined;
    throw await refused(call, seen);
  };

  /** A path that the worker does not know: reports the required version and, if known, the running one. */
  const refused = async (call: Call, seen: Answered): Promise<CallFailed> => {
    const needed =
      /\/(stop|offsets)$/.exec(call.path) === null
        ? undefined
        : call.method === "PATCH" || call.method === "DELETE"
          ? 6
          : 5;
    if (needed === undefined || connectError(seen)?.unknownPath !== true) return failed(call, seen);
    const version = await workers
      .once({ method: "GET", path: "/" }, limits.callMillis)
      .then((root) => (root.answered && root.status === 200 ? workerInfo(parseJson(root.text)).version : undefined))
      .catch(() => undefined);
    const known = version === undefined ? undefined : connectVersion(version);
    if (known !== undefined && isAtLeast(known, 3, needed)) return failed(call, seen);
    return new CallFailed("connect", "unsupported", {
      code: `HTTP ${seen.status}`,
      message:
        `${outsideText(`${call.method} ${endpoint.shown}${call.path}`)}: this needs Kafka Connect 3.${needed} ` +
        `(Confluent Platform 7.${needed}) or later; the worker ` +
        `${version === undefined ? "does not know the call" : `is ${outsideText(version, 60)}`}`,
      remedy: `Upgrade the workers to 3.${needed} or later.`,
    });
  };

  /** One attempt of a changing call, and its description as a failure. */
  const attempt = async (
    call: Call,
    millis = limits.patchMillis,
  ): Promise<[seen: Exchange, why: string, redact: Redact]> => {
    const seen = await workers.once(call, millis);
    const redact = await answers.redactorFor(call, seen);
    const failure =
      seen.answered && connectError(seen)?.unknownPath
        ? await refused(call, seen)
        : callFailed(workers.askedIn(seen), call, seen, redact);
    return [seen, failure.message, redact];
  };

  return { ask, read, get, find, refused, attempt };
}

/** Connect's own 404, of a path that it knows. */
export function reportsMissing(seen: Answered): boolean {
  const own = connectError(seen);
  return own !== undefined && own.status === 404 && !own.unknownPath;
}
