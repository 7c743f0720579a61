import type { VerifiedTable } from "../../../schemas/generated/plan.ts";
import type { Verified } from "../../../schemas/generated/run-journal.ts";
import type { ComparedCounts } from "../../../schemas/generated/shared.ts";
import type { RetirementReading, ReturnReading } from "../../checks/readings.ts";
import { statusOf } from "../../facts/connector/connector.ts";
import type { LegacyFacts } from "../../facts/connector-facts.ts";
import type { Observed } from "../../facts/observed.ts";
import type { RedoExamination } from "../../facts/redo/redo.ts";
import { showCompared } from "../../facts/tables/tables.ts";
import { legacyOf } from "../../legacy/legacy-kind.ts";
import type { LegacyOffsets, LegacyPartition, Overlap } from "../../legacy/position.ts";
import {
  type ConnectorShown,
  type Diff,
  type Figures,
  NOT_KNOWN,
  type Note,
  note,
  placeOf,
  type Resolved,
  type Said,
  zoneNote,
} from "../../plan/plan.ts";
import { counted, showCount } from "../../values/amounts.ts";
import { showMillis } from "../../values/duration.ts";
import { type Instant, showInstant } from "../../values/instant.ts";
import type { Scn } from "../../values/scn.ts";
import { truncate } from "../../values/truncate.ts";
import { minedText, redoFigures, redoNotes, UNCHANGED } from "../connector/shown.ts";

type Phase = Resolved<"Migration">;

/** The connector of a phase; undefined if the workers have none of its name. */
export function connectorOf({ connectors }: Phase, role: ConnectorShown["role"]): ConnectorShown | undefined {
  return connectors.find((one) => one.role === role);
}

export function names({ intent: { from, to } }: Phase): readonly [legacy: string, next: string] {
  return [truncate(from.connector, 300), truncate(to.name, 300)];
}

/** What the plans of all phases show alike. */
export function phaseSaid(plan: Phase, own: Omit<Said, "inShort" | "first"> & { readonly cost: string }): Said {
  const { notes, cost, ...rest } = own;
  return {
    ...rest,
    inShort: { change: plan.intent.phase, cost },
    notes: [...asked(plan), ...notes, ...zoneNote(plan)],
  };
}

/** The phase, when `--phase` overrides the plan file; and what the plan file says of the captured tables. */
function asked({ intent: { phase, origin, capturedTables: stated = [] } }: Phase): readonly Note[] {
  const { phaseOfFile, file = "the plan file" } = origin;
  const overridden = `${phase}, by --phase; ${truncate(file, 300)} has ${phaseOfFile}`;
  const named = `${counted(stated.length, "table")}, as the plan file names them`;
  return [
    ...(phaseOfFile === undefined ? [] : [note("phase", overridden)]),
    ...(stated.length === 0 ? [] : [note("captured", named, undefined, "always", stated, "table")]),
  ];
}

/** `2169287, 2026-11-20 18:30:00Z`. */
export function timed(scn: bigint, at: Instant | undefined): string {
  return at === undefined ? scn.toString() : `${scn}, ${showInstant(at)}`;
}

type TimeOf = (scn: Scn | undefined) => Instant | undefined;

/** When an SCN was current, if the database knows. */
export function timeIn({ times }: Pick<LegacyFacts, "times">): TimeOf {
  const known = new Map(times.known ? times.value.map(({ scn, at }) => [scn, at] as const) : []);
  return (scn) => (scn === undefined ? undefined : known.get(scn));
}

export function lastDeliveredText({ lastDelivered: scn, lastUnknown }: LegacyOffsets, at: TimeOf): string {
  if (lastUnknown) return "unknown: no commit is stored";
  return scn === undefined ? "no commit" : timed(scn, at(scn));
}

/** What becomes of the overlap, by whether topics are kept; `migrate takeover` is not told. */
const DELIVERED_AGAIN = {
  keep: "reach the kept topics twice",
  new: "reach the new topics too",
  untold: "are delivered by both",
};

/** Specification, "Takeover rules", 5. */
export function overlapText(
  both: Overlap | undefined,
  { lastUnknown }: LegacyOffsets,
  topics: keyof typeof DELIVERED_AGAIN,
): string {
  if (lastUnknown) return "of unknown size: the last commit delivered is not stored; an overlap, never a gap";
  if (both === undefined) return "none: no commit at or after the start was delivered";
  const span = both.millis === undefined ? "" : `, ${showMillis(both.millis)}`;
  const commits = `commits from ${both.from} to ${both.to} ${DELIVERED_AGAIN[topics]}`;
  return `${counted(both.scns, "SCN")}${span}: ${commits}; an overlap, never a gap`;
}

/** The redo from the start of a phase on: what mining it costs. */
export function redoCost(redo: RedoExamination | undefined): { readonly cost: string; readonly figures: Figures } {
  if (redo === undefined) return { cost: NOT_KNOWN, figures: {} };
  const archivedLogs = redo.used.reduce((sum, one) => sum + one.archivedLogs, 0n);
  const bytesToMine = redo.used.reduce((sum, { bytes }) => sum + bytes, 0n);
  return {
    cost: minedText({ archivedLogs, bytesToMine }, "archived log"),
    figures: { archivedLogs, bytesToMine, ...redoFigures(redo) },
  };
}

/** Every stored partition. What decides the start is said in the notes. */
export function partitionDiff(offsets: LegacyOffsets | undefined, timeOf: TimeOf): readonly Diff[] {
  if (offsets === undefined) return [];
  const rows = offsets.partitions.map((partition): Diff["rows"][number] => {
    const { name, scn, commitScn, leftOut } = partition;
    const since = timeOf(scn);
    const isLast = offsets.partitions.length > 1 && !leftOut && commitScn === offsets.lastDelivered;
    const last = isLast ? ", the last delivered" : "";
    const committed = commitScn === undefined ? [] : [`last commit ${timed(commitScn, timeOf(commitScn))}${last}`];
    return {
      label: truncate(name, 300),
      before: { text: `${scn}`, at: since },
      change: "unchanged",
      note: [...noteOn(partition, offsets), ...committed].join(", "),
    };
  });
  return [{ title: "Stored partitions", what: "stored partition", rows, shown: "in full" }];
}

function noteOn({ leftOut, scn }: LegacyPartition, { startScn }: LegacyOffsets): readonly string[] {
  if (leftOut) return ["left out"];
  return scn === startScn ? ["the lowest"] : [];
}

/** The new connector, which a phase requires and leaves unchanged. */
function newConnector(plan: Phase): Note {
  const [, name] = names(plan);
  const next = connectorOf(plan, "new");
  if (next === undefined) return note("new", `${name} does not exist`, "bad");
  return note("new", `${name} ${statusOf(next)}`, next.state === "RUNNING" ? undefined : "caution");
}

export function evidenceText({ file, digest, writtenAt }: Verified["evidence"]): string {
  const when = writtenAt === undefined ? "" : `, of ${showInstant(writtenAt)}`;
  return `${truncate(file, 300)}, ${truncate(digest, 300)}${when}`;
}

/** Evidence of an earlier version has no counts. */
export function countsText(counts: ComparedCounts | undefined): string {
  return counts === undefined ? "" : `; ${showCompared(counts)}`;
}

/** What a verification says of itself. @param tables those that can be compared */
export function verificationSaid(plan: Phase, tables: readonly VerifiedTable[]): Said {
  const { verify, evidence } = plan.intent;
  const [, name] = names(plan);
  const asked = verify?.tables.length ?? 0;
  const wait = verify === undefined ? "" : ` (at most ${showMillis(verify.wait)})`;
  const margin = verify === undefined ? "some time" : showMillis(verify.safetyMargin);
  const checkScn = verify?.checkScn ?? `the SCN of ${margin} before it begins`;
  const compares = `Compare ${counted(tables.length, "table")} with the topics of ${name} on ${placeOf(plan)}`;
  return phaseSaid(plan, {
    summary: `${compares}; changes nothing`,
    asks: compares,
    cost: `compares ${counted(tables.length, "table")}`,
    figures: { tables: tables.map(({ table }) => table) },
    diff: [
      {
        title: "Compared tables",
        what: "table",
        rows: tables.map(({ table, topic, legacyTopic }) => ({
          label: truncate(table, 300),
          change: "unchanged",
          note:
            `with ${truncate(topic, 300)}, ` +
            (legacyTopic === undefined
              ? "without a legacy topic"
              : `after ${truncate(legacyTopic, 300)} of the legacy connector`),
        })),
        shown: "always",
      },
    ],
    notes: [
      ...(tables.length === asked && asked > 0
        ? []
        : [note("tables", `${showCount(tables.length)} of the ${showCount(asked)} named can be compared`, "bad")]),
      ...ignored(plan),
      note("check SCN", `${checkScn}; apply waits until ${name} has passed it${wait}`),
      newConnector(plan),
      ...(verify?.engine === undefined
        ? []
        : [
            note(
              "engine",
              "Apache Spark, submitted as spark.submit of the context says; workers read with their own logins",
            ),
          ]),
      note(
        "evidence",
        `${truncate(evidence, 300)}, always written, replacing an earlier one; its digest is kept in the run's ` +
          "journal, and a retirement requires both",
      ),
      ...(verify?.showValues === true
        ? [note("values", "differing values are written into the evidence; they may be personal data", "caution")]
        : []),
    ],
  });
}

function ignored({ intent: { verify } }: Phase): readonly Note[] {
  const tables = Object.entries(verify?.ignoreColumns ?? {});
  if (tables.length === 0) return [];
  const text = tables.map(([table, columns]) => `${columns.join(", ")} of ${table}`).join("; ");
  return [note("not compared", truncate(text, 1000), "caution", "always")];
}

/** What the rollback of a cutover says of itself. @param topics those of the new connector that are deleted */
export function returnSaid(plan: Phase, { facts, takeover: reading }: ReturnReading, topics: readonly string[]): Said {
  const [old, name] = names(plan);
  const { offsets } = reading;
  const timeOf = timeIn(facts);
  const redo = reading.redo?.known ? reading.redo.value : undefined;
  const ready = plan.outcome.state === "ready";
  const { cost, figures } = redoCost(redo);
  const removes = connectorOf(plan, "new") === undefined ? [] : [plan.intent.to.name];
  return phaseSaid(plan, {
    summary: `Resume ${old} on ${placeOf(plan)} where it stopped, and remove ${name}`,
    asks: `Remove ${name} on ${placeOf(plan)} and resume ${old} where it stopped`,
    cost,
    figures: {
      ...figures,
      ...(offsets === undefined ? {} : { targetScn: offsets.startScn }),
      deletedConnectors: removes,
      deletedTopics: topics,
    },
    diff: [...deletedTopics(topics), ...partitionDiff(offsets, timeOf)],
    notes: [
      offsets === undefined
        ? note("resumes from", `unknown: the stored offsets of ${old} are not a valid position`, "bad")
        : note(
            "resumes from",
            `${timed(offsets.startScn, timeOf(offsets.startScn))}: the lowest scn that ${old} stopped with; every ` +
              "commit that it had not delivered reaches its topics",
            undefined,
            "always",
          ),
      ...redoNotes(redo),
      note("legacy", `${old} ${facts.legacy.status.state}; ${ready ? "it will be resumed" : UNCHANGED}`),
      removed(plan),
      ...topicNotes(plan, topics, facts.topics),
    ],
  });
}

/** Reference: Kafka Connect, "Seen on real workers": stored offsets outlive their connector. */
function removed(plan: Phase): Note {
  const { outcome } = plan;
  const next = connectorOf(plan, "new");
  const [, name] = names(plan);
  if (next === undefined) return note("new", `${name} does not exist: nothing to remove`);
  if (outcome.state !== "ready") return note("new", `${name} ${statusOf(next)}; ${UNCHANGED}`);
  const how = next.state === "STOPPED" ? "deleted" : "stopped and deleted";
  return note(
    "new",
    `${name} ${next.state}; it will be ${how}, its stored offsets first: they would outlive it, and the next cutover ` +
      "would resume from them",
    "bad",
    "always",
  );
}

/** Topics that are deleted, with everything in them: never folded. */
function deletedTopics(topics: readonly string[], whats: readonly (string | undefined)[] = []): readonly Diff[] {
  if (topics.length === 0) return [];
  return [
    {
      title: "Topics that are deleted",
      what: "topic",
      shown: "always",
      about:
        `${counted(topics.length, "topic")} will be deleted, with everything in ` +
        `${topics.length === 1 ? "it" : "them"}:`,
      rows: topics.map((topic, at) => ({
        label: truncate(topic, 300),
        change: "removed",
        note: whats[at],
        tone: "bad",
      })),
    },
  ];
}

/** @param there the topics that the brokers have */
function topicNotes(plan: Phase, topics: readonly string[], there: Observed<readonly string[]>): readonly Note[] {
  const [, name] = names(plan);
  if (!there.known) return [note("topics", `the topics of ${name} are unknown; none is deleted`)];
  const isKept = (topic: string) => topic.startsWith(`${plan.world.prefix}.`) && !topics.includes(topic);
  const kept = there.value.filter(isKept).sort();
  if (kept.length === 0) return [];
  const how = topics.length > 0 ? "" : ` (spec.deleteTopics: true deletes those of ${name})`;
  const prefix = truncate(plan.world.prefix, 60);
  return [
    note(
      topics.length > 0 ? "stays" : "topics",
      `${counted(kept.length, "topic")} below ${prefix} ${kept.length === 1 ? "stays" : "stay"}${how}`,
      undefined,
      undefined,
      kept.map((topic) => truncate(topic, 300)),
      "topic",
    ),
  ];
}

/** What a retirement says of itself. */
export function retirementSaid(plan: Phase, { facts, topics: found }: RetirementReading): Said {
  const { legacy, next } = facts;
  const topics = found.known ? found.value : undefined;
  const left = legacy && legacyOf(plan.intent, legacy);
  const licenceTopic = plan.intent.deleteLicenceTopic ? undefined : left?.topics.licenceTopic?.(left.config);
  const evidence = facts.evidence.known ? facts.evidence.value : undefined;
  const [old, name] = names(plan);
  const ready = plan.outcome.state === "ready";
  const deleted = topics === undefined ? "" : ` and ${counted(topics.length, "topic")}`;
  return phaseSaid(plan, {
    summary: `Delete ${old}${deleted} on ${placeOf(plan)}; this cannot be rolled back`,
    asks: `Delete ${old}${deleted} on ${placeOf(plan)}, for good`,
    cost: topics === undefined ? NOT_KNOWN : `deletes ${counted(topics.length, "topic")}`,
    figures: {
      deletedConnectors: legacy === undefined ? [] : [legacy.name],
      ...(topics === undefined ? {} : { deletedTopics: topics.map(({ topic }) => topic) }),
      ...(evidence?.writtenAt === undefined ? {} : { evidenceAt: evidence.writtenAt }),
    },
    diff: deletedTopics(
      (topics ?? []).map(({ topic }) => topic),
      (topics ?? []).map(({ what }) => truncate(what, 300)),
    ),
    notes: [
      note(
        "legacy",
        legacy === undefined
          ? `${old} does not exist`
          : `${old} ${legacy.status.state}; ${ready ? "it will be deleted, with its configuration" : UNCHANGED}`,
        "bad",
        "always",
      ),
      newConnector(plan),
      ...(topics === undefined
        ? [note("topics", "the topics of the legacy connector are unknown", "bad")]
        : topics.length === 0
          ? [note("topics", "none is deleted")]
          : []),
      evidence === undefined
        ? note("evidence", "no valid evidence", "bad")
        : note("evidence", `${evidenceText(evidence)}${countsText(evidence.counts)}`),
      note(
        "stays",
        next === undefined ? `the topics of ${name}` : `${name} and its topics`,
        undefined,
        "always",
        [
          `the offsets of ${old} stored by Kafka Connect: they outlive the connector, and one created under its name ` +
            "resumes from them",
          ...(licenceTopic === undefined
            ? []
            : [
                `the licence topic ${truncate(licenceTopic, 300)} (spec.deleteLicenceTopic: true deletes it, unless ` +
                  "another legacy connector uses it)",
              ]),
          ...(left?.topics.leftOver?.(left, facts.topics.known ? facts.topics.value : []) ?? []),
        ],
        "thing",
      ),
      note("rollback", `none: deletion is final. Until then, a plan with phase: rollback returns to ${old}`, "bad"),
    ],
  });
}
