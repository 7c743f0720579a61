import type { ContainerSeen } from "../../schemas/generated/facts.ts";
import { isInsideAPdb, isNamed, minesInRange, remedyInside } from "../facts/database/database.ts";
import { containerDataStatement } from "../facts/database/needed-grants.ts";
import type { PreflightFacts } from "../facts/preflight.ts";
import { counted, showCount } from "../values/amounts.ts";
import { identifier } from "../values/table-name.ts";
import { type CheckOf, fail, fine, type Item, unknown, unseen, type Verdict } from "./check.ts";

export const notACommonUser: CheckOf<PreflightFacts, "account" | "database" | "settings"> = {
  code: "DBA408",
  title: "The capture user is not a common user",
  problem: "In a container database, redo is mined in CDB$ROOT, where only a common user can see the PDBs.",
  remedy: "Set cdc.database.user to a common user (C##…). To mine from inside the PDB, set cdc.mining.mode=auto.",
  grade: "refusal",

  run(_intent, { facts: { account, database, settings } }) {
    if (!database.known) return unseen(database);
    if (!database.value.container) return fine(`${database.value.name} has no containers`);
    if (!account.known) return unseen(account);
    const { user, common } = account.value;
    if (common) return fine(`${user} is a common user`);
    if (minesInRange(database.value, settings))
      return fine(`${user} is a local user, with cdc.mining.mode=${settings.miningMode}`);
    return fail(`${user} is a local user of ${database.value.connectedTo}`);
  },
};

/**
 * Views in the root show only rows within the login's CONTAINER_DATA and silently omit the others. A login that sees
 * the seed sees every container.
 *
 * Rule: reference: Oracle, "Preflight rules"; Oracle Database Security Guide, "Enabling Common Users to View
 * CONTAINER_DATA Object Information".
 */
export const pdbNotSeen: CheckOf<PreflightFacts, "database" | "containers" | "account" | "settings"> = {
  code: "DBA409",
  title: "The capture user can't see a captured PDB",
  problem:
    "Views silently omit what is not in the login's CONTAINER_DATA: no changes of that PDB are delivered, without " +
    "any error.",
  remedy:
    "Let the login see all containers, in CDB$ROOT: ALTER USER … SET CONTAINER_DATA=ALL CONTAINER=CURRENT. From " +
    "inside a PDB no grant helps: connect to the root.",
  grade: "refusal",

  run(_intent, { facts: { database, containers, account, settings } }) {
    const { pdbs } = settings.tables;
    if (!database.known) return unseen(database);
    const { container, name, connectedTo } = database.value;
    if (!container)
      return pdbs.length === 0
        ? fine(`${name} has no containers`)
        : fail(`${name} has no containers, and cdc.database.pdbs names ${pdbs.join(", ")}`, {
            remedies: ["Remove cdc.database.pdbs from the configuration, or connect to the container database."],
          });
    if (!containers.known) return unseen(containers);
    if (pdbs.length === 0)
      return unknown(
        `cdc.database.pdbs is not set, and ${name} is a container database: which PDBs are captured is unknown`,
        "Set cdc.database.pdbs in the connector's configuration.",
      );
    const hidden = pdbs.filter((pdb) => !containers.value.some((one) => isNamed(one.name, pdb)));
    if (hidden.length === 0) return fine(`${pdbs.join(", ")} ${pdbs.length === 1 ? "is" : "are"} visible`);
    const shown = containers.value.map((one) => one.name);
    if (shown.includes("PDB$SEED"))
      return fail(`PDB ${hidden.join(", ")} not found: this login sees all containers, ${shown.join(", ")}`, {
        remedies: ["Correct cdc.database.pdbs."],
      });
    if (isInsideAPdb(database.value))
      return fail(`connected to ${connectedTo}, which does not show ${hidden.join(", ")} of cdc.database.pdbs`, {
        remedies: [remedyInside(connectedTo, hidden.join(", "))],
      });
    const user = account.known ? account.value.user : (settings.user ?? "USER");
    return fail(
      `connected to ${connectedTo}, ${user} does not see ${hidden.join(", ")} of cdc.database.pdbs, or no such ` +
        `PDB exists; it sees ${shown.join(", ")}`,
      { remedies: [{ text: "Let it see all containers, in CDB$ROOT", sql: containerDataStatement(user) }] },
    );
  },
};

/** A mounted or restricted PDB shows none of its tables, and can't be mined with its dictionary. */
export const pdbNotOpen: CheckOf<PreflightFacts, "database" | "containers" | "settings"> = {
  code: "DBA410",
  title: "A captured PDB is not open",
  problem: "Neither its tables nor the dictionary for mining its changes can be read. The task can't start.",
  remedy: "Open it without restriction, and save its state so that it opens with the database (SAVE STATE).",
  grade: "refusal",

  run(_intent, { facts: { database, containers, settings } }) {
    if (!database.known) return unseen(database);
    if (!database.value.container) return fine(`${database.value.name} has no containers`);
    if (!containers.known) return unseen(containers);
    const { pdbs } = settings.tables;
    const seen = containers.value.filter(({ name }) => pdbs.some((pdb) => isNamed(name, pdb)));
    const hidden = pdbs.filter((pdb) => !seen.some(({ name }) => isNamed(name, pdb)));
    if (hidden.length > 0 || pdbs.length === 0)
      return seen.every(isOpen)
        ? unknown("not every captured PDB is visible, or none is named (DBA409)", "Fix DBA409 first.")
        : closed(seen);
    return seen.every(isOpen)
      ? fine(seen.map(({ name, openMode }) => `${name} is open ${openMode}`).join(", "))
      : closed(seen);
  },
};

function isOpen({ openMode }: ContainerSeen): boolean {
  return openMode.startsWith("READ") && !isRestricted(openMode);
}

/**
 * A PDB without a saved state stays closed when the instance is restarted, and mining waits for it (ORA-16331).
 *
 * Rule: the connector's own preflight, DOC-21.
 */
export const noSavedState: CheckOf<PreflightFacts, "database" | "containers" | "savedStates" | "settings"> = {
  code: "DBA412",
  title: "A captured PDB stays closed after a restart",
  problem: "After a restart of the instance it has to be opened manually; until then the task can't mine and waits.",
  remedy: "Save its state while it is open.",
  grade: "advisory",

  run(_intent, { facts: { database, containers, savedStates, settings } }) {
    if (!database.known) return unseen(database);
    if (!database.value.container) return fine(`${database.value.name} has no containers`);
    if (!containers.known) return unseen(containers);
    if (!savedStates.known) return unseen(savedStates);
    const seen = containers.value.filter(({ name }) => settings.tables.pdbs.some((pdb) => isNamed(name, pdb)));
    if (seen.length === 0) return fine("no captured PDB is visible (see DBA409)");
    const closed = seen.filter(({ name }) => !savedStates.value.some((saved) => isNamed(saved, name)));
    if (closed.length === 0) return fine(`${seen.map(({ name }) => name).join(", ")}: opens with the instance`);
    return fail(`${showCount(closed.length)} of ${counted(seen.length, "captured PDB")}: no saved state`, {
      items: closed.map(({ name }) => ({ name, sql: `ALTER PLUGGABLE DATABASE ${identifier(name)} SAVE STATE;` })),
    });
  },
};

/** One statement each: SQL*Plus ends a statement only at the end of a line. */
function closed(containers: readonly ContainerSeen[]): Verdict {
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
  return fail(items.map(({ name, seen }) => `the PDB ${name} is ${seen}`).join(", "), { remedies, items });
}

function isRestricted(openMode: string): boolean {
  return openMode.endsWith("RESTRICTED");
}
