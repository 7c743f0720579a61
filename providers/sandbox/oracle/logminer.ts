/** DBMS_LOGMNR, as far as a session that is never started goes: files added to a list, and the list given up. */
import { OraError } from "./ora-error.ts";
import type { OracleWorld } from "./world.ts";

/** The files in a session's list; undefined when there is no LogMiner session. */
export interface LogMiner {
  files: Set<string> | undefined;
}

/** Whether the session is in a PDB, where LogMiner takes no files. */
function insidePdb(world: OracleWorld, container: string): boolean {
  return world.database.cdb && container !== "CDB$ROOT";
}

const AT_PACKAGE = '\nORA-06512: at "SYS.DBMS_LOGMNR", line 82';

/**
 * @param option NEW begins a list and forgets the one before
 * @throws OraError 65040 in a PDB, 01031 without LOGMINING, 01284 for a file that the server can't open, 01289 for one
 * that is in the list
 */
export function addLogFile(
  world: OracleWorld,
  miner: LogMiner,
  container: string,
  file: string,
  option: "NEW" | "ADDFILE",
): void {
  if (insidePdb(world, container))
    throw new OraError(65040, `operation not allowed from within a pluggable database${AT_PACKAGE}`);
  if (world.denied.has("LOGMINING")) throw new OraError(1031, `insufficient privileges${AT_PACKAGE}`);
  if (!world.files.has(file)) throw new OraError(1284, cannotOpen(file));
  const list = option === "NEW" || miner.files === undefined ? new Set<string>() : miner.files;
  if (list.has(file)) throw new OraError(1289, `cannot add duplicate logfile ${file}${AT_PACKAGE}`);
  list.add(file);
  miner.files = list;
}

function cannotOpen(file: string): string {
  return [
    `file ${file} cannot be opened`,
    `ORA-00308: cannot open archived log '${file}'`,
    "ORA-27037: unable to obtain file status",
    "Linux-x86_64 Error: 2: No such file or directory",
    "Additional information: 7",
  ]
    .join("\n")
    .concat(AT_PACKAGE);
}

/** @throws OraError 01307 when there is no session */
export function endLogMiner(world: OracleWorld, miner: LogMiner): void {
  if (world.denied.has("LOGMINING")) throw new OraError(1031, `insufficient privileges${AT_PACKAGE}`);
  if (miner.files === undefined)
    throw new OraError(1307, 'no LogMiner session is currently active\nORA-06512: at "SYS.DBMS_LOGMNR", line 76');
  miner.files = undefined;
}
