import { CallFailed } from "../../core/errors.ts";
import { hasMoved, translate } from "./kafka-failure.ts";

/** A failure that another attempt may resolve; carries the failure to report if none does. */
export class Passing extends Error {
  override readonly name = "Passing";
  readonly failure: CallFailed;

  constructor(failure: CallFailed) {
    super(failure.message);
    this.failure = failure;
  }
}

const ATTEMPTS = 4;
const FIRST_PAUSE_MILLIS = 100;

/**
 * Repeats an attempt that may be repeated: after an answer that another broker now leads the partition (nothing was
 * done), and after `Passing`. Four attempts with 0.7 s of pauses in all.
 *
 * @throws CallFailed only
 */
export async function retrying<T>(doing: string, attempt: () => Promise<T>): Promise<T> {
  for (let count = 1; ; count++) {
    try {
      return await attempt();
    } catch (error) {
      const last = count === ATTEMPTS;
      if (error instanceof Passing) {
        if (last) throw error.failure;
      } else if (error instanceof CallFailed || last || !hasMoved(error)) throw translate(error, doing);
      await new Promise((resolve) => setTimeout(resolve, FIRST_PAUSE_MILLIS * 2 ** (count - 1)));
    }
  }
}
