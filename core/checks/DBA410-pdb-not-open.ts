import { isNamed } from "../facts/database/hidden-pdb.ts";
import type { ContainerSeen } from "../facts/tables/tables.ts";
import { identifier } from "../values/identifier.ts";
import { type Check, fail, fine, type Item, unknown } from "./check.ts";

/** One that is mounted or restricted shows none of its tables, and can't be mined with its dictionary. */
export const pdbNotOpen: Check<"Preflight"> = {
  code: "DBA410",
  title: "A captured PDB is not open",
  problem: "Neither its tables nor the dictionary that its changes are mined with can be read; the task can't start.",
  remedy: "Open it to everybody, and have it opened whenever the database is (SAVE STATE).",
  grade: "refusal",

  run(_intent, { facts: { database, containers, settings } }) {
    if (!database.known) return unknown(database.why, database.remedy);
    if (!database.value.container) return fine(`${database.value.name} has no containers`);
    if (!containers.known) return unknown(containers.why, containers.remedy);
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
      .map(({ name }) => `In ${name}, first:  ALTER SESSION SET CONTAINER = ${identifier(name)};`),
    ...shut.map(({ name }) => `Once it is open:  ALTER PLUGGABLE DATABASE ${identifier(name)} SAVE STATE;`),
  ];
  return { seen: items.map(({ name, seen }) => `the PDB ${name} is ${seen}`).join(", "), remedies, items };
}

function isRestricted(openMode: string): boolean {
  return openMode.endsWith("RESTRICTED");
}
