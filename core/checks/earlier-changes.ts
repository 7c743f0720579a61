import type { Intent, OffsetChangeIntent } from "../document/intent.ts";
import type { ConnectorFacts } from "../facts/connector-facts.ts";
import { changeNow } from "../facts/offset/stored-change.ts";
import { sameOffset } from "../facts/offset/stored-offset.ts";
import { ageOf, beganAt, carriedOffset, changeUnderWay, operatorText } from "../facts/ops/ops-event.ts";
import { printDuration } from "../values/duration.ts";
import { type Instant, millisBetween } from "../values/instant.ts";
import { parseScn } from "../values/scn.ts";
import { fromOpsCommand, shellWord } from "../values/shell-word.ts";
import { type Check, type CheckIn, type CheckOf, fail, pass, unseen } from "./check.ts";
import type { ConnectorReading } from "./readings.ts";

/**
 * Restoring an old offset after the connector has run brings back an old last commit and an old journal generation:
 * delivered transactions are repeated, and the journal's chunks are dropped as stale.
 */
export const offsetMovedOn: CheckOf<ConnectorFacts, "connector", Pick<OffsetChangeIntent, "position">> = {
  code: "OFF111",
  title: "The offset has changed since the run stored it",
  problem: "Restoring the old offset exactly would repeat delivered transactions and drop journaled ones.",
  remedy: "Move only the resume SCN back: `cdcctl rollback` offers that as an offset change.",
  grade: "refusal",

  run({ position }, { facts: { connector } }) {
    if (position.to !== "restore") return pass;
    if (
      connector.offsets.some(
        ({ offset }) => sameOffset(offset, position.replacing) || sameOffset(offset, position.offset),
      )
    )
      return pass;
    return fail(
      `the stored offset is not the one that run ${position.run} left: the connector or another user has stored ` +
        "another since",
    );
  },
};

/**
 * The latest change of this connector was recorded as applied, and the stored offset shows that the previous task has
 * committed once more over it. No wait after a stop can rule that out.
 *
 * Rule: architecture, "What apply promises", 5; reference: Kafka Connect, "Seen on real workers".
 */
export const lastChangeUndone: Check<unknown, Pick<ConnectorReading, "changes" | "stored">> = {
  code: "OFF114",
  title: "A late commit has undone the last change",
  problem: "The connector would resume from before that change, although its record says applied.",
  remedy: "Repair it and start the connector, on the machine that made the change: `cdcctl recover RUN --resume`.",
  grade: "advisory",

  run(_intent, { changes, stored }) {
    // OPS603 reports a topic that can't be read.
    const last = changes.known ? changes.value.at(-1) : undefined;
    if (last?.outcome !== "applied" || stored.state !== "stored") return pass;
    const { event } = last;
    const { previous_offset, new_offset, new_resume_scn, direction, run, operator } = event.details;
    const [previous, planned] = [carriedOffset(previous_offset), carriedOffset(new_offset)];
    const { offset } = stored.entry;
    if (previous === undefined || planned === undefined || planned === null) return pass;
    const change = { previous, planned, scn: parseScn(new_resume_scn), direction };
    if (changeNow(offset, change) !== "undone") return pass;
    const repair = "Repair it and start the connector, on the machine that made the change";
    return fail(
      `${operatorText(operator)} moved the offset to ${new_resume_scn} ` +
        `(${beganAt(event)}${run === undefined ? "" : `, run ${run}`}), and a task that kept running after its stop ` +
        `has set it back to ${stored.offset.resumeScn}`,
      run === undefined ? {} : { remedies: [{ text: repair, command: `cdcctl recover ${shellWord(run)} --resume` }] },
    );
  },
};

const ADMIN_WAITS_MILLIS = 15 * 60_000;

/**
 * An `applying` without its outcome: another user is changing this offset right now, or was interrupted. The log
 * decides which came first, and the workers' and brokers' clocks decide its age: this machine's clock, or another's,
 * may be wrong.
 *
 * Rule: architecture, "What apply promises", 6.
 */
export const changeInFlight: CheckIn<
  ConnectorReading,
  "changes" | "changesOffset",
  "opsHistory",
  Pick<Intent, "target">
> = {
  code: "OPS603",
  title: "Another change of this connector is in flight",
  problem: "With two changes at once the later PATCH wins, and the record is wrong.",
  remedy:
    "Ask the operator of that change, or settle it: `cdcctl recover --from-ops --context CONTEXT --connector " +
    "CONNECTOR`.",
  grade: "acceptable",

  run({ target }, { changes, changesOffset, facts }) {
    if (!changes.known && !changesOffset) return pass;
    if (!changes.known) return unseen(changes, "the ops topic could not be read");
    const open = changeUnderWay(changes.value);
    if (open === undefined) return pass;
    const { operator, run, new_resume_scn } = open.event.details;
    const clusterNow = facts.opsHistory.known ? facts.opsHistory.value.clusterNow : undefined;
    const age = ageOf(open.event, clusterNow);
    const began = beganAt(open.event);
    const what = new_resume_scn === "none" ? "to delete the stored offset" : `a change to ${new_resume_scn}`;
    const when = age === undefined ? "" : ` ${printDuration(age)} ago`;
    const unclear = age === undefined ? `; how long ago is unknown: ${whyUnknown(began, clusterNow)}` : "";
    return fail(
      `${operatorText(operator)} began ${what}${when} (${began}${run === undefined ? "" : `, run ${run}`}) and ` +
        `the outcome is not recorded${unclear}`,
      {
        remedies: [
          {
            text: "Ask the operator of that change, or settle it",
            command: fromOpsCommand({ ...target, connector: open.event.details.connector }),
          },
        ],
        // A change of unknown age counts as just begun.
        firm: age === undefined || age < ADMIN_WAITS_MILLIS,
      },
    );
  },
};

function whyUnknown(began: Instant, clusterNow: Instant | undefined): string {
  if (clusterNow === undefined) return "the workers do not report the time";
  return `that is ${printDuration(millisBetween(clusterNow, began))} after the workers' time, ${clusterNow}`;
}

/** Reading the ops topic is limited to its latest records; earlier ones are unknown. */
export const historyCut: CheckIn<ConnectorReading, "changesOffset", "opsHistory" | "connector"> = {
  code: "OPS604",
  title: "The ops topic was not read to its beginning",
  problem: "An earlier change of this connector would not be noticed.",
  remedy: "No action is needed, unless a change was left unfinished long ago.",
  grade: "advisory",

  run(_intent, { changesOffset, facts: { opsHistory, connector } }) {
    if (!changesOffset) return pass;
    if (!opsHistory.known) return unseen(opsHistory, "the ops topic could not be read");
    if (opsHistory.value.whole) return pass;
    return fail(`only the latest records of ${connector.opsTopic} were read`);
  },
};
