import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { examineRedo, logsToProbe, type RedoQuestion } from "../core/facts/redo/redo.ts";
import type { ArchivedLog, RedoCatalogue } from "../schemas/generated/facts.ts";
import { median, type Result } from "./result.ts";

/**
 * Measures the redo analysis of large catalogues, with everything already fetched: two threads, one in a hundred
 * thousand sequences missing, a copy of every tenth log under another destination. The peer is a straightforward
 * implementation of the same gap search: plain objects, a `Map` keyed by text.
 */
const SIZES = [100_000, 1_000_000] as const;
const WARM_UP = 3;
const ROUNDS = 9;
/** Seconds for a million rows. */
const LIMIT = 0.25;
/**
 * Maximum cost of a row of the larger catalogue relative to the smaller one: allows for cache effects, but not for a
 * higher order of growth.
 */
const LINEAR = 1.5;

export function benchRedo(): readonly Result[] {
  const catalogues = SIZES.map(catalogueOf);
  const intact = timeAll(catalogues, (catalogue) => {
    const question = questionOf(catalogue);
    const probes = logsToProbe(catalogue, question).map((file) => ({ file, opened: true }) as const);
    if (examineRedo(catalogue, question, probes).faults.length !== gapsByText(catalogue.archived))
      throw new Error("the peer finds other gaps");
    return {
      analysis: () => examineRedo(catalogue, question, probes),
      "files to probe": () => logsToProbe(catalogue, question),
      peer: () => gapsByText(catalogue.archived),
    };
  });
  const purged = timeAll(catalogues, (catalogue) => {
    purge(catalogue);
    const question = questionOf(catalogue);
    return {
      "every log purged": () => examineRedo(catalogue, question, undefined),
      peer: () => gapsByText(catalogue.archived),
    };
  });
  const rows = catalogues.map(({ archived }) => archived.length);
  const results = [...intact, ...purged].flatMap(({ what, size, seconds, processor, peer }): readonly Result[] => {
    if (what === "peer") return [];
    const million = (seconds * 1e6) / (rows[size] ?? 0);
    return [
      {
        what: `redo: ${what}`,
        input: `${rows[size]} rows`,
        measured: `${seconds.toFixed(3)} s, ${million.toFixed(3)} s a million (processor time ${processor.toFixed(3)} s)`,
        peer: `Map by text: ${peer.toFixed(3)} s`,
        ratio: `${(seconds / peer).toFixed(2)} x`,
        ...(what === "analysis" ? { bar: { text: `${LIMIT} s a million`, holds: million <= LIMIT } } : {}),
      },
    ];
  });
  const [small = Number.NaN, large = Number.NaN] = intact
    .filter(({ what }) => what === "analysis")
    .map(({ seconds, size }) => (seconds * 1e9) / (rows[size] ?? 0));
  return [
    ...results,
    {
      what: "redo: analysis of a row",
      input: `of ${rows[1]}`,
      measured: `${large.toFixed(0)} ns`,
      peer: `of ${rows[0]}: ${small.toFixed(0)} ns`,
      ratio: `${(large / small).toFixed(2)} x`,
      bar: { text: `${LINEAR} x`, holds: large / small <= LINEAR },
    },
  ];
}

interface Timed {
  readonly what: string;
  /** The catalogue's name. */
  readonly size: number;
  /** Median of the rounds after the warm-up. */
  readonly seconds: number;
  /** Processor time, including that of the garbage collector's threads. */
  readonly processor: number;
  /** The peer's time, over the same catalogue. */
  readonly peer: number;
}

function timeAll(
  catalogues: readonly RedoCatalogue[],
  workOf: (catalogue: RedoCatalogue) => Readonly<Record<string, () => unknown>>,
): readonly Timed[] {
  const works = catalogues.flatMap((catalogue, size) =>
    Object.entries(workOf(catalogue)).map(([what, work]) => ({ what, size, work })),
  );
  const timed = works.map(({ what, size, work }) => ({ what, size, ...timesOf(work) }));
  const peerOf = (size: number) => timed.find((one) => one.what === "peer" && one.size === size)?.seconds ?? Number.NaN;
  return timed.map((one) => ({ ...one, peer: peerOf(one.size) }));
}

function timesOf(work: () => unknown): Pick<Timed, "seconds" | "processor"> {
  // Garbage of earlier runs must not be measured here.
  collectGarbage();
  const times: number[] = [];
  const processor: number[] = [];
  for (let round = 0; round < WARM_UP + ROUNDS; round++) {
    const cpu = process.cpuUsage();
    const start = process.hrtime.bigint();
    work();
    const seconds = Number(process.hrtime.bigint() - start) / 1e9;
    const { user, system } = process.cpuUsage(cpu);
    if (round < WARM_UP) continue;
    times.push(seconds);
    processor.push((user + system) / 1e6);
  }
  return { seconds: median(times), processor: median(processor) };
}

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

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

/** Purges in place, once: a second catalogue would be measured as garbage collection. */
function purge(catalogue: RedoCatalogue): void {
  for (const log of catalogue.archived) Object.assign(log, { deleted: true });
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

/** Counts gaps between sequences in the simplest way. */
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
