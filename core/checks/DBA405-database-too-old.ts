import { type Check, fail, fine, unknown } from "./check.ts";

const OLDEST = 19;

export const databaseTooOld: Check<"Preflight"> = {
  code: "DBA405",
  title: "The database is older than 19c",
  problem: "The connector supports Oracle Database 19c and later.",
  remedy: "Upgrade the database to 19c or later before the connector is started.",
  grade: "refusal",

  run(_intent, { facts }) {
    if (!facts.database.known) return unknown(facts.database.why, facts.database.remedy);
    const { name, version } = facts.database.value;
    const release = Number(/^\d+/.exec(version)?.[0]);
    if (Number.isNaN(release)) return unknown(`${name} gives its version as ${JSON.stringify(version)}`);
    const seen = `${name} is ${version}`;
    return release < OLDEST ? fail({ seen }) : fine(seen);
  },
};
