import type { Json } from "../values/json.ts";

/**
 * A directory for what a verification writes down while it works: files of bytes, and notes of which of them are whole.
 */
export interface SpoolPort {
  /** Where it is, for messages. */
  readonly place: string;
  /** Bytes free there; undefined if the system does not report it. */
  free(): Promise<bigint | undefined>;
  /** Opens a spool by its name, empty or as it was left. @throws Refusal `STA701` while another process holds it */
  open(name: string): Promise<Spool>;
}

export interface Spool extends SpoolFiles {
  /** What was noted, in order. A torn or damaged note and those after it are removed. */
  notes(): Promise<readonly Json[]>;
  /** Outlives the process when it resolves. After a power failure the checksums show what is left. */
  note(entry: Json): Promise<void>;
  /** Removes every file and note. The spool stays open. */
  clear(): Promise<void>;
  /** Releases it. Its content is kept. */
  close(): Promise<void>;
}

/** The files of a spool: all that a unit of work needs of it, in whatever thread it runs. */
export interface SpoolFiles {
  /** Makes a file, or empties the one that is there. */
  create(file: string): Promise<SpoolFile>;
  /** Opens a file to go on with it, cut off behind `written`. Undefined: it does not hold those bytes any more. */
  goOn(file: string, written: SpoolWritten): Promise<SpoolFile | undefined>;
  /** Whether a file begins with those bytes. */
  holds(file: string, written: SpoolWritten): Promise<boolean>;
  /** Fills the beginning of `into` with slices, one after the other. @throws CallFailed for a file that ends before */
  read(file: string, slices: Slices, into: Uint8Array): Promise<void>;
}

/** Slices of a file: where each starts, and its bytes. A table has millions of them, so there is no object for each. */
export interface Slices {
  readonly starts: ArrayLike<number>;
  readonly lengths: ArrayLike<number>;
}

/** The beginning of a file, as it was written. */
export interface SpoolWritten {
  readonly bytes: number;
  /** CRC-32 of those bytes. */
  readonly checksum: number;
}

export interface SpoolFile {
  /** Appends. The parts may be used again when it resolves. */
  write(parts: readonly Uint8Array[]): Promise<void>;
  /** Everything that was written. */
  written(): SpoolWritten;
  close(): Promise<void>;
}
