import { isInsideAPdb } from "../facts/database/database.ts";
import { isNamed, wayOutOf } from "../facts/database/hidden-pdb.ts";
import { containerDataStatement } from "../facts/database/needed-grants.ts";
import { type Check, fail, fine, unknown } from "./check.ts";

/**
 * From the root, views show rows of the login's CONTAINER_DATA only, and leave out the others without a word. A login
 * that is shown the seed is shown every container there is.
 *
 * Rule: reference: Oracle, "Preflight rules"; Oracle Database Security Guide, "Enabling Common Users to View
 * CONTAINER_DATA Object Information".
 */
export const pdbNotSeen: Check<"Preflight"> = {
  code: "DBA409",
  title: "A captured PDB is not seen by the capture user",
  problem:
    "Views leave out what is not in the login's CONTAINER_DATA: no change of that PDB arrives, and nothing says so.",
  remedy:
    "Let the login see all containers, in CDB$ROOT: ALTER USER … SET CONTAINER_DATA=ALL CONTAINER=CURRENT. " +
    "Inside a PDB no grant helps: connect to the root.",
  grade: "refusal",

  run(_intent, { facts: { database, containers, account, settings } }) {
    const { pdbs } = settings.tables;
    if (!database.known) return unknown(database.why, database.remedy);
    const { container, name, connectedTo } = database.value;
    if (!container)
      return pdbs.length === 0
        ? fine(`${name} has no containers`)
        : fail({
            seen: `${name} has no containers, and cdc.database.pdbs names ${pdbs.join(", ")}`,
            remedies: ["Take cdc.database.pdbs out of the configuration, or connect to the container database."],
          });
    if (!containers.known) return unknown(containers.why, containers.remedy);
    if (pdbs.length === 0)
      return unknown(
        `cdc.database.pdbs is not set, and ${name} is a container database: which PDBs are captured is not said`,
        "Set cdc.database.pdbs in the connector's configuration.",
      );
    const hidden = pdbs.filter((pdb) => !containers.value.some((one) => isNamed(one.name, pdb)));
    if (hidden.length === 0) return fine(`${pdbs.join(", ")} ${pdbs.length === 1 ? "is" : "are"} seen`);
    const shown = containers.value.map((one) => one.name);
    if (shown.includes("PDB$SEED"))
      return fail({
        seen: `there is no PDB ${hidden.join(", ")}: this login sees all containers, ${shown.join(", ")}`,
        remedies: ["Correct cdc.database.pdbs."],
      });
    if (isInsideAPdb(database.value))
      return fail({
        seen: `connected to ${connectedTo}, where nothing is seen of ${hidden.join(", ")} of cdc.database.pdbs`,
        remedies: [wayOutOf(connectedTo, hidden.join(", "))],
      });
    const user = account.known ? account.value.user : (settings.user ?? "…");
    return fail({
      seen:
        `connected to ${connectedTo}, ${user} does not see ${hidden.join(", ")} of cdc.database.pdbs, or there is ` +
        `none of that name; it sees ${shown.join(", ")}`,
      remedies: [`Let it see all containers, in CDB$ROOT:  ${containerDataStatement(user)}`],
    });
  },
};
