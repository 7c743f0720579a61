import { showCompared, type VerifiedTable } from "../../../core/facts/tables/tables.ts";
import { type CallDoes, readCall } from "../../../core/plan/calls.ts";
import type {
  MigrationPlan,
  RetirementPlan,
  ReturnPlan,
  ReturnShown,
  TakeoverShown,
  VerificationPlan,
} from "../../../core/plan/migration-plan.ts";
import type { StepName } from "../../../core/plan/steps.ts";
import type { RunState, StepState } from "../../../core/run/state.ts";
import { counted, showBytes, showCount } from "../../../core/values/amounts.ts";
import type { ComparedCounts } from "../../../schemas/generated/facts.ts";
import type { MigrationSubject, Verified } from "../../../schemas/generated/run-journal.ts";
import { showInstant, showMillis, statusOf, trunc } from "../layout.ts";
import { type Field, field, figure, items, lines, RANK, type Section, section, type Words } from "../report/model.ts";
import { lastDelivered, partitionTable, redoFrom, timed } from "../takeover.ts";
import { backedOut, did, type KindView, meaning, NOT_KNOWN, type PlanParts, zoneNote } from "./kind.ts";

/** Parts shared by the plans of all phases of a migration. */
export function phaseParts(
  plan: MigrationPlan,
  aim: string,
  fields: readonly Field[],
  { takeover, more = [] }: { readonly takeover?: TakeoverShown | undefined; readonly more?: readonly Section[] } = {},
): PlanParts {
  const { intent, timeline } = plan;
  const partitions = takeover === undefined ? [] : [partitionTable(takeover), ...zoneNote(plan)];
  return {
    connectors: `${intent.from.connector} to ${intent.to.name}`,
    before: [],
    covered: [],
    inShort: { direction: intent.phase, cost: costOf(plan) },
    change: [
      meaning(aim, asked(plan)),
      ...section(RANK.subject, partitions, { title: "Stored partitions", terminal: "no title" }),
      { ...meaning(undefined, fields), title: "In detail" },
      ...section(RANK.figure, figure(timeline), { title: "The position", terminal: "no title" }),
      ...more,
    ],
  };
}

/** The cost of a phase: what it reads again, compares or deletes. */
function costOf({ migration }: MigrationPlan): string {
  if (migration.phase === "verify") return `compares ${counted(migration.tables.length, "table")}`;
  if (migration.phase === "retire")
    return migration.topics === undefined ? NOT_KNOWN : `deletes ${counted(migration.topics.length, "topic")}`;
  if (migration.redo === undefined) return NOT_KNOWN;
  const { used } = migration.redo;
  const logs = used.reduce((sum, { archivedLogs }) => sum + archivedLogs, 0n);
  return `${counted(logs, "archived log")}, ${showBytes(used.reduce((sum, { bytes }) => sum + bytes, 0n))}`;
}

/** The phase, when `--phase` overrides the plan file. */
function asked({ intent: { phase, origin } }: MigrationPlan): readonly Field[] {
  const { phaseOfFile, file = "the plan file" } = origin;
  if (phaseOfFile === undefined) return [];
  return [field("phase", `${phase}, by --phase; ${trunc(file)} has ${phaseOfFile}`)];
}

/** The new connector, which a phase requires and leaves unchanged. */
function newConnector({ intent, next }: MigrationPlan): Field {
  const name = trunc(intent.to.name);
  if (next === undefined) return field("new", `${name} does not exist`, "bad");
  return field("new", `${name} ${statusOf(next)}`, next.state === "RUNNING" ? undefined : "caution");
}

/** Parts of a run shared by all phases. Sentences are not escaped. */
export const ofTwoConnectors = {
  untouched: "it changes no connector, offset or topic",
  changes,
  records,
  reportedByCalls: true,
} as const;

/** What was changed according to the journal, in order. @param stops the connector that the phase stops */
export function changes(
  { legacy, connector, ranBefore }: MigrationSubject,
  state: RunState,
  at: (step: StepName) => StepState,
  stops: string = connector,
): readonly string[] {
  const stopped = trunc(stops);
  return [
    ...(ranBefore ? did("stop-connector", stopped, at) : []),
    ...calls(state),
    ...did("start-new", trunc(connector), at),
    ...did("resume-legacy", trunc(legacy), at),
    ...backedOut(stopped, state),
  ];
}

/** Sentences for applied calls. Topics are counted; the start of a connector is described by its step. */
const APPLIED: { readonly [does in CallDoes]?: (name: string) => string } = {
  create: (name) => `${name} was created`,
  "delete offsets": (name) => `the stored offsets of ${name} were deleted`,
  "delete connector": (name) => `${name} was deleted`,
};

function calls({ calls: all }: RunState): readonly string[] {
  const applied = [...all].flatMap(([call, at]) => (at === "applied" ? (readCall(call) ?? []) : []));
  const topics = applied.filter(({ does }) => does === "delete topic").map(({ of }) => of);
  return [
    ...applied.flatMap(({ does, of }) => APPLIED[does]?.(trunc(of)) ?? []),
    ...(topics.length === 0
      ? []
      : [
          topics.length === 1
            ? `the topic ${trunc(topics[0] ?? "")} was deleted`
            : `${counted(topics.length, "topic")} were deleted`,
        ]),
    ...[...all].flatMap(([call, at]) => (at === "sent" ? [`whether ${trunc(call)} took effect is unknown`] : [])),
  ];
}

const MOST_TABLES = 10;

/** What a run has determined, besides its steps. */
function records(subject: MigrationSubject, { takeover, returning, verified }: RunState): readonly Field[] {
  const [old, name] = [trunc(subject.legacy), trunc(subject.connector)];
  const fixed = takeover && [
    `cdc.start.scn ${takeover.startScn}`,
    takeover.lastDelivered === undefined
      ? "no table had a last commit"
      : `${old} had delivered up to ${takeover.lastDelivered}`,
    `it stopped with ${counted(takeover.offsets.length, "stored offset")}, kept in the journal`,
  ];
  const back = returning && [
    `${old} resumes from its ${counted(returning.offsets.length, "stored offset")}`,
    returning.removed.length === 0
      ? `nothing was stored for ${name}`
      : `${counted(returning.removed.length, "stored offset")} of ${name} to be deleted, kept in the journal`,
  ];
  return [
    ...(fixed === undefined ? [] : [field("takeover", fixed.join("; "))]),
    ...(back === undefined ? [] : [field("rollback", back.join("; "))]),
    ...(verified === undefined
      ? []
      : [
          field(
            "verified",
            `${tableList(verified.tables)}: ${verified.passed ? "passed" : "not all passed"}` +
              `${ofCounts(verified.counts)}; evidence ${evidenceText(verified.evidence)}`,
          ),
        ]),
  ];
}

/** Evidence of an earlier version has no counts. */
function ofCounts(counts: ComparedCounts | undefined): string {
  return counts === undefined ? "" : `; ${showCompared(counts)}`;
}

export function evidenceText({ file, digest, writtenAt }: Verified["evidence"]): string {
  return `${trunc(file)}, ${trunc(digest)}${writtenAt === undefined ? "" : `, of ${showInstant(writtenAt)}`}`;
}

function tableList(tables: readonly string[]): string {
  const shown = tables.slice(0, MOST_TABLES).map((table) => trunc(table));
  const left = tables.length - shown.length;
  return [...shown, ...(left === 0 ? [] : [counted(left, "more table")])].join(", ");
}

/** Compares tables with topics. Changes nothing; its message names the evidence. */
export const verification: KindView<VerificationPlan, MigrationSubject> = {
  ...ofTwoConnectors,
  untouched: undefined,
  plan(plan) {
    const topics = `the topics of ${trunc(plan.intent.to.name)}`;
    const aim = `verify: compares tables with ${topics} as of one SCN; changes nothing`;
    return phaseParts(plan, aim, verificationFields(plan));
  },
  aim: ({ legacy }) => `verify after ${trunc(legacy, 60)}`,
  next: (_run, then) => then("retire", "once all consumers read the new topics"),
};

function verificationFields(plan: VerificationPlan): readonly Field[] {
  const { intent, migration } = plan;
  const { tables, checkScn, evidence } = migration;
  const { verify } = intent;
  const name = trunc(intent.to.name);
  const asked = verify?.tables.length ?? 0;
  const wait = verify === undefined ? "" : ` (at most ${showMillis(verify.wait)})`;
  return [
    field(
      "tables",
      tables.length === asked
        ? `${counted(tables.length, "table")}, ${tables.length === 1 ? "" : "each "}with the topics of its changes`
        : `${showCount(tables.length)} of the ${showCount(asked)} named can be compared`,
      tables.length === asked && asked > 0 ? undefined : "bad",
      items(tables, "table", comparison),
    ),
    ...ignored(plan),
    field(
      "check SCN",
      `${
        checkScn === undefined
          ? `the SCN of ${verify === undefined ? "some time" : showMillis(verify.safetyMargin)} before it begins`
          : checkScn
      }; apply waits until ${name} has passed it${wait}`,
    ),
    newConnector(plan),
    ...(verify?.engine === undefined
      ? []
      : [
          field(
            "engine",
            "Apache Spark, submitted as spark.submit of the context says; workers read with their own logins",
          ),
        ]),
    field(
      "evidence",
      `${trunc(evidence)}, always written, replacing an earlier one; its digest is kept in the ` +
        "run's journal, and a retirement requires both",
    ),
    ...(verify?.showValues === true
      ? [field("values", "differing values are written into the evidence; they may be personal data", "caution")]
      : []),
  ];
}

/**
 * `ORCLPDB1.SALES.ORDERS  orders.ORCLPDB1.SALES.ORDERS, after ORCLCDB.ORCLPDB1.SALES.ORDERS of the legacy connector`.
 */
function comparison({ table, topic, legacyTopic }: VerifiedTable): Words {
  const before =
    legacyTopic === undefined
      ? [", without a legacy topic"]
      : [", after ", { code: trunc(legacyTopic) }, " of the legacy connector"];
  return [{ code: trunc(table) }, "  with ", { code: trunc(topic) }, ...before];
}

function ignored({ intent: { verify } }: MigrationPlan): readonly Field[] {
  const tables = Object.entries(verify?.ignoreColumns ?? {});
  if (tables.length === 0) return [];
  return [
    field(
      "not compared",
      trunc(tables.map(([table, columns]) => `${columns.join(", ")} of ${table}`).join("; "), 1000),
      "caution",
    ),
  ];
}

/** Returns from the new connector to the legacy one. */
export const cutoverRollback: KindView<ReturnPlan, MigrationSubject> = {
  ...ofTwoConnectors,
  plan(plan) {
    const { from, to } = plan.intent;
    const aim = `rollback: ${trunc(from.connector)} resumes where it stopped, and ${trunc(to.name)} is removed`;
    return phaseParts(plan, aim, resumption(plan), { takeover: plan.migration.takeover });
  },
  aim: ({ legacy }) => `rollback to ${trunc(legacy, 60)}`,
  next: (_run, then) => then("cutover", "to take over again"),
};

function resumption(plan: ReturnPlan): readonly Field[] {
  const { intent, legacy, outcome, migration: shown } = plan;
  const [old, name] = [trunc(intent.from.connector), trunc(intent.to.name)];
  const { takeover } = shown;
  return [
    takeover === undefined
      ? field("resumes from", `unknown: the stored offsets of ${old} are not a valid position`, "bad")
      : field(
          "resumes from",
          `${timed(takeover.startScn, takeover.startedAt)}: the lowest scn that ${old} stopped with; every ` +
            "commit that it had not delivered reaches its topics",
        ),
    ...(takeover === undefined ? [] : [lastDelivered(takeover)]),
    redoFrom(shown.redo),
    field(
      "legacy",
      legacy === undefined
        ? `${old} does not exist`
        : `${old} ${statusOf(legacy)}; ${outcome.state === "ready" ? "it will be resumed" : "it is left unchanged"}`,
      legacy === undefined ? "bad" : undefined,
    ),
    removed(plan),
    ...newTopics(shown, name, plan.world.prefix),
    field("next cutover", `a plan with phase: cutover takes over again, from the position of ${old} at that time`),
  ];
}

/** Reference: Kafka Connect, "Seen on real workers": stored offsets outlive their connector. */
function removed({ intent, next, outcome }: ReturnPlan): Field {
  const name = trunc(intent.to.name);
  if (next === undefined) return field("new", `${name} does not exist: nothing to remove`);
  if (outcome.state !== "ready") return field("new", `${name} ${statusOf(next)}; it is left unchanged`);
  const how = next.state === "STOPPED" ? "deleted" : "stopped and deleted";
  return field(
    "new",
    `${name} ${statusOf(next)}; it will be ${how}, its stored offsets first: they would outlive it, and the ` +
      "next cutover would resume from them",
    "bad",
  );
}

function newTopics({ topics, kept }: ReturnShown, name: string, prefix: string): readonly Field[] {
  const deleted = topicsDeleted(topics, name);
  if (kept === undefined && topics.length > 0) return deleted;
  if (kept === undefined) return [field("topics", `the topics of ${name} are unknown; none is deleted`)];
  if (kept.length === 0) return deleted;
  const how = topics.length > 0 ? "" : ` (spec.deleteTopics: true deletes those of ${name})`;
  const stays = kept.length === 1 ? "stays" : "stay";
  const stay = `${counted(kept.length, "topic")} below ${trunc(prefix, 60)}. ${stays}${how}:`;
  return [
    ...deleted,
    field(
      topics.length > 0 ? "stays" : "topics",
      stay,
      undefined,
      items(kept, "topic", (topic) => trunc(topic)),
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
      items(topics, "topic", (topic) => trunc(topic), "all"),
    ),
  ];
}

/** Deletes the legacy connector and its topics. */
export const retirement: KindView<RetirementPlan, MigrationSubject> = {
  ...ofTwoConnectors,
  plan(plan) {
    const aim = `retire: deletes ${trunc(plan.intent.from.connector)} and its topics; this cannot be rolled back`;
    return phaseParts(plan, aim, retirementFields(plan));
  },
  aim: ({ legacy }) => `retire ${trunc(legacy, 60)}`,
  next: () => [],
};

function retirementFields(plan: RetirementPlan): readonly Field[] {
  const { intent, legacy, next, migration } = plan;
  const { topics, licenceTopic, evidence } = migration;
  const [old, name] = [trunc(intent.from.connector), trunc(intent.to.name)];
  return [
    field(
      "legacy",
      legacy === undefined
        ? `${old} does not exist`
        : `${old} ${statusOf(legacy)}; it will be deleted, with its configuration`,
      "bad",
    ),
    newConnector(plan),
    topics === undefined
      ? field("topics", "the topics of the legacy connector are unknown", "bad")
      : topics.length === 0
        ? field("topics", "it has no topics: no topic is deleted")
        : field(
            "topics",
            `${counted(topics.length, "topic")} will be deleted, with everything in ` +
              `${topics.length === 1 ? "it" : "them"}:`,
            "bad",
            items(topics, "topic", ({ topic, what }) => [{ code: trunc(topic) }, `  ${trunc(what)}`], "all"),
          ),
    evidence === undefined
      ? field("evidence", "no valid evidence", "bad")
      : field("evidence", `${evidenceText(evidence)}${ofCounts(evidence.counts)}`),
    field(
      "stays",
      next === undefined ? `the topics of ${name}` : `${name} and its topics`,
      undefined,
      lines(
        [
          `the offsets of ${old} stored by Kafka Connect: they outlive the connector, and one ` +
            "created under its name resumes from them",
          ...(licenceTopic === undefined
            ? []
            : [
                `the licence topic ${trunc(licenceTopic)} (spec.deleteLicenceTopic: true deletes it, unless another ` +
                  "legacy connector uses it)",
              ]),
        ],
        "thing",
        "all",
      ),
    ),
    field("rollback", `none: deletion is final. Until then, a plan with phase: rollback returns to ${old}`, "bad"),
  ];
}
