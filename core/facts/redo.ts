import type { Instant } from "../values/instant.ts";
import type { Scn } from "../values/scn.ts";

/** A row of `V$THREAD`. */
export interface RedoThread {
  readonly thread: bigint;
  /** `PUBLIC`, `PRIVATE`, `DISABLED`. */
  readonly enabled: string;
  readonly status: string;
  readonly sequence: bigint;
  readonly enableScn: Scn;
  /** Undefined (0 in the view) while the thread was never disabled. */
  readonly disableScn: Scn | undefined;
}

/** A row of `V$ARCHIVE_DEST_STATUS`. */
export interface ArchiveDestination {
  readonly id: bigint;
  readonly name: string;
  readonly status: string;
  readonly type: string;
}

/** A row of `V$ARCHIVED_LOG`. */
export interface ArchivedLog {
  readonly thread: bigint;
  readonly sequence: bigint;
  readonly firstScn: Scn;
  /** Exclusive. */
  readonly nextScn: Scn;
  /** Undefined where the catalogue has no name any more. */
  readonly name: string | undefined;
  /** `A` available, `D` deleted, `U` unavailable, `X` expired. */
  readonly status: string;
  readonly deleted: boolean;
  readonly destination: bigint;
  readonly standby: boolean;
  readonly resetlogsScn: Scn;
  readonly bytes: bigint;
  readonly firstTime: Instant | undefined;
  readonly nextTime: Instant | undefined;
}

/** A row of `V$LOG` with one readable member of `V$LOGFILE`. */
export interface OnlineLog {
  readonly thread: bigint;
  readonly sequence: bigint;
  readonly firstScn: Scn;
  /** Exclusive; undefined for the log that is being written. */
  readonly nextScn: Scn | undefined;
  /** `CURRENT`, `ACTIVE`, `INACTIVE`, … */
  readonly status: string;
  readonly archived: boolean;
  /** Undefined when no member can be read. */
  readonly member: string | undefined;
  readonly bytes: bigint;
}

/** What came of adding one file to a LogMiner session. */
export type LogProbe =
  | { readonly file: string; readonly opened: true }
  | { readonly file: string; readonly opened: false; readonly code: string; readonly message: string };
