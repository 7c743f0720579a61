import type { ContainerSeen } from "../../../schemas/generated/facts.ts";
import type { Advice } from "../../values/remedy.ts";
import { identifier } from "../../values/table-name.ts";
import { type DatabaseSeen, ROOT } from "./database.ts";

/** A PDB of `cdc.database.pdbs` that this login can't see into, and the remedy. */
export interface HiddenPdb {
  readonly why: string;
  readonly remedy: Advice;
}

/** `CON_ID` in a database without containers. */
const NO_CONTAINER = 0n;

/**
 * The first PDB, of those configured, that the login does not see or that is not open. From the root, views show only
 * rows within the login's CONTAINER_DATA and silently omit the others: `GV$` as well as `CDB_` views.
 *
 * A session inside a PDB sees only that PDB, whatever its CONTAINER_DATA, so no grant shows it another one.
 *
 * Rule: Oracle Database Security Guide, "Enabling Common Users to View CONTAINER_DATA Object Information".
 */
export function hiddenPdb(pdbs: readonly string[], containers: readonly ContainerSeen[]): HiddenPdb | undefined {
  const inside = pdbOfSession(containers);
  const [only] = containers;
  if (pdbs.length > 0 && only?.id === NO_CONTAINER)
    return {
      why: `${only.name} has no containers, but cdc.database.pdbs names ${pdbs.join(", ")}`,
      remedy: "Remove cdc.database.pdbs from the configuration, or connect to the container database.",
    };
  for (const pdb of pdbs) {
    const container = containers.find(({ name }) => isNamed(name, pdb));
    if (container === undefined && inside !== undefined)
      return {
        why: `this login is inside ${inside} and does not see the PDB ${pdb} of cdc.database.pdbs`,
        remedy: remedyInside(inside, pdb),
      };
    if (container === undefined)
      return {
        why: `this login does not see the PDB ${pdb} of cdc.database.pdbs, or no such PDB exists`,
        remedy: {
          text: "Let this login (USER) see all containers",
          sql: "ALTER USER USER SET CONTAINER_DATA=ALL CONTAINER=CURRENT;",
        },
      };
    if (!container.openMode.startsWith("READ"))
      return {
        why: `the PDB ${container.name} is ${container.openMode} and not open`,
        remedy: { text: "Open it", sql: `ALTER PLUGGABLE DATABASE ${identifier(container.name)} OPEN;` },
      };
  }
  return undefined;
}

/** The remedy for a login that connects to a PDB other than the captured one. */
export function remedyInside(inside: string, pdb: string): string {
  return (
    `Connect as a common user to the root, not to ${inside} (cdc.database.service). To mine from inside the PDB ` +
    `(cdc.mining.mode=range), connect to ${pdb} itself.`
  );
}

/** The PDB that a session is inside: only sessions of the root see the root, whatever their CONTAINER_DATA. */
function pdbOfSession(containers: readonly ContainerSeen[]): string | undefined {
  return containers.some(({ name }) => name === ROOT) ? undefined : containers[0]?.name;
}

/** PDB names are upper-case, however a setting writes them. */
export function isNamed(name: string, pdb: string): boolean {
  return name.toUpperCase() === pdb.toUpperCase();
}

/**
 * Whether the containers have to be read to know that no configured PDB is hidden: not without containers, nor inside
 * the configured PDB.
 */
export function mayHidePdbs(
  pdbs: readonly string[],
  { container, connectedTo }: Pick<DatabaseSeen, "container" | "connectedTo">,
): boolean {
  return container && pdbs.some((pdb) => !isNamed(connectedTo, pdb));
}
