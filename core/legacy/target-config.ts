import type { TableSelection } from "../../schemas/generated/facts.ts";
import type { PluginDescription } from "../facts/connector/connector.ts";
import {
  byTable,
  type CapturedSet,
  capturedTables,
  fullNameOf,
  type Selection,
  tableFinder,
} from "../facts/tables/tables.ts";
import { counted, showCount } from "../values/amounts.ts";
import type { Config } from "../values/config.ts";
import { lineOf } from "../values/remedy.ts";
import type { Scn } from "../values/scn.ts";
import { buildsAmong, classMissing } from "./connector-class.ts";
import { brokersMissing, missing } from "./follow-ups.ts";
import type { DeliveredTable, LegacyOffsets } from "./position.ts";
import { COPIED, covers, type PropertyTable, when } from "./property-table.ts";
import { propertiesOf, translate } from "./translation.ts";

/** The target configuration with the start SCN (specification, "Takeover rules", 6). */
export function startingAt(config: Config, scn: Scn): Record<string, string> {
  return { ...config, "cdc.start.scn": scn.toString(), "cdc.snapshot.mode": "none" };
}

/**
 * What is left to do before a connector is created from a target configuration. The configuration does not show whether
 * manual properties were taken care of, so they are listed.
 *
 * @param legacy the legacy connector's own configuration, as its workers have it
 * @param newClass the new connector's class, as the operator names it or as it is documented
 * @param plugins of the workers; undefined if they could not be listed
 */
export function leftToDo(
  config: Config,
  legacy: { readonly name: string; readonly config: Config },
  newClass: string,
  plugins: readonly PluginDescription[] | undefined,
): readonly string[] {
  const connectorClass = config["connector.class"];
  const table = propertiesOf(legacy.config);
  const strangers = Object.keys(config).filter((name) => ofLegacy(name, table));
  const manual = translate(legacy.name, legacy.config, {
    name: `${legacy.name}-new`,
    topicPrefix: "new",
    topics: "new",
  })
    .properties.filter(({ fate }) => fate === "manual")
    .map(({ name }) => name);
  return [
    ...when(
      connectorClass !== newClass,
      `connector.class is ${connectorClass ?? "not set"}, but the new connector's class is ${newClass}.`,
    ),
    ...notOnWorkers(newClass, plugins),
    ...missing(config),
    ...brokersMissing(config, table, legacy.config),
    ...Object.keys(config)
      .filter((name) => config[name]?.includes("********"))
      .sort()
      .map((name) => `${name} is masked (********): set it before the connector is created.`),
    ...when(
      strangers.length > 0,
      `${strangers.join(", ")}: ${strangers.length === 1 ? "a property" : "properties"} of the legacy connector, ` +
        "which the new one does not have.",
    ),
    ...when(
      manual.length > 0,
      "These properties of the legacy connector have to be taken care of manually (run migrate translate for " +
        `instructions): ${manual.join(", ")}.`,
    ),
  ];
}

/**
 * Tables that the legacy connector has delivered and a connector does not capture by its settings, so that their
 * changes would be lost. Whether they still exist makes no difference.
 */
export function notCaptured(delivered: readonly DeliveredTable[], selection: Selection): CapturedSet {
  if (delivered.length === 0) return { known: true, tables: [] };
  const { pdbs, include = "", stated } = selection;
  const tables = delivered.flatMap(({ mayBe }) => mayBe);
  const find = tableFinder(tables.map((table) => ({ ...table, fullName: fullNameOf(table, pdbs) })));
  const captured = capturedTables(
    // No table is captured without the setting, which is required.
    { ...selection, include, stated: stated?.filter((name) => find(name).length > 0) },
    { containers: pdbs.map((name) => ({ name, openMode: "READ WRITE" })), tables, answering: pdbs },
  );
  if (!captured.known) return captured;
  const isCaptured = byTable(captured.tables);
  const missed = delivered.filter(({ mayBe }) => mayBe.every((table) => isCaptured(table).length === 0));
  return {
    known: true,
    tables: missed.flatMap(({ name, mayBe }) => mayBe.slice(0, 1).map((table) => ({ ...table, fullName: name }))),
  };
}

/** The same as a sentence, if there are any or it is unknown. */
export function notCapturedSentence(
  delivered: readonly DeliveredTable[],
  selection: TableSelection,
): readonly string[] {
  if (selection.include === undefined) return [];
  const missed = notCaptured(delivered, selection);
  if (!missed.known) return [`Which of the legacy connector's tables are captured is unknown: ${missed.why}.`];
  if (missed.tables.length === 0) return [];
  return [
    `The legacy connector has delivered ${counted(missed.tables.length, "table")} that the ` +
      `target configuration does not capture: ${missed.tables.map(({ fullName }) => fullName).join(", ")}.`,
  ];
}

/**
 * Finds captured tables that the legacy connector, by its offsets or its table lists, has never delivered. The new
 * connector delivers what is committed to them from the start on, but no earlier rows.
 *
 * @param captured by the target configuration, or why that is unknown
 * @returns a sentence, if there are any or it is unknown
 */
export function neverDelivered(
  { partitions, unread }: Pick<LegacyOffsets, "partitions" | "unread">,
  delivered: readonly DeliveredTable[],
  captured: CapturedSet,
  { pdbs }: Pick<TableSelection, "pdbs">,
): readonly string[] {
  if (!captured.known)
    return [`Which captured tables the legacy connector never delivered is unknown: ${captured.why}.`];
  const tables = [...partitions.flatMap(({ table }) => table ?? []), ...delivered.flatMap(({ mayBe }) => mayBe)];
  const names = new Set(tables.map((table) => fullNameOf(table, pdbs)));
  const strangers = captured.tables
    .map(({ fullName }) => fullName)
    .filter((name) => !names.has(name) && !unread.includes(name));
  if (strangers.length === 0) return [];
  const named = strangers.slice(0, MOST_TABLES).join(", ");
  const more = strangers.length > MOST_TABLES ? `, and ${showCount(strangers.length - MOST_TABLES)} more` : "";
  return [
    `The target configuration captures ${counted(strangers.length, "table")} for which the legacy connector has ` +
      `stored nothing: ${named}${more}. Rows from before the start are not delivered; snapshot these tables if the ` +
      "rows are needed (cdcctl admin resnapshot).",
  ];
}

const MOST_TABLES = 50;

function notOnWorkers(newClass: string, plugins: readonly PluginDescription[] | undefined): readonly string[] {
  if (plugins === undefined) return [`Whether the workers have ${newClass} could not be checked.`];
  if (plugins.some(({ className }) => className === newClass)) return [];
  const { seen, remedies } = classMissing(newClass, buildsAmong(plugins));
  return [`The workers have ${seen}: install the plugin on every worker.`, ...remedies.map(lineOf)];
}

/** A property of the legacy connector that is not a setting of the framework. */
function ofLegacy(name: string, { canonical, rules }: PropertyTable): boolean {
  if (name === "name" || name === "connector.class" || name === "tasks.max") return false;
  const property = canonical(name, {}, undefined);
  return Object.keys(rules).some((pattern) => covers(pattern, property)) && !COPIED.some((one) => covers(one, name));
}
