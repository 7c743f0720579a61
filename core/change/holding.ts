import type { Lock, StatePort } from "../ports/state.ts";

/** Closes what was opened at the end of its block (`await using`), however that ends. */
export function closing<T extends { close(): Promise<void> }>(opened: T): T & AsyncDisposable {
  return Object.assign(opened, { [Symbol.asyncDispose]: () => opened.close() });
}

/** What a command failed with: of a failure and another in closing, the latter, as `finally` has it. */
export function thrownBy(error: unknown): unknown {
  return error instanceof Error && error.name === "SuppressedError" && "error" in error ? error.error : error;
}

/**
 * Locks connectors, always in the same order, so that two commands never deadlock. Released at the end of the block
 * (`await using`). @throws Refusal `STA701`, with none held
 */
export async function lockAll(
  connectors: readonly string[],
  clusterId: string,
  state: StatePort,
  command: string,
): Promise<AsyncDisposable> {
  const held: Lock[] = [];
  const release = async () => {
    for (const lock of held.toReversed()) await lock.release();
  };
  try {
    for (const connector of [...connectors].sort()) held.push(await state.lock({ clusterId, connector }, command));
  } catch (failure) {
    await release();
    throw failure;
  }
  return { [Symbol.asyncDispose]: release };
}
