import type { SideRead } from "../../../schemas/generated/verification-result.ts";
import { counted } from "../../values/amounts.ts";
import { TABLE_NOT_NAMED } from "../change-reader.ts";
import type { TableVerified } from "../engine/verify-table.ts";
import type { TableChecked } from "../evidence/table-evidence.ts";
import type { PlannedTable } from "./plan-table.ts";

/** Result of reading a table, or why it was not read. */
export type TableFound = TableChecked["found"];

/** Puts together the content of a table's evidence after reading it. Pure. */
export function concluded(planned: PlannedTable, found: TableFound): TableChecked {
  const { table, newTopic, legacyTopic, shape, leftOut, remarks } = planned;
  const checked = { table, newTopic, legacyTopic, shape, leftOut, remarks };
  if (planned.job === undefined) return { ...checked, found: { is: "not-read", why: planned.notRead ?? "" } };
  const others = found.is === "not-read" ? undefined : holdsOnlyOthers(planned, found);
  if (others !== undefined) return { ...checked, found: { is: "not-read", why: others } };
  return {
    ...checked,
    remarks: [...remarks, ...afterwards(planned, found), ...olderRecords(planned, found), ...planned.closing],
    found,
  };
}

/** Remarks that only reading the table can give. */
function afterwards(
  { table, newTopic, legacyTopic, legacyConfigIsKnown, job }: PlannedTable,
  found: TableFound,
): readonly string[] {
  if (found.is !== "verified") return [];
  const none = [
    [newTopic, found.newTopic],
    [legacyTopic, found.legacyTopic],
  ] as const;
  const { foreign = 0, reasons = [] } = found.legacyTopic ?? {};
  const others = (foreign > 0 && !legacyIsShared(job)) || reasons.some(({ why }) => why === TABLE_NOT_NAMED);
  const remedy = legacyConfigIsKnown
    ? "see that it is the topic of this table"
    : "give --legacy-config, which says how they are told apart";
  return [
    ...none.flatMap(([topic, read]) =>
      read !== undefined && read.count === 0 && read.foreign > 0
        ? [`${topic} holds no record of ${table}, only records of other tables`]
        : [],
    ),
    ...(others ? [`${legacyTopic} holds records that are not of this table: ${remedy}`] : []),
  ];
}

/** Remarks on records that are older than a column. A default is a value, so it is not shown. */
function olderRecords({ shape, otherDefaults }: PlannedTable, found: TableFound): readonly string[] {
  if (found.is !== "verified") return [];
  const { byDefault, firstDoubts } = found.verdict;
  const name = (column: number) => shape?.columns[column]?.name ?? "";
  const doubted = new Set(
    firstDoubts.flatMap(({ reason, columns }) => (reason === "column-added" ? columns.map(name) : [])),
  );
  return [
    ...byDefault.flatMap((count, column) =>
      count === 0
        ? []
        : [
            `${counted(count, "value")} of ${name(column)} ${count === 1 ? "is" : "are"} its default: ` +
              "the records of their keys are older than the column",
          ],
    ),
    ...[...doubted].flatMap((column) => {
      const why = otherDefaults[column];
      return why === undefined ? [] : [`the default of ${column} is not compared: ${why}`];
    }),
  ];
}

/**
 * A topic that should belong to this table but holds only records of other tables is the wrong one; the right one has
 * not been read.
 */
function holdsOnlyOthers(
  { table, newTopic, legacyTopic, newTopicIsShared, job }: PlannedTable,
  found: TableVerified,
): string | undefined {
  if (found.is !== "verified") return undefined;
  const isOthers = (read: SideRead | undefined) => read?.count === 0 && read.foreign > 0;
  const whose = (topic: string | undefined, option: string) =>
    `${topic} holds no record of ${table}, only records of other tables: it is not the table's topic. ` +
    `Name the right one: ${option}`;
  if (!newTopicIsShared && isOthers(found.newTopic)) return whose(newTopic, "--table OWNER.TABLE=TOPIC");
  return !legacyIsShared(job) && isOthers(found.legacyTopic) ? whose(legacyTopic, "--legacy-topic TOPIC") : undefined;
}

/** Whether the legacy topic may hold records of several tables, by the legacy connector's configuration. */
const legacyIsShared = (job: PlannedTable["job"]): boolean => job?.legacyTopic?.membership?.by === "legacy name";
