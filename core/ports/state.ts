import type { JournalEntry } from "../run/journal.ts";

export interface RunKey {
  readonly clusterId: string;
  readonly connector: string;
  /** `2026-11-21T09-15-40Z-7f3a`; sorts by time. */
  readonly run: string;
}

/** Local state: one append-only journal a run, and one lock a connector. */
export interface StatePort {
  /** Where the state lives, for messages. */
  readonly place: string;
  /** @throws Refusal `STA701` naming host, user, pid and time when somebody else holds it; takes over what a dead process of this host left. */
  lock(connector: { readonly clusterId: string; readonly connector: string }, command: string): Promise<Lock>;
  /** Creates the journal of a new run; fails when it exists. */
  create(key: RunKey): Promise<JournalWriter>;
  /** Opens a journal to go on with it; cuts a torn last line first. */
  open(key: RunKey): Promise<JournalWriter>;
  /** Entries of one run; a torn last line is left out. @throws CallFailed for a journal that is damaged before its end. */
  read(key: RunKey): Promise<readonly JournalEntry[]>;
  /** All runs, oldest first; restricted to one connector or cluster when given. */
  list(of?: { readonly clusterId?: string; readonly connector?: string }): Promise<readonly RunKey[]>;
}

export interface Lock {
  release(): Promise<void>;
}

export interface JournalWriter {
  /** On disk (fsync) when it resolves. */
  append(entry: JournalEntry): Promise<void>;
  close(): Promise<void>;
}
