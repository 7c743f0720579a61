/** DBMS_LOGMNR: files are added to a list, the session is started and read, and the list is discarded. */
import { OraError } from "./ora-error.ts";
import type { Relation } from "./sql/scope.ts";
import { columns } from "./view.ts";
import type { OracleWorld } from "./world.ts";

/** The files in a session's list; undefined without a LogMiner session. */
export interface LogMiner {
  files: Set<string> | undefined;
  /** The mined range, both ends inclusive; undefined until it is started. */
  range?: { readonly from: bigint; readonly to: bigint } | undefined;
}

/** Whether the session is in a PDB, where LogMiner accepts no files. */
function insidePdb(world: OracleWorld, container: string): boolean {
  return world.database.cdb && container !== "CDB$ROOT";
}

const AT_PACKAGE = '\nORA-06512: at "SYS.DBMS_LOGMNR", line 82';

/**
 * @param option NEW begins a list and discards the previous one
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
  miner.range = undefined;
}

/** @throws OraError 01307 without files, 01291 if they do not cover the range in every thread that has files */
export function startLogMiner(world: OracleWorld, miner: LogMiner, from: bigint, to: bigint): void {
  const { files } = miner;
  if (files === undefined) throw new OraError(1307, `no LogMiner session is currently active${AT_PACKAGE}`);
  const held = world.archivedLogs.filter(({ name }) => name !== null && files.has(name));
  const threads = new Set(held.map(({ thread }) => thread));
  for (const thread of threads) {
    let next = from;
    const own = held.filter((log) => log.thread === thread).sort((a, b) => (a.firstScn < b.firstScn ? -1 : 1));
    for (const log of own) if (log.firstScn <= next && log.nextScn > next) next = log.nextScn;
    if (next <= to) throw new OraError(1291, `missing log file${AT_PACKAGE}`);
  }
  miner.range = { from, to };
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

/** @throws OraError 01307 without a session */
export function endLogMiner(world: OracleWorld, miner: LogMiner): void {
  if (world.denied.has("LOGMINING")) throw new OraError(1031, `insufficient privileges${AT_PACKAGE}`);
  if (miner.files === undefined)
    throw new OraError(1307, 'no LogMiner session is currently active\nORA-06512: at "SYS.DBMS_LOGMNR", line 76');
  miner.files = undefined;
  miner.range = undefined;
}

/** `V$LOGMNR_CONTENTS`. @throws OraError 01306 if LogMiner is not started */
export function minedContents(world: OracleWorld, { range }: LogMiner): Relation {
  if (range === undefined)
    throw new OraError(1306, "dbms_logmnr.start_logmnr() must be invoked before selecting from v$logmnr_contents");
  const rows = world.redoRows
    .filter(({ scn }) => scn >= range.from && scn <= range.to)
    .flatMap(({ scn, container, owner, table, operation, sql, count }) =>
      Array.from({ length: count }, () => [scn, world.database.cdb ? container : null, owner, table, operation, sql]),
    );
  return { columns: CONTENTS, rows };
}

const CONTENTS = columns("SCN SRC_CON_NAME:30 SEG_OWNER:128 TABLE_NAME:128 OPERATION:32 SQL_REDO:4000");
