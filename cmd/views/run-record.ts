import type { StepName } from "../../core/plan/steps.ts";
import { intentOfSubject } from "../../core/run/subject.ts";
import { millisBetween } from "../../core/values/instant.ts";
import { canonicalJson } from "../../core/values/json.ts";
import { trunc } from "./layout.ts";
import { showInstant, showMillis } from "./quantities.ts";
import {
  code,
  type Field,
  field,
  RANK,
  type Section,
  section,
  type Table,
  tableOf,
  type Words,
} from "./report/model.ts";
import type { RunView, StepTaken } from "./run-timeline.ts";

/**
 * The audit sections of a run, besides its steps and offset: operator, plan and ticket, decision, place, and the
 * records in the ops topic and the stored offsets.
 */
export function recordSections(run: RunView): readonly Section[] {
  return [
    ...section(RANK.details, [{ is: "fields", rows: fields(run) }], { title: "For the record", only: "page" }),
    ...section(RANK.details, opsRecords(run), { title: "Ops records", only: "page" }),
    ...section(RANK.details, storedBefore(run), { title: "Stored offsets before", only: "page" }),
  ];
}

function fields({ key, state, steps, recoveries, name, ticket }: RunView): readonly Field[] {
  const { subject, operator, cdcctl, at, plan } = state.started;
  const { ended, body } = state;
  const optional = (label: string, text: Words | undefined) => (text === undefined ? [] : [field(label, text)]);
  const copied = (text: string | undefined) => (text === undefined ? undefined : [{ code: trunc(text, 600) }]);
  const { connectVersion, database } = plan?.world ?? {};
  const accepted = (plan?.findings ?? []).filter(({ effect }) => effect === "accepted").map(({ code }) => code);
  return [
    ...optional("Ticket", copied(ticket)),
    ...optional("Plan", copied(name)),
    ...optional("Plan file", copied(plan?.intent.origin.file)),
    ...optional("Planned", plan === null ? undefined : showInstant(plan.plannedAt)),
    ...optional("Decision", copied(subject.decision === "" ? undefined : subject.decision)),
    ...optional("Intent", copied(intentOfSubject(subject))),
    ...optional("Accepted findings", accepted.length === 0 ? undefined : accepted.join(", ")),
    ...optional("Reason", subject.reason === "" ? undefined : trunc(subject.reason, 600)),
    field("Operator", trunc(operator, 200)),
    ...recoveries.map((one) => field("Recovered", `${showInstant(one.at)} by ${trunc(one.operator, 200)}`)),
    field("Begun", showInstant(at)),
    ...optional(
      "Ended",
      ended && `${showInstant(ended.at)}, after ${showMillis(Math.max(0, millisBetween(at, ended.at)))}`,
    ),
    ...optional("Stored offset", body && offsetAfter(steps)),
    field("Connector", [{ code: trunc(subject.connector) }]),
    field("Workers", [
      { code: trunc(subject.connectUrl) },
      connectVersion === undefined ? "" : `, Kafka Connect ${trunc(connectVersion, 60)}`,
    ]),
    field("Kafka cluster", [{ code: trunc(key.clusterId) }]),
    ...optional(
      "Database",
      database && [
        { code: trunc(database.name) },
        " at ",
        { code: trunc(database.address) },
        `, dbid ${database.dbid}, resetlogs ${database.resetlogsScn}`,
      ],
    ),
    field("Ops topic", [{ code: trunc(subject.opsTopic) }]),
    field("cdcctl", [{ code: cdcctl }]),
  ];
}

/** Whether the stored offset is as planned. */
function offsetAfter(steps: readonly StepTaken[]): string {
  switch (steps.find(({ planned }) => planned.step === "patch-offset")?.state) {
    case "done":
      return "stored as planned, and read back";
    case "started":
    case "unclear":
      return "whether it is as planned is unknown";
    default:
      return "not changed";
  }
}

const RECORDING: readonly StepName[] = ["record-transactions", "record-applying", "record-outcome"];

function opsRecords({ steps }: RunView): readonly Table[] {
  const recorded = steps.filter(({ planned, state }) => state === "done" && RECORDING.includes(planned.step));
  if (recorded.length === 0) return [];
  return [
    tableOf("Times are UTC, by this machine", recorded, { what: "record" }, [
      ["When", ({ endedAt }) => (endedAt === undefined ? "" : showInstant(endedAt))],
      ["What", ({ note = "" }) => trunc(note, 1000)],
    ]),
  ];
}

/** Stored offsets of both connectors of a migration; changes of one connector have a separate table. */
function storedBefore({ state: { takeover, returning, started } }: RunView): readonly Table[] {
  const { subject } = started;
  const old = subject.command === "migrate" ? subject.legacy : subject.connector;
  const all = [
    ...(takeover?.offsets ?? returning?.offsets ?? []).map((entry) => ({ of: old, ...entry })),
    ...(returning?.removed ?? []).map((entry) => ({ of: subject.connector, ...entry })),
  ];
  if (all.length === 0) return [];
  const copied = (text: string) => code(trunc(text, 1000));
  return [
    tableOf("When the connectors stopped", all, { what: "stored offset" }, [
      ["Connector", ({ of }) => copied(of)],
      ["Partition", ({ partition }) => copied(canonicalJson(partition))],
      ["Offset", ({ offset }) => copied(canonicalJson(offset))],
    ]),
  ];
}
