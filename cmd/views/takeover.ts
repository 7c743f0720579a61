import type { LegacyFacts } from "../../core/facts/connector-facts.ts";
import type { RedoExamination } from "../../core/facts/redo/redo.ts";
import { redoSentences } from "../../core/facts/redo/sentences.ts";
import { lastDeliveredText, overlapText, partitionDiff, timed, timeIn } from "../../core/kinds/migration/shown.ts";
import type { TakeoverReading } from "../../core/legacy/position.ts";
import { withoutScheme } from "../../core/values/escape.ts";
import { isUtc } from "../../core/values/instant.ts";
import { lineOf } from "../../core/values/remedy.ts";
import { shellLine } from "../../core/values/shell-word.ts";
import { documentOf } from "./json-text.ts";
import { trunc } from "./layout.ts";
import { diffTable } from "./offset.ts";
import {
  type Extent,
  type Field,
  type Found,
  field,
  items,
  lines,
  list,
  notice,
  RANK,
  type Report,
  section,
} from "./report/model.ts";

/** The redo as one field of a report. */
export function redoField(redo: RedoExamination, extent: Extent, good?: "good"): Field {
  const { sentence, details } = redoSentences(redo);
  return field("redo", sentence, redo.complete ? good : "bad", lines(details, "fault", extent));
}

/**
 * The report of a takeover: refusals first, then every stored partition, the start, the overlap, the redo, and the
 * remaining steps.
 */
export function takeoverReport(report: TakeoverReport): Report {
  const { facts, reading, target, leftToDo } = report;
  const { problems, warnings } = reading;
  const { legacy, worker, database } = facts;
  const who = trunc(target.name ?? target.file);
  const ready = problems.length === 0;
  const refused = items(
    problems,
    "refusal",
    ({ code, seen, remedies }): Found => ({ code, effect: "refused", text: seen, remedies }),
    "all",
  );
  return {
    heading: {
      title: `${who} ${ready ? "takes" : "cannot take"} over from ${trunc(legacy.name)}`,
      outcome: { word: ready ? "ready" : "refused", mark: ready ? "good" : "bad" },
    },
    urgent: section(RANK.refusals, ready ? [] : [{ is: "findings", rows: refused }], {
      title: "Refusals",
      terminal: "no title",
    }),
    lead: [
      notice(
        `${trunc(legacy.name)}, ${legacy.status.state}, on ${withoutScheme(worker.url)}, Kafka cluster ` +
          `${worker.clusterId}; database ${database.name} (dbid ${database.dbid}, resetlogs ` +
          `${database.resetlogsScn}) at ${database.address}`,
      ),
    ],
    sections: [
      ...section(
        RANK.subject,
        partitionDiff(reading.offsets, timeIn(facts)).map((diff) => diffTable(diff, diff.rows)),
      ),
      ...section(RANK.subject, [{ is: "fields", aligned: true, rows: fields(report) }]),
      ...section(RANK.warnings, list(warnings, "warning", { sign: "!", tone: "caution" })),
      ...section(RANK.outcome, list(leftToDo, "thing"), { title: "remaining steps" }),
    ],
    next: next(report),
  };
}

function fields({ facts, reading }: TakeoverReport): readonly Field[] {
  const { redo, problems } = reading;
  const { database } = facts;
  const { offsets, overlap } = reading;
  const timeOf = timeIn(facts);
  const current = timed(database.currentScn, timeOf(database.currentScn));
  return [
    ...(offsets === undefined
      ? [field("last delivered", "unknown")]
      : [
          field(
            problems.length === 0 ? "cdc.start.scn" : offsets.given ? "given start" : "lowest scn",
            timed(offsets.startScn, timeOf(offsets.startScn)),
          ),
          field("last delivered", lastDeliveredText(offsets, timeOf)),
          field("overlap", overlapText(overlap, offsets, "untold")),
        ]),
    field("database", `current SCN ${current}, RESETLOGS at ${database.resetlogsScn}`),
    ...(redo === undefined
      ? []
      : [redo.known ? redoField(redo.value, "some", "good") : field("redo", `unknown: ${redo.why}`, "bad")]),
    ...(isUtc(database.zone) ? [] : [field("times", `UTC; the database server's zone is ${database.zone}`)]),
  ];
}

/** The command that creates the new connector, once its configuration is written. */
function next({ facts: { worker }, reading, target, written }: TakeoverReport): readonly string[] {
  if (reading.problems.length > 0 || written === undefined) return [];
  const json = ["-H", "Content-Type: application/json", "--data", `@${written}`];
  return target.name === undefined
    ? [shellLine("curl", "-X", "PUT", ...json, `${worker.url}/connectors/NAME/config`)]
    : [shellLine("curl", "-X", "POST", ...json, `${worker.url}/connectors`)];
}

export interface TakeoverReport {
  readonly facts: LegacyFacts;
  readonly reading: TakeoverReading;
  readonly target: { readonly file: string; readonly name: string | undefined };
  /** The configuration to create the new connector from, secrets masked; undefined when the takeover is refused. */
  readonly config: Readonly<Record<string, string>> | undefined;
  readonly leftToDo: readonly string[];
  /** The file that it was written to, if every value is in it: none is masked. */
  readonly written: string | undefined;
}

/** `migrate takeover --format json` (`schemas/takeover.schema.json`). Printed with `printJson`. */
export function takeoverDocument({ facts, reading, target, config, leftToDo }: TakeoverReport) {
  const { legacy, worker } = facts;
  const { name: databaseName, address, dbid, resetlogsScn, currentScn, zone } = facts.database;
  const { offsets, overlap, redo, problems, warnings } = reading;
  const timeOf = timeIn(facts);
  return {
    ...documentOf("Takeover"),
    outcome: problems.length === 0 ? "ready" : "refused",
    connector: legacy.name,
    state: legacy.status.state,
    connect: { url: worker.url, version: worker.version, clusterId: worker.clusterId },
    database: { name: databaseName, address, dbid, resetlogsScn, currentScn, zone },
    startScn: offsets?.startScn ?? null,
    startAt: timeOf(offsets?.startScn) ?? null,
    lastDelivered: offsets?.lastDelivered ?? null,
    lastDeliveredAt: timeOf(offsets?.lastDelivered) ?? null,
    overlap: overlap ?? null,
    partitions: (offsets?.partitions ?? []).map(({ name, of, scn, commitScn, leftOut }) => ({
      name,
      of,
      scn,
      scnAt: timeOf(scn) ?? null,
      commitScn: commitScn ?? null,
      commitAt: timeOf(commitScn) ?? null,
      leftOut,
    })),
    redo: redoShown(redo),
    problems: problems.map(({ code, seen, remedies }) => ({ code, seen, remedies: remedies.map(lineOf) })),
    warnings,
    leftToDo,
    name: target.name ?? null,
    config: config ?? null,
  };
}

function redoShown(redo: TakeoverReading["redo"]) {
  if (redo === undefined) return null;
  if (!redo.known) return { known: false, why: redo.why };
  const { from, end, complete, probed, faults, firstAvailable } = redo.value;
  return {
    known: true,
    from,
    end,
    complete,
    probed,
    faults: faults.map(({ code, message }) => ({ code, message })),
    firstAvailable: firstAvailable ?? null,
  };
}
