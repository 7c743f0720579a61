import { execFile } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { pythonPackages } from "../../providers/real/python-packages.ts";
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

const PLAIN_VERIFIER = join(ROOT, "bench/verify/plain_verifier.py");
/** The peer's clients, and the checksum in C that the first takes if it is there. */
const CLIENTS = ["kafka-python==3.0.12", "crc32c==2.9.post0", "oracledb==26.1.0"];

/** What a verification read and found, as the evidence names it. */
export interface Found {
  readonly rows: number;
  readonly newRecords: number;
  readonly legacyRecords: number;
  readonly compared: number;
  readonly byLegacy: number;
  readonly failures: number;
}

export type PlainVerifier = Measured & { readonly found: Found };

/** The peer in Python, over this many passes of the generated files. @throws if it finds other than expected */
export async function plainVerifier(folder: string, template: number, passes: number): Promise<PlainVerifier> {
  const python = await measured<PlainVerifier>("python3", [PLAIN_VERIFIER, folder, "files", `${passes}`]);
  const { compared, failures } = python.found;
  if (failures > 0 || compared !== template * passes)
    throw new Error(`Python should have passed: ${failures} failures, ${compared} compared`);
  return python;
}

/** Where the peer reads when it does not read files. */
export interface Systems {
  /** `host:port` of the one broker. */
  readonly brokers: string;
  readonly dsn: string;
  readonly user: string;
  readonly password: string;
  /** `OWNER.NAME` */
  readonly table: string;
  readonly newTopic: string;
  readonly legacyTopic: string;
  readonly checkScn: bigint;
}

/**
 * Prepares the peer that reads from a broker and a database, with the usual clients of PyPI. Its time is that of the
 * whole process.
 *
 * @param folder for its working file
 * @returns why it can't be run here
 */
export async function plainVerifierOfSystems(
  folder: string,
): Promise<((systems: Systems) => Promise<PlainVerifier>) | { readonly why: string }> {
  const packages = await pythonPackages(...CLIENTS);
  if (typeof packages !== "string") return packages;
  return async ({ brokers, dsn, user, password, table, newTopic, legacyTopic, checkScn }) => {
    const words = [PLAIN_VERIFIER, folder, "systems", brokers, dsn, table, newTopic, legacyTopic, `${checkScn}`];
    const env = { ...process.env, PYTHONPATH: packages, ORACLE_USER: user, ORACLE_PASSWORD: password };
    const start = performance.now();
    const python = await measured<PlainVerifier>("python3", words, env);
    return { ...python, millis: performance.now() - start };
  };
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
export async function measured<M = Measured>(
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): Promise<M> {
  const { stdout } = await promisify(execFile)(program, args, { env });
  return JSON.parse(stdout) as M;
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
