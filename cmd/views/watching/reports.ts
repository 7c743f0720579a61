import type { ConnectorStop } from "../../../core/change/watching/connector-stop.ts";
import { beganAt, type OpsOutcome, operatorText, type RecordedChange } from "../../../core/facts/ops/ops-event.ts";
import { counted } from "../../../core/values/amounts.ts";
import { connectorsLine, type Workers } from "../../../core/values/shell-word.ts";
import { firstLine } from "../../../core/values/truncate.ts";
import type { Judged } from "../../../core/watching/conditions.ts";
import type { RecordedEvent } from "../../../schemas/generated/facts.ts";
import type { Tone } from "../colour.ts";
import { documentOf } from "../json-text.ts";
import { showInstant, trunc } from "../layout.ts";
import { changeMembers } from "../offset.ts";
import {
  type Cell,
  code,
  type Notice,
  notice,
  RANK,
  type Report,
  type Section,
  section,
  tableOf,
} from "../report/model.ts";

const RESULTS: { readonly [verdict in Judged["verdict"]]: readonly [word: string, tone: Tone] } = {
  pass: ["holds", "good"],
  fail: ["FAILS", "bad"],
  unknown: ["FAILS: could not be read", "bad"],
};

/** The conditions of `--fail-on`, a line each. */
export function conditionsSection(conditions: readonly Judged[] = []): readonly Section[] {
  if (conditions.length === 0) return [];
  const table = tableOf("Conditions", conditions, { what: "condition", bare: true }, [
    ["Condition", ({ condition }) => condition],
    ["Result", ({ verdict }) => ({ text: RESULTS[verdict][0], tone: RESULTS[verdict][1] })],
    ["Seen", ({ seen }) => trunc(seen, 600), { wraps: true }],
  ]);
  return section(RANK.refusals, [table], { title: "Conditions", terminal: "no title" });
}

interface Stopped {
  readonly connector: string | undefined;
  readonly at: Workers;
  readonly stopped?: ConnectorStop | undefined;
}

/** A line for each connector that an operator has stopped. */
export function stopNotices(looked: readonly Stopped[] = []): readonly Notice[] {
  return looked.flatMap(({ connector = "", stopped }) =>
    stopped === undefined ? [] : [notice(`${trunc(connector, 60)}: stopped ${stopText(stopped)}`, "caution")],
  );
}

/** The command that shows each of them; a connector whose run here is settled may have a nearer one. */
export function stopNext(looked: readonly Stopped[] = []): readonly string[] {
  return looked.flatMap(({ connector, at, stopped }) =>
    stopped === undefined || connector === undefined ? [] : [connectorsLine("show", connector, at)],
  );
}

/** Who stopped a connector, when and why: `2026-11-21 05:27:48Z by ann, ticket CHG-4711: database maintenance`. */
export function stopText({ at, operator, reason, ticket }: ConnectorStop): string {
  const what = [
    `${showInstant(at)} by ${operatorText(operator)}`,
    ...(ticket === undefined ? [] : [`ticket ${trunc(ticket, 200)}`]),
  ];
  return `${what.join(", ")}${reason === "" ? "" : `: ${trunc(reason, 600)}`}`;
}

/** A change as an ops topic records it. */
export interface RecordedOf {
  readonly connector: string;
  readonly change: RecordedChange<RecordedEvent>;
}

interface OpsHistory {
  readonly shown: readonly RecordedOf[];
  /** Topics that could not be read, or not to their beginning. */
  readonly unread: readonly { readonly connector: string; readonly why: string }[];
}

/** `history --ops`: a line for each change, of whatever machine. */
export function opsHistoryReport({ shown, unread }: OpsHistory): Report {
  const details = ({ change }: RecordedOf) => change.event.details;
  const table = tableOf("Times are UTC", shown, { what: "change" }, [
    ["Began", ({ change }) => showInstant(beganAt(change.event))],
    ["Connector", ({ connector }) => trunc(connector, 40), { wraps: true, most: 14 }],
    ["Operator", (one) => trunc(details(one).operator, 60), { wraps: true, most: 10 }],
    ["Ticket", (one) => trunc(details(one).ticket ?? "", 60), { wraps: true, most: 12 }],
    ["From", (one) => code(trunc(details(one).previous_resume_scn, 40))],
    ["To", (one) => code(trunc(details(one).new_resume_scn, 40))],
    ["Outcome", ({ change }) => OUTCOMES[change.outcome]],
    ["Reason", (one) => trunc(details(one).reason, 100), { below: true }],
  ]);
  const missing = unread.map(({ connector, why }) =>
    notice(trunc(`${connector}: changes may be missing: ${firstLine(why)}`, 2000), "caution"),
  );
  const none = unread.length === 0 ? [notice("no change is recorded")] : [];
  const asserted = notice("Times are UTC. Operators are self-asserted (CDCCTL_OPERATOR).");
  return {
    heading: {
      title: "Changes in the ops topics",
      terminal: "no title",
      outcome:
        unread.length > 0
          ? { word: "changes may be missing", mark: "bad" }
          : { word: counted(shown.length, "change"), mark: "nothing" },
    },
    sections: section(RANK.outcome, [...(shown.length === 0 ? none : [table, asserted]), ...missing], { flush: true }),
  };
}

const OUTCOMES: { readonly [O in OpsOutcome]: Cell } = {
  applying: { text: "in flight", tone: "caution" },
  applied: { text: "applied", tone: "good" },
  failed: { text: "failed", tone: "bad" },
};

/** The history as JSON (`schemas/run.schema.json`). */
export function opsHistoryDocument({ shown, unread }: OpsHistory) {
  return {
    ...documentOf("OpsHistory"),
    changes: shown.map(({ connector, change }) => ({
      connector,
      ...changeMembers(change),
      ticket: change.event.details.ticket,
      ended: change.outcome === "applying" ? undefined : change.latest.at,
    })),
    unread,
  };
}
