import type { Definitions, Dictionary } from "../../../schemas/generated/facts.ts";
import type { ConnectorSettings } from "../../facts/connector/settings.ts";
import { mapObserved, type Observed } from "../../facts/observed.ts";
import { allOrFirst, type Observer } from "../../facts/observer.ts";
import { byTable, capturedIn, type Selection, type TableDdl } from "../../facts/tables/tables.ts";
import { keysInTopic } from "../../journal/keys-in-topic.ts";
import type { KafkaPort } from "../../ports/kafka.ts";
import type { OraclePort } from "../../ports/oracle.ts";

/** What the dictionary has of the tables; each read here unless it was read already. */
interface FromDictionary {
  readonly dictionary: Observed<Dictionary>;
  readonly activity: Observed<readonly TableDdl[]>;
}

/** Reads when the captured tables were last defined, and which layouts the schema topic has. */
export async function inspectDdl(
  { oracle, kafka }: { readonly oracle: OraclePort; readonly kafka: KafkaPort },
  { tables, schemaTopic, prefix }: Pick<ConnectorSettings, "schemaTopic" | "prefix"> & { readonly tables: Selection },
  observe: Observer,
  read: Partial<FromDictionary> = {},
): Promise<Observed<Definitions>> {
  const [dictionary, activity, found] = await allOrFirst(
    Promise.resolve(read.dictionary ?? observe("CDB_TABLES", () => oracle.dictionary(tables.pdbs))),
    read.activity?.known === true
      ? Promise.resolve(read.activity)
      : observe("CDB_OBJECTS", () => oracle.lastDdl(tables.pdbs)),
    observe(schemaTopic, () => keysInTopic(kafka, { topic: schemaTopic, of: "schema" }, prefix)),
  );
  const captured = capturedIn(tables, dictionary);
  if (!captured.known) return { ...captured, source: dictionary.source };
  const layouts =
    found.known && "keys" in found.value ? new Set(found.value.keys.map(({ owner }) => owner)) : undefined;
  return mapObserved(activity, (activities) => {
    const activityOf = byTable(activities);
    return {
      schemaTopic,
      tables: captured.tables.map((table) => {
        const { container, owner, name, fullName } = table;
        // Inside a PDB the connector's own name of a table lacks the PDB, which a key has.
        const names = [fullName, `${container}.${owner}.${name}`, `${owner}.${name}`];
        return {
          table: fullName,
          lastDdl: activityOf(table)[0]?.lastDdl,
          ...(layouts === undefined ? {} : { layout: names.find((one) => layouts.has(one)) ?? null }),
        };
      }),
    };
  });
}
