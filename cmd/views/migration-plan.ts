import type { VerifiedTable } from "../../core/facts/tables/verified-table.ts";
import type {
  MigrationPlan,
  MigrationShown,
  RetirementShown,
  ReturnShown,
  VerificationShown,
} from "../../core/plan/migration-plan.ts";
import { configurationSection, cutoverFields, settingsShown, translationSection } from "./cutover-plan.ts";
import { clip } from "./layout.ts";
import { meaning, type PlanParts, zoneNote } from "./plan-parts.ts";
import { counted, grouped, showMillis, standingOf } from "./quantities.ts";
import { type Field, field, figure, items, RANK, type Section, section } from "./report/model.ts";
import { lastDelivered, partitionTable, redoFrom, timed } from "./takeover.ts";

/** What is peculiar to a phase of a migration. */
interface PhaseParts {
  /** One labelled sentence each. */
  readonly fields: readonly Field[];
  /** Behind the picture. */
  readonly more?: readonly Section[];
}

const PHASES: {
  readonly [phase in MigrationShown["phase"]]: (plan: MigrationPlan, shown: never) => PhaseParts;
} = {
  cutover: (plan, shown) => {
    const settings = settingsShown(plan, shown);
    return {
      fields: cutoverFields(plan, shown, settings),
      more: [translationSection(plan, shown), ...configurationSection(settings)],
    };
  },
  verify: (plan, shown) => ({ fields: verification(plan, shown) }),
  rollback: (plan, shown) => ({ fields: goingBack(plan, shown) }),
  retire: (plan, shown) => ({ fields: retirement(plan, shown) }),
};

/** What is peculiar to a plan of two connectors: what its phase is and means. */
export function migrationParts(plan: MigrationPlan): PlanParts {
  const { intent, migration, timeline } = plan;
  const { fields, more = [] } = PHASES[migration.phase](plan, migration as never);
  const takeover = "takeover" in migration ? migration.takeover : undefined;
  const partitions = takeover === undefined ? [] : [partitionTable(takeover), ...zoneNote(plan)];
  return {
    connectors: `${intent.from.connector} to ${intent.to.name}`,
    before: [],
    said: [],
    change: [
      meaning(aim(plan), []),
      ...section(RANK.subject, partitions, { title: "Stored partitions", terminal: "no title" }),
      { ...meaning(undefined, fields), title: "In detail" },
      ...section(RANK.figure, figure(timeline), { title: "The position", terminal: "no title" }),
      ...more,
    ],
  };
}

/** The phase in one phrase, and where it leads. */
function aim({ intent, migration, legacy }: MigrationPlan): string {
  const [old, name] = [clip(intent.from.connector), clip(intent.to.name)];
  switch (migration.phase) {
    case "cutover": {
      const { takeover } = migration;
      if (takeover === undefined) return `cutover: where ${old} stands, and ${name} would start, can't be told`;
      const where = legacy?.state === "STOPPED" ? "where that one has stopped" : "as its offsets stand now";
      return `cutover: ${name} takes over from ${old} at ${takeover.startScn}, ${where}`;
    }
    case "verify":
      return `verify: tables are compared with the topics of ${name} as of one SCN; nothing is changed`;
    case "rollback":
      return `rollback: ${old} goes on where it stopped, and ${name} is removed`;
    case "retire":
      return `retire: ${old} and its topics are deleted; there is no way back`;
  }
}

function verification(plan: MigrationPlan, shown: VerificationShown): readonly Field[] {
  const { intent } = plan;
  const { tables, checkScn, evidence } = shown;
  const { verify } = intent;
  const name = clip(intent.to.name);
  const asked = verify?.tables.length ?? 0;
  const wait = verify === undefined ? "" : ` (at most ${showMillis(verify.wait)})`;
  return [
    field(
      "tables",
      tables.length === asked
        ? `${counted(tables.length, "table")}, ${tables.length === 1 ? "" : "each "}with the topics of its changes`
        : `${grouped(BigInt(tables.length))} of the ${grouped(BigInt(asked))} named can be compared`,
      tables.length === asked && asked > 0 ? undefined : "bad",
      items(tables, "table", comparison),
    ),
    ...ignored(plan),
    field(
      "check SCN",
      `${
        checkScn === undefined
          ? `the SCN of ${verify === undefined ? "a while" : showMillis(verify.safetyMargin)} before it begins`
          : checkScn
      }; apply waits until ${name} has passed it${wait}`,
    ),
    newConnector(plan),
    field(
      "evidence",
      `${clip(evidence)}, written whichever way it ends, in place of an earlier one; its digest is kept in the ` +
        "journal of the run, and a retirement asks for both",
    ),
    ...(verify?.showValues === true
      ? [field("values", "those that differ are written into the evidence; they may be personal data", "caution")]
      : []),
  ];
}

/** Which this phase needs, and leaves as it is. */
function newConnector({ intent, next }: MigrationPlan): Field {
  const name = clip(intent.to.name);
  if (next === undefined) return field("new", `${name} is not there`, "bad");
  return field("new", `${name} ${standingOf(next)}`, next.state === "RUNNING" ? undefined : "caution");
}

/**
 * `ORCLPDB1.SALES.ORDERS  orders.ORCLPDB1.SALES.ORDERS, after ORCLCDB.ORCLPDB1.SALES.ORDERS of the legacy connector`.
 */
function comparison({ table, topic, legacyTopic }: VerifiedTable): string {
  const before =
    legacyTopic === undefined ? "without a legacy topic" : `after ${clip(legacyTopic)} of the legacy connector`;
  return `${clip(table)}  with ${clip(topic)}, ${before}`;
}

function ignored({ intent: { verify } }: MigrationPlan): readonly Field[] {
  const tables = Object.entries(verify?.ignoreColumns ?? {});
  if (tables.length === 0) return [];
  return [
    field(
      "not compared",
      clip(tables.map(([table, columns]) => `${columns.join(", ")} of ${table}`).join("; "), 1000),
      "caution",
    ),
  ];
}

function goingBack(plan: MigrationPlan, shown: ReturnShown): readonly Field[] {
  const { intent, legacy, outcome } = plan;
  const [old, name] = [clip(intent.from.connector), clip(intent.to.name)];
  const { takeover } = shown;
  return [
    takeover === undefined
      ? field("goes on from", `can't be told: the stored offsets of ${old} are no position`, "bad")
      : field(
          "goes on from",
          `${timed(takeover.startScn, takeover.startedAt)}: the lowest scn that ${old} stopped with; every ` +
            "commit that it had not delivered reaches its topics",
        ),
    ...(takeover === undefined ? [] : [lastDelivered(takeover)]),
    redoFrom(shown.redo),
    field(
      "legacy",
      legacy === undefined
        ? `${old} is not there`
        : `${old} ${standingOf(legacy)}; ${outcome.state === "ready" ? "it will be resumed" : "it is left as it is"}`,
      legacy === undefined ? "bad" : undefined,
    ),
    removed(plan),
    ...newTopics(shown, name, plan.world.prefix),
    field("way forward", `a plan with phase: cutover takes over again, from where ${old} stands by then`),
  ];
}

/** Reference: Kafka Connect, "Seen on real workers": stored offsets outlive their connector. */
function removed({ intent, next, outcome }: MigrationPlan): Field {
  const name = clip(intent.to.name);
  if (next === undefined) return field("new", `${name} is not there: there is nothing of it to remove`);
  if (outcome.state !== "ready") return field("new", `${name} ${standingOf(next)}; it is left as it is`);
  const how = next.state === "STOPPED" ? "deleted" : "stopped and deleted";
  return field(
    "new",
    `${name} ${standingOf(next)}; it will be ${how}, its stored offsets first: they would outlive it, and the ` +
      "next cutover would go on from them",
    "bad",
  );
}

function newTopics({ topics, kept }: ReturnShown, name: string, prefix: string): readonly Field[] {
  const deleted = topicsDeleted(topics, name);
  if (kept === undefined && topics.length > 0) return deleted;
  if (kept === undefined) return [field("topics", `which topics ${name} has can't be seen; none is deleted`)];
  if (kept.length === 0) return deleted;
  const how = topics.length > 0 ? "" : ` (spec.deleteTopics: true deletes those of ${name})`;
  const stay = `${counted(kept.length, "topic")} below ${clip(prefix, 60)}. ${kept.length === 1 ? "stays" : "stay"}${how}:`;
  return [
    ...deleted,
    field(
      topics.length > 0 ? "stays" : "topics",
      stay,
      undefined,
      items(kept, "topic", (topic) => clip(topic)),
    ),
  ];
}

function topicsDeleted(topics: readonly string[], name: string): readonly Field[] {
  if (topics.length === 0) return [];
  return [
    field(
      "topics",
      `${counted(topics.length, "topic")} of ${name} will be deleted, with everything in ` +
        `${topics.length === 1 ? "it" : "them"}:`,
      "bad",
      items(topics, "topic", (topic) => clip(topic), "all"),
    ),
  ];
}

function retirement(plan: MigrationPlan, { topics, licenceTopic, evidence }: RetirementShown): readonly Field[] {
  const { intent, legacy, next } = plan;
  const [old, name] = [clip(intent.from.connector), clip(intent.to.name)];
  return [
    field(
      "legacy",
      legacy === undefined
        ? `${old} is not there`
        : `${old} ${standingOf(legacy)}; it will be deleted, with its configuration`,
      "bad",
    ),
    newConnector(plan),
    topics === undefined
      ? field("topics", "which topics are the legacy connector's can't be told", "bad")
      : topics.length === 0
        ? field("topics", "none of its topics is there: no topic is deleted")
        : field(
            "topics",
            `${counted(topics.length, "topic")} will be deleted, with everything in ` +
              `${topics.length === 1 ? "it" : "them"}:`,
            "bad",
            items(topics, "topic", ({ topic, what }) => `${clip(topic)}  ${clip(what)}`, "all"),
          ),
    evidence === undefined
      ? field("evidence", "there is none that holds together", "bad")
      : field("evidence", `${clip(evidence.file)}, ${evidence.digest}`),
    field(
      "stays",
      next === undefined ? `the topics of ${name}` : `${name} and its topics`,
      undefined,
      items(
        [
          `what Kafka Connect has stored as the offsets of ${old}: it outlives the connector, and one that is ` +
            "created under its name goes on from it",
          ...(licenceTopic === undefined
            ? []
            : [
                `the licence topic ${clip(licenceTopic)} (spec.deleteLicenceTopic: true deletes it, unless another ` +
                  "legacy connector uses it)",
              ]),
        ],
        "thing",
        (one) => one,
        "all",
      ),
    ),
    field(
      "way back",
      `none: what is deleted is gone. Until then a plan with phase: rollback goes back to ${old}`,
      "bad",
    ),
  ];
}
