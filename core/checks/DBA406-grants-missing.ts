import { goesIntoContainers, isInsideAPdb } from "../facts/database/database.ts";
import { grantStatement, NEEDED_GRANTS, type NeededGrant } from "../facts/database/needed-grants.ts";
import type { PreflightReading } from "../facts/preflight-reading.ts";
import { type Check, fail, fine, type Item, unknown } from "./check.ts";

/**
 * ORA-00942 and ORA-01031, the former also where there is no such object; ORA-41900 in 23ai; a block that does not
 * compile.
 */
const NOT_GRANTED: readonly (string | undefined)[] = ["ORA-00942", "ORA-01031", "ORA-41900", "ORA-06550"];

/**
 * Views and packages are tried by a statement that is parsed and not run, privileges and roles are those in effect: so
 * it counts what the login may, however it was granted. Privileges that grants on each table can stand in for are
 * DBA407's.
 *
 * Rule: reference: Oracle, "Preflight rules" and "Capture user's grants".
 */
export const grantsMissing: Check<"Preflight"> = {
  code: "DBA406",
  title: "The capture user lacks grants",
  problem: "The task fails at its start, or later when it first needs the right: ORA-00942 or ORA-01031.",
  remedy:
    "Run the statements as SYS, in CDB$ROOT where there are containers; `cdcctl doctor setup-sql` writes a " +
    "script with all of them.",
  grade: "refusal",

  run(_intent, { facts }) {
    const { database, usable, rights, account } = facts;
    if (!database.known) return unknown(database.why, database.remedy);
    if (!usable.known) return unknown(usable.why, usable.remedy);
    if (!rights.known) return unknown(rights.why, rights.remedy);
    if (!account.known) return unknown(account.why, account.remedy);
    const containers = goesIntoContainers(database.value, facts.settings);
    const needed = NEEDED_GRANTS.filter(
      ({ containersOnly, orTableByTable }) => orTableByTable !== true && (containers || containersOnly !== true),
    );
    const { user } = account.value;
    const everywhere = account.value.common && !isInsideAPdb(database.value);
    const missing: Item[] = [];
    const untold: string[] = [];
    for (const grant of needed) {
      const lacking = lackingIn(grant, facts, { usable: usable.value, rights: rights.value });
      if (lacking === undefined) continue;
      if (lacking.told)
        missing.push({ name: nameOf(grant), seen: lacking.seen, sql: grantStatement(grant, user, everywhere) });
      else untold.push(`${nameOf(grant)} ${lacking.seen}`);
    }
    if (missing.length > 0)
      return fail({
        seen: `${user} lacks ${missing.length} of ${needed.length} grants`,
        items: missing,
        ...(isInsideAPdb(database.value) ? { remedies: [remedyIn(database.value.connectedTo)] } : {}),
      });
    if (untold.length > 0) return unknown(`whether ${user} has every grant: ${untold.join("; ")}`);
    return fine(`${user} has all ${needed.length} grants that are needed everywhere`);
  },
};

function remedyIn(pdb: string): string {
  return (
    `Run the statements as SYS, in ${pdb}; \`cdcctl doctor setup-sql --database pdb\` writes a script with all of ` +
    "them."
  );
}

function nameOf({ name, is }: NeededGrant): string {
  return is === "view" ? `SELECT ON ${name}` : is === "package" ? `EXECUTE ON ${name}` : name;
}

interface Lacking {
  /** Otherwise it could not be told. */
  readonly told: boolean;
  readonly seen: string;
}

function lackingIn(
  { name, is, why, inPdbs }: NeededGrant,
  { settings }: PreflightReading["facts"],
  seen: {
    readonly usable: Known<"usable">;
    readonly rights: Known<"rights">;
  },
): Lacking | undefined {
  if (is === "view" || is === "package") {
    const tried = seen.usable.find((one) => one.name === name);
    if (tried?.usable === true) return undefined;
    const code = tried?.code ?? "not tried";
    return { told: NOT_GRANTED.includes(code), seen: `needed ${why} (${code})` };
  }
  for (const rights of inPdbs === true && settings.miningMode !== "range" ? seen.rights : seen.rights.slice(0, 1)) {
    if ("problem" in rights) return { told: false, seen: `in ${rights.container}: ${rights.problem}` };
    if (!(is === "role" ? rights.roles : rights.privileges).includes(name))
      return { told: true, seen: `needed ${why}; not in effect in ${rights.container}` };
  }
  return undefined;
}

type Facts = PreflightReading["facts"];
type Known<N extends keyof Facts> =
  Extract<Facts[N], { readonly known: true }> extends { readonly value: infer T } ? T : never;
