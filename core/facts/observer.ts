import type { Unknown } from "../../schemas/generated/facts.ts";
import { CallFailed, Refusal, UsageError } from "../errors.ts";
import type { Instant } from "../values/instant.ts";
import type { Advice } from "../values/remedy.ts";
import type { Observed } from "./observed.ts";

/** Says when something was observed. */
interface Clock {
  now(): Instant;
}

/** Observes one thing: returns the value, or why it could not be observed. */
export type Observer = <T>(source: string, look: () => Promise<T>) => Promise<Observed<T>>;

/**
 * Builds an observer: a missing permission, or a call that the other side does not support, leaves a fact unknown;
 * other failures end the observation.
 */
export function observerAt(clock: Clock): Observer {
  return observing(
    clock,
    (failure) => failure instanceof CallFailed && (failure.kind === "forbidden" || failure.kind === "unsupported"),
  );
}

/**
 * Builds an observer that continues after any failure of a system or of the settings for it, and leaves the fact
 * unknown. For read-only commands, which can still show the other facts.
 */
export function lenientObserverAt(clock: Clock): Observer {
  return observing(clock, () => true);
}

/** @param leavesUnknown whether a failure leaves the fact unknown; any other ends the observation */
export function observing(clock: Clock, leavesUnknown: (failure: unknown) => boolean): Observer {
  return async (source, read) => {
    try {
      return { known: true, value: await read(), source, at: clock.now() };
    } catch (failure) {
      if (!leavesUnknown(failure)) throw failure;
      return unknownBecause(failure, source);
    }
  };
}

/** A fact that is unknown because of a failure, with what the failure says to do. Rethrows a bug. */
export function unknownBecause(failure: unknown, source: string): Unknown {
  const unknown = (why: string, remedies: readonly Advice[]): Unknown => ({
    known: false,
    why,
    ...(remedies.length === 0 ? {} : { remedies }),
    source,
  });
  if (failure instanceof CallFailed) return unknown(failure.message, failure.remedies);
  if (failure instanceof Refusal) return unknown(`${failure.message} (${failure.code})`, failure.remedies);
  if (failure instanceof UsageError) return unknown(failure.message, [failure.problems[0]?.remedy ?? []].flat());
  throw failure;
}

/**
 * Waits for all; when one fails, its error is thrown once the others have settled, so that none is left running
 * unobserved.
 */
export async function allOrFirst<T extends readonly unknown[]>(
  ...promises: { readonly [K in keyof T]: Promise<T[K]> }
): Promise<T> {
  const settled = await Promise.allSettled(promises);
  const failed = settled.find(({ status }) => status === "rejected");
  if (failed?.status === "rejected") throw failed.reason;
  return settled.map((one) => (one.status === "fulfilled" ? one.value : undefined)) as unknown as T;
}

export async function allNamed<T extends object>(promises: { readonly [K in keyof T]: Promise<T[K]> }): Promise<T> {
  const values = await allOrFirst<readonly unknown[]>(...Object.values<Promise<unknown>>(promises));
  return Object.fromEntries(Object.keys(promises).map((name, at) => [name, values[at]])) as T;
}
