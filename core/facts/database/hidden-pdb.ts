import type { Advice } from "../../values/remedy.ts";
import { identifier } from "../../values/table-name.ts";
import type { ContainerSeen } from "../tables/tables.ts";
import { type DatabaseSeen, ROOT } from "./database.ts";

/** A PDB of `cdc.database.pdbs` that this login has no view into, and what gives it one. */
export interface HiddenPdb {
  readonly why: string;
  readonly remedy: Advice;
}

/** `CON_ID` of a database that is no container database. */
const NO_CONTAINER = 0n;

/**
 * The first PDB, of those configured, that the login does not see or that is not open. From the root, views show rows
 * of the login's CONTAINER_DATA only, and leave out the others without a word: `GV$` as well as `CDB_` views.
 *
 * A session inside a PDB sees that one alone, whatever its CONTAINER_DATA; so no grant shows it another one.
 *
 * Rule: Oracle Database Security Guide, "Enabling Common Users to View CONTAINER_DATA Object Information".
 */
export function hiddenPdb(pdbs: readonly string[], containers: readonly ContainerSeen[]): HiddenPdb | undefined {
  const inside = pdbOfSession(containers);
  const [only] = containers;
  if (pdbs.length > 0 && only?.id === NO_CONTAINER)
    return {
      why: `${only.name} has no containers, and cdc.database.pdbs names ${pdbs.join(", ")}`,
      remedy: "Take cdc.database.pdbs out of the configuration, or connect to the container database.",
    };
  for (const pdb of pdbs) {
    const container = containers.find(({ name }) => isNamed(name, pdb));
    if (container === undefined && inside !== undefined)
      return {
        why: `this login is inside ${inside}, and sees nothing of the PDB ${pdb} of cdc.database.pdbs`,
        remedy: wayOutOf(inside, pdb),
      };
    if (container === undefined)
      return {
        why: `this login does not see the PDB ${pdb} of cdc.database.pdbs, or there is none of that name`,
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

/** What to do about a login that leads into another PDB than the one that is captured. */
export function wayOutOf(inside: string, pdb: string): string {
  return (
    `Connect as a common user to the root, not to ${inside} (cdc.database.service); or to ${pdb} itself, where ` +
    "cdc.mining.mode=range is meant."
  );
}

/**
 * The PDB that a session is inside: every session of the root is shown the root, whatever its CONTAINER_DATA, and no
 * other one is.
 */
function pdbOfSession(containers: readonly ContainerSeen[]): string | undefined {
  return containers.some(({ name }) => name === ROOT) ? undefined : containers[0]?.name;
}

/** The names of PDBs are in capitals, however a setting writes them. */
export function isNamed(name: string, pdb: string): boolean {
  return name.toUpperCase() === pdb.toUpperCase();
}

/**
 * Whether it takes a look at the containers to know that no configured PDB is hidden: not where there are none, nor
 * inside the one that is configured.
 */
export function mayHidePdbs(
  pdbs: readonly string[],
  { container, connectedTo }: Pick<DatabaseSeen, "container" | "connectedTo">,
): boolean {
  return container && pdbs.some((pdb) => !isNamed(connectedTo, pdb));
}
