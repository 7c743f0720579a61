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

/** A cdcctl that works on a connector. */
export interface LockHolder {
  readonly host: string;
  readonly user: string;
  readonly pid: number;
  /** `apply`, `recover`. */
  readonly command: string;
  /** Since when, by its host's clock. */
  readonly at: Instant;
}

/** Local state: one append-only journal a run, and one lock a connector. */
export interface StatePort {
  /** Where the state lives, for messages. */
  readonly place: string;
  /**
   * @throws Refusal `STA701` naming host, user, pid and time when somebody else holds it; takes over what a dead
   * process of this host left.
   */
  lock(connector: { readonly clusterId: string; readonly connector: string }, command: string): Promise<Lock>;
  /**
   * Who holds that lock now; undefined where nobody does, where a dead process of this host has left it, and where it
   * can't be read.
   */
  holder(connector: { readonly clusterId: string; readonly connector: string }): Promise<LockHolder | undefined>;
  /** Creates the journal of a new run; fails when it exists. */
  create(key: RunKey): Promise<JournalWriter>;
  /** Opens a journal to go on with it; cuts a torn last line first. @throws CallFailed for one that can't be read. */
  open(key: RunKey): Promise<JournalWriter>;
  /**
   * Entries of one run; a torn last line is left out. @throws CallFailed for a journal that is damaged or of another
   * version.
   */
  read(key: RunKey): Promise<readonly JournalEntry[]>;
  /**
   * The runs, by name; restricted to one connector or cluster when given. What is not cdcctl's own is passed over.
   *
   * @throws CallFailed where the folder of the one connector that is asked for can't be read
   */
  list(of?: RunFilter): Promise<readonly RunKey[]>;
  /**
   * Reads every journal. One that can't be read concerns its own run only, a folder that can't be read only what is in
   * it.
   */
  inspect(of?: RunFilter): Promise<StateContent>;
  /**
   * Renames the journal of a run and puts these entries in its place; none, and the run has no journal any more. On
   * disk when it resolves; at no moment is there neither.
   *
   * @returns the path under which the old file is kept
   */
  setAside(key: RunKey, instead: readonly JournalEntry[]): Promise<string>;
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
  /** On disk (fsync) when it resolves. What a failed one left behind is cut off before the next. */
  append(entry: JournalEntry): Promise<void>;
  close(): Promise<void>;
}
