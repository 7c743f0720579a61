import type { OffsetChangeIntent } from "../../document/intent.ts";
import { Refusal } from "../../errors.ts";
import { isLateCommit } from "../../facts/offset/stored-change.ts";
import { decodeOffset, sameOffset } from "../../facts/offset/stored-offset.ts";
import { runsAfter } from "../../run/after.ts";
import { changeStands, offsetStands, rollbackName, rollbackOf } from "../../run/change.ts";
import type { RunState } from "../../run/state.ts";
import { offsetSubject } from "../../run/subject.ts";
import { endOf } from "../../run/ways-to-settle.ts";
import { canonicalJson, type JsonObject } from "../../values/json.ts";
import { curlLine, shellWord } from "../../values/shell-word.ts";
import { truncate } from "../../values/truncate.ts";
import type { RollbackFrom } from "../kind.ts";

/** The longest reason that a plan file may give, characters: a rollback's plan follows the same rules. */
const LONGEST_REASON = 1000;

export function rollbackReason(run: string, reason: string): string {
  return truncate(`rollback of ${run}: ${reason}`, LONGEST_REASON - "…".length);
}

export interface RollbackOptions extends Pick<RollbackFrom, "resume" | "moveBack"> {
  /**
   * The latest run after this one whose new offset is still in effect (`changedSince`); undefined if no such run is
   * known.
   */
  readonly changedSince?: string | undefined;
}

/** The same, reading the currently stored offset and later runs itself. */
export async function offsetBack(state: RunState, from: RollbackFrom): Promise<OffsetChangeIntent> {
  const { connect, runs, resume, moveBack } = from;
  const { run } = state.started;
  const after = runsAfter(runs);
  const by = after.get(run)?.run;
  if (by !== undefined && !after.has(by))
    throw new Refusal("APL808", `run ${run} was rolled back by ${by}: nothing of it is in effect`, [
      { text: "To undo that rollback", command: `cdcctl rollback ${shellWord(by)}` },
    ]);
  const offsets = await connect.offsets(state.started.subject.connector);
  const partition = canonicalJson(state.body?.entry.partition ?? null);
  const now = offsets.find((entry) => canonicalJson(entry.partition) === partition)?.offset ?? null;
  return rollbackIntent(state, now, { resume, moveBack, changedSince: changedSince(state, runs) });
}

/**
 * The latest run of the connector after this one whose change of the offset is in effect: neither rolled back nor
 * itself a rollback.
 *
 * @param runs of the connector, oldest first
 */
export function changedSince({ started: { run } }: RunState, runs: readonly RunState[]): string | undefined {
  const later = runs.slice(runs.findIndex(({ started }) => started.run === run) + 1).filter(offsetStands);
  const undone = new Set(later.map(rollbackOf));
  return later.findLast((one) => rollbackOf(one) === undefined && !undone.has(one.started.run))?.started.run;
}

/**
 * Builds the rollback of a run as an intent that is planned and applied like any other. While the connector has not run
 * since, the stored offset is restored exactly; afterwards that would repeat delivered transactions and drop journaled
 * ones, and only the resume SCN can be moved back.
 *
 * Rule: architecture, "What apply promises", 9.
 *
 * @param stored what is stored under the run's partition now
 * @throws Refusal if there is nothing to roll back, or no rollback is possible
 */
export function rollbackIntent(
  state: RunState,
  stored: JsonObject | null,
  options: RollbackOptions,
): OffsetChangeIntent {
  const { started, body } = state;
  const { run, plan } = started;
  const subject = offsetSubject(started.subject);
  if (subject === undefined) throw new Error("a migration is rolled back by a phase of its own");
  const ended = endOf(state);
  const sent =
    state.signal === undefined || state.steps.get("write-signal") === "failed"
      ? undefined
      : { id: state.signal.id, tables: subject.snapshot?.tables ?? [] };
  if (body === undefined || state.attempts === 0n) {
    throw new Refusal(
      "APL808",
      `run ${run} has not changed the offset: there is nothing to roll ` +
        `back${sent === undefined ? "" : `; its signal ${sent.id} can't be revoked`}`,
    );
  }
  if (!changeStands(state))
    throw new Refusal("APL808", `run ${run} ended as ${ended.outcome}: its change is not in effect`);
  if (body.previous === null || body.entry.offset === null) {
    throw new Refusal("APL808", `no offset was stored before run ${run}, so there is none to restore`, [
      {
        text: `To remove the offset, while ${subject.connector} is stopped`,
        command: curlLine("DELETE", subject.connectUrl, subject.connector, "/offsets"),
      },
    ]);
  }
  const untouched = sameOffset(stored, body.entry.offset) || sameOffset(stored, body.previous);
  if (!untouched && !options.moveBack) {
    const later = options.changedSince;
    if (later !== undefined)
      throw new Refusal("OFF111", `run ${later} has changed the offset of ${subject.connector} after run ${run}`, [
        { text: "Roll back that run first", command: `cdcctl rollback ${shellWord(later)}` },
      ]);
    if (isLateCommit(stored, body))
      throw new Refusal(
        "OFF114",
        `a task of ${subject.connector} that kept running after its stop committed again after run ${run} and undid it`,
        [
          { text: "To repair it and start the connector", command: `cdcctl recover ${shellWord(run)} --resume` },
          "To keep it that way, resume the connector: it continues from its position before the run.",
        ],
      );
    const previous = decodeOffset(body.previous);
    throw new Refusal(
      "OFF111",
      `${subject.connector} has run since ${run}: its old offset would repeat delivered transactions and drop ` +
        "journaled ones",
      [
        {
          text: `To move only the resume SCN back${previous.ok ? ` to ${previous.offset.resumeScn}` : ""}`,
          command: `cdcctl rollback ${shellWord(run)} --move-back`,
        },
      ],
    );
  }
  const base = {
    kind: "OffsetChange",
    metadata: {
      name: rollbackName(run),
      reason: rollbackReason(run, subject.reason),
      ticket: plan?.intent.metadata.ticket,
    },
    target: {
      context: subject.context,
      connectUrl: subject.context === undefined ? subject.connectUrl : undefined,
      connector: subject.connector,
    },
    origin: { by: "rollback", file: undefined, lines: {} },
    // A forward move then only returns to a resume SCN that was reached before: everything below it was delivered.
    allowSkip: true,
    forgetReleased: "none",
    resume: options.resume ?? (subject.ranBefore || subject.resume),
    opsFormat: subject.opsFormat,
    accept: plan?.intent.accept ?? [],
    ...(sent === undefined ? {} : { signalSent: sent }),
  } as const;
  if (untouched)
    return { ...base, position: { to: "restore", run, offset: body.previous, replacing: body.entry.offset } };
  const previous = decodeOffset(body.previous);
  if (!previous.ok) throw new Refusal("OFF105", `the offset before run ${run} can't be read`);
  return { ...base, position: { to: "scn", scn: previous.offset.resumeScn } };
}
