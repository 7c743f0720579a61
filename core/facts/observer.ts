import { CallFailed } from "../errors.ts";
import type { Clock } from "../ports/clock.ts";
import type { Observed } from "./observed.ts";

/** Looks at one thing: what was seen, or why it could not be. */
export type Observer = <T>(source: string, look: () => Promise<T>) => Promise<Observed<T>>;

/** A right that is missing, or a call that the other side does not know, leaves a fact unknown; other failures end the look. */
export function observerAt(clock: Clock): Observer {
  return async (source, look) => {
    try {
      return { known: true, value: await look(), source, at: clock.now() };
    } catch (failure) {
      if (!(failure instanceof CallFailed) || (failure.kind !== "forbidden" && failure.kind !== "unsupported"))
        throw failure;
      return {
        known: false,
        why: failure.message,
        ...(failure.remedy === undefined ? {} : { remedy: failure.remedy }),
        source,
      };
    }
  };
}

/** Waits for all; when one fails, its error is thrown once the others have settled, so that none is left running unobserved. */
export async function allOrFirst<T extends readonly unknown[]>(
  ...promises: { readonly [K in keyof T]: Promise<T[K]> }
): Promise<T> {
  const settled = await Promise.allSettled(promises);
  const failed = settled.find(({ status }) => status === "rejected");
  if (failed?.status === "rejected") throw failed.reason;
  return settled.map((one) => (one.status === "fulfilled" ? one.value : undefined)) as unknown as T;
}
