import { CallFailed } from "../../core/errors.ts";
import type { OraclePort } from "../../core/ports/oracle.ts";
import type { Scn } from "../../core/values/scn.ts";
import type { ArchivedLog, LogProbe, ScnTime } from "../../schemas/generated/facts.ts";

/**
 * Shares one database between concurrent observations: identical reads are made once, and each observation receives its
 * part, as if it had made the read alone. The sessions are those of `oracle`. The first call is made alone: if the
 * login is refused, it is not tried again, and every observation fails with the same error.
 *
 * @param begin no call is made before it resolves: an answer must not be older than what an observation has read before
 * it
 */
export function sharedReads(oracle: OraclePort, begin: Promise<void>): OraclePort {
  const kept = new Map<string, Promise<unknown>>();
  const keep = <T>(what: string, read: () => Promise<T>): Promise<T> => {
    const known = kept.get(what) as Promise<T> | undefined;
    if (known !== undefined) return known;
    const reading = read();
    kept.set(what, reading);
    return reading;
  };
  const first = () => keep("database", () => begin.then(() => oracle.database()));
  const once = <T>(what: string, read: () => Promise<T>): Promise<T> => keep(what, () => first().then(read));

  let widest: { readonly from: Scn; readonly logs: Promise<readonly ArchivedLog[]> } | undefined;
  const archivedLogs = batched(async (froms: readonly Scn[]) => {
    await first();
    const from = froms.reduce((lowest, one) => (one < lowest ? one : lowest));
    if (widest === undefined || from < widest.from) widest = { from, logs: oracle.archivedLogs(from) };
    const logs = await widest.logs;
    return froms.map((one) => logs.filter(({ nextScn }) => nextScn > one));
  });

  const times = new Map<Scn, ScnTime>();
  const timesOf = batched(async (lists: readonly (readonly Scn[])[]) => {
    await first();
    const asked = [...new Set(lists.flat())].filter((scn) => !times.has(scn));
    for (const time of asked.length === 0 ? [] : await oracle.timesOf(asked)) times.set(time.scn, time);
    return lists.map((scns) => scns.map((scn) => times.get(scn) ?? missing(`the time of ${scn}`)));
  });

  const probes = new Map<string, LogProbe>();
  const probeLogs = batched(async (lists: readonly (readonly string[])[]) => {
    await first();
    const asked = [...new Set(lists.flat())].filter((file) => !probes.has(file));
    for (const probe of asked.length === 0 ? [] : await oracle.probeLogs(asked)) probes.set(probe.file, probe);
    return lists.map((files) => files.map((file) => probes.get(file) ?? missing(`the probe of ${file}`)));
  });

  // Each opens a session of its own.
  let turn: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(read: () => Promise<T>): Promise<T> => {
    const reading = Promise.all([first(), turn]).then(read);
    turn = reading.catch(() => undefined);
    return reading;
  };

  return {
    ...oracle,
    database: first,
    threads: () => once("threads", () => oracle.threads()),
    destinations: () => once("destinations", () => oracle.destinations()),
    archivedLogs,
    onlineLogs: (current) => once(`online logs at ${current}`, () => oracle.onlineLogs(current)),
    openTransactions: () => once("open transactions", () => oracle.openTransactions()),
    containers: () => once("containers", () => oracle.containers()),
    timesOf,
    scnAt: (instant) => once(`SCN at ${instant}`, () => oracle.scnAt(instant)),
    probeLogs,
    dictionary: (pdbs) => once(`dictionary ${JSON.stringify(pdbs)}`, () => oracle.dictionary(pdbs)),
    lastDdl: (pdbs) => once(`last DDL ${JSON.stringify(pdbs)}`, () => oracle.lastDdl(pdbs)),
    activity: (pdbs) => once(`activity ${JSON.stringify(pdbs)}`, () => oracle.activity(pdbs)),
    rowScns: (tables) => inTurn(() => oracle.rowScns(tables)),
  };
}

/**
 * Collects the questions of one turn of the event loop and asks them together. If they are rejected together, they are
 * asked one by one: a problem of one question must not fail the others.
 */
function batched<Q, A>(answer: (questions: readonly Q[]) => Promise<readonly A[]>): (question: Q) => Promise<A> {
  interface Waiting {
    readonly question: Q;
    readonly resolve: (answer: A) => void;
    readonly reject: (why: unknown) => void;
  }
  const ask = (all: readonly Waiting[]): void => {
    answer(all.map(({ question }) => question)).then(
      (answers) => {
        for (const [at, one] of all.entries()) one.resolve(answers[at] as A);
      },
      (error: unknown) => {
        if (all.length > 1 && error instanceof CallFailed && error.kind === "rejected")
          for (const one of all) ask([one]);
        else for (const one of all) one.reject(error);
      },
    );
  };
  let waiting: Waiting[] = [];
  return (question) =>
    new Promise((resolve, reject) => {
      if (waiting.length === 0)
        setImmediate(() => {
          const all = waiting;
          waiting = [];
          ask(all);
        });
      waiting.push({ question, resolve, reject });
    });
}

function missing(what: string): never {
  throw new Error(`${what} was asked for and not answered`);
}
