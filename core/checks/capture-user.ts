import { isInsideAPdb } from "../facts/database/database.ts";
import { isNamed, wayOutOf } from "../facts/database/hidden-pdb.ts";
import { containerDataStatement } from "../facts/database/needed-grants.ts";
import type { PreflightFacts } from "../facts/preflight.ts";
import type { ContainerSeen } from "../facts/tables/tables.ts";
import { counted, showCount } from "../values/amounts.ts";
import { identifier } from "../values/table-name.ts";
import { type Check, fail, fine, type Item, unknown } from "./check.ts";

export const notACommonUser: Check<
  unknown,
  { readonly facts: Pick<PreflightFacts, "account" | "database" | "settings"> }
> = {
  code: "DBA408",
  title: "The capture user is not a common user",
  problem: "In a container database redo is mined in CDB$ROOT, where only a common user can see the PDBs.",
  remedy:
    "Let cdc.database.user name a common user (C##…); or set cdc.mining.mode=range if mining from inside the PDB " +
    "is meant.",
  grade: "refusal",

  run(_intent, { facts: { account, database, settings } }) {
    if (!database.known) return unknown(database.why, database.remedies);
    if (!database.value.container) return fine(`${database.value.name} has no containers`);
    if (!account.known) return unknown(account.why, account.remedies);
    const { user, common } = account.value;
    if (common) return fine(`${user} is a common user`);
    if (settings.miningMode === "range") return fine(`${user} is a local user, with cdc.mining.mode=range`);
    return fail({ seen: `${user} is a local user of ${database.value.connectedTo}` });
  },
};

/**
 * From the root, views show rows of the login's CONTAINER_DATA only, and leave out the others without a word. A login
 * that is shown the seed is shown every container there is.
 *
 * Rule: reference: Oracle, "Preflight rules"; Oracle Database Security Guide, "Enabling Common Users to View
 * CONTAINER_DATA Object Information".
 */
export const pdbNotSeen: Check<
  unknown,
  { readonly facts: Pick<PreflightFacts, "database" | "containers" | "account" | "settings"> }
> = {
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
    if (!database.known) return unknown(database.why, database.remedies);
    const { container, name, connectedTo } = database.value;
    if (!container)
      return pdbs.length === 0
        ? fine(`${name} has no containers`)
        : fail({
            seen: `${name} has no containers, and cdc.database.pdbs names ${pdbs.join(", ")}`,
            remedies: ["Take cdc.database.pdbs out of the configuration, or connect to the container database."],
          });
    if (!containers.known) return unknown(containers.why, containers.remedies);
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
    const user = account.known ? account.value.user : (settings.user ?? "USER");
    return fail({
      seen:
        `connected to ${connectedTo}, ${user} does not see ${hidden.join(", ")} of cdc.database.pdbs, or there is ` +
        `none of that name; it sees ${shown.join(", ")}`,
      remedies: [{ text: "Let it see all containers, in CDB$ROOT", sql: containerDataStatement(user) }],
    });
  },
};

/** One that is mounted or restricted shows none of its tables, and can't be mined with its dictionary. */
export const pdbNotOpen: Check<
  unknown,
  { readonly facts: Pick<PreflightFacts, "database" | "containers" | "settings"> }
> = {
  code: "DBA410",
  title: "A captured PDB is not open",
  problem: "Neither its tables nor the dictionary that its changes are mined with can be read; the task can't start.",
  remedy: "Open it to everybody, and have it opened whenever the database is (SAVE STATE).",
  grade: "refusal",

  run(_intent, { facts: { database, containers, settings } }) {
    if (!database.known) return unknown(database.why, database.remedies);
    if (!database.value.container) return fine(`${database.value.name} has no containers`);
    if (!containers.known) return unknown(containers.why, containers.remedies);
    const { pdbs } = settings.tables;
    const seen = containers.value.filter(({ name }) => pdbs.some((pdb) => isNamed(name, pdb)));
    const unseen = pdbs.filter((pdb) => !seen.some(({ name }) => isNamed(name, pdb)));
    if (unseen.length > 0 || pdbs.length === 0)
      return seen.every(isOpen)
        ? unknown("not every captured PDB is seen, or none is named (DBA409)", "Mend what DBA409 says first.")
        : fail(closed(seen));
    return seen.every(isOpen)
      ? fine(seen.map(({ name, openMode }) => `${name} is open ${openMode}`).join(", "))
      : fail(closed(seen));
  },
};

function isOpen({ openMode }: ContainerSeen): boolean {
  return openMode.startsWith("READ") && !isRestricted(openMode);
}

/**
 * One without a saved state stays closed when the instance is started again, and mining waits for it (ORA-16331).
 *
 * Rule: the connector's own preflight, DOC-21.
 */
export const noSavedState: Check<
  unknown,
  { readonly facts: Pick<PreflightFacts, "database" | "containers" | "savedStates" | "settings"> }
> = {
  code: "DBA412",
  title: "A captured PDB stays closed after a restart",
  problem: "When the instance is started again somebody has to open it; until then the task can't mine, and waits.",
  remedy: "Save its state while it is open.",
  grade: "advisory",

  run(_intent, { facts: { database, containers, savedStates, settings } }) {
    if (!database.known) return unknown(database.why, database.remedies);
    if (!database.value.container) return fine(`${database.value.name} has no containers`);
    if (!containers.known) return unknown(containers.why, containers.remedies);
    if (!savedStates.known) return unknown(savedStates.why, savedStates.remedies);
    const seen = containers.value.filter(({ name }) => settings.tables.pdbs.some((pdb) => isNamed(name, pdb)));
    if (seen.length === 0) return fine("no captured PDB is seen, which DBA409 says");
    const closed = seen.filter(({ name }) => !savedStates.value.some((saved) => isNamed(saved, name)));
    if (closed.length === 0) return fine(`${seen.map(({ name }) => name).join(", ")}: opened with the instance`);
    return fail({
      seen: `${showCount(closed.length)} of ${counted(seen.length, "captured PDB")}: no saved state`,
      items: closed.map(({ name }) => ({ name, sql: `ALTER PLUGGABLE DATABASE ${identifier(name)} SAVE STATE;` })),
    });
  },
};

/** Each statement alone: SQL*Plus ends one only at the end of a line. */
function closed(containers: readonly ContainerSeen[]) {
  const shut = containers.filter((one) => !isOpen(one));
  const items = shut.map(({ name, openMode }): Item => {
    const open = isRestricted(openMode)
      ? "ALTER SYSTEM DISABLE RESTRICTED SESSION;"
      : `ALTER PLUGGABLE DATABASE ${identifier(name)} OPEN;`;
    return { name, seen: openMode, sql: open };
  });
  const remedies = [
    pdbNotOpen.remedy,
    ...shut
      .filter(({ openMode }) => isRestricted(openMode))
      .map(({ name }) => ({ text: `In ${name}, first`, sql: `ALTER SESSION SET CONTAINER = ${identifier(name)};` })),
    ...shut.map(({ name }) => ({
      text: "Once it is open",
      sql: `ALTER PLUGGABLE DATABASE ${identifier(name)} SAVE STATE;`,
    })),
  ];
  return { seen: items.map(({ name, seen }) => `the PDB ${name} is ${seen}`).join(", "), remedies, items };
}

function isRestricted(openMode: string): boolean {
  return openMode.endsWith("RESTRICTED");
}
