import { isInsideAPdb } from "../facts/database/database.ts";
import { isNamed } from "../facts/database/hidden-pdb.ts";
import { grantStatement, NEEDED_GRANTS } from "../facts/database/needed-grants.ts";
import { type Check, fine, type Item, unknown, type Verdict } from "./check.ts";

const READING = NEEDED_GRANTS.filter(({ orTableByTable }) => orTableByTable === true);

/**
 * Snapshots read the captured tables, as of an SCN. A login without the privileges for any table may still have a grant
 * on each: that is not looked at, so that it is unknown, and no fault.
 *
 * Rule: reference: Oracle, "Capture user's grants".
 */
export const tablesPerhapsUnreadable: Check<"Preflight"> = {
  code: "DBA407",
  title: "Whether the tables can be read is not known",
  problem: "A snapshot reads the captured tables as of an SCN; one that can't be read fails it.",
  remedy: "Grant the privileges; or see that the login has SELECT and FLASHBACK on each captured table.",
  grade: "refusal",

  run(_intent, { facts: { rights, account, settings, database } }): Verdict {
    if (!rights.known) return unknown(rights.why, rights.remedy);
    if (!account.known) return unknown(account.why, account.remedy);
    if (!database.known) return unknown(database.why, database.remedy);
    const { user } = account.value;
    const everywhere = account.value.common && !isInsideAPdb(database.value);
    const { pdbs } = settings.tables;
    // The root holds no captured table: what counts is what holds in the PDBs.
    const places = database.value.container
      ? rights.value.filter(({ container }) => pdbs.some((pdb) => isNamed(container, pdb)))
      : rights.value;
    if (places.length === 0)
      return unknown(
        "no captured PDB could be looked into",
        "Name the captured PDBs, open them and let the login see them first (DBA409, DBA410).",
      );
    const items: Item[] = [];
    for (const place of places) {
      if ("problem" in place) {
        items.push({
          name: place.container,
          seen: place.problem,
          ...(place.remedy === undefined ? {} : { sql: place.remedy }),
        });
        continue;
      }
      for (const grant of READING)
        if (!place.privileges.includes(grant.name))
          items.push({
            name: `${grant.name} in ${place.container}`,
            seen: `not in effect; needed ${grant.why}`,
            sql: grantStatement(grant, user, everywhere),
          });
    }
    if (items.length > 0)
      return unknown(
        `${user} lacks a privilege to read any table; grants on single tables are not looked at`,
        tablesPerhapsUnreadable.remedy,
        items,
      );
    return fine(
      `${user} may read any table, as of an SCN too, in ${places.map(({ container }) => container).join(", ")}`,
    );
  },
};
