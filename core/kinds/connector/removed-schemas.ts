import type { DecidedOffsetChange, RemovedRecords } from "../../../schemas/generated/plan.ts";
import type { OffsetChangeIntent, ResnapshotIntent } from "../../document/intent.ts";
import type { ConnectorFacts } from "../../facts/connector-facts.ts";
import type { Observed } from "../../facts/observed.ts";
import type { MaybeAltered } from "../../facts/tables/ddl.ts";

type Asks = Pick<OffsetChangeIntent | ResnapshotIntent, "removeTableSchemas">;

/** What a move over a DDL means for the layouts on the schema topic. */
export interface SchemasRemoved {
  /** Captured tables that may have had a DDL in what the move skips, or mines again by range; undefined: no matter. */
  readonly altered: Observed<readonly MaybeAltered[]> | undefined;
  /** Their layouts, if the plan file asks for their removal. */
  readonly removed: readonly RemovedRecords[];
}

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
