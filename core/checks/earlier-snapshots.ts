import type { ResnapshotIntent } from "../document/intent.ts";
import { isRunning } from "../facts/connector/connector.ts";
import { counted } from "../values/amounts.ts";
import type { Advice } from "../values/remedy.ts";
import { type Check, fail, pass, unseen } from "./check.ts";
import { listed, sentences } from "./listed.ts";
import type { ResnapshotReading } from "./readings.ts";

/**
 * While another snapshot is unfinished, pending or about to start, the task rejects a snapshot signal, not queues it.
 * Past a gap the other one goes on from its frontier: rows below it, and tables that are done, keep values from before
 * the gap.
 *
 * Rule: reference: connector rules, "Signals and snapshots".
 */
export const earlierSnapshot: Check<
  Pick<ResnapshotIntent, "waitForSnapshot" | "stopRunningSnapshot" | "origin">,
  Pick<ResnapshotReading, "ahead" | "way" | "facts">
> = {
  code: "SNP919",
  title: "Another snapshot comes before this one",
  problem: "The task goes on with the other snapshot from its frontier, and rejects the signal of this one for good.",
  remedy:
    "Wait until the other snapshot has ended (`spec.waitForSnapshot`), or stop it first (`spec.stopRunningSnapshot`).",
  grade: "refusal",
  unknown: "acceptable",

  run({ waitForSnapshot, stopRunningSnapshot, origin }, { ahead, way, facts: { connector, signalsTopic } }) {
    // SNP906 blocks a topic that can't be inspected.
    if (!ahead.known && !signalsTopic.known) return pass;
    if (!ahead.known) return unseen(ahead, "whether another snapshot comes first is unknown");
    const { value: earlier } = ahead;
    if (earlier === undefined || stopRunningSnapshot === true) return pass;
    const held =
      way === "past the gap"
        ? "its task can't run before the offset has moved past the gap"
        : isRunning(connector.status)
          ? undefined
          : `it is ${connector.status.state}`;
    if (waitForSnapshot !== undefined && held === undefined) return pass;
    const effect =
      way === "past the gap"
        ? "goes on from its frontier and leaves the rows that it has read as they were before the gap, and this " +
          "signal is rejected"
        : "comes first, and this signal is rejected, not queued";
    const inFile = origin.by === "admin" ? " in a plan file" : "";
    const stop = {
      text: "Or stop it first, with its tables in spec.tables",
      setting: `spec.stopRunningSnapshot: true${inFile}`,
    };
    const remedies: readonly Advice[] =
      held === undefined
        ? [{ text: "Wait until it has ended", setting: `spec.waitForSnapshot: 1h${inFile}` }, stop]
        : way === "past the gap"
          ? [{ ...stop, text: "Stop it first, with its tables in spec.tables" }]
          : [`Start ${connector.name}, let the snapshot end, and plan again.`, stop];
    return fail(
      `${sentences(earlier.what)}: it ${effect}` +
        (waitForSnapshot === undefined ? "" : `; waiting does not help: ${held}`),
      { remedies, at: "spec.waitForSnapshot" },
    );
  },
};

/**
 * The unread chunks of a snapshot that is stopped are never read, so its tables have to be snapshotted again.
 *
 * Rule: reference: connector rules, "Signals and snapshots" (`snapshot-stop`).
 */
export const stoppedTablesUnlisted: Check<
  Pick<ResnapshotIntent, "stopRunningSnapshot" | "origin">,
  Pick<ResnapshotReading, "tables" | "captured" | "ahead">
> = {
  code: "SNP920",
  title: "Tables of the stopped snapshot are not named",
  problem: "The chunks that the stopped snapshot has not read are never read: rows of these tables stay missing.",
  remedy: "Name these tables in `spec.tables` too.",
  grade: "refusal",

  run({ stopRunningSnapshot }, { ahead, tables, captured }) {
    if (stopRunningSnapshot !== true || !captured.known || !ahead.known || ahead.value === undefined) return pass;
    // The task snapshots captured tables only, and finds those of a signal in any case.
    const named = new Set(tables.map((table) => table.toUpperCase()));
    const left = new Set(ahead.value.tables.map((table) => table.toUpperCase()));
    const unlisted = captured.tables.flatMap(({ fullName }) =>
      left.has(fullName.toUpperCase()) && !named.has(fullName.toUpperCase()) ? [fullName] : [],
    );
    if (unlisted.length === 0) return pass;
    return fail(
      `${counted(unlisted.length, "unnamed table")} of the snapshot that is stopped would never be read to the ` +
        `end: ${listed(unlisted, 20)}`,
      { at: "spec.tables", items: unlisted.map((name) => ({ name })) },
    );
  },
};
