import type { DatabaseSeen } from "../facts/database/database.ts";
import type { Observed } from "../facts/observed.ts";

type Known =
  | { readonly known: true; readonly value: DatabaseSeen }
  | Extract<Observed<DatabaseSeen>, { readonly known: false }>;

/** Which database it is: nothing is planned without knowing it, and a preflight may not be shown it. */
export function databaseIn({ database }: { readonly database: DatabaseSeen | Observed<DatabaseSeen> }): Known {
  return "known" in database ? database : { known: true, value: database };
}
