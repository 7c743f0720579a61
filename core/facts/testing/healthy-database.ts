import type { DatabaseSeen } from "../database/database.ts";

/** A container database that a connector can mine: a primary, open and archiving, reached at its root. */
export function healthyDatabase(parts: Partial<DatabaseSeen> = {}): DatabaseSeen {
  return {
    dbid: 2_914_731_004n,
    name: "ORCLCDB",
    version: "19.22.0.0.0",
    container: true,
    connectedTo: "CDB$ROOT",
    logMode: "ARCHIVELOG",
    openMode: "READ WRITE",
    role: "PRIMARY",
    currentScn: 2_045_000n,
    resetlogsScn: 1n,
    zone: "+01:00",
    ...parts,
  };
}
