import { pathToFileURL } from "node:url";
import type { ArchivedLog } from "../core/facts/redo.ts";
import { examineRedo, logsToProbe, type RedoCatalogue, type RedoQuestion } from "../core/facts/redo-examination.ts";

/**
 * The redo analysis over large catalogues, with everything fetched already: two threads, one sequence in a hundred thousand gone, a twin of
 * every tenth log under another destination. Beside it the same gap pass as one would write it first: plain objects, a `Map` by text.
 */
const SIZES = [100_000, 1_000_000] as const;
const ROUNDS = 5;
/** Seconds for a million rows. */
const LIMIT = 0.25;

export async function bench(): Promise<void> {
  const print = (line: string) => process.stdout.write(`${line}\n`);
  const perMillion: number[] = [];
  for (const size of SIZES) {
    const catalogue = catalogueOf(size);
    const question = questionOf(catalogue);
    const rows = catalogue.archived.length;
    const probes = logsToProbe(catalogue, question).map((file) => ({ file, opened: true }) as const);
    const examined = seconds(() => examineRedo(catalogue, question, probes));
    const found = examineRedo(catalogue, question, probes).faults.length;
    const listed = seconds(() => logsToProbe(catalogue, question));
    const peer = seconds(() => gapsByText(catalogue.archived));
    if (found !== gapsByText(catalogue.archived)) throw new Error("the peer finds other gaps");
    const purged = seconds(() => examineRedo(purge(catalogue), question, undefined));
    perMillion.push((examined * 1e6) / rows);
    print(
      `redo analysis      ${rows} rows  ${show(examined)} s  ${show((examined * 1e6) / rows)} s a million  (${found} gaps)`,
    );
    print(`  every log purged ${rows} rows  ${show(purged)} s  ${show((purged * 1e6) / rows)} s a million`);
    print(
      `  files to probe   ${rows} rows  ${show(listed)} s  ${show((listed * 1e6) / rows)} s a million  (${probes.length} files)`,
    );
    print(`  peer: Map by text ${rows} rows  ${show(peer)} s  ratio ${show(examined / peer)}`);
  }
  const [small = 0, large = 0] = perMillion;
  print(`redo analysis      a row of ${SIZES[1]} costs ${show(large / small)} times one of ${SIZES[0]}`);
  print(`redo analysis      ${show(large)} s a million, limit ${LIMIT} s: ${large <= LIMIT ? "kept" : "NOT KEPT"}`);
  if (large > LIMIT) process.exitCode = 1;
}

/** The best of some rounds: neither a cold start nor what else the machine does is the work's own cost. */
function seconds(work: () => unknown): number {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const start = process.hrtime.bigint();
    work();
    times.push(Number(process.hrtime.bigint() - start) / 1e9);
  }
  return Math.min(...times);
}

function show(value: number): string {
  return value.toFixed(3);
}

function catalogueOf(size: number): RedoCatalogue {
  const archived: ArchivedLog[] = [];
  const perThread = Math.floor(size / 2.2);
  for (const thread of [1n, 2n]) {
    for (let i = 1; i <= perThread; i++) {
      const sequence = BigInt(i);
      if (i % 100_000 === 50_000 || i === 777) continue;
      const row: ArchivedLog = {
        thread,
        sequence,
        firstScn: 10n ** 12n + sequence * 1000n,
        nextScn: 10n ** 12n + sequence * 1000n + 1000n,
        name: `/u01/app/oracle/fast_recovery_area/ORCLCDB/archivelog/${thread}_${i}_1070893.arc`,
        status: "A",
        deleted: false,
        destination: 1n,
        standby: false,
        resetlogsScn: 1n,
        bytes: 209_715_200n,
        firstTime: "2026-11-20T18:30:00Z",
        nextTime: "2026-11-20T18:31:00Z",
      };
      archived.push(row);
      if (i % 10 === 0) archived.push({ ...row, destination: 2n, name: `/copy/${thread}_${i}.arc` });
    }
  }
  const last = BigInt(perThread);
  return {
    threads: [1n, 2n].map((thread) => ({
      thread,
      enabled: "PUBLIC",
      status: "OPEN",
      sequence: last + 1n,
      enableScn: 1n,
      disableScn: undefined,
    })),
    destinations: [1n, 2n].map((id) => ({ id, name: `LOG_ARCHIVE_DEST_${id}`, status: "VALID", type: "LOCAL" })),
    archived,
    online: [1n, 2n].map((thread) => ({
      thread,
      sequence: last + 1n,
      firstScn: 10n ** 12n + (last + 1n) * 1000n,
      nextScn: undefined,
      status: "CURRENT",
      archived: false,
      member: `/u01/oradata/redo0${thread}.log`,
      bytes: 209_715_200n,
    })),
  };
}

/** In place, once: a second catalogue would be measured as garbage collection. */
function purge(catalogue: RedoCatalogue): RedoCatalogue {
  if (catalogue.archived[0]?.deleted === false)
    for (const log of catalogue.archived) Object.assign(log, { deleted: true });
  return catalogue;
}

function questionOf({ threads }: RedoCatalogue): RedoQuestion {
  const last = threads[0]?.sequence ?? 0n;
  return {
    from: 10n ** 12n + 1000n,
    currentScn: 10n ** 12n + last * 1000n + 5n,
    resetlogsScn: 1n,
    captureMode: "online",
    destination: undefined,
  };
}

/** How many gaps there are between sequences, the first way that comes to mind. */
function gapsByText(rows: readonly ArchivedLog[]): number {
  const logs = new Map<string, { thread: string; sequence: number; readable: boolean }>();
  for (const row of rows) {
    if (row.destination !== 1n || row.standby || row.resetlogsScn !== 1n) continue;
    const key = `${row.thread}:${row.sequence}`;
    if (logs.get(key)?.readable) continue;
    logs.set(key, { thread: `${row.thread}`, sequence: Number(row.sequence), readable: !row.deleted });
  }
  const sorted = [...logs.values()].sort((a, b) => a.thread.localeCompare(b.thread) || a.sequence - b.sequence);
  return sorted.filter((log, i) => {
    const before = sorted[i - 1];
    return before?.thread === log.thread && log.sequence !== before.sequence + 1;
  }).length;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) await bench();
