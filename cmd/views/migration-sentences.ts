import type { VerifiedTable } from "../../core/facts/tables/verified-table.ts";
import type { MigrationPlan, RetirementShown, ReturnShown, VerificationShown } from "../../core/plan/migration-plan.ts";
import { standingOf } from "./connector-standing.ts";
import { type Consequence, consequence, withDetails } from "./consequence.ts";
import { cutoverConsequences } from "./cutover-sentences.ts";
import { clip } from "./layout.ts";
import { counted, grouped, showMillis } from "./quantities.ts";
import { lastDelivered, redoFrom, timed } from "./takeover-sentences.ts";

/** What a phase of a migration is, and means, in sentences for every form it is shown in. Not escaped. */

/** The phase in one phrase, and where it leads. */
export function migrationAim({ intent, migration, legacy }: MigrationPlan): string {
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

/**
 * What a phase means, one labelled sentence each.
 *
 * @param most details of each; of what is deleted all are given
 */
export function migrationConsequences(plan: MigrationPlan, most: number): readonly Consequence[] {
  const { migration } = plan;
  switch (migration.phase) {
    case "cutover":
      return cutoverConsequences(plan, migration, most);
    case "verify":
      return verification(plan, migration, most);
    case "rollback":
      return goingBack(plan, migration, most);
    case "retire":
      return retirement(plan, migration);
  }
}

function verification(plan: MigrationPlan, shown: VerificationShown, most: number): readonly Consequence[] {
  const { intent } = plan;
  const { tables, checkScn, evidence } = shown;
  const { verify } = intent;
  const name = clip(intent.to.name);
  const asked = verify?.tables.length ?? 0;
  const wait = verify === undefined ? "" : ` (at most ${showMillis(verify.wait)})`;
  return [
    withDetails(
      consequence(
        "tables",
        tables.length === asked
          ? `${counted(tables.length, "table")}, ${tables.length === 1 ? "" : "each "}with the topics of its changes`
          : `${grouped(BigInt(tables.length))} of the ${grouped(BigInt(asked))} named can be compared`,
        tables.length === asked && asked > 0 ? undefined : "bad",
      ),
      tables.map(comparison),
      most,
    ),
    ...ignored(plan),
    consequence(
      "check SCN",
      `${
        checkScn === undefined
          ? `the SCN of ${verify === undefined ? "a while" : showMillis(verify.safetyMargin)} before it begins`
          : checkScn
      }; apply waits until ${name} has passed it${wait}`,
    ),
    newConnector(plan),
    consequence(
      "evidence",
      `${clip(evidence)}, written whichever way it ends, in place of an earlier one; its digest is kept in the ` +
        "journal of the run, and a retirement asks for both",
    ),
    ...(verify?.showValues === true
      ? [consequence("values", "those that differ are written into the evidence; they may be personal data", "caution")]
      : []),
  ];
}

/** Which this phase needs, and leaves as it is. */
function newConnector({ intent, next }: MigrationPlan): Consequence {
  const name = clip(intent.to.name);
  if (next === undefined) return consequence("new", `${name} is not there`, "bad");
  return consequence("new", `${name} ${standingOf(next)}`, next.state === "RUNNING" ? undefined : "caution");
}

/**
 * `ORCLPDB1.SALES.ORDERS  orders.ORCLPDB1.SALES.ORDERS, after ORCLCDB.ORCLPDB1.SALES.ORDERS of the legacy connector`.
 */
function comparison({ table, topic, legacyTopic }: VerifiedTable): string {
  const before =
    legacyTopic === undefined ? "without a legacy topic" : `after ${clip(legacyTopic)} of the legacy connector`;
  return `${clip(table)}  with ${clip(topic)}, ${before}`;
}

function ignored({ intent: { verify } }: MigrationPlan): readonly Consequence[] {
  const tables = Object.entries(verify?.ignoreColumns ?? {});
  if (tables.length === 0) return [];
  return [
    consequence(
      "not compared",
      clip(tables.map(([table, columns]) => `${columns.join(", ")} of ${table}`).join("; "), 1000),
      "caution",
    ),
  ];
}

function goingBack(plan: MigrationPlan, shown: ReturnShown, most: number): readonly Consequence[] {
  const { intent, legacy, outcome } = plan;
  const [old, name] = [clip(intent.from.connector), clip(intent.to.name)];
  const { takeover } = shown;
  return [
    takeover === undefined
      ? consequence("goes on from", `can't be told: the stored offsets of ${old} are no position`, "bad")
      : consequence(
          "goes on from",
          `${timed(takeover.startScn, takeover.startedAt)}: the lowest scn that ${old} stopped with; every ` +
            "commit that it had not delivered reaches its topics",
        ),
    ...(takeover === undefined ? [] : [lastDelivered(takeover)]),
    redoFrom(shown.redo, most),
    consequence(
      "legacy",
      legacy === undefined
        ? `${old} is not there`
        : `${old} ${standingOf(legacy)}; ${outcome.state === "ready" ? "it will be resumed" : "it is left as it is"}`,
      legacy === undefined ? "bad" : undefined,
    ),
    removed(plan),
    ...newTopics(shown, name, plan.world.prefix, most),
    consequence("way forward", `a plan with phase: cutover takes over again, from where ${old} stands by then`),
  ];
}

/** Reference: Kafka Connect, "Seen on real workers": stored offsets outlive their connector. */
function removed({ intent, next, outcome }: MigrationPlan): Consequence {
  const name = clip(intent.to.name);
  if (next === undefined) return consequence("new", `${name} is not there: there is nothing of it to remove`);
  if (outcome.state !== "ready") return consequence("new", `${name} ${standingOf(next)}; it is left as it is`);
  const how = next.state === "STOPPED" ? "deleted" : "stopped and deleted";
  return consequence(
    "new",
    `${name} ${standingOf(next)}; it will be ${how}, its stored offsets first: they would outlive it, and the ` +
      "next cutover would go on from them",
    "bad",
  );
}

function newTopics({ topics, kept }: ReturnShown, name: string, prefix: string, most: number): readonly Consequence[] {
  const deleted = topicsDeleted(topics, name);
  if (kept === undefined && topics.length > 0) return deleted;
  if (kept === undefined) return [consequence("topics", `which topics ${name} has can't be seen; none is deleted`)];
  if (kept.length === 0) return deleted;
  const how = topics.length > 0 ? "" : ` (spec.deleteTopics: true deletes those of ${name})`;
  const stay = `${counted(kept.length, "topic")} below ${clip(prefix, 60)}. ${kept.length === 1 ? "stays" : "stay"}${how}:`;
  return [
    ...deleted,
    withDetails(
      consequence(topics.length > 0 ? "stays" : "topics", stay),
      kept.map((topic) => clip(topic)),
      most,
    ),
  ];
}

function topicsDeleted(topics: readonly string[], name: string): readonly Consequence[] {
  if (topics.length === 0) return [];
  const all = consequence(
    "topics",
    `${counted(topics.length, "topic")} of ${name} will be deleted, with everything in ` +
      `${topics.length === 1 ? "it" : "them"}:`,
    "bad",
  );
  return [
    withDetails(
      all,
      topics.map((topic) => clip(topic)),
      topics.length,
    ),
  ];
}

function retirement(plan: MigrationPlan, { topics, licenceTopic, evidence }: RetirementShown): readonly Consequence[] {
  const { intent, legacy, next } = plan;
  const [old, name] = [clip(intent.from.connector), clip(intent.to.name)];
  return [
    consequence(
      "legacy",
      legacy === undefined
        ? `${old} is not there`
        : `${old} ${standingOf(legacy)}; it will be deleted, with its configuration`,
      "bad",
    ),
    newConnector(plan),
    topics === undefined
      ? consequence("topics", "which topics are the legacy connector's can't be told", "bad")
      : topics.length === 0
        ? consequence("topics", "none of its topics is there: no topic is deleted")
        : withDetails(
            consequence(
              "topics",
              `${counted(topics.length, "topic")} will be deleted, with everything in ` +
                `${topics.length === 1 ? "it" : "them"}:`,
              "bad",
            ),
            topics.map(({ topic, what }) => `${clip(topic)}  ${clip(what)}`),
            topics.length,
          ),
    evidence === undefined
      ? consequence("evidence", "there is none that holds together", "bad")
      : consequence("evidence", `${clip(evidence.file)}, ${evidence.digest}`),
    withDetails(
      consequence("stays", next === undefined ? `the topics of ${name}` : `${name} and its topics`),
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
      2,
    ),
    consequence(
      "way back",
      `none: what is deleted is gone. Until then a plan with phase: rollback goes back to ${old}`,
      "bad",
    ),
  ];
}
