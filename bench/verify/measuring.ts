import { execFile } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { median } from "../result.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
/** The bar: the memory that the verification may use, whatever the table's size. */
export const MOST_MEMORY = 256 * 2 ** 20;

/** Measurements reported by a process. */
export interface Measured {
  readonly records: number;
  readonly millis: number;
  readonly processorMillis: number;
  readonly memory: number;
  readonly disk?: number;
}

/** The peer in Python, over this many passes of the generated files. */
export function plainVerifier(folder: string, template: number, passes: number): Promise<Measured> {
  return measured("python3", [join(ROOT, "bench/verify/plain_verifier.py"), folder, `${template}`, `${passes}`]);
}

/** Speed of one relative to another over the same input: by wall time, and by the processor time of all threads. */
export function timesAsFast(one: Times, other: Times): { readonly wall: number; readonly processor: number } {
  return { wall: other.millis / one.millis, processor: other.processorMillis / one.processorMillis };
}

type Times = Pick<Measured, "millis" | "processorMillis">;

/** `6.91 s (6.80 s of processor time)` */
export function timesText({ millis, processorMillis }: Times): string {
  return `${(millis / 1000).toFixed(2)} s (${(processorMillis / 1000).toFixed(2)} s of processor time)`;
}

/** `1.52 x (1.49 x of processor time)` */
export function ratioText({ wall, processor }: ReturnType<typeof timesAsFast>): string {
  return `${wall.toFixed(2)} x (${processor.toFixed(2)} x of processor time)`;
}

/** The medians of several runs over the same input, and the highest memory and disk use. */
export function medianOf(runs: readonly Measured[]): Measured {
  return {
    records: runs[0]?.records ?? 0,
    millis: median(runs.map(({ millis }) => millis)),
    processorMillis: median(runs.map(({ processorMillis }) => processorMillis)),
    memory: Math.max(...runs.map(({ memory }) => memory)),
    disk: Math.max(...runs.map(({ disk }) => disk ?? 0)),
  };
}

export const megabytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(0)} MiB`;

/** Runs a program that prints its measurements. */
export async function measured(program: string, args: readonly string[]): Promise<Measured> {
  const { stdout } = await promisify(execFile)(program, args);
  return JSON.parse(stdout) as Measured;
}

/** Cost of a record, stage by stage: `fetch 0.30 µs, decode 0.91 µs, …`, in processor time. */
export async function stagesOf(folder: string, template: number): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [join(folder, "stages.js"), folder, `${template}`]);
  const { records, stages } = JSON.parse(stdout) as {
    readonly records: number;
    readonly stages: Readonly<Record<string, number>>;
  };
  const each = Object.entries(stages).map(([stage, millis]) => `${stage} ${((millis * 1000) / records).toFixed(2)} µs`);
  return `${each.join(", ")} of processor time`;
}
