import { byTable } from "../facts/tables/tables.ts";
import { fail, fine, type Item } from "./check.ts";
import { type CheckOfTables, ofCaptured, overTables } from "./tables.ts";

/** A name, or a part of one, valid in Avro (Avro specification, "Names"). */
const AVRO_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

const NO_AVRO = "this configuration has no Avro converter";

/**
 * A column's name becomes a field's name: a converter refuses the table's first record.
 *
 * Rule: the connector's own preflight, DOC-22.
 */
export const columnsNotOfAvro: CheckOfTables<"columns" | "settings"> = {
  code: "TAB110",
  title: "Captured columns have names that are invalid in Avro",
  problem: "The converter refuses the first record of such a table, and the task fails.",
  remedy: "Set cdc.field.name.adjustment.mode=avro, or leave the columns out (cdc.columns.exclude).",
  grade: "refusal",

  run(_intent, reading) {
    const { settings } = reading.facts;
    return overTables(reading, ["columns"], (tables, known) => {
      if (settings.avro === undefined) return fine(NO_AVRO);
      if (settings.avro.fieldsAdjusted) return fine("cdc.field.name.adjustment.mode adjusts column names");
      const columnsOf = byTable(known.columns);
      const found = tables.flatMap((table): Item[] => {
        const names = columnsOf(table).flatMap(({ column }) => (AVRO_NAME.test(column) ? [] : [column]));
        return names.length === 0 ? [] : [{ name: table.fullName, seen: names.join(", ") }];
      });
      if (found.length === 0) return fine("every captured column's name is valid in Avro");
      return fail(
        `${ofCaptured(found, tables)}: columns with names that are invalid in Avro ` +
          `(${settings.avro.settings.join(", ")})`,
        {
          items: found,
          remedies: [
            { text: "Have the names adjusted", setting: "cdc.field.name.adjustment.mode=avro" },
            "Or leave the columns out (cdc.columns.exclude).",
          ],
        },
      );
    });
  },
};

/**
 * Owner, table and prefix become parts of a schema's name. The converter accepts them, but consumers with a recent Avro
 * refuse the record.
 *
 * Rule: the connector's own preflight, DOC-22.
 */
export const tablesNotOfAvro: CheckOfTables<"settings"> = {
  code: "TAB111",
  title: "Captured tables have names that are invalid in Avro",
  problem: "Consumers with Avro 1.12 or later refuse records whose schema has such a name.",
  remedy: "Set cdc.schema.name.adjustment.mode=avro.",
  grade: "advisory",

  run(_intent, reading) {
    const { settings } = reading.facts;
    return overTables(reading, [], (tables) => {
      if (settings.avro === undefined) return fine(NO_AVRO);
      if (settings.avro.schemasAdjusted) return fine("cdc.schema.name.adjustment.mode adjusts table names");
      const prefix = settings.prefix.split(".").filter((part) => !AVRO_NAME.test(part));
      const found = tables.flatMap((table): Item[] => {
        const parts = [...prefix, ...[table.owner, table.name].filter((part) => !AVRO_NAME.test(part))];
        return parts.length === 0 ? [] : [{ name: table.fullName, seen: parts.join(", ") }];
      });
      if (found.length === 0) return fine("every captured table's name is valid in Avro");
      return fail(
        `${ofCaptured(found, tables)}: names that are invalid in Avro (${settings.avro.settings.join(", ")})`,
        {
          items: found,
          remedies: [{ text: "Have the names adjusted", setting: "cdc.schema.name.adjustment.mode=avro" }],
        },
      );
    });
  },
};
