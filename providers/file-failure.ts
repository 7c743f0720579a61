import { CallFailed, Refusal } from "../core/errors.ts";

/**
 * Runs one piece of file work; what the system refuses becomes a CallFailed that names the path.
 *
 * @param what the path holds: `state`
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
    const { code } = error as NodeJS.ErrnoException;
    if (typeof code !== "string" || error instanceof CallFailed || error instanceof Refusal) throw error;
    const remedy = remedies[code];
    throw new CallFailed({
      system: "state",
      kind: code === "ENOENT" ? "missing" : "rejected",
      message: code === "ENOENT" ? `there is no ${path}` : `the ${what} at ${path} can't be used: ${code}`,
      code,
      ...(remedy === undefined ? {} : { remedy }),
      cause: error,
    });
  }
}
