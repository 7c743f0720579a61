import { constants, type Stats } from "node:fs";
import { lstat, open } from "node:fs/promises";
import { CallFailed, Refusal } from "../core/errors.ts";

/** The bytes of a file; `large`: it exceeds the limit, and no content is returned. */
type BoundedRead = { readonly bytes: Buffer; readonly mode: number } | { readonly large: true };

/**
 * The path names something that is not a regular file, or not one of the size that it may have: a device, a pipe, a
 * socket, a folder. `code` replaces the system's error code.
 */
export class NotRegular extends Error {
  override readonly name = "NotRegular";
  readonly code = "NOT_REGULAR";
}

/**
 * Reads a file of at most `limit` bytes. It never reads more, whatever size the system reports: a device reports none.
 *
 * @param from `operator`: the path was typed or written by the operator; it may be a pipe (`<(vault read …)`), which is
 * waited for. `outside`: the path comes from elsewhere, such as a plan file or a worker; it must be a regular file, and
 * opening it never waits. `own`: cdcctl made the file; nor is a link followed, or a device opened
 * @throws NodeJS.ErrnoException as the system reports it
 * @throws NotRegular
 */
export async function readBounded(
  path: string,
  limit: number,
  from: "operator" | "outside" | "own",
): Promise<BoundedRead> {
  if (from === "own") demandRegular(await lstat(path));
  const file = await open(path, FLAGS[from]);
  try {
    const stats = await file.stat();
    if (from !== "operator") demandRegular(stats);
    if (stats.isFile() && stats.size > limit) return { large: true };
    const pieces: Buffer[] = [];
    let left = limit + 1;
    while (left > 0) {
      const piece = Buffer.allocUnsafe(Math.min(left, Math.max(stats.isFile() ? stats.size + 1 : 0, PIECE)));
      const { bytesRead } = await file.read(piece, 0, piece.length);
      if (bytesRead === 0) break;
      pieces.push(piece.subarray(0, bytesRead));
      left -= bytesRead;
    }
    return left === 0 ? { large: true } : { bytes: Buffer.concat(pieces), mode: permissions(stats) };
  } finally {
    await file.close();
  }
}

/** Windows has neither. */
const { O_RDONLY, O_NONBLOCK = 0, O_NOFOLLOW = 0 } = constants;
const FLAGS = { operator: O_RDONLY, outside: O_RDONLY | O_NONBLOCK, own: O_RDONLY | O_NONBLOCK | O_NOFOLLOW };

const PIECE = 64 * 1024;

function demandRegular(stats: Stats): void {
  if (!stats.isFile()) throw new NotRegular(`it is ${kindOf(stats)}, not a regular file`);
}

/**
 * Returns who may access a file, as for `chmod`. Root's file that only its group can read is meant for this process, if
 * that is another user's: Kubernetes mounts a Secret so. The group does not count then.
 */
export function permissions({ mode, uid }: Pick<Stats, "mode" | "uid">, own = process.geteuid?.()): number {
  const forOurGroup = uid === 0 && own !== undefined && own !== 0 && (mode & 0o007) === 0;
  return mode & (forOurGroup ? 0o700 : 0o777);
}

function kindOf(stats: Stats): string {
  if (stats.isDirectory()) return "a folder";
  if (stats.isSymbolicLink()) return "a symbolic link";
  if (stats.isFIFO()) return "a pipe";
  if (stats.isSocket()) return "a socket";
  return "a device";
}

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
