import type { LegacyFacts } from "../facts/connector-facts.ts";
import { isInsideAPdb } from "../facts/database/database.ts";
import type { LegacyPartition } from "./stored-offsets.ts";

/**
 * What the stored partitions name that is not what settings, database or target do: SID and PDB are all that they hold
 * of their database's identity.
 *
 * Rule: legacy properties, "Stored offsets".
 *
 * @param pdbs `cdc.database.pdbs` of the new connector
 * @returns a sentence for each name that differs
 */
export function namedElsewhere(
  partitions: readonly LegacyPartition[],
  { legacy: { config }, database }: LegacyFacts,
  pdbs: readonly string[],
): readonly string[] {
  const counted = partitions.filter(({ leftOut }) => !leftOut);
  const sidPdbs = counted.filter(({ of }) => of === "database").map(({ name }) => name.split("."));
  const sids = sidPdbs.map(([sid = ""]) => sid);
  const own = [...sidPdbs.map(([, pdb = ""]) => pdb), ...counted.map(({ table }) => table?.container ?? "")];
  return [
    ...differing("SID", sids, { "oracle.sid": config["oracle.sid"], "V$DATABASE.NAME": database.name }).map(
      (one) => `${one} (an instance may have another name than its database)`,
    ),
    ...differing("PDB", database.container ? own : [], {
      "oracle.pdb.name": config["oracle.pdb.name"],
      "cdc.database.pdbs": pdbs.join(","),
      "the container of the login": isInsideAPdb(database) ? database.connectedTo : "",
    }),
  ];
}

/** @param known what the same is called elsewhere: a name, or several with commas between them; blank: not known */
function differing(
  what: string,
  stored: readonly string[],
  known: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  return [...new Set(stored)].flatMap((name) => {
    const others = Object.entries(known).filter(
      ([, names = ""]) => name !== "" && names.trim() !== "" && !spelt(names).includes(name.trim().toUpperCase()),
    );
    if (others.length === 0) return [];
    return [`the ${what} ${name}, where ${others.map(([from, names]) => `${from} is ${names}`).join(" and ")}`];
  });
}

function spelt(names: string): readonly string[] {
  return names.split(",").map((name) => name.trim().toUpperCase());
}
