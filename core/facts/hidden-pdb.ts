import type { DatabaseSeen } from "./database.ts";
import type { ContainerSeen } from "./tables.ts";

/** A PDB of `cdc.database.pdbs` that this login has no view into, and what gives it one. */
export interface HiddenPdb {
  readonly why: string;
  readonly remedy: string;
}

const ROOT = "CDB$ROOT";

/**
 * The first PDB, of those configured, that the login does not see or that is not open. From the root, views show rows of the login's
 * CONTAINER_DATA only, and leave out the others without a word: `GV$` as well as `CDB_` views.
 *
 * A session inside a PDB sees that one alone, whatever its CONTAINER_DATA.
 *
 * @param connectedTo the session's own container, where it is known
 *
 * Rule: Oracle Database Security Guide, "Enabling Common Users to View CONTAINER_DATA Object Information".
 */
export function hiddenPdb(
  pdbs: readonly string[],
  containers: readonly ContainerSeen[],
  connectedTo = ROOT,
): HiddenPdb | undefined {
  for (const pdb of pdbs) {
    const container = containers.find(({ name }) => isNamed(name, pdb));
    if (container === undefined && !isNamed(connectedTo, ROOT))
      return {
        why: `this login is inside ${connectedTo}, and sees nothing of the PDB ${pdb} of cdc.database.pdbs`,
        remedy: "Connect as a common user to the root (the service of the container database).",
      };
    if (container === undefined)
      return {
        why: `this login does not see the PDB ${pdb} of cdc.database.pdbs, or there is none of that name`,
        remedy: "Let this login (USER) see all containers:  ALTER USER USER SET CONTAINER_DATA=ALL CONTAINER=CURRENT;",
      };
    if (!container.openMode.startsWith("READ"))
      return {
        why: `the PDB ${container.name} is ${container.openMode} and not open`,
        remedy: `Open it:  ALTER PLUGGABLE DATABASE ${container.name} OPEN;`,
      };
  }
  return undefined;
}

/** The names of PDBs are in capitals, however a setting writes them. */
export function isNamed(name: string, pdb: string): boolean {
  return name.toUpperCase() === pdb.toUpperCase();
}

/**
 * Whether it takes a look at the containers to know that no configured PDB is hidden: not where there are none, nor inside the one that is configured.
 */
export function mayHidePdbs(
  pdbs: readonly string[],
  { container, connectedTo }: Pick<DatabaseSeen, "container" | "connectedTo">,
): boolean {
  return container && pdbs.some((pdb) => !isNamed(connectedTo, pdb));
}
