import type { Worker } from "./worker.ts";

/** Logged whenever a worker joins: `[2026-11-21 04:00:00,123] … Assignment{…, leaderUrl='http://127.0.0.1:20001/', …`. */
const ASSIGNMENT = /^\[([\d :,-]+)\].*leaderUrl='([^']+?)\/?'/gm;

/** REST does not tell who leads; the workers' logs do. @returns its index. @throws where none has joined a group. */
export function leaderOf(workers: readonly Worker[]): number {
  const seen = workers
    .filter((worker) => worker.process.alive())
    .flatMap((worker) => [...worker.process.log().matchAll(ASSIGNMENT)])
    .map(([, time = "", url = ""]) => ({ time, url }))
    .sort((a, b) => (a.time < b.time ? -1 : 1))
    .at(-1);
  const index = workers.findIndex((worker) => worker.url === seen?.url);
  if (index < 0) throw new Error(`no worker knows a leader (last heard of: ${seen?.url})`);
  return index;
}
