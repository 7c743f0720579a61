import type { ResnapshotFacts } from "../../schemas/generated/facts.ts";
import type { OffsetChangeIntent, ResnapshotIntent } from "../document/intent.ts";
import { hasFailed, isRunning } from "../facts/connector/connector.ts";
import type { ConnectorFacts } from "../facts/connector-facts.ts";
import { opsFormat } from "../facts/ops/ops-event.ts";
import type { Way } from "../facts/redo/redo.ts";
import { counted, showBytes, showCount } from "../values/amounts.ts";
import { printDuration } from "../values/duration.ts";
import { type Check, type CheckIn, type CheckOf, fail, pass, unseen } from "./check.ts";
import type { ResnapshotReading } from "./readings.ts";

/**
 * Only a running connector answers a signal. The plan says so, instead of waiting for an answer that can't come.
 *
 * Rule: reference: wire formats, "Ops topic" (`signal-ack`).
 */
export const noAnswerYet: CheckIn<
  ResnapshotReading,
  "way",
  "connector",
  Pick<ResnapshotIntent, "resume" | "origin"> & Waits
> = {
  code: "SNP910",
  title: "The connector can't answer the signal yet",
  problem: "A stopped or failed connector reads the signal only when it runs again.",
  remedy: "Set `spec.resume: true` (`--resume`), or start it later; the signal stays in its topic.",
  grade: "advisory",

  run(intent, reading) {
    if (reading.way === "unknown" || answersSignals(intent, reading)) return pass;
    const { name, status } = reading.facts.connector;
    const state = hasFailed(status) ? "FAILED" : status.state;
    const now =
      reading.way === "past the gap"
        ? "stays stopped"
        : state === "RUNNING"
          ? "is RUNNING, but not all of its tasks are"
          : `is ${state}`;
    return fail(
      `${name} ${now}: it reads and answers the signal once it ` +
        `runs${waitsForAnswer(intent) ? "; apply does not wait for the answer" : ""}`,
      {
        remedies: [
          `${intent.origin.by === "admin" ? "Pass --resume" : "Set spec.resume: true"}, or start it later; the ` +
            "signal stays in its topic.",
        ],
        at: "spec.resume",
      },
    );
  },
};

type Waits = Pick<ResnapshotIntent, "waitForAck" | "waitForCompletion">;

function waitsForAnswer({ waitForAck, waitForCompletion }: Waits): boolean {
  return (waitForAck ?? waitForCompletion) !== undefined;
}

/** A rollback restores the offset; a snapshot that was requested is taken anyway. */
export const signalStays: Check<Pick<OffsetChangeIntent, "signalSent">, unknown> = {
  code: "SNP912",
  title: "A signal can't be revoked",
  problem: "The tables are or were snapshotted again: their rows are delivered again as snapshot rows.",
  remedy: "No action is needed: consumers that apply changes by key tolerate it.",
  grade: "advisory",

  run({ signalSent }) {
    if (signalSent === undefined) return pass;
    const { id, tables } = signalSent;
    return fail(
      `the signal ${id} for ${tables.length === 1 ? tables[0] : `${showCount(tables.length)} tables`} can't be ` +
        "revoked: the connector will snapshot them, or has already done so",
      { remedies: [] },
    );
  },
};

/**
 * The connector writes its answer as it writes every record: and cdcctl can read only that of a JSON converter.
 *
 * Rule: reference: wire formats, "Ops topic".
 */
export const answerUnreadable: CheckOf<ConnectorFacts, "connector", Waits> = {
  code: "SNP914",
  title: "The connector's answer can't be read",
  problem: "The connector writes its answer with its value converter, and cdcctl reads only JSON converters.",
  remedy: "Find the signal's id in the ops topic with a consumer that supports the converter.",
  grade: "advisory",

  run(intent, { facts }) {
    if (!waitsForAnswer(intent) || answerReadable(facts)) return pass;
    return fail(
      `value.converter of ${facts.connector.name} is ${facts.connector.valueConverter}: the connector's answer to ` +
        "the signal can't be read, so apply does not wait for it",
      { at: "spec.waitForAck" },
    );
  },
};

/** A connector that is stopped in the evening is usually started within a day. */
const SHORT_MILLIS = 86_400_000n;
/** The default size limit of one producer request. */
const FEW_BYTES = 1_048_576n;

/**
 * A signal waits in its topic until the connector reads it, which may be hours later if the connector stays stopped.
 *
 * Rule: reference: connector rules, "Signals and snapshots"; wire formats, "Stored offset" (`signal_offset`).
 */
export const signalMayBeLost: CheckOf<ResnapshotFacts, "signalsTopic" | "connector"> = {
  code: "SNP916",
  title: "The signal may be lost before it is read",
  problem: "A signal that the connector never reads is a snapshot that is never taken.",
  remedy:
    "Keep the signals topic uncompacted, with one partition and a long retention; look for the connector's answer.",
  grade: "advisory",

  run(_intent, { facts: { signalsTopic, connector } }) {
    // Another check reports a topic that is missing or can't be inspected.
    if (!signalsTopic.known || signalsTopic.value === "missing") return pass;
    const { cleanupPolicy, partitions, retentionMillis: kept, retentionBytes: room } = signalsTopic.value;
    const problems = [
      ...(cleanupPolicy.known && cleanupPolicy.value.includes("compact")
        ? ["is compacted: a later signal of the connector removes an unread one"]
        : []),
      ...(kept.known && kept.value >= 0n && kept.value < SHORT_MILLIS
        ? [
            `keeps a record for ${printDuration(Number(kept.value))} (retention.ms): the connector has to read ` +
              "it before",
          ]
        : []),
      ...(room.known && room.value >= 0n && room.value < FEW_BYTES
        ? [`keeps about ${showBytes(room.value)} a partition (retention.bytes): later signals push one out`]
        : []),
      ...(partitions > 1n
        ? [
            `has ${counted(partitions, "partition")}, of which the task reads partition 0 only: cdcctl writes ` +
              "there, but a signal that another tool writes by its key may go where nobody reads",
          ]
        : []),
    ];
    if (problems.length > 0) return fail(`${connector.signalsTopic} ${problems.join("; it ")}`);
    return cleanupPolicy.known
      ? pass
      : unseen(cleanupPolicy, `whether ${connector.signalsTopic} keeps a signal until it is read is unknown`);
  },
};

/**
 * A topic that was deleted and created again counts from 0, while the stored offset goes on from the old one.
 *
 * Rule: reference: connector rules, "Signals and snapshots" (`signal_offset`).
 */
export const signalNeverRead: CheckIn<ResnapshotReading, "stored", "signals" | "connector"> = {
  code: "SNP921",
  title: "The task would never read the signal",
  problem: "The task reads on behind its stored signal_offset; a record before that is never read.",
  remedy: "Fill partition 0 of the signals topic beyond the stored signal_offset, then plan again.",
  grade: "refusal",

  run(_intent, { stored, facts: { signals, connector } }) {
    const handled = stored.state === "stored" ? stored.offset.signalOffset : undefined;
    // Another check reports signals that can't be read.
    if (handled === undefined || signals?.known !== true || signals.value.end > handled) return pass;
    const { end } = signals.value;
    return fail(
      `the next record of ${connector.signalsTopic} gets offset ${end} in partition 0, but the stored ` +
        `signal_offset is ${handled}: the topic was deleted and created again, and the task would not read the signal`,
      { remedies: [advanceTo(connector.signalsTopic, end, handled)] },
    );
  },
};

/** How to bring a topic beyond the stored `signal_offset`: the task passes over records without a key. */
export function advanceTo(topic: string, end: bigint, handled: bigint): string {
  return (
    `Write ${counted(handled + 1n - end, "record")} without a key to partition 0 of ${topic}: the task passes over ` +
    "them. Then plan again."
  );
}

/** Rule: reference: connector rules, "Signals and snapshots" (`snapshot_only`). */
export const readsNoSignals: CheckOf<ConnectorFacts, "connector"> = {
  code: "SNP922",
  title: "The connector reads no signals",
  problem: "With cdc.snapshot.mode=snapshot_only the task reads no signals: the snapshot would never be taken.",
  remedy: "Set another `cdc.snapshot.mode` for the connector, then plan again.",
  grade: "refusal",

  run(_intent, { facts: { connector } }) {
    const mode = connector.config["cdc.snapshot.mode"];
    if (mode?.trim().toLowerCase() !== "snapshot_only") return pass;
    return fail(`cdc.snapshot.mode of ${connector.name} is ${mode}: its task reads no signals`);
  },
};

/**
 * Whether the connector will be running when the signal is written: only then can it answer. A stopped or failed
 * connector reads the signal after its next start.
 */
export function answersSignals(
  { resume }: Pick<ResnapshotIntent, "resume">,
  { way, facts }: { readonly way: Way; readonly facts: Pick<ConnectorFacts, "connector"> },
): boolean {
  return resume || (way === "signal" && isRunning(facts.connector.status));
}

/** Whether its answer can be read: it is written by the connector's value converter. */
export function answerReadable({ connector }: Pick<ConnectorFacts, "connector">): boolean {
  return opsFormat(undefined, connector) !== undefined;
}
