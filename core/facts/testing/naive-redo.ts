import type { ArchivedLog, LogProbe, RedoCatalogue } from "../../../schemas/generated/facts.ts";
import type { Scn } from "../../values/scn.ts";
import type { RedoQuestion } from "../redo/redo.ts";

/**
 * The rules of "Is the redo from an SCN to now all present?" once more, as slow and as plain as can be: every SCN is
 * asked by itself, every question goes over all rows. Written from the rules, not from the analysis that it judges.
 */
export interface NaiveAnswer {
  readonly complete: boolean;
  readonly end: Scn;
  /** `thread/sequence` of every log that is there but of no use, and of every one missing between two others. */
  readonly unreadable: ReadonlySet<string>;
  readonly missing: ReadonlySet<string>;
  /** Threads without any log, with one that begins too late, or ends too early. */
  readonly none: ReadonlySet<string>;
  readonly late: ReadonlySet<string>;
  readonly early: ReadonlySet<string>;
  /** Every file that would be mined. */
  readonly files: ReadonlySet<string>;
}

interface NaiveLog {
  readonly sequence: bigint;
  readonly first: Scn;
  readonly next: Scn;
  /** Undefined: no use. */
  readonly file: string | undefined;
}

const NEVER = 10n ** 6n;

export function naive(
  catalogue: RedoCatalogue,
  question: RedoQuestion,
  probes: readonly LogProbe[] | undefined,
  at: Scn = question.from,
): NaiveAnswer | undefined {
  const destination = catalogue.destinations
    .filter(({ status, type }) => status === "VALID" && type === "LOCAL")
    .filter(({ name }) => question.destination === undefined || name === question.destination)
    .sort((a, b) => Number(a.id - b.id))[0];
  if (destination === undefined) return undefined;
  const rows = catalogue.archived.filter(
    (row) => row.destination === destination.id && !row.standby && row.resetlogsScn === question.resetlogsScn,
  );
  const numbers = [...new Set([...catalogue.threads, ...rows].map(({ thread }) => thread))];
  const end = endOf(catalogue, question, rows, numbers);
  const answer = {
    unreadable: new Set<string>(),
    missing: new Set<string>(),
    none: new Set<string>(),
    late: new Set<string>(),
    early: new Set<string>(),
  };
  const files = new Set<string>();
  let enabled = 0;
  for (const number of numbers) {
    const logs = logsOf(catalogue, question, rows, number);
    for (const [since, until] of enabledOf(catalogue, question, rows, number)) {
      let to = question.captureMode === "online" ? max(end, question.from) : end;
      if (question.captureMode === "archive_only")
        for (const log of logs) if (log.file === undefined) to = max(to, log.next - 1n);
      const [low, high] = [max(at, since), least([until, to])];
      if (low > high) continue;
      enabled++;
      const needed = logs.filter((log) => log.next > low && log.first <= high);
      const [first, last] = [needed[0], needed[needed.length - 1]];
      if (first === undefined || last === undefined) {
        answer.none.add(`${number}`);
        continue;
      }
      if (first.first > low) answer.late.add(`${number}`);
      if (last.next <= high) answer.early.add(`${number}`);
      for (let sequence = first.sequence; sequence <= last.sequence; sequence++)
        if (!logs.some((log) => log.sequence === sequence)) answer.missing.add(`${number}/${sequence}`);
      for (const { file } of needed) if (file !== undefined) files.add(file);
      for (const log of needed)
        if (log.file === undefined || probes?.some((probe) => probe.file === log.file && !probe.opened))
          answer.unreadable.add(`${number}/${log.sequence}`);
    }
  }
  const faultless = Object.values(answer).every((set) => set.size === 0);
  return { ...answer, files, end, complete: faultless && enabled > 0 && at >= question.resetlogsScn };
}

/** Asks every SCN from `from` on; one at which no thread was enabled is none to begin at. */
export function naiveFirst(
  catalogue: RedoCatalogue,
  question: RedoQuestion,
  probes: readonly LogProbe[] | undefined,
  from: Scn,
): Scn | undefined {
  for (let scn = from; ; scn++) {
    const answer = naive(catalogue, question, probes, scn);
    if (answer === undefined || scn > answer.end) return undefined;
    if (answer.complete && someThreadEnabled(catalogue, question, scn)) return scn;
  }
}

function someThreadEnabled(catalogue: RedoCatalogue, question: RedoQuestion, scn: Scn): boolean {
  const only = { ...question, from: scn };
  const destination = catalogue.destinations.filter(({ status, type }) => status === "VALID" && type === "LOCAL");
  const used = question.destination
    ? destination.find(({ name }) => name === question.destination)
    : destination.sort((a, b) => Number(a.id - b.id))[0];
  const rows = catalogue.archived.filter(
    (row) => row.destination === used?.id && !row.standby && row.resetlogsScn === question.resetlogsScn,
  );
  return [...new Set([...catalogue.threads, ...rows].map(({ thread }) => thread))].some((number) =>
    enabledOf(catalogue, only, rows, number).some(([since, until]) => since <= scn && scn <= until),
  );
}

function enabledOf(
  catalogue: RedoCatalogue,
  { resetlogsScn }: RedoQuestion,
  rows: readonly ArchivedLog[],
  number: bigint,
): readonly (readonly [Scn, Scn])[] {
  const thread = catalogue.threads.find((one) => one.thread === number);
  if (thread === undefined) {
    const own = rows.filter((row) => row.thread === number);
    const chosen = [...new Set(own.map(({ sequence }) => sequence))].flatMap((sequence) => {
      const same = own.filter((row) => row.sequence === sequence);
      return same.find(usable) ?? same[0] ?? [];
    });
    return [[least(chosen.map(({ firstScn }) => firstScn)), greatest(chosen.map(({ nextScn }) => nextScn)) - 1n]];
  }
  const since = max(thread.enableScn, resetlogsScn);
  const { disableScn } = thread;
  if (thread.enabled === "DISABLED") {
    if (disableScn === undefined) return [];
    return disableScn > thread.enableScn ? [[since, disableScn - 1n]] : [[resetlogsScn, disableScn - 1n]];
  }
  if (disableScn === undefined || disableScn > thread.enableScn) return [[since, NEVER]];
  return [
    [resetlogsScn, disableScn - 1n],
    [since, NEVER],
  ];
}

function endOf(
  catalogue: RedoCatalogue,
  question: RedoQuestion,
  rows: readonly ArchivedLog[],
  numbers: readonly bigint[],
): Scn {
  if (question.captureMode === "online") return question.currentScn;
  const ends: Scn[] = [];
  const closed: Scn[] = [];
  for (const number of numbers) {
    const spans = enabledOf(catalogue, question, rows, number);
    const span = spans[spans.length - 1];
    if (span === undefined || span[1] < question.from) continue;
    const readable = logsOf(catalogue, question, rows, number).filter(({ file }) => file !== undefined);
    const highest = greatest([0n, ...readable.map(({ next }) => next)]);
    if (span[1] < NEVER && highest > span[1]) closed.push(span[1]);
    else ends.push(max(highest, span[0]) - 1n);
  }
  const end = ends.length > 0 ? least(ends) : greatest([question.from, ...closed]);
  return max(least([end, question.currentScn]), question.from);
}

function logsOf(
  catalogue: RedoCatalogue,
  question: RedoQuestion,
  rows: readonly ArchivedLog[],
  number: bigint,
): readonly NaiveLog[] {
  const all: NaiveLog[] = [];
  const numbered = [...rows, ...catalogue.online].filter(({ thread }) => thread === number);
  const sequences = [...new Set(numbered.map(({ sequence }) => sequence))].sort((a, b) => Number(a - b));
  for (const sequence of sequences) {
    const same = rows.filter((row) => row.thread === number && row.sequence === sequence);
    const row = same.find(usable) ?? same[0];
    const group = catalogue.online.find(
      (one) =>
        question.captureMode === "online" &&
        one.thread === number &&
        one.sequence === sequence &&
        (!one.archived || rows.every((other) => other.thread !== number || other.sequence < sequence)) &&
        !["UNUSED", "CLEARING"].includes(one.status),
    );
    const fromArchive = row && {
      sequence,
      first: row.firstScn,
      next: row.nextScn,
      file: usable(row) ? row.name : undefined,
    };
    const fromOnline = group && { sequence, first: group.firstScn, next: group.nextScn ?? NEVER, file: group.member };
    const readable = [fromArchive, fromOnline].find((one) => one?.file !== undefined);
    const log = readable ?? fromArchive ?? fromOnline;
    if (log !== undefined) all.push(log);
  }
  return all;
}

function usable({ deleted, status, name }: ArchivedLog): boolean {
  return !deleted && !["D", "X"].includes(status) && name !== undefined;
}

function max(a: Scn, b: Scn): Scn {
  return a > b ? a : b;
}

function least(all: readonly Scn[]): Scn {
  return [...all].sort((a, b) => Number(a - b))[0] ?? 0n;
}

function greatest(all: readonly Scn[]): Scn {
  return [...all].sort((a, b) => Number(b - a))[0] ?? 0n;
}
