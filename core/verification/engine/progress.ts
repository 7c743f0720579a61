/** How far the verification of a table is. Handed out after every batch; the receiver decides how often it looks. */
export interface VerifyProgress {
  readonly phase: "reading" | "joining";
  /** Rows of the table, records of each topic: those read in an earlier, interrupted run among them. */
  readonly rows: number;
  readonly newRecords: number;
  readonly legacyRecords: number;
  /** Keys and values of records, in bytes. */
  readonly bytes: number;
  /** Records there are at most, by the offsets of both topics. */
  readonly recordsExpected: number;
  /** Rows that were expected; undefined where nobody knows. */
  readonly rowsExpected: number | undefined;
  /** Bytes on disk. */
  readonly spooled: number;
  /** Of the hash partitions. */
  readonly joined: number;
  readonly partitions: number;
  /** Since this run of it began. */
  readonly millis: number;
}

/** What an operator is told once. */
export type VerifyNotice =
  /** Before anything is written. `free` undefined: the system does not say. */
  | { readonly is: "disk"; readonly estimated: number; readonly free: bigint | undefined; readonly place: string }
  /** An interrupted run goes on: so many units (ranges, partitions) were finished, so many begun. */
  | { readonly is: "resumed"; readonly finished: number; readonly begun: number }
  /** What an interrupted run left can't be used, and why; everything is read afresh. */
  | { readonly is: "afresh"; readonly why: string };
