import { execFile } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
/** The bar: what the verification may use at most, whatever the table's size. */
export const MOST_MEMORY = 256 * 2 ** 20;

/** What a process told of itself. */
export interface Measured {
  readonly records: number;
  readonly millis: number;
  readonly processorMillis: number;
  readonly memory: number;
  readonly disk?: number;
}

/** The peer in Python, over so many passes of the generated files. */
export function plainVerifier(folder: string, template: number, passes: number): Promise<Measured> {
  return measured("python3", [join(ROOT, "bench/verify/plain_verifier.py"), folder, `${template}`, `${passes}`]);
}

/** Records a second. */
export const rate = ({ records, millis }: Pick<Measured, "records" | "millis">): number => (records / millis) * 1000;
export const thousands = (value: number): string => (value / 1000).toFixed(0);
export const megabytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(0)} MiB`;

/** Runs what tells what it measured. */
export async function measured(program: string, args: readonly string[]): Promise<Measured> {
  const { stdout } = await promisify(execFile)(program, args);
  return JSON.parse(stdout) as Measured;
}
