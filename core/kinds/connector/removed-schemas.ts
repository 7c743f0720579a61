import type { DecidedOffsetChange } from "../../../schemas/generated/plan.ts";
import type { SchemasRemoved } from "../../checks/readings.ts";
import type { OffsetChangeIntent, ResnapshotIntent } from "../../document/intent.ts";
import type { ConnectorFacts } from "../../facts/connector-facts.ts";

type Asks = Pick<OffsetChangeIntent | ResnapshotIntent, "removeTableSchemas">;

/** @param altered of a move that skips them */
export function schemasRemoved(
  { removeTableSchemas }: Asks,
  { ddl }: Pick<ConnectorFacts, "ddl">,
  altered: SchemasRemoved["altered"],
): SchemasRemoved {
  if (removeTableSchemas !== true || ddl?.known !== true || altered?.known !== true || altered.value.length === 0)
    return { altered, removed: [] };
  const only = altered.value.map(({ layout }) => layout);
  return { altered, removed: [{ topic: ddl.value.schemaTopic, of: "schema", only }] };
}

/**
 * The part of a decision about layouts that are removed; empty unless the plan file asks for it.
 *
 * @param reading omitted: what follows from the intent alone
 */
export function removalDecided(
  { removeTableSchemas }: Asks,
  reading?: SchemasRemoved,
): Partial<Pick<DecidedOffsetChange, "removeTableSchemas" | "removedSchemas">> {
  const tables = reading?.removed.flatMap(({ only }) => only ?? []) ?? [];
  return {
    ...(removeTableSchemas === true ? { removeTableSchemas } : {}),
    ...(tables.length === 0 ? {} : { removedSchemas: tables }),
  };
}
