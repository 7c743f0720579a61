import type { TakeoverShown } from "../../core/plan/migration-plan.ts";
import { shellLine } from "../../core/values/shell-word.ts";
import { clip } from "./layout.ts";
import { isUtc } from "./quantities.ts";
import { redoField } from "./redo-sentences.ts";
import { type Field, type Found, field, items, list, notice, RANK, type Report, section } from "./report/model.ts";
import { type TakeoverReport, timeIn } from "./takeover-json.ts";
import { lastDelivered, overlap, partitionTable, timed } from "./takeover-sentences.ts";

/**
 * A takeover: refusals first, then every stored partition, the start, the overlap, the redo, and what is left to do.
 */
export function takeoverReport(report: TakeoverReport): Report {
  const { facts, reading, target, leftToDo } = report;
  const { problems, warnings, offsets } = reading;
  const { legacy, worker, database } = facts;
  const who = clip(target.name ?? target.file);
  const ready = problems.length === 0;
  const refused = items(
    problems,
    "refusal",
    ({ code, seen, remedies }): Found => ({ code, effect: "refused", text: seen, remedies }),
    "all",
  );
  const shown = offsets === undefined ? undefined : withTimes(report, offsets);
  return {
    heading: {
      title: `${who} ${ready ? "takes" : "can't take"} over from ${clip(legacy.name)}`,
      outcome: { word: ready ? "ready" : "refused", mark: ready ? "good" : "bad" },
    },
    urgent: section(RANK.refusals, ready ? [] : [{ is: "findings", rows: refused }], {
      title: "Refusals",
      terminal: "no title",
    }),
    lead: [
      notice(
        `${clip(legacy.name)}, ${legacy.status.state}, on ${worker.url.replace(/^\w+:\/\//, "")}, Kafka cluster ` +
          `${worker.clusterId}; database ${database.name} (dbid ${database.dbid}, resetlogs ` +
          `${database.resetlogsScn}) at ${database.address}`,
      ),
    ],
    sections: [
      ...section(RANK.subject, shown === undefined ? [] : [partitionTable(shown)]),
      ...section(RANK.subject, [{ is: "fields", aligned: true, rows: fields(report, shown) }]),
      ...section(RANK.warnings, list(warnings, "warning", { sign: "!", tone: "caution" })),
      ...section(RANK.outcome, list(leftToDo, "thing"), { title: "what is left to do" }),
    ],
    next: next(report),
  };
}

function withTimes(
  { facts, reading: { overlap: both } }: TakeoverReport,
  offsets: NonNullable<TakeoverReport["reading"]["offsets"]>,
): TakeoverShown {
  const at = timeIn(facts);
  return {
    ...offsets,
    partitions: offsets.partitions.map((one) => ({ ...one, at: at(one.scn), committedAt: at(one.commitScn) })),
    startedAt: at(offsets.startScn),
    lastDeliveredAt: at(offsets.lastDelivered),
    overlap: both,
  };
}

function fields({ facts, reading }: TakeoverReport, shown: TakeoverShown | undefined): readonly Field[] {
  const { redo, problems } = reading;
  const { database } = facts;
  const current = timed(database.currentScn, timeIn(facts)(database.currentScn));
  return [
    ...(shown === undefined
      ? [field("last delivered", "no table has a last commit")]
      : [
          field(problems.length === 0 ? "cdc.start.scn" : "lowest scn", timed(shown.startScn, shown.startedAt)),
          lastDelivered(shown),
          overlap(shown),
        ]),
    field("database", `current SCN ${current}, RESETLOGS at ${database.resetlogsScn}`),
    ...(redo === undefined
      ? []
      : [redo.known ? redoField(redo.value, "some", "good") : field("redo", `can't be seen: ${redo.why}`, "bad")]),
    ...(isUtc(database.zone) ? [] : [field("times", `UTC; the database server's zone is ${database.zone}`)]),
  ];
}

/** How the new connector comes to be, once its configuration is there. */
function next({ facts: { worker }, reading, target, written }: TakeoverReport): readonly string[] {
  if (reading.problems.length > 0 || written === undefined) return [];
  const json = ["-H", "Content-Type: application/json", "--data", `@${written}`];
  return target.name === undefined
    ? [shellLine("curl", "-X", "PUT", ...json, `${worker.url}/connectors/NAME/config`)]
    : [shellLine("curl", "-X", "POST", ...json, `${worker.url}/connectors`)];
}
