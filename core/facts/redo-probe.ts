import { isInsideAPdb } from "./inside-a-pdb.ts";

/** Whether the task itself adds log files to its LogMiner sessions: not from inside one PDB. */
export function probeApplies({
  connector,
  database,
}: {
  readonly connector: { readonly miningMode: string };
  readonly database: { readonly container: boolean; readonly connectedTo: string };
}): boolean {
  return connector.miningMode !== "range" && !isInsideAPdb(database);
}
