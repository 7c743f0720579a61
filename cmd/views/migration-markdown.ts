import type {
  CutoverShown,
  MigrationPlan,
  RetirementShown,
  TakeoverShown,
  VerificationShown,
} from "../../core/plan/migration-plan.ts";
import type { Consequence } from "./consequence.ts";
import { FATES, ofFate, originOf, settingsShown, shownValue, whatBecame } from "./cutover-sentences.ts";
import { EMPTY, inline, md, tableHead, tableRow } from "./markdown.ts";
import { list, MOST_ITEMS, RANK } from "./markdown-blocks.ts";
import type { Block } from "./markdown-budget.ts";
import { migrationAim, migrationConsequences } from "./migration-sentences.ts";
import { zoneNote } from "./plan-sentences.ts";
import { PARTITION_HEAD, partitionCells } from "./takeover-sentences.ts";

/**
 * What a phase of a migration is and means, as Markdown: sentences first, then tables of everything they count. What is
 * deleted goes before everything that is only changed.
 */
export function migrationBlocks(
  plan: MigrationPlan,
  sentences: (aim: string, all: readonly Consequence[]) => readonly Block[],
  picture: readonly Block[],
): readonly Block[] {
  // What a table below has one by one is not listed here as well.
  const all = migrationConsequences(plan, MOST_ITEMS).map((one) =>
    IN_TABLES.has(one.label) ? { ...one, sentence: one.sentence.replace(/:$/, ""), details: [], left: 0 } : one,
  );
  return [...sentences(migrationAim(plan), all), ...picture, ...tables(plan)];
}

const IN_TABLES: ReadonlySet<string> = new Set(["tables", "topics", "configuration"]);

function tables(plan: MigrationPlan): readonly Block[] {
  const { migration } = plan;
  switch (migration.phase) {
    case "cutover":
      return [
        ...positionBlock(plan, migration.takeover),
        ...translationBlock(plan, migration),
        ...configurationBlock(plan, migration),
      ];
    case "verify":
      return comparisonBlock(migration);
    case "rollback":
      return [
        ...topicBlock("Deleted topic", migration.topics, RANK.offset),
        ...positionBlock(plan, migration.takeover),
        ...topicBlock("Topic that stays", migration.topics.length > 0 ? [] : (migration.kept ?? []), RANK.details),
      ];
    case "retire":
      return retiredBlock(migration);
  }
}

function positionBlock(plan: MigrationPlan, takeover: TakeoverShown | undefined): readonly Block[] {
  if (takeover === undefined) return [];
  const note = zoneNote(plan);
  const [first, ...rest] = PARTITION_HEAD;
  return list(
    RANK.offset,
    "stored partitions",
    tableHead([`${first[0]?.toUpperCase()}${first.slice(1)}`, ...rest]),
    takeover.partitions,
    (one) => tableRow(partitionCells(one, takeover).map((cell) => inline(cell, 500))),
    note === undefined ? [EMPTY] : [EMPTY, inline(`${note[0]?.toUpperCase()}${note.slice(1)}`, 200), EMPTY],
  );
}

function translationBlock(
  { intent }: MigrationPlan,
  { translation: { properties, added } }: CutoverShown,
): readonly Block[] {
  const sorted = FATES.flatMap((fate) => ofFate(properties, fate));
  return [
    ...list(
      RANK.consequences,
      "properties",
      [md`**Translation**`, EMPTY, ...tableHead(["Property", "Fate", "What becomes of it"])],
      sorted,
      (one) => tableRow([inline(one.name, 300), inline(one.fate), inline(whatBecame(one, intent.accept), 1000)]),
    ),
    ...list(RANK.details, "settings", tableHead(["Added", "Value", "Why"]), added, ({ target, value, reason }) =>
      tableRow([inline(target, 300), inline(shownValue(value), 500), inline(reason, 500)]),
    ),
  ];
}

function configurationBlock(plan: MigrationPlan, shown: CutoverShown): readonly Block[] {
  return list(
    RANK.details,
    "settings",
    [md`**Configuration**, without its start; secrets are masked`, EMPTY, ...tableHead(["Setting", "Value", "From"])],
    settingsShown(plan, shown),
    (one) => tableRow([inline(one.setting, 300), inline(shownValue(one.value), 1000), inline(originOf(one))]),
  );
}

function comparisonBlock({ tables: of }: VerificationShown): readonly Block[] {
  return list(
    RANK.offset,
    "tables",
    tableHead(["Table", "Topic", "Legacy topic"]),
    of,
    ({ table, topic, legacyTopic }) =>
      tableRow([
        inline(table, 500),
        inline(topic, 300),
        legacyTopic === undefined ? md`none` : inline(legacyTopic, 300),
      ]),
  );
}

function topicBlock(head: string, topics: readonly string[], rank: number): readonly Block[] {
  return list(rank, "topics", tableHead([head]), topics, (topic) => tableRow([inline(topic, 300)]));
}

function retiredBlock({ topics }: RetirementShown): readonly Block[] {
  return list(RANK.offset, "topics", tableHead(["Deleted topic", "What it is"]), topics ?? [], ({ topic, what }) =>
    tableRow([inline(topic, 300), inline(what, 300)]),
  );
}
