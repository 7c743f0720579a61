import { goesIntoContainers, isInsideAPdb, isNamed, minesInRange } from "../facts/database/database.ts";
import { grantStatement, NEEDED_GRANTS, type NeededGrant } from "../facts/database/needed-grants.ts";
import type { PreflightFacts } from "../facts/preflight.ts";
import { showCount } from "../values/amounts.ts";
import { linesOf } from "../values/remedy.ts";
import { type Check, type CheckOf, fail, fine, type Item, unknown, unseen, type Verdict } from "./check.ts";

/**
 * ORA-00942 and ORA-01031, the former also for an object that does not exist; ORA-41900 in 23ai; a block that does not
 * compile.
 */
const NOT_GRANTED: readonly (string | undefined)[] = ["ORA-00942", "ORA-01031", "ORA-41900", "ORA-06550"];

type Seen = Pick<PreflightFacts, "database" | "usable" | "rights" | "account" | "settings">;

/**
 * Checks views and packages with a statement that is parsed and not run; privileges and roles are those in effect. So
 * it checks what the login may do, however it was granted. Privileges that grants on each table can replace belong to
 * DBA407.
 *
 * Rule: reference: Oracle, "Preflight rules" and "Capture user's grants".
 */
export const grantsMissing: Check<unknown, { readonly facts: Seen }> = {
  code: "DBA406",
  title: "The capture user lacks grants",
  problem: "The task fails at its start, or later when it first needs the privilege: ORA-00942 or ORA-01031.",
  remedy:
    "Run the statements as SYS, in CDB$ROOT of a container database. `cdcctl doctor setup-sql` writes a script " +
    "with all of them.",
  grade: "refusal",

  run(_intent, { facts }) {
    const { database, usable, rights, account } = facts;
    if (!database.known) return unseen(database);
    if (!usable.known) return unseen(usable);
    if (!rights.known) return unseen(rights);
    if (!account.known) return unseen(account);
    const containers = goesIntoContainers(database.value, facts.settings);
    const range = minesInRange(database.value, facts.settings);
    const needed = NEEDED_GRANTS.filter(
      ({ containersOnly, orTableByTable, toBuild }) =>
        orTableByTable !== true && (containers || containersOnly !== true) && !(range && toBuild === true),
    );
    const { user } = account.value;
    const everywhere = account.value.common && !isInsideAPdb(database.value);
    const missing: Item[] = [];
    const untold: string[] = [];
    for (const grant of needed) {
      const lacking = missingIn(grant, { usable: usable.value, rights: rights.value });
      if (lacking === undefined) continue;
      if (lacking.told)
        missing.push({ name: nameOf(grant), seen: lacking.seen, sql: grantStatement(grant, user, everywhere) });
      else untold.push(`${nameOf(grant)} ${lacking.seen}`);
    }
    if (missing.length > 0)
      return fail(`${user} lacks ${showCount(missing.length)} of ${showCount(needed.length)} grants`, {
        items: missing,
        ...(isInsideAPdb(database.value) ? { remedies: [remedyIn(database.value.connectedTo)] } : {}),
      });
    if (untold.length > 0) return unknown(`whether ${user} has every grant: ${untold.join("; ")}`);
    return fine(`${user} has all ${showCount(needed.length)} required grants`);
  },
};

function remedyIn(pdb: string): string {
  return (
    `Run the statements as SYS, in ${pdb}. \`cdcctl doctor setup-sql --database pdb\` writes a script with all of ` +
    "them."
  );
}

function nameOf({ name, is }: NeededGrant): string {
  return is === "view" ? `SELECT ON ${name}` : is === "package" ? `EXECUTE ON ${name}` : name;
}

interface Lacking {
  /** False if it could not be checked. */
  readonly told: boolean;
  readonly seen: string;
}

function missingIn(
  { name, is, why, inPdbs }: NeededGrant,
  seen: {
    readonly usable: Known<"usable">;
    readonly rights: Known<"rights">;
  },
): Lacking | undefined {
  if (is === "view" || is === "package") {
    const tried = seen.usable.find((one) => one.name === name);
    if (tried?.usable === true) return undefined;
    const code = tried?.code ?? "not checked";
    return { told: NOT_GRANTED.includes(code), seen: `needed ${why} (${code})` };
  }
  for (const rights of inPdbs === true ? seen.rights : seen.rights.slice(0, 1)) {
    if ("problem" in rights) return { told: false, seen: `in ${rights.container}: ${rights.problem}` };
    if (!(is === "role" ? rights.roles : rights.privileges).includes(name))
      return { told: true, seen: `needed ${why}; not in effect in ${rights.container}` };
  }
  return undefined;
}

type Known<N extends keyof Seen> =
  Extract<Seen[N], { readonly known: true }> extends { readonly value: infer T } ? T : never;

const READING = NEEDED_GRANTS.filter(({ orTableByTable }) => orTableByTable === true);

/**
 * Snapshots read the captured tables, as of an SCN. A login without the privileges for any table may still have a grant
 * on each. Those are not checked, so the verdict is unknown, not failed.
 *
 * Rule: reference: Oracle, "Capture user's grants".
 */
export const tablesPossiblyUnreadable: CheckOf<PreflightFacts, "rights" | "account" | "settings" | "database"> = {
  code: "DBA407",
  title: "Whether the tables can be read is not known",
  problem: "A snapshot reads the captured tables as of an SCN, and fails at a table that it can't read.",
  remedy: "Grant the privileges, or make sure that the login has SELECT and FLASHBACK on each captured table.",
  grade: "refusal",

  run(_intent, { facts: { rights, account, settings, database } }): Verdict {
    if (!rights.known) return unseen(rights);
    if (!account.known) return unseen(account);
    if (!database.known) return unseen(database);
    const { user } = account.value;
    const everywhere = account.value.common && !isInsideAPdb(database.value);
    const { pdbs } = settings.tables;
    // The root holds no captured table; only the privileges in the PDBs count.
    const places = database.value.container
      ? rights.value.filter(({ container }) => pdbs.some((pdb) => isNamed(container, pdb)))
      : rights.value;
    if (places.length === 0)
      return unknown(
        "no captured PDB could be inspected",
        "First name the captured PDBs, open them and make them visible to the login (DBA409, DBA410).",
      );
    const items: Item[] = [];
    for (const place of places) {
      if ("problem" in place) {
        items.push({
          name: place.container,
          seen: place.problem,
          ...(place.remedies.length === 0 ? {} : { sql: linesOf(place.remedies) }),
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
        `${user} lacks a privilege to read any table; grants on single tables are not checked`,
        tablesPossiblyUnreadable.remedy,
        items,
      );
    return fine(
      `${user} may read any table, also as of an SCN, in ${places.map(({ container }) => container).join(", ")}`,
    );
  },
};
