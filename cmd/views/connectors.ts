import type { InFlight } from "../../core/change/ops-topics.ts";
import type { ConnectorStop } from "../../core/change/watching/connector-stop.ts";
import { explainedStop } from "../../core/connector-errors.ts";
import { NOT_BEHIND_MILLIS } from "../../core/doctor/lag/state-causes.ts";
import { errorLine } from "../../core/facts/connector/traces.ts";
import { mapObserved, type Observed } from "../../core/facts/observed.ts";
import type { StoredOffset } from "../../core/facts/offset/stored-offset.ts";
import type { RecordedChange, StopEvent } from "../../core/facts/ops/ops-event.ts";
import { commandsToSettle } from "../../core/run/ways-to-settle.ts";
import { counted, showCount } from "../../core/values/amounts.ts";
import type { Instant } from "../../core/values/instant.ts";
import {
  connectorsLine,
  fromOpsCommand,
  shellOption,
  type Workers,
  workersFlag,
} from "../../core/values/shell-word.ts";
import { firstLine } from "../../core/values/truncate.ts";
import type { ConnectorStatus, RecordedEvent } from "../../schemas/generated/facts.ts";
import type { Tone } from "./colour.ts";
import { documentOf } from "./json-text.ts";
import { showInstant, showMillis, shownStop, statusOf, trunc } from "./layout.ts";
import { changeMembers, changeText } from "./offset.ts";
import {
  code,
  END,
  type Field,
  field,
  type Notice,
  notice,
  type Outcome,
  RANK,
  type Report,
  section,
  tableOf,
} from "./report/model.ts";
import { stopText } from "./watching/reports.ts";

/** Whether a connector has a change in flight on another machine. */
export interface Elsewhere {
  /** Undefined for those of workers that could not list them. */
  readonly connector: string | undefined;
  readonly at: Workers;
  readonly inFlight: InFlight;
  /** Who stopped it, where it is STOPPED. */
  readonly stopped?: ConnectorStop | undefined;
}

/** What of other machines is in flight. */
export function foundElsewhere(looked: readonly Elsewhere[]) {
  return looked.flatMap(({ connector, at, inFlight }) =>
    connector !== undefined && inFlight.known && inFlight.value !== undefined
      ? [{ connector, at, change: inFlight.value }]
      : [],
  );
}

/**
 * A line for each change in flight, and one for each reason why there may be others.
 *
 * @param looked undefined where nobody looked
 */
export function elsewhereNotices(looked: readonly Elsewhere[] | undefined): readonly Notice[] {
  if (looked === undefined) return [notice(NOT_LOOKED_UP)];
  const found = foundElsewhere(looked).map(
    ({ connector, change }) => `${trunc(connector, 60)}: in flight on another machine: ${changeText(change)}`,
  );
  const unknown = new Map<string, string[]>();
  for (const { connector = "other connectors", inFlight } of looked)
    if (!inFlight.known) unknown.set(inFlight.why, [...(unknown.get(inFlight.why) ?? []), connector]);
  const lines = [...unknown].map(
    ([why, names]) => `${NOT_LOOKED_UP} (${trunc(names.join(", "), 600)}): ${firstLine(why)}`,
  );
  return [...found, ...lines].map((line) => notice(trunc(line, 2000), "caution"));
}

const NOT_LOOKED_UP = "runs on other machines were not looked up";

/** The two ways to settle each change in flight. */
export function elsewhereNext(looked: readonly Elsewhere[]): readonly string[] {
  return foundElsewhere(looked).flatMap(({ connector, at }) => {
    const command = fromOpsCommand({ ...at, connector });
    return [
      `${command}     # to finish it, if no process is applying it; otherwise wait`,
      `${command} --abandon     # to call it off, and change nothing more`,
    ];
  });
}

/** What is in flight, and what could not be looked for, as JSON. */
export function elsewhereDocuments(looked: readonly Elsewhere[]) {
  return looked.flatMap((one) => {
    const { connector, inFlight } = one;
    const change = inFlight.known ? inFlight.value && changeMembers(inFlight.value) : { unknown: inFlight.why };
    return change === undefined ? [] : [{ connector, change, next: elsewhereNext([one]) }];
  });
}

/** The lag of a stored offset behind its database. */
export interface Lag {
  readonly scns: bigint;
  /** When the resume SCN was current; undefined, like `millis`, if the database no longer knows. */
  readonly at: Instant | undefined;
  readonly millis: number | undefined;
}

/** A connector, as shown by `connectors`. */
export interface ConnectorView {
  readonly name: string;
  readonly kind: "cdc" | "legacy" | "other";
  readonly className: string | undefined;
  /** Undefined if the workers have no status yet. */
  readonly status: ConnectorStatus | undefined;
  readonly failed: boolean;
  readonly stored: StoredOffset | undefined;
  /** Why there is no readable position; undefined where one is stored, or none. */
  readonly unread: { readonly why: string; readonly code?: string } | undefined;
  /** Undefined without a position. */
  readonly lag: Observed<Lag> | undefined;
  /** The latest one that the ops topic records. Undefined for a connector without such a topic. */
  readonly change: Observed<RecordedChange<RecordedEvent> | undefined> | undefined;
  /** Whether a change of another machine is in flight. */
  readonly elsewhere: readonly Elsewhere[];
  readonly lastStop?: StopEvent | undefined;
  readonly stopped?: ConnectorStop | undefined;
  /** Unsettled or unreadable runs of this machine. */
  readonly unsettled: readonly string[];
}

export interface ConnectorsView {
  readonly url: string;
  readonly context: string | undefined;
  readonly shown: readonly ConnectorView[];
  /** Number of connectors of other classes, which are not shown. */
  readonly others: number;
}

export function connectorsReport({ url, context, shown, others }: ConnectorsView): Report {
  const table = tableOf("Times are UTC", shown, { what: "connector" }, [
    ["Connector", ({ name, kind }) => `${trunc(name, 60)}${kind === "legacy" ? " (legacy)" : ""}`],
    ["State", (one) => ({ text: stateOf(one), tone: toneOf(one) }), { wraps: true }],
    ["Resume SCN", ({ stored, unread }) => (stored ? code(`${stored.resumeScn}`) : unread ? "not read" : "none"), END],
    ["Lag", ({ lag }) => (lag === undefined ? "" : lag.known ? lagSentence(lag.value) : "not known")],
    [
      "Unsettled run",
      ({ unsettled }) => ({ text: unsettled.map((run) => trunc(run, 60)).join(", "), tone: "caution" }),
    ],
  ]);
  const unknown = [...new Set(shown.flatMap(({ lag }) => (lag?.known === false ? [firstLine(lag.why)] : [])))];
  const more = others === 0 ? [] : [notice(`${counted(others, "connector")} of other classes`, "quiet")];
  return {
    heading: { title: `Connectors of ${trunc(url, 300)}`, outcome: outcomeOf(shown) },
    sections: section(RANK.subject, [
      ...(shown.length === 0 ? [notice("no CDC or legacy connector")] : [table]),
      ...unknown.map((why) => notice(`lag unknown: ${trunc(why, 1000)}`, "caution")),
      ...elsewhereNotices(shown.flatMap(({ elsewhere }) => elsewhere)),
      ...more,
    ]),
    next: shown.flatMap((one) => nextInList(one, { context, connectUrl: url })),
  };
}

export function connectorReport(
  shown: ConnectorView,
  { url, context }: Pick<ConnectorsView, "url" | "context">,
): Report {
  const { name, status, stored, unread, lag, change, elsewhere, lastStop, stopped, unsettled } = shown;
  const last = change?.known === true ? change.value : undefined;
  const others = elsewhere.filter(({ inFlight }) => !inFlight.known || inFlight.value !== last);
  const stop = status && explainedStop(status);
  const stoppedBy = shownStop(stop?.code);
  const error = (label: string, trace: string | undefined) =>
    trace === undefined ? [] : [field(label, trunc(errorLine(trace, 1000), 1000), "bad")];
  const rows: readonly Field[] = [
    field("State", stateOf(shown), shown.failed ? "bad" : undefined),
    ...(stopped === undefined ? [] : [field("Stopped", stopText(stopped))]),
    ...(stoppedBy === undefined ? [] : [field("Stopped by", stoppedBy.text, "bad")]),
    ...error("Trace", status?.trace),
    ...(status?.tasks ?? []).flatMap(({ id, trace }) => error(`Trace, task ${id}`, trace)),
    field("Class", trunc(shown.className ?? "not set", 300)),
    field("Workers", trunc(url, 300)),
    field("Position", stored ? positionOf(stored, lag) : trunc(unread?.why ?? "no offset is stored", 600)),
    ...(lag === undefined ? [] : [field("Lag", lag.known ? lagSentence(lag.value) : `unknown: ${firstLine(lag.why)}`)]),
    ...(lastStop && !stop ? [field("Last stop", trunc(`${showInstant(lastStop.at)} ${lastStop.error}`, 1000))] : []),
    ...(change === undefined ? [] : [field("Last change", trunc(lastChange(change), 1500))]),
    ...(unsettled.length === 0
      ? []
      : [field("Unsettled run", unsettled.map((run) => trunc(run)).join(", "), "caution")]),
  ];
  return {
    heading: { title: trunc(name, 200), outcome: outcomeOf([shown]) },
    sections: section(RANK.subject, [{ is: "fields", rows, aligned: true }, ...elsewhereNotices(others)], {
      close: true,
    }),
    next: nextFor(shown, { context, connectUrl: url }),
  };
}

function outcomeOf(shown: readonly ConnectorView[]): Outcome {
  const count = (is: (one: ConnectorView) => boolean) => shown.filter(is).length;
  const failed = count((one) => one.failed);
  const unsettled = count((one) => one.unsettled.length > 0);
  const others = count(({ elsewhere }) => foundElsewhere(elsewhere).length > 0);
  const resting = count(({ status }) => status?.state !== "RUNNING");
  if (failed > 0) return { word: `${showCount(failed)} failed`, mark: "bad" };
  if (unsettled > 0) return { word: `${showCount(unsettled)} with an unsettled run`, mark: "caution" };
  if (others > 0) return { word: `${showCount(others)} with a change in flight`, mark: "caution" };
  if (resting > 0) return { word: `${showCount(resting)} not running`, mark: "caution" };
  return shown.length === 0 ? { word: "none", mark: "nothing" } : { word: "running", mark: "good" };
}

function toneOf({ failed, status }: ConnectorView): Tone {
  return failed ? "bad" : status?.state === "RUNNING" ? "good" : "caution";
}

function stateOf({ status }: ConnectorView): string {
  return status === undefined ? "no status yet" : statusOf(status);
}

function positionOf({ resumeScn }: StoredOffset, lag: Observed<Lag> | undefined): string {
  const at = lag?.known === true && lag.value.at !== undefined ? `   ${showInstant(lag.value.at)}` : "";
  return `resume SCN ${resumeScn}${at}`;
}

function lagSentence({ scns, millis }: Lag): string {
  const time = millis === undefined ? "" : `${showMillis(millis)}, `;
  return `${time}${showCount(scns)} SCNs`;
}

function lastChange(change: NonNullable<ConnectorView["change"]>): string {
  if (!change.known) return `unknown: ${firstLine(change.why)}`;
  return change.value === undefined ? "none recorded" : changeText(change.value);
}

/** What comes before anything else. */
function settleFirst({ unsettled: [run], elsewhere }: ConnectorView): readonly string[] {
  return run === undefined ? elsewhereNext(elsewhere) : commandsToSettle(run);
}

/** The list has no traces, so it cannot predict refusals. */
function nextInList(shown: ConnectorView, at: Workers): readonly string[] {
  const first = settleFirst(shown);
  if (first.length > 0) return first;
  const looks = shown.failed || isHalted(shown) || isBehind(shown) || shown.lag?.known === false;
  return looks ? [connectorsLine("show", shown.name, at)] : [];
}

/** The commands for the situation, excluding any that would be refused. */
function nextFor(shown: ConnectorView, workers: Workers): readonly string[] {
  const { name, failed, lag, unread } = shown;
  const first = settleFirst(shown);
  if (first.length > 0) return first;
  const stop = shown.status && shownStop(explainedStop(shown.status)?.code);
  return [
    ...(stop === undefined ? [] : [stop.next]),
    ...(lag?.known === false
      ? [`cdcctl admin offsets show ${workersFlag(workers)} ${shellOption("--name", name)} --check-redo`]
      : []),
    ...(isBehind(shown)
      ? [
          `cdcctl doctor explain-lag ${workersFlag(workers)} ${shellOption("--name", name)}     ` +
            "# --jmx-url or --metrics-url adds what the task reports",
        ]
      : []),
    ...(failed ? [`${connectorsLine("restart", name, workers)}     # after fixing the cause`] : []),
    ...(unread?.code === undefined ? [] : [`cdcctl explain ${unread.code}`]),
    ...(!failed && isHalted(shown) && unread?.code === undefined
      ? [`${connectorsLine("resume", name, workers)}     # to start it`]
      : []),
  ];
}

/** A lag that nothing seen here explains. */
function isBehind({ failed, status, lag }: ConnectorView): boolean {
  const millis = lag?.known === true ? lag.value.millis : undefined;
  return !failed && status?.state === "RUNNING" && millis !== undefined && millis > NOT_BEHIND_MILLIS;
}

function isHalted({ status }: ConnectorView): boolean {
  return status?.state === "STOPPED" || status?.state === "PAUSED";
}

/** `connectors --format json` (`schemas/connectors.schema.json`). */
export function connectorsDocument({ url, shown, others }: ConnectorsView) {
  return {
    ...documentOf("Connectors"),
    connect: url,
    connectors: shown.map(({ name, kind, className, status, stored, lag, change, elsewhere, unsettled, ...more }) => ({
      name,
      kind,
      class: className ?? null,
      state: status?.state ?? null,
      tasks: (status?.tasks ?? []).map(({ id, state, worker, trace }) => ({ id, state, worker, trace })),
      trace: status?.trace,
      resume_scn: stored?.resumeScn ?? null,
      lag: lag && lagMembers(lag),
      last_stop: more.lastStop,
      stopped: more.stopped,
      last_change: change?.known ? change.value && changeMembers(change.value) : undefined,
      unsettled_runs: unsettled,
      elsewhere: elsewhereDocuments(elsewhere),
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
