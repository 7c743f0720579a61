/** Progress of a table's verification. Reported after every batch; the receiver decides how often to use it. */
export interface VerifyProgress {
  readonly phase: "reading" | "joining";
  /** Rows of the table, records of each topic, including those read by an earlier, interrupted run. */
  readonly rows: number;
  readonly newRecords: number;
  readonly legacyRecords: number;
  /** Keys and values of records, in bytes. */
  readonly bytes: number;
  /** Maximum number of records, by the offsets of both topics. */
  readonly recordsExpected: number;
  /** Expected rows; undefined if unknown. */
  readonly rowsExpected: number | undefined;
  /** Bytes on disk. */
  readonly spooled: number;
  /** The number of hash partitions joined. */
  readonly joined: number;
  readonly partitions: number;
  /** Time since this run began. */
  readonly millis: number;
}

export type VerifyNotice =
  /** Reported before anything is written. `free` is undefined if the system does not report it. */
  | { readonly is: "disk"; readonly estimated: number; readonly free: bigint | undefined; readonly place: string }
  /** An interrupted run is resumed: number of units (ranges, partitions) that were finished, and that had begun. */
  | { readonly is: "resumed"; readonly finished: number; readonly begun: number }
  /** An interrupted run cannot be resumed, and why; everything is read again. */
  | { readonly is: "afresh"; readonly why: string };
