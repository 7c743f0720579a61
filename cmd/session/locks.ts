import type { Lock, StatePort } from "../../core/ports/state.ts";

/**
 * Locks connectors, always in the same order, so that two commands never deadlock. @throws Refusal `STA701`, with none
 * held
 */
export async function lockAll(
  connectors: readonly string[],
  clusterId: string,
  state: StatePort,
  command: string,
): Promise<Lock> {
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
  return { release };
}
