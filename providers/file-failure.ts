import { CallFailed, Refusal } from "../core/errors.ts";
import { NotRegular } from "./bounded-file.ts";

/**
 * Runs a file operation; system errors become a CallFailed that names the path.
 *
 * @param what the kind of content: `state`
 * @param remedies by the system's own code
 */
export async function fileWork<T>(
  path: string,
  what: string,
  remedies: Readonly<Record<string, string>>,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (typeof code !== "string" || error instanceof CallFailed || error instanceof Refusal) throw error;
    throw new CallFailed("state", code === "ENOENT" ? "missing" : "rejected", {
      message:
        code === "ENOENT"
          ? `${path} not found`
          : `the ${what} at ${path} can't be used: ${error instanceof NotRegular ? message : code}`,
      code,
      remedy: remedies[code],
      cause: error,
    });
  }
}
