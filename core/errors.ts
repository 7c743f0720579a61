import type { Advice } from "./values/remedy.ts";

/**
 * The three ways in which cdcctl does not do what it was asked to. Each is raised where the problem is found and
 * carries the text for the operator; callers do not reword it. Everything else that is thrown is a bug (exit 70).
 */

/** One problem in the operator's input, with the place where it can be fixed. */
export interface Problem {
  readonly message: string;
  readonly remedy?: Advice;
  readonly file?: string;
  /** 1-based. */
  readonly line?: number;
  /** 1-based. */
  readonly column?: number;
}

/** The operator's input can't be used: a plan file, a flag, a contexts file, a connector configuration. Exit 64. */
export class UsageError extends Error {
  override readonly name = "UsageError";
  readonly problems: readonly Problem[];

  constructor(problem: string | Problem | readonly Problem[], remedy?: Advice) {
    const problems =
      typeof problem === "string"
        ? [{ message: problem, ...(remedy === undefined ? {} : { remedy }) }]
        : Array.isArray(problem)
          ? (problem as readonly Problem[])
          : [problem as Problem];
    super(problems.map(({ file, message }) => (file === undefined ? message : `${file}: ${message}`)).join("; "));
    this.problems = problems;
  }
}

/** An operation that is possible, but that cdcctl refuses. Exit 1 (3 when the run has changed something). */
export class Refusal extends Error {
  override readonly name = "Refusal";
  /** Code of the check or rule, for `cdcctl explain CODE`. */
  readonly code: string;
  /** What the operator can do now, one option per line. */
  readonly remedies: readonly Advice[];
  /** Changed lines, `- ` before and `+ ` after, where something differs from the plan. */
  readonly changes: readonly string[];

  constructor(code: string, seen: string, remedies: readonly Advice[] = [], changes: readonly string[] = []) {
    super(seen);
    this.code = code;
    this.remedies = remedies;
    this.changes = changes;
  }
}

export type System = "connect" | "kafka" | "oracle" | "jmx" | "spark" | "state" | "file";

/**
 * Why a call failed, as far as it can be determined.
 * - `unreachable`: no connection (refused, unknown host, TLS handshake, a listener without the service).
 * - `unauthorized`: the credentials were not accepted (401, ORA-01017, SASL). `forbidden`: the request was not (403,
 *   ORA-00942, an ACL).
 * - `missing`: the named object does not exist. `unsupported`: the other side is too old or too different.
 * - `protocol`: an answer that can't be parsed (HTML from a proxy, half a reply).
 * - `timeout`, `lost`: no answer in time; the connection broke. Neither shows whether the call took effect.
 * - `rejected`: the other side understood the request and refused it.
 */
export type FailureKind =
  | "unreachable"
  | "unauthorized"
  | "forbidden"
  | "missing"
  | "unsupported"
  | "protocol"
  | "timeout"
  | "lost"
  | "rejected";

export interface Failure {
  readonly system: System;
  readonly kind: FailureKind;
  /** One sentence that names the host and the request. Never a credential. */
  readonly message: string;
  /** What the other side calls it: `ORA-01017`, `HTTP 409`, `TOPIC_AUTHORIZATION_FAILED`. */
  readonly code?: string | undefined;
  /** Each of several failures, when there are several. */
  readonly remedy?: Advice | readonly Advice[] | undefined;
  readonly cause?: unknown;
}

/** A call to another system failed or got no answer. Exit 1 (3 when the run has changed something). */
export class CallFailed extends Error {
  override readonly name = "CallFailed";
  readonly system: System;
  readonly kind: FailureKind;
  readonly code: string | undefined;
  readonly remedies: readonly Advice[];

  constructor(system: System, kind: FailureKind, failure: Omit<Failure, "system" | "kind">) {
    super(failure.message, failure.cause === undefined ? undefined : { cause: failure.cause });
    this.system = system;
    this.kind = kind;
    this.code = failure.code;
    this.remedies = failure.remedy === undefined ? [] : [failure.remedy].flat();
  }
}

/** What is shown to the operator as it is: anything else that is thrown is a bug. */
export type ExpectedError = UsageError | Refusal | CallFailed;

export function isShown(error: unknown): error is ExpectedError {
  return error instanceof UsageError || error instanceof Refusal || error instanceof CallFailed;
}

/** The answer to a call; undefined if the call fails in one of these ways, without any in whatever way. */
export async function orUndefined<T>(asked: Promise<T>, ...kinds: readonly FailureKind[]): Promise<T | undefined> {
  try {
    return await asked;
  } catch (failure) {
    if (failure instanceof CallFailed && (kinds.length === 0 || kinds.includes(failure.kind))) return undefined;
    throw failure;
  }
}
