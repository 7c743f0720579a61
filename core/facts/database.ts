import type { Instant } from "../values/instant.ts";
import type { Scn } from "../values/scn.ts";
import type { Xid } from "../values/xid.ts";

/** One look at `V$DATABASE`, `V$INSTANCE` and the session. */
export interface DatabaseSeen {
  readonly dbid: bigint;
  readonly name: string;
  readonly version: string;
  readonly container: boolean;
  /** `CDB$ROOT`, a PDB's name, or the database's own name when it is no container database. */
  readonly connectedTo: string;
  /** `ARCHIVELOG`, `NOARCHIVELOG`. */
  readonly logMode: string;
  readonly openMode: string;
  readonly role: string;
  readonly currentScn: Scn;
  readonly resetlogsScn: Scn;
  /** The server's operating system zone, as `SYSTIMESTAMP` shows it: `+01:00`. */
  readonly zone: string;
}

export interface OpenTransaction {
  readonly xid: Xid;
  readonly startScn: Scn;
  readonly startedAt: Instant | undefined;
  readonly user: string | undefined;
  readonly clientId: string | undefined;
}

export interface ScnTime {
  readonly scn: Scn;
  readonly at: Instant | undefined;
}

/** A transaction whose changes before the target would be lost while those after it are delivered. */
export interface TornTransaction {
  readonly xid: string;
  readonly startScn: Scn;
  readonly startedAt: Instant | undefined;
  readonly user: string | undefined;
  readonly clientId: string | undefined;
  readonly seenIn: "GV$TRANSACTION" | "journal" | "both";
}
