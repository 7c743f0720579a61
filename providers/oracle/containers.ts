import { CallFailed } from "../../core/errors.ts";
import { GO_TO_ROOT } from "./statements.ts";

/**
 * Returns the statement that switches the session to a container. Names of containers are plain words: anything else is
 * not put into a statement.
 *
 * @throws CallFailed
 */
export function goTo(container: string): string {
  if (!/^[\p{L}_][\p{L}\p{N}_$#]*$/u.test(container))
    throw new CallFailed("oracle", "rejected", { message: `${container} is not a valid container name` });
  return GO_TO_ROOT.replace(/\S+$/, () => container);
}
