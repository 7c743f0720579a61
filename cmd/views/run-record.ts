import type { StepName } from "../../core/plan/steps.ts";
import { intentOfSubject } from "../../core/run/subject.ts";
import { millisBetween } from "../../core/values/instant.ts";
import { canonicalJson } from "../../core/values/json.ts";
import { clip } from "./layout.ts";
import { showInstant, showMillis } from "./quantities.ts";
import { code, type Field, field, items, RANK, type Section, section, type Table, type Words } from "./report/model.ts";
import type { RunShown, StepTaken } from "./run-timeline.ts";

/**
 * What an auditor looks for on the page of a run, beside its steps and the offset: who, by which plan and ticket, what
 * was decided, where, and what the ops topic and the stored offsets have of it.
 */
export function recordSections(run: RunShown): readonly Section[] {
  return [
    ...section(RANK.details, [{ is: "fields", rows: fields(run) }], { title: "For the record", only: "page" }),
    ...section(RANK.details, opsRecords(run), { title: "Ops records", only: "page" }),
    ...section(RANK.details, storedBefore(run), { title: "Stored offsets before", only: "page" }),
  ];
}

function fields({ key, state, steps, recoveries, name, ticket }: RunShown): readonly Field[] {
  const { subject, operator, cdcctl, at, plan } = state.started;
  const { ended, body } = state;
  const said = (label: string, text: Words | undefined) => (text === undefined ? [] : [field(label, text)]);
  const copied = (text: string | undefined) => (text === undefined ? undefined : [{ code: clip(text, 600) }]);
  const { connectVersion, database } = plan?.world ?? {};
  const accepted = (plan?.findings ?? []).filter(({ effect }) => effect === "accepted").map(({ code }) => code);
  return [
    ...said("Ticket", copied(ticket)),
    ...said("Plan", copied(name)),
    ...said("Plan file", copied(plan?.intent.origin.file)),
    ...said("Planned", plan === null ? undefined : showInstant(plan.plannedAt)),
    ...said("Decision", copied(subject.decision === "" ? undefined : subject.decision)),
    ...said("Intent", copied(intentOfSubject(subject))),
    ...said("Accepted findings", accepted.length === 0 ? undefined : accepted.join(", ")),
    ...said("Reason", subject.reason === "" ? undefined : clip(subject.reason, 600)),
    field("Operator", clip(operator, 200)),
    ...recoveries.map((one) => field("Recovered", `${showInstant(one.at)} by ${clip(one.operator, 200)}`)),
    field("Begun", showInstant(at)),
    ...said(
      "Ended",
      ended && `${showInstant(ended.at)}, after ${showMillis(Math.max(0, millisBetween(at, ended.at)))}`,
    ),
    ...said("Stored offset", body && offsetAfter(steps)),
    field("Connector", [{ code: clip(subject.connector) }]),
    field("Workers", [
      { code: clip(subject.connectUrl) },
      connectVersion === undefined ? "" : `, Kafka Connect ${clip(connectVersion, 60)}`,
    ]),
    field("Kafka cluster", [{ code: clip(key.clusterId) }]),
    ...said(
      "Database",
      database && [
        { code: clip(database.name) },
        " at ",
        { code: clip(database.address) },
        `, dbid ${database.dbid}, resetlogs ${database.resetlogsScn}`,
      ],
    ),
    field("Ops topic", [{ code: clip(subject.opsTopic) }]),
    field("cdcctl", [{ code: cdcctl }]),
  ];
}

/** Whether what was planned is what is stored. */
function offsetAfter(steps: readonly StepTaken[]): string {
  switch (steps.find(({ planned }) => planned.step === "patch-offset")?.state) {
    case "done":
      return "stored as planned, and read back";
    case "started":
    case "unclear":
      return "whether it is as planned is not known";
    default:
      return "not changed";
  }
}

const RECORDING: readonly StepName[] = ["record-transactions", "record-applying", "record-outcome"];

function opsRecords({ steps }: RunShown): readonly Table[] {
  const recorded = steps.filter(({ planned, state }) => state === "done" && RECORDING.includes(planned.step));
  if (recorded.length === 0) return [];
  const rows = items(
    recorded,
    "record",
    ({ note, endedAt }) => ({ cells: [endedAt === undefined ? "" : showInstant(endedAt), clip(note ?? "", 1000)] }),
    "all",
  );
  return [
    { is: "table", caption: "Times are UTC, by this machine", columns: [{ title: "When" }, { title: "What" }], rows },
  ];
}

/** Of both connectors of a migration; those of one connector's change are a table of their own. */
function storedBefore({ state: { takeover, returning, started } }: RunShown): readonly Table[] {
  const { subject } = started;
  const old = subject.command === "migrate" ? subject.legacy : subject.connector;
  const all = [
    ...(takeover?.offsets ?? returning?.offsets ?? []).map((entry) => ({ of: old, ...entry })),
    ...(returning?.removed ?? []).map((entry) => ({ of: subject.connector, ...entry })),
  ];
  if (all.length === 0) return [];
  const rows = items(
    all,
    "stored offset",
    ({ of, partition, offset }) => ({
      cells: [of, canonicalJson(partition), canonicalJson(offset)].map((text) => code(clip(text, 1000))),
    }),
    "all",
  );
  const columns = ["Connector", "Partition", "Offset"].map((title) => ({ title }));
  return [{ is: "table", caption: "As the connectors had stopped with them", columns, rows }];
}
