import { createContext, Script } from "node:vm";
import { gunzipSync } from "node:zlib";
import { TooLarge } from "./uncompressed-limits.ts";

/**
 * @param limit maximum bytes of the result @throws TooLarge for more, before memory is allocated for it; other errors
 * for damaged bytes
 */
type Decompress = (bytes: Buffer, limit: number) => Uint8Array;

/** The compression types of a record batch, by their number in its attributes. */
const CODECS: Readonly<Record<number, () => Promise<Decompress>>> = {
  0: async () => (bytes) => bytes,
  1: async () => gunzip,
  2: async () => (await import("./decompressors.ts")).decompressSnappy,
  3: async () => (await import("./decompressors.ts")).decompressLz4,
  4: async () => {
    const [{ decompressZstd }, { decompress }] = await Promise.all([import("./decompressors.ts"), import("fzstd")]);
    // The package never returns for some damaged blocks.
    const ending: typeof decompress = (frame, into) => withinMillis(LONGEST_MILLIS, () => decompress(frame, into));
    return (bytes, limit) => decompressZstd(bytes, limit, ending);
  },
};

/** The limit for one frame: 64 MiB take a second or two. */
const LONGEST_MILLIS = 10_000;

/**
 * @returns the decompressor of a compression type (0 none, 1 gzip, 2 snappy, 3 lz4, 4 zstd); undefined for an unknown
 * type
 */
export async function decompressorOf(type: number): Promise<Decompress | undefined> {
  return CODECS[type]?.();
}

function gunzip(bytes: Buffer, limit: number): Uint8Array {
  try {
    // zlib does not accept a limit of 0.
    return gunzipSync(bytes, { maxOutputLength: Math.max(1, limit) });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE")
      throw new TooLarge(`more than ${limit} bytes`);
    throw error;
  }
}

const CALL = new Script("work()");
const place: { work?: () => unknown } = {};
const context = createContext(place);

/**
 * Runs code that may never return for untrusted bytes, with a time limit.
 *
 * @param work synchronous
 * @throws RangeError if it takes longer; whatever `work` throws
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
