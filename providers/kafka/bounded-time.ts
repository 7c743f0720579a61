import { createContext, Script } from "node:vm";

const CALL = new Script("work()");
const place: { work?: () => unknown } = {};
const context = createContext(place);

/**
 * Runs what may never end on bytes from outside, and ends it.
 *
 * @param work synchronous
 * @throws RangeError where it takes longer; whatever `work` throws
 */
export function withinMillis<T>(millis: number, work: () => T): T {
  place.work = work;
  try {
    return CALL.runInContext(context, { timeout: millis }) as T;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
    throw new RangeError(`not decompressed within ${millis / 1000} s`);
  } finally {
    delete place.work;
  }
}
