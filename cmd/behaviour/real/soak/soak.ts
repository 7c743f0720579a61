import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Cluster, type ClusterKind, labelOf, startCluster } from "./cluster.ts";
import { violations } from "./invariants.ts";
import { readJournals } from "./journals.ts";
import { type Chance, chance } from "./random.ts";
import { printStory, type Story } from "./story.ts";
import type { TrialKind } from "./trials.ts";

/** The result of one kind of trial on one cluster. */
export interface Row {
  readonly kind: string;
  readonly cluster: string;
  trials: number;
  failures: number;
  millis: number;
}

export interface SoakOptions {
  readonly seed: string;
  readonly kinds: readonly TrialKind[];
  /** Which clusters of theirs; all when left out. */
  readonly on?: (cluster: ClusterKind) => boolean;
  /** Total duration. Every kind gets its share, and a started round is finished. */
  readonly millis: number;
  /** No more trials of a kind on one cluster than this; its share of the kind's bar when left out. */
  readonly trials?: number;
  /** How many connectors at the same time. */
  readonly width: number;
  /** Folder for transcripts of failed trials; with `keepAll`, of every trial. */
  readonly folder: string;
  readonly keepAll?: boolean;
  readonly log: (line: string) => void;
}

/**
 * Runs the trials cluster by cluster, so that one start serves every kind that takes place there. A failure is written
 * down, and it goes on.
 */
export async function soak(options: SoakOptions): Promise<readonly Row[]> {
  const { kinds, on = () => true, seed, log } = options;
  const clusters = new Map<string, ClusterKind>();
  for (const kind of kinds) for (const of of kind.clusters) if (on(of)) clusters.set(labelOf(of), of);
  const here = (of: ClusterKind) => kinds.filter((kind) => kind.clusters.some((one) => labelOf(one) === labelOf(of)));
  let parts = [...clusters.values()].reduce((sum, of) => sum + here(of).length, 0);
  const end = performance.now() + options.millis;
  const rows: Row[] = [];
  for (const clusterKind of clusters.values()) {
    if (performance.now() >= end) {
      rows.push({ kind: "(no time left)", cluster: labelOf(clusterKind), trials: 0, failures: 0, millis: 0 });
      continue;
    }
    log(`${labelOf(clusterKind)} starts`);
    let cluster: Cluster | undefined;
    try {
      cluster = await startCluster(clusterKind, seed);
      for (const kind of here(clusterKind)) {
        const share = (end - performance.now()) / parts--;
        rows.push(await runKind(kind, cluster, performance.now() + share, options));
      }
    } catch (error) {
      // The cluster itself fails; the others may work.
      rows.push({ kind: "(cluster)", cluster: labelOf(clusterKind), trials: 0, failures: 1, millis: 0 });
      log(`${labelOf(clusterKind)} gave up: ${error instanceof Error ? error.stack : error}`);
    } finally {
      await cluster?.stop();
    }
  }
  return rows;
}

async function runKind(kind: TrialKind, cluster: Cluster, end: number, options: SoakOptions): Promise<Row> {
  const { seed, width, log } = options;
  const begun = performance.now();
  const most = options.trials ?? Math.ceil(kind.bar / kind.clusters.length);
  const row: Row = { kind: kind.name, cluster: cluster.label, trials: 0, failures: 0, millis: 0 };
  let rounds = 0;
  let underWay = 0;
  const size = kind.connectors ?? width;
  const lane = async (): Promise<void> => {
    for (let first = true; row.trials + underWay < most && (first || performance.now() < end); first = false) {
      underWay += size;
      await round(chance(`${seed}/${cluster.label}/${kind.name}/${rounds++}`));
      underWay -= size;
    }
  };
  const round = async (random: Chance): Promise<void> => {
    const stories = await kind.round(cluster, random, Math.min(size, Math.max(1, most - row.trials)));
    await cluster.truth.caughtUp();
    for (const story of stories) {
      await readJournals(story);
      for (const operator of story.operators) await operator.leave();
      const wrong = violations(story);
      row.trials++;
      if (wrong.length > 0) {
        row.failures++;
        log(`FAIL ${kind.name} ${story.trial}: ${wrong.join("\n     ")}\n     ${await keep(story, wrong, options)}`);
      } else if (options.keepAll === true) await keep(story, wrong, options);
      await cluster.giveBack(story, wrong.length === 0 && story.allows.open !== true);
    }
    row.millis = performance.now() - begun;
    log(`${kind.name}, ${cluster.label}: ${row.trials} trials, ${row.failures} failures, ${minutes(row.millis)} min`);
  };
  await Promise.all(Array.from({ length: Math.max(1, Math.floor(width / size)) }, lane));
  return row;
}

async function keep(story: Story, wrong: readonly string[], { folder }: SoakOptions): Promise<string> {
  await mkdir(folder, { recursive: true });
  const path = join(folder, `${story.kind} ${story.trial}.txt`.replace(/[^\w.]+/g, "-"));
  await writeFile(path, printStory({ ...story, wrong: [...wrong] }));
  return path;
}

/** One line a kind and cluster, and the sums. */
export function table(rows: readonly Row[]): string {
  const sum = (of: "trials" | "failures" | "millis") => rows.reduce((all, row) => all + row[of], 0);
  const lines = [
    ["kind", "cluster", "trials", "failures", "minutes"],
    ...rows.map((row) => [row.kind, row.cluster, `${row.trials}`, `${row.failures}`, minutes(row.millis)]),
    ["all", "", `${sum("trials")}`, `${sum("failures")}`, minutes(sum("millis"))],
  ];
  const widths = [0, 1, 2, 3, 4].map((column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines
    .map((line) =>
      line.map((cell, i) => (i < 2 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join("  "),
    )
    .join("\n");
}

const minutes = (millis: number): string => (millis / 60_000).toFixed(1);
