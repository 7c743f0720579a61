import type { Intent, OffsetChangeIntent } from "../document/intent.ts";
import type { ConnectorFacts } from "../facts/connector-facts.ts";
import type { Observed } from "../facts/observed.ts";
import { changeNow } from "../facts/offset/stored-change.ts";
import { type StoredReading, sameOffset } from "../facts/offset/stored-offset.ts";
import { ageOf, beganAt, carriedOffset, type RecordedChange, type RecordedEvent } from "../facts/ops/ops-event.ts";
import { printDuration } from "../values/duration.ts";
import { type Instant, millisBetween } from "../values/instant.ts";
import { parseScn } from "../values/scn.ts";
import { shellWord, workersFlag } from "../values/shell-word.ts";
import { type Check, fail, pass, unknown } from "./check.ts";

/**
 * An old offset brought back after the connector has run carries an old last commit and an old journal generation:
 * delivered transactions come twice, and the journal's chunks are dropped as stale.
 */
export const offsetMovedOn: Check<
  Pick<OffsetChangeIntent, "position">,
  { readonly facts: Pick<ConnectorFacts, "connector"> }
> = {
  code: "OFF111",
  title: "The offset is no longer the one that the run stored",
  problem: "Bringing the old one back exactly would repeat delivered transactions and drop journaled ones.",
  remedy: "Move the resume SCN back instead: `cdcctl rollback` offers that as an offset change.",
  grade: "refusal",

  run({ position }, { facts: { connector } }) {
    if (position.to !== "restore") return pass;
    if (
      connector.offsets.some(
        ({ offset }) => sameOffset(offset, position.replacing) || sameOffset(offset, position.offset),
      )
    )
      return pass;
    return fail({
      seen:
        `the stored offset is not the one that run ${position.run} left: the connector, or somebody, has stored ` +
        "another since",
    });
  },
};

/**
 * The latest change of this connector was recorded as applied, and what is stored shows that the task of before has
 * committed once more over it. No wait after a stop can rule that out.
 *
 * Rule: architecture, "What apply promises", 5; reference: Kafka Connect, "Seen on real workers".
 */
export const lastChangeUndone: Check<
  unknown,
  { readonly changes: Observed<readonly RecordedChange<RecordedEvent>[]>; readonly stored: StoredReading }
> = {
  code: "OFF114",
  title: "A late commit has undone the last change",
  problem: "The connector would go on from where it was before that change, although its record says applied.",
  remedy: "Repair it and start the connector, where the change was made: `cdcctl recover RUN --resume`.",
  grade: "advisory",

  run(_intent, { changes, stored }) {
    // That the topic can't be read is said by OPS603.
    const last = changes.known ? changes.value.at(-1) : undefined;
    if (last?.outcome !== "applied" || stored.state !== "stored") return pass;
    const { event } = last;
    const { previous_offset, new_offset, new_resume_scn, direction, run, operator } = event.details;
    const [previous, planned] = [carriedOffset(previous_offset), carriedOffset(new_offset)];
    const { offset } = stored.entry;
    if (previous === undefined || planned === undefined || planned === null) return pass;
    const change = { previous, planned, scn: parseScn(new_resume_scn), direction };
    if (changeNow(offset, change) !== "undone") return pass;
    return fail({
      seen:
        `${operator === "" ? "somebody" : operator} moved the offset to ${new_resume_scn} ` +
        `(${beganAt(event)}${run === undefined ? "" : `, run ${run}`}), and a task that had outlived its stop has ` +
        `set it back to ${stored.offset.resumeScn}`,
      ...(run === undefined
        ? {}
        : {
            remedies: [
              {
                text: "Repair it and start the connector, where it was made",
                command: `cdcctl recover ${shellWord(run)} --resume`,
              },
            ],
          }),
    });
  },
};

const ADMIN_WAITS_MILLIS = 15 * 60_000;

/**
 * An `applying` without its outcome: somebody else changes this offset right now, or was cut off in the middle. What
 * came first is decided by the log, and its age by the workers' and the brokers' clocks: the clock of another machine,
 * or of this one, may be wrong.
 *
 * Rule: architecture, "What apply promises", 6.
 */
export const changeInFlight: Check<
  Pick<Intent, "target">,
  {
    readonly changes: Observed<readonly RecordedChange<RecordedEvent>[]>;
    readonly changesOffset: boolean;
    readonly facts: Pick<ConnectorFacts, "opsHistory">;
  }
> = {
  code: "OPS603",
  title: "Another change of this connector is in flight",
  problem: "Two changes at once: the later PATCH wins, and the record tells a wrong story.",
  remedy: "Ask its operator, or settle it: `cdcctl recover --from-ops --context CONTEXT --connector CONNECTOR`.",
  grade: "acceptable",

  run({ target }, { changes, changesOffset, facts }) {
    if (!changes.known && !changesOffset) return pass;
    if (!changes.known) return unknown(`the ops topic could not be read: ${changes.why}`, changes.remedies);
    const open = changes.value.findLast(({ outcome }) => outcome === "applying");
    if (open === undefined) return pass;
    const { operator, run, new_resume_scn } = open.event.details;
    const clusterNow = facts.opsHistory.known ? facts.opsHistory.value.clusterNow : undefined;
    const age = ageOf(open.event, clusterNow);
    const began = beganAt(open.event);
    const who = operator === "" ? "somebody" : operator;
    const what = new_resume_scn === "none" ? "to delete the stored offset" : `a change to ${new_resume_scn}`;
    const when = age === undefined ? "" : ` ${printDuration(age)} ago`;
    return fail({
      seen:
        `${who} began ${what}${when} (${began}${run === undefined ? "" : `, run ${run}`}) and its outcome is not ` +
        `recorded${age === undefined ? `; how long ago is unknown: ${whyUnknown(began, clusterNow)}` : ""}`,
      remedies: [
        {
          text: "Ask its operator, or settle it",
          command: `cdcctl recover --from-ops ${workersFlag(target)} --connector ${shellWord(open.event.details.connector)}`,
        },
      ],
      // One whose age can't be told counts as just begun.
      firm: age === undefined || age < ADMIN_WAITS_MILLIS,
    });
  },
};

function whyUnknown(began: Instant, clusterNow: Instant | undefined): string {
  if (clusterNow === undefined) return "the workers do not tell the time";
  return `that is ${printDuration(millisBetween(clusterNow, began))} after the workers' time, ${clusterNow}`;
}

/** Reading the ops topic back is bounded; what lies before is not known. */
export const historyCut: Check<
  unknown,
  { readonly changesOffset: boolean; readonly facts: Pick<ConnectorFacts, "opsHistory" | "connector"> }
> = {
  code: "OPS604",
  title: "The ops topic was not read to its beginning",
  problem: "A change of this connector that lies further back would not be noticed.",
  remedy: "None is needed unless a change was left unfinished long ago.",
  grade: "advisory",

  run(_intent, { changesOffset, facts: { opsHistory, connector } }) {
    if (!changesOffset) return pass;
    if (!opsHistory.known) return unknown(`the ops topic could not be read: ${opsHistory.why}`, opsHistory.remedies);
    if (opsHistory.value.whole) return pass;
    return fail({ seen: `only the latest records of ${connector.opsTopic} were read` });
  },
};
