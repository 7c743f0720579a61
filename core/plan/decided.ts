import type { DecidedMigration } from "../../schemas/generated/plan.ts";
import type { Intent } from "../document/intent.ts";

/** What every kind's decision repeats of its intent. */
export function repeated({
  metadata: { name, reason, ticket },
  accept,
}: Intent): Pick<DecidedMigration, "metadata" | "accept"> {
  return { metadata: { name, reason, ticket }, accept: [...accept].sort() };
}
