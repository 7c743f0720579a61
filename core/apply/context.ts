import type { ComparedCounts } from "../../schemas/generated/facts.ts";
import type { MigrationIntent } from "../document/intent.ts";
import type { VerifiedTable } from "../facts/tables/verified-table.ts";
import type { Facts } from "../kinds/facts.ts";
import type { Clock } from "../ports/clock.ts";
import type { ConnectPort } from "../ports/connect.ts";
import type { KafkaPort } from "../ports/kafka.ts";
import type { OraclePort } from "../ports/oracle.ts";
import type { JournalWriter } from "../ports/state.ts";
import type { World } from "../ports/world.ts";
import type { JournalEntry, JournalEvent } from "../run/journal.ts";
import { type RunState, runState } from "../run/state.ts";
import type { Instant } from "../values/instant.ts";

/** How long `apply` waits; milliseconds. */
export interface WaitLimits {
  /** `--stop-timeout`: until the connector has stopped. */
  readonly stop: number;
  /** `--settle`: how long the offset has to stay unchanged after a slow stop. */
  readonly settle: number;
  /** `--resume-timeout`: until the first commit after a resume. */
  readonly resume: number;
  /** How long a call that changes something is retried until it is answered. */
  readonly patch: number;
  /**
   * How long to search for a signal that may be on its way before it counts as not written: a second signal would mean
   * a second snapshot.
   */
  readonly signal: number;
}

export const WAIT_LIMITS: WaitLimits = {
  stop: 600_000,
  settle: 30_000,
  resume: 300_000,
  patch: 180_000,
  signal: 5000,
};

/** The result of a verification. */
export interface Verified {
  /** Whether every table passed. */
  readonly passed: boolean;
  /** `2 tables passed`, `1 of 2 tables failed: …`. */
  readonly sentence: string;
  readonly tables: readonly string[];
  readonly counts: ComparedCounts;
  readonly evidence: { readonly file: string; readonly digest: string; readonly writtenAt: Instant };
}

/** A wait in progress; milliseconds. */
export interface Waiting {
  /** The status observed meanwhile: `RUNNING, task 0 RUNNING`. */
  readonly seen?: string;
  readonly elapsed: number;
  readonly limit: number;
}

/**
 * Everything that a run works with. The journal is its only memory: `state()` is always the fold of the entries on
 * disk.
 */
export interface RunContext {
  readonly run: string;
  readonly operator: string;
  readonly connect: ConnectPort;
  readonly kafka: KafkaPort;
  readonly oracle: OraclePort;
  readonly clock: Clock;
  readonly redact: World["redact"];
  readonly limits: WaitLimits;
  /** Observes everything again, as a plan does. */
  observe(): Promise<Facts>;
  /**
   * For a cutover: the new connector's configuration without its start SCN, as sent to the workers. Contains secrets:
   * never recorded, never reported.
   */
  newConfiguration(intent: MigrationIntent): Promise<Readonly<Record<string, string>>>;
  /**
   * For a verification: compares tables with the topics in the plan, and writes the evidence file. May take long; it
   * can be resumed.
   */
  verify(intent: MigrationIntent, tables: readonly VerifiedTable[]): Promise<Verified>;
  /** Appends an entry; it is on disk when the promise resolves. */
  record(event: JournalEvent): Promise<void>;
  /** @throws CallFailed if another process has continued the journal */
  demandJournal(): Promise<void>;
  state(): RunState;
  /** One line of progress for the operator, besides what the journal records of the steps. */
  report(line: string): void;
  /** Called at every poll of a wait that is not over yet. */
  waiting?(wait: Waiting): void;
  /** Whether an interrupted run is being resumed. */
  readonly recovering: boolean;
  /**
   * Whether the move of a run that was taken over from the ops topic was checked against the current state in this
   * attempt.
   */
  readonly moveChecked?: boolean;
  /** Whether nobody was asked, as a recovery seemed only to record: no call that changes something is sent. */
  readonly unasked?: boolean;
  /** Aborted by Ctrl-C or SIGTERM: waits end early, and no further step is begun. */
  readonly interrupt: AbortSignal;
}

/**
 * A write-through journal: the state is folded from the entries that were appended.
 *
 * @param recorded called after each entry that is on disk
 */
export function recorder(
  writer: JournalWriter,
  clock: Clock,
  entries: JournalEntry[],
  recorded?: () => void,
): Pick<RunContext, "record" | "demandJournal" | "state"> {
  return {
    demandJournal: () => writer.demandOwn(),
    async record(event) {
      const entry: JournalEntry = { seq: BigInt(entries.length), at: clock.now(), ...event };
      await writer.append(entry);
      entries.push(entry);
      recorded?.();
    },
    state() {
      const state = runState(entries);
      if (state === undefined) throw new Error("a run without its first journal entry");
      return state;
    },
  };
}

/** The operator asked to stop. Not a failure: the run can be resumed. */
export class Interrupted extends Error {
  override readonly name = "Interrupted";
}

/**
 * Polls `look` until it gives a value. Between polls it waits, longer and longer up to a second.
 *
 * @param showing the status observed meanwhile, for progress reports
 * @param longest the longest pause between two polls, milliseconds
 * @returns undefined when `limit` milliseconds have passed without a value
 * @throws Interrupted when the operator asks to stop
 */
export async function until<T>(
  ctx: RunContext,
  limit: number,
  read: () => Promise<T | undefined>,
  showing?: () => string,
  longest = 1000,
): Promise<T | undefined> {
  const start = ctx.clock.elapsed();
  for (let pause = 50; ; pause = Math.min(pause * 1.5, longest)) {
    const found = await read();
    if (found !== undefined) return found;
    if (ctx.interrupt.aborted) throw new Interrupted("interrupted while waiting");
    const waited = ctx.clock.elapsed() - start;
    const left = limit - waited;
    if (left <= 0) return undefined;
    ctx.waiting?.({ ...(showing === undefined ? {} : { seen: showing() }), elapsed: waited, limit });
    await ctx.clock.sleep(Math.min(pause, left), ctx.interrupt);
  }
}
