import { connectorErrorIn } from "../../core/connector-errors.ts";
import type { ConnectorStatus } from "../../core/facts/connector/connector.ts";
import { mapObserved, type Observed } from "../../core/facts/observed.ts";
import type { StoredOffset } from "../../core/facts/offset/stored-offset.ts";
import type { RecordedChange, RecordedEvent } from "../../core/facts/ops/ops-event.ts";
import { fromOpsCommand } from "../../core/run/read-journal.ts";
import { counted, showCount } from "../../core/values/amounts.ts";
import type { Instant } from "../../core/values/instant.ts";
import { connectorsLine, shellWord, type Workers, workersFlag } from "../../core/values/shell-word.ts";
import { firstLine } from "../../core/values/truncate.ts";
import { clip } from "./layout.ts";
import { changeMembers, changeSentence } from "./offset.ts";
import { showInstant, showMillis, standingOf } from "./quantities.ts";
import {
  code,
  type Field,
  field,
  items,
  notice,
  type Outcome,
  RANK,
  type Report,
  section,
  type Table,
} from "./report/model.ts";

/** How far a stored offset is behind its database. */
export interface Lag {
  readonly scns: bigint;
  /** When the resume SCN was current; undefined, as is `millis`, where the database no longer knows. */
  readonly at: Instant | undefined;
  readonly millis: number | undefined;
}

/** A connector as `connectors` shows it. */
export interface ConnectorShown {
  readonly name: string;
  readonly kind: "cdc" | "legacy" | "other";
  readonly className: string | undefined;
  /** Undefined: the workers have none yet. */
  readonly status: ConnectorStatus | undefined;
  readonly failed: boolean;
  readonly stored: StoredOffset | undefined;
  /** Why there is no position, where none is stored that can be read. */
  readonly noPosition: string;
  /** Undefined without a position. */
  readonly lag: Observed<Lag> | undefined;
  /** Undefined where it was not looked for. */
  readonly change: Observed<RecordedChange<RecordedEvent> | undefined> | undefined;
  /** Runs of this machine that are not settled, or can't be read. */
  readonly unsettled: readonly string[];
}

/** The connectors of some workers. */
export interface ConnectorsShown {
  readonly url: string;
  /** `--context` */
  readonly context: string | undefined;
  readonly shown: readonly ConnectorShown[];
  /** How many connectors of other classes there are: they are not shown. */
  readonly others: number;
}

/** `connectors list`. */
export function connectorsReport({ url, context, shown, others }: ConnectorsShown): Report {
  const table: Table = {
    is: "table",
    caption: "Times are UTC",
    columns: [
      { title: "Connector" },
      { title: "State", wraps: true },
      { title: "Resume SCN", end: true },
      { title: "Lag" },
      { title: "Unsettled run" },
    ],
    rows: items(
      shown,
      "connector",
      (one) => ({
        cells: [
          `${clip(one.name, 60)}${one.kind === "legacy" ? " (legacy)" : ""}`,
          { text: stateOf(one), tone: one.failed ? "bad" : one.status?.state === "RUNNING" ? "good" : "caution" },
          one.stored === undefined ? "none" : code(`${one.stored.resumeScn}`),
          one.lag === undefined ? "" : one.lag.known ? lagSentence(one.lag.value) : "not known",
          { text: one.unsettled.map((run) => clip(run, 60)).join(", "), tone: "caution" },
        ],
      }),
      "all",
    ),
  };
  const unknown = [...new Set(shown.flatMap(({ lag }) => (lag?.known === false ? [firstLine(lag.why)] : [])))];
  const more = others === 0 ? [] : [notice(`${counted(others, "connector")} of other classes`, "quiet")];
  return {
    heading: { title: `Connectors of ${clip(url, 300)}`, outcome: outcomeOf(shown) },
    lead: [],
    sections: section(RANK.subject, [
      ...(shown.length === 0 ? [notice("no CDC connector, and no legacy one")] : [table]),
      ...unknown.map((why) => notice(`lag not known: ${clip(why, 1000)}`, "caution")),
      ...more,
    ]),
    next: shown.flatMap((one) => nextInList(one, { context, connectUrl: url })),
  };
}

/** `connectors show NAME`. */
export function connectorReport(
  shown: ConnectorShown,
  { url, context }: Pick<ConnectorsShown, "url" | "context">,
): Report {
  const { name, status, stored, lag, change, unsettled } = shown;
  const traces = (status?.tasks ?? []).flatMap(({ id, trace }) =>
    trace === undefined ? [] : [field(`Trace, task ${id}`, clip(firstLine(trace), 1000), "bad")],
  );
  const rows: readonly Field[] = [
    field("State", stateOf(shown), shown.failed ? "bad" : undefined),
    ...(status?.trace === undefined ? [] : [field("Trace", clip(firstLine(status.trace), 1000), "bad")]),
    ...traces,
    field("Class", clip(shown.className ?? "not set", 300)),
    field("Workers", clip(url, 300)),
    field("Position", stored === undefined ? clip(shown.noPosition, 600) : positionOf(stored, lag)),
    ...(lag === undefined
      ? []
      : [field("Lag", lag.known ? lagSentence(lag.value) : `not known: ${firstLine(lag.why)}`)]),
    ...(change === undefined ? [] : [field("Last change", clip(changeText(change), 1500))]),
    ...(unsettled.length === 0
      ? []
      : [field("Unsettled run", unsettled.map((run) => clip(run)).join(", "), "caution")]),
  ];
  return {
    heading: { title: clip(name, 200), outcome: outcomeOf([shown]) },
    lead: [],
    sections: section(RANK.subject, [{ is: "fields", rows, aligned: true }], { close: true }),
    next: nextFor(shown, { context, connectUrl: url }),
  };
}

function outcomeOf(shown: readonly ConnectorShown[]): Outcome {
  const count = (is: (one: ConnectorShown) => boolean) => shown.filter(is).length;
  const failed = count((one) => one.failed);
  const unsettled = count((one) => one.unsettled.length > 0);
  const resting = count(({ status }) => status?.state !== "RUNNING");
  if (failed > 0) return { word: `${showCount(failed)} failed`, mark: "bad" };
  if (unsettled > 0) return { word: `${showCount(unsettled)} with an unsettled run`, mark: "caution" };
  if (resting > 0) return { word: `${showCount(resting)} not running`, mark: "caution" };
  return shown.length === 0 ? { word: "none", mark: "nothing" } : { word: "running", mark: "good" };
}

function stateOf({ status }: ConnectorShown): string {
  return status === undefined ? "no status yet" : standingOf(status);
}

function positionOf({ resumeScn }: StoredOffset, lag: Observed<Lag> | undefined): string {
  const at = lag?.known === true && lag.value.at !== undefined ? `   ${showInstant(lag.value.at)}` : "";
  return `resume SCN ${resumeScn}${at}`;
}

function lagSentence({ scns, millis }: Lag): string {
  const time = millis === undefined ? "" : `${showMillis(millis)}, `;
  return `${time}${showCount(scns)} SCNs`;
}

function changeText(change: NonNullable<ConnectorShown["change"]>): string {
  if (!change.known) return `not known: ${firstLine(change.why)}`;
  return change.value === undefined ? "none recorded" : changeSentence(change.value).replace(/^last change /, "");
}

/** The list knows no traces and no changes, and so not what would be refused. */
function nextInList(shown: ConnectorShown, at: Workers): readonly string[] {
  const [run] = shown.unsettled;
  if (run !== undefined) return [`cdcctl recover ${shellWord(run)}`];
  return shown.failed || isHalted(shown) || shown.lag?.known === false ? [connectorsLine("show", shown.name, at)] : [];
}

/** What the situation needs, and nothing that would be refused. */
function nextFor(shown: ConnectorShown, at: Workers): readonly string[] {
  const { name, failed, unsettled, change, lag } = shown;
  const [run] = unsettled;
  if (run !== undefined) return [`cdcctl recover ${shellWord(run)}`];
  if (change?.known === true && change.value?.outcome === "applying")
    return [`${fromOpsCommand({ ...at, connector: name })}     # when nobody carries it out`];
  const error = shown.status === undefined ? undefined : connectorErrorIn(shown.status);
  return [
    ...(error === undefined ? [] : [`cdcctl explain ${error.code}`]),
    ...(lag?.known === false
      ? [`cdcctl admin offsets show ${workersFlag(at)} --name ${shellWord(name)} --check-redo`]
      : []),
    ...(failed ? [`${connectorsLine("restart", name, at)}     # when what made it fail is fixed`] : []),
    ...(!failed && isHalted(shown) ? [`${connectorsLine("resume", name, at)}     # to start it`] : []),
  ];
}

function isHalted({ status }: ConnectorShown): boolean {
  return status?.state === "STOPPED" || status?.state === "PAUSED";
}

/** `connectors --format json` (`schemas/connectors.schema.json`). */
export function connectorsDocument({ url, shown, others }: ConnectorsShown) {
  return {
    apiVersion: "cdcctl/v1",
    kind: "Connectors",
    formatVersion: 1n,
    connect: url,
    connectors: shown.map(({ name, kind, className, status, stored, lag, change, unsettled }) => ({
      name,
      kind,
      class: className ?? null,
      state: status?.state ?? null,
      tasks: (status?.tasks ?? []).map(({ id, state, worker, trace }) => ({
        id,
        state,
        worker,
        ...(trace === undefined ? {} : { trace }),
      })),
      ...(status?.trace === undefined ? {} : { trace: status.trace }),
      resume_scn: stored?.resumeScn ?? null,
      ...(lag === undefined ? {} : { lag: lagMembers(lag) }),
      ...(change?.known === true && change.value !== undefined ? { last_change: changeMembers(change.value) } : {}),
      unsettled_runs: unsettled,
    })),
    other_connectors: BigInt(others),
  };
}

function lagMembers(lag: Observed<Lag>) {
  const read = mapObserved(lag, ({ scns, at, millis }) => ({
    scns,
    resume_at: at ?? null,
    millis: millis === undefined ? null : BigInt(millis),
  }));
  return read.known ? read.value : { unknown: read.why };
}
