/** The views of a session's privileges and user. */

import type { Relation } from "./sql/scope.ts";
import { columns, yes } from "./view.ts";
import type { OracleWorld } from "./world.ts";

/** The grants of the capture user if nothing is denied: those that the connector requires. */
const PRIVILEGES = [
  "CREATE SESSION",
  "FLASHBACK ANY TABLE",
  "LOGMINING",
  "SELECT ANY DICTIONARY",
  "SELECT ANY TABLE",
  "SELECT ANY TRANSACTION",
];
const ROLES = ["EXECUTE_CATALOG_ROLE"];

/** @returns undefined for any other name */
export function sessionView(world: OracleWorld, container: string, user: string, name: string): Relation | undefined {
  const holds = (granted: string): boolean =>
    !world.denied.has(granted) && (container === "CDB$ROOT" || !world.rootOnly.has(granted));
  switch (name) {
    case "SESSION_PRIVS": {
      // A local user cannot switch containers.
      const granted = [...PRIVILEGES, ...(isCommon(world, user) ? ["SET CONTAINER"] : [])];
      return { columns: columns("PRIVILEGE:40"), rows: granted.filter(holds).map((one) => [one]) };
    }
    case "SESSION_ROLES":
      return { columns: columns("ROLE:128"), rows: ROLES.filter(holds).map((one) => [one]) };
    case "USER_USERS":
      return {
        columns: columns("USERNAME:128 COMMON:3"),
        rows: [[user, yes(isCommon(world, user))]],
      };
    default:
      return undefined;
  }
}

function isCommon({ database, users }: OracleWorld, user: string): boolean {
  return database.cdb && (users[user.toUpperCase()]?.common ?? /^C##/i.test(user));
}
