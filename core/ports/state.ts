import type { JournalEntry } from "../run/journal.ts";
import type { UnreadableJournal } from "../run/read-journal.ts";
import type { Instant } from "../values/instant.ts";

export interface RunKey {
  readonly clusterId: string;
  readonly connector: string;
  /** `2026-11-21T09-15-40Z-7f3a`. Its time is the machine's: the order of runs is `inOrder`. */
  readonly run: string;
}

/** Which runs: of one connector or cluster when given. */
export type RunFilter = { readonly clusterId?: string; readonly connector?: string };

/** A cdcctl process that works on a connector. */
export interface LockHolder {
  readonly host: string;
  readonly user: string;
  readonly pid: number;
  /** `apply`, `recover`. */
  readonly command: string;
  /** When it began, by its host's clock. */
  readonly at: Instant;
}

/** Local state: one append-only journal a run, and one lock a connector. */
export interface StatePort {
  /** Where the state lives, for messages. */
  readonly place: string;
  /**
   * @throws Refusal `STA701` naming host, user, pid and time if another process holds it; takes over a lock left by a
   * dead process of this host.
   */
  lock(connector: { readonly clusterId: string; readonly connector: string }, command: string): Promise<Lock>;
  /**
   * The current holder of that lock; undefined if it is free, was left by a dead process of this host, or can't be
   * read.
   */
  holder(connector: { readonly clusterId: string; readonly connector: string }): Promise<LockHolder | undefined>;
  /** Creates the journal of a new run; fails when it exists. */
  create(key: RunKey): Promise<JournalWriter>;
  /** Opens a journal to append to it; removes a torn last line first. @throws CallFailed for one that can't be read. */
  open(key: RunKey): Promise<JournalWriter>;
  /**
   * Entries of one run; a torn last line is omitted. @throws CallFailed for a journal that is damaged or of another
   * version.
   */
  read(key: RunKey): Promise<readonly JournalEntry[]>;
  /**
   * The runs, by name; restricted to one connector or cluster when given. Files that are not cdcctl's are ignored.
   *
   * @throws CallFailed if the folder of the one connector that is asked for can't be read
   */
  list(of?: RunFilter): Promise<readonly RunKey[]>;
  /** Reads every journal. An unreadable journal affects only its own run, an unreadable folder only its content. */
  inspect(of?: RunFilter): Promise<StateContent>;
  /**
   * Renames the journal of a run and puts these entries in its place; none, and the run has no journal any more. On
   * disk when it resolves; at no moment is there neither.
   *
   * @returns the path under which the old file is kept
   */
  setAside(key: RunKey, instead: readonly JournalEntry[]): Promise<string>;
  /**
   * Looks who else may write the directory, the folder of one connector, and the files in it.
   *
   * @param env where pods and jobs of forges show
   * @returns warnings for the operator
   * @throws Refusal `STA702` naming the first that another user may write
   */
  demandOwn(
    connector: { readonly clusterId: string; readonly connector: string },
    env: Readonly<Record<string, string | undefined>>,
  ): Promise<readonly string[]>;
}

interface StateContent {
  readonly journals: readonly JournalFound[];
  readonly folders: readonly UnreadableFolder[];
}

export type JournalFound =
  | { readonly key: RunKey; readonly entries: readonly JournalEntry[] }
  | { readonly key: RunKey; readonly unreadable: UnreadableJournal };

/** A folder that may hold journals. */
export interface UnreadableFolder {
  readonly path: string;
  readonly why: string;
}

export interface Lock {
  release(): Promise<void>;
}

export interface JournalWriter {
  /**
   * The entry is on disk (fsync) when it resolves. What a failed one left behind is cut off before the next.
   *
   * @throws CallFailed as `demandOwn`
   */
  append(entry: JournalEntry): Promise<void>;
  /**
   * @throws CallFailed if another process has continued the journal, or set it aside: one that was asleep wakes after
   * its lock was removed and its run settled
   */
  demandOwn(): Promise<void>;
  close(): Promise<void>;
}
